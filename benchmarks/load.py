"""Load on the server, on this machine alone: closed and open loop, beside the batch pipeline in the same run.

    python benchmarks/load.py [--seconds 20] [--clients 200] [--workers 2] [--json FILE]
                              [--presidio PYTHON --apps FOLDER]

The batch pipeline masks the same texts first, in as many processes as the server has workers. Then clients ask the
server, each when it has its answer (closed loop), and at a fixed rate whether it has or not (open loop). Client and
server share the cores, so that throughput is told by the clock and by CPU time: the ratio of CPU seconds per character
does not depend on what else runs. Every text holds a canary, which must stand in no log and no metric.
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
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CANARY = "Quillfeather"
FIRST = ["Orla", "Ivo", "Ana", "Tom", "Ines", "Bram", "Zoe", "Carl", "Mila", "Hugo"]
LAST = ["Vexley", "Marl", "Souza", "Reed", "Brandt", "Okafor", "Lund", "Petrov", CANARY]
TOWN = ["Porto", "Oslo", "Leeds", "Lyon", "Graz", "Turku"]
SENTENCES = [
    "{first} {last} of {town} wrote to {first2}.{last2}@mail.example.org on {day} May {year}.",
    "The court heard that Mr {last} had worked for the council of {town} since {year}.",
    "She said that the payment of EUR {sum} had been made to {first2} {last2} without notice.",
    "According to the file, the applicant called 0161 496 {code} and asked for a new hearing.",
    "Nothing in the letter explained why the meeting had been moved to another room.",
]


def make_text(rng: random.Random, size: int) -> str:
    """An invented text of about so many characters."""
    parts: list[str] = [f"Ms {rng.choice(FIRST)} {CANARY} came."]
    while sum(map(len, parts)) + len(parts) < size:
        parts.append(
            rng.choice(SENTENCES).format(
                first=rng.choice(FIRST),
                last=rng.choice(LAST),
                first2=rng.choice(FIRST),
                last2=rng.choice(LAST),
                town=rng.choice(TOWN),
                day=rng.randint(1, 28),
                year=rng.randint(1950, 2020),
                sum=rng.randint(100, 9999),
                code=f"0{rng.randint(100, 999)}",
            )
        )
    return " ".join(parts)[:size]


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


@dataclass
class Tally:
    """What clients saw."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    characters: int = 0
    leaks: int = 0

    def describe(self, wall: float) -> dict[str, Any]:
        ranked = sorted(self.seconds)

        def at(share: float) -> float | None:
            return (
                round(ranked[min(len(ranked) - 1, int(share * len(ranked)))] * 1000, 1)
                if ranked
                else None
            )

        return {
            "requests": sum(self.statuses.values()),
            "statuses": {str(key): count for key, count in sorted(self.statuses.items())},
            "per_second": round(self.statuses[200] / wall, 1),
            "characters": self.characters,
            "characters_per_second": round(self.characters / wall),
            "p50_ms": at(0.5),
            "p95_ms": at(0.95),
            "p99_ms": at(0.99),
            "leaks": self.leaks,
        }


