"""Regular expressions and lists of words that come with a request, searched within a time limit.

An expression may look back and ahead, as in Presidio, so it can take very long: one that does is refused, and with it
the request. Nothing is answered from half a search.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isinf
from typing import Any

import regex

from maskwise.server.presidio.repeats import has_recursion, measure_expression

SECONDS = 1.0  # for all expressions of a request
LONGEST = 2000  # characters of an expression
DENY_LIST = "deny_list"  # the name of the expression that is made of a list
MOST = 200  # expressions of a request
PARTS = 20_000  # of an expression, once its repetitions are written out
MATCHES = 50_000  # of all expressions of a request
WORDS = 10_000  # of all lists of a request
CHARACTERS = 200_000  # of all words: to compile more takes seconds
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
    """The time and the matches that are left for the expressions of one request."""

    left: float = field(default_factory=lambda: SECONDS)
    matches: int = field(default_factory=lambda: MATCHES)

    def find(self, compiled: Any, text: str) -> Iterator[tuple[int, int]]:
        """Yields the spans of an expression; raises `PatternError` when the time is over."""
        began = time.monotonic()
        if self.left <= 0:
            raise _build_refusal()
        try:
            for match in compiled.finditer(text, timeout=self.left, concurrent=True):
                if match.end() > match.start():
                    yield match.span()
                if time.monotonic() - began > self.left:
                    raise _build_refusal()
        except (TimeoutError, MemoryError):  # the engine gives up at a limit of its own
            raise _build_refusal() from None
        finally:
            self.left -= time.monotonic() - began


def _build_refusal() -> PatternError:
    return PatternError(f"a regular expression took longer than {SECONDS:g} s and is refused", 400)


def parse_recognizers(raw: Any) -> list[AdHocPattern]:
    """The expressions of `ad_hoc_recognizers`, in order."""
    _refuse_long_lists(raw or ())
    found: list[AdHocPattern] = []
    until = time.monotonic() + SECONDS
    for each in raw or ():
        for pattern in _parse_recognizer(each):
            found.append(pattern)
            if len(found) > MOST:
                raise PatternError(f"a request has at most {MOST} ad-hoc expressions", 400)
            if time.monotonic() > until and pattern.name != DENY_LIST:
                raise _build_refusal()
    return found


def _refuse_long_lists(raw: Iterable[Any]) -> None:
    words = [str(word) for each in raw for word in each.get("deny_list") or ()]
    if len(words) > WORDS or sum(map(len, words)) > CHARACTERS:
        raise PatternError(
            f"the deny lists of a request have at most {WORDS:,} words and {CHARACTERS:,} characters",
            400,
        )


def _parse_recognizer(raw: Any) -> Iterator[AdHocPattern]:
    entity = raw.get("supported_entity") or next(iter(raw.get("supported_entities") or ()), None)
    patterns, words = raw.get("patterns"), raw.get("deny_list")
    if entity and not isinstance(entity, str):
        raise TypeError("an entity is a string")
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
        score = _check_score(raw.get("deny_list_score", 1.0))
        joined = "|".join(regex.escape(str(word), literal_spaces=True) for word in words)
        source = rf"(?:^|(?<=\W))({joined})(?:(?=\W)|$)"
        compiled = regex.compile(source, flags)
        yield AdHocPattern(entity, name, DENY_LIST, source, score, compiled)


def compile_expression(source: Any, flags: int = FLAGS) -> Any:
    """Compile an expression of a request."""
    if not isinstance(source, str) or len(source) > LONGEST:
        raise PatternError(f"a regular expression is a text of at most {LONGEST} characters", 400)
    size = measure_expression(source, bool(flags & regex.VERBOSE))
    if isinf(size):
        raise PatternError("Invalid regex pattern")
    if size > PARTS or has_recursion(source):
        raise PatternError("a regular expression repeats too much and is refused", 400)
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
    """The findings of the expressions in a text."""
    found: list[AdHocMatch] = []
    for pattern in patterns:
        if pattern.score > 0:
            for start, end in allowed.find(pattern.compiled, text):
                found.append(AdHocMatch(start, end, pattern))
                allowed.matches -= 1
                if allowed.matches < 0:
                    raise PatternError(
                        f"the ad-hoc expressions find more than {MATCHES:,} spans", 400
                    )
    return found
