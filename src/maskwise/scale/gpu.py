"""The network of a model on a GPU, by PyTorch (extra `train`): windows of about one length together, in half precision.

The weights are those of the int8 graph; activations are not rounded to int8, so probabilities differ a little from a
CPU's, and in their last bits with what else is in a batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import BundleError, DeviceError
from maskwise.lm.encoder import Array, Gap
from maskwise.lm.pieces import PieceTokenizer

# Rows of one batch have about one length, and so many pieces together fill the GPU.
PIECES = 131_072
STEP = 32  # lengths are padded to a multiple of this
TORCH_CPU = "torch-cpu"  # the way of a GPU on a CPU, for tests
OUTPUTS = ("tags", "mask", "direct")
_NO_NUMBERS = "the GPU answered with values that are no numbers"
Row = tuple[NDArray[np.int32], NDArray[np.uint8]]


class TorchEncoder:
    """The network of a model folder on a device of PyTorch, as a function of windows. A CPU reads in full precision."""

    def __init__(self, path: str | Path, device: str = "cuda") -> None:
        self._torch = import_torch()
        kind = self._torch.float32 if device == "cpu" else self._torch.float16
        self._network = _restore_network(Path(path)).to(device=device, dtype=kind)
        self._device = device
        self._tokenizer = PieceTokenizer.load(path)

    def read(self, rows: Sequence[Row], outputs: Sequence[str] = OUTPUTS) -> list[list[Array]]:
        """Returns the outputs of each window, in order: probabilities of tags, mask and direct, or states."""
        found: dict[int, list[Array]] = {}
        for batch, result in self._run(rows):
            values = self._fetch([self._convert(name, getattr(result, name)) for name in outputs])
            for at, row in enumerate(batch):
                end = len(rows[row][0]) + 1
                found[row] = [value[at, 1:end] for value in values]
        return [found[row] for row in range(len(rows))]

    def fill(self, gaps: Sequence[Gap]) -> list[Array]:
        """Returns natural log-probabilities of what stood in the gaps."""
        torch = self._torch
        found: dict[int, Array] = {}
        for batch, result in self._run([(gap.ids, gap.shapes) for gap in gaps]):
            counts = [len(gaps[row].at) for row in batch]
            rows = np.repeat(np.arange(len(batch)), counts)
            places = np.concatenate([gaps[row].at for row in batch]) + 1
            truth = np.concatenate([gaps[row].truth for row in batch])
            states = result.states[self._send(rows), self._send(places)]
            with torch.inference_mode():
                logits = self._network.score_vocabulary(states).float()
                scores = torch.log_softmax(logits, -1)
                chosen = scores.gather(1, self._send(truth)[:, None])[:, 0]
            parts = np.split(self._expect_numbers(chosen).cpu().numpy(), np.cumsum(counts)[:-1])
            found.update(zip(batch, parts, strict=True))
        return [found[row] for row in range(len(gaps))]

    def _run(self, rows: Sequence[Row]) -> Iterator[tuple[list[int], Any]]:
        """Yields batches of row numbers with what the network says of them."""
        for batch in group_rows([len(ids) for ids, _ in rows]):
            packed = self._pack([rows[row] for row in batch])
            ids, shapes, real = self._send(packed)
            with self._torch.inference_mode():
                seen = None if packed[2].all() else real
                yield batch, self._network(ids, shapes, seen)

    def _pack(self, rows: Sequence[Row]) -> NDArray[np.int64]:
        """Returns ids, shapes and the mask of real pieces of rows, padded to one length."""
        longest = max(len(ids) for ids, _ in rows) + 2
        width = -(-longest // STEP) * STEP
        packed = np.zeros((3, len(rows), width), dtype=np.int64)
        packed[0] = self._tokenizer.pad_id
        packed[0, :, 0] = self._tokenizer.cls_id
        for at, (ids, shapes) in enumerate(rows):
            end = len(ids) + 1
            packed[0, at, 1:end] = ids
            packed[0, at, end] = self._tokenizer.sep_id
            packed[1, at, 1:end] = shapes
            packed[2, at, : end + 1] = 1
        return packed

    def _send(self, values: NDArray[Any]) -> Any:
        sent = self._torch.from_numpy(np.ascontiguousarray(values, dtype=np.int64))
        return sent.to(self._device)

    def _convert(self, name: str, value: Any) -> Any:
        if name == "tags":
            return value.float().softmax(-1)
        return value if name == "states" else value.float().sigmoid()

    def _fetch(self, values: Sequence[Any]) -> list[Array]:
        """Returns the values in half precision. They come together, because each wait for a GPU takes time."""
        flat = self._torch.cat([value.half().flatten() for value in values])
        is_sound = flat.isfinite().all()[None].half()
        array: Array = self._torch.cat([flat, is_sound]).cpu().numpy()
        if not array[-1]:
            raise DeviceError(_NO_NUMBERS)
        ends = np.cumsum([value.numel() for value in values])
        parts = np.split(array[:-1], ends[:-1])
        return [part.reshape(value.shape) for part, value in zip(parts, values, strict=True)]

    def _expect_numbers(self, value: Any) -> Any:
        """Refuses what is no number: it would be below every threshold, and the text would stay."""
        if not self._torch.isfinite(value).all():
            raise DeviceError(_NO_NUMBERS)
        return value


def group_rows(lengths: Sequence[int], most: int = PIECES) -> Iterator[list[int]]:
    """Yields the numbers of rows by length, so many that a padded batch has at most `most` pieces.

    >>> list(group_rows([5, 60, 7, 58], 140))
    [[0, 2], [3, 1]]
    """
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: lengths[row]):
        width = -(-(lengths[row] + 2) // STEP) * STEP
        first = -(-(lengths[batch[0]] + 2) // STEP) * STEP if batch else width
        if batch and (width * (len(batch) + 1) > most or width > 2 * first - STEP + 1):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def find_device(name: str) -> str:
    """Returns a device as PyTorch calls it. One that is not there, or takes nothing, is an error.

    >>> find_device("torch-cpu")
    'cpu'
    """
    torch = import_torch()
    if name == TORCH_CPU:
        return "cpu"
    if not torch.cuda.is_available():
        raise DeviceError(f"--device {name}: PyTorch finds no GPU with CUDA here")
    count = torch.cuda.device_count()
    if int(name.partition(":")[2] or 0) >= count:
        raise DeviceError(f"--device {name}: the last GPU here is cuda:{count - 1}")
    try:
        torch.zeros(1, device=name)
    except RuntimeError as error:
        raise DeviceError(f"--device {name}: cannot be used ({type(error).__name__})") from None
    return name


def import_torch() -> Any:
    """Imports PyTorch and what restores networks."""
    try:
        import onnx  # noqa: F401
        import safetensors  # noqa: F401
        import torch
    except (ImportError, OSError):
        raise DeviceError("a GPU needs PyTorch: pip install 'maskwise[train]'") from None
    return torch


def _restore_network(path: Path) -> Any:
    from maskwise.train.restore import build_network

    try:
        return build_network(path).eval()
    except (OSError, KeyError, IndexError, ValueError, RuntimeError) as error:
        raise BundleError(
            f"{path}: no GPU can read this model; only one of `maskwise train export` ({type(error).__name__})"
        ) from None
