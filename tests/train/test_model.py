from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from maskwise.errors import BundleError
from maskwise.train.checkpoint import import_encoder, load_checkpoint, save_checkpoint
from maskwise.train.model import LABELS, Network, NetworkConfig, _compute_buckets


def row(config: NetworkConfig) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    return torch.randint(0, config.vocab, (2, 12)), torch.randint(0, 8, (2, 12))


@pytest.mark.parametrize("buckets", [0, 8])
def test_padding_changes_nothing(config: NetworkConfig, buckets: int) -> None:
    model = Network(NetworkConfig(**{**config.describe(), "buckets": buckets})).eval()
    if buckets:
        torch.nn.init.normal_(model.encoder.relative)
    ids, shapes = row(config)
    seen = torch.zeros(2, 12)
    seen[:, :7] = 1
    with torch.no_grad():
        padded = model(ids, shapes, seen).states[:, :7]
        alone = model(ids[:, :7], shapes[:, :7]).states
    assert torch.allclose(padded, alone, atol=1e-5)


def test_shapes_start_without_effect_and_can_have_one(
    model: Network, config: NetworkConfig
) -> None:
    ids, shapes = row(config)
    model.eval()
    before = model(ids, shapes).states
    assert torch.equal(before, model(ids, torch.zeros_like(shapes)).states)
    torch.nn.init.normal_(model.encoder.shape.weight)
    assert not torch.allclose(before, model(ids, shapes).states, atol=1e-2)


def test_a_saved_model_answers_the_same(
    model: Network, config: NetworkConfig, checkpoint: Path
) -> None:
    ids, shapes = row(config)
    again = load_checkpoint(checkpoint).eval()
    for mine, theirs in zip(model.eval()(ids, shapes), again(ids, shapes), strict=True):
        assert torch.equal(mine, theirs)
    assert json.loads((checkpoint / "config.json").read_text())["labels"] == list(LABELS)


def test_a_broken_checkpoint_is_named(checkpoint: Path) -> None:
    (checkpoint / "weights.safetensors").write_bytes(b"nothing")
    with pytest.raises(BundleError, match="not a checkpoint"):
        load_checkpoint(checkpoint)


def test_relative_buckets_tell_sides_and_distances_apart() -> None:
    buckets = _compute_buckets(300, 32)
    assert buckets[10, 10] == 0
    assert buckets[10, 13] == 19  # three ahead: half of the buckets plus three
    assert buckets[13, 10] == 3
    assert buckets[0, 299] == 31
    assert buckets[299, 0] == 15


def test_a_teacher_takes_the_vocabulary_of_its_student(tmp_path: Path) -> None:
    student, teacher = tmp_path / "student", tmp_path / "teacher"
    write_vocabulary(student, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "mill", "##er"])
    write_vocabulary(
        teacher, ["<s>", "<pad>", "</s>", "[UNK]", "mill", "##er", "<mask>", "[CLS]", "[MASK]"]
    )
    weights = published(9)
    save_file(weights, teacher / "model.safetensors")
    folder = import_encoder(teacher, tmp_path / "imported", tokenizer=student)
    model = load_checkpoint(folder)
    words = weights["embeddings.word_embeddings.weight"]
    assert torch.equal(model.encoder.word.weight, words[[1, 3, 0, 2, 6, 4, 5]])
    assert torch.equal(
        model.encoder.position.weight, weights["embeddings.position_embeddings.weight"][2:]
    )
    assert (folder / "tokenizer.json").read_bytes() == (student / "tokenizer.json").read_bytes()


def test_a_foreign_vocabulary_is_refused(tmp_path: Path) -> None:
    student, teacher = tmp_path / "student", tmp_path / "teacher"
    write_vocabulary(student, ["[PAD]", "river"])
    write_vocabulary(teacher, ["<pad>", "mill"])
    save_file(published(2), teacher / "model.safetensors")
    with pytest.raises(BundleError, match="lacks"):
        import_encoder(teacher, tmp_path / "imported", tokenizer=student)


def write_vocabulary(folder: Path, pieces: list[str]) -> None:
    folder.mkdir()
    vocab = {piece: at for at, piece in enumerate(pieces)}
    (folder / "tokenizer.json").write_text(
        json.dumps({"model": {"vocab": vocab}, "added_tokens": []})
    )
    config = {
        "model_type": "mpnet",
        "hidden_size": 8,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
    }
    more = {"intermediate_size": 16, "max_position_embeddings": 12, "layer_norm_eps": 1e-5}
    (folder / "config.json").write_text(
        json.dumps({**config, **more, "relative_attention_num_buckets": 4})
    )


def published(vocab: int) -> dict[str, torch.Tensor]:
    """Weights of a tiny MPNet under their published names."""
    layer = "encoder.layer.0."
    shapes = {
        "embeddings.word_embeddings.weight": (vocab, 8),
        "embeddings.position_embeddings.weight": (12, 8),
        "encoder.relative_attention_bias.weight": (4, 2),
        f"{layer}intermediate.dense.weight": (16, 8),
        f"{layer}intermediate.dense.bias": (16,),
        f"{layer}output.dense.weight": (8, 16),
        f"{layer}output.dense.bias": (8,),
    }
    for name in ("embeddings.LayerNorm", f"{layer}attention.LayerNorm", f"{layer}output.LayerNorm"):
        shapes |= {f"{name}.weight": (8,), f"{name}.bias": (8,)}
    for part in "qkvo":
        shapes |= {
            f"{layer}attention.attn.{part}.weight": (8, 8),
            f"{layer}attention.attn.{part}.bias": (8,),
        }
    torch.manual_seed(0)
    return {name: torch.randn(shape) for name, shape in shapes.items()}


def test_half_precision_halves_the_file(
    model: Network, tokenizer: Path, checkpoint: Path, tmp_path: Path
) -> None:
    half = save_checkpoint(model, tmp_path / "half", tokenizer, dtype=torch.float16)
    sizes = [(folder / "weights.safetensors").stat().st_size for folder in (half, checkpoint)]
    assert sizes[0] < 0.6 * sizes[1]
    assert load_checkpoint(half).encoder.word.weight.dtype is torch.float32
