"""What the cores do for a GPU: how many characters a core masks in a second when the model answers at once.

    python benchmarks/feed.py [--workers 2] [--letters 200] [--rounds 5] [--json FILE]

No GPU is used, and none is measured. Letters are read once by the int8 graph. Then they are masked with the default
policy, leak check included, by workers of which each asks a process for its windows, as those of `maskwise batch
--device cuda` do; this process packs and groups them as for a GPU, and answers with what was read before. What is left
is what the cores have to do for each character: cut and pack windows, hand them over, take the answers, find, decide,
mask and check. All is counted in processor time, so other work on the machine changes it little.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any

import numpy as np

import figures
from gpu import FORK, WorkerPool, cut_rows, list_letters
from maskwise.lm import folder
from maskwise.lm.encoder import Array, convert_to_probability, open_session, run_window
from maskwise.lm.pieces import PieceTokenizer
from maskwise.scale.device import open_pipe, serve_windows
from maskwise.scale.gpu import OUTPUTS, Row, TorchEncoder, group_rows

RATE = "characters per processor second"
NOTE = (
    "No figure of a GPU: the model answers at once, with what the int8 graph said of the same windows. Letters are "
    "generated from a few sentences and hold a mention in every 40 characters or so. Processor time, the best of the "
    "rounds."
)


class InstantEncoder(TorchEncoder):
    """Packs and groups windows as for a GPU, and answers with what is known of each."""

    def __init__(self, rows: Sequence[Row]) -> None:
        path = folder.find_model("small")
        session, self._tokenizer = open_session(path / folder.MODEL), PieceTokenizer.load(path)
        self._known: dict[bytes, list[Array]] = {}
        for ids, shapes in rows:
            values = run_window(session, self._tokenizer, ids, shapes, OUTPUTS)
            likely = map(convert_to_probability, OUTPUTS, (value[0] for value in values))
            self._known[ids.tobytes()] = [value.astype(np.float16) for value in likely]

    def _run(self, rows: Sequence[Row]) -> Iterator[tuple[list[int], Any]]:
        for batch in group_rows([len(ids) for ids, _ in rows]):
            packed = self._pack([rows[row] for row in batch])
            yield batch, self._answer([rows[row][0] for row in batch], packed.shape[-1])

    def _answer(self, batch: Sequence[Any], width: int) -> SimpleNamespace:
        """One array for each output, as they come from a GPU: windows that are padded to one length."""
        answer = [np.zeros((len(batch), width, 17), np.float16)]
        answer += [np.zeros((len(batch), width), np.float16) for _ in OUTPUTS[1:]]
        for at, ids in enumerate(batch):
            for whole, value in zip(answer, self._known[ids.tobytes()], strict=True):
                whole[at, : len(value)] = value
        return SimpleNamespace(**dict(zip(OUTPUTS, answer, strict=True)))

    def _convert(self, name: str, value: Any) -> Any:
        return value

    def _fetch(self, values: Sequence[Any]) -> list[Array]:
        return list(values)


class InstantReader:
    def __init__(self, rows: Sequence[Row]) -> None:
        self._encoder = InstantEncoder(rows)

    def read(self, path: str, question: Any, rows: Sequence[Any]) -> Sequence[Any]:
        return self._encoder.read(rows, question)


class InstantPool:
    """The process that stands for the one with a GPU."""

    def __init__(self, reader: InstantReader) -> None:
        self._control, there = FORK.Pipe()
        self._process = FORK.Process(target=serve_windows, args=(reader, there), daemon=True)
        self._process.start()
        there.close()

    @property
    def pids(self) -> tuple[int, ...]:
        return (self._process.pid,)

    def connect(self) -> Connection:
        return open_pipe(self._control, self._process.pid)

    def close(self) -> None:
        self._process.kill()
        self._process.join()


def measure_feed(workers: int, letters: Sequence[str], options: Any) -> list[list[Any]]:
    """Characters per processor second of the processes that mask, and of these with the one they ask."""
    pool = WorkerPool(workers, InstantPool(InstantReader(cut_rows(letters))))
    alone, both = [], []
    try:
        pool.ask(letters, options.seconds)  # parts are loaded at the first letter
        for _ in range(options.rounds):
            before = pool.read_cpu()
            done = sum(characters for characters, _ in pool.ask(letters, options.seconds))
            spent = np.subtract(pool.read_cpu(), before)
            alone.append(done / spent[0])
            both.append(done / spent.sum())
    finally:
        pool.end()
    return [
        ["processes that mask", RATE, max(alone)],
        ["these and the one that answers", RATE, max(both)],
    ]


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--letters", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    begun = time.perf_counter()
    letters = list_letters(options.letters)
    rows = measure_feed(options.workers, letters, options)
    for row in rows:
        print(*row, sep=" | ")
    found = figures.build_figure(
        "What the cores do for a GPU",
        "python benchmarks/feed.py --json docs/figures/feed.json",
        ["what", "measure", "value"],
        rows,
        seeds=[0],
        seconds=time.perf_counter() - begun,
        note=NOTE,
    )
    figures.save_figure(options.json, found)


if __name__ == "__main__":
    main()
