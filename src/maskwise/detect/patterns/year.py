"""Years, decades and centuries: "1994", "1994–98", "the 1990s", "the nineties", "nineteenth century".

Precision first: a year before 1800 needs a word of time before it, a figure that counts something or numbers a section
is no year, and neither is the year in the name of a law.
"""

from __future__ import annotations

import re

from maskwise.detect.patterns._calendar import YEAR, expand_year
from maskwise.detect.patterns._nouns import COUNTED
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType, subtypes
from maskwise.text.currencies import CODES
from maskwise.text.fragments import DASH, GAP, demand_before, join_any_case, join_words
from maskwise.text.numbers import ORDINALS

_LAW = (
    "Act Law Code Constitution Convention Regulation Regulations Order Directive Rules Statute Ordinance Decree "
    "Treaty"
)
_NUMBERED = (
    "no. ", "nos. ", "no ", "number ", "section ", "sections ", "article ", "articles ", "paragraph ", "page ", "p. ",
    "pp. ", "§ ", "§", "room ", "flat ", "box ", "rule ", "line ", "#", "$", "£", "€",
)  # fmt: skip
_OF_LAW = [f"{law}{link}" for law in _LAW.split() for link in (" ", " of ")]
_NOT_AFTER = "".join(rf"(?<!(?i:{re.escape(phrase)}).{{4}})" for phrase in (*_NUMBERED, *_OF_LAW))
# Not in a code: "WX-1983-81", "KX/1998".
_START = (
    r"[12](?<!\w[12])(?<![0-9][.,:/-][12])(?<!\b[A-Za-z][-/][12])(?<!\b[A-Za-z]{2}[-/][12])"
    r"(?<!\b[A-Z]{3}[-/][12])"
)
_BEFORE = rf"(?<!\b(?:{'|'.join(CODES)}) ....){_NOT_AFTER}"
_TIMES = (
    "in", "In", "since", "Since", "until", "Until", "of", "from", "From", "to", "by", "By", "during", "During", "circa",
    "c.", "year", "years", "before", "after", "and",
)  # fmt: skip
_RECENT = r"(?:(?<=1)[89]|(?<=2)0)[0-9]{2}(?![0-9])"
_EARLY = rf"(?<=1)[0-7][0-9]{{2}}(?![0-9]){demand_before(*_TIMES, width=4)}"
# What a figure counts stands on its line; the next line of a form has another label.
_NOUN = rf"(?:per|{join_words(COUNTED)}|{join_words(_LAW.split())})(?!\w)"
_NOT_COUNT = rf"(?!\w|%|[.,:][0-9]|/[0-9]|{GAP}?[€$£%°]|[ \u00a0]{_NOUN})"
_TO = rf"(?:{GAP}?{DASH}{GAP}?|/)(?:{YEAR}|[0-9]{{2}}(?![0-9]))(?!{DASH}[0-9])"

_DECADES = (
    "twenties",
    "thirties",
    "forties",
    "fifties",
    "sixties",
    "seventies",
    "eighties",
    "nineties",
)
_CENTURY = rf"(?:[0-9]{{1,2}}(?:st|nd|rd|th)|{join_any_case(ORDINALS)})"
_DIGITS = re.compile("[0-9]+")
_NTH = re.compile(rf"[0-9]+|{join_words(ORDINALS)}")


def _read_year(text: str) -> str:
    first, *rest = (str(digits) for digits in _DIGITS.findall(text))
    return f"{first}/{first[: 4 - len(rest[0])]}{rest[0]}" if rest else first


def _read_decade(text: str) -> str:
    digits = _DIGITS.findall(text)
    if digits:
        return expand_year(digits[-1])[:3] + "X"
    return f"19{2 + _DECADES.index(text.lower())}X"


def _read_century(text: str) -> str:
    era = "-" if re.search(r"B\.?C", text) else ""
    numbers = _NTH.findall(text.lower())
    return ",".join(f"{era}{(ORDINALS.get(n) or int(n)) - 1:02}XX" for n in numbers)


FAMILY = Family(
    name="year",
    rules=(
        Rule(
            name=subtypes.YEAR,
            type=EntityType.DATETIME,
            regex=rf"{_START}(?:{_RECENT}|{_EARLY}){_BEFORE}(?:{_TO}|{_NOT_COUNT})",
            shapes=("1000",),
            opens=True,
            value=_read_year,
        ),
        Rule(
            name=subtypes.DECADE,
            type=EntityType.DATETIME,
            regex=r"(?<!\w)(?:1[0-9]{2}0|20[0-9]0|['’‘][1-9]0)['’]?s(?!\w)",
            triggers=("0s", "0's", "0’s"),
            reach=8,
            value=_read_decade,
        ),
        Rule(
            name=subtypes.DECADE,
            type=EntityType.DATETIME,
            regex=rf"\b[Tt]he{GAP}(?:(?:early|mid|late)[- ])?(?P<m>{join_any_case(_DECADES)})(?!\w)",
            triggers=tuple(decade for decade in _DECADES),
            reach=16,
            value=_read_decade,
        ),
        Rule(
            name=subtypes.CENTURY,
            type=EntityType.DATETIME,
            regex=(
                rf"(?<![\w-]){_CENTURY}(?:(?:,?{GAP}(?:and|to|or){GAP}(?:the{GAP})?|,{GAP}|{DASH}){_CENTURY}){{0,5}}+"
                rf"[ \u00a0-](?:[Cc]entury|[Cc]enturies)(?!\w)(?:{GAP}(?:BCE?|B\.C\.|AD|A\.D\.|CE))?"
            ),
            triggers=("century", "centuries"),
            value=_read_century,
        ),
    ),
    positive=(
        ("He was born in 1947.", ("1947",)),
        ("1994-1998 and 1994–98", ("1994-1998", "1994–98")),
        ("in 1995, 1996 and 1997", ("1995", "1996", "1997")),
        ("the season 1999/2000", ("1999/2000",)),
        ("the 1990s", ("1990s",)),
        ("the nineties and the '80s", ("nineties", "'80s")),
        ("during the nineteenth century", ("nineteenth century",)),
        ("in the 16th, 17th and 18th centuries", ("16th, 17th and 18th centuries",)),
        ("the 4th century BC", ("4th century BC",)),
        ("founded in 1492 and again by 1650", ("1492", "1650")),
        ("the winter of 2010 was cold", ("2010",)),
        ("(2003)", ("2003",)),
        ("from 1920 onwards", ("1920",)),
        ("the 1996 elections", ("1996",)),
        ("the 1980's", ("1980's",)),
        ("1999.", ("1999",)),
        ("Year: 1960\nOrder no.: x", ("1960",)),
        ("SHE HAS SMOKED SINCE 2011 OR SO.", ("2011",)),
    ),
    negative=(
        "1500 euros",
        "section 1994",
        "no. 1999",
        "2000 people came",
        "$2000",
        "the 1989 Act",
        "the Housing Act 1989",
        "1994.50",
        "1,999",
        "flat 1650",
        "1999 kg of sugar",
        "2050%",
        "EUR 2000",
        "licence WX-1983-81 and plate kx/1998",
        "the housing act 1989 and THE HOUSING ACT 1989",
        "room 2010",
        "12019",
        "19991",
    ),
)
