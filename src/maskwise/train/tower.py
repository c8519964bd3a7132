"""Saves and loads a trained bi-encoder as a checkpoint folder, and exports it for `crowd.biencoder`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from maskwise.crowd.biencoder import DOCUMENT, PROFILE, TOKENIZER, BiEncoderConfig, write_config
from maskwise.errors import BundleError
from maskwise.train import graph
from maskwise.train.model import NetworkConfig
from maskwise.train.pair import Pair, Tower

WEIGHTS, CONFIG = "weights.safetensors", "config.json"
_SHARED = "profile.encoder.word.weight"  # is that of the document tower too


def save_pair(
    pair: Pair, folder: str | Path, tokenizer: str | Path, *, dtype: torch.dtype = torch.float32
) -> Path:
    """Writes a checkpoint folder. `tokenizer` is a folder with a `tokenizer.json`."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    state = pair.collect_state()
    del state[_SHARED]
    plain = {name: value.detach().to(dtype).cpu().contiguous() for name, value in state.items()}
    save_file(plain, target / WEIGHTS)
    towers = {
        "document": pair.document.config.describe(),
        "profile": pair.profile.config.describe(),
    }
    record = {"format": 1, "kind": "bi-encoder", "size": pair.document.size, **towers}
    (target / CONFIG).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    source = Path(tokenizer) / TOKENIZER
    if source.resolve() != (target / TOKENIZER).resolve():
        shutil.copyfile(source, target / TOKENIZER)
    return target


def load_pair(folder: str | Path) -> Pair:
    """Loads the pair of a checkpoint folder, in float32 on the CPU."""
    source = Path(folder)
    try:
        record = json.loads((source / CONFIG).read_text(encoding="utf-8"))
        state = {name: value.float() for name, value in load_file(source / WEIGHTS).items()}
        size = int(record["size"])
        pair = Pair(
            Tower(NetworkConfig(**record["document"]), size, unit=False),
            Tower(NetworkConfig(**record["profile"]), size, unit=True),
        )
        pair.load_state({**state, _SHARED: state["document.encoder.word.weight"]})
    except (
        OSError,
        KeyError,
        TypeError,
        RuntimeError,
        SafetensorError,
        json.JSONDecodeError,
    ) as error:
        raise BundleError(
            f"{source}: not the checkpoint of a bi-encoder; see `maskwise train reid`"
        ) from error
    return pair


def export_pair(
    checkpoint: str | Path,
    folder: str | Path,
    *,
    name: str,
    window: int = 254,
    int8: bool = True,
    **notes: Any,
) -> BiEncoderConfig:
    """Writes a model folder: two ONNX graphs, the tokenizer, and `config.json` with their hashes."""
    pair, target = load_pair(checkpoint), Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    towers = {DOCUMENT: pair.document, PROFILE: pair.profile}
    graph.write_towers(
        {file: _read_weights(tower) for file, tower in towers.items()},
        target,
        heads=pair.document.config.heads,
        epsilon=pair.document.config.epsilon,
        int8=int8,
    )
    shutil.copyfile(Path(checkpoint) / TOKENIZER, target / TOKENIZER)
    return write_config(target, name=name, size=pair.document.size, window=window, notes=notes)


def _read_weights(tower: Tower) -> dict[str, Any]:
    return {name: value.numpy() for name, value in tower.state_dict().items()}
