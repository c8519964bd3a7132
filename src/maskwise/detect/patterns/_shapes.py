"""Pieces that name-like patterns share: Unicode capitals, capitalised words, initials, particles, word lists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from maskwise.text.word_lists import read_words


def match_one_of(words: Iterable[str]) -> str:
    """A pattern for any of `words`, the longest first. It branches at the first letter, so that a miss is cheap.

    >>> match_one_of(["Mr", "Mrs", "Dr"])
    '(?:Dr|M(?:rs|r))'
    """
    arms = []
    for head, group in groupby(sorted(set(words)), key=lambda word: word[:1]):
        tails = [re.escape(word[1:]) for word in sorted(group, key=len, reverse=True)]
        arms.append(re.escape(head) + (tails[0] if len(tails) == 1 else f"(?:{'|'.join(tails)})"))
    return f"(?:{'|'.join(arms)})"


def _build_ranges(codes: Iterable[int]) -> str:
    """The inside of a character class for `codes`, sorted."""
    runs: list[list[int]] = []
    for code in codes:
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(chr(a) if a == b else f"{chr(a)}-{chr(b)}" for a, b in runs)


# Capital letters of the Latin, Greek, Cyrillic and Armenian scripts: `re` has no class for them.
_CAPITALS = [c for c in (*range(0x41, 0x588), *range(0x1E00, 0x1F00)) if chr(c).isupper()]
UPPER = _build_ranges(_CAPITALS)
# Most texts have no other capitals than these, and nearly all others none beside the Latin ones. Both compile in a
# fraction of the time.
WESTERN = _build_ranges(c for c in _CAPITALS if c < 0x100)
LATIN = _build_ranges(c for c in _CAPITALS if c < 0x180)
BEYOND_WESTERN = _build_ranges(c for c in _CAPITALS if c >= 0x100)
BEYOND_LATIN = _build_ranges(c for c in _CAPITALS if c >= 0x180)
LETTER = r"[\w\u0300-\u036f]"  # also letters whose accent is a code point of its own

# "Smith", "O'Neill", "Garcia-Lopez", "PETROV", "X"; a possessive "'s" stays outside.
CAP = rf"[{UPPER}]{LETTER}{{0,40}}+(?:(?:[-‐‑](?=[{UPPER}])|['’ʼ](?!s\b)){LETTER}{{1,40}}+){{0,5}}+"
# "J.", "J.-P.", "A.B.", "Yu."
INITIALS = rf"[{UPPER}][a-z]?\.(?:[-‐‑]?[{UPPER}][a-z]?\.){{0,5}}+"
SPACE = "[ \u00a0]"
GAP = rf"(?:{SPACE}{{1,4}}+\n?|\n){SPACE}{{0,4}}+"  # a space, or the break of a wrapped line

PARTICLES = (
    "van der|van den|van de|van|von der|von und zu|von|vom|vander|de la|de las|de los|de|del|della|dello|degli|di|da|"
    "dos|das|do|du|des|la|le|el|al|bin|bint|ibn|ben|abu|ould|ter|ten|op de|in 't|'t|af|av|zu|zum|zur|y|e|i|und zu"
).split("|")
PARTICLE = (
    rf"(?:{match_one_of(PARTICLES)}{SPACE}|(?:[dlD]['’]|(?:[ae][lzsnr]|ul|ud|as)[-‐])(?=[{UPPER}]))"
)

# Capitalised only because a sentence begins with them.
STARTERS = read_words("sentence_starters")
STARTER = rf"{match_one_of(STARTERS)}(?!{LETTER})"

# What may follow a title: "Ivan Petrov", "J.-P. Costa", "van der Berg", "X". A line may break after an initial or a
# particle, and a word that begins the next sentence is no surname: "Mr X. The".
NAME = (
    rf"(?:{PARTICLE}){{0,3}}+(?:{INITIALS}|{CAP})"
    rf"(?:(?:(?<=\.){GAP}(?!{STARTER})|(?<!\.){SPACE})(?:{PARTICLE}){{0,3}}+(?:{INITIALS}|{CAP})){{0,5}}"
)
POSTNOMINAL = (
    r"(?:,? (?:Q\.?C\.?|K\.?C\.?|M\.?D\.?|Ph\.?D\.?|Jr\.?|Sr\.?|Esq\.?|II|III|IV|MP|MEP|OBE|CBE|MBE|S\.?C\.?|"
    r"LL\.?[BM]\.?"
    r"|M\.?A\.?|B\.?A\.?|B\.?Sc\.?|M\.?Sc\.?|R\.?N\.?|J\.?D\.?|M\.?B\.?A\.?|S\.?J\.?)(?!\w))*+"
)


def _build_arms(words: Iterable[str]) -> dict[str, str]:
    """One pattern per first letter of `words`, for what follows that letter."""
    arms = {}
    for head, group in groupby(sorted(set(words)), key=lambda word: word[0]):
        tails = match_one_of(word[1:] for word in group)
        arms[head] = f"(?<={re.escape(head)}){tails}"
    return arms


def match_leading(words: Iterable[str]) -> str:
    """Like `match_one_of`, for whole words that begin a pattern.

    The pattern begins with a character class, which scans fast (see `Rule`).
    """
    arms = _build_arms(words)
    heads = "[" + "".join(map(re.escape, arms)) + "]"
    return f"{heads}(?<!\\w{heads})(?:{'|'.join(arms.values())})"


def refuse_leading(words: Iterable[str]) -> str:
    """A pattern that stands after the first letter of a word and refuses each of `words`."""
    return f"(?!(?:{'|'.join(_build_arms(words).values())})(?!{LETTER}))"
