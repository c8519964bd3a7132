"""Markdown, masked in its source: marks of emphasis, code, headings, lists, tables and links are not read, so that they
part no name and stay where they are."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from maskwise.io.encoding import Encoding, decode, encode
from maskwise.io.formats import Loaded
from maskwise.io.segments import BREAK, Segments, join, split
from maskwise.mask import Alignment
from maskwise.text import possessive

# Apart are cells and the address of a link; all other marks stand inside of a sentence or before one.
_MARK = possessive.compile(
    r"""^[^\S\r\n]*+(?:(?:\#{1,6}|[-*+]|\d{1,3}[.)])[^\S\r\n]++|>[^\S\r\n]?+)++   # heading, item, quotation
    |(?<!\\)(?:\*{1,3}(?=\S)|(?<=\S)\*{1,3}|`++|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))
    |!?\[(?=[^\[\]\r\n]*+\]\()
    |(?P<apart>[^\S\r\n]*+(?<!\\)\|[^\S\r\n]*+|\]\((?=[^()\s]*+[\s)]))""",
    re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True)
class Source:
    """What was read, and the marks before, between and after it."""

    encoding: Encoding
    segments: Segments
    marks: tuple[str, ...] = field(repr=False)


class Markdown:
    """Text with marks, of which only the text is read."""

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode(raw, name)
        texts, marks, glue = [], [], [""]
        cursor = 0
        for mark in _MARK.finditer(text):
            texts.append(text[cursor : mark.start()])
            marks.append(mark[0])
            glue.append(BREAK if mark["apart"] else "")
            cursor = mark.end()
        texts.append(text[cursor:])
        joined, segments = join(texts, glue)
        return Loaded((joined,), Source(encoding, segments, (*marks, "")))

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        source: Source = loaded.layout
        texts, marks = split(source.segments, alignments[0]), list(source.marks)
        for at, (old, new) in enumerate(zip(source.segments.texts, texts, strict=True)):
            if old and not new and at and marks[at - 1] == marks[at] and marks[at][:1] in ("*", "_", "`", "~"):
                marks[at - 1] = marks[at] = ""  # nothing is left to stress
        return encode("".join(text + mark for text, mark in zip(texts, marks, strict=True)), source.encoding)
