"""Kinds of parts of an office package: the relationships that lead to them and the content types that they have."""

from __future__ import annotations

OFFICE = (
    "http://schemas.openxmlformats.org/officeDocument/",
    "http://purl.oclc.org/ooxml/officeDocument/",
)
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
ROOTS = {"word": "document", "xl": "workbook"}


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
