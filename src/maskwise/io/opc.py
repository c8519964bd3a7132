"""Open Packaging Conventions (ECMA-376 part 2): the parts of a .docx or .xlsx that its relationships lead to.

Only parts behind a known kind of relationship are taken along, under the type that this kind has; all else (properties,
thumbnails, embedded objects, custom XML, macros, printer settings, caches) is left behind, with the elements that refer
to it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from maskwise.errors import InputError
from maskwise.io import images
from maskwise.io.limits import Limits
from maskwise.io.nodes import Put, Spots, Sweep
from maskwise.io.ooxml import Grammar, number_relations, rebuild_tree
from maskwise.io.ooxml_values import format_literal, is_known_font
from maskwise.io.opc_kinds import OFFICE, ROOTS, find_content_type, has_usual_type
from maskwise.io.package import (
    Element,
    drop_element,
    dump_xml,
    find_elements,
    get_name,
    load_lxml,
    parse_xml,
    unzip_parts,
    zip_parts,
)

TYPES = "[Content_Types].xml"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_CONTENT = "http://schemas.openxmlformats.org/package/2006/content-types"
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
EMBEDDED = frozenset(["oleObject", "package", "control", "aFChunk", "subDocument", "vbaProject"])


@dataclass
class Relation:
    """A relationship: the last word of its type, and its target: a part, or the address of a link."""

    id: str
    kind: str
    type: str
    target: str = field(repr=False)
    external: bool = False


@dataclass
class Opc:
    """A package in memory: its XML parts as trees, its pictures, and the relationships of each."""

    family: str = "word"
    trees: dict[str, Element] = field(default_factory=dict)
    pictures: dict[str, bytes] = field(default_factory=dict)
    relations: dict[str, list[Relation]] = field(default_factory=dict)
    # Part to the kind of relationship that led to it.
    kinds: dict[str, str] = field(default_factory=dict)
    # Kinds of relationships not followed, with their number.
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
            for relation, known in zip(
                relations, number_relations(relations).values(), strict=True
            ):
                relation.id = known
        main = next(
            tree for part, tree in self.trees.items() if self.kinds[part] == "officeDocument"
        )
        if get_name(main) != ROOTS[self.family]:
            raise InputError(f"{name}: the main part is not of this format")

    def add_formats(self, spots: Spots) -> None:
        """Words in number formats as text; a format in which something is masked becomes the general one."""
        found: dict[str, list[tuple[Element, str]]] = {}
        for tree in self.trees.values():
            for element in find_elements(tree, ["formatCode"]):
                found.setdefault(element.text or "", []).append((element, ""))
            for element in find_elements(tree, ["numFmt"]):
                if element.get("formatCode"):
                    found.setdefault(element.get("formatCode"), []).append((element, "formatCode"))
        for code, places in found.items():
            literal = format_literal(code)
            if literal:
                spots.add(literal, _build_filler(places, "General"))

    def add_fonts(self, spots: Spots, fonted: Iterable[str]) -> None:
        """Names of fonts that few have as text; one in which something is masked becomes a plain font."""
        owners = frozenset(tuple(spot.split("@")) for spot in fonted)
        elements = frozenset(element for element, _ in owners)
        found: dict[str, list[tuple[Element, str]]] = {}
        for tree in self.trees.values():
            for element in find_elements(tree, elements):
                name = get_name(element)
                for key, value in element.items():
                    if (name, key[key.find("}") + 1 :]) in owners and not is_known_font(value):
                        found.setdefault(value, []).append((element, key))
        for font, places in found.items():
            spots.add(font, _build_filler(places, _PLAIN_FONT))

    def add_links(self, spots: Spots) -> None:
        """Addresses of links as text; one in which something is masked leads nowhere."""
        for relations in self.relations.values():
            for relation in relations:
                if relation.external and relation.target != NOWHERE:
                    spots.add(
                        unquote(relation.target),
                        lambda _, r=relation: setattr(r, "target", NOWHERE),
                    )  # type: ignore[misc]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the output does not hold, and what in it was not read."""
        objects = sum(self.left.get(kind, 0) for kind in EMBEDDED)
        said = (
            ("embedded objects and macros left out", objects),
            ("pictures left out, of a kind that cannot be cleaned", self.left.get("image", 0)),
            ("pictures kept, whose text is not read", len(self.pictures)),
        )
        return tuple(f"{what}: {count}" for what, count in said if count)

    def sweep(self, sweep: Sweep, read: Iterable[str]) -> None:
        """Replace attributes that hide masked strings in a form the reader passed over: text, fonts, styles. Cut links
        that hide such."""
        keys = _NAMED.union(spot.partition("@")[2] for spot in read)
        for tree in self.trees.values():
            sweep.rename_attributes(tree, keys)
            _drop_words(tree)
        for relations in self.relations.values():
            for relation in relations:
                if relation.external and sweep.has_secret(unquote(relation.target)):
                    relation.target = NOWHERE

    def pack(self) -> bytes:
        names = _name_parts(self)
        parts: dict[str, bytes] = {}
        for source, relations in self.relations.items():
            if relations:
                parts[_name_relationships(names[source])] = dump_xml(
                    _write_relationships(names, source, relations)
                )
        parts |= {names[part]: dump_xml(tree) for part, tree in self.trees.items()}
        parts |= {names[part]: data for part, data in self.pictures.items()}
        types = {names[part]: self._find_type(part) for part in self.kinds}
        return zip_parts({TYPES: dump_xml(_write_content_types(types)), **parts})

    def _find_type(self, part: str) -> str:
        if part in self.pictures:
            return f"image/{images.find_ending(self.pictures[part])}"
        return find_content_type(self.family, self.kinds[part])


