"""Genitives: the sign of an owner stays and fits what stands before it; that of a house goes with its name."""

import pytest

from maskwise.mask.genitives import complete_genitive, correct_genitives
from maskwise.mask.operators import Label, Pseudonym, Suppress
from maskwise.mask.render import render_plan
from maskwise.text import Action, Decision, Document, Entity, EntityType, Plan


def mark(text, kind):
    """The mention between bars."""
    start, end = text.index("|"), text.rindex("|") - 1
    return Document(text.replace("|", "")).mention(start, end, kind)


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        ("at |Ruth's| house", EntityType.PERSON, "X's"),
        ("|Rui’s| been here", EntityType.PERSON, "X’s"),
        ("a table at |Harrow's|.", EntityType.ORG, "X"),
        ("a table at |Harrow's| for two", EntityType.ORG, "X"),
        ("|Harrow's| records show it", EntityType.ORG, "X's"),
        ("|Ruth| left", EntityType.PERSON, "X"),
        ("|the James'| dog", EntityType.PERSON, "X"),
    ],
)
def test_a_mention_with_its_sign_keeps_it_where_it_owns(text, kind, wanted):
    assert complete_genitive(mark(text, kind), "X") == wanted


def test_a_sign_is_not_written_twice_nor_behind_a_token():
    mention = mark("at |Ruth's| house", EntityType.PERSON)
    for text in ("Ida's", "the Moes'", "[PERSON 7F3A91C2]"):
        assert complete_genitive(mention, text) == text


@pytest.mark.parametrize(
    ("text", "end", "replacement", "wanted"),
    [
        ("Moss' cat", 4, "Hall", "Hall's"),
        ("Moss’ cat", 4, "[ORG 1]", "[ORG 1]’s"),
        ("Moss' cat", 4, "Rees", "Rees"),
        ("Moss', he said", 4, "Hall", "Hall"),
        ("Moss's cat", 4, "Hall", "Hall"),
        ("Anna' cat", 4, "Hall", "Hall"),
        ("Moss' cat", 4, "[ORG 7F3A91C2]", "[ORG 7F3A91C2]"),
    ],
)
def test_a_bare_sign_fits_what_stands_before_it(text, end, replacement, wanted):
    assert [mask[2] for mask in correct_genitives(text, [(0, end, replacement)])] == [wanted]


def test_a_quotation_is_no_genitive():
    assert list(correct_genitives("'by Moss' he read", [(4, 8, "Hall")])) == [(4, 8, "Hall")]


@pytest.mark.parametrize("operator", [Pseudonym(), Label(), Suppress()])
def test_a_rendered_text_keeps_the_sign_and_can_be_restored(operator):
    document = Document("At Ruth's house the Moss' cat slept.")
    spans = {"a": (3, 9), "b": (20, 24)}
    entities = [
        Entity(name, EntityType.PERSON, (document.mention(*span, EntityType.PERSON),))
        for name, span in spans.items()
    ]
    plan = Plan(tuple(Decision(name, Action.SUPPRESS, ("direct",)) for name in spans), 0.0, True)
    rendered = render_plan(document, entities, plan, dict.fromkeys(EntityType, operator))
    assert "'s house the " in rendered.text
    assert "'s cat slept." in rendered.text
    assert rendered.restore() == document.text
