"""Names the kind of an entity in a word that a reason can use without quoting the text."""

from __future__ import annotations

from maskwise.text.entity import Entity
from maskwise.text.subtypes import CENTURY, DATE, DECADE, YEAR
from maskwise.text.types import EntityType

_KINDS = {
    EntityType.PERSON: "name",
    EntityType.CODE: "code",
    EntityType.LOC: "place",
    EntityType.ORG: "organisation",
    EntityType.QUANTITY: "number",
}
_PLAIN = frozenset(
    (
        "city",
        "region",
        "country",
        "state",
        "age",
        "money",
        "email",
        "phone",
        "phrase",
        "usual_word",
        "small_word",
    )
)


def name_kind(entity: Entity) -> str:
    """The word for an entity in a reason: "year", "place", "occupation", "value".

    >>> from maskwise import sanitize
    >>> [name_kind(entity) for entity in sanitize("Mr Lee came in 1998.").entities]
    ['name', 'year']
    """
    subtype = min(entity.subtypes, default="")
    if entity.type is EntityType.DATETIME:
        return subtype if subtype in (YEAR, DECADE, CENTURY) else DATE
    if subtype and (entity.type is EntityType.DEM or subtype in _PLAIN):
        return subtype.replace("_", " ")
    return _KINDS.get(entity.type, "value")
