"""Limits on what a file may ask of the machine. A file over a limit is an error that names the limit."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from maskwise.errors import InputError
from maskwise.plugins import Count

MEGA = 1 << 20


@dataclass(frozen=True)
class Limits:
    """How much a file may ask of the machine: bytes of the `file` and `unpacked`, `ratio` of the two, `depth` of nested
    elements, values or messages, and `pages`."""

    file: Count = 256 * MEGA
    unpacked: Count = 1024 * MEGA
    ratio: Count = 200
    depth: Count = 100
    pages: Count = 5000

    def allow(self, name: str, limit: str, found: int) -> None:
        """Raise `InputError` when `found` is over the limit of that name.

        >>> Limits(pages=2).allow("letter.pdf", "pages", 3)
        Traceback (most recent call last):
        maskwise.errors.InputError: letter.pdf: pages 3 is over the limit of 2; raise `formats.limits.pages` to read it
        """
        allowed: int = getattr(self, limit)
        if found > allowed:
            raise InputError(
                f"{name}: {limit} {found:,} is over the limit of {allowed:,}; raise `formats.limits.{limit}` to read it"
            )

    def read_file(self, path: Path, name: str) -> bytes:
        """The bytes of a file, if it is one and not over the limit, which is asked before anything is read."""
        try:
            # Without the flag, opening a pipe waits for whoever writes to it.
            handle = os.open(
                path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
            )
            with os.fdopen(handle, "rb") as stream:
                about = os.fstat(stream.fileno())
                if not stat.S_ISREG(about.st_mode):
                    raise InputError(
                        f"{name}: not a file that can be read; pipes and devices are refused"
                    )
                self.allow(name, "file", about.st_size)
                return self.read_stream(stream, name)
        except FileNotFoundError:
            raise InputError(f"{name}: no such file") from None
        except OSError as error:
            raise InputError(f"{name}: cannot be read ({error.strerror})") from None
        except ValueError:
            raise InputError(f"{name}: no possible name of a file") from None

    def read_stream(self, stream: BinaryIO, name: str) -> bytes:
        """The bytes of a stream, of which no more is read than shows that it is over the limit."""
        chunks: list[bytes] = []
        left = self.file + 1
        while left and (chunk := stream.read(min(left, MEGA))):
            chunks.append(chunk)
            left -= len(chunk)
        if not left:
            raise InputError(
                f"{name}: over the limit of {self.file:,} bytes; raise `formats.limits.file` to read it"
            )
        return b"".join(chunks)
