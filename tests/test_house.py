"""The house rules, run as a newcomer's editor would run them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from maskwise.bundle import manifest

ROOT = Path(__file__).parent.parent
TOOLS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
    "import-linter": ["lint-imports"],
}


@pytest.mark.parametrize("tool", TOOLS)
def test_tools_are_content(tool):
    command = [str(Path(sys.executable).parent / TOOLS[tool][0]), *TOOLS[tool][1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_bundle_hashes_are_recorded():
    assert manifest.find_problems() == []


def test_import_is_light():
    heavy = ("torch", "onnxruntime", "phonenumbers", "numpy")
    code = f"import sys, maskwise; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_map_in_contributing_shows_the_tree():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## The map")[2].partition("\n## ")[0]
    mapped = set(re.findall(r"^\| `([\w.]+)/?` \|", section, re.MULTILINE))
    source = ROOT / "src" / "maskwise"
    rooms = {path.parent.name for path in source.glob("*/__init__.py")}
    modules = {path.name for path in source.glob("*.py") if not path.name.startswith("__")}
    assert mapped == rooms | modules
