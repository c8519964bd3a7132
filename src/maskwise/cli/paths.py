"""Checks the files that a command writes: it may write none that it uses otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from maskwise.errors import InputError, OutputError
from maskwise.policy import Policy, list_shipped

Paths = Path | Iterable[Path] | None
_LONGEST = 4096  # characters of a path
_BESIDE = ("-journal", "-wal", "-shm")  # what SQLite puts beside its file


def refuse_clashes(written: Mapping[str, Paths], read: Mapping[str, Paths]) -> None:
    """Raise `OutputError` if a path of `written` is another of them, or one of `read`, or a folder around one.

    Both map the role of a path, with its article, to one or more paths. Two paths are the same if they lead to the same
    place, if they name one file (links), or if they differ only in case on a disk that ignores case.
    """
    places: dict[object, str] = {}
    for role, path in collect_uses(read):
        for mark in _identify_file(path):
            places.setdefault(mark, role)
        for folder in Path(_resolve(path)).parents:
            places.setdefault(("around", str(folder)), role)
    for role, path in collect_uses(written):
        marks = _identify_file(path)
        around = ("around", _resolve(path))
        other = next((places[mark] for mark in (*marks, around) if mark in places), None)
        if other == role:
            raise OutputError(
                f"{path}: two outputs have this name; write them into different folders"
            )
        if other is not None:
            raise OutputError(f"{path}: {role} would overwrite {other}; choose another path")
        places.update(dict.fromkeys(marks, role))


def collect_run_files(
    given: str, policy: Policy, audit: Path | None, audit_key: Path | None
) -> dict[str, Paths]:
    """Return the files that a masking run uses beside its inputs, by role. `given` is the policy of the command."""
    vault = policy.vault
    return {
        "the policy": None if given in list_shipped() else Path(given),
        "the vault": list_vault_files(Path(vault.path)) if vault else None,
        "the key": Path(vault.key_file) if vault and vault.key_file else None,
        "the index": Path(policy.index) if policy.index else None,
        "the audit log": audit,
        "the key of the audit log": audit_key,
    }


def refuse_run_clashes(
    written: Mapping[str, Paths],
    read: Mapping[str, Paths],
    used: Mapping[str, Paths],
    policy: Policy,
) -> None:
    """Refuse clashes of a masking run, which also writes a vault and an audit log, and whose policy names files."""
    added = {role: used[role] for role in ("the vault", "the audit log")}
    others = {role: paths for role, paths in used.items() if role not in added}
    known = {str(path) for _, path in collect_uses(used)}
    named = {text for text in _collect_strings(policy.model_dump(mode="json")) if _is_file(text)}
    lists = [Path(text) for text in sorted(named - known)]
    refuse_clashes({**added, **written}, {**read, **others, "a file of the policy": lists})


def list_files(paths: Iterable[Path]) -> list[Path]:
    """Return the paths, and every file below those that are folders."""
    found = list(paths)
    for path in tuple(found):
        found += (below for below in path.rglob("*") if path.is_dir() and below.is_file())
    return found


def list_vault_files(vault: Path) -> list[Path]:
    """Return the path of a vault and of the files that its database may put beside it."""
    return [vault, *(vault.with_name(vault.name + ending) for ending in _BESIDE)]


def collect_uses(named: Mapping[str, Paths]) -> Iterator[tuple[str, Path]]:
    """Yield every path with its role."""
    for role, paths in named.items():
        for path in [paths] if isinstance(paths, Path) else paths or ():
            yield role, path


def _identify_file(path: Path) -> tuple[object, ...]:
    """Return the marks that two names of one file share: its place, its inode, and its place in small letters."""
    real = _resolve(path)
    marks: list[object] = [real]
    with suppress(OSError):  # a file that does not exist yet has no inode
        about = os.stat(path)
        marks.append((about.st_dev, about.st_ino))
    if _is_case_blind(Path(real)):
        marks.append(("folded", real.casefold()))
    return tuple(marks)


def _resolve(path: Path) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:
        raise InputError(f"{path}: no possible name of a file") from None


def _is_case_blind(path: Path) -> bool:
    """Whether the disk of a path ignores case. Tries the nearest folder that exists."""
    for folder in path.parents:
        other = folder.with_name(folder.name.swapcase()) if folder.name else folder
        if other != folder and folder.exists():
            return other.exists() and other.samefile(folder)
    return False


def _collect_strings(value: Any) -> Iterator[str]:
    """Yields every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _collect_strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _collect_strings(inner)


def _is_file(text: str) -> bool:
    try:
        return len(text) < _LONGEST and Path(text).is_file()
    except (OSError, ValueError):
        return False
