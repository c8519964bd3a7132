"""Masks what goes into a prompt and restores it in the answer. Depends on no framework."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping

from maskwise.api import sanitize
from maskwise.mask import apply_replacements


def redact(
    text: str, mapping: MutableMapping[str, str] | None = None, *, policy: str = "balanced"
) -> str:
    """Mask the personal information in a text. Adds what each placeholder stands for to `mapping`.

    One mapping serves a whole conversation: a known text keeps its placeholder, and no number is used twice.

    >>> known = {}
    >>> redact("Mr Lee left.", known), restore("Where is [PERSON 1]?", known)
    ('[PERSON 1] left.', 'Where is Mr Lee?')
    """
    result = sanitize(text, policy=policy)
    if mapping is None:
        return result.text
    placeholders = {original: placeholder for placeholder, original in mapping.items()}
    spans = []
    for entity in result.entities:
        if result.plan.by_entity[entity.id].masked:
            original = entity.longest.text
            if original not in placeholders:
                used = sum(key.startswith(f"[{entity.type} ") for key in mapping)
                placeholders[original] = f"[{entity.type} {used + 1}]"
                mapping[placeholders[original]] = original
            spans += [(m.start, m.end, placeholders[original]) for m in entity.mentions]
    masked, _ = apply_replacements(text, sorted(spans))
    return masked


def restore(text: str, mapping: Mapping[str, str]) -> str:
    """Replace every placeholder of the mapping by what it stands for."""
    if not mapping:
        return text
    pattern = "|".join(map(re.escape, mapping))
    return re.sub(pattern, lambda found: mapping[found[0]], text)
