"""Copies of documents as people type them: in small letters, in capitals, mistyped. Spans follow their text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from documents.render import InventedDocument, InventedSpan

_WORD = re.compile(r"[a-z]{4,}")


def lower_document(document: InventedDocument, random: Random) -> InventedDocument:
    """Returns the document in small letters."""
    return _map_letters(document, str.lower)


def capitalise_document(document: InventedDocument, random: Random) -> InventedDocument:
    """Returns the document in capitals."""
    return _map_letters(document, str.upper)


def _map_letters(document: InventedDocument, change: Callable[[str], str]) -> InventedDocument:
    """Changes letter by letter, and leaves alone those that would become two."""
    changed = (change(letter) for letter in document.text)
    text = "".join(
        new if len(new) == 1 else old for old, new in zip(document.text, changed, strict=True)
    )
    return replace(document, text=text)


def mistype_document(document: InventedDocument, random: Random) -> InventedDocument:
    """Returns the document with about one word in fifteen mistyped: a letter dropped, doubled or swapped."""
    edits: list[tuple[int, int, str]] = []
    for word in _WORD.finditer(document.text):
        if random.random() < 0.07:
            at = random.randint(word.start() + 1, word.end() - 2)
            old = document.text[at : at + 2]
            edits.append((at, at + 2, random.choice((old[0], old[0] + old, old[::-1]))))
    return _apply_edits(document, edits)


def break_lines(document: InventedDocument, random: Random) -> InventedDocument:
    """Returns the document with its lines joined, as text copied from a page."""
    edits = [(at, at + 1, " ") for at, sign in enumerate(document.text) if sign == "\n"]
    return _apply_edits(document, edits)


def _apply_edits(document: InventedDocument, edits: list[tuple[int, int, str]]) -> InventedDocument:
    parts: list[str] = []
    moved: list[tuple[int, int]] = []  # from this place on, by so many characters
    end = shift = 0
    for start, stop, new in edits:
        parts += [document.text[end:start], new]
        end = stop
        shift += len(new) - (stop - start)
        moved.append((stop, shift))
    parts.append(document.text[end:])

    def move(place: int) -> int:
        by = 0
        for at, amount in moved:
            if at > place:
                break
            by = amount
        return place + by

    spans = [
        InventedSpan(move(s.start), move(s.end), s.type, s.mask, s.direct) for s in document.spans
    ]
    return replace(document, text="".join(parts), spans=spans)


WAYS: tuple[tuple[float, Callable[[InventedDocument, Random], InventedDocument]], ...] = (
    (0.12, lower_document),
    (0.03, capitalise_document),
    (0.08, mistype_document),
    (0.05, break_lines),
)


def distort_some(document: InventedDocument, random: Random) -> InventedDocument:
    """Returns the document, in about three of ten cases distorted in one way."""
    drawn = random.random()
    for share, change in WAYS:
        if drawn < share:
            return change(document, random)
        drawn -= share
    return document
