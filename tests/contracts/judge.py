"""Runs the table: packs values into records, sanitises them, and looks at every value where it stood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Action, EntityType

from .kinds import KINDS
from .layouts import CASES, LAYOUTS, Item, Placed, Record, render
from .promises import Promise
from .values import ROADS, draw

TOGETHER = 4  # values in a record
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
# Words of a value that tell nothing by themselves.
_SMALL = "apt suite st ave rd blvd county ext http https oh az aged age years year old"
_GENERIC = frozenset((*map(str.casefold, ROADS), *_SMALL.split()))
_YEAR_MAY_STAY = frozenset(("date",))


@dataclass(frozen=True)
class Outcome:
    """One value of the table: whether it was masked, whether a word of it was, and how it stood in its record.

    `is_taken_for_person` says that all masks of the value are of people.
    """

    kind: str
    layout: str
    case: str
    value: str
    is_masked: bool
    is_touched: bool
    is_taken_for_person: bool
    output: str


def records(kinds: Sequence[str], count: int, random: Random) -> Iterator[tuple[str, str, Record]]:
    """Layout, case and record; `count` values of each kind in each layout and each case, mixed with other kinds."""
    for layout, write in LAYOUTS.items():
        drawn = {name: draw(KINDS[name].make, random, count) for name in kinds}
        items = [Item(KINDS[name], value) for name in kinds for value in drawn[name]]
        random.shuffle(items)
        for at in range(0, len(items), TOGETHER):
            pieces = write(items[at : at + TOGETHER], random)
            for case, change in CASES.items():
                yield layout, case, render(pieces, change)


def run(sanitizer: Sanitizer, promise: Promise, count: int, seed: int) -> Iterator[Outcome]:
    """Every value of a policy's table with what became of it."""
    cases = list(records(promise.kinds, count, Random(seed)))
    results = sanitizer.run(record.text for _, _, record in cases)
    for (layout, case, record), result in zip(cases, results, strict=True):
        for placed in record.placed:
            yield judge(layout, case, placed, result)


def judge(layout: str, case: str, placed: Placed, result: Result) -> Outcome:
    masks = [
        (start, end) for start, end, _ in result.masks if start < placed.end and placed.start < end
    ]
    text = result.document.text
    words = [
        m.span()
        for m in _WORD.finditer(text, placed.start, placed.end)
        if _tells(m[0], placed.item.kind.name)
    ]
    is_masked = all(
        any(low <= start and end <= high for low, high in masks) for start, end in words
    )
    return Outcome(
        placed.item.kind.name,
        layout,
        case,
        text[placed.start : placed.end],
        is_masked,
        bool(masks),
        _list_masked_types(placed, result) == {EntityType.PERSON},
        result.text,
    )


def _list_masked_types(placed: Placed, result: Result) -> set[EntityType]:
    """The types of the masked entities that share a character with a value."""
    return {
        entity.type
        for entity in result.entities
        if result.plan.by_entity[entity.id].action is not Action.KEEP
        for mention in entity.mentions
        if mention.start < placed.end and placed.start < mention.end
    }


def _tells(word: str, kind: str) -> bool:
    if word.casefold() in _GENERIC:
        return False
    return not (kind in _YEAR_MAY_STAY and _YEAR.fullmatch(word))
