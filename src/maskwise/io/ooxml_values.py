"""Values of Office Open XML that cannot hold text: numbers, colours, words of the format, and codes made of them."""

from __future__ import annotations

import re
from functools import lru_cache

from maskwise.io.ooxml_words import FONTS, STYLES, WORDS

LONGEST = 255  # of a value or a number format
SPELLED = 3  # letters that a number format shows one by one
# Nine digits are enough for every length and count, and too few for most numbers of people.
_NUMBER = r"[-+]?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][-+]?\d{1,3})?(?:%|pt|cm|mm|in|pc|pi|px|em|f|fd)?"
_COLOUR = r"#?[0-9A-Fa-f]{6}|#[0-9A-Fa-f]{3}|[0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8}"
_LIST = r"(?:[-@#]?\d{0,5}(?:\.\d{1,5})?(?:pt|mm|cm|in|f)?,){1,20}[-@#]?\d{0,5}(?:pt|mm|cm|in|f)?"
_SIMPLE = re.compile(rf"{_NUMBER}|{_COLOUR}|{_LIST}|[01]{{12}}|")
# A colour of an old drawing with its number in the palette.
_SHADED = re.compile(r"(#?\w+) \[\d{1,4}\]")
_DATE = re.compile(r"(?:d{1,4}+|M{1,4}+|y{1,4}+|[hH]{1,2}+|m{1,2}+|s{1,2}+|am/pm|AM/PM|[ ./:,-])++")
_PICTURE = re.compile(r"[#0?,.%$€£¥;() +xX-]+")
# Sections of a number format: digits, date letters, colours, conditions and currencies. Its words stand in quotes.
_FORMAT = re.compile(
    r"(?:General|@|[#0?]|E[+-]|[.,%/ ;:()+$€£¥-]|[_*\\][^\w]|AM/PM|A/P|d{1,4}+|m{1,5}+|y{2,4}+|h{1,2}+|s{1,2}+"
    r"|e{1,2}+|b{2,4}+|g{1,3}+|a{3,4}+"
    r"|\[(?:Black|Blue|Cyan|Green|Magenta|Red|White|Yellow|Color\d{1,2}|[hms]{1,2}|[<>=]{1,2}-?\d{1,6}(?:\.\d{1,3})?)\]"
    r"|\[\$[A-Z€£¥$]{0,3}(?:-[0-9A-Fa-f]{1,8})?\]|\[\$-[a-z]{2}-[A-Z]{2}\])*+",
    re.IGNORECASE,
)
_LITERAL = re.compile(r'"([^"]*)"|\\(\w)')
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?|[0-9A-F]{4}|x-none|")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_LETTERS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=65536)
def is_safe(value: str) -> bool:
    """Whether a value is a number, a colour or a word of the format."""
    if len(value) > LONGEST:
        return False
    if value in WORDS or _SIMPLE.fullmatch(value):
        return True
    shaded = _SHADED.fullmatch(value)
    return shaded is not None and is_safe(shaded[1])


def is_known_font(name: str) -> bool:
    return name in FONTS or name == ""


def is_language(value: str) -> bool:
    return bool(_LANGUAGE.fullmatch(value))


def is_date_picture(value: str) -> bool:
    """`d MMMM yyyy`, without words of its own."""
    return bool(_DATE.fullmatch(value))


def is_number_picture(value: str) -> bool:
    """`#,##0.00`, without words of its own."""
    return bool(_PICTURE.fullmatch(value))


def read_format_words(code: str) -> str | None:
    """The words that a number format shows, or nothing if it is made of more than the codes of the format."""
    if len(code) > LONGEST or not _FORMAT.fullmatch(_LITERAL.sub("", code)):
        return None
    literals = _LITERAL.findall(code)
    if sum(bool(escaped) for _, escaped in literals) > SPELLED:
        return None
    shown = " ".join(quoted or escaped for quoted, escaped in literals)
    return shown if _LETTERS.search(shown) else ""


def is_usual_style(name: str) -> bool:
    """Whether the name or the identifier of a style is made of words that programs use for styles."""
    words = _WORD.findall(name)
    if not words or len("".join(words)) < len("".join(_LETTERS.findall(name))):
        return False
    return all(word.casefold() in STYLES or (word.isdecimal() and len(word) <= 2) for word in words)


@lru_cache(maxsize=4096)
def clean_css(style: str) -> str:
    """The declarations of an old drawing's style whose names and values the format knows."""
    if len(style) > 8 * LONGEST:
        return ""
    kept = []
    for declaration in style.split(";"):
        name, colon, value = (part.strip() for part in declaration.partition(":"))
        if not colon or name not in WORDS:
            continue
        is_font = name == "font-family" and is_known_font(value.strip("\"'"))
        if is_font or is_safe(value) or value == "#000":
            kept.append(f"{name}:{value}")
    return ";".join(kept)
