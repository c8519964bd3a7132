from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.crowd.population import Profile
from maskwise.errors import BundleError, InputError
from maskwise.lm import Model, load_model
from maskwise.risk.emulator import Emulator, EmulatorIndicator, compute_features, load_bundled
from maskwise.text import Document, Entity, EntityType, IdentifierType, Indicator, Person
from maskwise.train.background import list_background, read_subjects
from maskwise.train.emulator import (
    Sample,
    _draw_pairs,
    calibrate_emulator,
    fit_emulator,
    fit_odds,
    judge_emulator,
    label_document,
    measure_agreement,
)

TEXT = "Ana Larsson lives in Oslo. Larsson works in Porto on 3 May 1971."


@pytest.fixture
def document() -> Document:
    return Document(TEXT, protected=(Person("Ana Larsson"),))


@pytest.fixture
def entities(document: Document) -> list[Entity]:
    def entity(
        id: str, kind: EntityType, *spans: tuple[int, int], **more: bool | IdentifierType
    ) -> Entity:
        return Entity(id, kind, tuple(document.mention(*span, kind) for span in spans), **more)  # type: ignore[arg-type]

    return [
        entity(
            "ana",
            EntityType.PERSON,
            (0, 11),
            (27, 34),
            protected=True,
            identifier=IdentifierType.DIRECT,
        ),
        entity("oslo", EntityType.LOC, (21, 25)),
        entity("porto", EntityType.LOC, (44, 49)),
        entity("date", EntityType.DATETIME, (53, 63)),
    ]


def world(model: Model, texts: int = 60, seed: int = 0) -> list[Sample]:
    """Rows in which one number says how rare an entity is; risky where an entity, or two together, is rare enough."""
    random = np.random.default_rng(seed)
    samples = []
    for _ in range(texts):
        rows = random.normal(size=(8, model.config.hidden + 14)).astype(np.float32)
        each = [(at, at) for at in range(8)] + [(a, b) for a in range(8) for b in range(a + 1, 8)]
        pairs = np.array(each, dtype=np.intp)
        rare = rows[:, 3]
        single = pairs[:, 0] == pairs[:, 1]
        risky = np.where(single, rare[pairs[:, 0]] > 1, rare[pairs].sum(axis=1) > 0.5)
        samples.append(Sample(rows, pairs, risky, ~risky | single))
    return samples


@pytest.fixture(scope="module")
def trained(tiny: Model) -> Emulator:
    return fit_emulator(world(tiny), tiny, about={"k": 5}, dropout=0.0, epochs=40)


def test_it_learns_a_rule_it_can_see(tiny: Model, trained: Emulator) -> None:
    scores = judge_emulator(trained, world(tiny, 20, seed=1))
    assert scores["entities alone"]["n"] == 160
    assert (
        scores["entities alone"]["kappa"] > 0
    )  # better than chance; how much better depends on the processor
    assert scores["all pairs"]["kappa"] > 0


def test_training_is_repeatable(tiny: Model) -> None:
    one, two = (fit_emulator(world(tiny, 5), tiny, about={}, epochs=2, seed=3) for _ in range(2))
    assert all(np.array_equal(one.weights[name], two.weights[name]) for name in one.weights)


def test_a_file_gives_the_same_answers(tiny: Model, trained: Emulator, tmp_path: Path) -> None:
    trained.save(tmp_path / "e.npz")
    again = Emulator.load(tmp_path / "e.npz")
    sample = world(tiny, 1, seed=2)[0]
    before, after = (e.score_pairs(sample.rows, sample.pairs) for e in (trained, again))
    assert np.abs(before - after).max() < 0.02  # half precision in the file
    assert again.about["k"] == 5
    assert np.allclose(again.score_pairs(sample.rows, sample.pairs[:, ::-1]), after, atol=1e-6)
    assert np.allclose(again.score_alone(sample.rows), after[:8], atol=1e-6)


