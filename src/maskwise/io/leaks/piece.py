"""The output of a leak reader: the strings of a file, each with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Piece:
    """A string of a file and where it stands. Places name no content.

    `markup` says that it is not meant for people, `binary` that it was picked out of bytes that are no text.
    """

    place: str
    text: str = field(repr=False)
    markup: bool = False
    binary: bool = False


class LeakReader(Protocol):
    """Finds every string of a file, by other means than the reader of the format."""

    def list_pieces(self, raw: bytes) -> Iterable[Piece]: ...


def read_text(raw: bytes) -> str:
    """Bytes as text, whatever they are: UTF-8 where it fits, else Latin-1, UTF-16 or UTF-32 where zeros show it."""
    zeros = raw.count(0)
    if zeros * 4 > len(raw):
        wide = "utf-32" if zeros * 2 > len(raw) + 8 else "utf-16"
        return raw.decode(wide, "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
