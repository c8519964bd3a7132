"""Atoms: stretches of a source and what they say. An escape is read as the character it stands for.

A stretch that may be an encoding (base64, hexadecimal, quoted-printable) is read twice: as it stands, and decoded as an
echo at the end of the text. A mask in the echo replaces the whole stretch.
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from maskwise.io.segments import BREAK, Change, rewrite_text
from maskwise.text import possessive

REMOVED = "[data removed]"

# How files begin that a text may hold. They are removed unread.
_MAGIC = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF", b"PK\x03\x04", b"\x1f\x8b", b"\xd0\xcf\x11\xe0", b"BM", b"RIFF",
    b"II*\0", b"MM\0*", b"<svg", b"<?xml", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ", b"{\\rtf",
)  # fmt: skip
# Each begins where no other could have begun before it, so that no source takes more than linear time.
_BASE64 = possessive.compile(
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}+(?:\r?\n[ \t]*+[A-Za-z0-9+/_-]{4,}+)*+={0,2}+"
)
_HEX = possessive.compile(r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}){8,}+(?![0-9A-Za-z])")
_UNQUOTED = r"(?:[^\s=]|=(?![0-9A-F]{2}|\r?\n))*+"
_QUOTED_SIGN = re.compile(r"=[0-9A-F]{2}")
_QUOTED = possessive.compile(rf"(?<!\S){_UNQUOTED}(?:=(?:[0-9A-F]{{2}}|\r?\n){_UNQUOTED})++")
_DATA = possessive.compile(
    r"\bdata:[\w.+/-]*+(?:;[\w.+-]++(?:=[^\s;,\"'<>]*+)?+)*+,[^\s\"'<>)\]]*+", re.IGNORECASE
)
_UUENCODED = possessive.compile(
    r"^begin [0-7]{3,4} [^\r\n]*+\r?\n(?:[ -`]{1,62}+\r?\n)*?end\b", re.MULTILINE
)
_ESCAPE = re.compile(
    r"(?:&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)+"
    r"|(?:\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\U[0-9a-fA-F]{8})+"
    r"|(?:%[0-9a-fA-F]{2})+".replace("\\#", "#")
)
_CODE_UNIT = re.compile(r"\\u\{([0-9a-fA-F]+)\}|\\[uxU]([0-9a-fA-F]+)")
_LIKE_TEXT = 0.5  # the share of letters, digits and spaces from which decoded bytes count as text


class Atom(NamedTuple):
    """A stretch of the source and what it says. `plain` when both are the same, character for character."""

    start: int
    end: int
    text: str
    glue: str = ""
    plain: bool = True
    style: str = ""  # how a replacement is escaped; the format knows its styles
    normal: str | None = None  # what is written even where nothing is masked
    echo: bool = False  # a second reading of a stretch


def cut_atoms(
    source: str,
    start: int,
    end: int,
    special: re.Pattern[str],
    say: Callable[[str], str | None],
    glue: str = "",
    style: str = "",
) -> Iterator[Atom]:
    """Cuts a stretch of the source where `special` matches. `say` gives the meaning of a match, or nothing."""
    cursor = start
    for found in special.finditer(source, start, end):
        meaning = say(found[0])
        if meaning is None:
            continue
        if cursor < found.start():
            yield Atom(cursor, found.start(), source[cursor : found.start()], glue, True, style)
            glue = ""
        yield Atom(*found.span(), meaning, glue, False, style)
        glue, cursor = "", found.end()
    if cursor < end:
        yield Atom(cursor, end, source[cursor:end], glue, True, style)


def cut_text(text: str) -> list[Atom]:
    """The atoms of a text that may hold escapes, encodings and files, as they stand in text files and in strings."""
    atoms: list[Atom] = []
    cursor = 0
    for start, end in find_data(text):
        atoms += cut_atoms(text, cursor, start, _ESCAPE, unescape_run)
        atoms.append(Atom(start, end, REMOVED, "", False, normal=REMOVED))
        cursor = end
    atoms += cut_atoms(text, cursor, len(text), _ESCAPE, unescape_run)
    return [*atoms, *echo_atoms(text)]


def echo_atoms(
    source: str, start: int = 0, end: int | None = None, style: str = ""
) -> Iterator[Atom]:
    """Yields what the encoded stretches of a source say, to be read after everything else."""
    stop = len(source) if end is None else end
    for pattern, read in ((_BASE64, read_base64), (_HEX, read_hex), (_QUOTED, _read_quoted)):
        for found in pattern.finditer(source, start, stop):
            meaning = read(found[0])
            if meaning is not None:
                yield Atom(*found.span(), meaning, BREAK, False, style, echo=True)


def find_data(text: str) -> list[tuple[int, int]]:
    """Where a text holds whole files: `data:` addresses, uuencoded files, base64 that begins like one."""
    spans = [found.span() for found in _DATA.finditer(text) if len(found[0]) > 12]
    spans += (found.span() for found in _UUENCODED.finditer(text))
    for found in _BASE64.finditer(text):
        head = _unpack_base64(found[0][:64])
        if head is not None and head.startswith(_MAGIC) and len(found[0]) >= 24:
            spans.append(found.span())
    apart: list[tuple[int, int]] = []
    for span in sorted(spans):
        if not apart or span[0] >= apart[-1][1]:
            apart.append(span)
        else:
            apart[-1] = (apart[-1][0], max(apart[-1][1], span[1]))
    return apart


def edit_atoms(
    atoms: Iterable[Atom], found: Iterable[Sequence[Change]], escape: Callable[[str, Atom], str]
) -> list[Change]:
    """The changes in the source for changes in the atoms of `found`."""
    pairs = list(zip(atoms, found, strict=True))
    edits: list[Change] = []
    for atom, changes in pairs:
        if not atom.echo:
            edits += _edit_atom(atom, changes, escape)
    edits.sort()
    starts = [start for start, _, _ in edits]
    for atom, changes in pairs:
        at = bisect_right(starts, atom.start) - 1
        is_masked = at >= 0 and edits[at][1] >= atom.end  # wholly, in its first reading
        if atom.echo and not is_masked:
            edits += _edit_atom(atom, changes, escape)
    return merge_edits(edits)


def _edit_atom(
    atom: Atom, changes: Sequence[Change], escape: Callable[[str, Atom], str]
) -> Iterator[Change]:
    if changes and atom.plain:
        yield from ((atom.start + a, atom.start + b, escape(new, atom)) for a, b, new in changes)
    elif changes:
        masked, _ = rewrite_text(atom.text, changes)
        yield (atom.start, atom.end, escape(masked, atom))
    elif atom.normal is not None:
        yield (atom.start, atom.end, atom.normal)


def merge_edits(edits: Iterable[Change]) -> list[Change]:
    """Changes in order and apart. Those that overlap become one, which says what each of them says."""
    merged: list[Change] = []
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        if not merged or start >= merged[-1][1]:
            merged.append((start, end, new))
            continue
        first, last, old = merged[-1]
        merged[-1] = (first, max(last, end), _join_texts(old, new))
    return merged


def _join_texts(one: str, other: str) -> str:
    """Both texts, or the one that holds the other."""
    if other in one:
        return one
    return other if one in other else f"{one} {other}"


def unescape_run(run: str) -> str | None:
    """The text of a run of escapes; nothing where it has none."""
    if run[0] == "&":
        said = html.unescape(run)
        return said.replace("\u00a0", " ") if said != run else None
    if run[0] == "%":
        said = unquote(run, errors="replace")
        return None if "\ufffd" in said else said
    try:
        units = "".join(chr(int(found[1] or found[2], 16)) for found in _CODE_UNIT.finditer(run))
        return units.encode("utf-16", "surrogatepass").decode("utf-16")
    except (ValueError, OverflowError):
        return None


def read_base64(run: str) -> str | None:
    data = _unpack_base64(run)
    return None if data is None else read_bytes(data)


def read_hex(run: str) -> str | None:
    digits = re.sub(r"[^0-9A-Fa-f]", "", run)
    return read_bytes(bytes.fromhex(digits))


def _read_quoted(run: str) -> str | None:
    if not _QUOTED_SIGN.search(run):  # an equals sign at the end of a line
        return None
    return read_bytes(quopri.decodestring(run.encode("utf-8", "replace")))


def read_bytes(data: bytes) -> str | None:
    """Bytes as text, if that is what they are."""
    encodings = ("utf-16-le", "utf-16-be") if b"\0" in data else ("utf-8",)
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _is_like_text(text):
            return text
    return None


def _is_like_text(text: str) -> bool:
    like_text = sum(sign.isalnum() or sign.isspace() for sign in text)
    if like_text < _LIKE_TEXT * len(text):
        return False
    return all(sign.isprintable() or sign.isspace() for sign in text)


def _unpack_base64(run: str) -> bytes | None:
    packed = re.sub(r"\s+", "", run).rstrip("=").replace("-", "+").replace("_", "/")
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return None
