"""Open Packaging Conventions (ECMA-376 part 2): the parts of a .docx or .xlsx that its relationships lead to.

Only parts behind a known kind of relationship are kept, under the type that this kind has. All else (properties,
thumbnails, embedded objects, custom XML, macros, printer settings, caches) is left out, with the elements that refer to
it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import unquote

from maskwise.errors import InputError
from maskwise.io import images
from maskwise.io.limits import Limits
from maskwise.io.nodes import Put, Spots, Sweep
from maskwise.io.ooxml import Grammar, number_relations, rebuild_tree
from maskwise.io.ooxml_values import is_known_font, read_format_words
from maskwise.io.opc_packing import (
    OFFICE,
    ROOTS,
    Relation,
    find_content_type,
    has_usual_type,
    name_parts,
    name_relationships,
    write_content_types,
    write_relationships,
)
from maskwise.io.package import (
    Element,
    drop_element,
    drop_namespace,
    dump_xml,
    find_elements,
    get_name,
    load_lxml,
    parse_xml,
    unzip_parts,
    zip_parts,
)

TYPES = "[Content_Types].xml"
_RELID = "{urn:schemas-microsoft-com:office:office}relid"
_CONTAINERS = frozenset(
    "object drawing pict ext twoCellAnchor oneCellAnchor absoluteAnchor externalReference pivotCache".split()
)
_LISTS = frozenset(  # that may not be empty
    "externalReferences pivotCaches tableParts controls oleObjects extLst Choice Fallback AlternateContent".split()
)
_PLOTTED = 1e10  # amounts that charts show exactly are smaller
_LARGEST = 1e15
_NUMBER = re.compile(r"[-+0-9.eE]+")
NOWHERE = "about:blank"
_ADDRESS = re.compile(r"(?:https?|mailto|tel|ftp):.*|#.*", re.IGNORECASE | re.DOTALL)
_PLAIN_FONT = "Arial"
_NAMED = frozenset(
    "typeface ascii hAnsi eastAsia cs font face val name styleId style formatCode".split()
)
Places = dict[str, list[tuple[Element, str]]]  # where each value stands; no attribute for a text
EMBEDDED = frozenset(["oleObject", "package", "control", "aFChunk", "subDocument", "vbaProject"])


@dataclass
class Opc:
    """A package in memory: its XML parts as trees, its pictures, and the relationships of each."""

    family: str = "word"
    trees: dict[str, Element] = field(default_factory=dict)
    pictures: dict[str, bytes] = field(default_factory=dict)
    relations: dict[str, list[Relation]] = field(default_factory=dict)
    # The kind of relationship that led to each part.
    kinds: dict[str, str] = field(default_factory=dict)
    # How many relationships of each kind were not followed.
    left: dict[str, int] = field(default_factory=dict)

    def find_parts(self, *kinds: str) -> Iterator[tuple[str, Element]]:
        """XML parts reached by these kinds of relationships, in order."""
        return ((part, tree) for part, tree in self.trees.items() if self.kinds[part] in kinds)

    def rebuild(self, grammar: Grammar, name: str) -> None:
        """Write each part anew by the grammar, with new names for its relationships."""
        for part, tree in self.trees.items():
            relations = self.relations.get(part, [])
            new = rebuild_tree(tree, grammar, number_relations(relations))
            if new is None:
                raise InputError(
                    f"{name}: {self.kinds[part]} is of another format than its relationship says"
                )
            _drop_identifiers(new)
            self.trees[part] = new
        for relations in self.relations.values():
            new_ids = number_relations(relations).values()
            for relation, new_id in zip(relations, new_ids, strict=True):
                relation.id = new_id
        _, main = next(self.find_parts("officeDocument"))
        if get_name(main) != ROOTS[self.family]:
            raise InputError(f"{name}: the main part is not of this format")

    def add_formats(self, spots: Spots) -> None:
        """Words in number formats as text; a format in which something is masked becomes the general one."""
        found: Places = {}
        for tree in self.trees.values():
            for element in find_elements(tree, ["formatCode"]):
                found.setdefault(element.text or "", []).append((element, ""))
            for element in find_elements(tree, ["numFmt"]):
                code = element.get("formatCode")
                if code:
                    found.setdefault(code, []).append((element, "formatCode"))
        for code, places in found.items():
            literal = read_format_words(code)
            if literal:
                spots.add(literal, _build_filler(places, "General"))

    def add_fonts(self, spots: Spots, fonted: Iterable[str]) -> None:
        """Names of fonts that few have as text; one in which something is masked becomes a plain font."""
        owners = frozenset(tuple(spot.split("@")) for spot in fonted)
        elements = frozenset(element for element, _ in owners)
        found: Places = {}
        for tree in self.trees.values():
            for element in find_elements(tree, elements):
                name = get_name(element)
                for key, value in element.items():
                    is_font = (name, drop_namespace(key)) in owners
                    if is_font and not is_known_font(value):
                        found.setdefault(value, []).append((element, key))
        for font, places in found.items():
            spots.add(font, _build_filler(places, _PLAIN_FONT))

    def add_links(self, spots: Spots) -> None:
        """Addresses of links as text; one in which something is masked leads nowhere."""
        for relation in self._find_links():
            if relation.target != NOWHERE:
                spots.add(unquote(relation.target), _build_disconnector(relation))

    def _find_links(self) -> Iterator[Relation]:
        for relations in self.relations.values():
            yield from (relation for relation in relations if relation.external)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the parts that were left out of the output, and on those that were not read."""
        objects = sum(self.left.get(kind, 0) for kind in EMBEDDED)
        said = (
            ("embedded objects and macros left out", objects),
            ("pictures left out, of a kind that cannot be cleaned", self.left.get("image", 0)),
            ("pictures kept, whose text is not read", len(self.pictures)),
        )
        return tuple(f"{what}: {count}" for what, count in said if count)

    def sweep(self, sweep: Sweep, read: Iterable[str]) -> None:
        """Rename the texts, fonts and styles in attributes that still hold a masked string, and cut such links.

        The reader passes over forms of a string that this finds, such as one with other signs between its letters.
        """
        keys = _NAMED.union(spot.partition("@")[2] for spot in read)
        for tree in self.trees.values():
            sweep.rename_attributes(tree, keys)
            _drop_words(tree)
        for relation in self._find_links():
            if sweep.has_secret(unquote(relation.target)):
                relation.target = NOWHERE

    def pack(self) -> bytes:
        endings = {part: self._find_ending(part) for part in self.kinds}
        names = name_parts(self.family, self.kinds, endings)
        types = {names[part]: self._find_type(part) for part in self.kinds}
        parts = {TYPES: dump_xml(write_content_types(types))}
        for source, relations in self.relations.items():
            if relations:
                listed = write_relationships(names, relations)
                parts[name_relationships(names[source])] = dump_xml(listed)
        parts |= {names[part]: dump_xml(tree) for part, tree in self.trees.items()}
        parts |= {names[part]: data for part, data in self.pictures.items()}
        return zip_parts(parts)

    def _find_type(self, part: str) -> str:
        if part in self.pictures:
            return f"image/{images.find_ending(self.pictures[part])}"
        return find_content_type(self.family, self.kinds[part])

    def _find_ending(self, part: str) -> str:
        if part in self.pictures:
            return images.find_ending(self.pictures[part])
        return "vml" if part.casefold().endswith(".vml") else "xml"


