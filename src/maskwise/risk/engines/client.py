"""JSON over HTTP for search engines: spaced requests, tried again with growing pauses, and answers kept on disk.

The text of entities leaves the machine with every request. Errors therefore name the host and the reason, never the
question or the key, and no request follows an engine to another address.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, NamedTuple

from maskwise.errors import SearchError, describe_cause

_LONGEST_WAIT = 60.0  # seconds; an engine that asks for more is not waited for
_LARGEST = 8 << 20  # bytes of an answer
_REFUSALS = (401, 403)
_BROKEN = (KeyError, TypeError, ValueError, AttributeError, RecursionError)


class SearchAnswer(NamedTuple):
    """One page of results: addresses, and how many the engine says there are."""

    urls: list[str]
    hits: int


class SearchRequest(NamedTuple):
    """A question: `query` is what the cache knows of it; `secret` and `headers` go with it and are forgotten."""

    url: str
    query: Mapping[str, str]
    secret: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}


class _Failure(NamedTuple):
    """Why a request failed, how long to wait before the next one, and whether there is to be one."""

    reason: str
    wait: float
    again: bool


class SearchClient:
    """Asks for JSON: at most one request each `interval` seconds, `retries` more where one fails, and a cache.

    `requests` counts what went over the wire.
    """

    def __init__(
        self, cache: str | Path | None, interval: float, retries: int, timeout: float
    ) -> None:
        self._cache = Path(cache).expanduser() if cache else None
        self._interval = interval
        self._retries = retries
        self._timeout = timeout
        self._lock = threading.Lock()
        self._next = 0.0
        self._opener = urllib.request.build_opener(_StayingHandler)
        self.requests = 0

    def ask(self, request: SearchRequest, parse: Callable[[Any], SearchAnswer]) -> SearchAnswer:
        """The answer to a request, as `parse` reads it from the JSON."""
        asked = json.dumps([request.url, sorted(request.query.items())])
        key = hashlib.sha256(asked.encode()).hexdigest()
        known = self._recall(key)
        if known is not None:
            return known
        body = self._fetch(request)
        answer = None
        with suppress(*_BROKEN):
            answer = parse(json.loads(body))
        if answer is None:
            raise SearchError(
                f"{find_host(request.url)}: an answer that is not its JSON interface's; check the address"
            )
        self._remember(key, answer)
        return answer

    def _fetch(self, request: SearchRequest) -> bytes:
        parameters = urllib.parse.urlencode({**request.query, **request.secret})
        headers = {"Accept": "application/json", "User-Agent": "maskwise", **request.headers}
        question = urllib.request.Request(  # noqa: S310 - engines check the address
            f"{request.url}?{parameters}", headers=headers
        )
        for attempt in range(self._retries + 1):
            self._pause()
            result = self._send(question, 2.0**attempt)
            if isinstance(result, bytes):
                return result
            if not result.again or attempt == self._retries:
                count = f"request {attempt + 1} of at most {self._retries + 1}"
                raise SearchError(f"{find_host(request.url)}: {result.reason}, {count}")
            time.sleep(result.wait)
        raise AssertionError("unreachable")

    def _send(self, question: urllib.request.Request, pause: float) -> bytes | _Failure:
        try:
            with self._opener.open(question, timeout=self._timeout) as response:
                body: bytes = response.read(_LARGEST + 1)
        except urllib.error.HTTPError as error:
            with error:
                return _explain_status(error.code, error.headers.get("Retry-After"), pause)
        except (OSError, http.client.HTTPException) as error:
            return _Failure(self._explain_silence(error), pause, again=True)
        if len(body) > _LARGEST:
            return _Failure(f"an answer of more than {_LARGEST >> 20} MB", 0.0, again=False)
        return body

    def _explain_silence(self, error: Exception) -> str:
        """No connection, no such host, no answer in time."""
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(cause, TimeoutError):
            return f"no answer in {self._timeout:g} seconds"
        return f"no answer ({type(cause).__name__})"

    def _pause(self) -> None:
        """Holds the line until the next request may go."""
        with self._lock:
            if (wait := self._next - time.monotonic()) > 0:
                time.sleep(wait)
            self._next = time.monotonic() + self._interval
            self.requests += 1

    def _recall(self, key: str) -> SearchAnswer | None:
        if self._cache is None:
            return None
        try:
            raw = json.loads((self._cache / f"{key}.json").read_text("utf-8"))
            return SearchAnswer([str(url) for url in raw["urls"]], int(raw["hits"]))
        except (OSError, *_BROKEN):
            return None  # not there, or cut off half-way: asked again

    def _remember(self, key: str, answer: SearchAnswer) -> None:
        if self._cache is None:
            return
        try:
            self._cache.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, temporary = tempfile.mkstemp(dir=self._cache, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(answer._asdict(), file)
            os.replace(temporary, self._cache / f"{key}.json")
        except OSError as error:
            raise SearchError(
                f"{self._cache}: the cache cannot be written ({describe_cause(error)})"
            ) from None


class _StayingHandler(urllib.request.HTTPRedirectHandler):
    """Refuse every redirection: another address would get the question and the key."""

    def redirect_request(self, *_: Any) -> None:
        return None


def find_host(url: str) -> str:
    return urllib.parse.urlsplit(url).hostname or "search engine"


def _explain_status(code: int, retry_after: str | None, pause: float) -> _Failure:
    if code == 429:
        asked = _parse_wait(retry_after)
        wait = pause if asked is None else asked
        told = "" if asked is None else f"; it asks to wait {asked:.0f} s"
        reason = f"HTTP 429, too many requests or no quota left{told}"
        return _Failure(reason, wait, again=wait <= _LONGEST_WAIT)
    if code >= 500:
        asked = _parse_wait(retry_after)
        return _Failure(f"HTTP {code}", min(asked or pause, _LONGEST_WAIT), again=True)
    if code in _REFUSALS:
        return _Failure(f"HTTP {code}, refused; check the key and what it allows", 0.0, again=False)
    return _Failure(f"HTTP {code}", 0.0, again=False)


def _parse_wait(header: str | None) -> float | None:
    """Seconds of a Retry-After, which is a number or a date; nothing where it is neither."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    with suppress(ValueError, TypeError):
        date = parsedate_to_datetime(text)
        aware = date if date.tzinfo else date.replace(tzinfo=UTC)
        return max((aware - datetime.now(UTC)).total_seconds(), 0.0)
    return None
