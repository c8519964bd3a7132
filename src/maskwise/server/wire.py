"""`CarefulProtocol`: HTTP as uvicorn reads it, with limits for the size and the time of what comes before a body.

The gate counts bodies. Headers never reach it before they are whole, so a client could send them without end.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD = 1 << 16  # bytes of headers, or of trailers
SECONDS = 30.0  # for the headers of a request to arrive, and for the first of a connection to begin
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class CarefulProtocol(HttpToolsProtocol):
    """One connection."""

    _unread = (
        0  # bytes that came since the last that were part of a body, or since headers were whole
    )
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._begin_wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_wait()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        super().data_received(data)
        if self._unread > HEAD and not self.transport.is_closing():
            self.transport.write(TOO_LARGE)
            self.transport.close()

    def on_message_begin(self) -> None:
        self._begin_wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._end_wait()
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread = 0
        super().on_message_complete()

    def _begin_wait(self) -> None:
        self._end_wait()
        self._timer = self.loop.call_later(SECONDS, self.timeout_keep_alive_handler)

    def _end_wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
