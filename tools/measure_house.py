"""Measure how plain the code is: size, names, options declared twice, and the way from `sanitize` to a detector.

    python tools/measure_house.py [--json]

A class name counts as used twice when classes in two rooms bear it. A line of code is one that is neither blank, nor a
comment, nor part of a docstring.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from inspect import signature
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "maskwise"
LONG = 40
GROUPS = ("detectors", "linkers", "indicators", "solvers", "operators", "indexes")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    found = measure()
    if options.json:
        print(json.dumps(found, indent=1))
        return
    for name, value in found.items():
        print(f"{name:<45} {value}")


def measure() -> dict[str, Any]:
    files = sorted(SOURCE.rglob("*.py"))
    trees = {path: ast.parse(path.read_text("utf-8")) for path in files}
    code = [
        line for path in files for line in list_code_lines(path.read_text("utf-8"), trees[path])
    ]
    functions = [
        n for tree in trees.values() for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)
    ]
    lengths = [(node.end_lineno or node.lineno) - node.lineno + 1 for node in functions]
    twice = find_classes_used_twice(trees)
    return {
        "lines": sum(path.read_text("utf-8").count("\n") for path in files),
        "lines of code": len(code),
        "files": len(files),
        "packages": sum(path.name == "__init__.py" for path in files),
        "options declared twice": count_options_declared_twice(),
        "class names used in two rooms": len(twice),
        "functions": len(functions),
        f"functions longer than {LONG} lines": sum(length > LONG for length in lengths),
        "mean lines per function": round(sum(lengths) / len(lengths), 1),
        "characters per line of code": round(sum(map(len, code)) / len(code), 1),
        "words of documentation": count_words_of_documentation(),
        "calls from sanitize to the first detector": count_calls_to_a_detector(),
    }


def list_code_lines(text: str, tree: ast.Module) -> Iterator[str]:
    """The lines of code, without their indentation."""
    prose: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare and not bare.startswith("#") and number not in prose:
            yield bare


def find_classes_used_twice(trees: dict[Path, ast.Module]) -> dict[str, set[str]]:
    """Class names with the rooms that define them, where these are two or more."""
    rooms: dict[str, set[str]] = {}
    for path, tree in trees.items():
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                rooms.setdefault(node.name, set()).add(room)
    return {name: where for name, where in sorted(rooms.items()) if len(where) > 1}


def count_options_declared_twice() -> int:
    """Options of a part's constructor that a second class declares as well, for the sake of policies."""
    try:
        import maskwise.parts as second  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return 0
    models = [
        value
        for value in vars(second).values()
        if isinstance(value, type) and hasattr(value, "model_fields")
    ]
    by_kind = {getattr(model.model_fields.get("kind"), "default", None): model for model in models}
    count = 0
    for point in chain.from_iterable(entry_points(group=f"maskwise.{group}") for group in GROUPS):
        model = by_kind.get(point.name)
        if model is not None:
            count += len(set(signature(point.load()).parameters) & set(model.model_fields))
    return count


def count_words_of_documentation() -> int:
    """Words of README and of the pages in docs/."""
    return sum(
        len(path.read_text("utf-8").split())
        for path in [ROOT / "README.md", *ROOT.glob("docs/*.md")]
    )


def count_calls_to_a_detector() -> int:
    """Calls inside the package from the command `sanitize` to the first `detect`, counted on the stack."""
    from typer.testing import CliRunner

    from maskwise.cli import app

    depths: list[int] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and not depths and frame.f_code.co_name == "detect" and is_ours(frame):
            depths.append(count_calls(frame))

    sys.setprofile(watch)
    try:
        CliRunner().invoke(app, ["sanitize", str(ROOT / "examples" / "letter.txt")])
    finally:
        sys.setprofile(None)
    return depths[0] if depths else 0


def count_calls(frame: FrameType) -> int:
    """Frames of the package from this one up to the command."""
    count = 0
    at: FrameType | None = frame
    while at is not None and not is_the_command(at):
        count += is_ours(at)
        at = at.f_back
    return count


def is_the_command(frame: FrameType) -> bool:
    return frame.f_code.co_name == "sanitize" and "cli" in Path(frame.f_code.co_filename).parts


def is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(str(SOURCE))


if __name__ == "__main__":
    main()
