"""The encoder on a GPU: windows of many workers are read together, in half precision, by PyTorch (extra `train`).

One process owns the GPU. Workers cut texts into pieces, send their windows, and do the rest of the line. The weights
are those of the int8 graph; activations are not rounded to int8, so probabilities differ a little from a CPU's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import PluginError
from maskwise.lm import folder
from maskwise.lm.encoder import Array, Encoded, Gap, blend_windows
from maskwise.lm.pieces import Pieces, PieceTokenizer

# Rows of one batch have about one length, and so many pieces together fill the GPU.
PIECES = 131_072
STEP = 32  # lengths are padded to a multiple of this
GAPS = "gaps"  # the kind of request that asks the masked-LM head
OUTPUTS = ("tags", "mask", "direct")
Row = tuple[NDArray[np.int32], NDArray[np.uint8]]


class TorchEncoder:
    """The network of a model folder on a device, as a function of windows."""

    def __init__(self, path: str | Path, device: str = "cuda", half: bool = True) -> None:
        self._torch = _import_torch()
        from maskwise.train.restore import build_network

        torch = self._torch
        self.kind = torch.float16 if half else torch.float32
        network = build_network(Path(path)).eval()
        self._network = network.to(device=device, dtype=self.kind)
        self._device = device
        self._tokenizer = PieceTokenizer.load(path)

    def read(self, rows: Sequence[Row], outputs: Sequence[str] = OUTPUTS) -> list[list[Array]]:
        """Returns the outputs of each window, in order: probabilities of tags, mask and direct, or states."""
        found: dict[int, list[Array]] = {}
        for batch, result in self._run(rows):
            values = [self._convert(name, getattr(result, name)) for name in outputs]
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
            parts = np.split(chosen.cpu().numpy(), np.cumsum(counts)[:-1])
            found.update(zip(batch, parts, strict=True))
        return [found[row] for row in range(len(gaps))]

    def _run(self, rows: Sequence[Row]) -> Iterator[tuple[list[int], Any]]:
        """Yields batches of row numbers with what the network says of them."""
        for batch in group_rows([len(ids) for ids, _ in rows]):
            packed = self._pack([rows[row] for row in batch])
            ids, shapes, real = map(self._send, packed)
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

    def _convert(self, name: str, value: Any) -> Array:
        if name == "tags":
            value = value.float().softmax(-1)
        elif name != "states":
            value = value.float().sigmoid()
        array: Array = value.half().cpu().numpy()
        return array


class RemoteEncoder:
    """The `Encoder` of a worker: it cuts texts into windows, and the process with the GPU reads these."""

    def __init__(self, path: str | Path, pipe: Connection, config: folder.ModelConfig) -> None:
        self.tokenizer = PieceTokenizer.load(path)
        self.config = config
        self.window, self.overlap = config.window, config.overlap
        self._pipe = pipe

    def encode(self, texts: Sequence[str], outputs: Sequence[str] = ("states",)) -> list[Encoded]:
        widths = {"states": (self.config.hidden,), "tags": (len(folder.LABELS),)}
        shapes = {name: widths.get(name, ()) for name in outputs}

        def run_windows(parts: Sequence[Pieces]) -> Iterable[Sequence[Array]]:
            rows = [(part.ids, part.shapes) for part in parts]
            for values in self._ask((tuple(outputs), rows)):
                yield [value.astype(np.float32) for value in values]

        return blend_windows(self, texts, shapes, run_windows)

    def fill(self, gaps: Sequence[Gap]) -> list[Array]:
        rows = [(gap.ids, gap.shapes, gap.at, gap.truth) for gap in gaps]
        return list(self._ask((GAPS, rows)))

    def _ask(self, request: tuple[Any, list[Any]]) -> Any:
        if not request[1]:
            return []
        self._pipe.send(request)
        answer = self._pipe.recv()
        if isinstance(answer, str):
            raise PluginError(f"the process with the GPU failed: {answer}")
        return answer


def serve_encoder(encoder: TorchEncoder, pipes: Sequence[Connection]) -> None:
    """Answers workers until all are gone. Windows that wait at the same time are read together."""
    alive = list(pipes)
    while alive:
        asked: dict[Any, list[tuple[Connection, list[Any]]]] = {}
        for pipe in wait(alive):
            assert isinstance(pipe, Connection)
            try:
                kind, rows = pipe.recv()
            except (EOFError, OSError):
                alive.remove(pipe)
                continue
            asked.setdefault(kind, []).append((pipe, rows))
        for kind, requests in asked.items():
            _answer(encoder, kind, requests)


def _answer(
    encoder: TorchEncoder, kind: Any, requests: Sequence[tuple[Connection, list[Any]]]
) -> None:
    rows = [row for _, part in requests for row in part]
    why = ""
    try:
        found = _read_rows(encoder, kind, rows)
    except Exception as error:  # its message may hold values of the text
        why, found = type(error).__name__, []
    at = 0
    for pipe, part in requests:
        with suppress(OSError):  # this worker is gone; `serve_encoder` notices
            pipe.send(why or found[at : at + len(part)])
        at += len(part)


def _read_rows(encoder: TorchEncoder, kind: Any, rows: Sequence[Any]) -> list[Any]:
    if kind == GAPS:
        return list(encoder.fill([Gap(*row) for row in rows]))
    return list(encoder.read(rows, kind))


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


def _import_torch() -> Any:
    try:
        import torch
    except ImportError:
        raise PluginError("a GPU needs PyTorch: pip install 'maskwise[train]'") from None
    return torch
