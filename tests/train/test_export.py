from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from maskwise.errors import BundleError
from maskwise.lm import folder as model_folder
from maskwise.train.checkpoint import load_checkpoint, save_checkpoint
from maskwise.train.data import Example
from maskwise.train.export import export_model, measure_parity
from maskwise.train.predict import predict_targets
from maskwise.train.score import align_truth, sweep_thresholds
from maskwise.train.stream import build_gold_stream


@pytest.fixture
def decided(checkpoint: Path, tokenizer: Path) -> Path:
    """A checkpoint whose heads differ from piece to piece, as those of a trained network do."""
    model = load_checkpoint(checkpoint, dropout=0.0)
    torch.manual_seed(2)
    for head in (model.tags, model.mask, model.direct):
        torch.nn.init.normal_(head.weight, std=0.5)
    return save_checkpoint(model, checkpoint, tokenizer)


def find_gap(scores: NDArray[np.float32]) -> tuple[float, float]:
    """The middle of the widest gap between two scores, and half its width."""
    ordered = np.sort(scores)
    at = int(np.diff(ordered).argmax())
    low, high = float(ordered[at]), float(ordered[at + 1])
    return (low + high) / 2, (high - low) / 2


@pytest.mark.parametrize(("int8", "logits"), [(False, 1e-3), (True, 1.5)])
def test_the_export_says_what_the_network_says(
    decided: Path, examples: list[Example], tmp_path: Path, int8: bool, logits: float
) -> None:
    target = tmp_path / "model"
    config = export_model(
        decided, target, name="tiny", version="1", window=30, overlap=8, int8=int8
    )
    assert model_folder.read_config(target) == config
    measured = measure_parity(decided, target, examples)
    assert max(measured.tags, measured.mask, measured.direct, measured.vocabulary) < logits


def test_both_have_one_f1_where_no_word_is_near_the_threshold(
    decided: Path, examples: list[Example], tmp_path: Path
) -> None:
    target = tmp_path / "model"
    export_model(decided, target, name="tiny", version="1", window=30, overlap=8, int8=False)
    stream = build_gold_stream(examples, decided)
    found = predict_targets(
        load_checkpoint(decided), stream, size=30, overlap=8, dtype=torch.float32
    )
    truth = align_truth(examples, decided)
    threshold, margin = find_gap(
        np.array([found.mask[a:b].mean() for a, b in truth.words], np.float32)
    )
    assert margin > 1e-3
    measured = measure_parity(decided, target, examples, threshold=threshold)
    assert measured.f1_network == sweep_thresholds(truth, found.mask.numpy(), [threshold])[0]["f1"]
    assert measured.f1_change == 0


def test_a_folder_over_its_limit_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="over the limit"):
        export_model(checkpoint, tmp_path / "model", name="tiny", version="1", limit=1000)


def test_a_changed_file_is_noticed(checkpoint: Path, tmp_path: Path) -> None:
    export_model(checkpoint, tmp_path / "model", name="tiny", version="1")
    with (tmp_path / "model" / "model.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(BundleError, match="SHA-256"):
        model_folder.read_config(tmp_path / "model")
