"""Telephone numbers: international with a plus sign, others after a word such as "tel."; a bare number is none.

A number counts if it is possible (right country code and length, by the phonenumbers library), in use or not: a
number with a slip of the pen still belongs to somebody.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from maskwise.detect.patterns._context import expand_each, match_after
from maskwise.detect.patterns._labels import GAP, match_labelled
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import PHONE

_WORDS = (
    r"tel(?:ephone|efon|éfono|efono|efone|efoon|efax)?",
    r"t[ée]l[ée]phone|tél",
    r"(?:cell|mobile|smart)?phones?",
    r"mobile|cell|mobil|mob|handy|portable|celular|móvil|cellulare",
    r"fax|telefax|call|dial|sms|text|whatsapp|viber|signal|hotline|extension|puhelin|telefonnummer|тел(?:ефон)?|моб",
)
_TRIGGERS = (
    *(
        "tel.",
        "tel:",
        "tel ",
        "tel+",
        "tel(",
        "telep",
        "telef",
        "teléf",
        "tél",
        "phone",
        "smartphone",
        "mobil",
        "mob.",
        "mob:",
    ),
    *(
        "handy",
        "cell",
        "celular",
        "móvil",
        "portable",
        "fax",
        "call",
        "dial",
        "sms",
        "text ",
        "whatsapp",
        "viber",
        "signal",
    ),
    *("hotline", "puhelin", "тел", "моб"),
)
# Digit by digit with at most one sign or bracket between two, so that no input is tried in two ways.
_DIGITS = r"[0-9](?:(?:[ ]?[-./–][ ]?|[ ]?\(|\)[ ]?|[ ])?[0-9])"
_NATIONAL = rf"(?!(?<=\()[0-9]{{1,5}}\))(?:\((?=[0-9]{{1,5}}\))0?)?{_DIGITS}{{5,14}}+"
_EXTENSION = r"(?:[ ]?(?:ext\.?|extension|x)[ ]?[0-9]{1,6}\b)?"
_LABELS = (
    *(
        "tel(?:e(?:phone|fon|fax))?",
        "(?:cell|mobile|smart|home|work|office)?[ _-]?phones?",
        "ph",
        "fax(?:es)?",
        "mob(?:ile)?",
    ),
    *(
        "cell",
        "pager",
        "beeper",
        "hotline",
        "whats[ ]?app",
        "sms",
        "contact(?:[ _-]?(?:no|number))?",
        "call(?:er)?",
        "dial",
    ),
    *(
        "callback",
        "switchboard",
        "ext(?:ension)?",
        "handy",
        "telefon(?:nummer)?",
        "mobil",
        "tlf",
        "phone[ _-]?number",
    ),
)
# A number as it is written for calling, at least six digits; a date or an amount is none.
_WRITTEN = (
    r"(?<![\w.,+])(?!(?<=\()[0-9]{1,5}\))(?![0-9]{1,2}[./-][0-9]{1,2}[./-](?:19|20)?[0-9]{2}(?![0-9-]))(?!(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9])"
    rf"(?:\+[ ]?)?(?:\([0-9]{{1,5}}\)[ ]?[-.]?[ ]?)?{_DIGITS}{{4,14}}+{_EXTENSION}(?![\w%:]|[.,][0-9])"
)
# "call her on", "fax it to", "reached at", "my number is"
_SPOKEN = (
    r"(?:(?i:call|called|calls|ring|rang|phone|phoned|text|texted|fax|faxed|dial|reach|reached|reachable|contact|message)"
    r"(?:[ ][\w'’]{1,20}){0,4}?[ ](?i:on|at|to|via|under|is|:)|(?i:number|mobile|cell|line)(?:[ ](?i:is|was)|:))"
    r"[ ]{1,3}"
)
# Numbers of these countries cover all lengths and trunk prefixes in use.
_REGIONS = ("US", "GB", "FR", "DE", "NO", "IT")


@cache
def _load_library():  # type: ignore[no-untyped-def]
    """Imported at first use: its metadata takes time, and few texts hold telephone numbers."""
    import phonenumbers

    return phonenumbers


@lru_cache(maxsize=256)  # a number is checked, then written in one form
def _parse_number(surface: str, region: str | None) -> Any:
    """The number as the library reads it; None where it reads none."""
    library = _load_library()
    try:
        return library.parse(surface, region)
    except library.NumberParseException:
        return None


def _is_possible(surface: str, region: str | None = None) -> bool:
    number = _parse_number(surface, region)
    return number is not None and bool(_load_library().is_possible_number(number))


def _is_possible_somewhere(surface: str) -> bool:
    digits = sum(map(str.isdecimal, surface))
    return 6 <= digits <= 15 and any(_is_possible(surface, region) for region in _REGIONS)


def _format_e164(surface: str) -> str:
    library = _load_library()
    number = _parse_number(surface, None)
    return str(library.format_number(number, library.PhoneNumberFormat.E164))


def _has_digits(surface: str) -> bool:
    return 6 <= sum(map(str.isdecimal, surface)) <= 20


FAMILY = Family(
    name="phone",
    rules=(
        Rule(
            name="phone_international",
            type=EntityType.CODE,
            regex=rf"\+(?<![\w+].)[ ]?(?=[1-9]){_DIGITS}{{6,14}}+{_EXTENSION}(?!\w)",
            triggers=("+",),
            opens=True,
            score=0.95,
            check=_is_possible,
            certain=True,
            value=_format_e164,
        ),
        Rule(
            name=PHONE,
            type=EntityType.CODE,
            regex=match_after(
                _WORDS,
                rf"{_NATIONAL}{_EXTENSION}(?:(?:[ ]?[,;/&]|[ ](?:and|or|und|et|y|e))[ ]{_NATIONAL}){{0,3}}",
            )
            + r"(?![\w%/:]|[.,][0-9])",
            triggers=_TRIGGERS,
            opens=True,
            check=_is_possible_somewhere,
            expand=expand_each(_NATIONAL + _EXTENSION),
        ),
        Rule(
            name="phone_labelled",
            type=EntityType.CODE,
            regex=match_labelled(_LABELS, _WRITTEN, GAP),
            triggers=(
                *(
                    "tel",
                    "cell",
                    "mobile",
                    "smart",
                    "home phone",
                    "work phone",
                    "office phone",
                    "phone",
                    "ph:",
                    "ph ",
                    "ph.",
                ),
                *(
                    "fax",
                    "mob",
                    "pager",
                    "beeper",
                    "hotline",
                    "whatsapp",
                    "whats app",
                    "sms",
                    "contact",
                    "call",
                    "dial",
                ),
                *(
                    "switchboard",
                    "ext",
                    "handy",
                    "mobil",
                    "tlf",
                    "ph=",
                    "ph|",
                    "ph\t",
                    "home_phone",
                    "work_phone",
                ),
            ),
            opens=True,
            score=0.85,
            check=_has_digits,
        ),
        Rule(
            name="phone_spoken",
            type=EntityType.CODE,
            regex=rf"(?<![^\W_]){_SPOKEN}(?P<m>{_WRITTEN})",
            triggers=(
                *(
                    "call",
                    "ring ",
                    "rang ",
                    "phone",
                    "text",
                    "fax",
                    "dial",
                    "reach",
                    "contact",
                    "message",
                    "number is",
                ),
                *(
                    "number was",
                    "number:",
                    "mobile is",
                    "mobile:",
                    "cell is",
                    "cell:",
                    "line is",
                    "line:",
                ),
            ),
            opens=True,
            check=lambda surface: sum(map(str.isdecimal, surface)) >= 7,
        ),
        Rule(
            name="phone_short",
            type=EntityType.CODE,
            regex=r"(?<![^\W_])(?i:pager|beeper|bleep|ext|extension)\b\.?(?:[ ](?i:no\.?|number|is|#)){0,2}[ :.#=]{1,3}"
            r"(?!(?:19|20)[0-9]{2}(?![\w-]))(?P<m>[0-9]{3,6})(?![\w%]|[.,:/-][0-9])",
            triggers=("pager", "beeper", "bleep", "ext.", "ext ", "ext:", "extension "),
            opens=True,
        ),
        # (212) 555-0123, 212-555-0123, 1.212.555.0123, 1-800-FLOWERS: so grouped, a number needs no word.
        Rule(
            name="phone_bare",
            type=EntityType.CODE,
            regex=r"(?<![\w.,/+-])(?<![A-Z]{3}[ ])(?:1[ .-])?(?:\([2-9][0-9]{2}\)[ ]?|[2-9][0-9]{2}[-.])"
            r"[0-9]{3}[-.][0-9]{4}"
            rf"{_EXTENSION}(?!\w|[-./][0-9])",
            shapes=("(100)", "100-100-1000", "100.100.1000"),
            reach=40,
        ),
        Rule(
            name="phone_bare",
            type=EntityType.CODE,
            regex=r"(?<![\w-])(?:1-)?8[0-9]{2}-[A-Z]{3}-?[A-Z]{4}(?![\w-])",
            shapes=("100-A", "1-100-A"),
            opens=True,
        ),
    ),
    positive=(
        ("Pager 4471. EXT. 88213", ("4471", "88213")),
        ("Call +44 20 7946 0958 now", ("+44 20 7946 0958",)),
        ("+1 (212) 555-0123 or +33 1 99 00 12 34.", ("+1 (212) 555-0123", "+33 1 99 00 12 34")),
        ("her mobile (07700 900123) rang", ("07700 900123",)),
        ("Tel.: 030 23125 014", ("030 23125 014",)),
        ("Phone: (212) 555-0199 ext. 12", ("(212) 555-0199 ext. 12",)),
        ("telephone number 020-7946-0123", ("020-7946-0123",)),
        ("tél. 01 99 00 56 78", ("01 99 00 56 78",)),
        ("fax 22 99 88 77, e-mail none", ("22 99 88 77",)),
        ("phone numbers 555-0123456 and 555-0123457", ("555-0123456", "555-0123457")),
        ("WhatsApp +55 11 5550-1234", ("+55 11 5550-1234",)),
        ("мoй тел. 8 (900) 555-01-23", ("8 (900) 555-01-23",)),
        ("Handy: 0171 5550123", ("0171 5550123",)),
        ("Call her daughter on (415) 555-0131.", ("(415) 555-0131",)),
        ("fax it to 020 7946 0807 pls", ("020 7946 0807",)),
        ("my number is 01 99 00 12 34", ("01 99 00 12 34",)),
        ("She left (212) 555-0101 ext. 12 there", ("(212) 555-0101 ext. 12",)),
        ("Fax: (617) 555 - 0101", ("(617) 555 - 0101",)),
        ("Tel      555-0142", ("555-0142",)),
        ("FAX | (212) 555-0199", ("(212) 555-0199",)),
        ("tel=2125550199", ("2125550199",)),
        ("1-800-FLOWERS", ("1-800-FLOWERS",)),
    ),
    negative=(
        "policy 12 34 56 78",
        "an extension of two years, one or two of them",
        "In 2003 he paid 1 234 567",
        "5550123",
        "020 7946 0958",
        "the hotel 12345678",
        "+5 points",
        "2+2345678",
        "he called 12 witnesses",
        "a mobile home built in 1998",
        "+999 123 456 789",
        "telephone conversations of 12 May 2004",
        "TRL 615.478.0000",
        "he called them on 12.05.2004",
        "call at 10:30 on 2004-05-12",
        "text of 123 pages",
        "the contact of 1998",
    ),
)
