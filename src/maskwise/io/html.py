"""HTML, masked in its source: every character that need not change stays where it is.

Text nodes are one text (inline elements do not break a name apart), followed by the attributes that people or machines
read. Comments, processing instructions and, by policy, scripts and event handlers are left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote, unquote

from maskwise.io.encoding import Encoding, decode, encode
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.segments import BREAK, Segments, changes, join, rewrite
from maskwise.mask import Alignment
from maskwise.text import possessive

_ATTRIBUTE = r"""[\s/]*+([^\s/<>=][^\s/<>=]*+)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s<>"'][^\s<>]*+))?+"""
# No "<" outside quotes in a tag: what looks like one is text, and no source takes more than linear time.
_TOKEN = possessive.compile(
    rf"""(?P<comment><!--.*?(?:--!?>|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<[?][^>]*+>?|<!(?!doctype)[^>]*+>?|</[^a-zA-Z>][^>]*+>?)
    |(?P<raw><(?P<name>script|style)\b(?P<rest>(?:{_ATTRIBUTE})*+[\s/]*+>)(?P<body>.*?)(?P<close></(?P=name)\s*+>|\Z))
    |(?P<tag></?(?P<element>[a-zA-Z][^\s/<>]*+)(?P<attributes>(?:{_ATTRIBUTE})*+[\s/]*+)>)
    |(?P<doctype><!doctype[^>]*+>?)
    |(?P<text>[^<]++|<)""".replace("#", "[#]"),
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_ATTRIBUTES = possessive.compile(_ATTRIBUTE)
_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);?")
_ATOM = possessive.compile(rf"(?:{_ENTITY.pattern})+|\s{{2,}}+|[\r\n]")
_URL_ATOM = re.compile(rf"(?:{_ENTITY.pattern})+|(?:%[0-9a-fA-F]{{2}})+")
_STYLE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark q s samp small span strike strong "
    "sub sup time tt u var wbr".split()
)
# What a page needs to be laid out and nobody reads; the leak check looks here too.
STRUCTURE = frozenset(
    "class id style type rel lang dir charset role target method width height colspan rowspan align valign border "
    "cellpadding cellspacing color bgcolor size face media sizes http-equiv for tabindex scope viewbox d fill stroke "
    "x y xmlns version async defer checked disabled selected autocomplete enctype accept maxlength min max step".split()
)
LINKS = frozenset("href src action cite data formaction poster background srcset longdesc usemap".split())


class Atom(NamedTuple):
    """A stretch of the source and what it says. `plain` when both are the same, character for character."""

    start: int
    end: int
    text: str
    glue: str
    plain: bool
    link: bool = False
    bare: bool = False  # an attribute without quotes


@dataclass(frozen=True)
class Source:
    """The source, the stretches that were read, and those to leave out."""

    text: str = field(repr=False)
    encoding: Encoding
    atoms: tuple[Atom, ...] = field(repr=False)
    segments: Segments
    cuts: tuple[tuple[int, int], ...]


class Html:
    """A page, or a fragment of one. `scripts` and `styles`: drop or keep."""

    def __init__(self, scripts: str = "drop", styles: str = "keep", limits: Limits | None = None) -> None:
        self._scripts = scripts == "drop"
        self._styles = styles == "drop"

    def read(self, raw: bytes, name: str) -> Loaded:
        declared = _CHARSET.search(raw, 0, 4096)
        text, encoding = decode(raw, name, declared[1].decode("ascii") if declared else None)
        body: list[Atom] = []
        attributes: list[Atom] = []
        cuts: list[tuple[int, int]] = []
        glue = last = ""
        for found in _TOKEN.finditer(text):
            if found["text"]:
                body += _atoms(text, *found.span(), glue, _ATOM)
                glue, last = "", found["text"].rstrip()[-1:] or last
            elif found["tag"]:
                if found["element"].lower() not in INLINE:
                    glue = BREAK if last.isalnum() else "\n"
                attributes += self._attributes(text, found, cuts)
            elif found["comment"] or (found["raw"] and self._dropped(found["name"])):
                cuts.append(found.span())
            elif found["raw"] and found["name"].lower() == "style":
                at = found.start("body")
                cuts += ((at + c.start(), at + c.end()) for c in _STYLE_COMMENT.finditer(found["body"]))
        atoms = (*body, *attributes)
        joined, segments = join((a.text for a in atoms), [a.glue for a in atoms])
        return Loaded((joined,), Source(text, encoding, atoms, segments, tuple(cuts)))

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        source: Source = loaded.layout
        edits = [(start, end, "") for start, end in source.cuts]
        for atom, done in zip(source.atoms, changes(source.segments, alignments[0]), strict=True):
            if done and atom.plain:
                edits += ((atom.start + a, atom.start + b, _escaped(new, atom)) for a, b, new in done)
            elif done:
                edits.append((atom.start, atom.end, _escaped(rewrite(atom.text, done)[0], atom)))
        return encode(rewrite(source.text, sorted(edits))[0], source.encoding, escape=True)

    def _dropped(self, name: str) -> bool:
        return self._scripts if name.lower() == "script" else self._styles

    def _attributes(self, text: str, tag: re.Match[str], cuts: list[tuple[int, int]]) -> Iterator[Atom]:
        for found in _ATTRIBUTES.finditer(text, *tag.span("attributes")):
            name, value = found[1].lower(), found[2]
            if not value:
                continue
            quoted = value[0] in "\"'"
            start, end = found.start(2) + quoted, found.end(2) - quoted
            content = html.unescape(text[start:end]).strip().lower()
            if self._scripts and (name.startswith("on") or re.sub(r"\s", "", content).startswith("javascript:")):
                cuts.append(found.span())
            elif name not in STRUCTURE and not content.startswith("data:") and tag["element"].lower() != "link":
                link = name in LINKS
                yield from _atoms(text, start, end, BREAK, _URL_ATOM if link else _ATOM, link, not quoted)


def _atoms(
    text: str, start: int, end: int, glue: str, special: re.Pattern[str], link: bool = False, bare: bool = False
) -> Iterator[Atom]:
    """A stretch of the source cut at its escapes and line breaks, each of which says something else than it is."""
    cursor = start
    for found in special.finditer(text, start, end):
        if cursor < found.start():
            yield Atom(cursor, found.start(), text[cursor : found.start()], glue, True, link, bare)
            glue = ""
        yield Atom(*found.span(), _said(found[0]), glue, False, link, bare)
        glue, cursor = "", found.end()
    if cursor < end:
        yield Atom(cursor, end, text[cursor:end], glue, True, link, bare)


def _said(atom: str) -> str:
    if atom[0] == "&":
        return html.unescape(atom)
    return unquote(atom, errors="replace") if atom[0] == "%" else " "


def _escaped(text: str, atom: Atom) -> str:
    safe = html.escape(quote(text, safe="/:@?=&+,;") if atom.link else text)
    return re.sub(r"[\s=`]", lambda m: f"&#{ord(m[0])};", safe) if atom.bare else safe
