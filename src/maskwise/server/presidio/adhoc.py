"""Regular expressions and lists of words that come with a request, searched within a time limit.

An expression may look back and ahead, as in Presidio, so it can take very long: one that does is refused, and with it
the request. Nothing is answered from half a search.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import regex

SECONDS = 1.0  # for all expressions of a request
LONGEST = 2000  # characters of an expression
MOST = 200  # expressions of a request
WORDS = 10_000  # of a list
FLAGS = int(regex.DOTALL | regex.MULTILINE | regex.IGNORECASE)
ALLOWED = FLAGS | int(regex.VERBOSE | regex.ASCII | regex.UNICODE)


class PatternError(Exception):
    """An expression of a request is wrong, too long or too slow. `status` is what Presidio's clients expect."""

    def __init__(self, message: str, status: int = 500) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class AdHocPattern:
    """A compiled expression, the entity that it finds, and how sure it is."""

    entity: str
    recognizer: str
    name: str
    source: str = field(repr=False)
    score: float
    compiled: Any = field(repr=False)


@dataclass(frozen=True)
class AdHocMatch:
    """A span that an expression found."""

    start: int
    end: int
    pattern: AdHocPattern


@dataclass
class SearchTime:
    """The time that is left for the expressions of one request."""

    left: float = SECONDS

    def find(self, compiled: Any, text: str) -> Iterator[tuple[int, int]]:
        """Yields the spans of an expression; raises `PatternError` when the time is over."""
        began = time.monotonic()
        if self.left <= 0:
            raise _too_slow()
        try:
            for match in compiled.finditer(text, timeout=self.left, concurrent=True):
                if match.end() > match.start():
                    yield match.span()
                if time.monotonic() - began > self.left:
                    raise _too_slow()
        except TimeoutError:
            raise _too_slow() from None
        finally:
            self.left -= time.monotonic() - began


def _too_slow() -> PatternError:
    return PatternError(f"a regular expression took longer than {SECONDS:g} s and is refused", 400)


def parse_recognizers(raw: Any) -> list[AdHocPattern]:
    """The expressions of `ad_hoc_recognizers`, in order."""
    found: list[AdHocPattern] = []
    for each in raw or ():
        found += _parse_recognizer(each)
    if len(found) > MOST:
        raise PatternError(f"a request has at most {MOST} ad-hoc expressions", 400)
    return found


def _parse_recognizer(raw: Any) -> Iterator[AdHocPattern]:
    entity = raw.get("supported_entity") or next(iter(raw.get("supported_entities") or ()), None)
    patterns, words = raw.get("patterns"), raw.get("deny_list")
    if not entity:
        raise PatternError("Pattern recognizer should be initialized with entity")
    if not patterns and not words:
        raise PatternError(
            "Pattern recognizer should be initialized with patterns or with deny list"
        )
    name = str(raw.get("name") or "PatternRecognizer")
    flags = int(raw.get("global_regex_flags") or FLAGS) & ALLOWED
    for each in patterns or ():
        score = _check_score(each["score"])
        compiled = compile_expression(each["regex"], flags)
        yield AdHocPattern(entity, name, str(each["name"]), each["regex"], score, compiled)
    if words:
        score = float(raw.get("deny_list_score", 1.0))
        if len(words) > WORDS:
            raise PatternError(f"a deny list has at most {WORDS:,} words", 400)
        joined = "|".join(regex.escape(str(word), literal_spaces=True) for word in words)
        source = rf"(?:^|(?<=\W))({joined})(?:(?=\W)|$)"
        compiled = regex.compile(source, flags)
        yield AdHocPattern(entity, name, "deny_list", source, score, compiled)


def compile_expression(source: Any, flags: int = FLAGS) -> Any:
    """Compile an expression of a request."""
    if not isinstance(source, str) or len(source) > LONGEST:
        raise PatternError(f"a regular expression is a text of at most {LONGEST} characters", 400)
    try:
        return regex.compile(source, flags & ALLOWED)
    except (regex.error, OverflowError, RecursionError, MemoryError):
        raise PatternError("Invalid regex pattern") from None


def _check_score(score: Any) -> float:
    if not 0 <= score <= 1:
        raise PatternError(f"Invalid score: {score}. Score should be between 0 and 1")
    return float(score)


def find_matches(
    patterns: Iterable[AdHocPattern], text: str, allowed: SearchTime
) -> list[AdHocMatch]:
    """What the expressions find in a text."""
    return [
        AdHocMatch(start, end, pattern)
        for pattern in patterns
        if pattern.score > 0
        for start, end in allowed.find(pattern.compiled, text)
    ]
