"""A server on this machine that plays back answers, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
import urllib.parse
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[Mapping[str, str]], Any]


class PlaybackServer(ThreadingHTTPServer):
    """Answers every question with the JSON of `answer`; the statuses of `failures` come first."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), PlaybackHandler)
        self.answer: Answer = lambda asked: {}
        self.body: bytes | None = None
        self.failures: list[int] = []
        self.failure_headers: dict[str, str] = {"Retry-After": "3"}
        self.asked: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.release = threading.Event()  # a server that hangs waits for it
        self.hangs = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class PlaybackHandler(BaseHTTPRequestHandler):
    server: PlaybackServer

    def do_GET(self) -> None:
        server = self.server
        asked = dict(urllib.parse.parse_qsl(self.path.partition("?")[2]))
        server.asked.append(asked)
        server.headers.append({name.lower(): value for name, value in self.headers.items()})
        if server.hangs:
            server.release.wait(10)
            return
        if server.failures:
            self.send_response(server.failures.pop(0))
            for name, value in server.failure_headers.items():
                self.send_header(name, value)
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        body = server.body
        self.wfile.write(json.dumps(server.answer(asked)).encode() if body is None else body)

    def log_message(self, *_: object) -> None:
        """Quiet."""
