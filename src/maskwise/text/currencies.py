"""Currencies: ISO 4217 codes (also of the currencies the euro replaced), English names and signs."""

from __future__ import annotations

import re

from maskwise.text.fragments import join_words

# code: names in the singular, separated by "/"; the last word is the noun, the words before it say whose.
_NAMES = {
    "AED": "UAE dirham", "AFN": "afghani", "AMD": "Armenian dram", "AOA": "kwanza", "ARS": "Argentine peso",
    "ATS": "Austrian schilling/schilling", "AUD": "Australian dollar", "AWG": "Aruban florin",
    "AZN": "Azerbaijani manat", "BBD": "Barbados dollar", "BDT": "taka", "BEF": "Belgian franc",
    "BGN": "Bulgarian lev/leva", "BHD": "Bahraini dinar", "BIF": "Burundi franc", "BMD": "Bermudian dollar",
    "BND": "Brunei dollar", "BOB": "boliviano", "BRL": "Brazilian real/reais", "BSD": "Bahamian dollar",
    "BTN": "ngultrum", "BWP": "pula", "BYN": "Belarusian rouble/Belarusian ruble", "BZD": "Belize dollar",
    "CAD": "Canadian dollar", "CDF": "Congolese franc", "CHF": "Swiss franc", "CLP": "Chilean peso",
    "CNY": "renminbi/yuan", "COP": "Colombian peso", "CRC": "Costa Rican colon", "CVE": "Cape Verde escudo",
    "CYP": "Cyprus pound/Cypriot pound", "CZK": "Czech koruna/Czech crown/koruny", "DEM": "German mark/Deutsche Mark/"
    "Deutschmark/deutschmark/Deutsch Mark", "DJF": "Djibouti franc", "DKK": "Danish krone/Danish crown",
    "DOP": "Dominican peso", "DZD": "Algerian dinar", "EEK": "Estonian kroon/kroon", "EGP": "Egyptian pound",
    "ERN": "nakfa", "ESP": "Spanish peseta/peseta", "ETB": "Ethiopian birr/birr", "EUR": "euro",
    "FIM": "Finnish mark/Finnish markka/markka", "FJD": "Fiji dollar", "FRF": "French franc",
    "GBP": "pound sterling/pounds sterling/British pound", "GEL": "Georgian lari/lari", "GHS": "Ghana cedi/cedi",
    "GMD": "dalasi", "GNF": "Guinean franc", "GRD": "Greek drachma/drachma/drachmas", "GTQ": "quetzal",
    "GYD": "Guyana dollar", "HKD": "Hong Kong dollar", "HNL": "lempira", "HRK": "Croatian kuna/kuna",
    "HTG": "gourde", "HUF": "Hungarian forint/forint", "IDR": "rupiah", "IEP": "Irish pound",
    "ILS": "Israeli shekel/shekel/new Israeli shekel", "INR": "Indian rupee", "IQD": "Iraqi dinar",
    "IRR": "Iranian rial", "ISK": "Icelandic krona/Icelandic króna/Icelandic crown", "ITL": "Italian lira/Italian lire",
    "JMD": "Jamaican dollar", "JOD": "Jordanian dinar", "JPY": "yen/Japanese yen", "KES": "Kenyan shilling",
    "KHR": "riel", "KRW": "South Korean won", "KWD": "Kuwaiti dinar", "KZT": "tenge", "LAK": "Lao kip",
    "LBP": "Lebanese pound", "LKR": "Sri Lanka rupee", "LTL": "Lithuanian litas/litas/litai", "LUF": "Luxembourg franc",
    "LVL": "Latvian lats/lats/lati", "LYD": "Libyan dinar", "MAD": "Moroccan dirham",
    "MDL": "Moldovan leu/Moldovan lei",
    "MGA": "ariary", "MKD": "Macedonian denar/denar/denari", "MMK": "kyat", "MNT": "tugrik", "MTL": "Maltese lira",
    "MUR": "Mauritius rupee", "MWK": "Malawi kwacha", "MXN": "Mexican peso", "MYR": "ringgit", "MZN": "metical",
    "NAD": "Namibia dollar", "NGN": "naira", "NLG": "Dutch guilder/guilder", "NOK": "Norwegian krone/Norwegian crown",
    "NPR": "Nepalese rupee", "NZD": "New Zealand dollar", "OMR": "Omani rial", "PAB": "balboa", "PEN": "Peruvian sol",
    "PGK": "kina", "PHP": "Philippine peso", "PKR": "Pakistani rupee/Pakistan rupee",
    "PLN": "Polish zloty/zloty/złoty/new Polish zloty", "PLZ": "old Polish zloty/old zloty",
    "PTE": "Portuguese escudo/escudo", "PYG": "guarani", "QAR": "Qatari rial",
    "ROL": "old Romanian leu/old Romanian lei",
    "RON": "Romanian leu/Romanian lei/new Romanian lei", "RSD": "Serbian dinar",
    "RUB": "Russian rouble/Russian ruble/rouble/ruble", "RUR": "non-denominated rouble", "RWF": "Rwanda franc",
    "SAR": "Saudi riyal", "SEK": "Swedish krona/Swedish kronor/kronor/Swedish crown", "SGD": "Singapore dollar",
    "SIT": "Slovenian tolar/tolar/tolars", "SKK": "Slovak koruna/Slovak crown", "SYP": "Syrian pound", "THB": "baht",
    "TJS": "somoni", "TND": "Tunisian dinar", "TRL": "old Turkish lira",
    "TRY": "Turkish lira/new Turkish lira/New Turkish lira", "TTD": "Trinidad and Tobago dollar",
    "TWD": "New Taiwan dollar", "TZS": "Tanzanian shilling", "UAH": "Ukrainian hryvnia/hryvnia/hryvnya",
    "UGX": "Uganda shilling", "USD": "US dollar/United States dollar/American dollar", "UYU": "Uruguayan peso",
    "UZS": "Uzbek sum", "VES": "bolivar", "VND": "dong", "VUV": "vatu", "XAF": "CFA franc", "XPF": "CFP franc",
    "YER": "Yemeni rial", "YTL": "", "YUM": "Yugoslav dinar", "YUD": "", "ZAR": "South African rand",
    "ZMW": "Zambian kwacha", "BAM": "convertible mark", "SOS": "Somali shilling", "CUP": "Cuban peso",
    "ALL": "Albanian lek", "XOF": "", "XDR": "",
}  # fmt: skip

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
_NAME = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(f'({re.escape(stem)}){tail}' for stem, tail in _FORMS)})(?![^\W\d_])"
)
_CODE = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(CODES)})(?![^\W\d_])")
_SIGN = re.compile(join_words(SIGNS))
_NOUN = re.compile(rf"(?<!\w){join_words(NOUNS)}(?!\w)", re.IGNORECASE)


def find_currency(text: str) -> str:
    """The code said by `text`, or the bare noun where it could be several ("franc").

    >>> find_currency("5,000 Swiss francs"), find_currency("IR£8,800"), find_currency("two hundred francs")
    ('CHF', 'IEP', 'franc')
    """
    if found := _CODE.search(text):
        return found.group()
    if found := _NAME.search(text.lower()):
        stem = next(filter(None, found.groups()))
        return _CODE_BY_STEM[stem]
    if found := _NOUN.search(text):
        return found.group().lower().removesuffix("s")
    found = _SIGN.search(text)
    return SIGNS[found.group()] if found else ""
