"""Amounts of money: "EUR 5,000", "5,000 euros (EUR)", "$37.5 million", "two hundred pounds", "IR£8,800".

The value is the code and the amount ("EUR 5000"), so that different spellings of a sum are one.
"""

from __future__ import annotations

from maskwise.detect.patterns._outline import draw_outline
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.currencies import CODES, COUNTRY_NOUNS, NOUNS, SIGNS, find_currency
from maskwise.text.fragments import DASH, GAP, join_for_scan, join_words
from maskwise.text.numbers import (
    DIGITS,
    MORE_DIGITS,
    SCALE,
    WORDS,
    format_number,
    is_amount,
    read_number,
)
from maskwise.text.subtypes import MONEY

_AMOUNT = rf"{DIGITS}{SCALE}?+"
_TO = rf"(?:{GAP}(?:to|and|or){GAP}|{GAP}?{DASH}{GAP}?)"
_NUMBER = rf"(?:{_AMOUNT}(?:{_TO}{_AMOUNT})?|{WORDS}(?:{_TO}{WORDS})?)"
_BRACKET = (
    rf"(?:{GAP}?[(\[][\"“'‘]?(?:{join_words((*CODES, *SIGNS))}|euros?|[A-Z]{{2,3}})[\"”'’]?[)\]])?"
)
# Written before the amount; a look ahead at where the figures must begin spares the alternation for most capitals.
_SYMBOLS = "".join(sorted({sign for sign in SIGNS if len(sign) == 1}))
_LEADING_SIGNS = [sign for sign in (*CODES, *SIGNS) if sign[0].isupper() or sign in _SYMBOLS]
_SIGN = join_for_scan(_LEADING_SIGNS, ahead=rf"[A-Za-z{_SYMBOLS}]{{0,3}}\.?{GAP}?[0-9]")
_SHAPES = tuple(
    sorted(
        {
            draw_outline(f"{sign}{gap}1").decode()
            for sign in _LEADING_SIGNS
            for gap in ("", " ", ".", ". ")
        }
    )
)
_COUNTRY = r"(?:[A-Z][\w-]{1,20}|old|new|gold|convertible|non-denominated)"
_ANY_NOUN = join_words((*NOUNS, *(noun.title() for noun in NOUNS)))
_NOUN = rf"(?:(?:{_COUNTRY}{GAP}){{0,3}}{_ANY_NOUN}|{_COUNTRY}{GAP}{join_words(COUNTRY_NOUNS)})"
# One stands in every noun above; those that many other words contain are looked for after a space.
_STEMS = (
    "afghani ariary balboa bolivar boliviano crowns dalasi denar deutsch dinar dirham dollar drachma escudo euro "
    "florin forint franc gourde guarani guilder hryvn krone krono krona krón korun kroon kwacha kwanza lempira litas "
    "litai metical naira nakfa ngultrum pence peseta peso pound quetzal reais renminbi riel ringgit riyal rouble ruble "
    "rupee rupiah schilling shekel shilling somoni sterling tenge tolar tugrik yuan zlot złot"
)
_SHORT_STEMS = (
    "baht birr cedi cents colon dong dram kip kuna kyat lari lati lats lei lek leu lev lira lire manat mark pula rand "
    "real rial sol sum taka vatu won yen kina"
)
_TRIGGERS = (
    *_STEMS.split(),
    *(gap + stem for stem in _SHORT_STEMS.split() for gap in (" ", "\u00a0", "\n")),
)


# Codes that are no word in small letters.
_SMALL_CODES = (
    *("eur", "usd", "gbp", "chf", "nok", "sek", "dkk", "jpy", "cny", "inr"),
    *("aud", "nzd", "pln", "czk", "huf", "zar"),
)


def _read_amount(text: str) -> str:
    amount = read_number(text)
    return "" if amount is None else f"{find_currency(text)} {format_number(amount)}"


