"""What texts are made of to see how time grows: one unit, repeated. Counted units differ each time."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from typing import NamedTuple

from maskwise.detect.patterns import families

Make = Callable[[int], str]

_NAMES = (
    "A. |A |A.B. |A. B. |Mr |Mr. |Mrs A |Dr. A. |Lee |Lee, |John Smith |John Smith, |Smith, John |SMITH John |J. Smith "
    "|Smith J. |J.S. |Mr J. Smith |Mr and Mrs Smith |van der |van der Berg |de la |O'Neill |O'|Anne-Marie |Anne-|al-"
    "|Smith's |Smiths |smith |SMITH |Smith\n|John\nSmith |John  Smith|Smith and |Smith & |Smith & Sons Ltd |Ltd |Lee Ltd "
    "|the |the Bank |The Bank (the Bank) |Bank of Lee |Bank of the |Regional Health Authority (RHA) |RHA |May |in May "
    "|King |the King |X |X and Y |X, Y and Z |(A) |[A] |A) |Judge |the applicant |applicants |Mr Lee, my husband, "
    "|my husband |Wei Li |Li Wei |u/lee |@lee |#Lee |lee@ |@"
).split("|")
_NUMBERS = (
    "1 |12 |123 |1234 |12345678 |1,|1.|1/|1-|1:|1'|1%|1st |1. |(1) |[1] |1 000 |1,000 |1.000,00 |1e5 |0x1 |0|00|$1 |€1 "
    "|1 EUR |1 kg |1 mg |1 m |12 x 8 |1 to |one |two hundred |one million |twenty-|half |10 % |12/98 |12345/06 |no. |no. 1 "
    "|No. 12345/06 |nos. 1, 2 and |§ |§ 1 |Article 1 |Article 6 § 1 |1:2:3:4:|1.2.3.4 |192.0.2.1 |00:|aa:|1-1-|+1|+47 "
    "|+47 22 22 22 22 |(0)|tel. |tel. 1 |IBAN |NO|AB12|A1|A1 |a1|1a|1A |1B |ID: |id=1 |PIN 1234 "
).split("|")
_DATES = (
    "1 May |1 May 2001 |May 1, 2001 |2001 |2001-|2001-01-01 |01/01/2001 |1.1.2001 |in 2001 |since 2001 |1990s |Monday "
    "|Monday, 1 May |from 1 May to |between 1 and |1 and 2 May 2001, |10:15 |10:15:30 |at 10 |10 a.m. |yesterday |aged 4 "
    "|4 years old |4 |the 1st of |summer 2001 |spring of |Easter |two days |two-|a year |12-year-old |Q1 |May–|May-"
).split("|")
_SIGNS = (
    "(|)|()|(()|[]|{}|<>|</|<a |<a>|</a>|<!--|-->|&amp;|&#|\"|\"\"|'|''|“|”|“A” |‘A’ |«»|\\|\\\\|\\n|\\u0041|%20|%|=|==|=\n"
    "|-|--|---|-----BEGIN |-----BEGIN PRIVATE KEY-----\n|_|__|*|**|***|#|##|~|~~|`|```|^|://|http://|http://a|www.|a.b."
    "|a.b/|a@|a@b|a@b.|/home/|/home/a/|C:\\|C:\\a\\|\\\\a\\|:|::|;|; |, |. |.. |... |? |! |?!|a, |a; |a: |a. |a.\n|\n|\n\n"
    "|\r\n|\t|\v|\f| |  |    | \n|\n |- |- a\n|1) a\n|| a | b |\n|a|b|key=|key=a |key: |key: a\n|password=|token: |a=b;"
    "|a=b&|Cookie: a=b; |eyJ|eyJ.|sk-|AKIA|ssh-rsa AAAA|\x1b[1m|\x1b[|\x1b]|\x1b|A\x1b[0m |lat: |lat: 1|1.234, |1°|1°2'|+"
)
_UNICODE = (
    "é", "É", "ß", "ı", "İ", "İ ", "ø ", "Å. ", "Ж", "Жa ", "ЖУК ", "Иван ", "Иван Петров ", "Ω", "א", "שלום ", "ع", "محمد ",
    "ก", "สมชาย ", "王", "王小明", "王 ", "佐藤", "アナ", "김", "김철수 ", "𠀀", "𝐀", "𝐀𝐧𝐚 ", "🙂", "🙂 ", "🙂a", "A🙂", "👨‍👩‍👧",
    "\u0301", "a\u0301", "A\u0301 ", "\u200b", "a\u200b", "\u200d", "\xad", "a\xad", "\ufeff", "\u00a0", "A\u00a0", "\u2028",
    "\u202e", "\ufffd", "\ud800", "\x00", "\x00a", "\x7f", "\x9b", "ﬁ", "Ａ", "１", "１ ", "٣", "²", "½", "Ⅳ ", "№ ", "№1 ", "€",
    "–", "—", "…", "′", "″", "°", "•", "→", "ʼ", "’s ", "a’", "‐", "‑", "Ⓐ", "㈱", "Ǆ", "ŉ", "ΐ", "ﷺ", "𓀀", "\U000e0041",
)  # fmt: skip
_SMALL = string.ascii_lowercase


class Unit(NamedTuple):
    """A piece of text to repeat; `make` gives the nth copy."""

    name: str
    make: Make


def write_text(unit: Unit, size: int) -> str:
    """About `size` characters of copies of a unit."""
    parts: list[str] = []
    length = number = 0
    while length < size:
        parts.append(unit.make(number))
        length += len(parts[-1])
        number += 1
    return "".join(parts)[:size]


def all_units() -> list[Unit]:
    """About seven hundred, no two alike."""
    units = {unit.name: unit for unit in (*_repeated(), *_counted())}
    return list(units.values())


def _repeated() -> Iterator[Unit]:
    signs = _SIGNS.replace("|| a | b |\n", "\0").split("|")
    texts = [*string.printable[:95], *_NAMES, *_NUMBERS, *_DATES, *signs, *_UNICODE, "| a | b |\n", "|"]
    texts += [sign + other for sign in string.punctuation for other in (" ", "a", "A", "1", "\n")]
    texts += [figures + sign for sign in " -/.:,_" for figures in ("1", "12", "1234", "A1")]
    texts += [text + " " for family in families() for text, _ in family.positive[:3]]
    for text in dict.fromkeys(text for text in texts if text.strip("\0")):
        yield Unit(repr(text), _repeat(text))


def _repeat(text: str) -> Make:
    return lambda number: text


def name_number(number: int) -> str:
    """A capitalised word of its own for every number.

    >>> name_number(0), name_number(27)
    ('Bao', 'Bbab')
    """
    letters = ""
    number += 26
    while number:
        number, digit = divmod(number, 26)
        letters = _SMALL[digit] + letters
    return "B" + letters + ("o" if len(letters) < 3 else "")


def _counted() -> Iterator[Unit]:
    templates = (
        *("{name} ", "Mr {name} ", "John {name} ", "{name} Smith ", "{name}, John; ", "J. {name} said. ", "{name}'s "),
        *("{name} Ltd ", "the {name} Bank ", '{name} Bank ("{name}") ', "{name} Health Authority (RHA) ", "{name}\n"),
        *(
            "in {name}. ",
            "{name} and ",
            "{name}, ",
            "{name}@example.org ",
            "@{name} ",
            "#{name} ",
            "http://example.org/{name} ",
        ),
        *(
            "no. {number}/06 ",
            "{number} ",
            "{number}, ",
            "{number}/",
            "{number}-",
            "+47 22 {number} ",
            "MRN {number}\n",
        ),
        *("1 May {number} ", "{number} kg ", "EUR {number} ", "password={name}{number} ", "{name}: {number}\n"),
        *(
            "/home/{name}/ ",
            "{name} | {number}\n",
            "<p>{name}</p>",
            "({name}) ",
            '"{name}" ',
            "{name}-{name} ",
            "{name} {name} ",
        ),
        *("John {name} Smith met Mr {name}. ", "Smith{name} ", "{name} John Smith ", "John {name} ({name}) "),
    )
    for template in templates:
        yield Unit(repr(template), _count(template))


def _count(template: str) -> Make:
    return lambda number: template.format(name=name_number(number), number=1000 + number)
