"""`sanitize`: masks one text in one call."""

from __future__ import annotations

from functools import lru_cache

from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person


@lru_cache(maxsize=8)
def _load_sanitizer(policy: str) -> Sanitizer:
    return Sanitizer(policy)


def sanitize(
    text: str, *, protect: str | tuple[str, ...] = (), policy: Policy | str = "balanced"
) -> Result:
    """Sanitise a text.

    >>> sanitize("Ana Souza phoned Mr Lee.", protect="Ana Souza").text
    '[PERSON 1] phoned [PERSON 2].'
    """
    names = (protect,) if isinstance(protect, str) else protect
    document = Document(text, protected=tuple(Person(name) for name in names))
    sanitizer = _load_sanitizer(policy) if isinstance(policy, str) else Sanitizer(policy)
    return sanitizer.sanitize(document)
