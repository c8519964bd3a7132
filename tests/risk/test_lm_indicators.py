"""Probability, span and perturbation on the tiny model, with deciders trained on invented documents."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.errors import BundleError, InputError
from maskwise.lm import Model, Reading, folder, load_model
from maskwise.lm.encoder import OnnxEncoder
from maskwise.policy import Policy
from maskwise.risk import deciders, perturbation
from maskwise.risk.perturbation import PerturbationIndicator
from maskwise.risk.probability import PAPER, ProbabilityIndicator
from maskwise.risk.span import SpanIndicator, pool_states
from maskwise.risk.surprise import FEATURES, compute_features, measure_surprise
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, EntityType, Evidence, IdentifierType, Indicator
from maskwise.train.data import Example, Span
from maskwise.train.marked import unite_annotators
from maskwise.train.risk import EntityMeasures, find_threshold, train_risk

TEXT = "Ana Larsson lives in Oslo. Larsson works in Porto."
NAMES = ["Ana", "Bo", "Cy", "Dan", "Eva", "Flo", "Gus", "Hal", "Ida", "Jon"]


def entity(
    document: Document, id: str, kind: EntityType, *spans: tuple[int, int], direct: bool = False
) -> Entity:
    identifier = IdentifierType.DIRECT if direct else IdentifierType.QUASI
    return Entity(id, kind, tuple(document.mention(*span, kind) for span in spans), identifier)


@pytest.fixture
def document() -> Document:
    return Document(TEXT)


@pytest.fixture
def entities(document: Document) -> list[Entity]:
    return [
        entity(document, "p", EntityType.PERSON, (0, 11), (27, 34), direct=True),
        entity(document, "o", EntityType.LOC, (21, 25)),
        entity(document, "q", EntityType.LOC, (44, 49)),
    ]


def changed(model: Model, target: Path, change: Callable[[Path], object]) -> str:
    """The folder of a model with some of its files changed."""
    shutil.copytree(model.path, target)
    change(target)
    raw = json.loads((target / folder.CONFIG).read_text("utf-8"))
    folder.write_config(
        target,
        **{key: raw[key] for key in ("name", "version", "hidden", "window", "overlap", "points")},
    )
    return str(target)


def example(name: str) -> Example:
    """Names are masked, places are not, and one annotator of two forgets the second mention of the name."""
    text = f"{name}son lives in Oslo. {name}son works in Porto."
    size, second = len(name) + 3, text.index(f" {name}son works") + 1
    first = Span(0, size, EntityType.PERSON, True, True, "n")
    again = Span(second, second + size, EntityType.PERSON, True, True, "n")
    oslo, porto = (
        Span(text.index(t), text.index(t) + len(t), EntityType.LOC, entity=t)
        for t in ("Oslo", "Porto")
    )
    return Example(name, text, ((first, again, oslo, porto), (first, oslo)))


@pytest.fixture(scope="session")
def trained(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Deciders for the tiny model."""
    target = tmp_path_factory.mktemp("risk")
    found = train_risk(
        [example(name) for name in NAMES * 3], target, model=str(tiny_folder), pairs=4
    )
    assert found["entities"] == 90
    return str(target)


def build(tiny: Model, trained: str) -> list[Indicator]:
    options = {"model": str(tiny.path), "deciders": trained}
    return [
        ProbabilityIndicator(**options),
        SpanIndicator(**options),
        PerturbationIndicator(threshold=0, **options),
    ]  # type: ignore[arg-type]


