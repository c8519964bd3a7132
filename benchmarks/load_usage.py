"""What a server and its clients take of a machine while a load lasts: cores, and the largest memory."""

from __future__ import annotations

import os
import resource
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

PAUSE = 0.5  # seconds between two looks at the memory


class CoreShares(NamedTuple):
    """The cores of a server, which the batch pipeline gets as well, and those of the clients."""

    server: set[int]
    clients: set[int]


def share_cores(workers: int) -> CoreShares:
    """A core for each worker, and the others for the clients. Without others, all share all."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) <= workers:
        return CoreShares(set(cores), set(cores))
    return CoreShares(set(cores[:workers]), set(cores[workers:]))


def list_processes(root: int) -> list[int]:
    """A process and those it started."""
    found = [root]
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            try:
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == root:
                found.append(int(path.name))
    return found


def read_cpu(root: int) -> float:
    """CPU seconds of a server so far."""
    found = 0.0
    for process in list_processes(root):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def read_memory(root: int) -> int:
    """Bytes of a server now. What its processes share is counted once."""
    found = 0
    for process in list_processes(root):
        try:
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            continue
        found += int(rollup.partition("Pss:")[2].split()[0]) * 1024
    return found


def read_own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@dataclass
class LoadWatch:
    """Watches a server as long as a load lasts: `with LoadWatch(process) as watch: ...`"""

    server: int
    server_cpu: float = 0.0
    client_cpu: float = 0.0
    memory: int = 0
    seconds: float = 0.0
    _over: threading.Event = field(default_factory=threading.Event, repr=False)

    def __enter__(self) -> Self:
        self._began = time.perf_counter(), read_cpu(self.server), read_own_cpu()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._over.set()
        self._thread.join()
        clock, server, own = self._began
        self.seconds = time.perf_counter() - clock
        self.server_cpu = read_cpu(self.server) - server
        self.client_cpu = read_own_cpu() - own

    def _look(self) -> None:
        while True:
            self.memory = max(self.memory, read_memory(self.server))
            if self._over.wait(PAUSE):
                return

    def describe(self) -> dict[str, Any]:
        return {
            "server_cores": round(self.server_cpu / self.seconds, 2),
            "client_cores": round(self.client_cpu / self.seconds, 2),
            "memory_mb": round(self.memory / 1e6),
        }
