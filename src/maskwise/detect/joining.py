"""Joins what stands as one code or one place after overlaps are resolved: "GB53 EDIW 2281", "eastern Ukraine".

A pattern reads the groups of a code that it knows, and a model the others. What is left over between them, such as the
two letters of the country, belongs to the code as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from maskwise.detect.codes import has_family
from maskwise.text import Document, EntityType, Mention
from maskwise.text.domain import Domain, get_domain
from maskwise.text.subtypes import DIGITS

_COUNTRY = re.compile(r"[A-Z]{2}[0-9]{2}")  # the first group of an account number
_HEAD = re.compile(r"(?<![\w-])[A-Z]{2}[0-9]{2} \Z")
_GROUP = re.compile(r"[0-9]{1,4}(?: [0-9]{1,4})*")
_SIDE = re.compile(
    r"(?<![\w-])(?:(?:north|south)-?(?:east|west)?|east|west|central)(?:ern)?[ -]\Z", re.IGNORECASE
)
_LEARNT = (Domain.COURT, Domain.BIOGRAPHY)


def join_parts(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions, sorted and apart, with the groups of a code and the side of a place taken in."""
    joined: list[Mention] = []
    is_read = get_domain(document) not in _LEARNT
    for mention in mentions:
        last = joined[-1] if joined else None
        if last is not None and _is_one_code(last, mention):
            joined[-1] = _widen(last, last.start, mention.end)
            continue
        free = last.end if last is not None else 0
        joined.append(_take_head(mention, free) if is_read else mention)
    return joined


def _is_one_code(left: Mention, right: Mention) -> bool:
    """Whether two codes with a space between them are groups of one."""
    if left.type is not EntityType.CODE or right.type is not EntityType.CODE:
        return False
    if left.certain or right.certain or right.start != left.end + 1:
        return False
    if left.document.text[left.end] != " ":
        return False
    if _COUNTRY.match(left.text):
        return True
    return right.subtype == DIGITS and _GROUP.fullmatch(left.text + " " + right.text) is not None


def _take_head(mention: Mention, free: int) -> Mention:
    """Takes in the country's letters before a code, and the side before a place."""
    if mention.certain:
        return mention
    pattern = {EntityType.CODE: _HEAD, EntityType.LOC: _SIDE}.get(mention.type)
    if pattern is None or (mention.type is EntityType.LOC and has_family(mention)):
        return mention
    text = mention.document.text
    found = pattern.search(text, max(free, mention.start - 16), mention.start)
    return _widen(mention, found.start(), mention.end) if found else mention


def _widen(mention: Mention, start: int, end: int) -> Mention:
    text = mention.document.text[start:end]
    return replace(mention, start=start, end=end, text=text, value="")