def test_evidence_for_entities_and_for_pairs_of_safe_ones(
    tiny: Model, trained: Emulator, document: Document, entities: list[Entity], tmp_path: Path
) -> None:
    # The output is made constant but for the flag that says "alone": nothing is risky alone, every pair is.
    weights = {name: np.zeros_like(value) for name, value in trained.weights.items()} | {
        "scale": trained.weights["scale"],
        "calibration": trained.weights["calibration"],
    }
    weights["inner"][-1, 0] = 1
    weights["outer"][0, 0] = -2
    weights["outer_bias"][0] = 1
    Emulator(weights, trained.trained_on, {}).save(tmp_path / "e.npz")
    indicator = EmulatorIndicator(str(tmp_path / "e.npz"), model=str(tiny.path))
    assert isinstance(indicator, Indicator)
    evidence = indicator.assess(document, entities)
    assert [e.entities for e in evidence] == [
        ("ana",), ("oslo",), ("porto",), ("date",), ("oslo", "porto"), ("oslo", "date"), ("porto", "date"),
    ]  # fmt: skip
    assert [e.risky for e in evidence] == [False] * 4 + [True] * 3
    assert evidence[-1].score == pytest.approx(0.7311, abs=1e-3)
    assert "0.73, which reaches 0.50" in evidence[-1].reason
    assert not any(word in e.reason for e in evidence for word in ("Oslo", "Porto", "1971"))
    alone = EmulatorIndicator(str(tmp_path / "e.npz"), model=str(tiny.path), pairs=False)
    assert len(alone.assess(document, entities)) == 4
    assert alone.assess(document, []) == []


