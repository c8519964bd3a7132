"""The words of OpenDocument that a text may keep: elements, attributes and what an attribute may say.

What is not listed here is nobody's to read, and is left out.
"""

from __future__ import annotations

import re
import unicodedata

from maskwise.io.vocabulary import read_words

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
SPACES = {
    "office": _OASIS + "office:1.0",
    "style": _OASIS + "style:1.0",
    "text": _OASIS + "text:1.0",
    "table": _OASIS + "table:1.0",
    "draw": _OASIS + "drawing:1.0",
    "fo": _OASIS + "xsl-fo-compatible:1.0",
    "svg": _OASIS + "svg-compatible:1.0",
    "form": _OASIS + "form:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
PREFIXES = {address: prefix for prefix, address in SPACES.items()}


def _build_names(prefix: str, words: str) -> frozenset[str]:
    return frozenset(f"{prefix}:{word}" for word in words.split())


ELEMENTS = read_words("odf_elements")

# Fields and wrappers of which the shown text stays, without what computes it.
UNWRAPPED = read_words("odf_fields")
CONTENT_CONTROL = (
    "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}content-control"
)

# Text that stands in no paragraph.
TEXTS = _build_names("svg", "title desc") | _build_names("table", "title desc")
TEXTS |= _build_names(
    "text",
    "index-title-template index-entry-span linenumbering-separator note-continuation-notice-forward "
    "note-continuation-notice-backward",
)

# Names by which one part of the document refers to another: neutral names take their place.
IDENTIFIERS = frozenset().union(
    _build_names(
        "style",
        "name parent-style-name next-style-name list-style-name master-page-name page-layout-name font-name "
        "font-name-asian font-name-complex leader-text-style style-name register-truth-ref-style-name",
    ),
    _build_names(
        "text",
        "name style-name cond-style-name visited-style-name ref-name id list-id continue-list master-page-name "
        "citation-style-name citation-body-style-name default-style-name main-entry-style-name index-name "
        "caption-sequence-name style-override",
    ),
    _build_names("table", "name style-name default-cell-style-name paragraph-style-name"),
    _build_names(
        "draw",
        "name style-name text-style-name id control start-shape end-shape chain-next-name fill-gradient-name "
        "fill-hatch-name fill-image-name opacity-name stroke-dash marker-start marker-end caption-id",
    ),
    _build_names("form", "name id for text-style-name"),
    _build_names("office", "name"),
    _build_names("xml", "id"),
)

# Attributes whose value people write.
WRITTEN = frozenset().union(
    _build_names("text", "string-value key1 key2 bullet-char prefix suffix"),
    _build_names("style", "num-prefix num-suffix leader-text"),
    _build_names("form", "label title value current-value"),
)

# Attributes of the look, whose value is made of words and measures of the format.
LOOKS = read_words("odf_looks")

_WORDS = read_words("odf_values")
_NUMBER = r"[-+]?(?:\d{1,5}(?:\.\d{1,5})?|\.\d{1,5})"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})(?:cm|mm|in|inch|pt|pc|px|em|%|deg|grad|rad|\*)?"
    r"|#[0-9A-Fa-f]{6}|rect\(|\)|(?P<word>[A-Za-z]+\d?(?:-[A-Za-z]+\d?)*)"
)
_MEASURES = 4  # numbers of one value: the four sides of a border

