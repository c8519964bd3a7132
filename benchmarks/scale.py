"""Many documents: what batches cost beside plain processes, and how they grow.

    python benchmarks/scale.py [--parts cost rows manifest paper] [--engines local ray spark] [--json FILE]

`cost` masks generated letters with the default policy: by one or two plain processes that share nothing, and in the
same run by each engine with as many workers. Speed is the characters per second of an engine over those of as many
plain processes, once its workers have begun; so two workers are compared with what two cores of this machine give.
The start of workers is left out there, and told by the speed "with the start": all characters over all seconds.
`rows` masks a table by rules alone, `manifest` lists files that nobody masks. `paper` computes a billion
documents from what `cost` measured. Parts can be run one by one: rows of other parts stay in the file.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import figures
from maskwise.policy import Policy
from maskwise.scale.batch import BatchRun, make_engine
from maskwise.scale.worker import Worker
from scale_growth import (
    MemoryWatch,
    hash_folder,
    measure_manifest,
    measure_rows,
    read_family_cpu,
    write_letters,
)

PARTS = ("cost", "rows", "manifest", "paper")
CORE_HOUR = 0.04  # dollars for an hour of a virtual core, a usual list price
LINEAR = 0.92  # the share of a core that masks; the rest starts, reads, writes and waits
QUIET = 0.9  # the share of a core that a plain process has, where nobody else needs it
ENGINES = ("local", "ray", "spark")
PAPER = "paper: a billion documents of 2,000 characters"
RATE = "characters per processor second"
NOTE = (
    "Speed is measured against plain processes in the same run, after the workers have begun. With the start it holds "
    "for these few letters: a start of seconds is a small part of a long run. By the clock nothing is known where "
    "others used the cores; the shares of the time in which workers mask, and of all processor time that masks, hold "
    "there too. The paper calculation takes the characters per processor second of one plain process, .92 of a core "
    "for masking, and $0.04 per core hour; workers send each other nothing, because a document is masked by itself."
)
# Counts the sessions of the model that each process opens, wherever an engine starts it.
COUNTER = """
import importlib.util, os, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name != "onnxruntime":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module
        def load(module):
            run(module)
            begin = module.InferenceSession.__init__
            def count(session, *rest, **named):
                with open(os.environ["MODEL_LOADS"], "a") as stream:
                    stream.write(f"{os.getpid()}\\n")
                begin(session, *rest, **named)
            module.InferenceSession.__init__ = count
        spec.loader.exec_module = load
        return spec

