"""Replacements fit the slots of the golden cases as they did when a person read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from maskwise.mask.generalise import find_levels
from maskwise.mask.generalise.grammar import fit_level
from maskwise.text import Document, Entity, EntityType
from slot_cases import Case, read_cases
from slot_grammar import SLOTS, write_cases

CASES = Path(__file__).parent.parent / "data" / "generalise"
WRITTEN, MADE = (read_cases(CASES / f"slots_{name}.txt") for name in ("written", "made"))
MOST = 0.02


@pytest.mark.parametrize("case", [*WRITTEN, *MADE], ids=lambda case: case.head[:60])
def test_what_is_written_was_read(case: Case) -> None:
    assert set(case.write()) == set(case.read)


def test_few_cases_are_broken() -> None:
    cases = [*WRITTEN, *MADE]
    broken = [case.head for case in cases if any(case.read.values())]
    assert len(cases) == 400
    assert len(broken) <= MOST * len(cases)


def test_every_slot_and_type_is_tried() -> None:
    assert {case.slot for case in WRITTEN} == {case.slot for case in MADE} == set(SLOTS)
    assert len({case.entity.type for case in WRITTEN}) == 8


def test_the_grammar_makes_what_was_read() -> None:
    assert list(write_cases(20)) == [case.head for case in MADE]


@pytest.mark.parametrize("seed", range(30, 34))
def test_unread_sentences_hold_no_known_fault(seed: int) -> None:
    for head in write_cases(seed):
        for text in Case(head, {}).write():
            assert "  " not in text.replace("\\n", "x"), head
            for fault in (
                " a a ",
                " a an ",
                " the a ",
                " the the ",
                " a the ",
                "s's ",
                " an of ",
                " a .",
            ):
                assert fault not in text.lower(), (head, text)


def test_an_article_before_joined_adjectives_is_enough() -> None:
    text = "I am a 47-year-old Nigerian-born nurse and work nights."
    start = text.index("nurse")
    document = Document(text)
    mention = document.mention(start, start + 5, EntityType.DEM, subtype="occupation")
    levels = find_levels(Entity("e1", EntityType.DEM, (mention,)))
    assert next(fit_level(level, mention) for level in levels).split()[0] not in ("a", "an")
