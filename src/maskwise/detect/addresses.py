"""Makes one of an address that a pattern reads in part and a model sees whole: "12 Elm Rd, London - 423480, India".

A pattern knows the street. What follows it in other orders than it knows, the model sees in one piece. Without this
step the postcode is a number, the town a place of its own, and a policy that keeps countries prints the rest.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from maskwise.text import EntityType, Mention, Provenance
from maskwise.text.subtypes import ADDRESS, DIGITS

_LONG = 120  # characters of an address in one line
_INNER = frozenset((DIGITS, "cardinal", "city", "country", "region", "address_postcode"))
_JOINED = re.compile(r"[\w\s,./'’#()ºª°-]+")


def widen_addresses(mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions, with the addresses of patterns as wide as the places of models that hold them."""
    streets = sorted(
        (m for m in mentions if m.subtype == ADDRESS and m.source == Provenance.PATTERNS),
        key=lambda m: m.start,
    )
    if not streets:
        return list(mentions)
    starts = [m.start for m in streets]
    wide: dict[Mention, Mention] = {}
    for guess in mentions:
        if not _is_whole(guess):
            continue
        at = bisect_left(starts, guess.start)
        if at == len(streets) or streets[at].end >= guess.end:
            continue
        if streets[at].start - guess.start < 8:
            street = streets[at]
            wide[street] = replace(
                street, start=guess.start, end=guess.end, text=guess.text, value=""
            )
    spans = [one.span for one in wide.values()]
    return [wide.get(m, m) for m in mentions if m in wide or not _is_inner(m, spans)]


def _is_whole(guess: Mention) -> bool:
    """Whether it is a place of a model that is written as an address in one line."""
    if guess.source != Provenance.NEURAL or guess.type is not EntityType.LOC:
        return False
    is_line = "\n" not in guess.text and "  " not in guess.text and "\t" not in guess.text
    return is_line and len(guess) < _LONG and _JOINED.fullmatch(guess.text) is not None


def _is_inner(mention: Mention, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a number or a place is part of a wide address."""
    if mention.certain or mention.subtype not in _INNER:
        return False
    return any(start <= mention.start and mention.end <= end for start, end in spans)
