from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from maskwise.lm import Model
from maskwise.lm.masked import MaskedLM

TEXT = "Ana was born in Porto. She lives in Oslo and works at the court of Oslo. " * 3


def spans_of(word: str, text: str = TEXT) -> list[tuple[int, int]]:
    found, at = [], text.find(word)
    while at >= 0:
        found.append((at, at + len(word)))
        at = text.find(word, at + 1)
    return found


@pytest.fixture
def strict(tiny: Model) -> MaskedLM:
    """One group a pass."""
    return MaskedLM(tiny.encoder, share=0.0)


def by_hand(
    tiny: Model, text: str, masked: list[tuple[int, int]], span: tuple[int, int]
) -> np.ndarray:
    """Log-probabilities in a text of one window, step by step."""
    tokenizer = tiny.encoder.tokenizer
    pieces = tokenizer.encode(text)
    ids, shapes = pieces.ids.copy(), pieces.shapes.copy()
    for start, end in masked:
        inside = (pieces.starts < end) & (pieces.ends > start)
        ids[inside], shapes[inside] = tokenizer.mask_id, 0
    states = tiny.encoder._run(ids, shapes, ("states",))[0]
    logits = tiny.encoder._mlm.run(None, {"states": states})[0].astype(float)
    scores = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    here = np.flatnonzero((pieces.starts < span[1]) & (pieces.ends > span[0]))
    return scores[here, pieces.ids[here]]


def test_a_span_is_masked_whole(tiny: Model, strict: MaskedLM) -> None:
    text = "Ana Larsson lives in Porto."
    span = (4, 11)
    value = strict.compute_log_probs(text, [span])[0]
    assert len(value) == 5  # L a r s ##son
    assert np.allclose(value, by_hand(tiny, text, [span], span), atol=1e-5)


def test_spans_of_a_group_are_masked_together(tiny: Model, strict: MaskedLM) -> None:
    text = "Oslo and Oslo and Porto."
    spans = [(0, 4), (9, 13), (18, 23)]
    together = strict.compute_log_probs(text, spans, [[0, 1]])
    assert np.allclose(together[0], by_hand(tiny, text, spans[:2], spans[0]), atol=1e-5)
    assert np.allclose(together[2], by_hand(tiny, text, spans[2:], spans[2]), atol=1e-5)
    assert not np.allclose(together[0], strict.compute_log_probs(text, spans)[0])


def test_what_else_is_asked_changes_nothing_without_sharing(strict: MaskedLM) -> None:
    spans = spans_of("Oslo") + spans_of("Ana") + spans_of("court")
    all_at_once = strict.compute_log_probs(TEXT, spans)
    for span, value in zip(spans, all_at_once, strict=True):
        assert strict.compute_log_probs(TEXT, [span])[0].tobytes() == value.tobytes()


