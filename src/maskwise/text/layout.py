"""Reads the structure of a text: labels, headers, columns, and the edges that no mask may cross.

Forms, tables, logs, mails and code are recognised by their lines. A label is context and never a mask. A line
break in text that was not wrapped, the edge of a cell and the end of a field cut what a model took for one name.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from maskwise.text.english import WEEKDAYS
from maskwise.text.label_words import JOINTS, KINDS, WORDS
from maskwise.text.types import Span

WRAPPED = 40  # characters of the longest line of wrapped prose, at least
_LONGEST = 48  # characters of a label

# Lines without an empty one between them. The anchor keeps it linear in a long run of spaces.
_BLOCK = re.compile(r"^[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*", re.MULTILINE)
_QUOTE = r"[>|*•\-–\t ]*"
# A label, and the sign that ends it: "Phone: ", "Date of birth | ", "DB_USER = ", "X-To:".
_LABEL = re.compile(
    rf"(?:^{_QUOTE}|[ \t]{{2,}}|\t|[|;,][ ]?|[\[(])(?P<label>[^\W\d_][\w/.'’#&()-]*(?:[ ][\w/.'’#&()-]+){{0,5}}?)"
    r"[\"'*]{0,2}[ \t]*(?:[:=]|[|](?=[ ]))(?!//)",
    re.MULTILINE,
)
_HEADING = re.compile(
    rf"^{_QUOTE}(?P<label>[^\W\d_a-zß-öø-ÿ](?:[^\W\d_a-zß-öø-ÿ]|[ &/,’'()-]){{2,48}}?)[ \t]*:?$",
    re.MULTILINE,
)
_KEY = re.compile(
    r"(?<![\w@./-])(?P<label>[A-Za-z][\w.-]{0,30})=(?=\S)|(?<!\w)(?P<name>[A-Z]{2,}(?:_[A-Z]+)+)(?!\w)"
)
_GAP = re.compile(r"[ ]*(?:\t|[ ]{3,}|[ ]\|[ ]|^\||\|$)[ \t|]*", re.MULTILINE)
_NARROW_GAP = re.compile(r"(?<=\S)[ ]{2}(?=\S)")
_RECORD = re.compile(
    r"\n(?=[ \t]*(?:\[?[0-9]{1,4}[-:/.][0-9]{2}|[-*•][ ]|<\w|[0-9]{1,2}[.)][ ]|[^\W\d_][\w/.# -]{0,30}:[ \t]))"
)  # a log, a chat, a list
_PREFIX = re.compile(
    r"^(?:(?:[^\W\d_]{2,8})[:=][ ]?)?(?P<label>(?:(?:re|fwd?|aw|wg|sv|rt)\b[: ][ ]?)+)", re.I | re.M
)
_RULE = re.compile(r"^[> \t]*[-_=*]{3,}[^\n]*$", re.MULTILINE)  # "-----Original Message-----"
# The time of a message, and the grade of a line of a log.
_STAMP = re.compile(
    r"^[ \t]*[\[(]?(?P<label>[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?: ?[ap]m)?)[\])]?[ \t]+(?=[\w<@*])"
    r"(?=[^\n]{0,40}[:>])|(?<=\s)(?P<grade>(?-i:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL))(?=\s)",
    re.MULTILINE | re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\s/&(),.]+")
_DAYS = frozenset(map(str.lower, WEEKDAYS))


class Layout(NamedTuple):
    """The labels of a text, sorted and apart, and the places that no mask may cross."""

    labels: tuple[Span, ...]
    edges: tuple[int, ...]

    def find_labels(self, start: int, end: int) -> Iterator[Span]:
        """The labels that share a character with a stretch."""
        at = bisect_left(self.labels, (start, start))
        at -= at > 0 and self.labels[at - 1][1] > start
        while at < len(self.labels) and self.labels[at][0] < end:
            yield self.labels[at]
            at += 1

    def find_edges(self, start: int, end: int) -> tuple[int, ...]:
        """The edges inside a stretch."""
        return self.edges[bisect_right(self.edges, start) : bisect_left(self.edges, end)]


def read_layout(text: str) -> Layout:
    """Read the labels and edges of a text.

    >>> layout = read_layout("Phone: 12\\nTimestamp: 3")
    >>> layout.labels, layout.edges
    (((0, 5), (10, 19)), (10,))
    """
    labels = _find_labels(text)
    # A line that begins with a label is a field of its own, however short the lines of a block are.
    fields = (start for start, _ in labels if start and text[start - 1] == "\n")
    return Layout(tuple(labels), tuple(sorted({*find_edges(text), *fields})))


def is_label(text: str) -> bool:
    """Whether all words are such as labels are made of, and one of them is no small word.

    >>> is_label("Date of birth"), is_label("Ana Souza")
    (True, False)
    """
    words = [word.strip("'’\"#-*").lower() for word in _TOKEN.findall(text)]
    words = [word for word in words if word]
    if not words or not all(map(_is_label_word, words)):
        return False
    # Figures and small words alone are a date or a time: "on 11/18 at 10:30".
    telling = [word for word in words if word not in JOINTS and not word.isdigit()]
    return bool(telling) or (len(words) == 1 and words[0] in WORDS)


def is_label_of_kind(label: str) -> bool:
    """Whether the value beside a label tells a kind: "Plan: Gold", not "Owner: Gold"."""
    words = _TOKEN.findall(label.lower())
    return bool(words) and words[-1] in KINDS


def _is_label_word(word: str) -> bool:
    if word in WORDS or word in JOINTS or word.isdigit() or word in _DAYS:
        return True
    if "-" in word or "_" in word:
        parts = [part for part in re.split("[-_]", word) if part]
        return all(part in WORDS or part in JOINTS or len(part) < 3 for part in parts)
    return word.endswith("s") and word[:-1] in WORDS


def _find_labels(text: str) -> list[Span]:
    found: set[Span] = set()
    if ":" in text or "=" in text or "|" in text:
        for match in _LABEL.finditer(text):
            span = match.span("label")
            if span[1] - span[0] <= _LONGEST and is_label(match["label"]):
                found.add(span)
        found.update(match.span("label") for match in _PREFIX.finditer(text))
    for match in _HEADING.finditer(text):
        if is_label(match["label"]):
            found.add(match.span("label"))
    if "=" in text or "_" in text:
        found.update(match.span(match.lastgroup or 0) for match in _KEY.finditer(text))
    found.update(match.span() for match in _RULE.finditer(text))
    found.update(match.span(match.lastgroup or 0) for match in _STAMP.finditer(text))
    found.update(_find_table_heads(text))
    return _merge_spans(found)


def _find_table_heads(text: str) -> Iterator[Span]:
    """The cells of a line of three or more, all of which are labels."""
    if "\t" not in text and "   " not in text and "|" not in text and "," not in text:
        return
    for line in re.finditer(r"^[^\n]+$", text, re.MULTILINE):
        row = line[0]
        sign = "\t" if "\t" in row else "|" if "|" in row else "   " if "   " in row else ","
        cells = [cell.strip(" \t|\"'") for cell in row.split(sign)]
        cells = [cell for cell in cells if cell]
        if len(cells) < 3 or len(row) > 240 or not all(map(is_label, cells)):
            continue
        yield line.span()


def find_edges(text: str) -> list[int]:
    """Line breaks in text that is not wrapped prose, the ends of labels' lines, and the edges of cells."""
    edges: set[int] = set()
    for block in _BLOCK.finditer(text):
        edges.add(block.start())
        lines = block[0].split("\n")
        is_wrapped = _is_wrapped(lines)
        if not is_wrapped and len(lines) > 1:
            at = block.start()
            for line in lines[:-1]:
                at += len(line) + 1
                edges.add(at)
        if not is_wrapped and "  " in block[0]:
            edges.update(gap.end() for gap in _NARROW_GAP.finditer(text, *block.span()))
    if "\t" in text or "   " in text or "|" in text:
        edges.update(gap.end() for gap in _GAP.finditer(text))
    edges.update(record.end() for record in _RECORD.finditer(text))
    edges -= {0, len(text)}
    return sorted(edges)


def _is_wrapped(lines: list[str]) -> bool:
    """Whether lines are prose that was broken to a width: all but the last are nearly as long as the longest."""
    width = max(map(len, lines))
    if len(lines) < 2 or (len(lines) > 2 and width < WRAPPED):
        return False
    full = sum(len(line) + 16 >= width for line in lines[:-1])
    return full * 3 >= 2 * (len(lines) - 1)


def _merge_spans(spans: set[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
