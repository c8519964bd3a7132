"""The form of a reversible pseudonym: [PERSON 7F3A91C2], and [PERSON 7F3A91C2.2] for its second wording."""

from __future__ import annotations

import re

from maskwise.text import EntityType

TOKEN = re.compile(rf"\[({'|'.join(EntityType)}) ([0-9A-F]{{8,64}})(?:\.([1-9][0-9]*))?\]")


def write_token(kind: EntityType, tag: str, wording: int) -> str:
    """
    >>> write_token(EntityType.PERSON, "7F3A91C2", 2)
    '[PERSON 7F3A91C2.2]'
    """
    return f"[{kind} {tag}]" if wording == 1 else f"[{kind} {tag}.{wording}]"
