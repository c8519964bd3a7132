"""One GPU and the cores beside it: how fast the encoder reads, how fast the whole line masks, and what changes.

    python benchmarks/gpu.py [--device cuda] [--workers 16] [--seconds 40] [--texts FILE] [--json FILE]

`encoder` reads windows of generated letters that are cut already: on the GPU in fp16, the way there and back included,
and on all cores in int8. `pipeline` masks letters with the default policy, leak check included: by processes whose
windows one process reads on the GPU (several for each core, because they wait), then by one process for each core with
the int8 graph. `difference` masks the texts of FILE (rows of JSON with `text`), else letters, both ways, and counts the
documents and the characters of the output that differ, and the direct identifiers that one way masks and the other
leaves. It needs PyTorch, nvidia-ml-py for the utilisation, and no network.
"""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Indel

import figures
from maskwise.lm import folder
from maskwise.lm.encoder import open_session, run_in_threads, run_window
from maskwise.lm.pieces import PieceTokenizer
from maskwise.lm.windows import fit_windows
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.scale.batch import PER_CORE
from maskwise.scale.device import READERS, DevicePool, read_through
from maskwise.scale.gpu import OUTPUTS, Row, TorchEncoder, find_device
from maskwise.scale.worker import mask_text
from scale_growth import read_family_cpu, write_letter

FORK = multiprocessing.get_context("fork")
SENTENCES = 30  # of a letter: about 2,000 characters
LETTERS = 4000
CHUNK = 4096  # windows that are handed over at once
COMPARED = 400  # letters that are compared where no texts are given
NOTE = (
    "Letters are generated from a few sentences. The encoder's rate counts characters of the letters, not of the "
    "overlapping windows. Utilisation is the mean of what the driver says twice a second. The weights on the GPU are "
    "those of the int8 graph; its activations are fp16. In a batch the last bits depend on the other rows."
)
# What the driver says of the first GPU, in a process of its own: one that forks must not hold a thread or the GPU.
WATCH = """
import time, pynvml
pynvml.nvmlInit()
gpu = pynvml.nvmlDeviceGetHandleByIndex(0)
print(pynvml.nvmlDeviceGetName(gpu), "driver", pynvml.nvmlSystemGetDriverVersion(), flush=True)
while True:
    print(pynvml.nvmlDeviceGetUtilizationRates(gpu).gpu, flush=True)
    time.sleep(0.5)
"""


class MaskedText(NamedTuple):
    """A text as one way masks it: the output, the spans of its masks, and those of its direct identifiers."""

    output: str
    masks: list[tuple[int, int]]
    direct: list[tuple[int, int]]

    def count_uncovered(self, other: MaskedText) -> int:
        """How many direct identifiers this way masks of which the other way leaves a character."""
        covered = {at for start, end in other.masks for at in range(start, end)}
        return sum(not covered.issuperset(range(start, end)) for start, end in self.direct)


class MaskingRate(NamedTuple):
    """Characters per second, the utilisation of the GPU in percent, and the cores that mask and that read for them."""

    speed: float
    use: float | None
    masking: float
    reading: float


def read_masks(output: str, result: Result) -> MaskedText:
    masks = [(start, end) for start, end, _ in result.masks]
    inside = {at for start, end in masks for at in range(start, end)}
    direct = [
        mention.span
        for entity in result.entities
        if entity.is_direct
        for mention in entity.mentions
        if inside.issuperset(range(*mention.span))
    ]
    return MaskedText(output, masks, direct)


def list_letters(count: int) -> list[str]:
    return [write_letter(number, SENTENCES) for number in range(count)]


def cut_rows(texts: Sequence[str]) -> list[Row]:
    """The windows of texts, as the encoder gets them."""
    path = folder.find_model("small")
    config, tokenizer = folder.read_config(path), PieceTokenizer.load(path)
    rows = []
    for text in texts:
        pieces = tokenizer.encode(text)
        for start, end in fit_windows(len(pieces), config.window, config.overlap):
            rows.append((pieces.ids[start:end], pieces.shapes[start:end]))
    return rows


def time_reading(read: Callable[[list[Row]], object], rows: list[Row], seconds: float) -> float:
    """Windows per second. Three threads hand windows over, so that the device need not wait for the next."""
    chunks = [rows[at : at + CHUNK] for at in range(0, len(rows), CHUNK)]
    read(chunks[0])
    done, began = 0, time.perf_counter()
    with ThreadPoolExecutor(3) as pool:
        while time.perf_counter() < began + seconds:
            done += sum(map(len, chunks))
            list(pool.map(read, chunks))
    return done / (time.perf_counter() - began)


