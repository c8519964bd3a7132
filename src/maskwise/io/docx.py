"""Word documents: text of the body and of every place beside it is masked run by run; styles and layout are kept.

Only what the grammar knows is written. Tracked changes are accepted, fields that hold text become what they show,
bookmarks, custom styles and shapes get new names, authors become numbers. Pictures stay, without metadata.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from maskwise.io import opc
from maskwise.io.docx_grammar import FONTED, build_word_grammar, name_bookmark, name_style
from maskwise.io.fields import clean_fields
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.nodes import Spots, Sweep, TreeRules
from maskwise.io.ooxml import OoxmlNames
from maskwise.io.opc import Opc
from maskwise.io.package import (
    Element,
    drop_element,
    drop_namespace,
    find_elements,
    get_name,
)
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy

KNOWN = frozenset(
    "officeDocument styles settings webSettings fontTable theme numbering header footer footnotes endnotes comments "
    "commentsExtended image hyperlink chart chartStyle chartColorStyle chartUserShapes diagramData diagramLayout "
    "diagramQuickStyle diagramColors diagramDrawing".split()
)

RULES = TreeRules(
    # What stands over, under or beside a line is read apart from it, as is each of two alternatives.
    paragraphs=frozenset("p rt num den e sub sup deg lim fName Choice Fallback".split()),
    runs=frozenset(["t"]),
    blanks={"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"},
    silent=frozenset("posOffset align pctWidth pctHeight formatCode instrText f separator".split()),
    attributes=tuple(
        "@descr @title @alt @tooltip textpath@string alias@val listItem@displayText tblCaption@val tblDescription@val "
        "helpText@val statusText@val default@val listEntry@val lvlText@val".split()
    ),
    hidden="vanish",
)
_SYMBOLS = frozenset(
    ["Symbol", "Wingdings", "Wingdings 2", "Wingdings 3", "Webdings", "Marlett", "MT Extra"]
)


def drop_deleted(tree: Element) -> None:
    """Drop rows and cells whose deletion waits to be accepted."""
    for mark in find_elements(tree, ["del", "cellDel"]):
        parent = mark.getparent()
        if get_name(mark) == "cellDel" and parent is not None:
            for run in find_elements(parent.getparent(), ["r"]):
                drop_element(run)
        elif parent is not None and get_name(parent) == "trPr":
            drop_element(parent.getparent())


def spell_symbols(tree: Element) -> None:
    """Turn letters that stand as symbols into text, so that they are read."""
    for symbol in find_elements(tree, ["sym"]):
        values = {drop_namespace(key): value for key, value in symbol.items()}
        code = int(values.get("char") or "0", 16)
        is_sign = values.get("font", "") in _SYMBOLS and code >= 0xF000
        if not code or is_sign:
            continue
        symbol.tag = symbol.tag.replace("sym", "t")
        symbol.attrib.clear()
        symbol.text = _read_symbol(code)


def _read_symbol(code: int) -> str | None:
    """The letter of a symbol; fonts of symbols put letters into a range for private use."""
    if 0xD800 <= code < 0xE000:
        return None
    return chr(code - 0xF000 if 0xF020 <= code <= 0xF0FF else code)


CLEANERS: tuple[Callable[[Element], None], ...] = (drop_deleted,)


@dataclass(frozen=True)
class Docx:
    """Word documents in and out."""

    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    suffix = ""

    def read(self, raw: bytes, name: str) -> Loaded:
        package = self._open(raw, name)
        text, _ = _collect_spots(package).join()
        return Loaded((text,), (raw, name), notes=package.notes)

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        package = self._open(*loaded.layout)
        spots = _collect_spots(package)
        spots.fill(spots.join()[1], alignments[0])
        package.sweep(Sweep.of(alignments[0]), RULES.attributes)
        return package.pack()

    def _open(self, raw: bytes, name: str) -> Opc:
        package = opc.load_package(raw, name, self.limits, KNOWN, "word")
        for tree in package.trees.values():
            for clean in CLEANERS:
                clean(tree)
        names = OoxmlNames()

        def rename(kind: str, old: str) -> str:
            if kind == "bookmark":
                return name_bookmark(names, old)
            if kind == "style":
                return name_style(names, old)
            return names.rename(kind, old, kind + "{}")

        package.rebuild(build_word_grammar(names), name)
        for tree in package.trees.values():
            clean_fields(tree, rename)
            spell_symbols(tree)
        return package


def _collect_spots(package: Opc) -> Spots:
    spots = Spots()
    for tree in package.trees.values():
        spots.add_tree(tree, RULES)
    package.add_formats(spots)
    package.add_fonts(spots, FONTED)
    package.add_links(spots)
    return spots
