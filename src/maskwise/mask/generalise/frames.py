"""The frame that a mention stands in: a cell of a table, a heading, the start of a sentence."""

from __future__ import annotations

import re

from maskwise.text import EntityType, Mention

_SHORT = r"(?:nos?|nr|tel|art|para|pp?|vs?|approx|ca?|dr|mrs?|ms|prof|st|[a-z])"  # words that a stop does not end
STOPPED = re.compile(rf"(?i)\b({_SHORT})\.[ \t\n\u00a0]*$")
_SENTENCE = re.compile(r"(?:^|[.!?][\"”')\]]*\s|\n\s*\n)\s*[\"“‘'(]?$")
_LABEL = re.compile(r"[^\W\d_][^:\n|\t.]{0,30}:")
_TITLE = 80  # characters of the longest heading
SMALL = frozenset("a an the of in on at to and or for by from over under with between".split())
_REACH = 60  # characters before a mention that tell whether a sentence begins


def read_line(mention: Mention) -> str:
    text = mention.document.text
    start = text.rfind("\n", 0, mention.start) + 1
    end = text.find("\n", mention.end)
    return text[start : end if end >= 0 else len(text)]


def is_cell(mention: Mention) -> bool:
    """Whether a mention fills a cell: between tabs or bars, or alone after a label at the start of a line."""
    text = mention.document.text
    start = text.rfind("\n", 0, mention.start) + 1
    end = text.find("\n", mention.end)
    left = text[start : mention.start].rstrip(" ")
    right = text[mention.end : end if end >= 0 else len(text)].lstrip(" ")
    if _LABEL.fullmatch(left):
        return not right.strip()
    is_open = not left or left[-1] in "\t|"
    is_closed = not right or right[0] in "\t|"
    return is_open and is_closed and bool(left or right)


def is_in_heading(mention: Mention) -> bool:
    """Whether a mention stands in a short line by itself that is written in capitals, as titles are."""
    text = mention.document.text
    start = text.rfind("\n", 0, mention.start) + 1
    end = text.find("\n", mention.end)
    if end < 0 or (start > 1 and text[start - 2] != "\n"):
        return False
    line = text[start:end].strip()
    if len(line) > _TITLE or ":" in line or line.endswith((".", "!", "?", ",", ";")):
        return False
    words = [word for word in re.findall(r"(?<!\w)[^\W\d_][\w'’-]*", line) if word not in SMALL]
    return len(words) > 1 and all(word[0].isupper() for word in words)


def is_sentence_start(mention: Mention) -> bool:
    """Whether a mention stands where a capital does."""
    if mention.text[0].islower() and mention.type is not EntityType.CODE:
        return False
    before = mention.document.text[max(0, mention.start - _REACH) : mention.start]
    return bool(_SENTENCE.search(before)) and not STOPPED.search(before)