def read_on_gpu(device: str, rows: list[Row], seconds: float, answer: Any) -> None:
    encoder = TorchEncoder(folder.find_model("small"), find_device(device))
    answer.send(time_reading(encoder.read, rows, seconds))


def read_on_cores(threads: int, rows: list[Row], seconds: float, answer: Any) -> None:
    path = folder.find_model("small")
    session, tokenizer = open_session(path / folder.MODEL), PieceTokenizer.load(path)

    def read_row(row: Row) -> object:
        return run_window(session, tokenizer, *row, OUTPUTS)

    began, done = time.perf_counter(), 0
    while time.perf_counter() < began + seconds:
        some = rows[: 32 * threads]
        done += len(list(run_in_threads(read_row, some, threads)))
    answer.send(done / (time.perf_counter() - began))


def measure_encoder(options: Any) -> list[list[Any]]:
    texts = list_letters(LETTERS)
    rows = cut_rows(texts)
    each = sum(map(len, texts)) / len(rows)  # characters per window
    gpu, use = ask_child(read_on_gpu, options.device, rows, options.seconds)
    cores, _ = ask_child(read_on_cores, options.workers, rows, options.seconds)
    return [
        ["encoder", "GPU, fp16", "characters per second", gpu * each],
        ["encoder", "GPU, fp16", "utilisation, %", use],
        ["encoder", f"{options.workers} cores, int8", "characters per second", cores * each],
        ["encoder", "GPU over cores", "ratio", gpu / cores],
    ]


def ask_child(work: Callable[..., None], *given: Any) -> tuple[Any, float | None]:
    """What a process of its own answers, and how busy the GPU was: no process forks after it touched the GPU."""
    here, there = FORK.Pipe()
    child = FORK.Process(target=work, args=(*given, there))
    with watch_gpu() as seen:
        child.start()
        there.close()
        try:
            found = here.recv()
        except EOFError:
            raise SystemExit("the process that measured died; its error stands above") from None
        child.join()
    return found, average(seen)


@contextmanager
def watch_gpu() -> Iterator[list[float]]:
    """Utilisation twice a second, in percent; nothing where nvidia-ml-py or the driver is missing."""
    seen: list[float] = []
    process = start_watch()
    yield seen
    process.terminate()
    seen += map(float, process.communicate()[0].split("\n")[1:-1])


def start_watch() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WATCH], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def average(seen: Sequence[float]) -> float | None:
    """The mean without the seconds before the first work, when the process started."""
    busy = [at for at, value in enumerate(seen) if value > 0]
    return float(np.mean(seen[busy[0] : busy[-1] + 1])) if busy else None


class WorkerPool:
    """Processes that mask texts, as those of `maskwise batch --device` do; without a device each reads on its core."""

    def __init__(self, count: int, device: DevicePool | None) -> None:
        policy = Policy.load("balanced").model_copy(update={"threads": 1})
        self._sanitizer = Sanitizer(policy)
        self._device = device
        self._ends: list[Any] = []
        self._processes: list[Any] = []
        for _ in range(count):
            here, there = FORK.Pipe()
            window = self._device.connect() if self._device else None
            process = FORK.Process(target=self._serve, args=(there, window), daemon=True)
            process.start()
            there.close()
            if window:
                window.close()
            self._ends.append(here)
            self._processes.append(process)

    def _serve(self, pipe: Any, window: Any) -> None:
        if window is not None:
            read_through(window)
        while True:
            pipe.send(self._mask(*pipe.recv()))

    def _mask(self, texts: list[str], seconds: float | None) -> tuple[int, list[MaskedText]]:
        """Mask each text once, or again and again for some seconds; returns characters, and texts masked once."""
        if seconds is None:
            files = [mask_text(self._sanitizer, text) for text in texts]
            masked = [read_masks(one.data.decode(), one.results[0]) for one in files]
            return sum(map(len, texts)), masked
        end, done, at = time.perf_counter() + seconds, 0, 0
        while time.perf_counter() < end:
            text = texts[at % len(texts)]
            mask_text(self._sanitizer, text)
            done += len(text)
            at += 1
        return done, []

    def read_cpu(self) -> tuple[float, float]:
        """Processor seconds so far of the processes that mask, and of those that read for them."""
        readers = self._device.pids if self._device else ()
        masking = sum(read_family_cpu(process.pid) for process in self._processes)
        return masking, sum(map(read_family_cpu, readers))

    def ask(
        self, texts: Sequence[str], seconds: float | None = None
    ) -> list[tuple[int, list[MaskedText]]]:
        count = len(self._ends)
        for at, pipe in enumerate(self._ends):
            pipe.send((list(texts[at::count]), seconds))
        return [self._receive(pipe) for pipe in self._ends]

    def _receive(self, pipe: Any) -> tuple[int, list[MaskedText]]:
        """An answer. A process that died would leave the others waiting for ever."""
        while not pipe.poll(1):
            if not all(process.is_alive() for process in self._processes):
                raise SystemExit("a process died; its error stands above")
        found: tuple[int, list[MaskedText]] = pipe.recv()
        return found

    def end(self) -> None:
        for process in self._processes:
            process.kill()
            process.join()
        if self._device:
            self._device.close()


