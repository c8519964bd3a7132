"""Segments: the pieces of a file (text nodes, cells, headers) are read as one text, so that one person is one entity in
all of them. After masking the text is cut apart again.

Between two segments stands glue: `BREAK` between what does not belong together (cells, headers, attributes), a line
break between paragraphs, nothing between the runs of one sentence. A mask that crosses glue is written on both sides of
it. A mask that crosses from run to run is written where it begins, and what it covers further on is removed. A token of
a vault is always written once, since every copy of it would be restored.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from maskwise.mask import AlignedEdit, Alignment
from maskwise.mask.token import TOKEN

BREAK = ";\n\n"  # line breaks alone do not keep a tagger from reading two cells as one name
Change = tuple[int, int, str]  # `segment[start:end)` becomes this text


@dataclass(frozen=True)
class Segments:
    """The segments of a text and where each begins in it."""

    texts: tuple[str, ...] = field(repr=False)
    starts: tuple[int, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.texts)

    def is_joined(self, at: int) -> bool:
        """Whether no glue stands between this segment and the one before it."""
        return at > 0 and self.starts[at] == self.starts[at - 1] + len(self.texts[at - 1])


def join_segments(
    segments: Iterable[str], glue: str | Sequence[str] = BREAK
) -> tuple[str, Segments]:
    """One text of all segments. `glue` stands between each two, or its element `i` before segment `i`.

    >>> text, layout = join_segments(["Ana", "Souza"], ["", " "])
    >>> text, layout.starts
    ('Ana Souza', (0, 4))
    """
    texts = tuple(segments)
    before = [glue] * len(texts) if isinstance(glue, str) else list(glue)
    parts: list[str] = []
    starts: list[int] = []
    length = 0
    for at, text in enumerate(texts):
        link = before[at] if at else ""
        length += len(link)
        starts.append(length)
        length += len(text)
        parts += (link, text)
    return "".join(parts), Segments(texts, tuple(starts))


def find_changes(layout: Segments, alignment: Alignment) -> list[list[Change]]:
    """The changes in each segment, in its own offsets, sorted and apart."""
    found: list[list[Change]] = [[] for _ in layout.texts]
    for edit in alignment.edits:
        at = max(bisect_right(layout.starts, edit.start) - 1, 0)
        written = False
        once = TOKEN.fullmatch(edit.replacement) is not None
        while at < len(layout) and layout.starts[at] < edit.end:
            start = max(edit.start - layout.starts[at], 0)
            end = min(edit.end - layout.starts[at], len(layout.texts[at]))
            if start < end:
                covered = written and (once or layout.is_joined(at))
                found[at].append((start, end, "" if covered else edit.replacement))
                written = True
            at += 1
    return found


def rewrite_text(text: str, edits: Sequence[Change]) -> tuple[str, Alignment]:
    """`text` with its changes written in, and how the two line up."""
    parts: list[str] = []
    done: list[AlignedEdit] = []
    cursor = length = 0
    for start, end, replacement in edits:
        length += start - cursor
        done.append(AlignedEdit(start, end, length, replacement, text[start:end]))
        parts += (text[cursor:start], replacement)
        length += len(replacement)
        cursor = end
    parts.append(text[cursor:])
    return "".join(parts), Alignment(tuple(done))


def mask_segments(layout: Segments, alignment: Alignment) -> list[str]:
    """The masked segments.

    >>> from maskwise.mask import apply_replacements
    >>> text, layout = join_segments(["Ana", "Souza left"])
    >>> _, alignment = apply_replacements(text, [(0, 11, "X")])
    >>> mask_segments(layout, alignment)
    ['X', 'X left']
    """
    changes = find_changes(layout, alignment)
    pairs = zip(layout.texts, changes, strict=True)
    return [rewrite_text(text, edits)[0] for text, edits in pairs]


def mask_all(layouts: Iterable[Segments], alignments: Iterable[Alignment]) -> list[str]:
    """The masked segments of several texts, in order."""
    masked: list[str] = []
    for layout, alignment in zip(layouts, alignments, strict=True):
        masked += mask_segments(layout, alignment)
    return masked
