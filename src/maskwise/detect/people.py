"""Reads full names in one case as people, whatever a model takes them for.

In a line of capitals, or of small letters, a model calls "INGRID HAKIMI" an organisation, and a policy that keeps
organisations would print her name. A common given name before another word says who it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from maskwise.detect.codes import has_family
from maskwise.detect.gazetteer.lists import is_given_name
from maskwise.text import EntityType, Mention
from maskwise.text.common_words import COMMON

FULL = range(2, 5)  # words of a full name
_ADDRESS_BELOW = re.compile(r"[ \t]*\n(?=[^\n]{0,40}[0-9])[^\n:=]+(?:\n|\Z)")
_TAKEN_FOR = (EntityType.ORG, EntityType.LOC, EntityType.MISC, EntityType.DEM)


def name_people(mentions: Iterable[Mention]) -> list[Mention]:
    """Makes people of what a model alone found and that reads as a full name in capitals or small letters."""
    return [
        replace(mention, type=EntityType.PERSON) if is_full_name(mention) else mention
        for mention in mentions
    ]


def is_full_name(mention: Mention) -> bool:
    """Whether a guess has one case and begins with a given name, and no word of it is a common one."""
    text = mention.text
    if mention.type not in _TAKEN_FOR or has_family(mention) or mention.certain:
        return False
    if not (text.isupper() or text.islower() or _heads_address(mention)):
        return False
    words = text.lower().replace(".", "").split()
    if len(words) not in FULL or not all(word.replace("-", "").isalpha() for word in words):
        return False
    return is_given_name(words[0].capitalize()) and COMMON.isdisjoint(words)


def _heads_address(mention: Mention) -> bool:
    """Whether it fills a line above a line with a number: "Ana Souza" over "18 rue des Lilas"."""
    text = mention.document.text
    is_line = text[mention.start - 1 : mention.start] in ("", "\n")
    return is_line and _ADDRESS_BELOW.match(text, mention.end) is not None
