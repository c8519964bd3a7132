"""Reads and writes files: one reader and one writer per format, found by file ending."""

from maskwise.io.formats import (
    Loaded,
    Options,
    Reader,
    Writer,
    build_reader,
    build_writer,
    find_output_suffix,
    list_suffixes,
    open_output,
    write_file,
)
from maskwise.io.limits import Limits

__all__ = [
    "Limits",
    "Loaded",
    "Options",
    "Reader",
    "Writer",
    "build_reader",
    "build_writer",
    "find_output_suffix",
    "list_suffixes",
    "open_output",
    "write_file",
]
