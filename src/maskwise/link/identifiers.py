"""Which things by their nature belong to one person: the table behind `Entity.identifier`."""

from __future__ import annotations

from collections.abc import Iterable

from maskwise.text import IdentifierType, Mention

# A subtype is direct when one of these is its name, or begins its name up to an underscore ("passport_number").
DIRECT = frozenset(
    {
        "email",
        "phone",
        "fax",
        "iban",
        "card",
        "payment_card",
        "credit_card",
        "passport",
        "driving_licence",
        "identity_card",
        "national_id",
        "national_identifier",
        "tax_id",
        "ssn",
        "handle",
        "crypto",
        "bitcoin",
        "ethereum",
        "wallet",
        "patient",
        "record_number",
        "medical_record",
        "application_number",
        "case_number",
        "docket",
    }
)


def by_nature(subtype: str) -> bool:
    """Whether a subtype names one person wherever it stands.

    >>> by_nature("passport_number"), by_nature("passage")
    (True, False)
    """
    if subtype in DIRECT:
        return True
    head = subtype
    while "_" in head:
        head = head.rpartition("_")[0]
        if head in DIRECT:
            return True
    return False


def identifier_of(mentions: Iterable[Mention], protected: bool) -> IdentifierType:
    direct = protected or any(by_nature(subtype) for subtype in {m.subtype for m in mentions} if subtype)
    return IdentifierType.DIRECT if direct else IdentifierType.QUASI
