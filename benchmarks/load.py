"""Load on the server, on this machine alone: closed and open loop, beside the batch pipeline in the same run.

    python benchmarks/load.py [--seconds 20] [--clients 200] [--workers 2] [--json FILE]
                              [--presidio PYTHON --apps FOLDER]

The batch pipeline masks the same texts first, in as many processes as the server has workers. Then clients ask the
server, each when it has its answer (closed loop), and at a fixed rate whether it has or not (open loop): at .5 and .8
of what the closed loop reached, and at three times as much. Client and server share the cores, so that throughput is
told by the clock and by CPU time: the ratio of CPU seconds per character does not depend on what else runs. Every
text holds a canary, which must stand in no answer, log or metric. Presidio's analyser is served by gunicorn with as
many workers; FOLDER holds `analyzer_app.py`, the `app.py` of its repository.
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
from typing import Any

import figures
from load_clients import CANARY, make_text, run_closed, run_open

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
]


def run_batch(texts: list[str], seconds: float) -> tuple[int, float, float]:
    """Mask texts for some time. Returns characters, seconds and CPU seconds."""
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
    return done, time.perf_counter() - began, time.process_time() - cpu


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


def read_usage(root: int) -> tuple[float, int]:
    """CPU seconds and proportional memory of a server."""
    cpu, memory = 0.0, 0
    for process in list_processes(root):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            cpu += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
            memory += int(rollup.partition("Pss:")[2].split()[0]) * 1024
        except OSError:
            continue
    return cpu, memory


def find_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for(port: int, path: str, process: subprocess.Popen[bytes]) -> None:
    import urllib.request

    for _ in range(600):
        if process.poll() is not None:
            sys.exit("the server ended")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5)
            return
        except OSError:
            time.sleep(0.2)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Everything that one run finds, by size of the texts."""
    rng = random.Random(0)
    found: dict[str, Any] = {"sizes": {}}
    texts = {size: [make_text(rng, size) for _ in range(64)] for size in SIZES}
    port = find_port()
    command = [sys.executable, "-m", "maskwise", "serve", "--port", str(port)]
    command += ["--workers", str(options.workers)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as file:
            process = subprocess.Popen(command, stderr=file, stdout=file)
        try:
            wait_for(port, "/readyz", process)
            for size, own in texts.items():
                found["sizes"][size] = measure_size(own, port, process.pid, options)
                print(json.dumps(found["sizes"][size]), flush=True)
            url = f"http://127.0.0.1:{port}/metrics"
            metrics = urllib.request.urlopen(url, timeout=30).read().decode()
            found["canaries"] = log.read_text().count(CANARY) + metrics.count(CANARY)
        finally:
            process.terminate()
            process.wait(90)
    if options.presidio:
        found["presidio"] = {size: measure_presidio(texts[size], options) for size in SIZES}
    return found


def measure_size(
    texts: list[str], port: int, server: int, options: argparse.Namespace
) -> dict[str, Any]:
    with ProcessPoolExecutor(options.workers) as pool:
        batch = list(
            pool.map(run_batch, [texts] * options.workers, [options.seconds] * options.workers)
        )
    characters, cpu = sum(row[0] for row in batch), sum(row[2] for row in batch)
    batch_rate = sum(row[0] / row[1] for row in batch)
    bodies = [(text, json.dumps({"text": text}).encode()) for text in texts]
    before, own = read_usage(server)[0], resource.getrusage(resource.RUSAGE_SELF)
    closed = asyncio.run(run_closed(port, "/v1/sanitize", bodies, options.clients, options.seconds))
    after, memory = read_usage(server)
    client = resource.getrusage(resource.RUSAGE_SELF)
    masked = closed["characters"]
    found = {
        "batch": {
            "characters_per_second": round(batch_rate),
            "cpu_per_million": round(cpu / characters * 1e6, 2),
        },
        "closed": closed,
        "server_cpu_per_million": round((after - before) / max(1, masked) * 1e6, 2),
        "client_cpu_seconds": round(
            client.ru_utime + client.ru_stime - own.ru_utime - own.ru_stime, 1
        ),
        "ratio_by_clock": round(closed["characters_per_second"] / batch_rate, 3),
    }
    found["ratio_by_cpu"] = round(
        found["batch"]["cpu_per_million"] / found["server_cpu_per_million"], 3
    )
    saturation = closed["per_second"]
    found["open"] = [
        asyncio.run(
            run_open(port, "/v1/sanitize", bodies, max(0.5, saturation * share), options.seconds)
        )
        for share in SHARES
    ]
    found["memory_bytes"] = max(memory, read_usage(server)[1])
    return found


def measure_presidio(texts: list[str], options: argparse.Namespace) -> dict[str, Any]:
    """Presidio's analyser with the same texts."""
    port = find_port()
    command = [options.presidio, "-m", "gunicorn", "-w", str(options.workers), "-t", "600"]
    command += [
        "-b",
        f"127.0.0.1:{port}",
        "--chdir",
        str(options.apps),
        "analyzer_app:create_app()",
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, **quiet)
    try:
        wait_for(port, "/health", process)
        bodies = [(text, json.dumps({"text": text, "language": "en"}).encode()) for text in texts]
        return asyncio.run(run_closed(port, "/analyze", bodies, options.clients, options.seconds))
    finally:
        process.terminate()
        process.wait(30)


def list_rows(found: dict[str, Any]) -> list[list[Any]]:
    """The rows of the figure."""
    rows: list[list[Any]] = []
    for size, own in found["sizes"].items():
        batch = own["batch"]["characters_per_second"]
        rows.append([size, "batch pipeline", None, None, None, None, batch, None, None, None])
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
    ]


def describe_run(found: dict[str, Any], before: float) -> str:
    """The note below the table."""
    sizes = found["sizes"].items()
    clock = ", ".join(f"{own['ratio_by_clock']:.3f} ({size})" for size, own in sizes)
    spent = ", ".join(f"{own['ratio_by_cpu']:.3f} ({size})" for size, own in sizes)
    memory = max(own["memory_bytes"] for _, own in sizes) / 1e6
    leaks = sum(one["leaks"] for _, own in sizes for one in (own["closed"], *own["open"]))
    return (
        f"The server beside the batch pipeline, by the clock: {clock}; by processor time: {spent}. "
        f"Largest memory of the server: {memory:.0f} MB. Canaries in answers: {leaks}; in the log and the metrics: "
        f"{found['canaries']}. Load average before: {before:.1f}. Presidio analyses and does not mask."
    )


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
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
