"""Where the models of a run read: each worker on its CPU, or all of them on one GPU.

A few processes own the GPU. Workers cut texts into windows, send these to one of them, and do the rest of the line;
windows that wait at the same time are read together.
"""

from __future__ import annotations

import gc
import multiprocessing
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np

from maskwise.errors import DeviceError, InputError, MaskwiseError
from maskwise.lm import folder
from maskwise.lm.encoder import Array, Encoded, Gap, blend_windows
from maskwise.lm.model import use_encoder
from maskwise.lm.pieces import Pieces, PieceTokenizer
from maskwise.scale.gpu import TORCH_CPU, TorchEncoder, find_device
from maskwise.scale.stopping import die_with_parent
from maskwise.scale.tasks import CPU

GPU = "cuda"
GAPS = "gaps"  # the question to the masked-LM head
READERS = 4  # processes that read on a GPU
MOST = 1024  # windows that are asked for at once: a long document must not hold the others up
_NAME = re.compile(rf"{CPU}|{TORCH_CPU}|{GPU}(:\d{{1,3}})?")
_START = "import sys; from maskwise.scale.device import own_device; own_device(sys.argv[1], int(sys.argv[2]))"
_DEAD = "the process with the GPU died"

Question = str | tuple[str, ...]  # `GAPS`, or the names of outputs


class WindowReader(Protocol):
    """Reads windows of the model in a folder, and answers a question about each, in order."""

    def read(self, path: str, question: Question, rows: Sequence[Any]) -> Sequence[Any]: ...


class WindowEncoder:
    """The `Encoder` of a model whose windows a `WindowReader` reads."""

    def __init__(self, path: Path, config: folder.ModelConfig, reader: WindowReader) -> None:
        self.tokenizer = PieceTokenizer.load(path)
        self.config = config
        self.window, self.overlap = config.window, config.overlap
        self._path, self._reader = str(path), reader

    def encode(self, texts: Sequence[str], outputs: Sequence[str] = ("states",)) -> list[Encoded]:
        widths = {"states": (self.config.hidden,), "tags": (len(folder.LABELS),)}
        shapes = {name: widths.get(name, ()) for name in outputs}

        def run_windows(parts: Sequence[Pieces]) -> Iterable[Sequence[Array]]:
            rows = [(part.ids, part.shapes) for part in parts]
            for values in self._ask(tuple(outputs), rows):
                yield [value.astype(np.float32) for value in values]

        return blend_windows(self, texts, shapes, run_windows)

    def fill(self, gaps: Sequence[Gap]) -> list[Array]:
        return list(self._ask(GAPS, [(gap.ids, gap.shapes, gap.at, gap.truth) for gap in gaps]))

    def _ask(self, question: Question, rows: Sequence[Any]) -> Iterator[Any]:
        for at in range(0, len(rows), MOST):
            yield from self._reader.read(self._path, question, rows[at : at + MOST])


class DeviceReader:
    """Reads windows on a device of this process. It loads the network of a model at the first question to it."""

    def __init__(self, device: str) -> None:
        self._device = find_device(device)
        self._networks: dict[str, TorchEncoder] = {}

    def read(self, path: str, question: Question, rows: Sequence[Any]) -> Sequence[Any]:
        try:
            if path not in self._networks:
                self._networks[path] = TorchEncoder(path, self._device)
                gc.collect()
                gc.freeze()  # the collector need not walk what stays
            network = self._networks[path]
            if isinstance(question, tuple):
                return network.read(rows, question)
            return network.fill([Gap(*row) for row in rows])
        except MaskwiseError as error:
            raise DeviceError(str(error)) from None
        except Exception as error:  # its message may hold values of the text
            raise DeviceError(f"reading on the GPU failed ({type(error).__name__})") from None


class PipeReader:
    """Asks the process with the device. A forked worker takes a pipe of its own."""

    def take(self, pipe: Connection) -> None:
        self._pipe, self._lock = pipe, Lock()

    def read(self, path: str, question: Question, rows: Sequence[Any]) -> Sequence[Any]:
        try:
            with self._lock:
                self._pipe.send((path, question, rows))
                answer: str | list[Any] = self._pipe.recv()
        except (EOFError, OSError):
            raise DeviceError(_DEAD) from None
        except BaseException:
            self._pipe.close()  # half an answer may be left in it, and would be taken for the next
            raise
        if isinstance(answer, str):
            raise DeviceError(answer)
        return answer


_PIPE = PipeReader()


def read_through(pipe: Connection) -> None:
    """Let the models of this process ask the process at the other end of the pipe."""
    _PIPE.take(pipe)
    use_encoder(_open_by_pipe)


def _open_by_pipe(path: Path, config: folder.ModelConfig) -> WindowEncoder:
    return WindowEncoder(path, config, _PIPE)


