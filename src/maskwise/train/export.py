"""Checkpoint to model folder: ONNX graphs in int8 or float32, with a parity check against the PyTorch network."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from maskwise.errors import BundleError
from maskwise.lm import folder as model_folder
from maskwise.lm.encoder import OnnxEncoder
from maskwise.train import graph
from maskwise.train.checkpoint import TOKENIZER, load
from maskwise.train.data import Example
from maskwise.train.model import Model
from maskwise.train.predict import predict
from maskwise.train.score import detection, sweep, truth
from maskwise.train.stream import gold_stream

# Where a model has not been calibrated yet.
POINTS = {
    "precision": {"detect": 0.7, "mask": 0.7},
    "balanced": {"detect": 0.5, "mask": 0.5},
    "recall": {"detect": 0.25, "mask": 0.2},
}


@dataclass(frozen=True, slots=True)
class Parity:
    """How far the exported model is from the network: logits of single windows, and F1 of masks and of detection."""

    tags: float
    mask: float
    direct: float
    f1_network: float
    f1_export: float
    detection_network: float
    detection_export: float

    @property
    def f1_change(self) -> float:
        return self.f1_export - self.f1_network


def export(
    checkpoint: str | Path,
    folder: str | Path,
    *,
    name: str,
    version: str,
    window: int = 254,
    overlap: int = 32,
    int8: bool = True,
    points: Mapping[str, Mapping[str, float]] = POINTS,
    calibration: Mapping[str, Mapping[str, object]] | None = None,
    limit: int | None = None,
) -> model_folder.ModelConfig:
    """Writes a model folder. `limit` refuses one that is larger in all; the bundled model's limit is 36 MiB."""
    model = load(checkpoint).eval()
    config = model.config
    weights = {key: value.numpy() for key, value in model.state_dict().items()}
    distance = model.encoder.distance.numpy() if config.buckets else None
    target = Path(folder)
    graph.write(weights, target, heads=config.heads, epsilon=config.epsilon, int8=int8, distance=distance)
    shutil.copyfile(Path(checkpoint) / TOKENIZER, target / TOKENIZER)
    written = model_folder.write_config(
        target,
        name=name,
        version=version,
        hidden=config.hidden,
        window=window,
        overlap=overlap,
        points=points,
        calibration=calibration,
    )
    size = sum((target / file).stat().st_size for file in written.files)
    if limit is not None and size > limit:
        raise BundleError(f"{target}: {size / 2**20:.1f} MiB, over the limit of {limit / 2**20:.1f}")
    return written


def parity(
    checkpoint: str | Path, folder: str | Path, examples: Sequence[Example], *, threshold: float = 0.5
) -> Parity:
    """Runs both over the same texts in the same windows; the exported one as its users run it."""
    model = load(checkpoint).eval()
    encoder = OnnxEncoder(folder)
    stream = gold_stream(examples, checkpoint)
    wanted = truth(examples, checkpoint)
    ours = predict(model, stream, size=encoder.window, overlap=encoder.overlap, rows=8, dtype=torch.float32)
    encoded = encoder.encode([example.text for example in examples], ("tags", "mask"))
    tags, mask = (np.concatenate([e.values[name] for e in encoded]) for name in ("tags", "mask"))
    scores = [
        (sweep(wanted, m, [threshold])[0]["f1"], detection(wanted, t)["f1"])
        for m, t in ((ours.mask.numpy(), ours.tags.numpy()), (mask, tags))
    ]
    logits = _largest(model, encoder, examples)
    return Parity(**logits, f1_network=scores[0][0], f1_export=scores[1][0],
                  detection_network=scores[0][1], detection_export=scores[1][1])  # fmt: skip


def report(parity: Parity) -> dict[str, float]:
    """For `run.json`."""
    return {**asdict(parity), "f1_change": parity.f1_change}


def _largest(model: Model, encoder: OnnxEncoder, examples: Sequence[Example], most: int = 32) -> dict[str, float]:
    """Largest difference of logits over the first window of up to `most` texts, each run alone."""
    names = ("tags", "mask", "direct")
    largest = dict.fromkeys(names, 0.0)
    cls, sep = encoder.tokenizer.cls_id, encoder.tokenizer.sep_id
    for example in examples[:most]:
        pieces = encoder.tokenizer.encode(example.text)
        ids, shapes = pieces.ids[: encoder.window], pieces.shapes[: encoder.window]
        row = torch.tensor([[cls, *ids.tolist(), sep]])
        kinds = torch.tensor([[0, *shapes.tolist(), 0]])
        with torch.no_grad():
            out = model(row, kinds)
        theirs: list[NDArray[np.float32]] = encoder._run(ids, shapes, names)
        for name, value in zip(names, theirs, strict=True):
            mine = getattr(out, name)[0, 1:-1].numpy()
            largest[name] = max(largest[name], float(np.abs(mine - value).max(initial=0)))
    return largest
