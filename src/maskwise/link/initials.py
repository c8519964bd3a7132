"""Initials before a surname belong to the name, also where a detector found the surname alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from maskwise.text import Document, EntityType, Mention

_INITIALS_BEFORE = re.compile(r"(?<![\w.])(?:[^\W\d_a-z]\.[ -]?){1,3}\Z")


def widen_initials(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions; a surname alone takes the initials before it along: "R. Moe"."""
    widened: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: m.start):
        found = None
        if mention.type is EntityType.PERSON and mention.text.isalpha() and len(mention) > 2:
            found = _INITIALS_BEFORE.search(
                document.text, max(0, mention.start - 12), mention.start
            )
        if found and not any(m.end > found.start() for m in widened[-1:]):
            text = document.text[found.start() : mention.end]
            mention = replace(mention, start=found.start(), text=text, value="")
        widened.append(mention)
    return widened
