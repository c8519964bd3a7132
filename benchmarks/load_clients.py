"""Clients that put load on a server of this machine: texts with canaries, a closed loop and an open loop."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
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
