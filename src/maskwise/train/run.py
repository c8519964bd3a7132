"""Writes `run.json`: the inputs of a run with their hashes, its settings and its results, to repeat and to cite it."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from maskwise.errors import InputError

FILE = "run.json"


class RunRecord:
    """The record of one run. Metrics may be added while it runs."""

    def __init__(self, folder: str | Path, record: dict[str, Any], file: str = FILE) -> None:
        self.folder = Path(folder)
        self.record = record
        self.file = file

    def note(self, **metrics: Any) -> None:
        """Adds metrics and writes the record, so that a run that fails later still shows them."""
        self.record["metrics"].update(metrics)
        self._write()

    def _write(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.record, indent=1, default=_make_plain) + "\n"
        fresh = self.folder / f"{self.file}.part"
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self.folder / self.file)


@contextmanager
def record_run(
    folder: str | Path,
    stage: str,
    *,
    data: Sequence[str | Path],
    seed: int,
    file: str = FILE,
    **parameters: Any,
) -> Iterator[RunRecord]:
    """Writes `run.json` at the start, at each `note`, and at the end with the time taken and how it ended.

    `file` gives the record another name, if its folder is not the run's alone.
    """
    begun = time.monotonic()
    record: dict[str, Any] = {
        "stage": stage,
        "state": "running",
        "data": _hash_data(data),
        "seed": seed,
        "parameters": parameters,
        "versions": _list_versions(),
        "metrics": {},
    }
    run = RunRecord(folder, record, file)
    run._write()
    try:
        yield run
        record["state"] = "done"
    except BaseException as error:
        record["state"] = f"stopped by {type(error).__name__}"
        raise
    finally:
        record["seconds"] = round(time.monotonic() - begun, 1)
        run._write()


def hash_path(path: str | Path) -> str:
    """Returns the hash of a file, or of all files of a folder with their names. Records of runs do not count."""
    source = Path(path)
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    if source.is_file():
        with source.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    parts = [f"{p.relative_to(source).as_posix()} {hash_path(p)}" for p in _list_files(source)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _list_files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.name != FILE)


def _hash_data(data: Sequence[str | Path]) -> dict[str, str]:
    """Returns hashes by the name of the file, or by its path where two have one name."""
    paths = dict.fromkeys(map(Path, data))
    names = Counter(path.name for path in paths)
    return {path.name if names[path.name] == 1 else str(path): hash_path(path) for path in paths}


def _list_versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for name in ("torch", "tokenizers", "onnxruntime", "numpy"):
        if name in sys.modules:
            versions[name] = str(getattr(sys.modules[name], "__version__", ""))
    return versions


def _make_plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)
