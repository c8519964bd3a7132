from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.lm import Model, Reading
from maskwise.lm.encoder import Encoded, Gap, OnnxEncoder
from maskwise.text import Document

OUTPUTS = ("tags", "mask", "direct", "states")
TEXTS = [
    "Ana was born in Porto on 3 May 1971.",
    "She works at Oslo!",
    "",
    "The judge of the court lives in Porto and works in Oslo. " * 9,
    "a\0b \ud800 c\u0301 👩 İ 한국",
]


def data(encoded: Encoded) -> list[bytes]:
    return [encoded.pieces.ids.tobytes(), *(encoded.values[name].tobytes() for name in OUTPUTS)]


@pytest.fixture(scope="module")
def alone(tiny: Model) -> list[list[bytes]]:
    return [data(tiny.encoder.encode([text], OUTPUTS)[0]) for text in TEXTS]


def test_neither_mates_nor_order_change_a_byte(tiny: Model, alone: list[list[bytes]]) -> None:
    for order in list(permutations(range(len(TEXTS))))[::17]:
        together = tiny.encoder.encode([TEXTS[at] for at in order], OUTPUTS)
        assert [data(e) for e in together] == [alone[at] for at in order]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_change_a_byte(
    tiny_folder: Path, alone: list[list[bytes]], threads: int
) -> None:
    encoder = OnnxEncoder(tiny_folder, threads)
    assert [data(e) for e in encoder.encode(TEXTS, OUTPUTS)] == alone


def test_every_piece_of_a_long_text_has_its_values(tiny: Model) -> None:
    encoded = tiny.encoder.encode([TEXTS[3]], OUTPUTS)[0]
    n = len(encoded.pieces)
    assert n > 3 * tiny.config.window
    assert encoded.values["tags"].shape == (n, 17)
    assert encoded.values["states"].shape == (n, tiny.config.hidden)
    assert np.allclose(encoded.values["tags"].sum(1), 1, atol=1e-5)
    for name in ("mask", "direct"):
        assert encoded.values[name].shape == (n,)
        assert ((encoded.values[name] > 0) & (encoded.values[name] < 1)).all()


def test_one_window_says_what_the_graph_says(tiny: Model) -> None:
    text = "Ana lives in Oslo."
    encoded = tiny.encoder.encode([text], ("mask", "states"))[0]
    logits, states = tiny.encoder._run(
        encoded.pieces.ids, encoded.pieces.shapes, ("mask", "states")
    )
    assert np.allclose(encoded.values["mask"], 1 / (1 + np.exp(-logits)), atol=1e-6)
    assert np.allclose(encoded.values["states"], states, atol=1e-6)


def test_the_shape_of_letters_reaches_the_model(tiny: Model) -> None:
    lower, upper = tiny.encoder.encode(["ana lives", "ANA lives"], ("mask",))
    assert np.array_equal(lower.pieces.ids, upper.pieces.ids)
    assert not np.array_equal(lower.values["mask"], upper.values["mask"])


@given(text=st.text(max_size=80))
@settings(max_examples=50, deadline=None)
def test_any_text_is_read_whole(tiny: Model, text: str) -> None:
    encoded = tiny.encoder.encode([text], ("mask",))[0]
    assert len(encoded.values["mask"]) == len(encoded.pieces)
    assert np.isfinite(encoded.values["mask"]).all()


def test_a_document_is_annotated_once(tiny: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    encode = OnnxEncoder.encode

    def counted(self: OnnxEncoder, texts: list[str], outputs: tuple[str, ...]) -> list[Encoded]:
        calls.append(len(texts))
        return encode(self, texts, outputs)

    monkeypatch.setattr(OnnxEncoder, "encode", counted)
    first, second = Document("Ana lives in Oslo.", id="1"), Document("Ana lives in Porto.", id="2")
    reading = Reading()
    before = reading.annotate(tiny, [first])
    after = reading.annotate(tiny, [second, first])
    assert after[1] is before[0]
    assert calls == [1, 1]
    assert reading.annotate(tiny, []) == []


def test_what_stood_in_a_gap_is_as_likely_beside_any_other_gaps(
    tiny: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = tiny.encoder.tokenizer.encode(TEXTS[3])[: tiny.config.window]

    def gap(every: int) -> Gap:
        at = np.arange(0, len(pieces), every)
        ids = pieces.ids.copy()
        ids[at] = tiny.encoder.tokenizer.mask_id
        return Gap(ids, pieces.shapes, at, pieces.ids[at])

    gaps = [gap(every) for every in (2, 3, 5, 7, len(pieces))]
    alone = [tiny.encoder.fill([gap])[0].tobytes() for gap in gaps]
    assert [found.tobytes() for found in tiny.encoder.fill(gaps)] == alone
    assert [found.tobytes() for found in tiny.encoder.fill(gaps[::-1])] == alone[::-1]
    monkeypatch.setattr("maskwise.lm.encoder._FILLED", 2)
    assert [found.tobytes() for found in tiny.encoder.fill(gaps)] == alone
    assert tiny.encoder.fill([]) == []
