"""Plain text. Encoding, byte order mark and line ends are kept as they are.

Escapes and encodings inside the text (character references, percent signs, base64) are read as what they say. Signs
that steer a terminal are left out, because they can cut a name apart, hide it or paint over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from maskwise.io.atoms import Atom, cut_text, edit_atoms
from maskwise.io.encoding import Encoding, decode_text, encode_text
from maskwise.io.formats import Loaded
from maskwise.io.segments import Change, Segments, find_changes, join_segments, rewrite_text
from maskwise.mask import Alignment
from maskwise.text import possessive

# Sequences of ECMA-48 (colours, cursor, titles, links), and signs that no text holds, such as a byte order mark inside.
_TERMINAL = possessive.compile(
    r"""\x1b\[[0-?]*+[ -/]*+[@-~]|\x9b[0-?]*+[ -/]*+[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*+(?:\x07|\x1b\\|\x9c)?+
    |\x1b[ -/]*+[0-~]?+|[\x00-\x08\x0e-\x1a\x7f\x80-\x84\x86-\x9f\ufeff\ufff9-\ufffb]""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class TextLayout:
    """The text, the stretches of it that were read, and how it was encoded."""

    text: str = field(repr=False)
    encoding: Encoding
    atoms: tuple[Atom, ...] = field(repr=False)
    segments: Segments


class PlainText:
    """The whole file is one text."""

    suffix = ""

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode_text(raw, name)
        text, notes = drop_controls(text)
        atoms = tuple(self._cut_atoms(text))
        joined, segments = join_segments(
            (atom.text for atom in atoms), [atom.glue for atom in atoms]
        )
        return Loaded((joined,), TextLayout(text, encoding, atoms, segments), notes=notes)

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        source: TextLayout = loaded.layout
        found = find_changes(source.segments, alignments[0])
        edits = edit_atoms(source.atoms, found, lambda text, _: text)
        text, _ = rewrite_text(source.text, self._adjust_edits(source.text, edits))
        return encode_text(text, source.encoding)

    def _cut_atoms(self, text: str) -> Iterable[Atom]:
        """The stretches of a text that are read."""
        return cut_text(text)

    def _adjust_edits(self, text: str, edits: list[Change]) -> list[Change]:
        """The edits of a text, with what they make needless."""
        return edits


def drop_controls(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without signs that steer a terminal and without zero bytes, and a note if there were any.

    >>> drop_controls("Ann \\x1b[1mLee\\tleft\\n")
    ('Ann Lee\\tleft\\n', ('1 control sequence left out',))
    """
    plain, count = _TERMINAL.subn("", text)
    return plain, (f"{count} control sequence{'s' * (count > 1)} left out",) if count else ()


def decode_any(raw: bytes) -> str:
    """Bytes as text, whatever they are."""
    zeros = raw.count(0)
    if zeros * 4 > len(raw):
        wide = "utf-32" if zeros * 2 > len(raw) + 8 else "utf-16"
        return raw.decode(wide, "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