def _make_rule(regex: str, triggers: tuple[str, ...] = (), shapes: tuple[str, ...] = ()) -> Rule:
    return Rule(
        name=MONEY,
        type=EntityType.QUANTITY,
        regex=regex,
        triggers=triggers,
        shapes=shapes,
        opens=bool(shapes),
        reach=80,
        value=_read_amount,
        check=is_amount,
    )


FAMILY = Family(
    name="money",
    rules=(
        _make_rule(rf"{_SIGN}\.?{GAP}?[0-9]{MORE_DIGITS}{SCALE}?+(?![\w%]|/[0-9])", shapes=_SHAPES),
        _make_rule(
            rf"{_AMOUNT}{GAP}?(?=[A-Z{_SYMBOLS}zkö])(?!AS [A-Z]{{2}}){join_words((*CODES, *SIGNS))}"
            rf"(?![\w$€£]){_BRACKET}"
        ),
        _make_rule(
            rf"(?<![\w@.-])(?:{'|'.join(_SMALL_CODES)}){GAP}[0-9]{MORE_DIGITS}{SCALE}?+(?![\w%]|/[0-9])",
            triggers=tuple(f"{code} " for code in _SMALL_CODES),
        ),
        _make_rule(
            rf"(?<![\w.,-]){_NUMBER}(?:{GAP}(?:of{GAP})?|-){_NOUN}(?!\w)(?:{GAP}sterling\b)?+{_BRACKET}",
            _TRIGGERS,
        ),
        _make_rule(rf"\b{_NOUN}{_BRACKET}{GAP}{_AMOUNT}(?![\w%/])", _TRIGGERS),
    ),
    positive=(
        ("He paid EUR 5,000.", ("EUR 5,000",)),
        ("5,000 euros (EUR) in costs", ("5,000 euros (EUR)",)),
        ("a fine of 6,932 Ukrainian hryvnias", ("6,932 Ukrainian hryvnias",)),
        ("approximately EUR 250", ("EUR 250",)),
        ("worth $37.5 million", ("$37.5 million",)),
        ("two hundred pounds", ("two hundred pounds",)),
        ("IR£8,800 in damages", ("IR£8,800",)),
        ("TRL 150,000,000", ("TRL 150,000,000",)),
        ("4267 SEK", ("4267 SEK",)),
        ("1 250 000,50 Polish zlotys (PLN)", ("1 250 000,50 Polish zlotys (PLN)",)),
        ("12.500,75 EUR", ("12.500,75 EUR",)),
        ("US$ 40", ("US$ 40",)),
        ("a loan of £3m", ("£3m",)),
        ("DM 400", ("DM 400",)),
        ("300 pounds sterling (GBP) a week", ("300 pounds sterling (GBP)",)),
        ("five million pesetas", ("five million pesetas",)),
        (
            "one hundred million United States dollars (USD)",
            ("one hundred million United States dollars (USD)",),
        ),
        ("20 German marks", ("20 German marks",)),
        ("50€ or 99 zł", ("50€", "99 zł")),
        ("PLN 800 (approximately EUR 200)", ("PLN 800", "EUR 200")),
        ("Austrian schillings (ATS) 9,000", ("Austrian schillings (ATS) 9,000",)),
        ("thirty to forty pounds", ("thirty to forty pounds",)),
        ("75 pence", ("75 pence",)),
        ("3,000 Swedish kronor", ("3,000 Swedish kronor",)),
        ("they want eur 92 now", ("eur 92",)),
    ),
    negative=(
        "a pound of flesh",
        "5,000 people",
        "the euro area",
        "EURO 2000 was a tournament",
        "ten marked cards",
        "he won 5 games",
        "ALL 5 rooms",
        "section 4 USDA",
        "20 frankfurters",
        "US 40",
        "the crown of 1999",
        "two real friends",
        "REGULATION 679 AS IT STANDS",
    ),
)
