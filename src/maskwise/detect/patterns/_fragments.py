"""Small pieces that rules are composed of."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Any one space inside an expression; a single line break too, because texts are wrapped.
GAP = r"[ \t\n\u00a0\u2009\u202f]"
# The signs that stand for "to", with the non-breaking hyphen.
DASH = r"[-\u2010\u2011\u2012\u2013\u2014]"
# Hyphen or space inside a compound: "three-month", "three month".
HYPHEN = r"[ \u00a0\u2010\u2011-]"


def either(words: Iterable[str]) -> str:
    """An alternation in which the longer word is tried first."""
    return "(?:" + "|".join(re.escape(w) for w in sorted(set(words), key=lambda w: (-len(w), w))) + ")"


def any_case(words: Iterable[str]) -> str:
    """The same in lower case, as a title and in capitals, without the price of a case-insensitive search."""
    return either(form for w in words for form in (w, w[:1].upper() + w[1:], w.upper()))


def not_after(*phrases: str, width: int = 1) -> str:
    """Refuses a match whose first `width` characters, already consumed, follow one of `phrases`."""
    return "".join(f"(?<!{re.escape(phrase)}{'.' * width})" for phrase in phrases)


def led(words: Iterable[str], *refuse: str) -> str:
    """An alternation that begins with a character class, which is what a fast scan needs.

    `refuse` are bodies of negative lookbehinds for what may not stand before the word; a word character never may.
    """
    by_initial: dict[str, set[str]] = {}
    for word in words:
        by_initial.setdefault(word[0], set()).add(word[1:])
    initials = "[" + "".join(sorted(by_initial)) + "]"
    before = "".join(f"(?<!{body}{initials})" for body in (r"\w", *refuse))
    tails = "|".join(f"(?<={re.escape(initial)}){either(rest)}" for initial, rest in sorted(by_initial.items()))
    return f"{initials}{before}(?:{tails})"
