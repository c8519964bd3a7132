"""Which files a command writes and reads: none that it writes may be another that it uses."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from maskwise.errors import InputError, OutputError
from maskwise.policy import Policy, list_shipped

Paths = Path | Iterable[Path] | None
_LONGEST = 4096  # characters of a path
_BESIDE = ("-journal", "-wal", "-shm")  # what SQLite puts beside its file


def refuse_clashes(written: Mapping[str, Paths], read: Mapping[str, Paths]) -> None:
    """Raise `OutputError` where a path of `written` is another of them, or one of `read`, or a folder around that.

    Both map the role of a path, with its article, to one or more paths. Paths are the same when they lead to the same
    place, when they are names of one file (links), or when they differ in case alone and the disk does not tell.
    """
    places: dict[object, str] = {}
    for role, path in collect_uses(read):
        for mark in _marks(path):
            places.setdefault(mark, role)
        for folder in Path(_real(path)).parents:
            places.setdefault(("around", str(folder)), role)
    for role, path in collect_uses(written):
        marks = _marks(path)
        other = next((places[mark] for mark in (*marks, ("around", _real(path))) if mark in places), None)
        if other == role:
            raise OutputError(f"{path}: two outputs have this name; write them into different folders")
        if other is not None:
            raise OutputError(f"{path}: {role} would overwrite {other}; choose another path")
        places.update(dict.fromkeys(marks, role))


def collect_run_files(given: str, policy: Policy, audit: Path | None, audit_key: Path | None) -> dict[str, Paths]:
    """What a run that masks uses beside its inputs, by role; `given` is the policy as the command line names it."""
    vault = policy.vault
    return {
        "the policy": None if given in list_shipped() else Path(given),
        "the vault": vault_files(Path(vault.path)) if vault else None,
        "the key": Path(vault.key_file) if vault and vault.key_file else None,
        "the index": Path(policy.index) if policy.index else None,
        "the audit log": audit,
        "the key of the audit log": audit_key,
    }


def refuse_run_clashes(
    written: Mapping[str, Paths], read: Mapping[str, Paths], used: Mapping[str, Paths], policy: Policy
) -> None:
    """`refuse_clashes` for a run that masks: it adds to its vault and its audit log, and its policy names files."""
    added = {role: used[role] for role in ("the vault", "the audit log")}
    others = {role: paths for role, paths in used.items() if role not in added}
    known = {str(path) for _, path in collect_uses(used)}
    named = {text for text in _strings(policy.model_dump(mode="json")) if _is_file(text)}
    lists = [Path(text) for text in sorted(named - known)]
    refuse_clashes({**added, **written}, {**read, **others, "a file of the policy": lists})


def vault_files(vault: Path) -> list[Path]:
    """A vault, and the files that its database may put beside it."""
    return [vault, *(vault.with_name(vault.name + ending) for ending in _BESIDE)]


def collect_uses(named: Mapping[str, Paths]) -> Iterator[tuple[str, Path]]:
    """Every path with its role."""
    for role, paths in named.items():
        for path in [paths] if isinstance(paths, Path) else paths or ():
            yield role, path


def _marks(path: Path) -> tuple[object, ...]:
    """What two names of one file share: the place, the file behind it, and the place in small letters."""
    real = _real(path)
    marks: list[object] = [real]
    try:
        about = os.stat(path)
        marks.append((about.st_dev, about.st_ino))
    except OSError:
        pass  # it does not exist yet
    if _folds_case(Path(real)):
        marks.append(("folded", real.casefold()))
    return tuple(marks)


def _real(path: Path) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:
        raise InputError(f"{path}: no possible name of a file") from None


def _folds_case(path: Path) -> bool:
    """Whether the disk of a path takes capitals for small letters, tried on the nearest folder that exists."""
    for folder in path.parents:
        other = folder.with_name(folder.name.swapcase()) if folder.name else folder
        if other != folder and folder.exists():
            return other.exists() and other.samefile(folder)
    return False


def _strings(value: Any) -> Iterator[str]:
    """Every text in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _is_file(text: str) -> bool:
    try:
        return len(text) < _LONGEST and Path(text).is_file()
    except (OSError, ValueError):
        return False
