"""Long documents: a text of many megabytes is cut at borders of paragraphs and masked piece by piece.

The pieces stay one document. They share their numbers: a name has the same one in all pieces, and a bare surname has
that of the one person of earlier pieces who bears it. What is masked in one piece is masked wherever it stands in the
others: a piece that still shows such a text is masked again with these places given. Memory grows with what was found,
not with what the model said.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from maskwise.link.listed import ListedTexts
from maskwise.lm import Reading
from maskwise.mask import AlignedEdit, Alignment
from maskwise.mask.identity import MemoryLedger
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, EntityType
from maskwise.text.folding import fold_words
from maskwise.text.person import parse_name

LONG = 2_000_000  # characters from which a document is cut
PIECE = 500_000
_LEAST = 4  # letters and digits of a text that is sought in other pieces
_BORDERS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?])\s"),
    re.compile(r"\s"),
)
Given = tuple[int, int, EntityType]


@dataclass(frozen=True)
class MaskedDocument:
    """A masked document: its text, how it lines up with the original, and the results of its pieces."""

    text: str = field(repr=False)
    alignment: Alignment
    results: tuple[Result, ...] = field(repr=False)

    @classmethod
    def wrap(cls, result: Result) -> MaskedDocument:
        """A document that was masked in one piece."""
        return cls(result.text, result.rendering.alignment, (result,))


class PieceLedger(MemoryLedger):
    """Numbers for the pieces of one document. A surname alone means the one person who is known to bear it."""

    def __init__(self) -> None:
        super().__init__()
        self._bearers: dict[str, set[int]] = {}

    def number(self, kind: EntityType, keys: tuple[str, ...]) -> int:
        name, mark, _ = keys[0].partition("\n")
        if (
            kind is EntityType.PERSON and mark
        ):  # a person without a full name, known in one piece alone
            bearers = self._bearers.get(name.rpartition(" ")[2], set())
            if len(bearers) == 1 and self.find(kind, keys) is None:
                self._numbers[kind, keys[0]] = next(iter(bearers))
        number = super().number(kind, keys)
        if kind is EntityType.PERSON and not mark:
            self._bearers.setdefault(name.split()[-1], set()).add(number)
        return number


def mask_document(sanitizer: Sanitizer, document: Document) -> MaskedDocument:
    """Mask a document of any length."""
    if len(document) < LONG:
        return MaskedDocument.wrap(sanitizer.sanitize(document))
    borders = list(cut_paragraphs(document.text))
    starts = [start for start, _ in borders]
    given = _split_given(document.metadata.get("given", ()), starts)
    with sanitizer.number_together(PieceLedger()):
        pieces = [
            _make_piece(document, start, end, given.get(at, []))
            for at, (start, end) in enumerate(borders)
        ]
        results = [_forget(sanitizer.sanitize(piece)) for piece in pieces]
        found = _collect_masked(results)
        sought = ListedTexts(found)
        for at in range(len(pieces)):
            if missed := list(_find_shown(results[at], sought, found)):
                again = _make_piece(document, *borders[at], [*given.get(at, []), *missed])
                results[at] = _forget(sanitizer.sanitize(again))
    return _join(results, starts)


def cut_paragraphs(text: str, size: int = PIECE) -> Iterator[tuple[int, int]]:
    """Pieces of about this size that end at a paragraph, else at a line, a sentence or a space.

    >>> list(cut_paragraphs("One.\\n\\nTwo.\\n\\nThree.", size=8))
    [(0, 6), (6, 12), (12, 18)]
    """
    start = 0
    while len(text) - start > size:
        end = _find_border(text, start + size // 2, start + size)
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def _find_border(text: str, low: int, high: int) -> int:
    for border in _BORDERS:
        last = None
        for last in border.finditer(text, low, high):  # noqa: B007 - the last one counts
            pass
        if last is not None:
            return last.end()
    return high


def _make_piece(document: Document, start: int, end: int, given: Iterable[Given]) -> Document:
    metadata: dict[str, Any] = {**document.metadata, "given": tuple(given)}
    return replace(document, text=document.text[start:end], metadata=metadata, reading=None)


def _split_given(given: Iterable[Given], starts: list[int]) -> dict[int, list[Given]]:
    """The declared spans by piece, in its offsets."""
    found: dict[int, list[Given]] = {}
    for start, end, kind in given:
        at = bisect_right(starts, start) - 1
        found.setdefault(at, []).append((start - starts[at], end - starts[at], kind))
    return found


def _forget(result: Result) -> Result:
    """The result without what the model said about it."""
    Reading.find(result.document).forget(result.document)
    return result


def _collect_masked(results: Iterable[Result]) -> dict[str, EntityType]:
    """The texts that are masked somewhere, in folded words, with their types. People have no titles here."""
    found: dict[str, EntityType] = {}
    for result in results:
        for entity in result.entities:
            if not result.plan.by_entity[entity.id].masked:
                continue
            for mention in entity.mentions:
                words = fold_words(mention.text)
                if entity.type is EntityType.PERSON:
                    words = list(parse_name(mention.text).words) or words
                said = " ".join(words)
                if len(said) >= _LEAST:
                    found.setdefault(said, entity.type)
    return found


def _find_shown(
    result: Result, sought: ListedTexts, masked: dict[str, EntityType]
) -> Iterator[Given]:
    """Where a piece still shows what is masked elsewhere. A word in small letters is another word: "rose", "Rose"."""
    text = result.document.text
    edits = result.masks
    starts = [start for start, _, _ in edits]
    for start, end in sought.find(text):
        at = bisect_right(starts, start) - 1
        is_hidden = at >= 0 and edits[at][1] >= end
        if not is_hidden and not text[start].islower():
            said = " ".join(fold_words(text[start:end]))
            yield start, end, masked.get(said, EntityType.MISC)


def _join(results: list[Result], starts: list[int]) -> MaskedDocument:
    edits: list[AlignedEdit] = []
    length = 0
    for result, start in zip(results, starts, strict=True):
        edits += (
            replace(edit, start=edit.start + start, end=edit.end + start, at=edit.at + length)
            for edit in result.rendering.alignment.edits
        )
        length += len(result.text)
    return MaskedDocument("".join(r.text for r in results), Alignment(tuple(edits)), tuple(results))
