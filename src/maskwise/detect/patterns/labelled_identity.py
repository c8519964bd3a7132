"""Numbers of people after their label, whatever the number looks like: national, tax, health, passports, licences.

A family with a check digit knows a number by itself; here the label alone decides, so that a number with a slip of the
pen, of an unknown scheme or in small letters is found too.
"""

from __future__ import annotations

from functools import partial

from maskwise.detect.patterns._labels import (
    ANNOUNCED_GAP,
    CODE,
    GAP,
    STRICT,
    is_code,
    list_literals,
    match_labelled,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_NATIONAL = (
    *("ss#", "ss no", "ss number"),
    *(
        "ssn",
        "social[ _-]?security",
        "soc[ _-]?sec",
        "national[ _-]?insurance",
        "nino",
        "ni no",
        "ni number",
        "nhs",
    ),
    *(
        "tax[ _-]?id",
        "tax[ _-]?payer[ _-]?id",
        "tax number",
        "tax no",
        "tax ref",
        "tax file",
        "tax identification",
    ),
    *(
        "itin",
        "fein",
        "ein",
        "tfn",
        "utr",
        "npi",
        "upin",
        "mbi",
        "hicn",
        "medicare",
        "medicaid",
        "aadhaar",
        "nric",
    ),
    *(
        "pesel",
        "personnummer",
        "fødselsnummer",
        "fodselsnummer",
        "cpf",
        "curp",
        "jmbg",
        "amka",
        "hkid",
        "bsn",
    ),
    *(
        "national[ _-]?id",
        "national identity",
        "national identification",
        "identity number",
        "identity no",
    ),
    *(
        "citizen[ _-]?id",
        "citizenship no",
        "alien[ _-]?registration",
        "alien number",
        "alien no",
        "a-number",
        "uscis",
    ),
    *(
        "personal[ _-]?code",
        "personal[ _-]?number",
        "personal[ _-]?id",
        "id[ _-]?number",
        "id[ _-]?no",
        "dea number",
    ),
)
# Words of the language, or of other trades: "RFC 2616", "CPR was given".
_NATIONAL_WEAK = tuple(
    "sin tin fin pan dea dni nie nif cpr rfc cnp vat oib egn afm abn ird pps ppsn id".split()
)
_HEALTH = (
    *(
        "mrn",
        "medical[ _-]?record",
        "med[ _-]?rec",
        "mr#",
        "mr no",
        "patient[ _-]?id",
        "patient number",
        "patient no",
    ),
    *(
        "hospital[ _-]?no",
        "hospital[ _-]?number",
        "hospital[ _-]?id",
        "chart[ _-]?no",
        "chart[ _-]?number",
        "chart #",
    ),
    *(
        "health[ _-]?plan",
        "health plan beneficiary",
        "health[ _-]?insurance",
        "health[ _-]?card",
        "member[ _-]?id",
        "member[ _-]?number",
    ),
    *(
        "member[ _-]?no",
        "subscriber[ _-]?id",
        "subscriber[ _-]?no",
        "subscriber number",
        "beneficiary[ _-]?id",
    ),
    *(
        "beneficiary no",
        "beneficiary number",
        "insurance[ _-]?id",
        "insurance no",
        "insurance number",
        "group no",
    ),
    *(
        "group number",
        "accession[ _-]?no",
        "accession number",
        "specimen[ _-]?id",
        "encounter[ _-]?id",
        "visit[ _-]?id",
    ),
    *("prescription no", "prescription number", "rx[ _-]?no", "rx number", "rx #"),
)
_PASSPORT = (
    "passport",
    "pass-port",
    "travel document",
    "pasaporte",
    "reisepass",
    "passeport",
    "id card",
    "identity card",
    "dowód osobisty",
    "dowodu osobistego",
    "dowodu",
    "personalausweis",
    "ausweisnummer",
    "carte d'identité",
    "carte d’identité",
    "carta d'identità",
    "carta d’identità",
    "documento de identidad",
    "občanský průkaz",
    "identiteitskaart",
    "bilhete de identidade",
    "cartão de cidadão",
    "buletin",
    "nüfus cüzdanı",
)
_LICENCE = (
    *(
        "driver's license",
        "driver’s license",
        "driver's licence",
        "driver’s licence",
        "drivers license",
    ),
    *(
        "drivers licence",
        "driver license",
        "driver licence",
        "driving license",
        "driving licence",
        "driver_license",
    ),
    *(
        "drivers_license",
        "dl no",
        "dl number",
        "dl#",
        "dl #",
        "dln",
        "driverslicense",
        "driverlicense",
    ),
    *(
        "professional license",
        "professional licence",
        "medical license",
        "medical licence",
        "nursing license",
    ),
    *(
        "license number",
        "licence number",
        "license no",
        "licence no",
        "license #",
        "licence #",
        "license id",
    ),
    *("permit number", "permit no", "visa number", "visa no", "green card"),
)
_LICENCE_WEAK = ("dl", "lic", "license", "licence", "permit", "visa")

_SPACED = r"(?<!\w)[0-9]{3}[ ][0-9]{2}[ ][0-9]{4}(?!\w)"  # the last group is no year


def _make_rule(
    name: str, words: tuple[str, ...], gap: str = GAP, value: str = CODE, least: int = 4
) -> Rule:
    return Rule(
        name=name,
        type=EntityType.CODE,
        regex=match_labelled(words, value, gap),
        triggers=list_literals(words),
        opens=True,
        score=0.85,
        check=partial(is_code, least=least),
    )


FAMILY = Family(
    name="labelled_identity",
    rules=(
        _make_rule("national_id_labelled", _NATIONAL, value=_SPACED),
        _make_rule("national_id_labelled", _NATIONAL),
        _make_rule("national_id_labelled", _NATIONAL_WEAK, ANNOUNCED_GAP, CODE, 5),
        _make_rule("medical_record_labelled", _HEALTH, least=3),
        _make_rule("passport_labelled", _PASSPORT, GAP, STRICT, 5),
        _make_rule("driving_licence_labelled", _LICENCE, least=5),
        _make_rule("driving_licence_labelled", _LICENCE_WEAK, ANNOUNCED_GAP, CODE, 5),
        _make_rule(
            "driving_licence_labelled",
            _LICENCE_WEAK,
            r"(?![^\W\d_])\.?[ ](?:(?i:is)[ ])?",
            STRICT,
            5,
        ),
    ),
    positive=(
        ("SSN: 999-22-8726", ("999-22-8726",)),
        ("my ssn is 999 22 8726 ok", ("999 22 8726",)),
        ("ssn=999228726", ("999228726",)),
        ("SSN | 999-22-8726", ("999-22-8726",)),
        ("Social Security Number   999-22-8726", ("999-22-8726",)),
        ("ssn ending in 8726", ("8726",)),
        ("NHS no. 999 123 4567", ("999 123 4567",)),
        ("tax ID 99-1234567 was", ("99-1234567",)),
        ("EIN 99-7654321, NPI 1999999999", ("99-7654321", "1999999999")),
        ("DEA: AB1234563", ("AB1234563",)),
        ("MRN 00471123", ("00471123",)),
        ("mrn=ab-471123;", ("ab-471123",)),
        ('"patientMrn": "471123"', ("471123",)),
        ("Medical record number: MR-00-471123", ("MR-00-471123",)),
        ("Health plan beneficiary no. HP 4711 2390", ("HP 4711 2390",)),
        ("member id xyz-99812 is active", ("xyz-99812",)),
        ("Passport: IE-P9912345", ("IE-P9912345",)),
        ("passport number p9912345", ("p9912345",)),
        ("dowód osobisty ABC 123456", ("ABC 123456",)),
        ("Driver's license US-DL-D1234567", ("US-DL-D1234567",)),
        ("DL: d123-4567-8901", ("d123-4567-8901",)),
        ("licence B1234567 expired", ("B1234567",)),
        ("DL IS WX-1983-81", ("WX-1983-81",)),
        ("Medicare no. 1AB2-CD3-EF45", ("1AB2-CD3-EF45",)),
        ("<ssn>999-22-8726</ssn>", ("999-22-8726",)),
        ("**MRN:** 471123", ("471123",)),
    ),
    negative=(
        "social security reform of 1998",
        "CPR was given at 12:30",
        "RFC 2616 and RFC 2822",
        "a licence for 12 years",
        "medicare paid 500 dollars",
        "the passport of 12 May 2003",
        "health insurance in 2004",
        "health plan 2020-01-31",
        "licence in 20 countries",
        "a sin, 12345 times",
        "NHS spending rose 12.5 per cent",
        "SSN: unknown",
    ),
)
