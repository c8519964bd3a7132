"""A detector for LangChain's `PIIMiddleware`: a function from a text to its matches. Needs no library.

PIIMiddleware("maskwise", detector=make_detector("strict"), strategy="redact")
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypedDict

from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer


class DetectedSpan(TypedDict):
    """A match as LangChain expects it."""

    type: str
    value: str
    start: int
    end: int


def make_detector(
    policy: Policy | str = "balanced", only: tuple[str, ...] = ()
) -> Callable[[str], list[DetectedSpan]]:
    """Build the detector of a policy. It finds what the policy masks, or of that only some types.

    >>> detect = make_detector()
    >>> [found["type"] for found in detect("Mr Lee left for Porto.")]
    ['PERSON', 'LOC']
    """
    sanitizer = _load_sanitizer(policy) if isinstance(policy, str) else Sanitizer(policy)

    def detect(text: str) -> list[DetectedSpan]:
        result = sanitizer.sanitize(text)
        kinds = {
            mention.span: entity.type.value
            for entity in result.entities
            if result.plan.by_entity[entity.id].masked
            for mention in entity.mentions
        }
        return [
            DetectedSpan(type=kind, value=text[start:end], start=start, end=end)
            for (start, end), kind in sorted(kinds.items())
            if not only or kind in only
        ]

    return detect


@lru_cache(maxsize=8)
def _load_sanitizer(policy: str) -> Sanitizer:
    return Sanitizer(policy)
