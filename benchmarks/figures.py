"""What the benchmarks share: where the data is, and the one layout in which each writes its figures.

A file of figures is `{"title", "command", "columns", "rows"}`, a cell being text, a number, `{"value", "low", "high"}`
or null (unavailable); with `note`, `plot` (a file in docs/assets), `data` (SHA-256 by file), `seeds`, `seconds`,
`machine` and `versions`. `tools/write_docs.py` turns each file in docs/figures into a table.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import math
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from maskwise.io import write_file
from maskwise.lm import folder

ROOT = Path(__file__).parent.parent
FIGURES, ASSETS = ROOT / "docs" / "figures", ROOT / "docs" / "assets"
PEERS_PYTHON = ROOT / ".venv-peers" / "bin" / "python"
NAMED = ("maskwise", "numpy", "onnxruntime")  # packages whose versions every figure names


def build_parser(doc: str | None) -> argparse.ArgumentParser:
    """A parser with the options every benchmark has."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("MASKWISE_DATA"), help="or MASKWISE_DATA"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    return parser


def find_source(data: Path | None, name: str) -> Path | None:
    """A file of the data folder, or None where it is not there."""
    path = Path(data) / name if data else None
    return path if path and path.is_file() else None


def require_source(data: Path | None, name: str) -> Path:
    """A file without which there is nothing to measure."""
    return find_source(data, name) or report_unavailable(
        f"{name} is not in the data folder; give --data or set MASKWISE_DATA"
    )


def report_unavailable(why: str) -> NoReturn:
    print(f"unavailable: {why}")
    sys.exit(UNAVAILABLE)


UNAVAILABLE = 3  # exit code: nothing was measured, and nothing is wrong


def hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def is_trained_on(model: str, path: Path) -> bool:
    """Is the file among those whose labels the model learnt from, by its `config.json`? Then it measures nothing."""
    config = json.loads((folder.find_model(model) / folder.CONFIG).read_text("utf-8"))
    return hash_file(path) in {sha256[:16] for sha256 in config.get("trained_on", {}).values()}


def keep_unseen(model: str, sources: Mapping[str, Path]) -> dict[str, Path]:
    """The corpora that the model did not learn from; says which are left out, and how to measure on them."""
    for name in (seen := [name for name, path in sources.items() if is_trained_on(model, path)]):
        print(
            f"{name}: {model} learnt from it; a twin that did not, as models/{model} of MASKWISE_HOME, can be measured"
        )
    return {name: path for name, path in sources.items() if name not in seen}


def describe_score(value: Any) -> dict[str, float] | None:
    """A value with its interval, of anything with `value`, `low` and `high`; nothing where there is no value."""
    return (
        None
        if math.isnan(value.value)
        else {"value": value.value, "low": value.low, "high": value.high}
    )


def build_figure(
    title: str,
    command: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    files: Mapping[str, Path] | Sequence[Path] = (),
    **more: Any,
) -> dict[str, Any]:
    """A table of figures with what is needed to make it again."""
    named = files if isinstance(files, Mapping) else {path.name: path for path in files}
    return {
        "title": title,
        "command": command,
        "columns": list(columns),
        "rows": [list(row) for row in rows],
        **{key: value for key, value in more.items() if value not in (None, "")},
        "data": {name: hash_file(path) for name, path in named.items()},
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "versions": list_versions(),
    }


def list_versions() -> dict[str, str]:
    found = {name: importlib.metadata.version(name) for name in NAMED}
    model = hash_file(folder.find_model("small") / folder.MODEL)
    return {"python": platform.python_version(), **found, "model small": model}


def save_figure(path: Path | None, found: Mapping[str, Any]) -> None:
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode())
