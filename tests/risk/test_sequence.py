from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from maskwise import lm
from maskwise.detect.neural import NeuralDetector
from maskwise.lm import Model, Prediction, Reading
from maskwise.lm.calibration import Match
from maskwise.lm.encoder import OnnxEncoder
from maskwise.risk import rarity
from maskwise.risk.sequence import SequenceIndicator
from maskwise.text import Document, Entity, EntityType, Indicator

TEXT = "Ana Larsson lives in Oslo. Larsson works in Oslo."


@pytest.fixture
def document() -> Document:
    return Document(TEXT)


@pytest.fixture
def entities(document: Document) -> list[Entity]:
    def entity(id: str, kind: EntityType, *spans: tuple[int, int]) -> Entity:
        return Entity(id, kind, tuple(document.mention(*span, kind) for span in spans))

    return [
        entity("p", EntityType.PERSON, (0, 11), (27, 34)),
        entity("l", EntityType.LOC, (21, 25), (44, 48)),
    ]


@pytest.fixture
def model(tiny: Model, document: Document, monkeypatch: pytest.MonkeyPatch) -> str:
    """The tiny model, made to say: Ana .9, Larsson .7 then .3, Oslo .2 then .4; only Ana is direct."""
    pieces = tiny.encoder.tokenizer.encode(TEXT)
    mask, direct = np.zeros(len(pieces), dtype=np.float32), np.zeros(len(pieces), dtype=np.float32)
    for span, value in {
        (0, 3): 0.9,
        (4, 11): 0.7,
        (21, 25): 0.2,
        (27, 34): 0.3,
        (44, 48): 0.4,
    }.items():
        mask[slice(*pieces.find_covering(*span))] = value
    direct[0] = 0.8
    annotation = Prediction(pieces, np.zeros((len(pieces), 17), dtype=np.float32), mask, direct)
    monkeypatch.setattr(
        Model, "read", lambda self, documents, states: [(annotation, None)] * len(documents)
    )
    return str(tiny.path)


@pytest.mark.parametrize(
    ("match", "pool", "scores"),
    [
        ("mean", "max", [0.8, 0.4]),
        ("partial", "max", [0.9, 0.4]),
        ("full", "max", [0.7, 0.4]),
        ("mean", "mean", [0.55, 0.3]),
    ],
)
def test_words_make_mentions_and_mentions_make_entities(
    model: str,
    document: Document,
    entities: list[Entity],
    match: str,
    pool: str,
    scores: list[float],
) -> None:
    indicator = SequenceIndicator(model, match=match, pool=pool, direct=1.1)  # type: ignore[arg-type]
    assert isinstance(indicator, Indicator)
    evidence = indicator.assess(document, entities)
    assert [e.entities for e in evidence] == [("p",), ("l",)]
    assert [e.score for e in evidence] == pytest.approx(scores, abs=1e-4)
    assert [e.risky for e in evidence] == [score >= 0.5 for score in scores]


def test_the_likeliest_of_two_words_counts_for_less_where_the_model_says_so(
    model: str, document: Document, entities: list[Entity], monkeypatch: pytest.MonkeyPatch
) -> None:
    indicator = SequenceIndicator(model, match="partial", direct=1.1)
    matches = {name: Match() for name in ("mean", "full")} | {
        "partial": Match({EntityType.LOC: 1.0}, words=0.5)
    }
    config = replace(lm.load_model(model).config, matches=matches)
    monkeypatch.setattr(lm.load_model(model), "config", config)
    person, place = (e.score for e in indicator.assess(document, entities))

    def moved(probability: float, by: float) -> float:
        return 1 / (1 + np.exp(-(np.log(probability / (1 - probability)) + by)))

    # "Ana Larsson" and "Larsson": 1.5 words a mention, .9 and .3.
    assert person == pytest.approx(moved(0.6, -0.5 * np.log(1.5)), abs=1e-4)
    assert place == pytest.approx(moved(0.3, 1.0), abs=1e-4)


