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
from maskwise.text.fragments import DASH, GAP, after, any_case, either, not_after
from maskwise.text.numbers import ORDINALS

_LAW = (
    "Act Law Code Constitution Convention Regulation Regulations Order Directive Rules Statute "
    "Ordinance Decree Treaty"
)
_NUMBERED = (
    "no. ", "No. ", "nos. ", "Nos. ", "no ", "number ", "section ", "Section ", "sections ", "article ", "Article ",
    "Articles ", "paragraph ", "page ", "p. ", "pp. ", "§ ", "§", "room ", "Room ", "flat ", "Box ", "box ", "Rule ",
    "line ", "#", "$", "£", "€",
)  # fmt: skip
_OF_LAW = [f"{law}{link}" for law in _LAW.split() for link in (" ", " of ")]
_START = r"[12](?<!\w[12])(?<![0-9][.,:/-][12])"
_BEFORE = rf"(?<![A-Z]{{3}} ....){not_after(*_NUMBERED, *_OF_LAW, width=4)}"
_TIMES = (
    "in", "In", "since", "Since", "until", "Until", "of", "from", "From", "to", "by", "By", "during", "During", "circa",
    "c.", "year", "years", "before", "after", "and",
)  # fmt: skip
_RECENT = r"(?:(?<=1)[89]|(?<=2)0)[0-9]{2}(?![0-9])"
_EARLY = rf"(?<=1)[0-7][0-9]{{2}}(?![0-9]){after(*_TIMES, width=4)}"
_NOT_COUNT = rf"(?!\w|%|[.,:][0-9]|/[0-9]|{GAP}?[€$£%°]|{GAP}(?:per|{either(COUNTED)}|{either(_LAW.split())})(?!\w))"
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
_CENTURY = rf"(?:[0-9]{{1,2}}(?:st|nd|rd|th)|{any_case(ORDINALS)})"
_DIGITS = re.compile("[0-9]+")
_NTH = re.compile(rf"[0-9]+|{either(ORDINALS)}")


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
            regex=rf"\b[Tt]he{GAP}(?:(?:early|mid|late)[- ])?(?P<m>{any_case(_DECADES)})(?!\w)",
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
        "room 2010",
        "12019",
        "19991",
    ),
)