_ENUMERATION = {
    "style:num-format": re.compile(r"|1|a|A|i|I|一, 二, 三, \.\.\.|[^\W\d_], [^\W\d_], [^\W\d_], \.\.\."),
    "svg:viewBox": re.compile(r"-?\d{1,5} -?\d{1,5} \d{1,5} \d{1,5}"),
    "draw:points": re.compile(r"(?:-?\d{1,5},-?\d{1,5}(?: |$))+"),
    "svg:d": re.compile(r"(?:[A-Ya-y](?![A-Za-z])|[zZ]|[ ,]|[-+]?\d{1,5}(?:\.\d{1,4})?(?![\d.]))*"),
    "draw:enhanced-path": re.compile(r"(?:[A-Z](?![a-z])|[ ,]|[?$]?f?-?\d{1,5}(?:\.\d{1,4})?(?![\d.]))*"),
    "draw:modifiers": re.compile(r"(?:-?\d{1,5}(?:\.\d{1,8})?(?: |$))+"),
    "draw:text-areas": re.compile(r"(?:[?$]?f?-?\d{1,5}(?: |$)|(?:logwidth|logheight|left|top|right|bottom)(?: |$))+"),
    "draw:handle-position": re.compile(r"(?:(?:[?$]f?\d{1,3}|-?\d{1,5}|left|top|right|bottom)(?: |$))+"),
    "draw:formula": re.compile(
        r"(?:[-+*/(), ]|\d{1,5}(?:\.\d{1,6})?(?![\d.])|[?]f\d{1,3}(?!\d)|[$]\d{1,2}(?!\d)"
        r"|\b(?:abs|sqrt|sin|cos|tan|atan2?|min|max|if|pi|left|top|right|bottom|width|height|logwidth|logheight|xstretch|ystretch|hasstroke|hasfill)\b)*"
    ),
    "draw:transform": re.compile(
        r"(?: ?(?:rotate|scale|translate|skewX|skewY|matrix) ?"
        r"\((?:-?\d{1,5}(?:\.\d{1,15})?(?:cm|mm|in|pt)?(?:[ ,]+|(?=\)))){1,6}\))+"
    ),
    "draw:type": re.compile(r"(?:ooxml-)?(?:rect|rectangle|ellipse|triangle|non-primitive|round-rectangle|diamond)"),
    "fo:language": re.compile(r"[a-z]{2,3}|none|zxx"),
    "fo:country": re.compile(r"[A-Z]{2}|none"),
    "fo:script": re.compile(r"[A-Z][a-z]{3}"),
    "office:version": re.compile(r"1\.\d"),
    "form:control-implementation": re.compile(
        r"(?:ooo:)?com\.sun\.star\.form\.component\.(?:Form|TextField|CommandButton|RadioButton|CheckBox|ListBox|ComboBox"
        r"|GroupBox|FixedText|GridControl|FileControl|HiddenControl|ImageControl|ImageButton|DateField|TimeField"
        r"|NumericField|CurrencyField|PatternField|FormattedField|ScrollBar|SpinButton|NavigationToolBar)"
    ),
}  # fmt: skip
_ENUMERATION |= {f"style:language-{s}": _ENUMERATION["fo:language"] for s in ("asian", "complex")}
_ENUMERATION |= {f"style:country-{s}": _ENUMERATION["fo:country"] for s in ("asian", "complex")}


def is_look(attribute: str, value: str) -> bool:
    """Whether an attribute, named with its usual prefix, says nothing but the look.

    >>> is_look("fo:border", "0.06pt solid #000000"), is_look("fo:border", "0.06pt Kowalczyk")
    (True, False)
    """
    if attribute in _ENUMERATION:
        return _ENUMERATION[attribute].fullmatch(value) is not None
    if attribute not in LOOKS:
        return False
    tokens = [
        _TOKEN.fullmatch(token) for token in re.split(r"[\s,]+|(?<=\()|(?=\))", value) if token
    ]
    if not all(tokens):
        return False
    numbers = [found for found in tokens if found and found["number"]]
    words = [
        word for found in tokens if found and found["word"] for word in found["word"].split("-")
    ]
    return len(numbers) <= _MEASURES and all(
        word.rstrip("23") in _WORDS or word in _WORDS for word in words
    )


_STYLES = read_words("odf_styles")
_AUTOMATIC = re.compile(
    r"(?:M?[PTRLN]|M?(?:fr|gr|dp|pm)|Sect|Table|Frame|Image|Section|Text|ce|co|ro|ta|f|name|control|WWNum|WW8Num"
    r"|ListLabel)\d{1,4}(?:z\d)?(?:\.(?:[A-Z]{1,2}|\d{1,3})?\d{0,4})?"
)
_ENCODED = re.compile(r"_([0-9a-f]{2,4})_")
_FONTS = read_words("odf_fonts")


def is_name_of_format(name: str) -> bool:
    """Whether an office program gives this name by itself: `P1`, `Heading_20_1`, a common font."""
    plain = _ENCODED.sub(lambda found: chr(int(found[1], 16)), name)
    if is_font(plain.rstrip("0123456789")) and len(name) - len(name.rstrip("0123456789")) < 3:
        return True
    if _AUTOMATIC.fullmatch(plain):
        return True
    words = re.findall(r"[^\W\d_]+\d*|\d+|\S", plain)
    digits = sum(map(str.isdigit, plain))
    return digits <= 4 and all(
        w.casefold().rstrip("0123456789") in _STYLES or w.isdigit() or w == "." for w in words
    )


def is_font(family: str) -> bool:
    return unicodedata.normalize("NFKC", family).strip().strip("'\"").casefold() in _FONTS