def load_package(raw: bytes, name: str, limits: Limits, known: frozenset[str], family: str) -> Opc:
    """The parts that `known` kinds of relationships lead to, from the root on. `family` is the folder of the format."""
    load_lxml()  # says what to install before the file is looked at
    members = unzip_parts(raw, name, limits)
    if TYPES not in members:
        raise InputError(f"{name}: not an office file: it has no list of content types")
    by_name = {member.casefold(): member for member in members}
    package = Opc(family)
    waiting = [""]
    while waiting:
        source = waiting.pop(0)
        gone: set[str] = set()
        kept = package.relations[source] = []
        for relation in _read_relations(members, by_name, source, name, limits):
            part = by_name.get(relation.target.casefold(), "")
            if relation.external and relation.kind == "hyperlink":
                if not _ADDRESS.fullmatch(relation.target):
                    relation.target = NOWHERE
                kept.append(relation)
            elif (
                relation.external
                or relation.kind not in known
                or not has_usual_type(relation.kind, relation.type)
                or not part
                or not _load_part(package, relation, part, members, name, limits)
            ):
                gone.add(relation.id)
                package.left[relation.kind] = package.left.get(relation.kind, 0) + 1
            else:
                relation.target = part
                kept.append(relation)
                if part not in package.relations and part not in waiting:
                    waiting.append(part)
        if source in package.trees:
            _cut_references(package.trees[source], gone)
    if not any(kind == "officeDocument" for kind in package.kinds.values()):
        raise InputError(f"{name}: no main part; not a file of this format")
    return package


def _load_part(
    package: Opc,
    relation: Relation,
    part: str,
    members: dict[str, bytes],
    name: str,
    limits: Limits,
) -> bool:
    """Load the part that a relationship leads to; false for a picture that cannot be cleaned."""
    if part in package.kinds:
        return True
    if relation.kind == "image":
        clean = images.clean_picture(members[part])
        if clean is None:
            return False
        package.pictures[part] = clean
    elif relation.kind == "vmlDrawing":  # old programs wrote these without closing their tags
        try:
            package.trees[part] = parse_xml(members[part], name, part, limits)
        except InputError:
            return False
    else:
        package.trees[part] = parse_xml(members[part], name, part, limits)
    package.kinds[part] = relation.kind
    return True


