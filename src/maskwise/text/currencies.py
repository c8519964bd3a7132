"""Currencies: ISO 4217 codes (also of the currencies the euro replaced), English names and signs."""

from __future__ import annotations

import re
from functools import cache

from maskwise.text.fragments import join_words
from maskwise.text.word_lists import read_table

# code: names in the singular, separated by "/"; the last word is the noun, the words before it say whose.
_NAMES = dict(read_table("currencies"))

# Codes that are English words in capitals.
_WORDS = {"ALL", "CUP", "MAD", "PEN", "SOS", "BAM"}
CODES = tuple(code for code in _NAMES if code not in _WORDS)

# Written before the amount, or straight after it.
SIGNS = {
    "$": "$", "US$": "USD", "USD$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD",
    "HK$": "HKD", "S$": "SGD", "R$": "BRL", "£": "GBP", "GB£": "GBP", "IR£": "IEP", "IEP£": "IEP", "€": "EUR", "¥": "¥",
    "₤": "₤", "₺": "TRY", "₽": "RUB", "₹": "INR", "₴": "UAH", "₩": "KRW", "₪": "ILS", "₫": "VND", "฿": "THB",
    "₦": "NGN", "₱": "PHP", "₾": "GEL", "₸": "KZT", "DM": "DEM", "AS": "ATS", "öS": "ATS", "SF": "CHF", "SFr": "CHF",
    "FF": "FRF", "BF": "BEF", "Kr": "kr", "kr": "kr", "Rs": "rupee", "Fr": "franc", "Lit": "ITL", "Kč": "CZK",
    "zł": "PLN",
    "Ft": "HUF", "STG": "GBP",
}  # fmt: skip

_PLURALS = "kronor kroner krónur koruny korunas leva lei lire reais zloties pence cents".split()
# Nouns that are also common words or names and mean money only in the plural or with a country before them.
_COMMON = set("real won sol sum rand mark Mark kip kina lek dong lev leu".split())

# Every name with its code.
_NAMED = [(name, code) for code, names in _NAMES.items() for name in names.split("/") if name]
_SINGULAR = {name.rpartition(" ")[2] for name, _ in _NAMED}
_COUNTABLE = {*_SINGULAR, "dollar", "pound", "franc", "crown", "shilling"} - _COMMON
_REGULAR = _COUNTABLE | {noun + "s" for noun in _COUNTABLE}
NOUNS = tuple(sorted(_REGULAR | {*_PLURALS, "marks", "Marks"}))
# "Korean won", "German mark": the country is part of the pattern.
COUNTRY_NOUNS = tuple(sorted(_COMMON))

# Names that are other words without their last letter, or hardly longer than an ending: "gourds", "years".
_WHOLE = {"afghani", "gourde"}
_SHORT = 4


def _split_stem(name: str) -> tuple[str, str]:
    """The part of a name that all its forms begin with, and the pattern of what may follow it."""
    if len(name) <= _SHORT or name in _WHOLE:
        return name, "s?"
    return name[:-1], r"(?:[^\W\d_]{0,2}|ych|ies)"


_CODE_BY_STEM = {_split_stem(name.lower())[0]: code for name, code in reversed(_NAMED)}
# The longest first, so that "Swiss franc" is found before "franc".
_FORMS = sorted({_split_stem(name.lower()) for name, _ in _NAMED}, key=lambda f: (-len(f[0]), f))
_CODE = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(CODES)})(?![^\W\d_])")
_SIGN = re.compile(join_words(SIGNS))
_NOUN = re.compile(rf"(?<!\w){join_words(NOUNS)}(?!\w)", re.IGNORECASE)


@cache
def _compile_names() -> re.Pattern[str]:
    """The pattern of all names, one group each. It takes long to compile, and few texts need it."""
    names = "|".join(f"({re.escape(stem)}){tail}" for stem, tail in _FORMS)
    return re.compile(rf"(?<![^\W\d_])(?:{names})(?![^\W\d_])")


def find_currency(text: str) -> str:
    """The code said by `text`, or the bare noun where it could be several ("franc").

    >>> find_currency("5,000 Swiss francs"), find_currency("IR£8,800"), find_currency("two hundred francs")
    ('CHF', 'IEP', 'franc')
    """
    if found := _CODE.search(text):
        return found.group()
    if found := _compile_names().search(text.lower()):
        stem = next(filter(None, found.groups()))
        return _CODE_BY_STEM[stem]
    if found := _NOUN.search(text):
        return found.group().lower().removesuffix("s")
    found = _SIGN.search(text)
    return SIGNS[found.group()] if found else ""
