from __future__ import annotations

from pathlib import Path

import pytest

from maskwise.errors import BundleError
from maskwise.lm import folder as model_folder
from maskwise.train.checkpoint import load_checkpoint, save_checkpoint
from maskwise.train.data import Example
from maskwise.train.export import export_model, measure_parity
from maskwise.train.loop import TrainingPlan
from maskwise.train.stream import build_gold_stream
from maskwise.train.tagger import TrainingSource, train_tagger


@pytest.fixture
def trained(checkpoint: Path, examples: list[Example], tokenizer: Path) -> Path:
    model = load_checkpoint(checkpoint, dropout=0.0)
    train_tagger(
        model,
        [TrainingSource(build_gold_stream(examples, tokenizer))],
        plan=TrainingPlan(lr=5e-3, steps=80),
        size=30,
        rows=6,
    )
    return save_checkpoint(model, checkpoint, tokenizer)


@pytest.mark.parametrize(("int8", "logits"), [(False, 1e-3), (True, 1.5)])
def test_the_export_says_what_the_network_says(
    trained: Path, examples: list[Example], tmp_path: Path, int8: bool, logits: float
) -> None:
    target = tmp_path / "model"
    config = export_model(trained, target, name="tiny", version="1", window=30, overlap=8, int8=int8)
    assert model_folder.read(target) == config
    measured = measure_parity(trained, target, examples)
    assert max(measured.tags, measured.mask, measured.direct, measured.vocabulary) < logits
    assert measured.f1_network > 0.9
    assert abs(measured.f1_change) < 0.02


def test_a_folder_over_its_limit_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="over the limit"):
        export_model(checkpoint, tmp_path / "model", name="tiny", version="1", limit=1000)


def test_a_changed_file_is_noticed(checkpoint: Path, tmp_path: Path) -> None:
    export_model(checkpoint, tmp_path / "model", name="tiny", version="1")
    with (tmp_path / "model" / "model.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(BundleError, match="SHA-256"):
        model_folder.read(tmp_path / "model")
