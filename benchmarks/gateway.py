"""The gateway: 1,000 answer streams fed byte by byte, and what the gateway adds before the first token.

    python benchmarks/gateway.py [--streams 1000] [--requests 200] [--json FILE]

Streams of three protocols are made with a seed: texts and tool arguments with placeholders, halves of placeholders,
invented ones and letters beyond ASCII, in deltas of one to four characters. Each is fed as one piece and byte by byte;
what a client puts together must be the restored text both times. The delay is measured from the request to the first
restored bytes with an upstream that answers at once, by the clock and in CPU time.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import httpx

import figures

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.server import test_gateway as cases  # noqa: E402 - the makers of streams are those of the test

from maskwise.server.app import create_app  # noqa: E402
from maskwise.server.gateway.streams import StreamRestorer  # noqa: E402
from maskwise.server.settings import ServerSettings  # noqa: E402

WORDS = "The council wrote that the meeting had been moved to another room without any notice to those concerned. "


def check_streams(count: int) -> dict[str, Any]:
    """How many streams give the same restored text in one piece and byte by byte."""
    same = size = 0
    for seed in range(count):
        dialect, stream, named = cases.DIALECTS[seed % 3]
        rng = random.Random(seed)
        text, inner = cases.make_text(rng), cases.make_text(rng).replace("\n", "")
        arguments = json.dumps({"a": inner}, ensure_ascii=False)
        data = cases.sse(stream(rng, text, arguments), named)
        expected = (cases.expect(text), cases.expect(arguments, in_json=True))
        whole = StreamRestorer(dialect, cases.TABLE)
        bytewise = StreamRestorer(dialect, cases.TABLE)
        at_once = whole.feed(data) + whole.finish()
        in_bytes = (
            b"".join(bytewise.feed(data[at : at + 1]) for at in range(len(data)))
            + bytewise.finish()
        )
        same += cases.read_back(at_once) == cases.read_back(in_bytes) == expected
        size += len(data)
    return {"streams": count, "bytes": size, "same": same}


async def measure_delay(count: int) -> dict[str, Any]:
    """Milliseconds from a request to the first bytes of its answer."""
    app = create_app(ServerSettings(openai={"url": "http://upstream.test/v1"}))
    upstream = cases.Upstream()
    data = cases.sse(cases.chat_stream(random.Random(0), "[PERSON_1] is here.", "{}"))
    upstream.answer = lambda body: httpx.Response(
        200, content=data, headers={"content-type": "text/event-stream"}
    )
    clock: list[float] = []
    cpu: list[float] = []
    async with app.router.lifespan_context(app):
        app.state.service.http = httpx.AsyncClient(transport=httpx.MockTransport(upstream))
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost"
        ) as client:
            for at in range(count):
                prompt = f"Ms Orla Vexley{at} wrote to Tom Reed in Porto. " + WORDS * 8
                body = {**cases.say(prompt), "stream": True}
                began, used = time.perf_counter(), time.process_time()
                await client.post("/openai/v1/chat/completions", json=body)
                clock.append((time.perf_counter() - began) * 1000)
                cpu.append((time.process_time() - used) * 1000)

    def rank(values: list[float], share: float) -> float:
        return round(sorted(values)[int(share * (len(values) - 1))], 1)

    return {
        "requests": count,
        "prompt_characters": len(prompt),
        "clock_ms": {"p50": rank(clock, 0.5), "p95": rank(clock, 0.95)},
        "cpu_ms": {"p50": rank(cpu, 0.5), "p95": rank(cpu, 0.95)},
        "load_average": os.getloadavg()[0],
    }


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--requests", type=int, default=200)
    options = parser.parse_args()
    begun = time.perf_counter()
    streams = check_streams(options.streams)
    delay = asyncio.run(measure_delay(options.requests))
    rows = [
        ["streams cut at every byte", streams["streams"]],
        ["their bytes", streams["bytes"]],
        ["restored alike, whole and byte by byte", streams["same"]],
        ["requests", delay["requests"]],
        ["characters of a prompt", delay["prompt_characters"]],
        *([f"delay, {rank}, ms on the clock", delay["clock_ms"][rank]] for rank in ("p50", "p95")),
        *([f"delay, {rank}, ms of processor", delay["cpu_ms"][rank]] for rank in ("p50", "p95")),
    ]
    for row in rows:
        print(*row, sep=" | ")
    figure = figures.build_figure(
        "The gateway",
        f"python benchmarks/gateway.py --streams {options.streams} --requests {options.requests}",
        ["what", "value"],
        rows,
        seeds=[0],
        seconds=time.perf_counter() - begun,
        note=f"The delay ends with the whole answer, so that of the first token is smaller. "
        f"Load average {delay['load_average']:.1f}.",
    )
    figures.save_figure(options.json, figure)


if __name__ == "__main__":
    main()