def read_here(device: str) -> None:
    """Let the models of this process read on a device, without another process in between."""
    if device != CPU:
        reader = DeviceReader(device)
        use_encoder(lambda path, config: WindowEncoder(path, config, reader))


class DeviceProcess:
    """A process that reads on a device. It ends with its parent."""

    def __init__(self, device: str) -> None:
        if sys.platform == "win32":
            raise DeviceError(f"--device {device}: needs Linux; Windows has one in WSL")
        self._control, there = multiprocessing.Pipe()
        # A process that was forked could not use CUDA if its parent ever did.
        self._process = subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, "-P", "-c", _START, device, str(there.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[there.fileno()],
            start_new_session=True,  # Ctrl-C is for the parent, which ends this process itself
        )
        there.close()
        self._device = device

    def expect(self) -> None:
        """Wait until it is there. Where the device cannot be used, it says so, and that is an error."""
        try:
            problem: str = self._control.recv()
        except (EOFError, OSError):
            problem = f"--device {self._device}: {_DEAD} as it started"
        if problem:
            self.close()
            raise DeviceError(problem)

    @property
    def pid(self) -> int:
        return self._process.pid

    def connect(self) -> Connection:
        """A new pipe to the process, for one worker."""
        return open_pipe(self._control, self.pid)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._control.close()


class DevicePool:
    """Several processes that read on one device. They are there when this is built. Each worker asks one of them.

    One process alone is busy with Python while the GPU waits: it packs windows, and sends answers.
    """

    def __init__(self, device: str, count: int | None = None) -> None:
        count = count or (READERS if device.startswith(GPU) else 1)
        self._processes = [DeviceProcess(device) for _ in range(count)]
        self._turns = cycle(self._processes)
        try:
            for process in self._processes:
                process.expect()
        except DeviceError:
            self.close()
            raise

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self._processes)

    def connect(self) -> Connection:
        """A new pipe to a process, for one worker."""
        return next(self._turns).connect()

    def close(self) -> None:
        for process in self._processes:
            process.close()


def open_pipe(control: Connection, pid: int) -> Connection:
    """Open a pipe, and send its other end to the process that reads from `control`."""
    here, there = multiprocessing.Pipe()
    try:
        send_handle(control, there.fileno(), pid)
    except OSError:
        raise DeviceError(_DEAD) from None
    finally:
        there.close()
    return here


def own_device(device: str, end: int) -> None:
    """The life of the process with the device: say what is wrong with it, if anything, and read for workers."""
    die_with_parent()
    control, reader, problem = Connection(end), None, ""
    try:
        reader = DeviceReader(device)
    except DeviceError as error:
        problem = str(error)
    with suppress(OSError):  # the parent is gone; `serve_windows` notices
        control.send(problem)
    if reader:
        serve_windows(reader, control)


def serve_windows(reader: WindowReader, control: Connection) -> None:
    """Answer workers, whose pipes come through `control`, until the parent is gone."""
    pipes: list[Connection] = []
    while True:
        asked: dict[Any, list[tuple[Connection, list[Any]]]] = {}
        for pipe in wait([control, *pipes]):
            assert isinstance(pipe, Connection)
            try:
                if pipe is control:
                    pipes.append(Connection(recv_handle(control)))
                    continue
                path, question, rows = pipe.recv()
            except (EOFError, OSError):
                if pipe is control:
                    return
                pipes.remove(pipe)  # its worker is gone
                pipe.close()
                continue
            asked.setdefault((path, question), []).append((pipe, rows))
        for (path, question), requests in asked.items():
            _answer(reader, path, question, requests)


def _answer(
    reader: WindowReader,
    path: str,
    question: Question,
    requests: Sequence[tuple[Connection, list[Any]]],
) -> None:
    """Read what several workers sent, together, and give each its part, or all the reason why not."""
    problem, found = "", []
    try:
        found = list(reader.read(path, question, [row for _, rows in requests for row in rows]))
    except DeviceError as error:
        problem = str(error)
    at = 0
    for pipe, rows in requests:
        with suppress(OSError):  # this worker is gone; `serve_windows` notices
            pipe.send(problem or found[at : at + len(rows)])
        at += len(rows)


def refuse_device(device: str, engine: str) -> None:
    """Refuse a device that has no such name, or that an engine cannot use."""
    if not _NAME.fullmatch(device):
        raise InputError(f"--device {device}: name {CPU}, {GPU} or {GPU}:NUMBER")
    if engine == "spark" and device != CPU:
        raise InputError(f"--engine spark reads on a CPU alone; leave --device {device} out")
    if engine == "ray" and ":" in device:
        raise InputError(f"--engine ray gives each worker its GPU; say --device {GPU}")
