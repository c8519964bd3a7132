"""Without its library an integration says in one line what to install; the others go on."""

import importlib
import sys

import pytest

from maskwise.errors import PluginError


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
