"""A trained bi-encoder in its files: a checkpoint folder of both towers, and its export for `reid.biencoder`."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from maskwise.crowd.biencoder import DOCUMENT, PROFILE, TOKENIZER, BiEncoder, BiEncoderConfig, write_config
from maskwise.errors import BundleError
from maskwise.train import graph
from maskwise.train.model import Config
from maskwise.train.pair import Pair, Tower

WEIGHTS, CONFIG = "weights.safetensors", "config.json"
_SHARED = "profile.encoder.word.weight"  # is that of the document tower too


@dataclass(frozen=True, slots=True)
class Parity:
    """Cosine of the embeddings of the network with those of its export: the lowest and the mean, documents first."""

    document_lowest: float
    document_mean: float
    profile_lowest: float
    profile_mean: float

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


def save(pair: Pair, folder: str | Path, tokenizer: str | Path, *, dtype: torch.dtype = torch.float32) -> Path:
    """Writes a checkpoint folder; `tokenizer` is a folder with a `tokenizer.json`."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    state = {n: v.detach().to(dtype).cpu().contiguous() for n, v in pair.state().items() if n != _SHARED}
    save_file(state, target / WEIGHTS)
    towers = {"document": pair.document.config.as_dict(), "profile": pair.profile.config.as_dict()}
    record = {"format": 1, "kind": "bi-encoder", "size": pair.document.size, **towers}
    (target / CONFIG).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    source = Path(tokenizer) / TOKENIZER
    if source.resolve() != (target / TOKENIZER).resolve():
        shutil.copyfile(source, target / TOKENIZER)
    return target


def load(folder: str | Path) -> Pair:
    """The pair of a checkpoint folder, in float32 on the CPU."""
    source = Path(folder)
    try:
        record = json.loads((source / CONFIG).read_text(encoding="utf-8"))
        state = {name: value.float() for name, value in load_file(source / WEIGHTS).items()}
        size = int(record["size"])
        pair = Pair(
            Tower(Config(**record["document"]), size, unit=False), Tower(Config(**record["profile"]), size, unit=True)
        )
        pair.load({**state, _SHARED: state["document.encoder.word.weight"]})
    except (OSError, KeyError, TypeError, RuntimeError, SafetensorError, json.JSONDecodeError) as error:
        raise BundleError(f"{source}: not the checkpoint of a bi-encoder; see `maskwise train reid`") from error
    return pair


def export(
    checkpoint: str | Path, folder: str | Path, *, name: str, window: int = 254, int8: bool = True, **notes: Any
) -> BiEncoderConfig:
    """Writes a model folder: two ONNX graphs, the tokenizer, and `config.json` with their hashes."""
    pair, target = load(checkpoint), Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for tower, file in ((pair.document, DOCUMENT), (pair.profile, PROFILE)):
        weights = {key: value.numpy() for key, value in tower.state_dict().items()}
        graph.write_tower(weights, target / file, heads=tower.config.heads, epsilon=tower.config.epsilon, int8=int8)
    shutil.copyfile(Path(checkpoint) / TOKENIZER, target / TOKENIZER)
    return write_config(target, name=name, size=pair.document.size, window=window, notes=notes)


def parity(checkpoint: str | Path, folder: str | Path, documents: list[Any], lines: list[str]) -> Parity:
    """Both over the same texts: `documents` as `reid.redact.Worded`, `lines` as profiles are linearised."""
    pair, model = load(checkpoint), BiEncoder.load(folder)
    found = []
    pieces = [model.tokenizer.encode(line) for line in lines]
    for tower, rows, theirs in (
        (pair.document, documents, np.stack([one.embedding for one in model.embed_documents(documents)])),
        (pair.profile, pieces, model.embed_lines(lines)),
    ):
        ours = np.stack([_embed(tower, row.ids, row.shapes, model) for row in rows])
        cosine = (ours * theirs).sum(1) / (np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1))
        found += [float(cosine.min()), float(cosine.mean())]
    return Parity(*found)


@torch.no_grad()
def _embed(tower: Tower, ids: Any, shapes: Any, model: BiEncoder) -> Any:
    from maskwise.train.rows import Rows

    tower.eval()
    row = torch.tensor([[model.tokenizer.cls_id, *ids.tolist(), model.tokenizer.sep_id]])
    kinds = torch.tensor([[0, *shapes.tolist(), 0]])
    real = torch.ones_like(row, dtype=torch.bool)
    return tower(Rows(row, kinds, torch.zeros_like(row), torch.zeros_like(row), real))[0].numpy()
