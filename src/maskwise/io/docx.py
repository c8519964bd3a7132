"""Word documents: text of the body and of every place beside it is masked run by run; styles and layout are kept.

Tracked changes are accepted. Properties, custom XML, thumbnails, people, macros, building blocks and embedded objects
are left out; comments lose their authors and dates. Pictures stay, without metadata.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from maskwise.io import opc
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.nodes import Rules, Spots, Sweep
from maskwise.io.opc import Opc
from maskwise.io.package import Element, among, drop, local, unwrap
from maskwise.mask import Alignment

KNOWN = frozenset(
    "officeDocument styles settings webSettings fontTable theme numbering header footer footnotes endnotes comments "
    "commentsExtended image hyperlink chart chartStyle chartColorStyle chartUserShapes diagramData diagramLayout "
    "diagramQuickStyle diagramColors diagramDrawing".split()
)

RULES = Rules(
    paragraphs=frozenset(["p"]),
    runs=frozenset(["t"]),
    blanks={"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"},
    silent=frozenset("posOffset align pctWidth pctHeight formatCode".split()),
    attributes=(
        *("@descr", "@title", "@alt", "@tooltip", "docPr@name", "cNvPr@name", "textpath@string", "fldSimple@instr"),
        *("alias@val", "tag@val", "listItem@displayText", "listItem@value", "tblCaption@val", "tblDescription@val"),
        *("helpText@val", "statusText@val", "default@val", "result@val", "entryMacro@val", "lvlText@val"),
    ),
)

_DELETED = frozenset("del moveFrom".split())
_INSERTED = frozenset("ins moveTo smartTag customXml".split())
_HISTORY = frozenset(
    "rPrChange pPrChange sectPrChange tblPrChange tblPrExChange tblGridChange trPrChange tcPrChange numberingChange "
    "moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd cellIns cellMerge permStart permEnd "
    "customXmlInsRangeStart customXmlInsRangeEnd customXmlDelRangeStart customXmlDelRangeEnd "
    "customXmlMoveFromRangeStart customXmlMoveFromRangeEnd customXmlMoveToRangeStart customXmlMoveToRangeEnd".split()
)
_PRIVATE = frozenset(
    "docVars mailMerge rsids attachedSchema schemaLibrary saveThroughXslt docId writeProtection activeWritingStyle "
    "dataBinding placeholder smartTagPr customXmlPr smartTagType captions".split()
)
_PROPERTIES = frozenset("rPr trPr numPr".split())
_WHO = frozenset("initials date dateUtc fullDate userId providerId".split())


def accept_changes(tree: Element) -> None:
    """Deletions go, insertions stay, and no change remembers who made it."""
    for element in among(tree, _DELETED | {"cellDel"}):
        parent = element.getparent()
        if local(element) == "cellDel":
            for run in among(parent.getparent(), ["r"]):
                drop(run)
        if parent is not None and local(parent) == "trPr":
            drop(parent.getparent())
        drop(element)
    for element in reversed(among(tree, _INSERTED)):
        (drop if local(element.getparent()) in _PROPERTIES else unwrap)(element)


def drop_history(tree: Element) -> None:
    for element in among(tree, _HISTORY):
        drop(element)


def drop_private(tree: Element) -> None:
    for element in among(tree, _PRIVATE):
        drop(element)


def hide_people(tree: Element) -> None:
    """Authors by number, in order of appearance; no initials, no times, no dates behind date fields."""
    authors: dict[str, str] = {}
    for element in tree.iter("{*}*"):
        for name, value in element.items():
            word = name[name.find("}") + 1 :]
            if word == "author":
                element.set(name, authors.setdefault(value, f"Author {len(authors) + 1}"))
            elif word in _WHO:
                del element.attrib[name]


CLEANERS: tuple[Callable[[Element], None], ...] = (accept_changes, drop_history, drop_private, hide_people)


@dataclass(frozen=True)
class Docx:
    """Word documents in and out."""

    limits: Limits = field(default_factory=Limits)

    def read(self, raw: bytes, name: str) -> Loaded:
        package = self._open(raw, name)
        text, _ = _spots(package).join()
        return Loaded((text,), (raw, name), notes=package.notes)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        package = self._open(*loaded.layout)
        spots = _spots(package)
        spots.fill(spots.join()[1], alignments[0])
        package.sweep(Sweep.of(alignments[0]))
        return package.pack()

    def _open(self, raw: bytes, name: str) -> Opc:
        package = opc.load(raw, name, self.limits, KNOWN, ".docx")
        for tree in package.trees.values():
            for clean in CLEANERS:
                clean(tree)
        return package


def _spots(package: Opc) -> Spots:
    spots = Spots()
    for tree in package.trees.values():
        spots.tree(tree, RULES)
    package.links(spots)
    return spots
