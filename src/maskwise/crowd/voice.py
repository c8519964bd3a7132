"""How a text speaks: in English or not, in the first person or not, in turns of a conversation or not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from maskwise.text.english import STOP_WORDS
from maskwise.text.tokens import WORD, find_sentences
from maskwise.text.types import Span
from maskwise.text.word_lists import read_words

SAMPLE = 50_000  # characters that tell the language
_FEW = 8  # words that tell no language
_PROSE = 40  # words after which prose without English words is not English

# Small words of other languages, without those that English has too.
_FOREIGN = frozenset(read_words("foreign_small_words"))
_OWN = re.compile(
    r"(?<![\w.'’])(?:I(?=['’](?:m|ve|d|ll)\b| [a-z])|[Mm](?:y|e|ine|yself)(?![\w'’-])"
    r"|i(?=['’]?(?:m|ve|ll|d)\b| (?:am|was|have|had|do|did|will|can|got|live|work|think|know|just|never|love)\b))"
)
_QUOTED = re.compile(r"[\"“][^\"“”\n]{1,600}[\"”]|(?<![\w])‘[^‘’\n]{1,600}’(?!\w)")
_NUMERAL = re.compile(r"[A-Z][\w'’-]{0,30}\s\Z")  # "World War I", "Part I"
_TURN = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{4,30}\][ \t]*|\d[\d:./ ,APMapm-]{3,22}[-–,][ \t]*)?"
    r"<?(?P<who>@?[^\W\d_][\w.'’-]{1,30}(?: [^\W\d_][\w.'’-]{0,30}){0,2})(?:>[ \t]|:[ \t])",
    re.MULTILINE,
)
_LINE = re.compile(r"\S(?:[^\n]*\S)?")
_WRAP = re.compile(r"(?<=[^\n]{50})\n(?=[^\s\d•*-])|\n(?=[a-z])")


class Turn(NamedTuple):
    """One message of a conversation: where it begins, and the name of who speaks."""

    start: int
    speaker: Span


def is_english(text: str) -> bool:
    """Whether a text reads as English. A text of a few words is given the benefit of the doubt.

    >>> is_english("She was born in Porto."), is_english("Sie wurde in Porto geboren und ist nicht mit uns gekommen.")
    (True, False)
    """
    found = [word.lower() for word in WORD.findall(text[:SAMPLE])]
    letters = sum(word[0].isalpha() for word in found)
    if letters < _FEW:
        return True
    latin = sum(word[0].isalpha() and word[0] < "\u0370" for word in found)
    if latin * 2 < letters:
        return False
    english = sum(word in STOP_WORDS for word in found)
    foreign = sum(word in _FOREIGN for word in found)
    if foreign > 2 and foreign > english and foreign * 12 > letters:
        return False
    small = sum(len(word) > 1 and word[0].islower() for word in WORD.findall(text[:SAMPLE]))
    return not (letters >= _PROSE and small * 5 > letters * 4 and english * 25 < letters)


def find_own_words(text: str) -> list[Span]:
    """Where the text says "I", "my" or "me", without what it quotes and without numerals ("Part I")."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    found = []
    at = 0
    for match in _OWN.finditer(text):
        start = match.start()
        while at < len(quoted) and quoted[at][1] <= start:
            at += 1
        is_quoted = at < len(quoted) and quoted[at][0] <= start
        is_numeral = match[0] == "I" and _NUMERAL.search(text, max(0, start - 32), start)
        if not is_quoted and not is_numeral:
            found.append(match.span())
    return found


def is_first_person(text: str, own: list[Span]) -> bool:
    """Whether its author speaks of themselves: two own words or more, and one in each hundred words.

    >>> letter = "My name is Ana. I am a cellist."
    >>> is_first_person(letter, find_own_words(letter))
    True
    """
    if len(own) < 2:
        return len(own) == 1 and text.count(" ") < 30
    return len(own) * 100 >= text.count(" ") + text.count("\n")


def find_turns(text: str) -> list[Turn]:
    """The messages of a conversation, or nothing. A label that comes back is a speaker, any other is a field."""
    found = [(match.start(), match.span("who")) for match in _TURN.finditer(text)]
    if len(found) < 3:
        return []
    times = Counter(text[start:end] for _, (start, end) in found)
    again = [Turn(at, who) for at, who in found if times[text[who[0] : who[1]]] > 1]
    return [Turn(at, who) for at, who in found] if len(again) * 2 >= len(found) else []


def split_sentences(text: str, turns: list[Turn]) -> list[Span]:
    """The sentences of a text. Each message begins a new one, and so does each line that is not merely wrapped."""
    if not turns:
        return [
            line for start, end in find_sentences(text) for line in _split_lines(text, start, end)
        ]
    edges = [0, *(turn.start for turn in turns if turn.start), len(text)]
    return [
        (left + start, left + end)
        for left, right in pairwise(edges)
        for start, end in find_sentences(text[left:right])
    ]


def _split_lines(text: str, start: int, end: int) -> Iterator[Span]:
    for match in _LINE.finditer(text, start, end):
        yield match.span()


def join_lines(text: str) -> str:
    """The text with a space for each line break that only wraps a long line. No offset moves."""
    return _WRAP.sub(" ", text.replace("\u00a0", " "))
