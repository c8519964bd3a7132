"""Leak readers of office packages: every part of the zip, with the standard library's own zip and XML readers.

They share nothing with the readers that masked the file: no relationships, no list of known parts, no list of places.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from maskwise.errors import LeakError
from maskwise.io.leaks.piece import Piece

_PARAGRAPHS = frozenset("p h si is text instr".split())
_WORD_OF_FORMAT = re.compile(r"[a-z]+(?:[A-Z][a-z]*)*\d*")  # `center`, `autoNumber`
_ADDRESS_OF_FORMAT = re.compile(
    r"https?://(?:schemas\.openxmlformats\.org|schemas\.microsoft\.com|purl\.oclc\.org|purl\.org|www\.w3\.org)/[\w./#-]*"
    r"|urn:(?:schemas-microsoft-com|oasis):[\w:.-]*"
)
_NAMES = frozenset("name title descr alt tooltip anchor author tag string styleId displayName location ref".split())
_TYPES = frozenset("Type ContentType Extension".split())
_SHORT = 6  # a shorter attribute holds nothing that would count as a leak


class PackageLeaks:
    """All text, attributes, file names and raw bytes of a package."""

    def pieces(self, raw: bytes) -> Iterator[Piece]:
        try:
            with zipfile.ZipFile(io.BytesIO(raw)) as archive:
                if archive.comment:
                    yield Piece("comment of the zip", archive.comment.decode("utf-8", "replace"))
                for number, info in enumerate(archive.infolist(), 1):
                    place = f"part {number}"
                    yield Piece("names of parts", info.filename, markup=True)
                    yield from _part(place, archive.read(info))
        except (zipfile.BadZipFile, OSError, ElementTree.ParseError) as error:
            raise LeakError(f"the written package cannot be read again ({type(error).__name__})") from None


def _part(place: str, data: bytes) -> Iterator[Piece]:
    if not data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        yield Piece(place, data.decode("utf-8", "replace"), markup=True)
        yield Piece(place, data.decode("utf-16-le", "replace"), markup=True)
        yield Piece(place, data[1:].decode("utf-16-le", "replace"), markup=True)
        return
    builder = ElementTree.TreeBuilder(insert_comments=True, insert_pis=True)
    root = ElementTree.fromstring(data, ElementTree.XMLParser(target=builder))  # noqa: S314 - we wrote these bytes
    values: dict[str, None] = {}
    for element in root.iter():
        name = _local(element.tag)
        if name in _PARAGRAPHS:
            yield Piece(place, "".join(element.itertext()))
        if name == "c" and element.get("t") == "s":
            continue  # the number of a shared string
        for attribute, value in element.items():
            if _readable(_local(attribute), value):
                values[value] = None
    yield Piece(place, " ".join(_texts(root)))
    for value in values:
        yield Piece(f"attributes of {place}", value, markup=True)


def _texts(root: ElementTree.Element) -> Iterator[str]:
    """Every text node, but the numbers that stand for shared strings."""
    references = {id(v) for c in root.iter() if _local(c.tag) == "c" and c.get("t") == "s" for v in c}
    for element in root.iter():
        if element.text and element.text.strip() and id(element) not in references:
            yield element.text
        if element.tail and element.tail.strip():
            yield element.tail


def _readable(name: str, value: str) -> bool:
    if len(value) < _SHORT or name in _TYPES or _ADDRESS_OF_FORMAT.fullmatch(value):
        return False
    return name in _NAMES or not _WORD_OF_FORMAT.fullmatch(value)


def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
