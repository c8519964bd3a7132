"""Translates between our types and subtypes and the names of Presidio. Needs no library."""

from __future__ import annotations

from collections.abc import Mapping

from maskwise.text import EntityType, Mention

# Types without a name in Presidio keep ours: CODE, DEM, QUANTITY, MISC.
TYPES: Mapping[EntityType, str] = {
    **{kind: kind.value for kind in EntityType},
    EntityType.LOC: "LOCATION",
    EntityType.ORG: "ORGANIZATION",
    EntityType.DATETIME: "DATE_TIME",
}
# Subtypes that mean the same as a name of Presidio. They take precedence over the type.
SUBTYPES: Mapping[str, str] = {
    "age": "AGE",
    **dict.fromkeys(("nationality", "ethnicity", "religion"), "NRP"),
    **dict.fromkeys(("email", "email_quoted", "email_spelt"), "EMAIL_ADDRESS"),
    **dict.fromkeys(
        (
            "phone",
            "phone_bare",
            "phone_international",
            "phone_labelled",
            "phone_short",
            "phone_spoken",
            "phone_words",
        ),
        "PHONE_NUMBER",
    ),
    **dict.fromkeys(("url", "url_bare", "url_local", "url_remote", "url_www"), "URL"),
    **dict.fromkeys(("ipv4", "ipv6"), "IP_ADDRESS"),
    **dict.fromkeys(("mac", "mac_dotted", "mac_hyphen", "mac_labelled"), "MAC_ADDRESS"),
    **dict.fromkeys(("iban", "iban_labelled", "iban_lower"), "IBAN_CODE"),
    **dict.fromkeys(("bitcoin", "bitcoin_bech32", "ethereum"), "CRYPTO"),
    "card": "CREDIT_CARD",
    "uuid": "UUID",
    "au_medicare": "AU_MEDICARE",
    "au_tfn": "AU_TFN",
    "ca_sin": "CA_SIN",
    "de_idnr": "DE_TAX_ID",
    "es_dni": "ES_NIF",
    "es_nie": "ES_NIE",
    "fi_hetu": "FI_PERSONAL_IDENTITY_CODE",
    "gb_nhs": "UK_NHS",
    "gb_nino": "UK_NINO",
    "in_aadhaar": "IN_AADHAAR",
    "in_pan": "IN_PAN",
    "it_codice_fiscale": "IT_FISCAL_CODE",
    "kr_rrn": "KR_RRN",
    "pl_pesel": "PL_PESEL",
    "se_personnummer": "SE_PERSONNUMMER",
    "sg_nric": "SG_NRIC_FIN",
    "th_pin": "TH_TNIN",
    "tr_kimlik": "TR_NATIONAL_ID",
    "us_itin": "US_ITIN",
    "us_ssn": "US_SSN",
    "za_id": "ZA_ID_NUMBER",
}
ENTITIES = tuple(dict.fromkeys([*TYPES.values(), *SUBTYPES.values()]))
# Names of Presidio that say more than we know, such as a country: who asks for one gets these subtypes.
WIDER: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("US_PASSPORT", "UK_PASSPORT", "IN_PASSPORT", "IT_PASSPORT", "ES_PASSPORT", "DE_PASSPORT"),
        ("passport", "passport_labelled"),
    ),
    **dict.fromkeys(
        ("US_DRIVER_LICENSE", "IT_DRIVER_LICENSE", "UK_DRIVING_LICENCE"),
        ("driving_licence", "driving_licence_labelled"),
    ),
    "IT_IDENTITY_CARD": ("identity_card",),
    "US_BANK_NUMBER": ("record_labelled", "digits"),
    "MEDICAL_LICENSE": ("medical_record_labelled", "record_labelled"),
}


def choose_name(m: Mention) -> str:
    """The name of Presidio for a mention: by its subtype, else by its type."""
    return SUBTYPES.get(m.subtype, TYPES[m.type])


def choose_asked_name(m: Mention, asked: frozenset[str] | None) -> str | None:
    """The name under which a mention is given to somebody who asked for some names; None if for others.

    Without names, everything is asked for.
    """
    name = choose_name(m)
    if asked is None or name in asked:
        return name
    return next((each for each in sorted(asked) if m.subtype in WIDER.get(each, ())), None)
