"""Load on the server, on this machine alone: closed and open loop, beside the batch pipeline in the same run.

    python benchmarks/load.py [--seconds 60] [--clients 200] [--workers N] [--json FILE]
                              [--presidio PYTHON --apps FOLDER]

The batch pipeline masks the same texts first, in as many processes as the server has workers. Then clients ask the
server, each when it has its answer (closed loop), and at a fixed rate whether it has or not (open loop): at .5 and .8
of what the closed loop reached, and at three times as much. Each of these ten stages lasts `--seconds`. The server
and the batch pipeline run on the same cores, one per worker; the clients have the others, and share those of the
server where there are no others. By default, one core is left to them. The ratio of CPU seconds per character does
not depend on what else runs. Every text holds a canary, which must stand in no answer, log or metric. Presidio's
analyser is served by gunicorn on the same cores; FOLDER holds `analyzer_app.py`, the `app.py` of its repository.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import figures
from load_clients import CANARY, make_text, run_closed, run_open
from load_usage import CoreShares, LoadWatch, share_cores

SIZES = (1000, 10_000)
SHARES = (0.5, 0.8, 3.0)  # of the rate of the closed loop
COLUMNS = [
    "characters",
    "what",
    "requests",
    "answered",
    "refused (503)",
    "other",
    "characters per second",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "cores of the server",
    "cores of the clients",
    "largest memory, MB",
]


class BatchRun(NamedTuple):
    """What one process of the batch pipeline did."""

    characters: int
    seconds: float
    cpu: float
    memory: int


def run_batch(texts: list[str], seconds: float) -> BatchRun:
    """Mask texts for some time."""
    from maskwise import Policy, Sanitizer

    policy = Policy.load("balanced").model_copy(update={"threads": 1})
    sanitizer = Sanitizer(policy)
    sanitizer.sanitize(texts[0])
    done = 0
    began, cpu = time.perf_counter(), time.process_time()

    def feed() -> Iterator[str]:
        while time.perf_counter() - began < seconds:
            yield from texts

    for result in sanitizer.run(feed()):
        done += result.coverage.characters
        if time.perf_counter() - began > seconds * 2:
            break
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return BatchRun(done, time.perf_counter() - began, time.process_time() - cpu, memory)


def find_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for(port: int, path: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            sys.exit("the server ended")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5)
            return
        except OSError:
            time.sleep(0.2)


def describe_cores(cores: CoreShares) -> str:
    if cores.server == cores.clients:
        return f"{len(cores.server)}, shared by server and clients; as many to the batch pipeline"
    return f"{len(cores.server)} to the server and the batch pipeline, {len(cores.clients)} to the clients"


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Everything that one run finds, by size of the texts."""
    rng = random.Random(0)
    found: dict[str, Any] = {"sizes": {}, "cores": describe_cores(share_cores(options.workers))}
    texts = {size: [make_text(rng, size) for _ in range(64)] for size in SIZES}
    port = find_port()
    command = [sys.executable, "-m", "maskwise", "serve", "--port", str(port)]
    command += ["--workers", str(options.workers)]
    cores = share_cores(options.workers)
    os.sched_setaffinity(0, cores.clients)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as file:
            process = start_on(cores, command, stderr=file, stdout=file)
        try:
            wait_for(port, "/readyz", process)
            for size, own in texts.items():
                found["sizes"][size] = measure_size(own, port, process.pid, cores, options)
                print(json.dumps(found["sizes"][size]), flush=True)
            url = f"http://127.0.0.1:{port}/metrics"
            metrics = urllib.request.urlopen(url, timeout=30).read().decode()
            found["canaries"] = log.read_text().count(CANARY) + metrics.count(CANARY)
        finally:
            process.terminate()
            process.wait(90)
    if options.presidio:
        found["presidio"] = {size: measure_presidio(texts[size], cores, options) for size in SIZES}
    return found


