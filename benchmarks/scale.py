"""Many documents: what batches cost beside one process, how they grow, and what kill -9 does to them.

    python benchmarks/scale.py [--parts cost growth kills paper] [--documents 400] [--json FILE]

`cost` masks generated letters with the default policy: in one process without an engine, then by each engine and number
of workers. Efficiency is the processor time of the one process over that of all processes of the engine, start of the
workers included once they are warm: it does not depend on who else uses the machine, as wall-clock time does; both are
given. `growth` masks rows of a table by rules alone, for a thousand documents and more. `kills` ends a run over 10,000
files with kill -9 at random points, goes on, and compares every byte with a run that was left alone. `paper` computes a
billion documents from the constants that `cost` measured. Ray and Spark are measured where they are installed.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import figures
from maskwise.policy import Policy
from maskwise.scale.batch import BatchRun, make_engine, run_batch
from maskwise.scale.tasks import TextColumns
from maskwise.scale.worker import Worker

PARTS = ("cost", "growth", "kills", "paper")
NAMES = ("Ana Souza", "Bruno Keller", "Ingrid Solberg", "Tomas Rivera", "Mei Tanaka", "Olu Adeyemi")
TOWNS = ("Porto", "Bergen", "Graz", "Lyon", "Ghent", "Turku")
SENTENCES = (
    "{name} wrote to the office in {town} on {day} May 1981 about the invoice.",
    "The office answered that the goods had left the store in time.",
    "{name}, born on {day} March 1957, asked to be called on +44 20 7946 0{number:03d}.",
    "Nothing else was said at the meeting, and the minutes were approved.",
    "Later {name} moved to {town} and worked there as a teacher for some years.",
)
RULES = {"name": "rules", "detectors": [{"kind": "patterns"}, {"kind": "gazetteer"}]}
CORE_HOUR = 0.04  # dollars for an hour of a virtual core, a usual list price
LINEAR = 0.92  # the share of a core that masks; the rest starts, reads, writes and waits
ENGINES = ("local", "ray", "spark")
NOTE = (
    "Wall-clock figures depend on who else used the machine; processor time does not. The paper calculation takes the "
    "characters per processor second of one process, .92 of a core for masking, and a price of $0.04 per core hour; "
    "workers send each other nothing, because a document is masked by itself."
)


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

    def _look(self) -> None:
        while not self._end.wait(0.5):
            self.peak = max(self.peak, sum(map(read_pss, list_family(os.getpid()))))


def list_family(process: int) -> list[int]:
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return [process]
    return [process, *(one for child in children for one in list_family(int(child)))]


def read_pss(process: int) -> float:
    """Megabytes."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1e3


def measure_single(source: Path, out: Path) -> dict[str, Any]:
    """One process without an engine: the same tasks by one worker, which is warm."""
    batch = BatchRun(str(source), str(out), Policy.load("balanced"))
    worker = Worker(batch.job)
    worker.sanitizer.sanitize("Mr John Smith was born on 3 May 1971.")
    with batch.open(False) as manifest:
        tasks = list(manifest.list_pending())
        start, cpu = time.perf_counter(), read_cpu()
        outcomes = [worker.run(task) for task in tasks]
        wall, cpu = time.perf_counter() - start, read_cpu() - cpu
    characters = sum(outcome.characters for outcome in outcomes)
    return {"wall": wall, "cpu": cpu, "characters": characters, "hash": hash_folder(out)}


