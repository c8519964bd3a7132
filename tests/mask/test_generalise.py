"""Ladders say what the tables say they do, in the place where they stand, and lose more with every step."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from ladders import is_rising

from maskwise import Policy
from maskwise.errors import MaskingError
from maskwise.mask import Label, Operator, render_plan
from maskwise.mask.generalise import Generalise, find_levels
from maskwise.mask.generalise.grammar import add_article, fit_level
from maskwise.mask.identity import Identity, MemoryLedger
from maskwise.text import Action, Decision, Document, Entity, EntityType, Level, Plan

TABLES = Path(__file__).parent.parent / "data" / "generalise"
PAGE = Path(__file__).parent.parent.parent / "docs" / "generalise.md"


def identity(number: int = 1) -> Identity:
    return Identity(EntityType.MISC, number, "", (), MemoryLedger())


def rows(name: str) -> list[list[str]]:
    lines = (TABLES / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def marked(text: str, kind: EntityType, subtype: str = "") -> Entity:
    """The entity whose mentions stand in brackets."""
    plain, spans = "", []
    for piece in re.split(r"(\[[^\]]*\])", text):
        if piece.startswith("["):
            spans.append((len(plain), len(plain) + len(piece) - 2))
            piece = piece[1:-1]
        plain += piece
    document = Document(plain)
    return Entity(
        "e1", kind, tuple(document.mention(a, b, kind, subtype=subtype) for a, b in spans)
    )


def shown(entity: Entity) -> list[str]:
    return [fit_level(level, entity.first) for level in find_levels(entity)]


CASES = [
    *((text, EntityType.DATETIME, expected) for text, expected in rows("dates.tsv")),
    *((text, EntityType.QUANTITY, expected) for text, expected in rows("quantities.tsv")),
    *((text, EntityType.DEM, expected) for text, expected in rows("ages.tsv")),
]


@pytest.mark.parametrize(("text", "kind", "expected"), CASES)
def test_levels(text: str, kind: EntityType, expected: str) -> None:
    assert shown(marked(text, kind)) == expected.split(" | ")


@pytest.mark.parametrize(("text", "kind", "expected"), CASES)
def test_losses_rise_to_the_kind_alone(text: str, kind: EntityType, expected: str) -> None:
    levels = find_levels(marked(text, kind))
    assert is_rising(levels)
    assert levels[-1].loss == 1


def test_the_stop_of_a_sentence_stays() -> None:
    assert shown(marked("He came at [8 p.m.]", EntityType.DATETIME))[-1] == "a certain time."
    assert (
        shown(marked("He came at [8 p.m.] and left", EntityType.DATETIME))[-1] == "a certain time"
    )


def test_a_number_after_no_is_withheld() -> None:
    assert shown(marked("under no. [12 Cg 45/15k]", EntityType.QUANTITY)) == ["withheld"]


@pytest.mark.parametrize(("subtype", "text", "expected"), rows("codes.tsv"))
def test_codes_keep_their_kind(subtype: str, text: str, expected: str) -> None:
    assert shown(marked(text, EntityType.CODE, subtype)) == [expected]


@pytest.mark.parametrize(("text", "expected"), rows("people.tsv"))
def test_people_read_as_their_role(text: str, expected: str) -> None:
    entity = marked(text, EntityType.PERSON)
    decision = Decision("e1", Action.SUPPRESS, ())
    assert Generalise().replace(entity, decision, identity()).texts == tuple(expected.split(" | "))


@pytest.mark.parametrize(
    ("text", "masked", "expected"),
    [
        ("The guard met the guard's sister, Ana Berg. Berg left.", "guard", "[PERSON 1]"),
        (
            "The judge met the applicant's sister, Ana Berg. Berg left.",
            "judge",
            "The applicant's sister",
        ),
        (
            "An Applicant met the applicant's sister, Ana Berg. Berg left.",
            "Applicant",
            "[PERSON 1]",
        ),
        ("A doctor met Dr Ana Berg. Berg left.", "doctor", "[PERSON 1]"),
        ("A doctoral student met Dr Ana Berg. Berg left.", "doctoral", "A doctor"),
    ],
)
def test_a_role_that_is_masked_elsewhere_is_not_said(text: str, masked: str, expected: str) -> None:
    document = Document(text)

    def entity(name: str, kind: EntityType, *wordings: str) -> Entity:
        spans = [
            (found.start(), found.end())
            for wording in wordings
            for found in re.finditer(wording, text)
        ]
        return Entity(name, kind, tuple(document.mention(*span, kind) for span in sorted(spans)))

    person = entity("e1", EntityType.PERSON, r"(?:Dr )?Ana Berg", r"(?<!Ana )Berg")
    other = entity("e2", EntityType.DEM, masked)
    plan = Plan(tuple(Decision(e.id, Action.SUPPRESS, ()) for e in (person, other)), 0.0, False)
    operators = {
        kind: Generalise() if kind is EntityType.PERSON else Label() for kind in EntityType
    }
    done = render_plan(document, [person, other], plan, operators)
    assert done.text.rpartition(". ")[2] == f"{expected} left."
    assert masked not in re.findall(r"\w+", done.text)


@pytest.mark.parametrize(
    ("text", "masked", "kind", "expected"),
    [
        (
            "In 2006 it rained. It ended on 23 November 2006.",
            "23 November 2006",
            EntityType.DATETIME,
            "a day in the 2000s",
        ),
        (
            "In 2007 it rained. It ended on 23 November 2006.",
            "23 November 2006",
            EntityType.DATETIME,
            "a day in 2006",
        ),
        (
            "In Oslo it rained. He lived at 12 Rose Street, Oslo.",
            "12 Rose Street, Oslo",
            EntityType.LOC,
            "a city in Norway",
        ),
    ],
)
def test_a_level_that_says_what_is_masked_elsewhere_gives_way_to_a_coarser(
    text: str, masked: str, kind: EntityType, expected: str
) -> None:
    document = Document(text)
    start = text.rindex(masked)
    whole = Entity(
        "e1",
        kind,
        (document.mention(start, start + len(masked), kind, subtype="address" * (kind == "LOC")),),
    )
    part = Entity("e2", kind, (document.mention(3, text.index(" it"), kind),))
    level = next(
        at for at, level in enumerate(find_levels(whole), 1) if level.text in ("2006", "Oslo")
    )
    plan = Plan(
        (Decision("e1", Action.GENERALISE, (), level=level), Decision("e2", Action.SUPPRESS, ())),
        0.0,
        False,
    )
    operators: dict[EntityType, Operator] = {each: Generalise() for each in EntityType}
    done = render_plan(document, [part, whole], plan, operators)
    assert done.text.endswith(f" {expected}.")
    assert ("e1" in done.coarser) == (expected != "a day in 2006")


def test_there_are_enough_cases() -> None:
    tables = ("dates.tsv", "quantities.tsv", "ages.tsv", "codes.tsv", "people.tsv")
    assert sum(len(rows(name)) for name in tables) >= 250


@pytest.mark.parametrize(
    "phrase",
    [
        *(
            "an application number",
            "an e-mail address",
            "a European",
            "a university",
            "an hour",
            "an IP address",
        ),
        *(
            "a one-year term",
            "an 80-year-old",
            "an 18-year-old",
            "an 11-year-old",
            "a 1-year-old",
            "a Ukrainian",
        ),
        *(
            "an uncle",
            "an unspecified date",
            "a unit",
            "an honest person",
            "a hospital",
            "an MP",
            "a UK citizen",
        ),
        *(
            "an umbrella",
            "a city",
            "an Italian",
            "a user",
            "an illness",
            "a eulogy",
            "an FBI agent",
            "a NATO base",
        ),
        *(
            "an heir",
            "a uniform",
            "an uninsured driver",
            "an unimportant date",
            "a usual day",
            "a yearly fee",
        ),
        *(
            "an SMS",
            "a 100-year-old",
            "an 8-hour day",
            "an 800-euro fine",
            "a 110-year-old",
            "an LL.M. degree",
        ),
    ],
)
def test_articles_agree(phrase: str) -> None:
    said, bare = phrase.split(" ", 1)
    assert add_article(bare) == f"{said} {bare}"


@pytest.mark.parametrize(
    ("text", "level", "expected"),
    [
        ("in [Oslo] he", "a city in Norway", "a city in Norway"),
        ("the [Oslo] office", "a city in Norway", ""),
        ("[Oslo] is", "a city in Norway", "A city in Norway"),
        ("He left. [Oslo] is", "a city in Norway", "A city in Norway"),
        ("Mr. [Oslo] is", "a person", "a person"),
        ("he left\n[Oslo] then", "a city", "a city"),
        ("FACTS\n\n[Oslo] is", "a city", "A city"),
        ("[an Italian] came", "European", "a European"),
        ("He met [an Italian] there", "European", "a European"),
        ("an [Italian] came", "European", "European"),
        ("a [Pole] came", "European", "European"),
        ("a [Pole] came", "Eastern European", "Eastern European"),
        ("the man's [Oslo] flat", "a city", "city"),
        ("to [Oslo's] mayor", "a city", "a city's"),
        ("no. [12] was", "a number", "number"),
    ],
)
def test_a_phrase_fits_its_place(text: str, level: str, expected: str) -> None:
    entity = marked(text, EntityType.LOC)
    assert fit_level(Level(level, 0.5), entity.first) == expected


def test_every_mention_is_fitted_on_its_own() -> None:
    entity = marked("On [3 May 2010] he left; by [3 May 2010] she knew.", EntityType.DATETIME)
    decision = Decision("e1", Action.GENERALISE, (), level=1)
    assert Generalise().replace(entity, decision, identity()).texts == (
        "a day in May 2010",
        "May 2010",
    )


def test_every_mention_is_worded_its_own_way() -> None:
    entity = marked("The [47-year-old] man, then [47 years old], left.", EntityType.DEM, "age")
    decision = Decision("e1", Action.GENERALISE, (), level=1)
    assert Generalise().replace(entity, decision, identity()).texts == (
        "forty-something",
        "in their forties",
    )


def test_limits_withhold_fine_levels() -> None:
    entity = marked("on [3 May 2010] he", EntityType.DATETIME, "date")
    everything = [level.text for level in Generalise().levels(entity)]
    assert [level.text for level in Generalise({"DATETIME": 0.7}).levels(entity)] == everything[2:]
    assert [level.text for level in Generalise({"date": 1.0, "DATETIME": 0.1}).levels(entity)] == [
        "a certain date"
    ]


@pytest.mark.parametrize(
    ("fallback", "text"), [("pseudonym", "[MISC 3]"), ("label", "[MISC]"), ("suppress", "***")]
)
def test_without_a_ladder_the_fallback_writes(fallback: str, text: str) -> None:
    entity = marked("the [Qwrtz] thing", EntityType.MISC)
    assert Generalise(fallback=fallback).replace(
        entity, Decision("e1", Action.SUPPRESS, ()), identity(3)
    ).texts == (text,)


def test_an_unknown_level_is_refused() -> None:
    entity = marked("on [3 May 2010] he", EntityType.DATETIME)
    with pytest.raises(MaskingError, match="no level 9"):
        Generalise().replace(entity, Decision("e1", Action.GENERALISE, (), level=9), identity())


def test_levels_have_losses_in_order() -> None:
    levels = Generalise().levels(marked("on [3 May 2010] he", EntityType.DATETIME))
    assert all(a.loss < b.loss for a, b in pairwise(levels))


def test_the_page_says_what_the_code_does(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    found = {
        kind: [text for name, text in blocks if name == kind] for kind in ("yaml", "python", "text")
    }
    assert [Policy.parse(yaml.safe_load(text)).name for text in found["yaml"]] == ["mine", "events"]
    for program, printed in zip(found["python"], found["text"], strict=True):
        exec(program, {})
        assert capsys.readouterr().out == printed
