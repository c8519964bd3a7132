"""Exports a checkpoint as a model folder: ONNX graphs in int8 or float32, compared with the PyTorch network."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from maskwise.errors import BundleError
from maskwise.lm import folder as model_folder
from maskwise.lm.encoder import OnnxEncoder, open_session
from maskwise.train import graph
from maskwise.train.checkpoint import TOKENIZER, load_checkpoint, read_trained_on
from maskwise.train.data import Example
from maskwise.train.model import Network
from maskwise.train.predict import predict_targets
from maskwise.train.score import align_truth, score_detection, sweep_thresholds
from maskwise.train.stream import build_gold_stream

# Where a model has not been calibrated yet.
POINTS = {
    "precision": {"detect": 0.7, "mask": 0.7},
    "balanced": {"detect": 0.5, "mask": 0.5},
    "recall": {"detect": 0.25, "mask": 0.08},
}
_SAMPLE = 16  # pieces per text whose logits over the vocabulary are compared


@dataclass(frozen=True, slots=True)
class ExportParity:
    """How far the exported model is from the network.

    Largest differences of logits in single windows and of the masked-LM head, and F1 of masks and of detection.
    """

    tags: float
    mask: float
    direct: float
    vocabulary: float
    f1_network: float
    f1_export: float
    detection_network: float
    detection_export: float

    @property
    def f1_change(self) -> float:
        return self.f1_export - self.f1_network

    def describe(self) -> dict[str, float]:
        return {**asdict(self), "f1_change": self.f1_change}


def export_model(
    checkpoint: str | Path,
    folder: str | Path,
    *,
    name: str,
    version: str,
    window: int = 254,
    overlap: int = 16,
    int8: bool = True,
    points: Mapping[str, Mapping[str, float]] = POINTS,
    calibration: Mapping[str, Mapping[str, object]] | None = None,
    limit: int | None = None,
) -> model_folder.ModelConfig:
    """Writes a model folder. A folder of more than `limit` bytes is refused; the bundled model has at most 36 MiB."""
    model = load_checkpoint(checkpoint).eval()
    target = Path(folder)
    _write_graphs(model, target, int8)
    shutil.copyfile(Path(checkpoint) / TOKENIZER, target / TOKENIZER)
    learnt = read_trained_on(checkpoint)
    written = model_folder.write_config(
        target,
        name=name,
        version=version,
        hidden=model.config.hidden,
        window=window,
        overlap=overlap,
        points=points,
        calibration=calibration,
        notes={"trained_on": learnt} if learnt else None,
    )
    _check_size(target, written.files, limit)
    return written


def _write_graphs(model: Network, target: Path, int8: bool) -> None:
    config = model.config
    weights = {key: value.numpy() for key, value in model.state_dict().items()}
    distance = model.encoder.distance.numpy() if config.buckets else None
    graph.write_graphs(
        weights, target, heads=config.heads, epsilon=config.epsilon, int8=int8, distance=distance
    )


def _check_size(target: Path, names: Iterable[str], limit: int | None) -> None:
    """Raises if the files take more than `limit` bytes together."""
    size = sum((target / name).stat().st_size for name in names)
    if limit is not None and size > limit:
        raise BundleError(
            f"{target}: {size / 2**20:.1f} MiB, over the limit of {limit / 2**20:.1f}"
        )


def measure_parity(
    checkpoint: str | Path,
    folder: str | Path,
    examples: Sequence[Example],
    *,
    threshold: float = 0.5,
) -> ExportParity:
    """Compares both over the same texts in the same windows. The exported model runs as its users run it."""
    model = load_checkpoint(checkpoint).eval()
    encoder = OnnxEncoder(folder)
    stream = build_gold_stream(examples, checkpoint)
    wanted = align_truth(examples, checkpoint)
    ours = predict_targets(
        model, stream, size=encoder.window, overlap=encoder.overlap, rows=8, dtype=torch.float32
    )
    encoded = encoder.encode([example.text for example in examples], ("tags", "mask"))
    tags = np.concatenate([e.values["tags"] for e in encoded])
    mask = np.concatenate([e.values["mask"] for e in encoded])
    logits = _compare_logits(model, Path(folder), encoder, examples)
    return ExportParity(
        **logits,
        f1_network=sweep_thresholds(wanted, ours.mask.numpy(), [threshold])[0]["f1"],
        f1_export=sweep_thresholds(wanted, mask, [threshold])[0]["f1"],
        detection_network=score_detection(wanted, ours.tags.numpy())["f1"],
        detection_export=score_detection(wanted, tags)["f1"],
    )


def _compare_logits(
    model: Network, target: Path, encoder: OnnxEncoder, examples: Sequence[Example], most: int = 32
) -> dict[str, float]:
    """Returns the largest difference of logits over the first window of up to `most` texts, each run alone."""
    names = ("tags", "mask", "direct")
    largest = dict.fromkeys((*names, "vocabulary"), 0.0)
    tagger = open_session(target / graph.MODEL)
    head = open_session(target / graph.MLM)
    cls = encoder.tokenizer.cls_id
    sep = encoder.tokenizer.sep_id
    for example in examples[:most]:
        pieces = encoder.tokenizer.encode(example.text)
        ids = torch.tensor([[cls, *pieces.ids[: encoder.window].tolist(), sep]])
        shapes = torch.tensor([[0, *pieces.shapes[: encoder.window].tolist(), 0]])
        with torch.no_grad():
            out = model(ids, shapes)
            some = out.states[0, :_SAMPLE]
            logits = model.score_vocabulary(some).numpy()
        inputs = {"input_ids": ids.numpy(), "shapes": shapes.numpy()}
        theirs = dict(zip(names, tagger.run(names, inputs), strict=True))
        theirs["vocabulary"] = head.run(["logits"], {"states": some.numpy()})[0]
        ours = {name: getattr(out, name).numpy() for name in names}
        ours["vocabulary"] = logits
        for name, value in ours.items():
            difference = float(np.abs(value - theirs[name]).max(initial=0))
            largest[name] = max(largest[name], difference)
    return largest