def test_features_are_those_of_the_log_probabilities(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    spans = [(0, 11), (27, 34)]
    alone = tiny.masked.compute_log_probs(TEXT, spans, [[0, 1]])
    found = measure_surprise(tiny, document, entities[:1])
    assert all(np.array_equal(a, b) for a, b in zip(found.log_probs[0], alone, strict=True))
    row = dict(zip(FEATURES, compute_features(entities[:1], found)[0], strict=True))
    pieces = np.concatenate(alone)
    assert row["min"] == pytest.approx(pieces.min())
    assert row["median"] == pytest.approx(np.median(pieces))
    assert row["sum"] == pytest.approx(np.mean([a.sum() for a in alone]), rel=1e-5)
    assert (row["mentions"], row["words"], row["characters"]) == (2, 2, 11)
    assert (row["PERSON"], row["LOC"]) == (1, 0)


def test_one_answer_serves_all_indicators(
    tiny: Model,
    trained: str,
    document: Document,
    entities: list[Entity],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    fill, encode = OnnxEncoder.fill, OnnxEncoder.encode
    monkeypatch.setattr(
        OnnxEncoder, "fill", lambda self, gaps: calls.append(len(gaps)) or fill(self, gaps)
    )
    monkeypatch.setattr(
        OnnxEncoder, "encode", lambda *a: pytest.fail("states come from the pass of the annotation")
    )
    probability, span, _ = build(tiny, trained)
    reading = Reading(states=True)
    fresh = Document(TEXT, id="once", reading=reading)
    with monkeypatch.context() as patch:
        patch.setattr(OnnxEncoder, "encode", encode)
        reading.annotate(load_model(tiny.path), [fresh])
    probability.assess(fresh, entities)
    span.assess(fresh, entities)
    assert len(calls) == 1
    assert calls[0] == measure_surprise(tiny, fresh, entities).passes


def test_states_are_the_same_from_either_pass(tiny: Model) -> None:
    apart, together = Document(TEXT, id="apart"), Document(TEXT, id="together")
    reading = Reading(states=True)
    reading.annotate(tiny, [together])
    found = (reading.take_states(tiny, document) for document in (apart, together))
    for left, right in zip(*found, strict=True):
        assert np.array_equal(getattr(left, "ids", left), getattr(right, "ids", right))


def test_vectors_are_means_over_mentions(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    pieces, states = Reading().take_states(tiny, document)
    vectors = pool_states(pieces, states, entities)
    means = [
        states[slice(*pieces.find_covering(*span))].mean(axis=0) for span in ((0, 11), (27, 34))
    ]
    assert np.allclose(vectors[0], np.mean(means, axis=0))


@pytest.mark.parametrize("decider", ["boosting", "logistic", "zero-shot"])
def test_deciders_learn_what_is_masked(tiny: Model, trained: str, decider: str) -> None:
    item = unite_annotators(example("Ana"))
    indicator = ProbabilityIndicator(str(tiny.path), decider, deciders=trained)  # type: ignore[arg-type]
    evidence = indicator.assess(item.document, item.entities)
    assert [e.entities for e in evidence] == [(e.id,) for e in item.entities]
    assert "passes" in evidence[0].reason
    if decider != "zero-shot":
        assert [e.risky for e in evidence] == [True, False, False]


def test_span_learns_what_is_masked(tiny: Model, trained: str) -> None:
    item = unite_annotators(example("Ida"))
    evidence = SpanIndicator(str(tiny.path), deciders=trained).assess(item.document, item.entities)
    assert [e.risky for e in evidence] == [True, False, False]
    assert (
        SpanIndicator(str(tiny.path), 1.0, trained).assess(item.document, item.entities)[0].risky
        is False
    )


def test_reasons_hold_numbers_and_no_text(
    tiny: Model, trained: str, document: Document, entities: list[Entity]
) -> None:
    evidence: list[Evidence] = [
        e for i in build(tiny, trained) for e in i.assess(document, entities)
    ]
    assert {e.indicator for e in evidence} >= {"probability", "span"}
    for item in evidence:
        assert any(c.isdigit() for c in item.reason)
        assert not any(word in item.reason for word in ("Ana", "Larsson", "Oslo", "Porto"))


def test_drops_are_those_of_one_pass_a_pair(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    spans = [
        m.span for e in entities for m in e.mentions
    ]  # 0 and 1 are the person's, 2 and 3 places
    found = perturbation.measure_drops(tiny, document, entities, [0])
    alone = tiny.masked.log_probs(TEXT, spans[:2], [[0, 1]])[0]
    for other, place in ((1, 2), (2, 3)):
        both = tiny.masked.log_probs(TEXT, [*spans[:2], spans[place]], [[0, 1, 2]])[0]
        # All mentions are hidden, the fullest is read.
        assert found.nats[0, other] == pytest.approx(alone.sum() - both.sum(), abs=1e-4)
    assert found.passes == 3  # one without, one for each place


def test_two_targets_are_hidden_together(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    found = perturbation.measure_drops(tiny, document, entities, [0, 1])
    visible = tiny.masked.compute_log_probs(TEXT, [(21, 25)])[0].sum()
    hidden = tiny.masked.compute_log_probs(TEXT, [(21, 25), (0, 11), (27, 34)], [[0, 1, 2]])[
        0
    ].sum()
    assert found.nats[1, 0] == pytest.approx(visible - hidden, abs=1e-4)
    assert set(found.nats) == {(0, 1), (1, 0), (0, 2), (1, 2)}


def test_passes_grow_with_entities_not_with_targets(tiny: Model) -> None:
    text = "Ana in Oslo and Bo in Porto on 1."
    document = Document(text)
    places = [(text.index(t), text.index(t) + len(t)) for t in ("Ana", "Oslo", "Bo", "Porto")]
    found = [entity(document, str(at), EntityType.MISC, span) for at, span in enumerate(places)]
    assert [
        perturbation.measure_drops(tiny, document, found, list(range(n))).passes for n in (1, 2, 4)
    ] == [4, 5, 5]


def build_long(middle: str = "the of in and " * 20) -> tuple[Document, list[Entity]]:
    """A person in the first sentence, a place windows away in the last, and another in the middle."""
    text = f"Then Ana came to Oslo. {middle}She lives in Porto."
    document = Document(text)
    spans = [(text.index(t), text.index(t) + len(t)) for t in ("Ana", "Porto")]
    return document, [
        entity(document, str(at), EntityType.MISC, span) for at, span in enumerate(spans)
    ]


def test_a_target_reaches_every_window(tiny: Model) -> None:
    document, found = build_long()
    drops = perturbation.measure_drops(tiny, document, found, [0])
    assert set(drops.nats) == {(0, 1)}
    assert drops.nats[0, 1] != 0


def test_a_window_is_read_behind_the_sentence_that_names_the_target(
    tiny: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, found = build_long()
    fill, seen = OnnxEncoder.fill, []
    monkeypatch.setattr(
        OnnxEncoder, "fill", lambda self, gaps: seen.extend(gaps) or fill(self, gaps)
    )
    perturbation.measure_drops(tiny, document, found, [0])
    tokenizer = tiny.encoder.tokenizer
    name = tokenizer.encode("Ana").ids
    place = tokenizer.encode("Porto").ids
    mask = tokenizer.mask_id
    for gap in seen:
        assert len(gap.ids) <= tiny.encoder.window
        assert gap.truth.tolist() == name.tolist()
        assert (gap.ids[gap.at] == mask).all()
        behind = gap.ids[gap.at[0] - 1]
        assert behind == tokenizer.encode("Then").ids[-1]  # the words of the sentence stay
    *_, shown, hidden = seen
    assert shown.ids[-len(place) - 1 : -1].tolist() == place.tolist()
    assert hidden.ids[-len(place) - 1 : -1].tolist() == [mask] * len(place)
    assert (shown.ids[: -len(place) - 1] == hidden.ids[: -len(place) - 1]).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.integers(1, 4))
def test_passes_grow_with_the_text_and_not_with_its_square(
    tiny: Model, length: int, targets: int
) -> None:
    text = "Ana came to Oslo. " + "the of in and Bo. " * length + "She lives in Porto."
    document = Document(text)
    names = ("Ana", "Oslo", "Porto")
    spans = [[(text.index(t), text.index(t) + len(t))] for t in names]
    spans.append([m.span() for m in re.finditer("Bo", text)])
    found = [entity(document, str(at), EntityType.MISC, *each) for at, each in enumerate(spans)]
    drops = perturbation.measure_drops(tiny, document, found, list(range(len(found)))[:targets])
    pieces = len(tiny.encoder.tokenizer.encode(text))
    windows = pieces // (tiny.encoder.window // 2 - tiny.encoder.overlap) + 1
    assert drops.passes <= windows * (1 + len(found))
    pairs = {(t, o) for t in range(min(targets, len(found))) for o in range(len(found)) if t != o}
    assert set(drops.nats) == pairs


def test_a_name_longer_than_its_share_of_a_window_is_read_in_part(tiny: Model) -> None:
    name = "Ana " * 40
    text = f"{name}came. " + "the of in and " * 20 + "She lives in Porto."
    document = Document(text)
    found = [
        entity(document, "n", EntityType.PERSON, (0, len(name) - 1), direct=True),
        entity(document, "p", EntityType.LOC, (len(text) - 6, len(text) - 1)),
    ]
    assert set(perturbation.measure_drops(tiny, document, found, [0]).nats) == {(0, 1)}


def test_what_helps_to_guess_a_direct_identifier_is_risky_alone(
    tiny: Model, trained: str, document: Document, entities: list[Entity]
) -> None:
    """The identifier is masked in any case, so a pair with it would ask for nothing more."""
    drops = perturbation.measure_drops(tiny, document, entities, [0])
    helpful = {entities[other].id for (_, other), nats in drops.nats.items() if nats >= 0}
    options = {"model": str(tiny.path), "threshold": 0.0, "targets": 1, "deciders": trained}
    evidence = PerturbationIndicator(**options).assess(document, entities)  # type: ignore[arg-type]
    assert helpful
    assert {e.entities for e in evidence} == {(id,) for id in helpful}
    assert all(e.risky and e.score >= e.threshold for e in evidence)
    pairs = PerturbationIndicator(**options).assess(document, entities[1:])  # type: ignore[arg-type]
    assert all(set(e.entities) == {"o", "q"} for e in pairs)


def test_targets_are_those_that_name_a_person_first(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    assert perturbation.choose_targets(tiny, document, entities, 1) == [0]
    rest = perturbation.choose_targets(tiny, document, entities[1:], 1)
    sums = compute_features(entities[1:], measure_surprise(tiny, document, entities[1:]))[
        :, FEATURES.index("sum")
    ]
    assert rest == [int(sums.argmin())]
    text = "Bo and Cy wrote 77 to Dan in Oslo."
    letter = Document(text)

    def mark(word: str, kind: EntityType, **more: bool) -> Entity:
        start = text.index(word)
        found = entity(
            letter, word, kind, (start, start + len(word)), direct=more.get("direct", False)
        )
        return replace(found, protected=more.get("protected", False))

    people = [
        mark("Oslo", EntityType.LOC),
        mark("Bo", EntityType.PERSON),
        mark("77", EntityType.CODE, direct=True),
        mark("Cy", EntityType.PERSON, direct=True),
        mark("Dan", EntityType.PERSON, protected=True),
    ]
    order = [people[at].id for at in perturbation.choose_targets(tiny, letter, people, 5)]
    assert order == ["Dan", "Cy", "77", "Bo", "Oslo"]


def test_deciders_of_another_model_are_refused(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    with pytest.raises(BundleError, match="maskwise train risk"):
        ProbabilityIndicator(str(tiny.path), "boosting").assess(document, entities)
    with pytest.raises(BundleError, match="maskwise train risk"):
        SpanIndicator(str(tiny.path)).assess(document, entities)


def test_without_trained_deciders_the_published_threshold_decides(
    tiny: Model, document: Document, entities: list[Entity]
) -> None:
    sums = compute_features(entities, measure_surprise(tiny, document, entities))[
        :, FEATURES.index("sum")
    ]
    evidence = ProbabilityIndicator(str(tiny.path)).assess(document, entities)
    assert [e.threshold for e in evidence] == [PAPER] * 3
    assert [e.score for e in evidence] == pytest.approx((-sums).tolist(), abs=1e-4)
    assert [e.risky for e in evidence] == (-sums >= PAPER).tolist()
    assert "reaches 3.5" in evidence[0].reason


def test_a_model_may_bring_its_own_deciders(
    tiny: Model, trained: str, tmp_path: Path, document: Document, entities: list[Entity]
) -> None:
    def add(own: Path) -> None:
        shutil.copyfile(Path(trained) / "probability.json", own / "probability.json")

    own = changed(tiny, tmp_path / "own", add)
    expected = ProbabilityIndicator(str(tiny.path), deciders=trained).assess(document, entities)
    assert ProbabilityIndicator(own).assess(document, entities) == expected


def test_a_model_without_the_head_has_no_opinion_where_it_is_optional(
    tiny: Model, tmp_path: Path, document: Document, entities: list[Entity]
) -> None:
    mute = changed(tiny, tmp_path / "mute", lambda path: (path / folder.MLM).unlink())
    assert ProbabilityIndicator(mute, optional=True).assess(document, entities) == []
    with pytest.raises(BundleError, match="no masked-LM head"):
        ProbabilityIndicator(mute).assess(document, entities)


def test_the_default_policy_serves_any_model(tiny: Model, tmp_path: Path) -> None:
    mute = changed(tiny, tmp_path / "mute", lambda path: (path / folder.MLM).unlink())
    for model in (str(tiny.path), mute):
        policy = Policy.load("balanced").model_copy(update={"model": model, "recall": "recall"})
        assert (
            "Larsson"
            not in Sanitizer(policy).sanitize(f"Ms {TEXT} She was born on 3 May 1971.").text
        )


def test_less_context_asks_the_same_questions_in_fewer_pieces(
    tiny: Model,
    trained: str,
    document: Document,
    entities: list[Entity],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill, sizes = OnnxEncoder.fill, []
    monkeypatch.setattr(
        OnnxEncoder,
        "fill",
        lambda self, gaps: sizes.append([len(g.ids) for g in gaps]) or fill(self, gaps),
    )
    for context in (None, 3):
        indicator = ProbabilityIndicator(str(tiny.path), deciders=trained, context=context)
        assert [e.entities for e in indicator.assess(document, entities[1:])] == [("o",), ("q",)]
    whole, near = sizes
    assert sum(near) < sum(whole)
    assert max(near) <= 2 * 3 + 5  # "Porto" in pieces


def test_a_broken_decider_is_refused(
    tiny: Model, tmp_path: Path, document: Document, entities: list[Entity]
) -> None:
    raw = {
        "format": 1,
        "model": "tiny",
        "features": FEATURES,
        "deciders": {"boosting": {"kind": "oracle"}},
    }
    (tmp_path / "probability.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(BundleError, match="boosting"):
        ProbabilityIndicator(str(tiny.path), deciders=str(tmp_path)).assess(document, entities)


def test_nothing_to_assess(tiny: Model, trained: str, document: Document) -> None:
    assert [i.assess(document, []) for i in build(tiny, trained)] == [[], [], []]
    blank = Document("\0\0")
    unread = [
        entity(blank, "x", EntityType.MISC, (0, 1)),
        entity(blank, "y", EntityType.MISC, (1, 2)),
    ]
    assert [i.assess(blank, unread) for i in build(tiny, trained)] == [[], [], []]


def test_too_few_documents_are_refused(tiny_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least 8"):
        train_risk([example("Ana")], tmp_path, model=str(tiny_folder))


def test_marks_of_all_annotators_become_entities() -> None:
    item = unite_annotators(example("Ana"))
    assert [[m.text for m in e.mentions] for e in item.entities] == [
        ["Anason", "Anason"],
        ["Oslo"],
        ["Porto"],
    ]
    assert item.share.tolist() == [0.75, 0, 0]
    assert item.size.tolist() == [2, 1, 1]
    assert item.direct.tolist() == [2, 0, 0]


def test_trees_are_those_of_scikit_learn() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    from maskwise.train.risk import _dump_trees

    random = np.random.default_rng(0)
    rows = random.normal(size=(400, 4))
    rows[random.random(rows.shape) < 0.1] = np.nan
    model = HistGradientBoostingClassifier(max_iter=20).fit(
        rows, np.nan_to_num(rows[:, 0] * rows[:, 1]) > 0
    )
    raw = json.loads(json.dumps({**_dump_trees(model), "threshold": 0.5}))
    assert np.allclose(
        deciders.parse_decider(raw)(rows), model.predict_proba(rows)[:, 1], atol=1e-6
    )


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.floats(0, 1), st.integers(1, 4)), min_size=1, max_size=12
    )
)
def test_no_other_threshold_has_a_better_f1(entities: list[tuple[int, float, int]]) -> None:
    scores, share, size = (np.array(column, dtype=float) for column in zip(*entities, strict=True))
    none = np.zeros((len(scores), 0))
    data = EntityMeasures(none, none, share, size, np.zeros(len(scores), dtype=np.int64))

    def f1(threshold: float) -> float:
        chosen = scores >= threshold
        return float(
            2 * (share * size)[chosen].sum() / max(size[chosen].sum() + (share * size).sum(), 1e-9)
        )

    threshold, reached = find_threshold(scores, data)
    assert reached == pytest.approx(f1(threshold))
    assert all(reached >= f1(other) - 1e-9 for other in scores)
    assert math.isfinite(threshold)


def test_the_command_trains_deciders(tiny_folder: Path, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from maskwise.cli.train import app

    corpus = [
        {
            "doc_id": e.id,
            "text": e.text,
            "annotations": {
                "a": {
                    "entity_mentions": [
                        {
                            "start_offset": s.start,
                            "end_offset": s.end,
                            "span_text": e.text[s.start : s.end],
                            "entity_type": s.type,
                            "identifier_type": "DIRECT" if s.direct else "NO_MASK",
                            "entity_id": s.entity,
                        }
                        for s in e.layers[0]
                    ]
                }
            },
        }
        for e in map(example, NAMES)
    ]
    (tmp_path / "corpus.json").write_text(json.dumps(corpus), "utf-8")
    options = ["-o", str(tmp_path / "out"), "--model", str(tiny_folder), "--pairs", "2"]
    done = CliRunner().invoke(app, ["risk", str(tmp_path / "corpus.json"), *options])
    assert done.exit_code == 0, done.output
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert written == ["perturbation.json", "probability.json", "run.json", "span.json"]
    assert json.loads((tmp_path / "out" / "run.json").read_text("utf-8"))["metrics"][
        "documents"
    ] == len(NAMES)
