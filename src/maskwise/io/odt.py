"""OpenDocument texts: body, headers, notes, annotations and forms are masked in place; the look is kept.

The output holds only the elements, attributes and values that `odf_words` lists. Fields become the text they show;
names that people give to styles, bookmarks, tables and the like become neutral; metadata, settings, thumbnails,
macros, signatures, embedded objects, conditions, formulas and tracked changes are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import unquote

from maskwise.errors import InputError
from maskwise.io import images
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.nodes import Put, Spots, Sweep, TreeRules
from maskwise.io.odf_tree import HREF, NOWHERE, OBJECTS, Copier, OdfNames
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
from maskwise.io.readings import list_readings
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy

MIMETYPE = b"application/vnd.oasis.opendocument.text"
TREES = ("content.xml", "styles.xml")
_MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_PICTURED = ("image", "fill-image", "background-image", "list-level-style-image")

RULES = TreeRules(
    paragraphs=frozenset("p h ruby-text".split()),
    blanks={"s": " ", "tab": "\t", "line-break": "\n"},
    silent=frozenset(["note-citation", "creator"]),
    attributes=tuple(
        "@string-value @key1 @key2 @num-prefix @num-suffix @leader-text @bullet-char @prefix @suffix @label @title "
        "@value @current-value".split()
    ),
)


@dataclass
class Package:
    """The trees and pictures of a document, and how many objects, pictures and other elements were left out."""

    trees: dict[str, Element]
    pictures: dict[str, bytes] = field(default_factory=dict, repr=False)
    objects: int = 0
    unread: int = 0
    others: int = 0

    def collect_spots(self) -> Spots:
        spots = Spots()
        for tree in self.trees.values():
            spots.add_tree(tree, RULES)
        for link in self._find_links():
            address = link.get(HREF)
            if not address or address.startswith("#") or address == NOWHERE:
                continue
            for reading in list_readings(unquote(address)):
                spots.add(reading, _build_disconnector(link))
        return spots

    def _find_links(self) -> Iterator[Element]:
        for tree in self.trees.values():
            yield from find_elements(tree, ["a"])

    def sweep(self, sweep: Sweep) -> None:
        """Rename identifiers that still hold a masked string, and cut such links."""
        for link in self._find_links():
            if sweep.has_secret(unquote(link.get(HREF, ""))):
                link.set(HREF, NOWHERE)
        for tree in self.trees.values():
            sweep.rename_attributes(tree)

    @property
    def notes(self) -> tuple[str, ...]:
        said = (
            ("embedded objects left out", self.objects),
            ("pictures left out, of a kind that cannot be cleaned", self.unread),
            ("pictures kept, whose text is not read", len(self.pictures)),
            ("elements whose text is not read, left out", self.others),
        )
        return tuple(f"{what}: {count}" for what, count in said if count)

    def pack(self) -> bytes:
        parts = {
            "mimetype": MIMETYPE,
            **{name: dump_xml(tree) for name, tree in self.trees.items()},
            **self.pictures,
        }
        parts["META-INF/manifest.xml"] = dump_xml(_build_manifest(parts))
        return zip_parts(parts, stored=["mimetype"])


@dataclass(frozen=True)
class Odt:
    """OpenDocument texts in and out."""

    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    suffix = ""

    def read(self, raw: bytes, name: str) -> Loaded:
        package = self._open(raw, name)
        text, _ = package.collect_spots().join()
        return Loaded((text,), (raw, name), notes=package.notes)

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        package = self._open(*loaded.layout)
        spots = package.collect_spots()
        spots.fill(spots.join()[1], alignments[0])
        package.sweep(Sweep.of(alignments[0]))
        return package.pack()

    def _open(self, raw: bytes, name: str) -> Package:
        members = unzip_parts(raw, name, self.limits)
        if not members.get("mimetype", b"").startswith(MIMETYPE) or "content.xml" not in members:
            raise InputError(f"{name}: not an OpenDocument text")
        if b"encryption-data" in members.get("META-INF/manifest.xml", b""):
            raise InputError(f"{name}: encrypted; save it without a password first")
        trees = {
            part: parse_xml(members[part], name, part, self.limits)
            for part in TREES
            if part in members
        }
        return clean_trees(trees, members)


def _build_disconnector(link: Element) -> Put:
    """A link in which something is masked leads nowhere."""

    def put(_: str) -> None:
        link.set(HREF, NOWHERE)

    return put


def clean_trees(trees: dict[str, Element], members: dict[str, bytes]) -> Package:
    """The document with what is listed, and nothing else."""
    copier = Copier(OdfNames.from_trees(trees.values()))
    package = Package({part: copier.copy(tree) for part, tree in trees.items()})
    package.objects = sum(copier.left.get(name, 0) for name in OBJECTS)
    package.others = sum(copier.left.values()) - package.objects
    parts: dict[bytes, str] = {}
    for tree in package.trees.values():
        _place_pictures(package, tree, members, parts)
        _drop_empty_frames(tree)
    return package


def _place_pictures(
    package: Package, tree: Element, members: dict[str, bytes], parts: dict[bytes, str]
) -> None:
    """Keep raster pictures of the package under neutral names; drop all others."""
    for image in find_elements(tree, _PICTURED):
        if HREF not in image.attrib and get_name(image) == "background-image":
            continue  # says that there is no picture
        path = image.get(HREF, "").removeprefix("./")
        is_picture = path.startswith("Pictures/")
        data = images.clean_picture(members.get(path, b"")) if is_picture else None
        if data is None:
            # A picture of an object is counted with its object.
            package.unread += not path.startswith("ObjectReplacements/")
            drop_element(image)
            continue
        if data not in parts:
            parts[data] = f"Pictures/image{len(parts) + 1}.{images.find_ending(data)}"
            package.pictures[parts[data]] = data
        image.set(HREF, parts[data])


def _drop_empty_frames(tree: Element) -> None:
    """Drop frames of which nothing is left to show."""
    for frame in find_elements(tree, ["frame"]):
        if not any(get_name(child) in ("image", "text-box") for child in frame):
            drop_element(frame)


def _build_manifest(parts: dict[str, bytes]) -> Element:
    etree = load_lxml()
    tag = f"{{{_MANIFEST}}}"
    root = etree.Element(tag + "manifest", {tag + "version": "1.3"}, nsmap={"manifest": _MANIFEST})
    types = {"xml": "text/xml", "png": "image/png", "gif": "image/gif", "jpeg": "image/jpeg"}
    entries = {"/": MIMETYPE.decode()}
    for path in parts:
        if path != "mimetype":
            entries[path] = types[path.rpartition(".")[2]]
    for path, kind in entries.items():
        attributes = {tag + "full-path": path, tag + "media-type": kind}
        etree.SubElement(root, tag + "file-entry", attributes)
    return root
