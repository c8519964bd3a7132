"""Rendering keeps offsets, never merges replacements, and can be undone."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import MaskingError
from maskwise.mask import Label, Pseudonym, Suppress, apply_replacements, render_plan
from maskwise.text import Action, Decision, Document, Entity, EntityType, Plan

TYPES = list(EntityType)


@st.composite
def planned(draw):
    """A random document, random entities that do not overlap, and a random plan."""
    text = draw(st.text(st.characters(), min_size=1, max_size=80))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    document = Document(text)
    groups: dict[int, list[tuple[int, int]]] = {}
    for start, end in pairwise(cuts):
        if draw(st.booleans()):
            groups.setdefault(draw(st.integers(0, 3)), []).append((start, end))
    entities, decisions = [], []
    for number, spans in groups.items():
        kind = draw(st.sampled_from(TYPES))
        entities.append(
            Entity(f"e{number}", kind, tuple(document.mention(*s, kind) for s in spans))
        )
        decisions.append(
            Decision(f"e{number}", draw(st.sampled_from([Action.KEEP, Action.SUPPRESS])), ("why",))
        )
    return document, entities, Plan(tuple(decisions), 0.0, False)


OPERATORS = st.sampled_from([Suppress(), Suppress("█"), Label(), Pseudonym()])


@given(planned(), OPERATORS)
def test_restore_undoes_every_operator(case, operator):
    document, entities, plan = case
    rendering = render_plan(document, entities, plan, dict.fromkeys(EntityType, operator))
    assert rendering.restore() == document.text


@given(planned(), OPERATORS)
def test_every_masked_mention_is_one_replacement_and_all_else_stays(case, operator):
    document, entities, plan = case
    rendering = render_plan(document, entities, plan, dict.fromkeys(EntityType, operator))
    masked = sorted(m.span for e in entities if plan.by_entity[e.id].masked for m in e.mentions)
    edits = rendering.alignment.edits
    assert [(e.start, e.end) for e in edits] == masked
    for left, right in pairwise(edits):
        assert left.until <= right.at
        if left.end == right.start:  # touching spans stay two replacements
            assert rendering.text[right.at] == " "
    assert all(rendering.text[e.at : e.until] == e.replacement for e in edits)


@given(planned(), OPERATORS)
def test_alignment_maps_both_ways(case, operator):
    document, entities, plan = case
    rendering = render_plan(document, entities, plan, dict.fromkeys(EntityType, operator))
    alignment = rendering.alignment
    inside = {i for e in alignment.edits for i in range(e.start, e.end)}
    for offset in range(len(document.text)):
        target = alignment.to_target(offset)
        if offset not in inside:
            assert rendering.text[target] == document.text[offset]
            assert alignment.to_source(target) == offset
        else:
            edit = next(e for e in alignment.edits if e.start <= offset < e.end)
            assert target == edit.at
            assert alignment.to_source(target) == edit.start
    assert alignment.to_target(len(document.text)) == len(rendering.text)


def test_pseudonyms_number_entities_by_first_sight():
    document = Document("Bo met Al. Al met Bo in Rome.")
    bo = Entity(
        "b",
        EntityType.PERSON,
        tuple(document.mention(a, a + 2, EntityType.PERSON) for a in (0, 18)),
    )
    al = Entity(
        "a",
        EntityType.PERSON,
        tuple(document.mention(a, a + 2, EntityType.PERSON) for a in (7, 11)),
    )
    rome = Entity("r", EntityType.LOC, (document.mention(24, 28, EntityType.LOC),))
    plan = Plan(tuple(Decision(i, Action.SUPPRESS, ()) for i in "abr"), 0, False)
    text = render_plan(document, [rome, al, bo], plan, dict.fromkeys(EntityType, Pseudonym())).text
    assert text == "[PERSON 1] met [PERSON 2]. [PERSON 2] met [PERSON 1] in [LOC 1]."


def test_an_entity_without_decision_is_an_error():
    document = Document("Bo")
    entity = Entity("e1", EntityType.PERSON, (document.mention(0, 2, EntityType.PERSON),))
    with pytest.raises(MaskingError):
        render_plan(document, [entity], Plan((), 0, False), dict.fromkeys(EntityType, Label()))


BAD = [[(0, 3, "x"), (2, 4, "y")], [(2, 2, "x")], [(0, 9, "x")], [(3, 4, "x"), (0, 1, "y")]]


@pytest.mark.parametrize("spans", BAD)
def test_bad_replacements_are_refused(spans):
    with pytest.raises(MaskingError):
        apply_replacements("abcd", spans)


def test_restore_refuses_a_changed_text():
    masked, alignment = apply_replacements("Ana left", [(0, 3, "***")])
    with pytest.raises(MaskingError):
        alignment.restore("###" + masked[3:])
