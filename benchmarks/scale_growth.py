"""How batches grow: a part of benchmarks/scale.py."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import random
import resource
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from maskwise.policy import Policy
from maskwise.scale.batch import BatchRun, make_engine, run_batch
from maskwise.scale.summary import summarise_run, write_report
from maskwise.scale.tasks import DONE, Task, TaskOutcome, TextColumns

NAMES = ("Ana Souza", "Bruno Keller", "Ingrid Solberg", "Tomas Rivera", "Mei Tanaka", "Olu Adeyemi")
TOWNS = ("Porto", "Bergen", "Graz", "Lyon", "Ghent", "Turku")
SENTENCES = (
    "{name} wrote to the office in {town} on {day} May 1981 about the invoice.",
    "The office answered that the goods had left the store in time.",
    "{name}, born on {day} March 1957, asked to be called on +44 20 7946 0{number:03d}.",
    "Nothing else was said at the meeting, and the minutes were approved.",
    "Later {name} moved to {town} and worked there as a teacher for some years.",
)
EMPTY = hashlib.sha256(b"").hexdigest()
RULES = {"name": "rules", "detectors": [{"kind": "patterns"}, {"kind": "gazetteer"}]}


def write_letter(number: int, sentences: int) -> str:
    draw = random.Random(number)
    name, town = draw.choice(NAMES), draw.choice(TOWNS)
    lines = (
        draw.choice(SENTENCES).format(
            name=name, town=town, day=draw.randint(1, 28), number=draw.randint(0, 999)
        )
        for _ in range(sentences)
    )
    return " ".join(lines)


def write_letters(folder: Path, count: int, sentences: int) -> None:
    for number in range(count):
        path = folder / f"{number // 1000:03d}" / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write_letter(number, sentences))


def hash_folder(folder: Path) -> str:
    """One hash of every output, with its name."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith("_maskwise"):
            digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def read_cpu() -> float:
    """Processor seconds of this process and of its children that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


class MemoryWatch:
    """The largest sum of the memory of this process and its children. A shared page counts once (PSS)."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> MemoryWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._measure()

    def _look(self) -> None:
        while not self._end.wait(0.5):
            self._measure()

    def _measure(self) -> None:
        self.peak = max(self.peak, sum(map(read_pss, list_family(os.getpid()))))


def list_family(process: int) -> list[int]:
    """A process and all below it, whichever of its threads began them."""
    children: list[str] = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            children += path.read_text().split()
    return [process, *(one for child in children for one in list_family(int(child)))]


def read_family_cpu(process: int) -> float:
    """Processor seconds of a process and all below it, with those of children that have ended."""
    ticks = 0
    for one in list_family(process):
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def read_pss(process: int) -> float:
    """Megabytes."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1e3


def measure_rows(count: int, folder: Path) -> list[list[Any]]:
    """Rows of a table by rules alone: processor time per document and peak memory of two workers."""
    path, out = folder / f"{count}.jsonl", folder / f"rows-{count}"
    with path.open("w") as stream:
        for number in range(count):
            stream.write(json.dumps({"id": number, "text": write_letter(number, 2)}) + "\n")
    table = TextColumns("text", (), "id")
    batch = BatchRun(str(path), str(out), Policy.parse(RULES), table=table)
    cpu = read_cpu()
    with MemoryWatch() as memory, batch.open(False) as manifest:
        run_batch(manifest, make_engine("local", batch.job, 2))
        told = manifest.sum_up()
    micro = (read_cpu() - cpu) / count * 1e6
    shutil.rmtree(out)
    who = f"{count:,} rows by rules alone"
    return [
        ["growth", who, "processor microseconds per row", micro],
        ["growth", who, "peak MB, shared pages once", memory.peak],
        ["growth", who, "rows masked", told["documents"]],
    ]


def measure_manifest(count: int, folder: Path) -> list[list[Any]]:
    """Empty files that nobody masks: what their list, manifest and report cost, and a check by --resume."""
    source, out = folder / f"empty-{count}", folder / f"listed-{count}"
    for number in range(count):
        for place in (source, out):
            path = place / f"{number // 1000:04d}" / f"{number}.txt"
            if not number % 1000:
                path.parent.mkdir(parents=True)
            path.touch()
    batch = BatchRun(str(source), str(out), Policy.parse(RULES))
    context = multiprocessing.get_context("fork")
    told = context.Queue()
    process = context.Process(target=list_files, args=(batch, told))
    process.start()
    listed, seconds, peak = told.get()
    process.join()
    shutil.rmtree(source)
    shutil.rmtree(out)
    who = f"list, manifest and report of {count:,} files"
    return [
        ["growth", who, "processor microseconds per file", seconds / count * 1e6],
        ["growth", who, "peak MB", peak],
        ["growth", who, "files listed", listed],
    ]


def list_files(batch: BatchRun, told: Any) -> None:
    """Plan a run, call all done, report it, and open it again. What is left of other sizes is in other processes."""
    cpu = time.process_time()
    with MemoryWatch() as memory:
        with batch.open(False) as manifest:
            run_batch(manifest, Pretender())
            write_report(manifest, summarise_run(manifest, 1.0))
        with batch.open(True) as manifest:
            listed = manifest.count()[DONE][0]
    told.put((listed, time.process_time() - cpu, memory.peak))


class Pretender:
    """An engine that says of each task that it is done."""

    def run(self, tasks: Iterator[Task]) -> Iterator[TaskOutcome]:
        for task in tasks:
            yield TaskOutcome(task.number, DONE, output_sha256=EMPTY, documents=1)
