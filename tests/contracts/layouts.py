"""Documents of a few lines that hold several values each: prose, form, table, log and chat, in three cases.

A layout turns items into pieces of text. The pieces that are values keep their place, so that a judge knows where each
value stands in the document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

Case = Callable[[str], str]

CASES: Mapping[str, Case] = {"as written": str, "upper": str.upper, "lower": str.lower}


@dataclass(frozen=True)
class Kind:
    """How people write about one kind of value. "{}" stands for the value."""

    name: str
    make: Callable[[Random], str]
    labels: tuple[str, ...]
    prose: tuple[str, ...]
    chat: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    kind: Kind
    value: str


@dataclass(frozen=True)
class Placed:
    """A value and where it stands."""

    item: Item
    start: int
    end: int


@dataclass(frozen=True)
class Record:
    """A document with the places of its values."""

    text: str
    placed: tuple[Placed, ...]


Piece = str | Item


def render(pieces: Sequence[Piece], case: Case) -> Record:
    text, placed = "", []
    for piece in pieces:
        written = case(piece.value if isinstance(piece, Item) else piece)
        if isinstance(piece, Item):
            placed.append(Placed(piece, len(text), len(text) + len(written)))
        text += written
    return Record(text, tuple(placed))


def fill(template: str, item: Item) -> list[Piece]:
    before, _, after = template.partition("{}")
    return [before, item, after]


def prose(items: Sequence[Item], random: Random) -> list[Piece]:
    pieces: list[Piece] = []
    for item in items:
        pieces += [*fill(random.choice(item.kind.prose), item), " "]
    return pieces[:-1]


def form(items: Sequence[Item], random: Random) -> list[Piece]:
    gap = random.choice((": ", ": ", ":  ", " : ", "\t"))
    return [piece for item in items for piece in (random.choice(item.kind.labels), gap, item, "\n")]


def table(items: Sequence[Item], random: Random) -> list[Piece]:
    sign = random.choice((" | ", "\t", ";", " , "))
    head = sign.join(random.choice(item.kind.labels) for item in items)
    row = [piece for item in items for piece in (item, sign)]
    return [head, "\n", *row[:-1], "\n"]


def log(items: Sequence[Item], random: Random) -> list[Piece]:
    pieces: list[Piece] = []
    for item in items:
        minute, second = random.randint(0, 59), random.randint(0, 59)
        key = (
            random.choice(item.kind.labels)
            .lower()
            .replace(" ", "_")
            .replace(".", "")
            .replace("#", "no")
        )
        quote = '"' if " " in item.value else ""
        pieces += [
            f"2031-02-03T10:{minute:02}:{second:02}Z INFO intake {key}={quote}",
            item,
            f"{quote} status=ok\n",
        ]
    return pieces


def chat(items: Sequence[Item], random: Random) -> list[Piece]:
    pieces: list[Piece] = []
    for at, item in enumerate(items):
        who = ("desk", "me")[at % 2]
        pieces += [
            f"[10:{random.randint(10, 59)}] {who}: ",
            *fill(random.choice(item.kind.chat), item),
            "\n",
        ]
    return pieces


LAYOUTS: Mapping[str, Callable[[Sequence[Item], Random], list[Piece]]] = {
    "prose": prose,
    "form": form,
    "table": table,
    "log": log,
    "chat": chat,
}
