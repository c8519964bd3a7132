"""Text in XML trees: every text node and every attribute that people write becomes a segment that can be put back.

Runs of one paragraph are joined without glue, so that a name is whole however its letters are styled.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from maskwise.io.formats import Given
from maskwise.io.package import Element, drop_element, drop_namespace, get_name, load_lxml
from maskwise.io.segments import BREAK, Segments, join_segments, mask_segments
from maskwise.mask import Alignment
from maskwise.text import EntityType

Put = Callable[[str], None]

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_READABLE = re.compile(r"[^\W\d_]{2}|\d{4}")
_ENDS = (
    ".",
    "!",
    "?",
    "\u2026",
    ":",
    ";",
)  # after one of these a line break keeps paragraphs apart
_OFF = (["0"], ["false"], ["off"])
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class TreeRules:
    """The elements of a format that are paragraphs and runs, stand for white space, or hold no text.

    Without `runs` all text below a paragraph belongs to it. An attribute is named `@name` or `element@name`. Runs
    whose properties hold the element `hidden` are not shown: their text stands apart from what is shown around it.
    """

    paragraphs: frozenset[str]
    runs: frozenset[str] = frozenset()
    blanks: Mapping[str, str] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()
    attributes: tuple[str, ...] = ()
    hidden: str = ""

    @cached_property
    def owners(self) -> Mapping[str, frozenset[str]]:
        """Attribute to the elements on which it holds text; the empty name stands for all."""
        owners: dict[str, set[str]] = {}
        for name in self.attributes:
            owner, _, attribute = name.partition("@")
            owners.setdefault(attribute, set()).add(owner)
        return {attribute: frozenset(found) for attribute, found in owners.items()}


@dataclass(frozen=True)
class Spot:
    """A piece of text in a tree and how to write it anew."""

    text: str = field(repr=False)
    put: Put
    blank: bool = False


@dataclass
class Spots:
    """The spots of a file, by paragraph, in order."""

    groups: dict[Any, list[Spot]] = field(default_factory=dict)

    def add(self, text: str, put: Put, key: Any = None, blank: bool = False) -> None:
        """Spots of one `key` are one paragraph; without a key a spot is a paragraph of its own."""
        group = len(self.groups) if key is None else key
        self.groups.setdefault(group, []).append(Spot(text, put, blank))

    def add_tree(self, root: Element, rules: TreeRules) -> None:
        """All text of a tree."""
        for event, element in load_lxml().iterwalk(root, events=("start", "end"), tag="{*}*"):
            if event == "end":
                if element.tail and element is not root:
                    self._add_node(element, True, rules)
                continue
            name = get_name(element)
            if name in rules.blanks:
                paragraph = _find_paragraph(element, rules)
                if paragraph in self.groups:  # before its text, tabs are tab stops
                    self.add(rules.blanks[name], _build_remover(element), paragraph, blank=True)
            if element.text:
                self._add_node(element, False, rules)
            self._add_attributes(element, name, rules)

    def _add_attributes(self, element: Element, name: str, rules: TreeRules) -> None:
        for attribute, value in element.items():
            owners = rules.owners.get(drop_namespace(attribute), ())
            if ("" in owners or name in owners) and _READABLE.search(value):
                self.add(value, _build_setter(element, attribute))

    def _add_node(self, element: Element, tail: bool, rules: TreeRules) -> None:
        owner = element.getparent() if tail else element
        text = (element.tail if tail else element.text) or ""
        name = get_name(owner)
        paragraph = _find_paragraph(owner, rules)
        inside = paragraph is not None and (name in rules.runs or not rules.runs)
        if name in rules.silent or (not inside and not _READABLE.search(text)):
            return

        def put(new: str) -> None:
            if tail:
                element.tail = clean_text(new)
            else:
                element.text = clean_text(new)
                if name in rules.runs and new != new.strip():
                    element.set(_SPACE, "preserve")

        # Field codes and other text of a paragraph that is not shown stand apart from it, but in one piece.
        key: Any = (paragraph, name) if paragraph is not None else None
        if inside:
            key = paragraph
        if inside and rules.hidden and _is_hidden(owner.getparent(), rules.hidden):
            key = (paragraph, rules.hidden)
        self.add(text, put, key)

    @property
    def all(self) -> list[Spot]:
        return [spot for group in self.groups.values() for spot in group]

    def join(self) -> tuple[str, Segments]:
        texts: list[str] = []
        glue: list[str] = []
        for group in self.groups.values():
            is_after_sentence = bool(texts) and texts[-1].rstrip().endswith(_ENDS)
            glue.append("\n" if is_after_sentence else BREAK)
            glue += [""] * (len(group) - 1)
            texts += (spot.text for spot in group)
        return join_segments(texts, glue)

    def find_given(self, segments: Segments, kinds: Mapping[Any, EntityType]) -> tuple[Given, ...]:
        """Spans of the groups whose type is declared."""
        return tuple(
            (start, end, kinds[key]) for start, end, key in self.find_groups(segments, kinds)
        )

    def find_groups(
        self, segments: Segments, keys: Container[Any]
    ) -> Iterator[tuple[int, int, Any]]:
        """Yields where the groups with these keys stand."""
        at = 0
        for key, group in self.groups.items():
            last = at + len(group) - 1
            start, end = segments.starts[at], segments.starts[last] + len(segments.texts[last])
            if key in keys and start < end:
                yield start, end, key
            at = last + 1

    def fill(self, segments: Segments, alignment: Alignment) -> None:
        """Write the masked segments back; spots that nothing was masked in are left alone."""
        new = zip(self.all, mask_segments(segments, alignment), strict=True)
        changed = [(spot, text) for spot, text in new if text != spot.text]
        # Text comes first, because it may be the tail of a blank.
        for spot, text in sorted(changed, key=lambda pair: pair[0].blank):
            spot.put(text)


def _is_hidden(run: Element, mark: str) -> bool:
    """Whether the first child of a run, its properties, holds the mark."""
    if run is None or not len(run) or not len(run[0]):
        return False
    return any(get_name(each) == mark and each.values()[:1] not in _OFF for each in run[0])


def _build_remover(element: Element) -> Put:
    """A blank inside of what is masked is dropped with it."""
    return lambda new: None if new else drop_element(element)


def _build_setter(element: Element, attribute: str) -> Put:
    return lambda new: element.set(attribute, clean_text(new))


def _find_paragraph(element: Element, rules: TreeRules) -> Element | None:
    while element is not None and get_name(element) not in rules.paragraphs:
        element = element.getparent()
    return element


def clean_text(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return _FORBIDDEN.sub("", text)


ENUM = re.compile(r"[a-z]+(?:[A-Z][a-z]*)*\d*")  # `center`, `autoNumber`: a word of the format
# Addresses by which formats name their parts.
SCHEMA = re.compile(
    r"https?://(?:schemas\.(?:openxmlformats\.org|microsoft\.com)|purl\.(?:oclc\.)?org|www\.w3\.org)/[\w./#-]*"
    r"|urn:(?:schemas-microsoft-com|oasis):[\w:.-]*"
)
NAMING = frozenset(
    "name title descr alt tooltip anchor author tag string styleId displayName location ref".split()
)
DISTINCT = 6


@dataclass
class Sweep:
    """Renames identifiers (bookmarks, styles, sheets) that hold a masked string.

    The same identifier gets the same neutral name everywhere, so that references still meet their targets.
    """

    secrets: frozenset[str] = field(repr=False)
    renamed: dict[str, str] = field(default_factory=dict, repr=False)
    count: int = 0

    @classmethod
    def of(cls, alignment: Alignment) -> Sweep:
        secrets = {_strip_signs(edit.original) for edit in alignment.edits}
        return cls(frozenset(secret for secret in secrets if len(secret) >= DISTINCT))

    @cached_property
    def _automaton(self) -> Any:
        from ahocorasick_rs import AhoCorasick

        return AhoCorasick(sorted(self.secrets))

    def has_secret(self, value: str) -> bool:
        """Whether a value holds a masked string, however it is spaced and accented."""
        if not self.secrets:
            return False
        return bool(self._automaton.find_matches_as_indexes(_strip_signs(value)))

    def rename(self, value: str) -> str:
        """The value itself, or the neutral name it gets."""
        if value not in self.renamed:
            is_telling = len(value) >= DISTINCT and self.has_secret(value)
            self.count += is_telling
            self.renamed[value] = f"name{self.count}" if is_telling else value
        return self.renamed[value]

    def rename_attributes(self, root: Element, keys: frozenset[str] | None = None) -> None:
        """Rename the values of attributes: of all, or of those with these local names."""
        if not self.secrets:
            return
        for element in root.iter("{*}*"):
            for key, value in element.items():
                name = drop_namespace(key)
                if keys is not None and name not in keys:
                    continue
                if len(value) < DISTINCT or SCHEMA.fullmatch(value):
                    continue
                if name in NAMING or not ENUM.fullmatch(value):
                    new = self.rename(value)
                    if new != value:
                        element.set(key, new)


def _strip_signs(text: str) -> str:
    """Letters and digits alone, without accents and case."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text).casefold())