def load_package(raw: bytes, name: str, limits: Limits, known: frozenset[str], family: str) -> Opc:
    """The parts that `known` kinds of relationships lead to, from the root on. `family` is the folder of the format."""
    load_lxml()  # says what to install before the file is looked at
    members = unzip_parts(raw, name, limits)
    if TYPES not in members:
        raise InputError(f"{name}: not an office file: it has no list of content types")
    loader = _PackageLoader(Opc(family), members, name, limits, known)
    waiting = [""]
    while waiting:
        for part in loader.load_relations(waiting.pop(0)):
            if part not in loader.package.relations and part not in waiting:
                waiting.append(part)
    if "officeDocument" not in loader.package.kinds.values():
        raise InputError(f"{name}: no main part; not a file of this format")
    return loader.package


@dataclass
class _PackageLoader:
    """Follows the relationships of a package that are known, and loads the parts behind them."""

    package: Opc
    members: dict[str, bytes] = field(repr=False)
    name: str
    limits: Limits
    known: frozenset[str]

    @cached_property
    def _by_name(self) -> dict[str, str]:
        return {member.casefold(): member for member in self.members}

    def load_relations(self, source: str) -> list[str]:
        """Load what the relationships of a part lead to. Returns the parts, in order."""
        package = self.package
        gone: set[str] = set()
        kept = package.relations[source] = []
        for relation in self._read_relations(source):
            if relation.external and relation.kind == "hyperlink":
                if not _ADDRESS.fullmatch(relation.target):
                    relation.target = NOWHERE
                kept.append(relation)
            elif self._can_follow(relation) and self._load_part(relation):
                kept.append(relation)
            else:
                gone.add(relation.id)
                package.left[relation.kind] = package.left.get(relation.kind, 0) + 1
        if source in package.trees:
            _cut_references(package.trees[source], gone)
        return [relation.target for relation in kept if not relation.external]

    def _can_follow(self, relation: Relation) -> bool:
        if relation.external or relation.kind not in self.known:
            return False
        return has_usual_type(relation.kind, relation.type)

    def _load_part(self, relation: Relation) -> bool:
        """Load the part that a relationship leads to; false if it is missing or cannot be cleaned."""
        package = self.package
        part = self._by_name.get(relation.target.casefold(), "")
        if not part:
            return False
        relation.target = part
        if part in package.kinds:
            return True
        if relation.kind == "image":
            picture = images.clean_picture(self.members[part])
            if picture is None:
                return False
            package.pictures[part] = picture
        else:
            try:
                package.trees[part] = self._parse_part(part)
            except InputError:
                if relation.kind != "vmlDrawing":
                    raise
                return False  # old programs wrote these without closing their tags
        package.kinds[part] = relation.kind
        return True

    def _parse_part(self, part: str) -> Element:
        return parse_xml(self.members[part], self.name, part, self.limits)

    def _read_relations(self, source: str) -> Iterator[Relation]:
        member = self._by_name.get(name_relationships(source).casefold())
        if member is None:
            return
        for item in self._parse_part(member):
            kind = item.get("Type", "")
            word = kind.rpartition("/")[2]
            target = item.get("Target", "")
            # A link to a place in the document itself is an address too.
            external = item.get("TargetMode") == "External" or word == "hyperlink"
            if not external:
                target = _resolve_target(source, target)
            yield Relation(item.get("Id", ""), word, kind, target, external)