def test_rows_hold_states_type_and_surface(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    rows = compute_features(document, entities, tiny)
    hidden = tiny.config.hidden
    encoded = tiny.encoder.encode([TEXT], ("states",))[0]
    first, last = encoded.pieces.find_covering(44, 49)
    assert np.allclose(
        rows[2, :hidden], encoded.values["states"][first:last].mean(axis=0), atol=1e-5
    )
    types = list(EntityType)
    assert [types[at] for at in rows[:, hidden : hidden + 8].argmax(axis=1)] == [
        e.type for e in entities
    ]
    assert rows[3, -2] == pytest.approx(5 / 10)  # digits of the date
    assert np.isfinite(rows).all()


class Index:
    """Every page holds everything; the person's page is among the best unless Oslo is asked for alone."""

    exact = True

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        return ["other"] if list(terms) in (["Oslo"], ["Porto"]) else ["person"]

    def hits(self, terms: Sequence[str]) -> int:
        return 1


def test_the_index_labels_entities_and_pairs(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    sample = label_document(document, entities, Index(), tiny, k=5)
    labels = zip(sample.pairs.tolist(), sample.risky.tolist(), sample.open.tolist(), strict=True)
    said = {tuple(pair): (risky, asked) for pair, risky, asked in labels}
    assert len(sample.rows) == 3  # the person is masked in any case
    assert said[0, 0] == (False, False)
    assert said[2, 2] == (True, False)
    assert said[0, 1] == (True, True)  # Oslo and Porto: searched for
    assert said[0, 2] == (True, False)  # the date alone decides


def test_agreement() -> None:
    truth, chances = np.array([1, 1, 0, 0], bool), np.array([0.9, 0.4, 0.4, 0.1])
    found = measure_agreement(chances, truth)
    assert found == {
        "n": 4,
        "risky": 0.5,
        "called_risky": 0.25,
        "mean_probability": pytest.approx(0.45),
        "calibration_error": pytest.approx((0.1 + 0.2 + 0.1) / 4),
        "accuracy": 0.75,
        "kappa": 0.5,
        "f1": pytest.approx(2 / 3),
    }
    assert measure_agreement(truth.astype(float), truth)["kappa"] == 1
    assert measure_agreement(chances[:0], truth[:0]) == {"n": 0}


@given(st.floats(0.3, 3), st.floats(-3, 3), st.integers(0, 99))
def test_calibration_finds_the_odds_that_made_the_outcomes(scale, shift, seed):
    random = np.random.default_rng(seed)
    logits = random.normal(size=4000).astype(np.float32)
    risky = random.random(4000) < 1 / (1 + np.exp(-(scale * logits + shift)))
    a, b = fit_odds(logits, risky)
    chances = 1 / (1 + np.exp(-(a * logits + b)))
    assert chances.mean() == pytest.approx(risky.mean(), abs=0.01)
    assert a >= 0


def test_calibration_turns_a_network_that_always_says_risky_into_the_base_rate(tiny, trained):
    samples = world(tiny, 30, seed=4)
    pushed = {**trained.weights, "outer_bias": trained.weights["outer_bias"] + 4}
    loud = Emulator(pushed, trained.trained_on, {})
    before = judge_emulator(loud, samples)["all pairs"]
    after = judge_emulator(calibrate_emulator(loud, samples), samples)["all pairs"]
    assert before["mean_probability"] > after["risky"] + 0.1
    assert after["mean_probability"] == pytest.approx(after["risky"], abs=0.01)


def test_what_was_drawn_stands_for_all_of_its_kind():
    pairs = np.array([(0, 0), *((0, 1),) * 90, *((1, 2),) * 9])
    opened = np.array([True, *(False,) * 90, *(True,) * 9])
    sample = Sample(np.zeros((3, 2), np.float32), pairs, ~opened, opened)
    drawn, stands_for = _draw_pairs(sample, 5, np.random.default_rng(0))
    assert len(drawn) == 11
    assert stands_for.sum() == 100
    assert stands_for[sample.risky[drawn]].sum() == 90


def test_the_background_never_holds_the_text(tmp_path):
    path = tmp_path / "p.jsonl"
    texts = [
        "One. Two here. Three now. Four then. Five.",
        "Solo",
        "A long line without any end at all",
    ]
    rows = [{"id": at, "title": f"Bo {at}", "text": text} for at, text in enumerate(texts)]
    path.write_text("\n".join(map(json.dumps, rows)))
    documents = read_subjects(path, 9, 20, held_out=False, share=0)
    assert [one.text for one in documents] == ["One. Two here.", "So", "A long line witho"]
    pages = list(
        list_background(path, documents[:1], 20, [Profile.of("0", {"name": "Bo", "born": "1971"})])
    )
    assert [page.text for page in pages[:3]] == ["Three now. Four then. Five.", *texts[1:]]
    assert (pages[3].url, pages[3].title) == ("0#profile", "Bo")
    assert "1971" in pages[3].text


def test_sides_of_the_split_share_no_text(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        "".join(
            f'{{"id": {at}, "title": "Ana Lee (painter {at})", "text": "abc"}}\n'
            for at in range(60)
        )
    )
    train, held = (read_subjects(path, 100, 2, held_out=side) for side in (False, True))
    assert len(train) + len(held) == 60
    assert len(held) > 3
    assert not {d.id for d in train} & {d.id for d in held}
    assert train[0].text == "a"
    assert train[0].protected == (Person("Ana Lee"),)
    path.write_text('{"text": "abc"}\n')
    with pytest.raises(InputError, match="title"):
        read_subjects(path, 1, 10, held_out=False)


def test_another_model_or_file_is_refused(tiny: Model, trained: Emulator, document: Document, entities: list[Entity],
                                          tmp_path: Path) -> None:  # fmt: skip
    Emulator(trained.weights, "another", {}).save(tmp_path / "e.npz")
    with pytest.raises(BundleError, match="another model"):
        EmulatorIndicator(str(tmp_path / "e.npz"), model=str(tiny.path)).assess(document, entities)
    (tmp_path / "bad.npz").write_bytes(b"no zip")
    for name in ("bad.npz", "none.npz"):
        with pytest.raises(BundleError, match="no emulator"):
            Emulator.load(tmp_path / name)
    np.savez(tmp_path / "pickled.npz", about=np.array([{}], dtype=object))
    with pytest.raises(BundleError, match="no emulator"):
        Emulator.load(tmp_path / "pickled.npz")


def test_the_bundled_one_belongs_to_the_bundled_model(
    document: Document, entities: list[Entity]
) -> None:
    load_bundled().check(load_model("small"))
    evidence = EmulatorIndicator().assess(document, entities)
    assert {e.entities for e in evidence} >= {(e.id,) for e in entities}
    assert all(0 <= e.score <= 1 for e in evidence)
