"""The local engine: one process per core, each with one task at a time.

The parent loads the policy's parts first and forks where the system can, so that workers share the pages of the model
and of the lists. A task leaves the list when a worker is free: no queue grows. A worker that dies (memory, a crash of
a library) costs its task a second try in a fresh process, and then an error of this task alone. With a GPU one more
process reads for all workers; when it dies the run stops.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from maskwise.lm.model import use_encoder
from maskwise.scale.device import DevicePool, read_through
from maskwise.scale.stopping import die_with_parent
from maskwise.scale.tasks import CPU, MaskingJob, Task, TaskOutcome
from maskwise.scale.worker import Worker, report_death, warm_up

TRIES = 2


@dataclass
class _Hand:
    """A worker process, the pipe to it, and the task it has."""

    process: Any
    pipe: Connection
    task: Task | None = None


class LocalEngine:
    """Runs tasks on processes of this machine. Outcomes come in the order in which tasks end.

    A device other than the CPU is there, or an error, when the engine is built. Such an engine runs once.
    """

    def __init__(self, job: MaskingJob, workers: int) -> None:
        self._worker = Worker(job)
        self._workers = workers
        # Elsewhere libraries keep threads or handles that do not survive a fork.
        self._context: Any = multiprocessing.get_context(
            "fork" if sys.platform == "linux" else "spawn"
        )
        self.device = None if job.device == CPU else DevicePool(job.device)

    def run(self, tasks: Iterator[Task]) -> Iterator[TaskOutcome]:
        """Yield one outcome per task. Tasks are taken from the list when a worker is free."""
        hands: list[_Hand] = []
        try:
            self._warm_up()
            hands.extend(self._start() for _ in range(self._workers))
            yield from self._run_on(hands, tasks)
        finally:
            for hand in hands:
                _end(hand)
            if self.device:
                use_encoder(None)
                self.device.close()

    def _run_on(self, hands: list[_Hand], tasks: Iterator[Task]) -> Iterator[TaskOutcome]:
        tried: dict[int, int] = {}
        waiting: list[Task] = []
        for hand in hands:
            self._give(hand, waiting, tasks)
        while busy := [hand for hand in hands if hand.task is not None]:
            ready = wait([hand.pipe for hand in busy])
            for hand in [hand for hand in busy if hand.pipe in ready]:
                outcome = self._receive(hand, tried, waiting)
                self._give(hand, waiting, tasks)
                if outcome is not None:
                    yield outcome

    def _warm_up(self) -> None:
        """Load what workers will share, where they are forked."""
        if self._context.get_start_method() != "fork":
            return
        if self.device:
            read_through(self.device.connect())
        warm_up(self._worker)

    def _give(self, hand: _Hand, waiting: list[Task], tasks: Iterator[Task]) -> None:
        """Give a task to a worker. One that has died is replaced."""
        hand.task = waiting.pop() if waiting else next(tasks, None)
        if hand.task is None:
            return
        if hand.process is not None:
            try:
                hand.pipe.send(hand.task.to_json())
                return
            except OSError:  # it died after its last outcome
                _end(hand)
        fresh = self._start()
        hand.process, hand.pipe = fresh.process, fresh.pipe
        hand.pipe.send(hand.task.to_json())

    def _receive(
        self, hand: _Hand, tried: dict[int, int], waiting: list[Task]
    ) -> TaskOutcome | None:
        """The outcome of a worker. One that died gives none, and its task waits for another try."""
        task = hand.task
        assert task is not None
        hand.task = None
        try:
            outcome: TaskOutcome = TaskOutcome.from_json(hand.pipe.recv())
        except (EOFError, OSError):
            hand.process.join()
            code = hand.process.exitcode or 0
            hand.process = None
            hand.pipe.close()
        else:
            return outcome
        tried[task.number] = tried.get(task.number, 1) + 1
        if tried[task.number] <= TRIES:
            waiting.append(task)
            return None
        why = f"signal {-code}" if code < 0 else f"exit code {code}"
        return report_death(task, why)

    def _start(self) -> _Hand:
        here, there = self._context.Pipe()
        window = self.device.connect() if self.device else None
        process = self._context.Process(
            target=serve, args=(self._worker, there, here, window), daemon=True
        )
        process.start()
        there.close()
        if window:
            window.close()
        return _Hand(process, here)


def serve(
    worker: Worker, pipe: Connection, other_end: Connection, window: Connection | None = None
) -> None:
    """The life of a worker: a task in, an outcome out, until the parent is gone. A `window` leads to the device."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers itself
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    other_end.close()
    if window is not None:
        read_through(window)
    while True:
        try:
            task: Task = Task(**pipe.recv())
        except (EOFError, OSError):
            return
        pipe.send(worker.run(task).to_json())


def _end(hand: _Hand) -> None:
    if hand.process is not None:
        hand.process.kill()
        hand.process.join()
    hand.pipe.close()
