"""Checkpoint folders (`weights.safetensors`, `config.json`, `tokenizer.json`) and the import of published encoders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from maskwise.errors import BundleError
from maskwise.train.model import LABELS, Network, NetworkConfig

WEIGHTS = "weights.safetensors"
CONFIG = "config.json"
TOKENIZER = "tokenizer.json"
_SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}


def save_checkpoint(
    model: Network,
    folder: str | Path,
    tokenizer: str | Path,
    *,
    dtype: torch.dtype = torch.float32,
    notes: dict[str, Any] | None = None,
) -> Path:
    """Writes a checkpoint folder. `tokenizer` is a folder with a `tokenizer.json`. float16 halves the size."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    state = {
        name: value.detach().to(dtype).cpu().contiguous()
        for name, value in model.state_dict().items()
    }
    save_file(state, target / WEIGHTS)
    config = {
        "format": 1,
        "labels": list(LABELS),
        "network": model.config.describe(),
        **(notes or {}),
    }
    (target / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    source = Path(tokenizer) / TOKENIZER
    if source.resolve() != (target / TOKENIZER).resolve():
        shutil.copyfile(source, target / TOKENIZER)
    return target


def load_checkpoint(folder: str | Path, *, dropout: float = 0.1) -> Network:
    """Loads the model of a checkpoint folder, in float32 on the CPU."""
    source = Path(folder)
    try:
        config = json.loads((source / CONFIG).read_text(encoding="utf-8"))
        state = load_file(source / WEIGHTS)
        if config["labels"] != list(LABELS):
            raise BundleError(f"{source}: its labels are not those of this version; train it again")
        model = Network(NetworkConfig(**config["network"]), dropout)
        model.load_state_dict({name: value.float() for name, value in state.items()})
    except (
        OSError,
        KeyError,
        TypeError,
        RuntimeError,
        SafetensorError,
        json.JSONDecodeError,
    ) as error:
        raise BundleError(
            f"{source}: not a checkpoint folder ({type(error).__name__}); see `maskwise train`"
        ) from error
    return model


def read_trained_on(folder: str | Path) -> dict[str, str]:
    """Returns the hashes of the annotated corpora that a checkpoint learnt from."""
    config = json.loads((Path(folder) / CONFIG).read_text(encoding="utf-8"))
    return dict(config.get("trained_on", {}))


def import_encoder(
    source: str | Path, folder: str | Path, *, tokenizer: str | Path | None = None
) -> Path:
    """Turns a published BERT or MPNet folder (`model.safetensors`, `config.json`, `tokenizer.json`) into a checkpoint.

    With `tokenizer`, the word embeddings are put into the order of that folder's vocabulary. MPNet's vocabulary is
    BERT's with other names for the special pieces, so a teacher imported this way reads the very ids of its student.
    """
    source = Path(source)
    try:
        published = json.loads((source / "config.json").read_text(encoding="utf-8"))
        weights = load_file(source / "model.safetensors")
    except (OSError, SafetensorError, json.JSONDecodeError) as error:
        raise BundleError(
            f"{source}: no config.json with model.safetensors there; give the encoder's folder"
        ) from error
    kind = published.get("model_type")
    if kind not in ("bert", "mpnet"):
        raise BundleError(f"{source}: a {kind} encoder; only bert and mpnet can be imported")
    order = Path(tokenizer) if tokenizer else source
    rows = _match_rows(source, order)
    torch.manual_seed(0)
    model = Network(_read_config(published, len(rows)))
    state = model.state_dict()
    state.update(_convert_bert(weights) if kind == "bert" else _convert_mpnet(weights))
    state["encoder.word.weight"] = state["encoder.word.weight"][rows]
    model.load_state_dict(state)
    return save_checkpoint(
        model, folder, order, notes={"origin": str(published.get("_name_or_path", kind))}
    )


def _read_config(published: dict[str, Any], vocab: int) -> NetworkConfig:
    mpnet = published["model_type"] == "mpnet"
    return NetworkConfig(
        vocab=vocab,
        hidden=published["hidden_size"],
        layers=published["num_hidden_layers"],
        heads=published["num_attention_heads"],
        inner=published["intermediate_size"],
        positions=published["max_position_embeddings"] - 2 * mpnet,
        epsilon=published["layer_norm_eps"],
        buckets=published["relative_attention_num_buckets"] if mpnet else 0,
    )


def _match_rows(source: Path, order: Path) -> Tensor:
    """Returns for each piece of `order`'s vocabulary its row in the embeddings of `source`."""
    ours = _read_vocabulary(order)
    theirs = _read_vocabulary(source)
    rows = [0] * (max(ours.values()) + 1)
    for piece, at in ours.items():
        alias = _SPECIAL.get(piece, piece)
        row = theirs.get(alias, theirs.get(piece))
        if row is None:
            raise BundleError(
                f"{order}: its vocabulary has a piece that {source} lacks; import without `tokenizer`"
            )
        rows[at] = row
    return torch.tensor(rows)


def _read_vocabulary(folder: Path) -> dict[str, int]:
    try:
        tokenizer = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
        added = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
        return {**tokenizer["model"]["vocab"], **added}
    except (OSError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise BundleError(
            f"{folder / TOKENIZER}: not a readable WordPiece tokenizer file"
        ) from error


def _convert_bert(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    weights = {name.removeprefix("bert."): value for name, value in weights.items()}
    state = _convert_embeddings(weights)
    # One segment only, so its embedding joins the positions.
    state["encoder.position.weight"] += weights["embeddings.token_type_embeddings.weight"][0]
    names = {
        "attention.output.dense": "out",
        "attention.output.LayerNorm": "attention_norm",
        "intermediate.dense": "inner",
        "output.dense": "outer",
        "output.LayerNorm": "norm",
    }
    qkv = [f"attention.self.{part}" for part in ("query", "key", "value")]
    return state | _convert_layers(weights, names, qkv)


def _convert_mpnet(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    weights = {name.removeprefix("mpnet."): value for name, value in weights.items()}
    state = _convert_embeddings(weights)
    positions = state["encoder.position.weight"]
    state["encoder.position.weight"] = positions[2:]  # its first position has id 2
    state["encoder.relative"] = weights["encoder.relative_attention_bias.weight"]
    names = {
        "attention.attn.o": "out",
        "attention.LayerNorm": "attention_norm",
        "intermediate.dense": "inner",
        "output.dense": "outer",
        "output.LayerNorm": "norm",
    }
    return state | _convert_layers(weights, names, [f"attention.attn.{part}" for part in "qkv"])


def _convert_embeddings(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        "encoder.word.weight": weights["embeddings.word_embeddings.weight"],
        "encoder.position.weight": weights["embeddings.position_embeddings.weight"].clone(),
        "encoder.norm.weight": weights["embeddings.LayerNorm.weight"],
        "encoder.norm.bias": weights["embeddings.LayerNorm.bias"],
    }


def _convert_layers(
    weights: dict[str, Tensor], names: dict[str, str], qkv: list[str]
) -> dict[str, Tensor]:
    state: dict[str, Tensor] = {}
    numbers = [int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer.")]
    for at in range(1 + max(numbers)):
        theirs = f"encoder.layer.{at}."
        ours = f"encoder.layers.{at}."
        for part in ("weight", "bias"):
            thirds = [weights[f"{theirs}{name}.{part}"] for name in qkv]
            state[f"{ours}qkv.{part}"] = torch.cat(thirds)
            for old, new in names.items():
                state[f"{ours}{new}.{part}"] = weights[f"{theirs}{old}.{part}"]
    return state
