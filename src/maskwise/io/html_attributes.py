"""Attributes of an HTML page: which are read, which are written otherwise and which are left out."""

from __future__ import annotations

import html
import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import unquote, unquote_to_bytes

from maskwise.io import images
from maskwise.io.atoms import Atom, cut_atoms, echo_atoms
from maskwise.io.css import clean_style
from maskwise.io.html_escapes import ADDRESS, FLOW, normalise_atoms, read_escape
from maskwise.io.html_names import LINKS, METADATA, NAMES, TEXTS, can_stay
from maskwise.io.html_tokens import Attribute, Token
from maskwise.io.segments import BREAK, Change

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
SCHEMES = frozenset("http https mailto tel sms ftp".split())


@dataclass
class PageParts:
    """The content of a page: the text of its body, the texts beside it, and what changes in its source.

    `cuts` are left out and `edits` are written, whatever is masked. `left_out` counts what a note must name.
    """

    body: list[Atom] = field(default_factory=list)
    asides: list[Atom] = field(default_factory=list)
    cuts: list[tuple[int, int]] = field(default_factory=list)
    edits: list[Change] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    pictures: int = 0
    _names: dict[str, str] = field(default_factory=dict, repr=False)

    def rename(self, name: str) -> str:
        """The neutral form of a name, the same wherever it is used."""
        return self._names.setdefault(name, f"n{len(self._names) + 1}")


@dataclass
class AttributeReader:
    """Reads the attributes of the tags of one page into its parts."""

    text: str = field(repr=False)
    keeps_scripts: bool
    parts: PageParts = field(repr=False)

    def read_all(self, token: Token) -> None:
        """Read the attributes of a tag. Those that do not stay are cut, and so is one that stands there twice."""
        seen: set[str] = set()
        for attribute in token.attributes:
            is_first = attribute.name not in seen
            seen.add(attribute.name)
            if is_first and self._read_attribute(token.name, attribute):
                continue
            self.parts.cuts.append(attribute.span)
            end = attribute.span[1]
            # Without a space the next attribute would run into what stands before this one.
            if self.text[end] not in "\t\n\f\r />":
                self.parts.edits.append((end, end, " "))

    def read_value(self, attribute: Attribute) -> str:
        start, end = attribute.value
        return html.unescape(self.text[start:end])

    def is_hidden(self, token: Token) -> bool:
        """Whether a browser does not show the content of the element."""
        if any(attribute.name == "hidden" for attribute in token.attributes):
            return True
        styles = [attribute for attribute in token.attributes if attribute.name == "style"]
        return any(_HIDDEN.search(self.read_value(style)) for style in styles)

    def is_known_metadata(self, token: Token) -> bool:
        """Whether a `meta` element says something about the page that may stay."""
        values = {}
        for attribute in reversed(token.attributes):  # of two that have one name, the first counts
            values[attribute.name] = self.read_value(attribute).strip().lower()
        if "charset" in values or values.get("name") in METADATA:
            return True
        return can_stay("http-equiv", values.get("http-equiv", "-"))

    def _read_attribute(self, element: str, attribute: Attribute) -> bool:
        """Whether the attribute stays. What changes in it is noted in the parts."""
        name, value = attribute.name, self.read_value(attribute)
        if name.startswith("on") and self.keeps_scripts:
            return True
        names_metadata = name == "name" and element == "meta" and value.strip().lower() in METADATA
        if names_metadata or can_stay(name, value):
            return "<" not in value
        if name == "style":
            return self._put_value(attribute, clean_style(value, self.parts.rename))
        if name in NAMES or (name == "usemap" and value.startswith("#")):
            return self._put_value(attribute, self._rename_words(value))
        if element in LINKS.get(name, ()):
            return self._read_link(element, attribute, value.strip())
        if name in TEXTS and value:
            self._add_value(attribute, "value", FLOW)
            return True
        return name in TEXTS

    def _rename_words(self, value: str) -> str:
        mark = "#" if value.startswith("#") else ""
        words = value.removeprefix("#").split()
        return mark + " ".join(map(self.parts.rename, words))

    def _read_link(self, element: str, attribute: Attribute, address: str) -> bool:
        plain = re.sub(r"[\x00-\x20]", "", address)
        if plain.startswith("#"):
            target = unquote(plain[1:])
            return self._put_value(attribute, self._rename_words(f"#{target}"))
        found = _SCHEME.match(plain)
        scheme = found[1].lower() if found else ""
        if scheme == "data":
            return self._read_data(element, attribute, plain)
        if scheme == "javascript" and self.keeps_scripts:
            return True
        if scheme and scheme not in SCHEMES:
            return False
        self._add_value(attribute, "link", ADDRESS)
        return True

    def _read_data(self, element: str, attribute: Attribute, address: str) -> bool:
        """Keep a picture that stands in the address itself. Other files are left out."""
        picture = _clean_picture(address) if element == "img" else None
        if picture is None:
            self.parts.left_out["embedded file"] += 1
            return False
        self.parts.pictures += 1
        return self._put_value(attribute, picture)

    def _add_value(self, attribute: Attribute, style: str, special: re.Pattern[str]) -> None:
        """Read a value like text."""
        start, end = attribute.value
        how = f"{style} {attribute.quote or 'bare'}"
        needs_quotes = any(sign in self.text[start:end] for sign in "\"'`=<")
        if needs_quotes and not attribute.quote:
            self.parts.asides.append(self._wrap_value(attribute, style))
        else:
            atoms = cut_atoms(self.text, start, end, special, read_escape, BREAK, how)
            self.parts.asides += normalise_atoms(self.text, atoms)
        self.parts.asides += echo_atoms(self.text, start, end, how)

    def _wrap_value(self, attribute: Attribute, style: str) -> Atom:
        """A value that needs quotes and has none: one atom, written anew."""
        start, end = attribute.value
        value = self.read_value(attribute)
        said = unquote(value, errors="replace") if style == "link" else value
        quoted = f'"{html.escape(value)}"'
        return Atom(start, end, said, BREAK, False, f"{style} wrapped", quoted)

    def _put_value(self, attribute: Attribute, value: str) -> bool:
        """Write a value that is known. Returns false without one, because the attribute then goes."""
        start, end = attribute.value
        if not value:
            return False
        if value != self.text[start:end] or "<" in value:
            new = html.escape(value)
            self.parts.edits.append((start, end, new if attribute.quote else f'"{new}"'))
        return True


def _clean_picture(address: str) -> str | None:
    """A picture in an address, without what a camera or an editor wrote beside its pixels; nothing if it is none."""
    head, _, body = address.partition(",")
    is_packed = head.lower().endswith(";base64")
    try:
        data = b64decode(unquote(body), validate=True) if is_packed else unquote_to_bytes(body)
    except (NotBase64, ValueError):
        return None
    picture = images.clean_picture(data)
    if picture is None:
        return None
    packed = b64encode(picture).decode()
    return f"data:image/{images.find_ending(picture)};base64,{packed}"