def start_on(cores: CoreShares, command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a server on its cores."""
    named = ",".join(map(str, sorted(cores.server)))
    return subprocess.Popen(["taskset", "-c", named, *command], **options)


def measure_batch(
    texts: list[str], cores: CoreShares, options: argparse.Namespace
) -> dict[str, Any]:
    """The batch pipeline in as many processes as the server has workers, on its cores."""
    pin = (os.sched_setaffinity, (0, cores.server))
    with ProcessPoolExecutor(options.workers, initializer=pin[0], initargs=pin[1]) as pool:
        several = [texts] * options.workers, [options.seconds] * options.workers
        runs = list(pool.map(run_batch, *several))
    characters, cpu = sum(run.characters for run in runs), sum(run.cpu for run in runs)
    return {
        "characters_per_second": round(sum(run.characters / run.seconds for run in runs)),
        "cpu_per_million": round(cpu / characters * 1e6, 2),
        "cores": round(sum(run.cpu / run.seconds for run in runs), 2),
        "memory_mb": round(sum(run.memory for run in runs) / 1e6),
    }


def measure_size(
    texts: list[str], port: int, server: int, cores: CoreShares, options: argparse.Namespace
) -> dict[str, Any]:
    batch = measure_batch(texts, cores, options)
    bodies = [(text, json.dumps({"text": text}).encode()) for text in texts]
    path = "/v1/sanitize"
    with LoadWatch(server) as watch:
        closed = asyncio.run(run_closed(port, path, bodies, options.clients, options.seconds))
    cpu = watch.server_cpu / max(1, closed["characters"]) * 1e6
    found = {
        "batch": batch,
        "closed": {**closed, **watch.describe()},
        "server_cpu_per_million": round(cpu, 2),
        "ratio_by_clock": round(
            closed["characters_per_second"] / batch["characters_per_second"], 3
        ),
        "ratio_by_cpu": round(batch["cpu_per_million"] / cpu, 3),
        "open": [],
    }
    for share in SHARES:
        rate = max(0.5, closed["per_second"] * share)
        with LoadWatch(server) as watch:
            stage = asyncio.run(run_open(port, path, bodies, rate, options.seconds))
        found["open"].append({**stage, **watch.describe()})
    return found


def measure_presidio(
    texts: list[str], cores: CoreShares, options: argparse.Namespace
) -> dict[str, Any]:
    """Presidio's analyser with the same texts."""
    port = find_port()
    command = [options.presidio, "-m", "gunicorn", "-w", str(options.workers), "-t", "600"]
    command += ["-b", f"127.0.0.1:{port}", "--chdir", str(options.apps)]
    command += ["analyzer_app:create_app()"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = start_on(cores, command, **quiet)
    try:
        wait_for(port, "/health", process)
        bodies = [(text, json.dumps({"text": text, "language": "en"}).encode()) for text in texts]
        with LoadWatch(process.pid) as watch:
            found = asyncio.run(
                run_closed(port, "/analyze", bodies, options.clients, options.seconds)
            )
        return {**found, **watch.describe()}
    finally:
        process.terminate()
        process.wait(30)


def list_rows(found: dict[str, Any]) -> list[list[Any]]:
    """The rows of the figure."""
    rows: list[list[Any]] = []
    for size, own in found["sizes"].items():
        batch = own["batch"]
        speed, used = batch["characters_per_second"], (batch["cores"], None, batch["memory_mb"])
        rows.append([size, "batch pipeline", *[None] * 4, speed, *[None] * 3, *used])
        rows.append([size, "closed loop", *describe_row(own["closed"])])
        for share, one in zip(SHARES, own["open"], strict=True):
            rows.append([size, f"open loop, {share:g} of that rate", *describe_row(one)])
        if "presidio" in found:
            rows.append(
                [size, "Presidio's analyser, closed loop", *describe_row(found["presidio"][size])]
            )
    return rows


def describe_row(told: dict[str, Any]) -> list[Any]:
    statuses = told["statuses"]
    known = statuses.get("200", 0), statuses.get("503", 0)
    return [
        told["requests"],
        *known,
        told["requests"] - sum(known),
        told["characters_per_second"],
        *(told[f"p{at}_ms"] for at in (50, 95, 99)),
        *(told[name] for name in ("server_cores", "client_cores", "memory_mb")),
    ]


def describe_run(found: dict[str, Any], before: float) -> str:
    """The note below the table."""
    sizes = found["sizes"].items()
    clock = ", ".join(f"{own['ratio_by_clock']:.3f} ({size})" for size, own in sizes)
    spent = ", ".join(f"{own['ratio_by_cpu']:.3f} ({size})" for size, own in sizes)
    leaks = sum(one["leaks"] for _, own in sizes for one in (own["closed"], *own["open"]))
    return (
        f"The server beside the batch pipeline, by the clock: {clock}; by processor time: {spent}. "
        f"Cores given: {found['cores']}. "
        f"Canaries in answers: {leaks}; in the log and the metrics: {found['canaries']}. "
        f"Load average before: {before:.1f}. Presidio analyses and does not mask."
    )


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--workers", type=int, default=max(1, len(os.sched_getaffinity(0)) - 1))
    parser.add_argument("--presidio", help="Python of an environment with Presidio and gunicorn")
    parser.add_argument("--apps", type=Path, help="folder of Presidio's app; see above")
    options = parser.parse_args()
    before, begun = os.getloadavg()[0], time.perf_counter()
    found = measure(options)
    rows = list_rows(found)
    for row in rows:
        print(*row, sep=" | ")
    peers = " --presidio PYTHON --apps FOLDER" if options.presidio else ""
    figure = figures.build_figure(
        "Load on the server",
        f"python benchmarks/load.py --seconds {options.seconds:g} --clients {options.clients} "
        f"--workers {options.workers}{peers}",
        COLUMNS,
        rows,
        seeds=[0, 1],
        seconds=time.perf_counter() - begun,
        note=describe_run(found, before),
    )
    print(figure["note"])
    figures.save_figure(options.json, figure)


if __name__ == "__main__":
    main()
