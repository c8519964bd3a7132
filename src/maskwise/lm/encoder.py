"""`Encoder` reads the pieces of whole texts and returns one row of numbers per piece. The default runs on ONNX Runtime.

Every window runs alone. Dynamic int8 quantisation takes the range of activations over the whole batch, so the windows
of a batch would change each other's results; and one window per thread is faster on a CPU than a shared batch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from maskwise.errors import BundleError
from maskwise.lm import folder
from maskwise.lm.pieces import Pieces, PieceTokenizer
from maskwise.lm.windows import Blend, fit_windows

Array = NDArray[np.float32]
PROBABILITIES = ("tags", "mask", "direct")
# The masked-LM head reads the weights of the whole vocabulary each time, so many rows at once are cheaper. Rows do not
# change each other's results.
_ROWS = 16  # the number of rows is padded to a multiple of this
_BLOCK = 64  # the most rows at once
_FILLED = 64  # gaps whose states are held at once


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A text's pieces and the encoder's output for each: `values[name][i]` belongs to piece `i`."""

    pieces: Pieces
    values: dict[str, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """A window with some pieces masked: `ids` with the mask in place, and the `truth` that stood `at` some places."""

    ids: NDArray[np.int32]
    shapes: NDArray[np.uint8]
    at: NDArray[np.intp]
    truth: NDArray[np.int32]


class Encoder(Protocol):
    """An encoder with a masked-LM head. Results never depend on what else is in the call."""

    tokenizer: PieceTokenizer
    window: int
    overlap: int

    def encode(self, texts: Sequence[str], outputs: Sequence[str] = ("states",)) -> list[Encoded]:
        """Returns the values of each piece of each text, blended over windows."""
        ...

    def fill(self, gaps: Sequence[Gap]) -> list[Array]:
        """Returns natural log-probabilities of what stood in the gaps."""
        ...


class OnnxEncoder:
    """The `Encoder` of a model folder. Outputs: `states`, and the probabilities `tags`, `mask` and `direct`."""

    def __init__(
        self,
        path: str | Path,
        threads: int | None = None,
        *,
        checked: folder.ModelConfig | None = None,
    ) -> None:
        self._path = Path(path)
        self.config = checked or folder.read_config(path)
        self.tokenizer = PieceTokenizer.load(path)
        self.window = self.config.window
        self.overlap = self.config.overlap
        self.threads = threads or count_cores()

    def encode(self, texts: Sequence[str], outputs: Sequence[str] = ("states",)) -> list[Encoded]:
        widths = {"states": (self.config.hidden,), "tags": (len(folder.LABELS),)}
        shapes = {name: widths.get(name, ()) for name in outputs}

        def read_window(part: Pieces) -> list[Array]:
            values = self._run(part.ids, part.shapes, outputs)
            return list(map(convert_to_probability, outputs, values))

        def run_windows(parts: Sequence[Pieces]) -> Iterator[list[Array]]:
            return run_in_threads(read_window, parts, self.threads)

        return blend_windows(self, texts, shapes, run_windows)

    def fill(self, gaps: Sequence[Gap]) -> list[Array]:
        """Runs one pass per gap, then the head over the masked places of many gaps together."""
        filled: list[Array] = []
        for at in range(0, len(gaps), _FILLED):
            filled += self._fill_some(gaps[at : at + _FILLED])
        return filled

    def _fill_some(self, gaps: Sequence[Gap]) -> list[Array]:
        head = self._mlm

        def run_gap(gap: Gap) -> Array:
            return self._run(gap.ids, gap.shapes, ("states",))[0][gap.at]

        states = np.concatenate(list(run_in_threads(run_gap, gaps, self.threads)))
        truth = np.concatenate([gap.truth for gap in gaps])
        blocks = [slice(at, at + _BLOCK) for at in range(0, len(truth), _BLOCK)]

        def score_block(block: slice) -> Array:
            return _score_truth(head, states[block], truth[block])

        parts = run_in_threads(score_block, blocks, self.threads)
        found = np.concatenate([np.zeros(0, dtype=np.float32), *parts])
        return np.split(found, np.cumsum([len(gap.at) for gap in gaps])[:-1])

    def _run(
        self, ids: NDArray[np.int32], shapes: NDArray[np.uint8], outputs: Sequence[str]
    ) -> list[Array]:
        """Returns the raw outputs of one window, without the special pieces."""
        values = run_window(self._model, self.tokenizer, ids, shapes, outputs)
        return [value[0, 1:-1] for value in values]

    @cached_property
    def _model(self) -> Any:
        return open_session(self._path / folder.MODEL)

    @cached_property
    def _mlm(self) -> Any:
        if folder.MLM not in self.config.files:
            raise BundleError(f"model {self.config.name}: it has no masked-LM head ({folder.MLM})")
        return open_session(self._path / folder.MLM)


def blend_windows(
    encoder: Encoder,
    texts: Sequence[str],
    outputs: Mapping[str, tuple[int, ...]],
    run: Callable[[Sequence[Pieces]], Iterable[Sequence[Array]]],
) -> list[Encoded]:
    """Cuts texts into windows, puts these through `run`, and blends the values where windows overlap.

    `outputs` names the values with the shape of one row. `run` gives them for each window, in order.
    """
    pieces = [encoder.tokenizer.encode(text) for text in texts]
    jobs: list[tuple[int, int, int]] = []
    blends: list[dict[str, Blend]] = []
    for at, part in enumerate(pieces):
        blends.append({name: Blend(len(part), shape) for name, shape in outputs.items()})
        for start, end in fit_windows(len(part), encoder.window, encoder.overlap):
            jobs.append((at, start, end))
    results = run([pieces[at][start:end] for at, start, end in jobs])
    for (at, start, _), values in zip(jobs, results, strict=True):
        for blend, value in zip(blends[at].values(), values, strict=True):
            blend.add(start, value)
    encoded: list[Encoded] = []
    for part, by_name in zip(pieces, blends, strict=True):
        averages = {name: blend.average() for name, blend in by_name.items()}
        encoded.append(Encoded(part, averages))
    return encoded


def run_window(
    session: Any,
    tokenizer: PieceTokenizer,
    ids: NDArray[np.int32],
    shapes: NDArray[np.uint8],
    outputs: Sequence[str],
) -> list[Array]:
    """Returns what a graph says of one window, with the two special pieces.

    Graphs that read one window at a time take no mask: attention without one is faster. Older graphs ask for it.
    """
    row = np.zeros((2, 1, len(ids) + 2), dtype=np.int64)
    row[0, 0, 0], row[0, 0, -1] = tokenizer.cls_id, tokenizer.sep_id
    row[0, 0, 1:-1] = ids
    row[1, 0, 1:-1] = shapes
    inputs = {"input_ids": row[0], "shapes": row[1]}
    if len(session.get_inputs()) > len(inputs):
        inputs["attention_mask"] = np.ones_like(row[0])
    found: list[Array] = session.run(outputs, inputs)
    return found


def open_session(path: Path) -> Any:
    """Opens an ONNX Runtime session on one thread. Several threads may run it at once."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    ort.disable_telemetry_events()  # where another library loaded ONNX Runtime before
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise BundleError(
            f"{path}: ONNX Runtime {ort.__version__} cannot load it; export the model again"
        ) from error


def count_cores() -> int:
    """Counts the CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_in_threads(function: Any, jobs: Sequence[Any], threads: int) -> Iterator[Any]:
    """Yields `function` of each job, in order, computed on so many threads."""
    if threads < 2 or len(jobs) < 2:
        yield from map(function, jobs)
        return
    with ThreadPoolExecutor(min(threads, len(jobs))) as pool:
        yield from pool.map(function, jobs)


def select_log_softmax(logits: Array, truth: Iterable[int]) -> Array:
    """Returns the log-probability of one column per row. Overwrites the logits."""
    rows = np.subtract(logits, logits.max(axis=1, keepdims=True), out=logits)
    chosen = rows[np.arange(len(rows)), np.asarray(truth)]
    np.exp(rows, out=rows)
    return np.asarray(chosen - np.log(rows.sum(axis=1, dtype=np.float64)), dtype=np.float32)


def _score_truth(head: Any, states: Array, truth: NDArray[np.int32]) -> Array:
    rows = np.zeros((-(-len(states) // _ROWS) * _ROWS, states.shape[1]), dtype=np.float32)
    rows[: len(states)] = states
    logits = head.run(["logits"], {"states": rows})[0]
    return select_log_softmax(logits[: len(states)], truth)


def convert_to_probability(name: str, value: Array) -> Array:
    if name not in PROBABILITIES:
        return value
    if value.ndim == 1:
        return np.asarray(1 / (1 + np.exp(-np.clip(value, -60, 60))), dtype=np.float32)
    value = np.exp(value - value.max(axis=-1, keepdims=True))
    return np.asarray(value / value.sum(axis=-1, keepdims=True), dtype=np.float32)
