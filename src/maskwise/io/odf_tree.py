"""A copy of an OpenDocument tree that holds only what `odf_words` lists, with neutral names for what people name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from maskwise.io.odf_words import (
    CONTENT_CONTROL,
    ELEMENTS,
    IDENTIFIERS,
    PREFIXES,
    SPACES,
    TEXTS,
    UNWRAPPED,
    WRITTEN,
    is_font,
    is_look,
    is_name_of_format,
)
from maskwise.io.package import Element, load_lxml

HREF = f"{{{SPACES['xlink']}}}href"
NOWHERE = "about:blank"

_PARAGRAPHS = frozenset(["text:p", "text:h"])
_PICTURES = frozenset(
    ["draw:image", "draw:fill-image", "style:background-image", "text:list-level-style-image"]
)
_LINKS = frozenset(["text:a", "draw:a"])
_FAMILIES = frozenset(
    "svg:font-family fo:font-family style:font-family-asian style:font-family-complex".split()
)
_SCHEMES = frozenset("http https mailto tel ftp".split())
_GOALS = frozenset("outline table frame graphic ole region section".split())
_CITATION = re.compile(r"\d{1,3}|[ivxlcIVXLC]{1,6}|[a-zA-Z]|[*†‡§¶#]{1,3}")
_NEUTRAL = re.compile(r"name\d{1,6}")
OBJECTS = frozenset(
    f"draw:{word}" for word in "object object-ole plugin applet floating-frame".split()
)
_READABLE = re.compile(r"[^\W\d_]{2}|\d{4}")
_UNREAD = 3  # letters and digits that a text may hold without being read: a bullet, "(a)"


@dataclass
class OdfNames:
    """A neutral name for each name that people gave, the same wherever it stands."""

    taken: frozenset[str] = frozenset()
    given: dict[str, str] = field(default_factory=dict, repr=False)
    _count: int = 0

    @classmethod
    def from_trees(cls, roots: Iterable[Element]) -> OdfNames:
        """Names that no tree holds yet."""
        taken: set[str] = set()
        for root in roots:
            for element in root.iter("{*}*"):
                taken.update(filter(_NEUTRAL.fullmatch, element.values()))
        return cls(frozenset(taken))

    def rename(self, name: str) -> str:
        """The neutral form of a name; names of the format stay.

        >>> names = OdfNames()
        >>> names.rename("Heading_20_1"), names.rename("Ana_20_Souza"), names.rename("Ana_20_Souza")
        ('Heading_20_1', 'name1', 'name1')
        """
        if name not in self.given:
            can_stay = is_name_of_format(name) or name in self.taken
            self.given[name] = name if can_stay else self._make_name()
        return self.given[name]

    def _make_name(self) -> str:
        self._count += 1
        while f"name{self._count}" in self.taken:
            self._count += 1
        return f"name{self._count}"


@dataclass
class _Sink:
    """A new element that is being filled. `bears` says whether text may stand in it."""

    element: Element
    bears: bool
    last: Element | None = None
    pieces: list[str] = field(default_factory=list, repr=False)

    def write(self, text: str | None) -> None:
        if text and self.bears:
            self.pieces.append(text)

    def settle(self) -> None:
        """Put the text read so far where it belongs. It is joined once, however many elements were left out between."""
        text = "".join(self.pieces)
        self.pieces.clear()
        if not text:
            return
        if self.last is None:
            self.element.text = text
        else:
            self.last.tail = text


@dataclass
class Copier:
    """Copies trees of one document. `left` counts objects and elements with text that were left out, by name."""

    names: OdfNames
    left: dict[str, int] = field(default_factory=dict)
    _citations: int = 0
    _authors: dict[str, str] = field(default_factory=dict, repr=False)

    def copy(self, root: Element) -> Element:
        spaces = {prefix: address for prefix, address in SPACES.items() if prefix != "xml"}
        attributes = self._clean_attributes(root, qualify_name(root))
        new = load_lxml().Element(root.tag, attributes, nsmap=spaces)
        stack = [_Sink(new, False)]
        walk = load_lxml().iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if element is root:
                continue
            if event == "start":
                sink = self._open(stack[-1], element)
                if sink is None:
                    walk.skip_subtree()
                else:
                    sink.write(element.text)
                stack.append(sink or _Sink(None, False))
            else:
                closed = stack.pop()
                if closed.element is not None and closed is not stack[-1]:
                    closed.settle()
                    self._finish(closed.element)
                stack[-1].write(element.tail)
        stack[0].settle()
        return new

    def _open(self, parent: _Sink, element: Element) -> _Sink | None:
        """Where the content of an element goes: into its copy, into its parent, or nowhere."""
        name = qualify_name(element)
        if name in UNWRAPPED or element.tag == CONTENT_CONTROL:
            return parent
        misplaced = name == "dc:creator" and qualify_name(parent.element) != "office:annotation"
        if name not in ELEMENTS or misplaced:
            if name in OBJECTS or any(map(str.strip, element.itertext())):
                self.left[name] = self.left.get(name, 0) + 1
            return None
        parent.settle()
        attributes = self._clean_attributes(element, name)
        parent.last = load_lxml().SubElement(parent.element, element.tag, attributes)
        bears = parent.bears or name in _PARAGRAPHS or name in TEXTS or name == "dc:creator"
        return _Sink(parent.last, bears)

    def _clean_attributes(self, element: Element, name: str) -> dict[str, str]:
        kept = {}
        for key, value in element.items():
            new = self._clean_value(name, qualify_tag(key), value)
            if new is not None:
                kept[key] = new
        return kept

    def _clean_value(self, element: str, attribute: str, value: str) -> str | None:
        """The new form of an attribute, or nothing."""
        if attribute in IDENTIFIERS:
            return self.names.rename(value) if value else value
        if attribute in WRITTEN:
            return value if is_read_or_short(value) else None
        if attribute == "xlink:href":
            return self._clean_address(element, value)
        if attribute in _FAMILIES:
            return value if is_font(value) else None
        return value if is_look(attribute, value) else None

    def _clean_address(self, element: str, address: str) -> str | None:
        if element in _PICTURES:
            return address  # the package replaces it by the name of a picture, or takes the element out
        if element not in _LINKS:
            return None
        if address.startswith("#"):
            return self._clean_anchor(address)
        return address if is_known_address(address) else NOWHERE

    def _clean_anchor(self, address: str) -> str:
        """A place in the document itself under its new name, with the kind of the place if that is known."""
        target, goal = unquote(address[1:]), ""
        if "|" in address:
            target, _, goal = target.rpartition("|")
        kind = f"|{goal}" if goal in _GOALS else ""
        return f"#{self.names.rename(target)}{kind}"

    def _finish(self, element: Element) -> None:
        name = qualify_name(element)
        if name == "text:note-citation":
            self._citations += 1
            if len(element) or not _CITATION.fullmatch(element.text or ""):
                del element[:]
                element.text = str(self._citations)
        elif name == "dc:creator":
            name = f"Author {len(self._authors) + 1}"
            element.text = self._authors.setdefault(element.text or "", name)
            del element[:]
        elif name in TEXTS and not is_read_or_short(element.text or ""):
            element.text = None


def qualify_name(element: Element) -> str:
    """An element with the usual prefix of its namespace."""
    return qualify_tag(element.tag)


def qualify_tag(tag: str) -> str:
    address, _, word = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
    return f"{PREFIXES.get(address, '?')}:{word}"


def is_read_or_short(value: str) -> bool:
    """Whether a text is read, or too short to tell anything."""
    return _READABLE.search(value) is not None or sum(map(str.isalnum, value)) <= _UNREAD


def is_known_address(address: str) -> bool:
    try:
        return urlsplit(address).scheme.lower() in _SCHEMES
    except ValueError:
        return False
