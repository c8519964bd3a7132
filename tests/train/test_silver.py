from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from maskwise.errors import PluginError
from maskwise.text import EntityType
from maskwise.train.data import read_examples
from maskwise.train.silver import PipelineDetector, label_texts

ROWS = [
    {
        "id": "a",
        "text": "Write to ada.brandvold@example.org before 4 May 1999. She is a plumber from Norway.",
    },
    {"id": "b", "text": "Nothing to see here."},
    {"id": "c", "text": "The Norwegian weaver paid 300 euros."},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_detectors_label_texts_for_the_trainer(source: Path, tmp_path: Path) -> None:
    assert label_texts(source, tmp_path / "silver.jsonl", domain="mail", progress=False) == 3
    examples = read_examples(tmp_path / "silver.jsonl")
    assert [example.id for example in examples] == ["a", "b", "c"]
    assert examples[0].domain == "mail"
    assert not examples[0].judged
    found = {examples[0].text[span.start : span.end]: span.type for span in examples[0].layers[0]}
    assert found["4 May 1999"] is EntityType.DATETIME
    assert "ada.brandvold@example.org" in found
    assert "provenance" in json.loads((tmp_path / "silver.jsonl").read_text().splitlines()[0])


def test_a_stopped_run_goes_on(source: Path, tmp_path: Path) -> None:
    label_texts(source, tmp_path / "whole.jsonl", progress=False)
    lines = (tmp_path / "whole.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_text(lines[0] + lines[1][:15])
    assert label_texts(source, tmp_path / "part.jsonl", progress=False) == 3
    assert (tmp_path / "part.jsonl").read_text() == "".join(lines)


def test_a_generic_pipeline_takes_part(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pipe(texts: list[str]) -> list[SimpleNamespace]:
        ents = [
            SimpleNamespace(label_=label, start_char=0, end_char=5) for label in ("GPE", "CARDINAL")
        ]
        return [SimpleNamespace(ents=ents) for _ in texts]

    module = SimpleNamespace(load=lambda path, exclude: SimpleNamespace(pipe=pipe))
    monkeypatch.setitem(sys.modules, "spacy", module)
    label_texts(source, tmp_path / "silver.jsonl", pipeline="anything", limit=2, progress=False)
    spans = [
        json.loads(line)["spans"] for line in (tmp_path / "silver.jsonl").read_text().splitlines()
    ]
    assert spans[1][0] == [0, 5, "LOC", "generic"]


def test_a_missing_pipeline_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(PluginError, match="pip install spacy"):
        PipelineDetector("anything")
