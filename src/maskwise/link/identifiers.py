"""Tells which subtypes name one person by themselves: the table behind `Entity.identifier`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from maskwise.text import EntityType, IdentifierType, Mention
from maskwise.text.subtypes import BIC, CITATION, DIRECT, EMAIL, HANDLE, PHONE

# A subtype is direct when its name stands here, or begins with one of these and an underscore ("phone_international").
_PERSONAL = frozenset(
    (
        DIRECT,
        *(EMAIL, PHONE, "fax", HANDLE, "coordinates"),
        *("iban", "card", "crypto", "bitcoin", "ethereum"),
        *("passport", "driving_licence", "identity_card", "national_id"),
        *("record", "patient", "medical_record"),
        # An application or case number leads to its parties; "no. 12345/06" is read as one.
        *("application", "case", "docket", "numbered"),
    )
)
# A code of any other family belongs to one person or thing. These name a publication or a bank.
_SHARED = frozenset((CITATION, BIC))


@cache
def is_personal(subtype: str, kind: EntityType = EntityType.CODE) -> bool:
    """Whether a subtype names one person wherever it stands.

    >>> is_personal("handle", EntityType.PERSON), is_personal("city", EntityType.LOC), is_personal("pl_pesel")
    (True, False, True)
    """
    if kind is EntityType.CODE and subtype and subtype not in _SHARED:
        return True
    steps = [at for at, char in enumerate(subtype) if char == "_"]
    return subtype in _PERSONAL or any(subtype[:at] in _PERSONAL for at in steps)


def classify_identifier(mentions: Iterable[Mention], protected: bool) -> IdentifierType:
    """Returns DIRECT for a protected person and for what names one person by itself, else QUASI."""
    if protected:
        return IdentifierType.DIRECT
    for mention in mentions:
        if mention.subtype and is_personal(mention.subtype, mention.type):
            return IdentifierType.DIRECT
    return IdentifierType.QUASI
