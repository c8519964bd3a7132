"""`Gate`: what every request passes first: host, origin, token, rate, and the size and pace of its body.

It is plain ASGI, so that a body is counted while it arrives and nothing is parsed before it was let in.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from maskwise.server.access import LOCAL, AccessScope, Authenticator, Caller, RateLimit
from maskwise.server.answers import JsonAnswer
from maskwise.server.settings import LoadSettings

OPEN = frozenset(
    f"{prefix}/{name}" for prefix in ("", "/v1") for name in ("health", "livez", "readyz")
)
SCOPES: Mapping[str, AccessScope] = {
    "/v1/restore": AccessScope.RESTORE,
    "/v1/policies/reload": AccessScope.ADMIN,
}
UPLOADS = ("/v1/sanitize/file", "/v1/jobs/file", "/v1/restore/file")
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cross-origin-resource-policy": b"same-origin",
}
HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:@/\[\]]+))(?::[0-9]{1,5})?", re.ASCII)
CLOSE = {b"connection": b"close"}
RETRY = 1  # seconds after which a refused client may come again


@dataclass
class Load:
    """The present load: bytes of requests in memory, and requests that wait or run."""

    settings: LoadSettings
    buffered: int = 0
    requests: int = 0

    def add_bytes(self, count: int) -> None:
        if self.buffered + count > self.settings.buffered:
            raise build_refusal("the server holds as many bytes of requests as it may")
        self.buffered += count

    def add_request(self) -> None:
        if self.requests >= self.settings.waiting:
            raise build_refusal("as many requests wait as may")
        self.requests += 1


def build_refusal(why: str, seconds: float = RETRY) -> HTTPException:
    """The refusal of a request that may come again later."""
    return HTTPException(503, f"{why}; try again later", {"Retry-After": str(math.ceil(seconds))})


@dataclass(frozen=True)
class Gate:
    """The middleware. `authenticators` are asked in order; without any, a caller is a local one."""

    app: ASGIApp
    load: Load
    hosts: frozenset[str]
    authenticators: Sequence[Authenticator] = ()
    rate: RateLimit = field(default_factory=lambda: RateLimit(None, 1))
    clock: Callable[[], float] = time.monotonic
    open_paths: frozenset[str] = OPEN  # where nobody is asked who they are

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = _read_headers(scope)
        try:
            _refuse_doubles(scope)
            caller = self._let_in(scope, headers)
            body = _Body(self, receive, _limit_body(scope["path"], self.load.settings))
            body.expect(headers)
        except HTTPException as refused:
            answer = JsonAnswer({"error": refused.detail}, refused.status_code, refused.headers)
            await answer(scope, receive, _add_headers(send, lambda: True))
            return
        scope.setdefault("state", {})["caller"] = caller
        try:
            await self.app(scope, body.receive, _add_headers(send, body.is_unread))
        finally:
            body.release()

    def _let_in(self, scope: Scope, headers: Mapping[str, str]) -> Caller:
        host = _strip_port(headers.get("host", ""))
        if host not in self.hosts:
            raise HTTPException(421, "this server has another name; see `hosts` in its settings")
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != headers.get("host"):
            raise HTTPException(403, "requests of other sites are refused")
        path = scope["path"]
        if path in self.open_paths:
            return LOCAL
        caller = self._identify(headers)
        needed = _find_scope(path)
        if needed not in caller.scopes:
            raise HTTPException(403, f"this needs a token with the scope {needed.value!r}")
        wait = self.rate.take(caller.name)
        if wait:
            after = {"Retry-After": str(math.ceil(wait))}
            raise HTTPException(429, "too many requests of this caller", after)
        return caller

    def _identify(self, headers: Mapping[str, str]) -> Caller:
        if not self.authenticators:
            return LOCAL
        for authenticator in self.authenticators:
            if caller := authenticator.identify(headers):
                return caller
        raise HTTPException(
            401, "no token, or one that is not known", {"WWW-Authenticate": "Bearer"}
        )


class _Body:
    """The body of one request: counted and timed while it arrives. It gives back what it took when released."""

    def __init__(self, gate: Gate, receive: Receive, limit: int) -> None:
        self._load, self._receive, self._limit = gate.load, receive, limit
        self._clock = gate.clock
        self._deadline = gate.clock() + gate.load.settings.body_seconds
        self._read = 0
        self._is_whole = self._holds_slot = self._is_expected = False

    def expect(self, headers: Mapping[str, str]) -> None:
        """Refuse a body that says itself that it is too large."""
        length = headers.get("content-length")
        self._is_expected = "transfer-encoding" in headers or length not in (None, "0")
        if length is not None and (not length.isdecimal() or int(length) > self._limit):
            raise self._refuse_size()

    async def receive(self) -> Message:
        if self._is_whole:
            return await self._receive()
        try:
            left = max(0.0, self._deadline - self._clock())
            message = await asyncio.wait_for(self._receive(), left)
        except TimeoutError:
            raise HTTPException(408, "the body did not arrive in time") from None
        count = len(message.get("body", b""))
        if self._read + count > self._limit:
            raise self._refuse_size()
        self._load.add_bytes(count)
        self._read += count
        if message["type"] == "http.request" and not message.get("more_body"):
            self._is_whole = True
            self._take_slot()
        return message

    def is_unread(self) -> bool:
        """Whether a part of the body may still come. Then the answer ends the connection, and nobody reads on."""
        return self._is_expected and not self._is_whole

    def _take_slot(self) -> None:
        """Count a request from here on: one whose body still arrives takes no worker."""
        self._load.add_request()
        self._holds_slot = True

    def release(self) -> None:
        self._load.buffered -= self._read
        self._load.requests -= self._holds_slot
        self._read = 0
        self._holds_slot = False

    def _refuse_size(self) -> HTTPException:
        return HTTPException(413, f"a request has at most {self._limit:,} bytes")


def _find_scope(path: str) -> AccessScope:
    parents = (path, path.rpartition("/")[0])
    return next((SCOPES[each] for each in parents if each in SCOPES), AccessScope.SANITISE)


def _limit_body(path: str, load: LoadSettings) -> int:
    return load.upload if path in UPLOADS else load.body


def _read_headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _refuse_doubles(scope: Scope) -> None:
    """Refuse a request that says twice where it goes or where it comes from: who is in between may read the other."""
    names = [name for name, _ in scope["headers"]]
    if names.count(b"host") > 1 or names.count(b"origin") > 1:
        raise HTTPException(400, "a request has one host and one origin")


def _strip_port(host: str) -> str:
    """The name of a host; nothing if it is no name.

    >>> _strip_port("localhost:8391"), _strip_port("[::1]:8391"), _strip_port("localhost:80@example.org")
    ('localhost', '::1', '')
    """
    found = HOST.fullmatch(host)
    return (found[1] or found[2]).casefold() if found else ""


def _add_headers(send: Send, must_close: Callable[[], bool]) -> Send:
    """Adds the headers that every answer has, unless a route sets its own, and ends the connection if it must."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[Any] = list(message.get("headers", ()))
            known = {name.lower() for name, _ in headers}
            wanted = {**HEADERS, **(CLOSE if must_close() else {})}
            headers += [(name, value) for name, value in wanted.items() if name not in known]
            message = {**message, "headers": headers}
        await send(message)

    return send_with_headers
