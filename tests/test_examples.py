"""Every program in examples/ runs, and what it promises to mask is gone from what it prints."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import maskwise

EXAMPLES = Path(__file__).parent.parent / "examples"
MASKED = {
    "letter.py": ("Solberg", "ingrid.hansen", "22 22 22 22", "88-1204-K"),
    "judgment.py": ("Kivilahti", "48213/11", "Rautio", "Tampere"),
    "clinical_note.py": ("Achterberg", "00471123", "010-7788", "Larch", "62704", "14 March"),
    "table.py": ("Souza", "piotr", "Wrona", "3 May"),
    "own_detector.py": ("oak/two", "Wrona", "wrona", "3 May"),
    "measure_masks.py": (),
    "compare_policies.py": ("Solberg",),
}
KEPT = {
    "letter.py": ("direct identifier",),
    "judgment.py": ("Finland", "Article 34", "Convention"),
    "clinical_note.py": ("diabetes", "Metformin 500 mg"),
    "table.py": ("name,email,note",),
    "own_detector.py": ("took key [CODE 1] on", "key [CODE 1] is missing"),
    "compare_policies.py": ("clear text  100% kept, rank 1", "strict"),
    "measure_masks.py": ("entity_recall_direct  1.00", "recall of places      0.00"),
}


def test_every_example_is_listed():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(MASKED)


@pytest.mark.parametrize("name", MASKED)
def test_the_example_runs_and_masks(name, capsys):
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    printed = capsys.readouterr().out
    assert [text for text in MASKED[name] if text in printed] == []
    assert [text for text in KEPT[name] if text not in printed] == []


def test_an_example_runs_as_a_program():
    done = subprocess.run(
        [sys.executable, EXAMPLES / "letter.py"], capture_output=True, text=True, check=True
    )
    assert "Solberg" not in done.stdout
    assert "direct identifier" in done.stdout


def test_the_example_of_a_detector_finds_what_the_default_policy_does_not():
    note = runpy.run_path(str(EXAMPLES / "own_detector.py"))["NOTE"]
    assert "oak/two" in maskwise.sanitize(note).text
