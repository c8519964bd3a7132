"""How much a file may ask of the machine. A bomb is stopped by a limit, with an error that names it."""

from __future__ import annotations

from dataclasses import dataclass

from maskwise.errors import InputError

MEGA = 1 << 20


@dataclass(frozen=True)
class Limits:
    """`file` and `unpacked` in bytes; `ratio` of unpacked to packed; `depth` of nested elements, values or messages."""

    file: int = 256 * MEGA
    unpacked: int = 1024 * MEGA
    ratio: int = 200
    depth: int = 100
    pages: int = 5000

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
