"""Office Open XML by allow-list: a part is written anew, with elements, attributes and values that the format knows.

Elements and attributes come from lists of names, values are numbers, colours or words of the format. What can hold
text either is read (the format's rules say so), or gets a new name, or is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from maskwise.io.ooxml_values import is_safe
from maskwise.io.ooxml_words import ATTRIBUTES, ELEMENTS
from maskwise.io.package import Element, drop_namespace, load_lxml

Fix = Callable[[str], str | None]  # a value to the value that is written, or to nothing

_OPEN = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
_MS = "http://schemas.microsoft.com/office/"
_URN = "urn:schemas-microsoft-com:"
XML = "http://www.w3.org/XML/1998/namespace"

_BOTH = {  # in the transitional and in the strict form of the standard
    "w": ("wordprocessingml/2006/main", "wordprocessingml/main"),
    "x": ("spreadsheetml/2006/main", "spreadsheetml/main"),
    "r": ("officeDocument/2006/relationships", "officeDocument/relationships"),
    "m": ("officeDocument/2006/math", "officeDocument/math"),
    "a": ("drawingml/2006/main", "drawingml/main"),
    "c": ("drawingml/2006/chart", "drawingml/chart"),
    "cdr": ("drawingml/2006/chartDrawing", "drawingml/chartDrawing"),
    "dgm": ("drawingml/2006/diagram", "drawingml/diagram"),
    "pic": ("drawingml/2006/picture", "drawingml/picture"),
    "wp": ("drawingml/2006/wordprocessingDrawing", "drawingml/wordprocessingDrawing"),
    "xdr": ("drawingml/2006/spreadsheetDrawing", "drawingml/spreadsheetDrawing"),
}
_OTHERS = {
    "mc": _OPEN + "markup-compatibility/2006",
    "v": _URN + "vml",
    "o": _URN + "office:office",
    "w10": _URN + "office:word",
    "xvml": _URN + "office:excel",
    "w14": _MS + "word/2010/wordml",
    "w15": _MS + "word/2012/wordml",
    "wp14": _MS + "word/2010/wordprocessingDrawing",
    "wps": _MS + "word/2010/wordprocessingShape",
    "wpg": _MS + "word/2010/wordprocessingGroup",
    "wpc": _MS + "word/2010/wordprocessingCanvas",
    "dsp": _MS + "drawing/2008/diagram",
    "cs": _MS + "drawing/2012/chartStyle",
    "c14": _MS + "drawing/2007/8/2/chart",
    "x14": _MS + "spreadsheetml/2009/9/main",
    "x14ac": _MS + "spreadsheetml/2009/9/ac",
    "xm": _MS + "excel/2006/main",
}
PREFIXES = (
    {_OPEN + old: prefix for prefix, (old, _) in _BOTH.items()}
    | {_STRICT + new: prefix for prefix, (_, new) in _BOTH.items()}
    | {uri: prefix for prefix, uri in _OTHERS.items()}
)
# Programs that do not know these pass over them.
_IGNORABLE = frozenset("w14 w15 wp14 x14ac".split())
# Elements of no namespace, in a page of old drawings.
_PLAIN = frozenset("xml div font span p br b i u".split())
_COMPATIBILITY = f"{{{_OTHERS['mc']}}}"


@dataclass(frozen=True)
class Grammar:
    """The parts that a format keeps.

    `gone` lists elements that are left out, `opened` elements that are replaced by their children, both by `name` or
    `parent/name`. `texts` says what is kept of the text of an element; elements of no namespace are those of a page of
    old drawings, whose text is read. `attributes` says what is kept of a value that is no word of the format, by
    `parent/name@key`, `name@key` or `@key`. An element without an attribute in `whole`, by `name@key`, is left out.
    """

    texts: Mapping[str, Fix]
    attributes: Mapping[str, Fix] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()


def keep_value(value: str) -> str:
    """A fix for text that the reader reads."""
    return value


def rebuild_tree(root: Element, grammar: Grammar, relations: Mapping[str, str]) -> Element | None:
    """A tree of what the grammar keeps, under the usual prefixes; nothing if the root itself is unknown.

    `relations` gives the new name of each relationship of the part.
    """
    builder = _TreeBuilder(grammar, relations)
    return builder.build(root)


@dataclass
class _TreeBuilder:
    grammar: Grammar
    relations: Mapping[str, str]
    is_page: bool = False
    make: Callable[..., Element] = field(default_factory=lambda: load_lxml().SubElement)
    _tags: dict[tuple[str, str], str | None] = field(default_factory=dict)
    _fixes: dict[tuple[str, str, str], tuple[str, Fix] | None] = field(default_factory=dict)
    _named: set[str] = field(default_factory=set)  # prefixes that attributes name

    def build(self, root: Element) -> Element | None:
        self.is_page = root.tag == "xml"
        name = self._get_name("", root.tag)
        if not name:
            return None
        attributes, _ = self._clean_attributes("", name, root)
        spaces = _list_namespaces(_read_namespace(root.tag))
        new = load_lxml().Element(root.tag, attributes, nsmap=spaces)
        new.text = self._clean_text(name, root)
        self._copy_children(root, new, name)
        self._finish(new)
        return new

    def _finish(self, root: Element) -> None:
        """Declare what is used and no more; say which of it may be passed over."""
        load_lxml().cleanup_namespaces(root, keep_ns_prefixes=sorted(self._named))
        used = sorted(prefix for prefix in root.nsmap if prefix in _IGNORABLE)
        if used:
            load_lxml().cleanup_namespaces(
                root, top_nsmap={"mc": _OTHERS["mc"]}, keep_ns_prefixes=[*self._named, *used, "mc"]
            )
            root.set(_COMPATIBILITY + "Ignorable", " ".join(used))

    def _copy_children(self, source: Element, target: Element, parent: str) -> None:
        mixed = not source.tag.startswith("{")
        for child in source:
            tag = child.tag
            if not isinstance(tag, str):
                continue
            name = self._get_name(parent, tag)
            if name == "":
                self._copy_children(child, target, parent)
            if not name:
                continue
            attributes, complete = self._clean_attributes(parent, name, child)
            if not complete:
                continue
            new = self.make(target, tag, attributes)
            if child.text:
                new.text = self._clean_text(name, child)
            if mixed and child.tail:
                new.tail = child.tail
            if len(child):
                self._copy_children(child, new, name)

    def _get_name(self, parent: str, tag: str) -> str | None:
        """The local name of an element to keep, nothing for one to leave out, an empty name for one to open."""
        key = (parent, tag)
        if key not in self._tags:
            self._tags[key] = self._find_name(parent, tag)
        return self._tags[key]

    def _find_name(self, parent: str, tag: str) -> str | None:
        grammar = self.grammar
        space, name = _read_namespace(tag), drop_namespace(tag)
        is_plain = self.is_page and space == "" and name in _PLAIN
        if space not in PREFIXES and not is_plain:
            return None
        if name in grammar.opened or f"{parent}/{name}" in grammar.opened:
            return ""
        if name in grammar.gone or f"{parent}/{name}" in grammar.gone:
            return None
        return name if name in ELEMENTS else None

    def _clean_text(self, name: str, element: Element) -> str | None:
        text: str | None = element.text
        if not text or not element.tag.startswith("{"):
            return text
        fix = self.grammar.texts.get(name)
        return fix(text) if fix is not None else None

    def _clean_attributes(
        self, parent: str, name: str, element: Element
    ) -> tuple[dict[str, str], bool]:
        """The attributes to keep, and whether the element can stand without the others."""
        kept: dict[str, str] = {}
        lost = needed = False
        for key, value in element.items():
            new = self._clean_value(parent, name, key, value, element)
            if new is not None:
                kept[key] = new
                continue
            lost = True
            needed |= f"{name}@{drop_namespace(key)}" in self.grammar.whole
        empty = lost and not kept and not len(element) and not element.text
        return kept, not (empty or needed)

    def _clean_value(
        self, parent: str, name: str, key: str, value: str, element: Element
    ) -> str | None:
        cached = (parent, name, key)
        if cached not in self._fixes:
            self._fixes[cached] = self._find_fix(parent, name, key)
        found = self._fixes[cached]
        if found is None:
            return None
        word, fix = found
        if word == "Requires":
            return self._rename_prefixes(value, element)
        return fix(value)

    def _find_fix(self, parent: str, name: str, key: str) -> tuple[str, Fix] | None:
        space, word = _read_namespace(key), drop_namespace(key)
        if space == XML:
            return (word, keep_space) if word == "space" else None
        if space and space not in PREFIXES:
            return None
        prefix = PREFIXES.get(space, "")
        if prefix == "r" or (prefix == "o" and word == "relid"):
            return word, self.relations.get
        if prefix == "mc":
            return None
        for spot in (f"{parent}/{name}@{word}", f"{name}@{word}", f"@{word}"):
            if spot in self.grammar.attributes:
                return word, self.grammar.attributes[spot]
        return (word, keep_safe) if word in ATTRIBUTES else None

    def _rename_prefixes(self, value: str, element: Element) -> str | None:
        """Prefixes by which a choice names what it needs, under their usual names."""
        usual: list[str] = []
        for prefix in value.split():
            namespace = element.nsmap.get(prefix, "")
            if namespace not in PREFIXES:
                return None
            usual.append(PREFIXES[namespace])
        self._named.update(usual)
        return " ".join(usual) or None


def _list_namespaces(own: str) -> dict[str | None, str]:
    """Prefixes and namespaces of a part whose root is of this namespace."""
    is_strict = own.startswith(_STRICT)
    spaces: dict[str | None, str] = {}
    for prefix, (transitional, strict) in _BOTH.items():
        spaces[prefix] = _STRICT + strict if is_strict else _OPEN + transitional
    spaces.update(_OTHERS)
    if PREFIXES.get(own) == "x":  # which programs write without a prefix
        spaces[None] = spaces.pop("x")
    return spaces


def keep_safe(value: str) -> str | None:
    return value if is_safe(value) else None


def keep_space(value: str) -> str | None:
    return value if value in ("preserve", "default") else None


def _read_namespace(tag: str) -> str:
    return tag[1 : tag.find("}")] if tag.startswith("{") else ""


@dataclass
class OoxmlNames:
    """New names for what people named: the same old name gets the same new one, in order of appearance."""

    known: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    counts: dict[str, int] = field(default_factory=dict)
    fonts: dict[str, list[tuple[Element, str]]] = field(default_factory=dict, repr=False)

    def rename(self, kind: str, old: str, form: str = "{}") -> str:
        """The name of the `kind`; `form` says where its number stands."""
        if (kind, old) not in self.known:
            count = self.counts[form] = self.counts.get(form, 0) + 1
            self.known[kind, old] = form.format(count)
        return self.known[kind, old]

    def build_renamer(self, kind: str, form: str, usual: str = "") -> Callable[[str], str]:
        """A fix that renames all but what fits the pattern of `usual` names."""
        pattern = re.compile(usual) if usual else None

        def fix(value: str) -> str:
            if pattern is not None and pattern.fullmatch(value):
                return value
            return self.rename(kind, value, form)

        return fix


def expect_pattern(pattern: str) -> Fix:
    """A fix that keeps what fits a pattern."""
    matches = re.compile(pattern).fullmatch
    return lambda value: value if matches(value) else None


def expect_word(*words: str) -> Fix:
    known = frozenset(words)
    return lambda value: value if value in known else None


def drop_value(value: str) -> str | None:
    return None


def write_always(new: str) -> Fix:
    return lambda _: new


def number_relations(relations: Any) -> dict[str, str]:
    """Old to new names of the relationships of a part."""
    return {relation.id: f"rId{number}" for number, relation in enumerate(relations, 1)}
