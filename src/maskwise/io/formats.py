"""Formats: a reader takes the texts out of a file and remembers its layout; a writer puts masked texts back."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from maskwise import plugins
from maskwise.errors import InputError, OutputError, OutputNameError
from maskwise.mask import Alignment
from maskwise.text import EntityType

# A span with a declared type, such as a cell of a column that the policy names.
Given = tuple[int, int, EntityType]
Options = Mapping[str, Mapping[str, Any]]  # options of readers and writers by file ending
# Failures of a write that another name would not meet.
_NAME_ERRORS = frozenset(
    (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EILSEQ, errno.EINVAL)
)


class ColumnSpan(NamedTuple):
    """A cell whose column tells its type, though the cell alone names nobody. `score` is how much the type says."""

    start: int
    end: int
    type: EntityType
    subtype: str = ""
    score: float = 1.0


class RowFacts(NamedTuple):
    """The facts about one row of a table beside its text.

    `key` says who the row is about, and `subjects` where the names of that person begin. A row `is_typed` when the type
    of each of its cells is known, so that no detector has to read it.
    """

    spans: tuple[ColumnSpan, ...] = ()
    key: str = ""
    subjects: tuple[int, ...] = ()
    is_typed: bool = False


@dataclass(frozen=True)
class Loaded:
    """The content of a file: its texts, each a document of its own, and whatever the writer needs.

    `given` holds for each text the spans whose type is declared, `kept` what the policy says not to read. `notes` say
    what the output will not hold.
    """

    texts: tuple[str, ...] = field(repr=False)
    layout: Any = field(default=None, repr=False)
    given: tuple[tuple[Given, ...], ...] = ()
    kept: tuple[str, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()
    # One per text of a table whose rows are told apart.
    rows: tuple[RowFacts, ...] = field(default=(), repr=False)

    def get_given(self, at: int) -> tuple[Given, ...]:
        return self.given[at] if self.given else ()


class Reader(Protocol):
    """Takes the texts out of the bytes of a file. Raises `InputError` for bytes that are not of its format."""

    def read(self, raw: bytes, name: str) -> Loaded: ...


class Writer(Protocol):
    """Puts masked texts back into the layout they came from. `alignments` say which characters were replaced.

    `suffix` is the file ending of the output, such as `.txt`. It is empty where the output is of the same format.
    """

    @property
    def suffix(self) -> str: ...

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes: ...


def list_suffixes() -> tuple[str, ...]:
    """File endings that can be read, without the dot."""
    return tuple(sorted(plugins.list_available("readers")))


def build_reader(suffix: str, options: Options | None = None) -> Reader:
    return _build_part("readers", suffix, options)  # type: ignore[no-any-return]


def build_writer(suffix: str, options: Options | None = None) -> Writer:
    return _build_part("writers", suffix, options)  # type: ignore[no-any-return]


def find_output_suffix(suffix: str, options: Options | None = None) -> str:
    """The file ending of what the writer of `suffix` writes."""
    return build_writer(suffix, options).suffix or suffix


def _build_part(group: str, suffix: str, options: Options | None) -> Any:
    name = suffix.lstrip(".").lower()
    if name not in plugins.list_available(group):
        known = ", ".join(list_suffixes())
        raise InputError(
            f"no {group.rstrip('s')} for {suffix or 'files without an ending'}; known: {known}"
        )
    return plugins.build_part(group, name, (options or {}).get(name))


def write_file(path: Path, data: bytes) -> None:
    """Write all or nothing: to a temporary file beside `path`, then rename."""
    with open_output(path) as stream:
        stream.write(data)


@contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """A temporary file beside `path`. It takes that name when the block ends, and is removed when the block fails."""
    try:
        if path.exists() and not path.is_file():
            raise OutputNameError(f"{path}: cannot be written (a folder or a device has this name)")
        path.parent.mkdir(parents=True, exist_ok=True)
        # A short name: one made from the target's could be too long where the target's own is not.
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    except OSError as error:
        raise _describe_failure(path, error) from None
    except ValueError:
        raise OutputNameError(f"{path}: no possible name of a file") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except OSError as error:
        raise _describe_failure(path, error) from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def _describe_failure(path: Path, error: OSError) -> OutputError:
    """The error of a write that failed, which says whether its name alone is to blame."""
    kind = OutputNameError if error.errno in _NAME_ERRORS else OutputError
    return kind(f"{path}: cannot be written ({error.strerror})")
