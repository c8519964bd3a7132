"""`Alignment`: the two-way map between a text and its masked version."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from maskwise.errors import MaskingError
from maskwise.mask.token import TOKEN


@dataclass(frozen=True, slots=True)
class AlignedEdit:
    """`source[start:end)` became `target[at:at + len(replacement))`. The original text stays out of `repr`."""

    start: int
    end: int
    at: int
    replacement: str
    original: str = field(repr=False)

    @property
    def until(self) -> int:
        return self.at + len(self.replacement)


@dataclass(frozen=True)
class Alignment:
    """Edits in order. Everything between two edits is the same in both texts."""

    edits: tuple[AlignedEdit, ...]

    @cached_property
    def _source_starts(self) -> list[int]:
        return [e.start for e in self.edits]

    @cached_property
    def _target_starts(self) -> list[int]:
        return [e.at for e in self.edits]

    def to_target(self, offset: int) -> int:
        """Where a source offset lies in the masked text; inside a masked span, the start of its replacement."""
        index = bisect_right(self._source_starts, offset) - 1
        if index < 0:
            return offset
        edit = self.edits[index]
        return edit.at if offset < edit.end else edit.until + (offset - edit.end)

    def to_source(self, offset: int) -> int:
        """Where a masked-text offset lies in the source; inside a replacement, the start of what it replaces."""
        index = bisect_right(self._target_starts, offset) - 1
        if index < 0:
            return offset
        edit = self.edits[index]
        return edit.start if offset < edit.until else edit.end + (offset - edit.until)

    def restore(self, masked: str) -> str:
        """Restore the original text. A masked text that was edited in or around its replacements is refused."""
        parts: list[str] = []
        cursor = 0
        for edit in self.edits:
            if masked[edit.at : edit.until] != edit.replacement:
                raise MaskingError(
                    f"masked text differs at offset {edit.at}: not the text of this alignment"
                )
            parts += (masked[cursor : edit.at], edit.original)
            cursor = edit.until
        parts.append(masked[cursor:])
        return "".join(parts)


def apply_replacements(
    text: str, replacements: Sequence[tuple[int, int, str]], apart: bool = True
) -> tuple[str, Alignment]:
    """Write `(start, end, replacement)` into `text`; spans sorted and apart.

    Two replacements with nothing between them would read as one, so the second begins with a space. A token of a vault
    gets none, because the text must be restored exactly.
    """
    parts: list[str] = []
    edits: list[AlignedEdit] = []
    cursor = length = 0
    for start, end, replacement in replacements:
        if start < cursor or end <= start or end > len(text):
            raise MaskingError(
                f"replacement span [{start}, {end}) is empty, overlaps another or is outside the text"
            )
        if apart and edits and start == cursor and not TOKEN.fullmatch(replacement):
            replacement = " " + replacement
        length += start - cursor
        edits.append(AlignedEdit(start, end, length, replacement, text[start:end]))
        parts += (text[cursor:start], replacement)
        length += len(replacement)
        cursor = end
    parts.append(text[cursor:])
    return "".join(parts), Alignment(tuple(edits))
