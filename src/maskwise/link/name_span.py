"""`NameSpan`: where the name of a protected person stands in a text."""

from __future__ import annotations

from typing import NamedTuple

from maskwise.text import EntityType


class NameSpan(NamedTuple):
    """`[start, end)` holds the name of the protected person with the number `person`.

    If the name is part of an address or an account, the type is CODE and the subtype says which kind.
    """

    start: int
    end: int
    person: int
    type: EntityType = EntityType.PERSON
    subtype: str = ""
