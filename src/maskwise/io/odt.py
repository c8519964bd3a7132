"""OpenDocument texts: body, headers, notes, annotations and fields are masked in place; styles are kept.

Metadata, settings (printers), thumbnails, macros, signatures, embedded objects and tracked changes are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import unquote

from maskwise.errors import InputError
from maskwise.io import images
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.nodes import Rules, Spots, Sweep
from maskwise.io.package import Element, among, drop, dump, local, lxml, parse, unzip, zipped
from maskwise.mask import Alignment

MIMETYPE = b"application/vnd.oasis.opendocument.text"
TREES = ("content.xml", "styles.xml")
HREF = "{http://www.w3.org/1999/xlink}href"
_MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
NOWHERE = "about:blank"

RULES = Rules(
    paragraphs=frozenset("p h".split()),
    blanks={"s": " ", "tab": "\t", "line-break": "\n"},
    silent=frozenset("note-citation text currency-symbol".split()),
    attributes=(
        *("@string-value", "@string-value-if-true", "@string-value-if-false", "@description", "frame@name"),
        *("@label", "@title", "@current-value", "@help-text", "@key1", "@key2", "@num-prefix", "@num-suffix"),
        *("bibliography-mark@author", "bibliography-mark@note", "bibliography-mark@editor", "@connection-name"),
        *("text@value", "textarea@value", "option@value", "hidden@value", "bibliography-mark@url", "table@name"),
    ),
)
_CHANGES = frozenset("tracked-changes change change-start change-end".split())
_PRIVATE = frozenset(
    "scripts event-listeners dde-connection-decls dde-connection database-row-select creator-initials "
    "sender-initials binary-data object object-ole plugin applet floating-frame".split()
)
_MOMENTS = frozenset("date-value time-value".split())
_VALUES = frozenset("value-type value boolean-value formula currency".split())
_VALUED = frozenset("table-cell covered-table-cell expression variable-set variable-get".split())


def drop_changes(tree: Element) -> None:
    """Tracked changes hold deleted text and its authors apart from the body: without them all are accepted."""
    for element in among(tree, _CHANGES):
        drop(element)


def drop_private(tree: Element) -> None:
    for element in among(tree, _PRIVATE):
        drop(element)


def drop_values(tree: Element) -> None:
    """Values behind cells and fields: what is shown is the text, and only that is masked."""
    for element in tree.iter("{*}*"):
        valued = local(element) in _VALUED
        for name in list(element.keys()):
            word = name[name.find("}") + 1 :]
            if word in _MOMENTS or (valued and word in _VALUES):
                del element.attrib[name]


def hide_people(tree: Element) -> None:
    """Authors of annotations by number, and no dates."""
    authors: dict[str, str] = {}
    for note in among(tree, ["annotation"]):
        for element in among(note, ["creator", "date", "date-string"]):
            if local(element) == "creator":
                element.text = authors.setdefault(element.text or "", f"Author {len(authors) + 1}")
            else:
                drop(element)


CLEANERS: tuple[Callable[[Element], None], ...] = (drop_changes, drop_private, drop_values, hide_people)


@dataclass
class Package:
    """The trees and pictures of a document."""

    trees: dict[str, Element]
    pictures: dict[str, bytes] = field(default_factory=dict, repr=False)
    left: int = 0

    def spots(self) -> Spots:
        spots = Spots()
        for tree in self.trees.values():
            spots.tree(tree, RULES)
        for tree in self.trees.values():
            for element in tree.iter("{*}*"):
                address = element.get(HREF)
                if address and local(element) not in ("image", "fill-image"):
                    spots.add(unquote(address), lambda _, element=element: element.set(HREF, NOWHERE))  # type: ignore[misc]
        return spots

    def sweep(self, sweep: Sweep) -> None:
        for tree in self.trees.values():
            for element in tree.iter("{*}*"):
                if sweep.hides(unquote(element.get(HREF, ""))):
                    element.set(HREF, NOWHERE)
            sweep.attributes(tree)

    def pack(self) -> bytes:
        parts = {"mimetype": MIMETYPE, **{name: dump(tree) for name, tree in self.trees.items()}, **self.pictures}
        parts["META-INF/manifest.xml"] = dump(_manifest(parts))
        return zipped(parts, stored=["mimetype"])


@dataclass(frozen=True)
class Odt:
    """OpenDocument texts in and out."""

    limits: Limits = field(default_factory=Limits)

    def read(self, raw: bytes, name: str) -> Loaded:
        package = self._open(raw, name)
        said = (
            ("embedded objects and pictures left out", package.left),
            ("pictures kept, whose text is not read", len(package.pictures)),
        )
        text, _ = package.spots().join()
        return Loaded((text,), (raw, name), notes=tuple(f"{what}: {count}" for what, count in said if count))

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        package = self._open(*loaded.layout)
        spots = package.spots()
        spots.fill(spots.join()[1], alignments[0])
        package.sweep(Sweep.of(alignments[0]))
        return package.pack()

    def _open(self, raw: bytes, name: str) -> Package:
        members = unzip(raw, name, self.limits)
        if not members.get("mimetype", b"").startswith(MIMETYPE) or "content.xml" not in members:
            raise InputError(f"{name}: not an OpenDocument text")
        if b"encryption-data" in members.get("META-INF/manifest.xml", b""):
            raise InputError(f"{name}: encrypted; save it without a password first")
        package = Package({part: parse(members[part], name, part, self.limits) for part in TREES if part in members})
        for tree in package.trees.values():
            package.left += len(among(tree, ["object", "object-ole", "plugin", "applet", "floating-frame"]))
            for clean in CLEANERS:
                clean(tree)
            _pictures(package, tree, members)
        return package


def _pictures(package: Package, tree: Element, members: dict[str, bytes]) -> None:
    """Keep raster pictures of the package under neutral names; drop all others, and frames that nothing is left in."""
    for image in among(tree, ["image", "fill-image"]):
        path = image.get(HREF, "").removeprefix("./")  # renderings of embedded objects lie elsewhere, and go with them
        data = images.cleaned(members.get(path, b"")) if path.startswith("Pictures/") else None
        if data is None:
            package.left += 1
            frame = image.getparent()
            drop(image)
            if local(frame) == "frame" and not among(frame, ["image", "text-box"]):
                drop(frame)
            continue
        same = next((part for part, known in package.pictures.items() if known == data), None)
        part = same or f"Pictures/image{len(package.pictures) + 1}.{images.ending(data)}"
        package.pictures[part] = data
        image.set(HREF, part)


def _manifest(parts: dict[str, bytes]) -> Element:
    etree = lxml()
    tag = f"{{{_MANIFEST}}}"
    root = etree.Element(tag + "manifest", {tag + "version": "1.3"}, nsmap={"manifest": _MANIFEST})
    types = {"xml": "text/xml", "png": "image/png", "gif": "image/gif", "jpeg": "image/jpeg"}
    entries = {"/": MIMETYPE.decode()} | {p: types[p.rpartition(".")[2]] for p in parts if p != "mimetype"}
    for path, kind in entries.items():
        etree.SubElement(root, tag + "file-entry", {tag + "full-path": path, tag + "media-type": kind})
    return root
