"""Where documents lie and where outputs go: a folder of this machine, or a URL that fsspec opens.

Every write is all or nothing. On a disk it goes to a temporary name and is renamed; an object store makes an object
visible only when all of it has arrived. What fails for a moment, such as a throttled store, is tried again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from maskwise import io
from maskwise.errors import InputError, OutputError, OutputNameError, PluginError

TRIES = 5
PAUSE = 0.2  # seconds before the second try; each further one waits twice as long
OBJECTS = frozenset(("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "memory"))
# What no second try mends.
_FINAL = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)

Done = TypeVar("Done")


@dataclass(frozen=True)
class StoredFile:
    """A file below a place: its name there, its size, and what changes when somebody writes it anew."""

    name: str
    size: int
    version: str


@dataclass(frozen=True)
class StorePlace:
    """A folder or a URL below which files have names with slashes."""

    base: str

    @property
    def is_remote(self) -> bool:
        return is_url(self.base)

    def join(self, name: str) -> str:
        return f"{self.base.rstrip('/')}/{name}" if self.is_remote else str(Path(self.base, name))

    def read(self, name: str, limits: io.Limits) -> bytes:
        """The bytes of a file, if it is not over the limit."""
        if not self.is_remote:
            return limits.read_file(Path(self.base, name), name)
        path = self.join(name)

        def fetch() -> bytes:
            limits.allow(name, "file", int(self._system.size(path) or 0))
            return bytes(self._system.cat_file(path))

        return _retry(fetch, InputError, f"{name}: cannot be read")

    def read_range(self, name: str, start: int, end: int) -> bytes:
        """The bytes of a file from `start` to `end`."""
        if self.is_remote:
            path = self.join(name)
            return _retry(
                lambda: bytes(self._system.cat_file(path, start=start, end=end)),
                InputError,
                f"{name}: cannot be read",
            )
        try:
            with open(Path(self.base, name), "rb") as stream:
                stream.seek(start)
                return stream.read(end - start)
        except OSError as error:
            raise InputError(f"{name}: cannot be read ({error.strerror})") from None

    def open_stream(self, name: str) -> Any:
        """The file, open for reading at any place."""
        what = f"{name}: cannot be read"
        if self.is_remote:
            return _retry(lambda: self._system.open(self.join(name), "rb"), InputError, what)
        try:
            return open(Path(self.base, name), "rb")
        except OSError as error:
            raise InputError(f"{what} ({error.strerror})") from None

    def write(self, name: str, data: bytes) -> None:
        """Write all or nothing. A second write of the same bytes changes nothing."""
        if not self.is_remote:
            path = Path(self.base, name)
            if not path.parent.resolve().is_relative_to(Path(self.base).resolve()):
                raise OutputNameError(f"{path}: cannot be written (a link leads out of the output)")
            io.write_file(path, data)
            return
        _retry(lambda: self._put(self.join(name), data), OutputError, f"{name}: cannot be written")

    def _put(self, path: str, data: bytes) -> None:
        if self._holds_objects:
            self._system.pipe_file(path, data)
            return
        self._make_folder(path)
        temporary = f"{path}.{os.getpid()}.part"
        try:
            self._system.pipe_file(temporary, data)
            self._system.mv(temporary, path)
        finally:
            with suppress(OSError):
                if self._system.exists(temporary):
                    self._system.rm_file(temporary)

    @property
    def _holds_objects(self) -> bool:
        return self.base.partition("://")[0] in OBJECTS

    def _make_folder(self, path: str) -> None:
        """Make the folder of a file, where there are any. A store would make a bucket whose name is mistyped."""
        if not self._holds_objects:
            self._system.makedirs(path.rpartition("/")[0], exist_ok=True)

    def find_size(self, name: str) -> int | None:
        """The size of a file; None where there is none."""
        try:
            if self.is_remote:
                self._system.invalidate_cache()
                return int(self._system.size(self.join(name)) or 0)
            return Path(self.base, name).stat().st_size
        except (OSError, ValueError):
            return None

    def list_files(self) -> Iterator[StoredFile]:
        """Every file below a URL. Folders of this machine are listed by `sources`."""

        def find() -> dict[str, Any]:
            found: dict[str, Any] = self._system.find(self.base, detail=True)
            return found

        root = str(self._system._strip_protocol(self.base)).rstrip("/")
        for path, about in sorted(_retry(find, InputError, f"{self.base}: no such place").items()):
            name = path.removeprefix(root).lstrip("/")
            yield describe_object(name or path.rpartition("/")[2], about)

    def describe(self, name: str) -> StoredFile:
        """Size and version of one file as it is now."""
        what = f"{name}: cannot be read"
        if not self.is_remote:
            try:
                return describe_path(Path(self.base, name), name)
            except OSError as error:
                raise InputError(f"{what} ({error.strerror})") from None

        def ask() -> Any:
            self._system.invalidate_cache()
            return self._system.info(self.join(name))

        return describe_object(name, _retry(ask, InputError, what))

    def expect(self, name: str, version: str) -> None:
        """Refuse what was read if somebody has written the file since the run was planned."""
        if version and self.describe(name).version != version:
            raise InputError(f"{name}: changed since the run began; start another run")

    def claim(self, name: str, owner: str) -> str:
        """Write the name of an owner where there is none yet. Returns the owner: this one, or the other."""
        path = self.join(name)
        if self.is_remote:
            found = _retry(
                lambda: self._claim_object(path, owner.encode()),
                OutputError,
                f"{path}: cannot be written",
            )
        else:
            found = _claim_path(Path(path), owner.encode())
        return found.decode("ascii", "replace")

    def _claim_object(self, path: str, owner: bytes) -> bytes:
        """A store that knows no "only if there is none" is asked before and read afterwards."""
        self._system.invalidate_cache()
        if not self._system.exists(path):
            self._make_folder(path)
            with suppress(FileExistsError):
                try:
                    self._system.pipe_file(path, owner, mode="create")
                except TypeError:
                    self._system.pipe_file(path, owner)
        return bytes(self._system.cat_file(path))

    @cached_property
    def _system(self) -> Any:
        try:
            import fsspec
        except ImportError:
            raise PluginError(
                "a URL needs the extra `batch`: pip install 'maskwise[batch]'"
            ) from None
        try:
            return fsspec.core.url_to_fs(self.base)[0]
        except (ImportError, ValueError) as error:
            kind = self.base.partition("://")[0]
            known = fsspec.registry.known_implementations.get(kind, {})
            hint = (
                f": {known['err']}" if "err" in known else ""
            )  # such as "Install s3fs to access S3"
            raise InputError(
                f"{kind}://: fsspec cannot open it ({type(error).__name__}){hint}"
            ) from None


def describe_path(path: Path, name: str) -> StoredFile:
    """Size and version of a file of this machine."""
    about = path.stat()
    return StoredFile(name, about.st_size, f"{about.st_mtime_ns} {about.st_size}")


def _claim_path(path: Path, owner: bytes) -> bytes:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError), open(path, "xb") as stream:
            stream.write(owner)
        return path.read_bytes()
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None


def is_url(text: str) -> bool:
    """
    >>> is_url("s3://bucket/letters"), is_url("letters/2024")
    (True, False)
    """
    return "://" in text


def describe_object(name: str, about: Any) -> StoredFile:
    """The name, size and version of an object in a store. A tag of its content counts more than its time."""
    version = about.get("ETag") or about.get("etag") or about.get("mtime") or about.get("created")
    if isinstance(version, datetime):  # some stores list a time as a number
        version = version.timestamp()
    return StoredFile(name, int(about.get("size") or 0), str(version or ""))


def _retry(action: Callable[[], Done], kind: type[Exception], what: str) -> Done:
    """Try an action of a store some times. Its last failure becomes one line without the words of the store."""
    pause = PAUSE
    for left in reversed(range(TRIES)):
        try:
            return action()
        except (InputError, OutputError, PluginError):
            raise
        except _FINAL as error:
            raise kind(f"{what} ({type(error).__name__})") from None
        except Exception as error:
            if not left:
                raise kind(f"{what} ({type(error).__name__}, tried {TRIES} times)") from None
            time.sleep(pause)
            pause *= 2
    raise AssertionError("the loop returns or raises")
