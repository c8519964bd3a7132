"""Leak reader of office packages: every part of the zip, with the standard library's own zip and XML readers.

It shares nothing with the readers that masked the file: no relationships, no list of known parts, no list of places.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from maskwise.errors import LeakError
from maskwise.io.leaks.piece import Piece
from maskwise.io.leaks.sources import read_byte_pieces

_PARAGRAPHS = frozenset("p h si is text instr".split())
_NAMESPACE = re.compile(rb"""xmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']""")
_DROPPED = re.compile(rb"<!--.*?-->|<[?].*?[?]>|<![^-\[].*?>", re.DOTALL)
_SHORT = 5  # a shorter attribute holds nothing that would count as a leak


class PackageLeaks:
    """All text, attributes, names and raw bytes of a package."""

    def list_pieces(self, raw: bytes) -> Iterator[Piece]:
        try:
            with zipfile.ZipFile(io.BytesIO(raw)) as archive:
                for number, info in enumerate(archive.infolist(), 1):
                    yield Piece("names of parts", info.filename, markup=True)
                    yield from _read_part(f"part {number}", archive.read(info))
        except (zipfile.BadZipFile, OSError, ElementTree.ParseError) as error:
            raise LeakError(
                f"the written package cannot be read again ({type(error).__name__})"
            ) from None


def _read_part(place: str, data: bytes) -> Iterator[Piece]:
    if not data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        yield from read_byte_pieces(place, data)
        return
    builder = ElementTree.TreeBuilder(insert_comments=True, insert_pis=True)
    root = ElementTree.fromstring(data, ElementTree.XMLParser(target=builder))  # noqa: S314 - we wrote these bytes
    texts: list[str] = []
    values: dict[str, None] = {}
    names: set[object] = set()
    local: dict[object, str] = {}
    for element in root.iter():
        tag = element.tag
        name = local.get(tag) or local.setdefault(tag, _read_local_name(tag))
        if name in _PARAGRAPHS:
            yield Piece(place, "".join(element.itertext()))
        elif name == "c" and element.get("t") == "s":
            _forget_numbers(element)
        if element.text:
            texts.append(element.text)
        if element.tail:
            texts.append(element.tail)
        if element.attrib:
            names.update(element.attrib)
            values.update(dict.fromkeys(element.attrib.values()))
    names.update(local.values())
    yield Piece(place, "\n".join(text for text in texts if not text.isspace()))
    for value in values:
        if len(value) >= _SHORT:
            yield Piece(f"attributes of {place}", value, markup=True)
    all_names = "\n".join((*map(str, names), *_read_frame(data)))
    yield Piece(f"names in {place}", all_names, markup=True)


def _forget_numbers(cell: ElementTree.Element) -> None:
    """Leave out the numbers that stand for shared strings."""
    for value in cell:
        value.text = None


def _read_frame(data: bytes) -> Iterator[str]:
    """The texts that a parser drops: namespaces, document types, and comments before and after the root."""
    for prefix, address in set(_NAMESPACE.findall(data)):
        yield prefix.decode("utf-8", "replace")
        yield address.decode("utf-8", "replace")
    yield from (found.decode("utf-8", "replace") for found in _DROPPED.findall(data))


def _read_local_name(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
