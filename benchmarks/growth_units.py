"""What texts are made of to see how time grows: one unit, repeated. Counted units differ each time."""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from maskwise.detect.patterns import list_families

Make = Callable[[int], str]

# Pieces of names, numbers and dates, signs, and characters of other scripts.
_PIECES: dict[str, list[str]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
_SMALL = string.ascii_lowercase


class Unit(NamedTuple):
    """A piece of text to repeat; `make` gives the nth copy."""

    name: str
    make: Make


def write_text(unit: Unit, size: int) -> str:
    """About `size` characters of copies of a unit."""
    parts: list[str] = []
    length = number = 0
    while length < size:
        parts.append(unit.make(number))
        length += len(parts[-1])
        number += 1
    return "".join(parts)[:size]


def list_units() -> list[Unit]:
    """About eight hundred, no two alike."""
    units = {unit.name: unit for unit in (*_list_repeated(), *_list_counted())}
    return list(units.values())


def _list_repeated() -> Iterator[Unit]:
    texts = [*string.printable[:95], *(piece for pieces in _PIECES.values() for piece in pieces)]
    texts += [sign + other for sign in string.punctuation for other in (" ", "a", "A", "1", "\n")]
    texts += [figures + sign for sign in " -/.:,_" for figures in ("1", "12", "1234", "A1")]
    texts += [text + " " for family in list_families() for text, _ in family.positive[:3]]
    for text in dict.fromkeys(texts):
        yield Unit(repr(text), _repeat(text))


def _repeat(text: str) -> Make:
    return lambda number: text


def name_number(number: int) -> str:
    """A capitalised word of its own for every number.

    >>> name_number(0), name_number(27)
    ('Bao', 'Bbab')
    """
    letters = ""
    number += 26
    while number:
        number, digit = divmod(number, 26)
        letters = _SMALL[digit] + letters
    return "B" + letters + ("o" if len(letters) < 3 else "")


def _list_counted() -> Iterator[Unit]:
    templates = (
        *(
            "{name} ",
            "Mr {name} ",
            "John {name} ",
            "{name} Smith ",
            "{name}, John; ",
            "J. {name} said. ",
            "{name}'s ",
        ),
        *(
            "{name} Ltd ",
            "the {name} Bank ",
            '{name} Bank ("{name}") ',
            "{name} Health Authority (RHA) ",
            "{name}\n",
        ),
        *(
            "in {name}. ",
            "{name} and ",
            "{name}, ",
            "{name}@example.org ",
            "@{name} ",
            "#{name} ",
            "http://example.org/{name} ",
        ),
        *(
            "no. {number}/06 ",
            "{number} ",
            "{number}, ",
            "{number}/",
            "{number}-",
            "+47 22 {number} ",
            "MRN {number}\n",
        ),
        *(
            "1 May {number} ",
            "{number} kg ",
            "EUR {number} ",
            "password={name}{number} ",
            "{name}: {number}\n",
        ),
        *(
            "/home/{name}/ ",
            "{name} | {number}\n",
            "<p>{name}</p>",
            "({name}) ",
            '"{name}" ',
            "{name}-{name} ",
            "{name} {name} ",
        ),
        *(
            "John {name} Smith met Mr {name}. ",
            "Smith{name} ",
            "{name} John Smith ",
            "John {name} ({name}) ",
        ),
    )
    for template in templates:
        yield Unit(repr(template), _count(template))


def _count(template: str) -> Make:
    return lambda number: template.format(name=name_number(number), number=100_000 + number)
