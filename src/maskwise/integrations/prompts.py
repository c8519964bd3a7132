"""Masks what goes into a prompt, and puts it back into the answer. Depends on no framework."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping

from maskwise.api import sanitize
from maskwise.mask import apply


def redact(text: str, mapping: MutableMapping[str, str] | None = None, *, policy: str = "balanced") -> str:
    """The text with personal information masked. A `mapping` is filled with what each placeholder stands for.

    One mapping serves a whole conversation: a text that it knows keeps its placeholder, and no number is used twice.

    >>> known = {}
    >>> redact("Mr Lee left.", known), restore("Where is [PERSON 1]?", known)
    ('[PERSON 1] left.', 'Where is Mr Lee?')
    """
    result = sanitize(text, policy=policy)
    if mapping is None:
        return result.text
    places = {original: placeholder for placeholder, original in mapping.items()}
    spans = []
    for entity in result.entities:
        if result.plan.by_entity[entity.id].masked:
            original = entity.longest.text
            if original not in places:
                used = sum(key.startswith(f"[{entity.type} ") for key in mapping)
                places[original] = f"[{entity.type} {used + 1}]"
                mapping[places[original]] = original
            spans += [(m.start, m.end, places[original]) for m in entity.mentions]
    return apply(text, sorted(spans))[0]


def restore(text: str, mapping: Mapping[str, str]) -> str:
    """The text with every placeholder of the mapping written out again."""
    if not mapping:
        return text
    return re.sub("|".join(map(re.escape, mapping)), lambda found: mapping[found[0]], text)