def mask_on(
    count: int, device: str | None, compared: Sequence[str], seconds: float, readers: int = 1
) -> tuple[MaskingRate, list[MaskedText]]:
    """How fast letters are masked, and the texts `compared` masked."""
    pool = WorkerPool(count, DevicePool(device, readers) if device else None)
    try:
        parts = pool.ask(compared)
        masked = [MaskedText("", [], [])] * len(compared)
        for at, (_, found) in enumerate(parts):
            masked[at::count] = found
        letters = list_letters(LETTERS)
        with watch_gpu() as seen:
            began, before = time.perf_counter(), pool.read_cpu()
            done = sum(characters for characters, _ in pool.ask(letters, seconds))
            took, after = time.perf_counter() - began, pool.read_cpu()
    finally:
        pool.end()
    busy = [(end - start) / took for start, end in zip(before, after, strict=True)]
    return MaskingRate(done / took, average(seen), *busy), masked


def measure_pipeline(options: Any) -> list[list[Any]]:
    texts = read_texts(options.texts) if options.texts else list_letters(COMPARED)
    count = options.workers * options.per_core
    gpu, on_gpu = mask_on(count, options.device, texts, options.seconds, options.readers)
    cores, on_cores = mask_on(options.workers, None, texts, options.seconds)
    pairs = list(zip(on_gpu, on_cores, strict=True))
    same = sum(a.output == b.output for a, b in pairs)
    changed = sum(Indel.distance(a.output, b.output) for a, b in pairs)
    written = sum(len(one.output) for one in on_cores)
    who = f"GPU and {options.workers} cores"
    what = options.texts.name if options.texts else "letters"
    return [
        ["pipeline", who, "characters per second", gpu.speed],
        ["pipeline", who, "processes that mask", count],
        ["pipeline", who, "processes that read", options.readers],
        ["pipeline", who, "cores busy in processes that mask", gpu.masking],
        ["pipeline", who, "cores busy in processes that read", gpu.reading],
        ["pipeline", who, "utilisation of the GPU, %", gpu.use],
        ["pipeline", f"{options.workers} cores, int8", "characters per second", cores.speed],
        ["pipeline", "GPU over cores", "ratio", gpu.speed / cores.speed],
        ["difference", f"{what}: {len(texts)} documents", "same bytes", same],
        [
            "difference",
            f"{what}: {written:,} characters of output",
            "characters to insert and delete, share",
            changed / written,
        ],
        [
            "difference",
            f"{what}: {sum(len(one.direct) for one in on_cores):,} direct identifiers masked on cores",
            "left on the GPU",
            sum(b.count_uncovered(a) for a, b in pairs),
        ],
        [
            "difference",
            f"{what}: {sum(len(one.direct) for one in on_gpu):,} direct identifiers masked on the GPU",
            "left on cores",
            sum(a.count_uncovered(b) for a, b in pairs),
        ],
    ]


def read_texts(path: Path) -> list[str]:
    return [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--workers", type=int, default=16, help="cores that mask")
    parser.add_argument(
        "--per-core", type=int, default=PER_CORE, help="processes per core with a GPU"
    )
    parser.add_argument("--readers", type=int, default=READERS, help="processes that own the GPU")
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--texts", type=Path, help="rows of JSON with `text`, to compare")
    options = parser.parse_args()
    began = time.perf_counter()
    rows = []
    for measure in (measure_pipeline, measure_encoder):
        found = measure(options)
        for row in found:
            print(*row, sep=" | ", flush=True)
        rows += found
    command = (
        f"python benchmarks/gpu.py --workers {options.workers} --per-core {options.per_core}"
        f" --readers {options.readers}"
        f" --seconds {options.seconds:g}{' --texts FILE' if options.texts else ''}"
        " --json docs/figures/gpu.json"
    )
    figure = figures.build_figure(
        "One GPU",
        command,
        ["what", "where", "measure", "value"],
        rows,
        files=[options.texts] if options.texts else [],
        seeds=[0],
        seconds=time.perf_counter() - began,
        device=name_device(),
        note=NOTE,
    )
    figures.save_figure(options.json, figure)


def name_device() -> str:
    process = start_watch()
    with process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        process.terminate()
    return name


if __name__ == "__main__":
    main()
