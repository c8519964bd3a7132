"""Broken files: an error of ours or a clean output, never a crash, never half a file, never a name."""

import pytest
from samples import SAMPLES

import fuzz

COUNT = 200


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "note.md"])
def test_mutants(sanitizer, tmp_path, name):
    ends = fuzz.run(sanitizer, SAMPLES[name], name, COUNT, tmp_path)
    assert ends.total() - ends["of more than one line"] == COUNT
    assert not ends["of more than one line"]
    assert not ends["leaked"]
    assert len(list(tmp_path.iterdir())) == ends["written"]
