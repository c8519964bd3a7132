"""Which things by their nature belong to one person: the table behind `Entity.identifier`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from maskwise.text import EntityType, IdentifierType, Mention

# A subtype is direct when its name stands here, or begins with one of these and an underscore ("phone_international").
DIRECT = frozenset(
    (
        "direct",  # the model says that it names the person the text is about
        *("email", "phone", "fax", "handle", "coordinates"),
        *("iban", "card", "crypto", "bitcoin", "ethereum"),
        *("passport", "driving_licence", "identity_card", "national_id"),
        *("record", "patient", "medical_record"),
        # An application or case number leads to its parties; "no. 12345/06" is read as one.
        *("application", "case", "docket", "numbered"),
    )
)
_NATIONAL = re.compile(r"[a-z]{2}_\w")  # schemes of countries: "no_fodselsnummer", "us_ssn"


@cache
def by_nature(subtype: str, kind: EntityType = EntityType.CODE) -> bool:
    """Whether a subtype names one person wherever it stands.

    >>> by_nature("passport_number"), by_nature("passage"), by_nature("pl_pesel")
    (True, False, True)
    """
    if kind is EntityType.CODE and _NATIONAL.match(subtype):
        return True
    steps = [at for at, char in enumerate(subtype) if char == "_"]
    return subtype in DIRECT or any(subtype[:at] in DIRECT for at in steps)


def identifier_of(mentions: Iterable[Mention], protected: bool) -> IdentifierType:
    """DIRECT for the protected and for what belongs to one person by nature, else QUASI."""
    if protected:
        return IdentifierType.DIRECT
    for mention in mentions:
        if mention.subtype and by_nature(mention.subtype, mention.type):
            return IdentifierType.DIRECT
    return IdentifierType.QUASI