class Client:
    """One connection that is kept open."""

    def __init__(self, port: int, path: str) -> None:
        self.port, self.path = port, path
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, body: bytes) -> tuple[int, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        head = f"POST {self.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        head += f"Content-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        headers = dict(line.lower().split(b": ", 1) for line in lines[1:] if b": " in line)
        answer = await reader.readexactly(int(headers[b"content-length"]))
        if headers.get(b"connection") == b"close":
            self.close()
        return int(lines[0].split()[1]), answer

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()
            self.streams = None


async def ask_once(client: Client, text: str, body: bytes, tally: Tally) -> None:
    began = time.perf_counter()
    try:
        status, answer = await client.ask(body)
    except (OSError, asyncio.IncompleteReadError, KeyError, ValueError):
        client.close()
        status, answer = 0, b""
    tally.statuses[status] += 1
    if status == 200:
        tally.seconds.append(time.perf_counter() - began)
        tally.characters += len(text)
        tally.leaks += CANARY.encode() in answer


async def run_closed(
    port: int, path: str, bodies: list[tuple[str, bytes]], clients: int, seconds: float
) -> dict[str, Any]:
    """Clients that ask again as soon as they are answered."""
    tally = Tally()
    began = time.perf_counter()

    async def work(seed: int) -> None:
        rng, client = random.Random(seed), Client(port, path)
        while time.perf_counter() - began < seconds:
            await ask_once(client, *rng.choice(bodies), tally)
        client.close()

    await asyncio.gather(*map(work, range(clients)))
    return tally.describe(time.perf_counter() - began)


async def run_open(
    port: int, path: str, bodies: list[tuple[str, bytes]], rate: float, seconds: float
) -> dict[str, Any]:
    """Requests at random times with a fixed mean rate, each on a free connection."""
    tally, rng = Tally(), random.Random(1)
    free: list[Client] = []
    running: set[asyncio.Task[None]] = set()
    began = time.perf_counter()

    async def work(client: Client, text: str, body: bytes) -> None:
        await ask_once(client, text, body, tally)
        free.append(client)

    due = began
    while due - began < seconds:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.create_task(
            work(free.pop() if free else Client(port, path), *rng.choice(bodies))
        )
        running.add(task)
        task.add_done_callback(running.discard)
        due += rng.expovariate(rate)
    if running:
        await asyncio.wait(running, timeout=120)
    return {"rate": round(rate, 1), **tally.describe(time.perf_counter() - began)}


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
    rng = random.Random(0)
    found: dict[str, Any] = {
        "workers": options.workers,
        "clients": options.clients,
        "seconds": options.seconds,
        "load_average_before": os.getloadavg()[0],
        "sizes": {},
    }
    texts = {size: [make_text(rng, size) for _ in range(64)] for size in (1000, 10_000)}
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        port = find_port()
        command = [
            sys.executable,
            "-m",
            "maskwise",
            "serve",
            "--port",
            str(port),
            "--workers",
            str(options.workers),
        ]
        with log.open("wb") as file:
            process = subprocess.Popen(command, stderr=file, stdout=file)
        try:
            wait_for(port, "/readyz", process)
            for size, own in texts.items():
                found["sizes"][str(size)] = measure_size(own, port, process.pid, options)
            canaries = log.read_text().count(CANARY)
            import urllib.request

            metrics = (
                urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30)
                .read()
                .decode()
            )
            found["canaries"] = canaries + metrics.count(CANARY)
        finally:
            process.terminate()
            process.wait(90)
    if options.presidio:
        found["presidio"] = measure_presidio(texts[1000], options)
    found["load_average_after"] = os.getloadavg()[0]
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
        for share in (0.5, 0.8, 3.0)
    ]
    found["memory_bytes"] = max(memory, read_usage(server)[1])
    return found


def measure_presidio(texts: list[str], options: argparse.Namespace) -> dict[str, Any]:
    """Presidio's analyser with the same texts, as Flask serves it."""
    port = find_port()
    program = f"import sys; sys.path.insert(0, {str(options.apps)!r}); import analyzer_app; "
    program += f"analyzer_app.create_app().run(port={port}, threaded=True)"
    process = subprocess.Popen(
        [options.presidio, "-c", program], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        wait_for(port, "/health", process)
        bodies = [(text, json.dumps({"text": text, "language": "en"}).encode()) for text in texts]
        before = read_usage(process.pid)[0]
        closed = asyncio.run(run_closed(port, "/analyze", bodies, options.clients, options.seconds))
        cpu, memory = read_usage(process.pid)
        closed.pop("leaks")
        return {"closed": closed, "cpu_seconds": round(cpu - before, 1), "memory_bytes": memory}
    finally:
        process.terminate()
        process.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--presidio", help="Python of an environment with Presidio and Flask")
    parser.add_argument("--apps", type=Path, help="folder of Presidio's apps; see presidio_api.py")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = measure(options)
    text = json.dumps(found, indent=1)
    print(text)
    if options.json:
        options.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
