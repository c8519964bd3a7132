"""Kill -9 of batches: whether a run that was killed at random points, or lost workers, ends with the same bytes.

    python benchmarks/scale_kills.py [--parts files rows ray spark] [--kills 50] [--documents 10000] [--json FILE]

`files` and `rows` kill the whole local run, over files and over a table in small parts, and go on with it each time.
`ray` kills single actors, and `spark` single Python workers and executors of a cluster of two, in a run that goes on by
itself. At the end every document is looked for in the outputs, and every byte compared with a run that was left alone.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import figures
from maskwise.policy import Policy
from maskwise.scale.batch import BatchRun, make_engine, run_batch
from maskwise.scale.tasks import TextColumns
from scale_growth import RULES, hash_folder, list_family, write_letter, write_letters

PARTS = ("files", "rows", "ray", "spark")
PART = 4096  # bytes of a part of the table
WORKERS = 2
VICTIMS = {"ray": rb"ray::TaskActor", "spark": rb"pyspark.daemon|CoarseGrainedExecutorBackend"}
CLUSTER = "--master local-cluster[2,1,1024] --executor-memory 512m pyspark-shell"
FEWER = 5  # times fewer workers of a cluster are killed than whole runs
COLUMNS = [
    "what is killed", "documents", "kills", "lost", "twice", "errors", "temporary files", "same bytes as a calm run",
]  # fmt: skip


def mask_by_rules(source: str, out: str, engine: str = "local") -> None:
    """A run by rules alone, new or gone on with."""
    table = TextColumns("text", (), "id") if source.endswith(".jsonl") else None
    batch = BatchRun(source, out, Policy.parse(RULES), table=table, part=PART)
    with batch.open(True) as manifest:
        run_batch(manifest, make_engine(engine, batch.job, WORKERS))


def write_source(part: str, folder: Path, count: int) -> str:
    """Letters as files or as rows of one table."""
    if part != "rows":
        write_letters(folder / "letters", count, 2)
        return str(folder / "letters")
    path = folder / "letters.jsonl"
    with path.open("w") as stream:
        for number in range(count):
            stream.write(json.dumps({"id": f"{number}", "text": write_letter(number, 2)}) + "\n")
    return str(path)


def list_documents(out: Path) -> Counter[str]:
    """How often each document is among the outputs: a file by its name, a row by its id."""
    found: Counter[str] = Counter()
    for path in list_outputs(out):
        if path.suffix == ".jsonl":
            found.update(json.loads(line)["id"] for line in path.read_text().splitlines())
        else:
            found[path.stem] += 1
    return found


def list_outputs(out: Path) -> list[Path]:
    found = []
    for top, _, files in os.walk(out):
        if not top.endswith("_maskwise"):
            found += [Path(top, name) for name in files if not name.startswith(".")]
    return found


def kill_runs(source: str, out: Path, tasks: int, kills: int) -> int:
    """Kill a run at random points, and go on with it. Some points are in its plan or its checks."""
    context, draw = multiprocessing.get_context("fork"), random.Random(0)
    step = tasks // (kills + 1)
    for done in range(kills):
        victim = context.Process(target=mask_by_rules, args=(source, str(out)))
        victim.start()
        before, aim = len(list_outputs(out)), draw.randint(0, 3 * step // 2)
        time.sleep(draw.random() * 0.2)
        while victim.is_alive() and len(list_outputs(out)) < before + aim:
            time.sleep(0.01)
        if not victim.is_alive():
            victim.join()
            return done
        victim.kill()
        victim.join()
    mask_by_rules(source, str(out))
    return kills


def kill_workers(engine: str, source: str, out: Path, count: int, kills: int) -> int:
    """Kill single workers of a run in a process of its own, which has to end well by itself."""
    draw, done = random.Random(0), 0
    env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    if engine == "spark":
        env["PYSPARK_SUBMIT_ARGS"] = CLUSTER
    command = [sys.executable, __file__, "--one", engine, source, str(out)]
    with out.with_name("log").open("wb") as log:
        run = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    points = sorted(draw.sample(range(1, count * 9 // 10), kills))
    for point in points:
        wait_for(lambda: run.poll() is not None or len(list_outputs(out)) >= point)  # noqa: B023
        # A worker that was killed may not have a successor yet.
        wait_for(lambda: run.poll() is not None or bool(list_victims(run.pid, engine)))
        victims = list_victims(run.pid, engine)
        if victims:
            with suppress(ProcessLookupError):
                os.kill(draw.choice(victims), signal.SIGKILL)
                done += 1
    if run.wait():
        said = out.with_name("log").read_text().strip().splitlines() or ["nothing"]
        raise SystemExit(f"the run on {engine} ended with exit code {run.returncode}: {said[-1]}")
    return done


def list_victims(process: int, engine: str) -> list[int]:
    """The workers of an engine that a process has started, not the processes that start them."""
    found = []
    for one in list_family(process):
        with suppress(OSError):
            said = Path(f"/proc/{one}/cmdline").read_bytes()
            if re.search(VICTIMS[engine], said) and not is_daemon(one, said):
                found.append(one)
    return found


def is_daemon(process: int, said: bytes) -> bool:
    """Whether this is the process that only forks the Python workers of Spark."""
    parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
    return b"pyspark.daemon" in said and b"java" in Path(f"/proc/{parent}/cmdline").read_bytes()


def wait_for(is_done: Callable[[], bool], patience: float = 300) -> None:
    until = time.monotonic() + patience
    while not is_done():
        if time.monotonic() > until:
            raise SystemExit("nothing happened for minutes")
        time.sleep(0.02)


def measure_part(part: str, folder: Path, options: Any) -> list[Any]:
    folder.mkdir()
    source, out, calm = (
        write_source(part, folder, options.documents),
        folder / "out",
        folder / "calm",
    )
    mask_by_rules(source, str(calm))
    if part in VICTIMS:
        kills = kill_workers(part, source, out, options.documents, options.kills // FEWER)
        what = f"single workers, {part}"
    else:
        kills = kill_runs(source, out, len(list_outputs(calm)), options.kills)
        what = f"the run, local, {part}"
    found, expected = list_documents(out), set(list_documents(calm))
    if len(expected) != options.documents:
        raise SystemExit(f"{len(expected)} documents in the calm run")
    batch = BatchRun(source, str(out), Policy.parse(RULES))
    return [
        what,
        options.documents,
        kills,
        len(expected - set(found)),
        sum(found.values()) - len(found),
        count_errors(batch.manifest_path),
        sum(1 for _ in out.rglob("*.part")),
        str(hash_folder(out) == hash_folder(calm)),
    ]


def count_errors(path: Path) -> int:
    """Documents that the manifest calls failed."""
    import sqlite3

    with sqlite3.connect(path) as rows:
        [(count,)] = rows.execute("SELECT count(*) FROM task WHERE status != 'done'")
    return int(count)


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--one", nargs=3, help="run one engine in this process")
    options = parser.parse_args()
    if options.one:
        engine, source, out = options.one
        return mask_by_rules(source, out, engine)
    rows, begun = [], time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        for part in options.parts:
            if find_spec({"spark": "pyspark", "ray": "ray"}.get(part, "maskwise")) is None:
                rows.append([f"single workers, {part}", *[None] * (len(COLUMNS) - 1)])
                continue
            rows.append(measure_part(part, Path(made, part), options))
            print(*rows[-1], sep=" | ", flush=True)
    found = figures.build_figure(
        "Batches that are killed",
        "python benchmarks/scale_kills.py --json docs/figures/scale_kills.json",
        COLUMNS,
        rows,
        seeds=[0],
        seconds=time.perf_counter() - begun,
        note="Invented letters, masked by rules alone with two workers. A run that was killed goes on with --resume.",
    )
    figures.save_figure(options.json, found)
    return None


if __name__ == "__main__":
    main()
