"""Small pieces that rules are composed of."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Any one space inside an expression; a single line break too, because texts are wrapped. A class of `re` compiles and
# matches far quicker than a set of rare characters.
GAP = r"\s"
# The signs that stand for "to", with the non-breaking hyphen.
DASH = r"[-\u2010-\u2014]"
# Hyphen or space inside a compound: "three-month", "three month".
HYPHEN = r"[\s\u2010\u2011-]"


def either(words: Iterable[str]) -> str:
    """An alternation of literals in which the longer one is tried first, one branch for each first character."""
    by_initial: dict[str, set[str]] = {}
    for word in words:
        by_initial.setdefault(word[0], set()).add(word[1:])
    return (
        "(?:"
        + "|".join(re.escape(first) + _tails(rest) for first, rest in sorted(by_initial.items()))
        + ")"
    )


def any_case(words: Iterable[str]) -> str:
    """The same for words that may begin a sentence, without the price of a case-insensitive search."""
    by_initial: dict[str, set[str]] = {}
    for word in words:
        by_initial.setdefault(word[0], set()).add(word[1:])
    return (
        "(?:"
        + "|".join(
            f"[{first}{first.upper()}]{_tails(rest)}" for first, rest in sorted(by_initial.items())
        )
        + ")"
    )


def _tails(rest: Iterable[str]) -> str:
    return (
        "(?:"
        + "|".join(re.escape(tail) for tail in sorted(rest, key=lambda tail: (-len(tail), tail)))
        + ")"
    )


def after(*phrases: str, width: int = 0) -> str:
    """Demands one of `phrases` and a space before the last `width` characters, already consumed."""
    return (
        "(?:" + "|".join(rf"(?<=\b{re.escape(p)}[ \n\u00a0]{'.' * width})" for p in phrases) + ")"
    )


def not_after(*phrases: str, width: int = 1) -> str:
    """Refuses a match whose first `width` characters, already consumed, follow one of `phrases`."""
    return "".join(f"(?<!{re.escape(phrase)}{'.' * width})" for phrase in phrases)


def led(words: Iterable[str], *refuse: str, ahead: str = "") -> str:
    """An alternation that begins with a character class, which is what a fast scan needs.

    `refuse` are bodies of negative lookbehinds for what may not stand before the word; a word character never may.
    `ahead` is what must follow the first character: a cheap test that spares the alternation.
    """
    by_initial: dict[str, set[str]] = {}
    for word in words:
        by_initial.setdefault(word[0], set()).add(word[1:])
    initials = "[" + "".join(sorted(by_initial)) + "]"
    before = "".join(f"(?<!{body}{initials})" for body in (r"\w", *refuse))
    tails = "|".join(
        f"(?<={re.escape(first)}){_tails(rest)}" for first, rest in sorted(by_initial.items())
    )
    return f"{initials}{before}{f'(?={ahead})' if ahead else ''}(?:{tails})"
