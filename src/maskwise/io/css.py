"""Style sheets, reduced to what draws a page: known properties with known words, numbers and colours.

Everything that can carry text is left out: comments, strings, addresses, imports, rare fonts, unknown words. The caller
renames classes, elements and variables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from maskwise.io.html_names import COLOURS, ELEMENTS, NUMBER, has_telling_digits
from maskwise.io.vocabulary import read_words
from maskwise.text import possessive

Rename = Callable[[str], str]

PROPERTIES = read_words("css_properties")
KEYWORDS = COLOURS | read_words("css_keywords")
FUNCTIONS = frozenset(
    "calc clamp cubic-bezier hsl hsla linear-gradient matrix max min minmax radial-gradient repeat rgb rgba rotate "
    "scale scalex scaley skew steps translate translatex translatey var".split()
)
FONTS = frozenset(
    "arial,arial black,calibri,cambria,consolas,courier,courier new,georgia,gill sans,helvetica,helvetica neue,"
    "lucida console,lucida grande,menlo,monaco,noto sans,open sans,palatino,roboto,segoe ui,tahoma,times,"
    "times new roman,trebuchet ms,verdana".split(",")
)
PSEUDO = frozenset(
    """active after any-link before checked default disabled empty enabled even first-child first-letter first-line
    first-of-type focus focus-visible focus-within hover invalid is last-child last-of-type link marker not nth-child
    nth-last-child nth-of-type odd only-child optional placeholder read-only required root selection target valid
    visited where first left right""".split()
)
MEDIA = frozenset(
    "all and color max-height max-width min-height min-width not only orientation or portrait landscape prefers-color-"
    "scheme prefers-reduced-motion print reduce dark light screen".split()
)
UNIT = r"(?:%|px|em|rem|ex|ch|pt|pc|cm|mm|in|vh|vw|vmin|vmax|fr|deg|rad|turn|s|ms|dpi|dppx)?"

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_FONT = re.compile(r"""(["'])([a-zA-Z ]+)\1""")
_VALUE = possessive.compile(
    rf"(?P<number>{NUMBER}{UNIT}(?![\w.%]))|(?P<colour>\#[0-9a-fA-F]{{3,8}}(?!\w))|(?P<variable>--[\w-]++)"
    r"|(?P<function>[a-zA-Z-]++(?=\())|(?P<word>-?[a-zA-Z][\w-]*+)|(?P<sign>[\s,/()*+!]++|-)"
)
_SELECTOR = possessive.compile(
    r"(?P<name>[.#]-?[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff-]*+)|::?(?P<pseudo>[a-z-]++)|(?P<element>[a-zA-Z][\w-]*+)"
    r"|(?P<nth>[-+]?\d{0,3}n?(?=[\s)+-]))|(?P<sign>[\s,>+~*()]++)"
)
_QUANTITY = possessive.compile(NUMBER + UNIT)
_SELECTED = ELEMENTS | {"n", "odd", "even"}
_QUERY_WORD = re.compile(r"[A-Za-z][\w-]*")
_PAGES = ("@page", "@page :first", "@page :left", "@page :right")
_RULE = possessive.compile(r"[^{};]*+")


def clean_sheet(source: str, rename: Rename) -> str:
    """A style sheet without anything that can hold text; `source` itself where there is nothing to leave out."""
    plain = _COMMENT.sub(" ", source)
    if "\\" in plain:  # an escape can spell anything
        plain = _undo_escapes(plain)
    rules = list(_clean_rules(plain, rename))
    cleaned = "\n".join(rules)
    return source if _squeeze_space(cleaned) == _squeeze_space(source) else cleaned


def clean_style(source: str, rename: Rename) -> str:
    """The declarations of a `style` attribute, without those that can hold text."""
    plain = _COMMENT.sub(" ", source)
    kept = [] if "\\" in plain else list(_clean_declarations(plain, rename))
    cleaned = "; ".join(kept)
    return source if _squeeze_space(cleaned) == _squeeze_space(source).rstrip(";") else cleaned


def _squeeze_space(text: str) -> str:
    return re.sub(r"\s+", "", text).replace(";}", "}")


def _undo_escapes(sheet: str) -> str:
    return "}".join(rule for rule in sheet.split("}") if "\\" not in rule)


def _clean_rules(sheet: str, rename: Rename) -> Iterator[str]:
    """Rules one after another; groups of rules are opened and closed where they stand."""
    at, depth = 0, 0
    while at < len(sheet):
        found = _RULE.match(sheet, at)
        head = found[0].strip() if found else ""
        at = found.end() if found else at
        sign = sheet[at : at + 1]
        at += 1
        if sign == "}" and depth:
            depth -= 1
            yield "}"
        elif sign == "{" and head.startswith("@") and _is_group(head):
            depth += 1
            yield head + " {"
        elif sign == "{":
            end = sheet.find("}", at)
            end = len(sheet) if end < 0 else end
            body, at = sheet[at:end], end + 1
            if rule := _clean_rule(head, body, rename):
                yield rule
    yield from "}" * depth


def _clean_rule(head: str, body: str, rename: Rename) -> str | None:
    selector = _clean_page_rule(head) if head.startswith("@") else _clean_selector(head, rename)
    if not selector or "{" in body:
        return None
    declarations = "; ".join(_clean_declarations(body, rename))
    return f"{selector} {{ {declarations} }}"


def _is_group(head: str) -> bool:
    name, _, query = head[1:].partition(" ")
    if name.lower() != "media" or has_telling_digits(query):
        return False
    plain = _QUANTITY.sub(" ", query)
    words = _QUERY_WORD.findall(plain)
    signs = re.sub(r"[\s:,()<>=]", "", _QUERY_WORD.sub("", plain))
    return not signs and all(word.lower() in MEDIA for word in words)


def _clean_page_rule(head: str) -> str | None:
    return head if head.lower() in _PAGES else None


def _clean_selector(selector: str, rename: Rename) -> str | None:
    parts: list[str] = []
    at = 0
    while at < len(selector):
        found = _SELECTOR.match(selector, at)
        if found is None or found.end() == at:
            return None
        pseudo, element = found["pseudo"], found["element"]
        is_unknown = (pseudo and pseudo not in PSEUDO) or (
            element and element.lower() not in _SELECTED
        )
        if found["name"]:
            parts.append(found[0][0] + rename(found[0][1:]))
        elif is_unknown:
            return None
        else:
            parts.append(found[0])
        at = found.end()
    return "".join(parts).strip() or None


def _clean_declarations(body: str, rename: Rename) -> Iterator[str]:
    for declaration in body.split(";"):
        name, colon, value = (part.strip() for part in declaration.partition(":"))
        known = name.startswith("--") or name.lower() in PROPERTIES
        cleaned = _clean_value(value, rename, name.lower()) if colon and known else None
        if cleaned is not None:
            shown = "--" + rename(name[2:]) if name.startswith("--") else name
            yield f"{shown}: {cleaned}"


def _clean_value(value: str, rename: Rename, name: str) -> str | None:
    if name in ("font", "font-family"):
        value = _FONT.sub(_hyphenate_font, value)
    parts: list[str] = []
    at = 0
    while at < len(value):
        found = _VALUE.match(value, at)
        if found is None or found.end() == at:
            return None
        word = found[0]
        is_font = found["word"] is not None and _is_font(word)
        known = FUNCTIONS if found["function"] else KEYWORDS
        is_unknown = bool(found["function"] or found["word"]) and word.lower() not in known
        if found["variable"]:
            parts.append("--" + rename(word[2:]))
        elif is_font:
            parts.append(f'"{word.replace("-", " ")}"')
        elif is_unknown:
            return None
        else:
            parts.append(word)
        at = found.end()
    return None if not parts or has_telling_digits(value) else "".join(parts)


def _hyphenate_font(found: re.Match[str]) -> str:
    """The name of a known font in one word, so that it is read like a keyword."""
    name = found[2]
    return name.replace(" ", "-") if name.lower() in FONTS else found[0]


def _is_font(word: str) -> bool:
    return "-" in word and word.replace("-", " ").lower() in FONTS
