"""A model that was exported can be trained again, and remembers what it learnt from."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from maskwise.cli import app
from maskwise.errors import BundleError
from maskwise.lm import folder as model_folder
from maskwise.lm.learnt import hash_corpora, is_trained_on
from maskwise.train.checkpoint import load_checkpoint, read_trained_on, save_checkpoint
from maskwise.train.export import export_model
from maskwise.train.model import Network, NetworkConfig
from maskwise.train.restore import restore_checkpoint


def _export(checkpoint: Path, folder: Path, *, int8: bool = True) -> Path:
    export_model(checkpoint, folder, name="tiny", version="1", window=30, overlap=8, int8=int8)
    return folder


@pytest.mark.parametrize("int8", [True, False])
def test_export_and_import_lose_nothing(checkpoint: Path, tmp_path: Path, int8: bool) -> None:
    first = _export(checkpoint, tmp_path / "first", int8=int8)
    restored = restore_checkpoint(first, tmp_path / "restored")
    again = _export(restored, tmp_path / "again", int8=int8)
    for name in (model_folder.MODEL, model_folder.MLM, "embedding.bin"):
        assert (first / name).read_bytes() == (again / name).read_bytes()


def test_relative_positions_come_back(checkpoint: Path, tokenizer: Path, tmp_path: Path) -> None:
    vocab = load_checkpoint(checkpoint).config.vocab
    model = Network(NetworkConfig(vocab, 16, 2, 2, 32, positions=40, buckets=8))
    torch.nn.init.normal_(model.encoder.relative)
    start = save_checkpoint(model, tmp_path / "start", tokenizer)
    folder = _export(start, tmp_path / "folder", int8=False)
    restored = load_checkpoint(restore_checkpoint(folder, tmp_path / "restored"))
    assert restored.config.buckets == 8
    for name, value in model.state_dict().items():
        assert torch.equal(restored.state_dict()[name], value), name


def test_a_damaged_model_is_not_restored(checkpoint: Path, tmp_path: Path) -> None:
    folder = _export(checkpoint, tmp_path / "folder")
    with (folder / model_folder.MODEL).open("ab") as file:
        file.write(b"x")
    with pytest.raises(BundleError, match="SHA-256"):
        restore_checkpoint(folder, tmp_path / "restored")


def test_what_a_model_learnt_from_stays_with_it(
    checkpoint: Path, tokenizer: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus.json.gz"
    corpus.write_bytes(gzip.compress(b"[]"))
    model = load_checkpoint(checkpoint)
    notes = {"trained_on": hash_corpora([corpus])}
    learnt = save_checkpoint(model, tmp_path / "learnt", tokenizer, notes=notes)
    config = model_folder.read_config(_export(learnt, tmp_path / "folder"))
    plain = tmp_path / "other_name.json"
    plain.write_bytes(b"[]")
    assert is_trained_on(config, corpus)
    assert is_trained_on(config, plain)
    plain.write_bytes(b"[ ]")
    assert not is_trained_on(config, plain)
    restored = restore_checkpoint(tmp_path / "folder", tmp_path / "restored")
    assert read_trained_on(restored) == notes["trained_on"]


def test_silver_rows_alone_train_a_recogniser(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = {"id": "1", "text": "Ada Brandvold was born in Larkby.", "spans": [[26, 32, "LOC", "x"]]}
    Path("silver.jsonl").write_text(json.dumps({**row, "names": [[0, 13]]}) + "\n")
    folder = _export(checkpoint, tmp_path / "folder")
    for arguments in (
        ("import", str(folder), "-o", "start"),
        (
            "tagger",
            "start",
            "--silver",
            "silver.jsonl",
            "-o",
            "out",
            "--device",
            "cpu",
            "--size",
            "30",
        ),
    ):
        done = CliRunner().invoke(app, ["train", *arguments], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert set(read_trained_on("out")) == {"silver.jsonl"}
    moved = load_checkpoint("out").state_dict()["mask.weight"]
    assert not torch.equal(moved, load_checkpoint("start").state_dict()["mask.weight"])
