"""Escapes in the text and the attributes of an HTML page: what they say, and how a replacement is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

from maskwise.io.atoms import Atom
from maskwise.io.html_tokens import SPACE
from maskwise.text import possessive

_REFERENCE = r"&(?:\#[0-9]+|\#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);?".replace("\\#", "#")
# Browsers do not show these, and nobody reads them.
_UNSEEN = "[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff]"
_ESCAPES = rf"{_REFERENCE}|{_UNSEEN}+|[<>&]"
FLOW = possessive.compile(rf"{_ESCAPES}|[{SPACE}]{{2,}}+|[\r\n]")  # where white space is collapsed
SPACED = re.compile(_ESCAPES)  # where white space is kept
ADDRESS = re.compile(rf"{_ESCAPES}|(?:%[0-9a-fA-F]{{2}})+")
_SAFE_IN_ADDRESS = "/:@?=&+,;~#!$*()[]"


def read_escape(source: str) -> str:
    """The text that a reader sees for an escape, or for a sign that a browser does not show as it stands."""
    if source[0] == "&":
        said = re.sub(_UNSEEN, "", html.unescape(source))
        return said.replace("\u00a0", " ")
    if source[0] == "%":
        return unquote(source, errors="replace")
    if source in "<>":
        return source
    return " " if source.isspace() else ""


def escape_text(text: str, atom: Atom) -> str:
    """A replacement as it is written in the place of the atom. Only what must be escaped is escaped."""
    kind, _, quoted = atom.style.partition(" ")
    if kind == "link":
        text = quote(text, safe=_SAFE_IN_ADDRESS)
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quoted == '"':
        return safe.replace('"', "&quot;")
    if quoted == "wrapped":
        inner = safe.replace('"', "&quot;")
        return f'"{inner}"'
    if quoted == "'":
        return safe.replace("'", "&#39;")
    if quoted:
        return re.sub(r"[\s=`\"']", lambda found: f"&#{ord(found[0])};", safe)
    return safe


def normalise_atoms(text: str, atoms: Iterator[Atom]) -> Iterator[Atom]:
    """Yields the atoms. Those that a neighbour could complete to another escape or to a tag are to be written anew."""
    for atom in atoms:
        if _can_be_completed(text, atom):
            yield atom._replace(normal=escape_text(atom.text, atom))
        else:
            yield atom


def _can_be_completed(text: str, atom: Atom) -> bool:
    source = text[atom.start : atom.end]
    after = text[atom.end : atom.end + 1]
    if source[0] == "&" and not source.endswith(";"):
        return source == "&" or atom.text != source or after in ("", "<")
    if source == "<" and (not after or after not in "0123456789= \n\t"):
        return True
    return bool(atom.style) and source in ("<", ">")