def _resolve_target(source: str, target: str) -> str:
    """The part that a relative address in another part leads to."""
    path = unquote(target.replace("\\", "/"))
    folder = posixpath.dirname(source)
    whole = posixpath.join("/" + folder, path)
    return posixpath.normpath(whole).lstrip("/")


def _build_filler(places: Sequence[tuple[Element, str]], new: str) -> Put:
    """Put the same plain value in all places where a masked one stood."""

    def put(_: str) -> None:
        for element, attribute in places:
            if attribute:
                element.set(attribute, new)
            else:
                element.text = new

    return put


def _build_disconnector(relation: Relation) -> Put:
    """A link in which something is masked leads nowhere."""

    def put(_: str) -> None:
        relation.target = NOWHERE

    return put


def _cut_references(tree: Element, gone: set[str]) -> None:
    """Take out what refers to a relationship that is not followed: the whole picture or object around the reference."""
    if not gone:
        return
    for element in list(tree.iter("{*}*")):
        if not any(_is_reference(key) and value in gone for key, value in element.items()):
            continue
        top = element
        while top is not None and get_name(top) not in _CONTAINERS:
            top = top.getparent()
        target = element if top is None else top
        parent = target.getparent()
        drop_element(target)
        while parent is not None and len(parent) == 0 and get_name(parent) in _LISTS:
            target, parent = parent, parent.getparent()
            drop_element(target)


def _is_reference(key: str) -> bool:
    """Whether an attribute names a relationship."""
    return key == _RELID or (key.startswith("{") and key[1:].startswith(OFFICE))


def _drop_identifiers(tree: Element) -> None:
    """Drop points of a number series of a chart that say who rather than how much."""
    for point, value in _find_points(tree):
        if _NUMBER.fullmatch(value) and _is_identifier(value):
            drop_element(point)


def _find_points(tree: Element) -> Iterator[tuple[Element, str]]:
    """Yields the points of the number series of a chart with their values."""
    for point in find_elements(tree, ["pt"]):
        if get_name(point.getparent()) in ("numCache", "numLit"):
            yield point, point.findtext("{*}v") or ""


def _is_identifier(value: str) -> bool:
    try:
        number = float(value)
    except ValueError:
        return False
    whole = abs(number) < _LARGEST and number == int(number)
    return whole and abs(number) >= _PLOTTED and int(number) % 1000 != 0


def _drop_words(tree: Element) -> None:
    """Drop points of a number series of a chart whose number was masked: a word there would make the file invalid."""
    for point, value in _find_points(tree):
        if not _NUMBER.fullmatch(value):
            drop_element(point)
