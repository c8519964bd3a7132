"""`Recorder`: one log line and one count per request, and one clear answer for every error.

Log lines hold method, route, status and time. They never hold a path that no route has, a query, a header or a message
of an error, since a client may have put text there.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from maskwise.errors import (
    InputError,
    LeakError,
    MaskingError,
    MaskwiseError,
    OutputError,
    PluginError,
    PolicyError,
    VaultError,
)
from maskwise.server.answers import JsonAnswer
from maskwise.server.metrics import Metrics

LOGGER = logging.getLogger("maskwise.server")
# FastAPI would trace addresses and errors, and send both where variables of the environment say.
NO_TELEMETRY: Any = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
PACKAGE = Path(__file__).parent.parent
STATUS: Mapping[type[MaskwiseError], int] = {
    InputError: 422,
    PolicyError: 422,
    VaultError: 422,
    PluginError: 501,
    MaskingError: 500,
    LeakError: 500,
    OutputError: 507,
}


@dataclass(frozen=True)
class Recorder:
    """The outermost middleware."""

    app: ASGIApp
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        request = secrets.token_hex(8)
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (b"x-request-id", request.encode())]
                message = {**message, "headers": headers}
            await send(message)

        self.metrics.running.inc()
        try:
            await self.app(scope, receive, send_with_id)
        except Exception as error:
            log_failure(error, request)
            self.metrics.failures.labels(type(error).__name__).inc()
            if not status:
                answer = JsonAnswer({"error": "internal error", "request": request}, 500)
                await answer(scope, receive, send_with_id)
        finally:
            self.metrics.running.dec()
            self._note(scope, status, time.perf_counter() - began, request)

    def _note(self, scope: Scope, status: int, seconds: float, request: str) -> None:
        route = getattr(scope.get("route"), "path", "(none)")
        method = scope["method"] if scope["method"] in _METHODS else "(other)"
        self.metrics.requests.labels(method, route, str(status)).inc()
        self.metrics.seconds.labels(route).observe(seconds)
        log_event(
            "request", method=method, route=route, status=status, ms=round(seconds * 1000, 1), id=request
        )  # fmt: skip


_METHODS = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"))


def log_event(event: str, **fields: Any) -> None:
    """Write one line of JSON. Callers pass names, numbers and kinds, never text."""
    LOGGER.info(json.dumps({"event": event, **fields}, separators=(",", ":")))


def log_failure(error: BaseException, request: str = "") -> None:
    """Log the kind of an unforeseen error and where it was raised, without its message."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(str(PACKAGE))]
    at = ours[-1] if ours else None
    where = f"{Path(at.filename).relative_to(PACKAGE)}:{at.lineno}" if at else ""
    log_event("failure", kind=type(error).__name__, where=where, id=request)


def configure_logging() -> None:
    """Send the log to standard error, one JSON object per line, and silence all else that Python and libraries print.

    Readers of files warn with what they read, and an error that nobody catches is printed with its message.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    LOGGER.handlers = [handler]
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    logging.lastResort = None  # the handler of logs that have none
    logging.getLogger().handlers = [logging.NullHandler()]
    for name in list(logging.Logger.manager.loggerDict):
        if name != LOGGER.name:
            quiet = logging.getLogger(name)
            quiet.handlers = [logging.NullHandler()]
    logging.captureWarnings(True)
    sys.excepthook = lambda _, error, __: log_failure(error)
    threading.excepthook = sys.unraisablehook = _log_uncaught


def _log_uncaught(told: Any) -> None:
    log_failure(told.exc_value or told.exc_type())


def stop_tracing(middleware: list[Any]) -> None:
    """Take what traces names of tools and errors out of the middleware of an MCP server."""
    middleware[:] = [each for each in middleware if "OpenTelemetry" not in type(each).__name__]


def find_status(error: MaskwiseError) -> int:
    """The status of an answer for an error of ours."""
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


async def answer_maskwise_error(request: Request, error: Exception) -> JsonAnswer:
    """Our errors say no text, so that their line is the answer."""
    assert isinstance(error, MaskwiseError)
    request.app.state.service.metrics.failures.labels(type(error).__name__).inc()
    return JsonAnswer({"error": str(error)}, find_status(error))


async def answer_http_error(_: Request, error: Exception) -> JsonAnswer:
    assert isinstance(error, HTTPException)
    message = error.detail
    if error.status_code == 405:
        message = "The method is not allowed for the requested URL."
    return JsonAnswer({"error": message}, error.status_code, error.headers)


async def answer_invalid_request(_: Request, error: Exception) -> JsonAnswer:
    """Says where a request is wrong and how, without what stood there."""
    assert isinstance(error, RequestValidationError)
    found = [f"{_name_place(each)}: {_name_problem(each)}" for each in error.errors()]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return JsonAnswer({"error": f"{found[0]}{more}"}, 422)


def _name_place(found: Mapping[str, Any]) -> str:
    """The path to a field. A key that no model has may be text, so it is not said."""
    place = found["loc"][:-1] if found["type"] == "extra_forbidden" else found["loc"]
    named = [str(part) for part in place if part != "body"]
    return ".".join(part for part in named if part.isascii() and len(part) <= 20) or "body"


def _name_problem(found: Mapping[str, Any]) -> str:
    kind = str(found["type"])
    if kind == "extra_forbidden":
        return "unknown key"
    return "not valid JSON" if kind == "json_invalid" else str(found["msg"])
