"""Office packages: a zip of XML parts, opened within limits and parsed without entities. The same parts give the same
bytes."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from maskwise.errors import InputError, PluginError
from maskwise.io.limits import MEGA, Limits

Element = Any  # an element of lxml: its classes have no public type

MEMBERS = 20_000
# The earliest time a zip can hold. The times of its members would say when a document was worked on.
EPOCH = (1980, 1, 1, 0, 0, 0)
_FOLDERS = frozenset(
    {"word", "xl", "docProps", "customXml", "_rels", "META-INF", "Configurations2", "Pictures"}
)
_NOTHING_MUCH = MEGA  # below this size the ratio says nothing
# What zipfile raises for a damaged member; `NotImplementedError` for an unknown compression.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
)


def load_lxml() -> Any:
    """The XML library, or one line that says how to install it."""
    try:
        from lxml import etree
    except ImportError:
        raise PluginError("office files need lxml: pip install 'maskwise[office]'") from None
    return etree


def unzip_parts(raw: bytes, name: str, limits: Limits) -> dict[str, bytes]:
    """The members of a zip by name. Its directory is checked before anything is unpacked."""
    limits.allow(name, "file", len(raw))
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            _check_members(infos, name, len(raw), limits)
            return {info.filename: _read_member(archive, info, name) for info in infos}
    except InputError:
        raise
    except Exception as error:  # zipfile raises what the bytes make it raise
        raise InputError(f"{name}: not a readable zip package ({type(error).__name__})") from None


def _check_members(infos: list[zipfile.ZipInfo], name: str, size: int, limits: Limits) -> None:
    if len(infos) > MEMBERS:
        raise InputError(f"{name}: {len(infos):,} parts, more than the {MEMBERS:,} that are read")
    if len({info.filename for info in infos}) < len(infos):
        raise InputError(
            f"{name}: two parts have the same name; save it again with an office program"
        )
    if any(info.flag_bits & 1 for info in infos):
        raise InputError(f"{name}: encrypted; save it without a password first")
    unpacked = sum(info.file_size for info in infos)
    limits.allow(name, "unpacked", unpacked)
    if unpacked > _NOTHING_MUCH:
        limits.allow(name, "ratio", unpacked // max(size, 1))


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    """One member, read no further than the size it declares, which the limits have allowed."""
    try:
        with archive.open(info) as stream:
            data = stream.read(info.file_size + 1)
    except _DAMAGE as error:
        kind = type(error).__name__
        raise InputError(f"{name}: a part of the package is damaged ({kind})") from None
    if len(data) != info.file_size:
        raise InputError(f"{name}: a part of the package has another size than it declares")
    return data


def zip_parts(parts: Mapping[str, bytes], stored: Iterable[str] = ()) -> bytes:
    """Pack parts in their order, with fixed times; those in `stored` are not compressed."""
    plain = frozenset(stored)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for part, data in parts.items():
            info = zipfile.ZipInfo(part, EPOCH)
            info.compress_type = zipfile.ZIP_STORED if part in plain else zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def parse_xml(data: bytes, name: str, part: str, limits: Limits) -> Element:
    """The root of an XML part, without comments and processing instructions. A document type is refused."""
    etree = load_lxml()
    try:
        root = etree.fromstring(data, _build_parser())
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(
            f"{name}: {_name_safely(part)} is not well-formed XML ({type(error).__name__})"
        ) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise InputError(
            f"{name}: {_name_safely(part)} declares a document type, which no office program writes; refused"
        )
    if _build_depth_test(limits.depth)(root):
        limits.allow(name, "depth", limits.depth + 1)
    return root


def dump_xml(root: Element) -> bytes:
    data: bytes = load_lxml().tostring(
        root, xml_declaration=True, encoding="UTF-8", standalone=True
    )
    return data


def _name_safely(part: str) -> str:
    """A part by its folder, if the formats use that name. Any other name can be text of a document."""
    folder = part.partition("/")[0]
    return f"a part in {folder!r}" if folder in _FOLDERS else "a part"


@cache
def _build_parser() -> Any:
    return load_lxml().XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
    )


@cache
def _build_depth_test(depth: int) -> Any:
    """Whether a tree is deeper than this."""
    return load_lxml().XPath("boolean(" + "/*" * (depth + 1) + ")")


def get_name(element: Element) -> str:
    """Name of an element without its namespace, so that strict and transitional files read alike."""
    tag: str = element.tag
    return tag[tag.find("}") + 1 :]


def drop_namespace(name: str) -> str:
    return name[name.find("}") + 1 :]


def drop_element(element: Element) -> None:
    """Take an element out of its tree; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def find_elements(root: Element, names: Iterable[str]) -> list[Element]:
    """All elements of a tree with one of these local names, in order."""
    return list(root.iter(*(f"{{*}}{name}" for name in names)))
