"""Parts of a page that stay as they are: elements, and attributes with a value of a known form. The lists say what is
allowed, because a name can be written anywhere: as an element, an attribute, a class, a colour."""

from __future__ import annotations

import re

from maskwise.io.vocabulary import read_words
from maskwise.text import possessive

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark q ruby rb rtc s samp small span "
    "strike strong sub sup time tspan tt u var wbr".split()
)
# Text that stands beside the line, not in it.
ASIDE = frozenset("rt rp".split())
PREFORMATTED = frozenset("pre textarea listing xmp plaintext".split())
ELEMENTS = INLINE | ASIDE | read_words("html_elements")
# Left out with all that is inside; of other unknown elements only the tags go.
DROPPED = frozenset("iframe noembed noframes metadata annotation annotation-xml".split())

TEXTS = frozenset(
    "abbr alt aria-braillelabel aria-description aria-label aria-placeholder aria-roledescription aria-valuetext "
    "content datetime label placeholder standby summary title value".split()
)
LINKS = {
    "href": frozenset("a area".split()),
    "src": frozenset("img audio video source track input".split()),
}
# Names that refer to one another: renamed alike, wherever they stand.
NAMES = frozenset(
    "id class for name headers list form aria-labelledby aria-describedby aria-controls aria-owns".split()
)
FLAGS = frozenset(
    "allowfullscreen async autofocus autoplay checked compact controls default defer disabled formnovalidate hidden "
    "inert ismap itemscope loop multiple muted nohref noshade novalidate nowrap open playsinline readonly required "
    "reversed selected".split()
)
NUMBERS = read_words("html_numbers")
WORDS = read_words("html_words")
LANGUAGE = frozenset("lang xml:lang hreflang srclang".split())
NAMESPACES = frozenset(
    "http://www.w3.org/1999/xhtml http://www.w3.org/2000/svg http://www.w3.org/1998/Math/MathML "
    "http://www.w3.org/1999/xlink".split()
)
METADATA = frozenset(
    "abstract application-name author color-scheme copyright description keywords generator robots subject "
    "theme-color title viewport".split()
)

COLOURS = read_words("colours")
KEYWORDS = COLOURS | read_words("html_keywords")
NUMBER = r"[-+]?+(?:\d++(?:\.\d*+)?+|\.\d++)(?:e-?+\d++)?+"

_WORD = re.compile(r"[\s,;]+")
_NUMBERS = possessive.compile(
    rf"(?:(?:{NUMBER}|\b(?:translate|scale|rotate|matrix|skew[XY])(?=\()|[MmLlHhVvCcSsQqTtAaZz]|px|%|em|rem|pt)[\s,()]*+)*+"
)
# Digits that could be a telephone number.
_TELLING = re.compile(r"\d{7,}|\d{5,}\D{1,3}\d{4,}|\d\D{1,2}\d{6,}")
_LANGUAGE = re.compile(r"(?:[a-z]{2}|[A-Z]{2})(?:-[A-Za-z]{4})?(?:[-_][A-Za-z]{2})?", re.ASCII)
_COLOUR = re.compile(r"#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}", re.ASCII | re.IGNORECASE)


def can_stay(name: str, value: str) -> bool:
    """Whether an attribute may stay as it is: its value is of the form that its name asks for, and says nothing more.

    >>> can_stay("colspan", "2"), can_stay("colspan", "Ann"), can_stay("data-owner", "2")
    (True, False, False)
    """
    plain = value.strip().lower()
    if name in FLAGS:
        return plain in ("", name, "true", "false", "hidden")
    if name in NUMBERS:
        return bool(_NUMBERS.fullmatch(plain)) and not has_telling_digits(plain)
    if name in LANGUAGE:
        return bool(_LANGUAGE.fullmatch(value))
    if name.partition(":")[0] == "xmlns":
        return name in ("xmlns", "xmlns:xlink") and value in NAMESPACES
    words = [word for word in _WORD.split(plain) if word]
    return name in WORDS and all(word in KEYWORDS or _COLOUR.fullmatch(word) for word in words)


def has_telling_digits(value: str) -> bool:
    """Whether numbers are long enough to be somebody's, alone or side by side."""
    return bool(_TELLING.search(value))
