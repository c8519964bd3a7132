"""Numbers of identity documents after the word that names the document: passports, identity cards, driving licences."""

from __future__ import annotations

from maskwise.detect.patterns._context import match_after
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

# Five digits at least; up to three letters before, or a British licence of sixteen signs.
_DOCUMENT = (
    r"(?<![\w/])(?:[A-Z]{2,5}9{0,3}[0-9]{6}[A-Z]{1,2}[0-9]?[A-Z]{2,3}"
    r"|[A-Z]{0,3}[ -]?[0-9]{2,4}[ /-]?[0-9]{2,4}[ /-]?[0-9]{1,8}[A-Z]{0,2}"
    r"|[0-9]{2}[A-Z]{2}[0-9]{5}|[A-Z][0-9A-Z]{7,10}|[A-Z][0-9]{3}(?:-[0-9]{3,4}){2,4}(?:-[0-9])?)(?![\w%]|/[0-9]|[.,][0-9])"
)
_PASSPORT = (
    "passports?",
    "passeport",
    "reisepass",
    "pasaporte",
    "passaporto",
    "paspoort",
    "paszport",
    "pasaport",
    "паспорт",
)
_LICENCE = (
    r"driv(?:ing|er'?s?|er’s)[ ]?(?:licen[cs]e|permit)",
    "permis de conduire",
    "führerschein|permiso de conducir|patente di guida|prawo jazdy|rijbewijs|körkort|førerkort|ehliyet",
)
_CARD = (
    "(?:national )?(?:id(?:entity|entification)?)[ -]?(?:card|document|papers?)",
    "personalausweis",
    "residence permit",
    "visa",
)


def _has_digits(surface: str) -> bool:
    return sum(map(str.isdecimal, surface)) >= 5


def _make_rule(name: str, words: tuple[str, ...], triggers: tuple[str, ...]) -> Rule:
    return Rule(
        name=name,
        type=EntityType.CODE,
        regex=match_after(words, _DOCUMENT),
        triggers=triggers,
        opens=True,
        check=_has_digits,
    )


FAMILY = Family(
    name="identity_document",
    rules=(
        # A British licence in groups: "SOUZA 912315 AB9CD 14"
        Rule(
            name="driving_licence",
            type=EntityType.CODE,
            regex=r"(?<![\w-])[A-Z][A-Z9]{4}[ -]?[0-9]{6}[ -]?[A-Z][A-Z9][A-Z0-9][A-Z]{2}(?:[ -]?[0-9]{2})?(?![\w-])",
            triggers=("licen", "dl ", "dl:"),
        ),
        _make_rule(
            "passport",
            _PASSPORT,
            (
                "passport",
                "passeport",
                "reisepass",
                "pasaport",
                "passaporto",
                "paspoort",
                "paszport",
                "паспорт",
            ),
        ),
        _make_rule(
            "driving_licence",
            _LICENCE,
            (
                *(
                    "driv",
                    "permis de conduire",
                    "führerschein",
                    "permiso de conducir",
                    "patente di guida",
                    "prawo jazdy",
                ),
                *("rijbewijs", "körkort", "førerkort", "ehliyet"),
            ),
        ),
        _make_rule(
            "identity_card",
            _CARD,
            (
                "id card",
                "id-card",
                "identity",
                "identification",
                "id document",
                "personalausweis",
                "residence permit",
                "visa",
            ),
        ),
    ),
    positive=(
        ("passport no. N1234567", ("N1234567",)),
        ("Passport number: 533380006", ("533380006",)),
        ("his passport (AB 123456) expired", ("AB 123456",)),
        ("Reisepass Nr. C01X00T47", ("C01X00T47",)),
        ("passeport n° 12AB34567", ("12AB34567",)),
        ("driving licence no. SOUZA912315AB9CD", ("SOUZA912315AB9CD",)),
        ("provisional licence SOUZA 912315 A99CD 14;", ("SOUZA 912315 A99CD 14",)),
        ("driver's license D123-4567-8901", ("D123-4567-8901",)),
        ("Driver’s licence number is 12345678", ("12345678",)),
        ("permis de conduire 990123456789", ("990123456789",)),
        ("Führerschein: B072RRE2I55", ("B072RRE2I55",)),
        ("identity card no. 70-123456", ("70-123456",)),
        ("residence permit A1234567", ("A1234567",)),
    ),
    negative=(
        "his passport expired in 2004",
        "passport 12",
        "N1234567",
        "a driving licence for 12 years",
        "drove 123456 kilometres",
        "passport control in 1998",
        "the visa of 12 May 2003",
    ),
)
