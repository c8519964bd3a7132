"""A code never becomes an amount, whatever it was taken for."""

from __future__ import annotations

import re

import pytest

from maskwise.detect.patterns import PatternDetector, list_families
from maskwise.mask.generalise import find_levels
from maskwise.text import Document, Entity, EntityType, Mention
from maskwise.text.currencies import find_currency


def list_codes() -> list[Mention]:
    """The codes that every family finds in its own examples."""
    texts = [example[0] for family in list_families() for example in family.positive]
    documents = [Document(text) for text in texts]
    found = PatternDetector().detect(documents)
    return [m for one in found for m in one.mentions if m.type is EntityType.CODE]


CODES = list_codes()


def write_levels(code: Mention, kind: EntityType) -> list[str]:
    mention = code.document.mention(code.start, code.end, kind, subtype=code.subtype)
    return [level.text for level in find_levels(Entity("e1", kind, (mention,)))]


def test_every_family_of_codes_is_tried() -> None:
    assert len(CODES) > 500
    assert len({code.subtype for code in CODES}) > 50


def test_a_code_reads_as_its_kind_without_a_figure() -> None:
    for code in CODES:
        levels = write_levels(code, EntityType.CODE)
        assert len(levels) == 1
        assert not re.search(r"\d|amount|quantity", levels[0])


def test_a_code_taken_for_a_quantity_shows_no_figure() -> None:
    for code in CODES:
        if not find_currency(code.text):
            assert not any(map(re.compile(r"\d").search, write_levels(code, EntityType.QUANTITY)))


@pytest.mark.parametrize("text", ["48512345678", "0815", "471123", "555-0123456", "1M8GDM9AXKP042"])
def test_figures_alone_are_no_amount(text: str) -> None:
    document = Document(f"It is {text}.")
    entity = Entity(
        "e1", EntityType.QUANTITY, (document.mention(6, 6 + len(text), EntityType.QUANTITY),)
    )
    assert not any(re.search(r"\d|money", level.text) for level in find_levels(entity))


@pytest.mark.parametrize(("text", "number"), [("Interview 14, Malmö", "14"), ("Class 4a", "4a")])
def test_a_number_that_nothing_shows_to_be_a_time_is_none(text: str, number: str) -> None:
    start = text.index(number)
    mention = Document(text).mention(start, start + len(number), EntityType.DATETIME)
    assert not find_levels(Entity("e1", EntityType.DATETIME, (mention,)))


def test_an_hour_after_its_preposition_is_a_time() -> None:
    mention = Document("Come at 14 today").mention(8, 10, EntityType.DATETIME)
    assert find_levels(Entity("e1", EntityType.DATETIME, (mention,)))