sys.meta_path.insert(0, Finder())
"""


def measure_plain(source: Path, out: Path, workers: int) -> dict[str, Any]:
    """Processes that share nothing: each masks every so many-th letter, once all of them are warm."""
    context = multiprocessing.get_context("fork")
    gate, told = context.Barrier(workers), context.Queue()
    batch = BatchRun(str(source), str(out), Policy.load("balanced"))
    with batch.open(False) as manifest:
        tasks = list(manifest.list_pending())
    hands = [
        context.Process(target=mask_plainly, args=(batch.job, tasks[n::workers], gate, told))
        for n in range(workers)
    ]
    start = time.perf_counter()
    for hand in hands:
        hand.start()
    found = [told.get() for _ in hands]
    for hand in hands:
        hand.join()
    end = max(one["end"] for one in found)
    wall = end - min(one["begin"] for one in found)
    characters = sum(one["characters"] for one in found)
    cpu = sum(one["cpu"] for one in found)
    return {
        "speed": characters / wall,
        "rate": characters / cpu,
        "whole": characters / (end - start),
        "share": cpu / wall / workers,
        "hash": hash_folder(out),
    }


def mask_plainly(job: Any, tasks: list[Any], gate: Any, told: Any) -> None:
    worker = Worker(job)
    worker.sanitizer.sanitize("Mr John Smith was born on 3 May 1971.")
    gate.wait()
    begin, cpu = time.perf_counter(), time.process_time()
    characters = sum(worker.run(task).characters for task in tasks)
    used = time.process_time() - cpu
    told.put({"begin": begin, "end": time.perf_counter(), "cpu": used, "characters": characters})


def measure_engine(name: str, source: Path, out: Path, workers: int) -> dict[str, Any]:
    """A batch by an engine, in a process of its own, whose workers count how often they load the model."""
    counter = out.with_name(f"{out.name}-counter")
    counter.mkdir()
    (counter / "sitecustomize.py").write_text(COUNTER)
    loads = counter / "loads"
    path = os.pathsep.join(filter(None, (str(counter), os.environ.get("PYTHONPATH"))))
    env = {**os.environ, "PYTHONPATH": path, "MODEL_LOADS": str(loads)}
    command = [sys.executable, __file__, "--one", name, str(source), str(out), str(workers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    found = dict(json.loads(done.stdout.splitlines()[-1]))
    by_process = loads.read_text().split()
    return {**found, "loads": max(map(by_process.count, by_process)), "loaded": len(by_process)}


def run_one(name: str, source: str, out: str, workers: int) -> None:
    """Mask some letters until the workers have begun, and then the others by the clock."""
    batch = BatchRun(source, out, Policy.load("balanced"))
    begin = time.perf_counter()
    with MemoryWatch() as memory, batch.open(False) as manifest:
        engine = make_engine(name, batch.job, workers)
        tasks = list(manifest.list_pending())
        ahead, rest = tasks[: 4 * workers], tasks[4 * workers :]
        whole = sum(outcome.characters for outcome in engine.run(iter(ahead)))
        start = last = time.perf_counter()
        wait, spent = start - begin, read_family_cpu(os.getpid())
        characters, cpu, busy, first = 0, 0.0, 0.0, None
        for outcome in engine.run(iter(rest)):
            last = time.perf_counter()
            whole += outcome.characters
            # Spark gives the outcomes of a wave at once, so its clock begins with the job.
            if first is None and name != "spark":
                first = start = last
                spent = read_family_cpu(os.getpid())
                continue
            characters += outcome.characters
            cpu += outcome.cpu_seconds
            busy += outcome.seconds
        spent = read_family_cpu(os.getpid()) - spent
    found = {"speed": characters / (last - start), "rate": characters / cpu, "wait": wait}
    found["whole"] = whole / (last - begin)
    found |= {"busy": busy / workers / (last - start), "useful": cpu / spent}
    print(json.dumps({**found, "peak": memory.peak, "hash": hash_folder(Path(out))}))


def measure_cost(options: Any, folder: Path) -> list[list[Any]]:
    source = folder / "letters"
    write_letters(source, options.documents, 30)
    plain = {n: measure_plain(source, folder / f"plain-{n}", n) for n in options.workers}
    rows: list[list[Any]] = []
    for name in options.engines:
        if find_spec({"spark": "pyspark", "local": "maskwise"}.get(name, name)) is None:
            rows.append(["cost", name, "speed over as many plain processes", None])
            continue
        for workers, beside in plain.items():
            found = measure_engine(name, source, folder / f"{name}-{workers}", workers)
            who = f"{name}, {workers} worker{'s' if workers > 1 else ''}"
            # Plain processes that wait for a core say nothing of the speed of engines.
            is_quiet = beside["share"] > QUIET
            speed, whole = (
                found[key] / beside[key] if is_quiet else None for key in ("speed", "whole")
            )
            wait = found["wait"] if is_quiet else None
            same = str(found["hash"] == beside["hash"])
            rows += [
                ["cost", who, "speed over as many plain processes", speed],
                ["cost", who, "the same with the start of both", whole],
                [
                    "cost",
                    who,
                    "the same in processor time of workers",
                    found["rate"] / beside["rate"],
                ],
                ["cost", who, "share of the time in which workers mask", found["busy"]],
                ["cost", who, "share of all processor time that masks", found["useful"]],
                ["cost", who, "seconds until the workers had begun", wait],
                ["cost", who, "most model loads of a process", found["loads"]],
                ["cost", who, "peak MB, shared pages once", found["peak"]],
                ["cost", who, "same bytes as plain processes", same],
            ]
    for workers, beside in plain.items():
        who = f"{workers} plain process{'es' if workers > 1 else ''}, beside {options.engines[-1]}"
        alone = beside["speed"] if beside["share"] > QUIET else None
        rows.append(["cost", who, "characters per second", alone])
        rows.append(["cost", who, RATE, beside["rate"]])
    return rows


def compute_paper(rate: float, documents: float = 1e9, characters: float = 2000) -> list[list[Any]]:
    """A billion documents on machines of 64 cores, at the measured rate of one core."""
    core_hours = documents * characters / rate / LINEAR / 3600
    rows: list[list[Any]] = [
        [PAPER, "one core", RATE, rate],
        [PAPER, "all", "core hours", core_hours],
        [PAPER, "all", "TB read, and again written", documents * characters / 1e12],
        [PAPER, "all", "bytes between workers (shuffle)", 0],
        [PAPER, f"${CORE_HOUR} a core hour", "dollars", core_hours * CORE_HOUR],
    ]
    for machines in (10, 100, 1000):
        hours = core_hours / machines / 64
        rows.append([PAPER, f"{machines:,} machines of 64 cores", "hours", hours])
    return rows


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--documents", type=int, default=300, help="letters of `cost`")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--files", type=int, nargs="+", default=[1000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--one", nargs=4, help="measure one engine in this process")
    options = parser.parse_args()
    if options.one:
        name, source, out, workers = options.one
        return run_one(name, source, out, int(workers))
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        fresh = measure_parts(options, Path(made))
    rows = join_rows(read_rows(options.json), fresh)
    if "paper" in options.parts:
        rates = [row[3] for row in rows if row[2] == RATE and row[1].startswith("1 plain")]
        rows = join_rows(rows, compute_paper(min(rates))) if rates else rows
    for row in rows:
        print(*row, sep=" | ")
    found = figures.build_figure(
        "Many documents",
        "python benchmarks/scale.py --json docs/figures/scale.json",
        ["what", "engine or size", "measure", "value"],
        rows,
        seeds=[0],
        seconds=time.perf_counter() - begun,
        note=NOTE,
    )
    figures.save_figure(options.json, found)
    return None


def measure_parts(options: Any, folder: Path) -> list[list[Any]]:
    rows: list[list[Any]] = []
    if "cost" in options.parts:
        rows += measure_cost(options, folder)
    if "rows" in options.parts:
        rows += [row for count in options.sizes for row in measure_rows(count, folder)]
    if "manifest" in options.parts:
        rows += [row for count in options.files for row in measure_manifest(count, folder)]
    return rows


def read_rows(path: Path | None) -> list[list[Any]]:
    """The rows that earlier parts wrote, if this code measured them."""
    if path is None or not path.is_file():
        return []
    return list(json.loads(path.read_text())["rows"])


def join_rows(old: list[list[Any]], fresh: list[list[Any]]) -> list[list[Any]]:
    """The old rows with those that were measured again in their places, in the order of parts."""
    found = {tuple(row[:3]): row for row in [*old, *fresh]}
    order = ("cost", "growth", PAPER)
    return sorted(found.values(), key=lambda row: order.index(row[0]))


if __name__ == "__main__":
    main()