def test_shared_passes_are_fewer_and_keep_apart(
    tiny: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    fill = tiny.encoder.fill
    mask = tiny.encoder.tokenizer.mask_id

    def counted(gaps):  # type: ignore[no-untyped-def]
        counts.append(len(gaps))
        for gap in gaps:
            hidden = np.flatnonzero(gap.ids == mask)
            runs = np.split(hidden, np.flatnonzero(np.diff(hidden) > 1) + 1)
            assert all(b[0] - a[-1] > 4 for a, b in pairwise(runs))
        return fill(gaps)

    monkeypatch.setattr(tiny.encoder, "fill", counted)
    spans = spans_of("Porto") + spans_of("Ana") + spans_of("court") + spans_of("Oslo")
    shared = MaskedLM(tiny.encoder, distance=4, share=0.5).compute_log_probs(TEXT, spans)
    single = MaskedLM(tiny.encoder, share=0.0).compute_log_probs(TEXT, spans)
    assert counts[0] < counts[1]
    assert [len(v) for v in shared] == [len(v) for v in single]
    assert all((v < 0).all() for v in shared)


def test_a_span_longer_than_a_window_has_a_value_for_each_piece(
    tiny: Model, strict: MaskedLM
) -> None:
    pieces = tiny.encoder.tokenizer.encode(TEXT)
    value = strict.compute_log_probs(TEXT, [(0, len(TEXT))])[0]
    assert len(value) == len(pieces) > 2 * tiny.config.window
    assert (value < 0).all()


def test_a_small_overlap_reads_every_piece_in_fewer_pieces(
    tiny: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill, sizes = tiny.encoder.fill, []

    def counted(gaps):  # type: ignore[no-untyped-def]
        sizes.append(sum(len(gap.ids) for gap in gaps))
        return fill(gaps)

    monkeypatch.setattr(tiny.encoder, "fill", counted)
    spans = spans_of("Porto") + spans_of("court")
    for overlap in (None, 2):
        values = MaskedLM(tiny.encoder, distance=0, share=0.9, overlap=overlap).compute_log_probs(
            TEXT, spans
        )
        assert all(len(value) and (value < 0).all() for value in values)
    assert sizes[1] < sizes[0]


def test_context_limits_what_a_pass_sees(tiny: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    fill, seen = tiny.encoder.fill, []

    def kept(gaps):  # type: ignore[no-untyped-def]
        seen.extend(gaps)
        return fill(gaps)

    monkeypatch.setattr(tiny.encoder, "fill", kept)
    spans = spans_of("Porto")
    [span, *_] = MaskedLM(tiny.encoder, context=2).compute_log_probs(TEXT, spans)
    mask = tiny.encoder.tokenizer.mask_id
    for gap in seen:
        masked = np.flatnonzero(gap.ids == mask)
        assert masked[0] <= 2
        assert len(gap.ids) - masked[-1] <= 3
        assert set(gap.at.tolist()) <= set(masked.tolist())
        assert mask not in gap.truth
    # The same words without the rest around them.
    pieces = tiny.encoder.tokenizer.encode(TEXT)
    first, last = pieces.find_covering(*spans[0])
    cut = TEXT[int(pieces.starts[first - 2]) : int(pieces.ends[last + 1])]
    again = [(at - int(pieces.starts[first - 2])) for at in spans[0]]
    [alone] = MaskedLM(tiny.encoder).compute_log_probs(cut, [(again[0], again[1])])
    assert np.allclose(span, alone, atol=1e-5)
    wide = MaskedLM(tiny.encoder, context=10_000).compute_log_probs(TEXT, spans)
    assert all(map(np.array_equal, wide, MaskedLM(tiny.encoder).compute_log_probs(TEXT, spans)))


def test_pieces_are_as_good_as_their_text(tiny: Model, strict: MaskedLM) -> None:
    spans = spans_of("Porto")
    asked = strict.ask(tiny.encoder.tokenizer.encode(TEXT), spans)
    assert all(map(np.array_equal, asked.log_probs, strict.ask(TEXT, spans).log_probs))


def test_information_adds_up_over_pieces(strict: MaskedLM) -> None:
    spans = [(0, 3), (16, 21), (3, 4)]
    pieces = strict.compute_log_probs(TEXT, spans)
    assert np.allclose(
        strict.measure_information(TEXT, spans), [-pieces[0].sum(), -pieces[1].sum(), 0]
    )
    assert np.allclose(
        strict.measure_information(TEXT, spans, pool="max"), [-pieces[0].min(), -pieces[1].min(), 0]
    )


def test_every_word_has_information(tiny: Model) -> None:
    spans = [span for word in ("Ana", "born", "Porto") for span in spans_of(word)]
    assert (tiny.masked.measure_information(TEXT, spans) > 0).all()


def test_nothing_asked_and_nothing_there(strict: MaskedLM) -> None:
    assert strict.compute_log_probs(TEXT, []) == []
    assert [len(v) for v in strict.compute_log_probs("", [(0, 0)])] == [0]
    assert [len(v) for v in strict.compute_log_probs("  \0 Ana", [(0, 2)])] == [0]


def test_a_span_in_two_groups_is_refused(strict: MaskedLM) -> None:
    with pytest.raises(ValueError, match="once at most"):
        strict.compute_log_probs(TEXT, [(0, 3), (4, 7)], [[0, 1], [1]])