def _read_relations(
    members: dict[str, bytes], by_name: dict[str, str], source: str, name: str, limits: Limits
) -> Iterator[Relation]:
    member = by_name.get(_name_relationships(source).casefold())
    if member is None:
        return
    for item in parse_xml(members[member], name, member, limits):
        kind = item.get("Type", "")
        target, external = item.get("Target", ""), item.get("TargetMode") == "External"
        word = kind.rpartition("/")[2]
        if word == "hyperlink" and not external:
            external = True  # a place in the document itself: an address all the same
        if not external:
            path = unquote(target.replace("\\", "/"))
            folder = posixpath.dirname(source)
            target = posixpath.normpath(posixpath.join("/" + folder, path)).lstrip("/")
        yield Relation(item.get("Id", ""), word, kind, target, external)


def _build_filler(places: list[tuple[Element, str]], new: str) -> Put:
    """Put the same plain value in all places where a masked one stood."""

    def put(_: str) -> None:
        for element, attribute in places:
            if attribute:
                element.set(attribute, new)
            else:
                element.text = new

    return put


def _cut_references(tree: Element, gone: set[str]) -> None:
    """Take out what refers to a relationship that is not followed: the whole picture or object around the reference."""
    if not gone:
        return
    for element in list(tree.iter("{*}*")):
        refers = (
            v
            for k, v in element.items()
            if k == _RELID or (k.startswith("{") and k[1:].startswith(OFFICE))
        )
        if not any(value in gone for value in refers):
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


def _drop_identifiers(tree: Element) -> None:
    """Points of a number series of a chart that say who rather than how much."""
    for point in find_elements(tree, ["pt"]):
        value = point.findtext("{*}v") or ""
        if (
            get_name(point.getparent()) in ("numCache", "numLit")
            and _NUMBER.fullmatch(value)
            and _is_identifier(value)
        ):
            drop_element(point)


def _is_identifier(value: str) -> bool:
    try:
        number = float(value)
    except ValueError:
        return False
    whole = abs(number) < _LARGEST and number == int(number)
    return whole and abs(number) >= _PLOTTED and int(number) % 1000 != 0


def _drop_words(tree: Element) -> None:
    """Points of a number series of a chart whose number was masked: a word there would make the file invalid."""
    for point in find_elements(tree, ["pt"]):
        if get_name(point.getparent()) in ("numCache", "numLit") and not _NUMBER.fullmatch(
            point.findtext("{*}v") or ""
        ):
            drop_element(point)


def _name_relationships(source: str) -> str:
    folder, _, file = source.rpartition("/")
    return f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"


def _name_parts(package: Opc) -> dict[str, str]:
    """Each part under a name made of its kind and a number: the names of files can be names of people."""
    folder = package.family
    names = {"": ""}
    count: dict[str, int] = {}
    for part, kind in package.kinds.items():
        count[kind] = count.get(kind, 0) + 1
        ending = (
            images.find_ending(package.pictures[part])
            if part in package.pictures
            else _read_ending(part)
        )
        stem = {"xl": "workbook"}.get(folder, "document") if kind == "officeDocument" else kind
        names[part] = f"{folder}/{stem}{count[kind] if count[kind] > 1 else ''}.{ending}"
    return names


def _read_ending(part: str) -> str:
    return "vml" if part.casefold().endswith(".vml") else "xml"


def _write_relationships(names: dict[str, str], source: str, relations: list[Relation]) -> Element:
    etree = load_lxml()
    root = etree.Element(f"{{{_RELATIONS}}}Relationships", nsmap={None: _RELATIONS})
    for relation in relations:
        attributes: dict[str, Any] = {"Id": relation.id, "Type": relation.type}
        if relation.external:
            attributes |= {"Target": relation.target, "TargetMode": "External"}
        else:
            attributes["Target"] = "/" + names[relation.target]
        etree.SubElement(root, f"{{{_RELATIONS}}}Relationship", attributes)
    return root


def _write_content_types(types: dict[str, str]) -> Element:
    etree = load_lxml()
    root = etree.Element(f"{{{_CONTENT}}}Types", nsmap={None: _CONTENT})
    rels = "application/vnd.openxmlformats-package.relationships+xml"
    etree.SubElement(root, f"{{{_CONTENT}}}Default", Extension="rels", ContentType=rels)
    etree.SubElement(root, f"{{{_CONTENT}}}Default", Extension="xml", ContentType="application/xml")
    for part, kind in types.items():
        etree.SubElement(root, f"{{{_CONTENT}}}Override", PartName=f"/{part}", ContentType=kind)
    return root
