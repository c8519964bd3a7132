"""Small pieces that the patterns of rules are composed of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# Any one space inside an expression, also a single line break, because texts are wrapped. A class of `re` compiles and
# matches far quicker than a set of rare characters.
GAP = r"\s"
# The signs that stand for "to", with the non-breaking hyphen.
DASH = r"[-\u2010-\u2014]"
# Hyphen or space inside a compound: "three-month", "three month".
HYPHEN = r"[\s\u2010\u2011-]"


def join_words(words: Iterable[str]) -> str:
    """An alternation of literals that tries the longer one first, with one branch per first character."""
    groups = _group_by_initial(words).items()
    return "(?:" + "|".join(re.escape(first) + _join_tails(tails) for first, tails in groups) + ")"


def join_any_case(words: Iterable[str]) -> str:
    """The same for words that may begin a sentence, without the cost of a case-insensitive search."""
    groups = _group_by_initial(words).items()
    branches = (f"[{first}{first.upper()}]{_join_tails(tails)}" for first, tails in groups)
    return "(?:" + "|".join(branches) + ")"


def join_for_scan(words: Iterable[str], *refuse: str, ahead: str = "") -> str:
    """An alternation that begins with a character class, which is what a fast scan needs.

    `refuse` are bodies of negative lookbehinds for what may not stand before the word; a word character never may.
    `ahead` must follow the first character: a cheap test that makes trying the alternation rare.
    """
    groups = _group_by_initial(words)
    initials = "[" + "".join(groups) + "]"
    before = "".join(f"(?<!{body}{initials})" for body in (r"\w", *refuse))
    follows = f"(?={ahead})" if ahead else ""
    branches = (f"(?<={re.escape(first)}){_join_tails(tails)}" for first, tails in groups.items())
    return f"{initials}{before}{follows}(?:{'|'.join(branches)})"


def demand_before(*phrases: str, width: int = 0) -> str:
    """Demands one of `phrases` and a space before the last `width` characters, which are already consumed."""
    gap = rf"[ \n\u00a0]{'.' * width}"
    branches = (rf"(?<=\b{re.escape(phrase)}{gap})" for phrase in phrases)
    return "(?:" + "|".join(branches) + ")"


def refuse_before(*phrases: str, width: int = 1) -> str:
    """Refuses a match whose first `width` characters, which are already consumed, follow one of `phrases`."""
    return "".join(f"(?<!{re.escape(phrase)}{'.' * width})" for phrase in phrases)


def _group_by_initial(words: Iterable[str]) -> Mapping[str, set[str]]:
    """The texts that follow each first character, in the order of these characters."""
    groups: dict[str, set[str]] = {}
    for word in words:
        groups.setdefault(word[0], set()).add(word[1:])
    return dict(sorted(groups.items()))


def _join_tails(tails: Iterable[str]) -> str:
    ordered = sorted(tails, key=lambda tail: (-len(tail), tail))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")"