def test_a_rare_attribute_is_masked_sooner_and_the_reason_says_so(
    model: str, document: Document, entities: list[Entity], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rarity, "is_rare", lambda entity: entity.id == "l")
    plain, raised = (
        SequenceIndicator(model, rare=by, direct=1.1).assess(document, entities)
        for by in (0.0, 1.1)
    )
    assert [e.score for e in plain] == pytest.approx([0.55, 0.3], abs=1e-4)
    assert [e.score for e in raised] == pytest.approx(
        [0.55, 1 / (1 + np.exp(-(np.log(0.3 / 0.7) + 1.1)))], abs=1e-4
    )
    assert [e.risky for e in plain] == [True, False]
    assert [e.risky for e in raised] == [True, True]
    assert ["1 in 1,000 people" in e.reason for e in (*plain, *raised)] == [
        False,
        False,
        False,
        True,
    ]
    assert "probability 0.30 in 2 mentions; fewer" in raised[1].reason
    assert raised[1].reason.endswith("counts as 0.56, which reaches 0.50")


def test_the_knob_and_the_threshold_move_the_line(
    model: str, document: Document, entities: list[Entity]
) -> None:
    def risky(**options: object) -> list[bool]:
        return [
            e.risky
            for e in SequenceIndicator(model, direct=1.1, **options).assess(document, entities)
        ]  # type: ignore[arg-type]

    assert risky(recall="precision") == [False, False]
    assert risky(recall="balanced") == [True, False]
    assert risky(recall="recall") == [True, True]
    assert risky(threshold=0.85) == [False, False]


def test_a_direct_identifier_is_risky_by_itself(
    model: str, document: Document, entities: list[Entity]
) -> None:
    evidence = SequenceIndicator(model, threshold=0.95, match="partial", pool="max").assess(
        document, entities
    )
    assert [e.risky for e in evidence] == [True, False]
    assert "directly with probability 0.80" in evidence[0].reason


def test_a_reason_has_its_numbers_and_no_text(
    model: str, document: Document, entities: list[Entity]
) -> None:
    evidence = SequenceIndicator(model, pool="max").assess(document, entities)
    assert "0.40 in 2 mentions, which is under 0.50" in evidence[1].reason
    assert not any(word in e.reason for e in evidence for word in ("Ana", "Larsson", "Oslo"))


def test_what_has_no_piece_has_no_evidence(model: str) -> None:
    blank = Document("\0\0")
    entity = Entity("x", EntityType.MISC, (blank.mention(0, 1, EntityType.MISC),))
    empty = lm.load_model(model).encoder.tokenizer.encode(blank.text)
    assert len(empty) == 0
    with pytest.MonkeyPatch.context() as patch:
        nothing = np.zeros(0, dtype=np.float32)
        annotation = Prediction(empty, np.zeros((0, 17), dtype=np.float32), nothing, nothing)
        patch.setattr(Model, "read", lambda self, documents, states: [(annotation, None)])
        assert SequenceIndicator(model).assess(blank, [entity]) == []


def test_detector_and_indicator_share_one_pass(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    encode = OnnxEncoder.encode

    def counted(self: OnnxEncoder, texts: list[str], outputs: tuple[str, ...]) -> object:
        calls.append(len(texts))
        return encode(self, texts, outputs)

    monkeypatch.setattr(OnnxEncoder, "encode", counted)
    document = Document(TEXT, id="shared", reading=Reading())
    detection = NeuralDetector(str(tiny_folder), recall=1.0, threads=1).detect([document])[0]
    entities = [Entity(f"e{at}", m.type, (m,)) for at, m in enumerate(detection.mentions)]
    evidence = SequenceIndicator(str(tiny_folder), threads=2).assess(document, entities)
    assert len(evidence) == len(entities) > 0
    assert calls == [1]
