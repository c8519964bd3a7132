"""Formats: a reader takes the texts out of a file and remembers its layout; a writer puts masked texts back."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from maskwise import plugins
from maskwise.errors import InputError, OutputError
from maskwise.mask import Alignment


@dataclass(frozen=True)
class Loaded:
    """What a reader took from a file: its texts, each a document of its own, and whatever the writer needs."""

    texts: tuple[str, ...] = field(repr=False)
    layout: Any = field(default=None, repr=False)


class Reader(Protocol):
    """Bytes of a file to texts. Raises `InputError` for bytes that are not of its format."""

    def read(self, raw: bytes, name: str) -> Loaded: ...


class Writer(Protocol):
    """Masked texts back into the layout they came from; `alignments` say which characters were replaced."""

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes: ...


def suffixes() -> tuple[str, ...]:
    """File endings that can be read, without the dot."""
    return tuple(sorted(plugins.available("readers")))


def reader(suffix: str) -> Reader:
    return _part("readers", suffix)  # type: ignore[no-any-return]


def writer(suffix: str) -> Writer:
    return _part("writers", suffix)  # type: ignore[no-any-return]


def _part(group: str, suffix: str) -> Any:
    name = suffix.lstrip(".").lower()
    if name not in plugins.available(group):
        known = ", ".join(suffixes())
        raise InputError(f"no {group.rstrip('s')} for {suffix or 'files without an ending'}; known: {known}")
    return plugins.build(group, name)


def write_file(path: Path, data: bytes) -> None:
    """Write all or nothing: to a temporary file beside `path`, then rename."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        Path(temporary).unlink(missing_ok=True)
