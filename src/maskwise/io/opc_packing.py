"""How the parts of an office package are packed: their kinds and content types, their names, and the lists of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from maskwise.io.package import Element, load_lxml

OFFICE = (
    "http://schemas.openxmlformats.org/officeDocument/",
    "http://purl.oclc.org/ooxml/officeDocument/",
)
ROOTS = {"word": "document", "xl": "workbook"}
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_CONTENT = "http://schemas.openxmlformats.org/package/2006/content-types"
_OPENXML = "application/vnd.openxmlformats-officedocument."
_KINDS_OF_MS = {
    "commentsExtended": "2011/relationships/",
    "chartStyle": "2011/relationships/",
    "chartColorStyle": "2011/relationships/",
    "diagramDrawing": "2007/relationships/",
}
_MAIN = {
    "word": _OPENXML + "wordprocessingml.document.main+xml",
    "xl": _OPENXML + "spreadsheetml.sheet.main+xml",
}
_TYPED = {
    "theme": _OPENXML + "theme+xml",
    "drawing": _OPENXML + "drawing+xml",
    "vmlDrawing": _OPENXML + "vmlDrawing",
    "chart": _OPENXML + "drawingml.chart+xml",
    "chartUserShapes": _OPENXML + "drawingml.chartshapes+xml",
    "chartStyle": "application/vnd.ms-office.chartstyle+xml",
    "chartColorStyle": "application/vnd.ms-office.chartcolorstyle+xml",
    "diagramData": _OPENXML + "drawingml.diagramData+xml",
    "diagramLayout": _OPENXML + "drawingml.diagramLayout+xml",
    "diagramQuickStyle": _OPENXML + "drawingml.diagramStyle+xml",
    "diagramColors": _OPENXML + "drawingml.diagramColors+xml",
    "diagramDrawing": "application/vnd.ms-office.drawingml.diagramDrawing+xml",
}
_FAMILIES = {"word": _OPENXML + "wordprocessingml.", "xl": _OPENXML + "spreadsheetml."}


@dataclass
class Relation:
    """A relationship: the last word of its type, and its target: a part, or the address of a link."""

    id: str
    kind: str
    type: str
    target: str = field(repr=False)
    external: bool = False


def has_usual_type(kind: str, type_: str) -> bool:
    """Whether a relationship has the type that programs write for its kind."""
    if kind in _KINDS_OF_MS:
        return type_ == f"http://schemas.microsoft.com/office/{_KINDS_OF_MS[kind]}{kind}"
    return type_ in (f"{OFFICE[0]}2006/relationships/{kind}", f"{OFFICE[1]}relationships/{kind}")


def find_content_type(family: str, kind: str) -> str:
    """The content type of a part of this kind, in a package whose main folder is `family`."""
    if kind == "officeDocument":
        return _MAIN[family]
    return _TYPED.get(kind) or f"{_FAMILIES[family]}{kind}+xml"


def name_relationships(source: str) -> str:
    """The name of the list that holds the relationships of a part."""
    folder, _, file = source.rpartition("/")
    return f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"


def name_parts(family: str, kinds: Mapping[str, str], endings: Mapping[str, str]) -> dict[str, str]:
    """Each part under a name made of its kind and a number, because names of files can be names of people."""
    names = {"": ""}
    count: dict[str, int] = {}
    for part, kind in kinds.items():
        count[kind] = count.get(kind, 0) + 1
        number = str(count[kind]) if count[kind] > 1 else ""
        stem = ROOTS[family] if kind == "officeDocument" else kind
        names[part] = f"{family}/{stem}{number}.{endings[part]}"
    return names


def write_relationships(names: Mapping[str, str], relations: Iterable[Relation]) -> Element:
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


def write_content_types(types: Mapping[str, str]) -> Element:
    etree = load_lxml()
    root = etree.Element(f"{{{_CONTENT}}}Types", nsmap={None: _CONTENT})
    rels = "application/vnd.openxmlformats-package.relationships+xml"
    etree.SubElement(root, f"{{{_CONTENT}}}Default", Extension="rels", ContentType=rels)
    etree.SubElement(root, f"{{{_CONTENT}}}Default", Extension="xml", ContentType="application/xml")
    for part, kind in types.items():
        etree.SubElement(root, f"{{{_CONTENT}}}Override", PartName=f"/{part}", ContentType=kind)
    return root