def measure_engine(name: str, source: Path, out: Path, workers: int) -> dict[str, Any]:
    """A batch by an engine, in a process of its own: its processor time ends with it."""
    command = [sys.executable, __file__, "--one", name, str(source), str(out), str(workers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def run_one(name: str, source: str, out: str, workers: int) -> None:
    batch = BatchRun(source, out, Policy.load("balanced"))
    with MemoryWatch() as memory, batch.open(False) as manifest:
        engine = make_engine(name, batch.job, workers)
        start = time.perf_counter()
        run_batch(manifest, engine)
        wall = time.perf_counter() - start
        told = manifest.sum_up()
    found = {"wall": wall, "worker_cpu": told["worker_cpu"]}
    print(json.dumps({**found, "peak": memory.peak, "hash": hash_folder(Path(out))}))


def measure_cost(options: Any, folder: Path) -> tuple[list[list[Any]], float]:
    source = folder / "letters"
    write_letters(source, options.documents, 30)
    single = measure_single(source, folder / "single")
    rate = single["characters"] / single["cpu"]
    rows: list[list[Any]] = [
        ["cost", "one process", "characters per second", single["characters"] / single["wall"]],
        ["cost", "one process", "characters per processor second", rate],
    ]
    for name in options.engines:
        if name != "local" and find_spec({"spark": "pyspark"}.get(name, name)) is None:
            rows.append(["cost", name, "efficiency", None])
            continue
        for workers in options.workers:
            found = measure_engine(name, source, folder / f"{name}-{workers}", workers)
            speed = single["wall"] / found["wall"]
            who = f"{name}, {workers} workers"
            rows += [
                ["cost", who, "speed over one process, by worker (wall clock)", speed / workers],
                [
                    "cost",
                    who,
                    "efficiency (worker processor time)",
                    single["cpu"] / found["worker_cpu"],
                ],
                ["cost", who, "peak MB, shared pages once", found["peak"]],
                ["cost", who, "same bytes as one process", str(found["hash"] == single["hash"])],
            ]
            print(rows[-4:], flush=True)
    return rows, rate


def measure_growth(options: Any, folder: Path) -> list[list[Any]]:
    """Rows of a table by rules alone: processor time per document and peak memory of this machine's engine."""
    rows: list[list[Any]] = []
    for count in options.sizes:
        path = folder / f"{count}.jsonl"
        with path.open("w") as stream:
            for number in range(count):
                stream.write(json.dumps({"id": number, "text": write_letter(number, 2)}) + "\n")
        out = folder / f"growth-{count}"
        batch = BatchRun(
            str(path), str(out), Policy.parse(RULES), table=TextColumns("text", (), "id")
        )
        cpu = read_cpu()
        with MemoryWatch() as memory, batch.open(False) as manifest:
            run_batch(manifest, make_engine("local", batch.job, 2))
            told = manifest.sum_up()
        micro = (read_cpu() - cpu) / count * 1e6
        rows += [
            ["growth", f"{count:,} rows", "processor microseconds per row", micro],
            ["growth", f"{count:,} rows", "peak MB, shared pages once", memory.peak],
            ["growth", f"{count:,} rows", "rows masked", told["documents"]],
        ]
        print(rows[-3:], flush=True)
        shutil.rmtree(out)
    return rows


def measure_kills(options: Any, folder: Path) -> list[list[Any]]:
    """A process that masks with two workers is killed at random points and begun again. It is a fork of this one."""
    source, out, draw, kills = folder / "many", folder / "killed", random.Random(0), 0
    write_letters(source, options.kill_documents, 2)
    context = multiprocessing.get_context("fork")
    mask_by_rules(source, folder / "calm")
    step = options.kill_documents // (options.kills + 1)
    while kills < options.kills:
        victim = context.Process(target=mask_by_rules, args=(source, out))
        victim.start()
        # Some are killed while they plan or check, the others in the middle of their work.
        before, aim = count_outputs(out), draw.randint(0, 3 * step // 2)
        time.sleep(draw.random() * 0.2)
        while victim.is_alive() and count_outputs(out) < before + aim:
            time.sleep(0.01)
        if not victim.is_alive():
            break
        victim.kill()
        victim.join()
        kills += 1
    mask_by_rules(source, out)
    masked = count_outputs(out)
    same = hash_folder(out) == hash_folder(folder / "calm")
    who = f"{options.kill_documents:,} files, kill -9 at {kills} points"
    return [
        ["kills", who, "files masked at the end", masked],
        ["kills", who, "temporary files left", sum(1 for _ in out.rglob("*.part"))],
        ["kills", who, "same bytes as a calm run", str(same)],
    ]


def mask_by_rules(source: Path, out: Path) -> None:
    batch = BatchRun(str(source), str(out), Policy.parse(RULES))
    with batch.open(True) as manifest:
        run_batch(manifest, make_engine("local", batch.job, 2))
        if errors := list(manifest.list_errors()):
            raise SystemExit(f"{len(errors)} files failed: {errors[0]}")


def count_outputs(folder: Path) -> int:
    found = 0
    for _, _, files in os.walk(folder):
        found += sum(name.endswith(".txt") and not name.startswith("report") for name in files)
    return found


def compute_paper(rate: float, documents: float = 1e9, characters: float = 2000) -> list[list[Any]]:
    """A billion documents of 2,000 characters on machines of 64 cores, at the measured rate of one core."""
    core_hours = documents * characters / rate / LINEAR / 3600
    rows: list[list[Any]] = [
        ["paper: a billion documents", "2,000 characters each", "core hours", core_hours],
        ["paper: a billion documents", "2,000 characters each", "TB read, and again written", 2.0],
        [
            "paper: a billion documents",
            "2,000 characters each",
            "bytes between workers (shuffle)",
            0,
        ],
        [
            "paper: a billion documents",
            f"${CORE_HOUR} a core hour",
            "dollars",
            core_hours * CORE_HOUR,
        ],
    ]
    for machines in (10, 100, 1000):
        hours = core_hours / machines / 64
        rows.append(
            ["paper: a billion documents", f"{machines:,} machines of 64 cores", "hours", hours]
        )
    return rows


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--documents", type=int, default=400, help="letters of `cost`")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--kill-documents", type=int, default=10_000)
    parser.add_argument("--one", nargs=4, help="measure one engine in this process")
    options = parser.parse_args()
    if options.one:
        name, source, out, workers = options.one
        return run_one(name, source, out, int(workers))
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        rows, rate = measure_parts(options, Path(made))
    if "paper" in options.parts and rate:
        rows += compute_paper(rate)
    for row in rows:
        print(*row, sep=" | ")
    found = figures.build_figure(
        "Many documents",
        f"python benchmarks/scale.py --parts {' '.join(options.parts)} --json docs/figures/scale.json",
        ["what", "engine or size", "measure", "value"],
        rows,
        seeds=[0],
        seconds=time.perf_counter() - begun,
        note=NOTE,
    )
    figures.save_figure(options.json, found)
    return None


def measure_parts(options: Any, folder: Path) -> tuple[list[list[Any]], float | None]:
    """The rows of the figure, and the characters that one core masks in a second of processor time."""
    rows: list[list[Any]] = []
    rate = None
    if "cost" in options.parts:
        found, rate = measure_cost(options, folder)
        rows += found
    if "growth" in options.parts:
        rows += measure_growth(options, folder)
    if "kills" in options.parts:
        rows += measure_kills(options, folder)
    return rows, rate


if __name__ == "__main__":
    main()
