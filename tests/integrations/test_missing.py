"""Without its library an integration says in one line what to install; the others go on."""

import ast
import importlib
import sys
import tomllib
from pathlib import Path

import pytest

from maskwise.errors import PluginError

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "library"), [("spacy", "spacy"), ("presidio", "presidio_analyzer")]
)
def test_the_extra_is_named(monkeypatch, name, library):
    monkeypatch.setitem(sys.modules, library, None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, f"maskwise.integrations.{name}", raising=False)
    with pytest.raises(PluginError) as told:
        importlib.import_module(f"maskwise.integrations.{name}")
    assert (
        str(told.value)
        == f"{library} is not here; this needs the extra: pip install 'maskwise[{name}]'"
    )


def test_the_entry_point_of_spacy_names_a_function_of_the_integration():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, name = project["entry-points"]["spacy_factories"]["maskwise"].partition(":")
    source = ROOT / "src" / Path(*module.split(".")).with_suffix(".py")
    tree = ast.parse(source.read_text("utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
