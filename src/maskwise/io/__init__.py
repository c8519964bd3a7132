"""Reads and writes files: one reader and one writer per format, found by file ending."""

from maskwise.io.formats import (
    Loaded,
    Options,
    Reader,
    Writer,
    reader,
    suffixes,
    write_file,
    writer,
    written_as,
)
from maskwise.io.limits import Limits

__all__ = [
    "Limits",
    "Loaded",
    "Options",
    "Reader",
    "Writer",
    "reader",
    "suffixes",
    "write_file",
    "writer",
    "written_as",
]
