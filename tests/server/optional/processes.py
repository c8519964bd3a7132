"""Real processes on this machine: our server, a fake provider, and programs of others. `make test-server` runs this."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest


def find_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Provider(BaseHTTPRequestHandler):
    """A provider that repeats what it is told: as text, as a tool call if there are tools, as a stream if asked."""

    seen: list[str] = []  # noqa: RUF012 - shared by all requests on purpose

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"])).decode()
        type(self).seen.append(raw)
        body = json.loads(raw)
        said = body["messages"][-1]["content"]
        said = said if isinstance(said, str) else "".join(part.get("text", "") for part in said)
        if body.get("stream"):
            self.send_stream(list_call_deltas(said) if body.get("tools") else list_deltas(said))
        elif body.get("tools"):
            function = {"name": "send", "arguments": json.dumps({"to": said})}
            call = {"id": "t1", "type": "function", "function": function}
            self.send_answer(
                {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
            )
        else:
            self.send_answer({"role": "assistant", "content": f"You said: {said}"}, "stop")

    def send_answer(self, message: object, why: str) -> None:
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "message": message, "finish_reason": why}
        self.send_bytes(
            json.dumps(
                {
                    "id": "c",
                    "object": "chat.completion",
                    "created": 1,
                    "model": "fake",
                    "choices": [choice],
                    "usage": usage,
                }
            ).encode(),
            "application/json",
        )

    def send_stream(self, deltas: list[dict[str, object]]) -> None:
        why = "tool_calls" if "tool_calls" in deltas[-1] else "stop"
        events = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
        events.append({"index": 0, "delta": {}, "finish_reason": why})
        lines = [
            "data: "
            + json.dumps(
                {
                    "id": "c",
                    "object": "chat.completion.chunk",
                    "created": 1,
                    "model": "fake",
                    "choices": [event],
                }
            )
            for event in events
        ]
        self.send_bytes(
            "".join(f"{line}\n\n" for line in [*lines, "data: [DONE]"]).encode(),
            "text/event-stream",
        )

    def send_bytes(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


def list_deltas(said: str) -> list[dict[str, object]]:
    text = f"You said: {said}"
    pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
    return [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)]


def list_call_deltas(said: str) -> list[dict[str, object]]:
    """A tool call whose arguments come in pieces of three characters."""
    text = json.dumps({"to": said})
    first = {"index": 0, "id": "t1", "type": "function"}
    opened = {**first, "function": {"name": "send", "arguments": ""}}
    pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
    calls = [opened, *({"index": 0, "function": {"arguments": piece}} for piece in pieces)]
    return [{"role": "assistant", "tool_calls": [call]} for call in calls]


@pytest.fixture(scope="session")
def provider():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


class Process:
    """A program that runs as long as a test. Its output goes to a file, in which canaries are looked for."""

    def __init__(
        self, command: list[str], url: str, path: str, log: Path, seconds: float = 120, **env: str
    ) -> None:
        self.url, self.log = url, log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                command, stdout=file, stderr=file, env={**os.environ, **env}
            )
        self.wait_for(path, seconds)

    def wait_for(self, path: str, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise RuntimeError(self.log.read_text()[-3000:])
            try:
                if httpx.get(self.url + path, timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.3)
        raise RuntimeError(self.log.read_text()[-3000:])

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def start_server(
    folder: Path, settings: str = "", *options: str, before: tuple[str, ...] = ()
) -> Process:
    """Our server. `before` is a command that runs it, such as one that sets limits."""
    port = find_port()
    path = folder / "serve.yaml"
    path.write_text(settings or "{}")
    command = [
        *before,
        sys.executable,
        "-m",
        "maskwise",
        "serve",
        "--config",
        str(path),
        "--port",
        str(port),
        *options,
    ]
    return Process(command, f"http://127.0.0.1:{port}", "/readyz", folder / "server.log")
