"""Web search engines as background knowledge: SearXNG and Google Programmable Search, by their JSON interfaces.

Never used unless a policy names one: the text of entities leaves the machine with every query. What a page of results
said is cached on disk under a hash of the question; answers are spaced, tried again with growing pauses, and counted.
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from maskwise.errors import SearchError
from maskwise.plugins import Count, Weight

GOOGLE = "https://www.googleapis.com/customsearch/v1"
_LONGEST_WAIT = 60.0
_PAGE = 10  # results Google gives at once
_DEEPEST = 100  # and in all


class SearchAnswer(NamedTuple):
    """One page of results: addresses, and how many the engine says there are."""

    urls: list[str]
    hits: int


class SearchClient:
    """Gets JSON over HTTP: at most one request each `interval` seconds, `retries` more where one fails, and a cache.

    `requests` counts what went over the wire. Errors name the host and the reason, never the question.
    """

    def __init__(
        self, cache: str | Path | None, interval: float, retries: int, timeout: float
    ) -> None:
        self._cache = Path(cache).expanduser() if cache else None
        self._interval, self._retries, self._timeout = interval, retries, timeout
        self._lock, self._next, self.requests = threading.Lock(), 0.0, 0

    def get(
        self,
        url: str,
        query: Mapping[str, str],
        secret: Mapping[str, str],
        read: Callable[[Any], SearchAnswer],
    ) -> SearchAnswer:
        """The answer to `query`; `secret` is sent with it and is no part of what the cache knows."""
        key = hashlib.sha256(json.dumps([url, sorted(query.items())]).encode()).hexdigest()
        if (known := self._recall(key)) is not None:
            return known
        address = f"{url}?{urllib.parse.urlencode({**query, **secret})}"
        try:
            answer = read(self._fetch(address))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise SearchError(
                f"{_find_host(url)}: an answer that is not its JSON interface's; check the address"
            ) from None
        self._remember(key, answer)
        return answer

    def _fetch(self, address: str) -> Any:
        headers = {"Accept": "application/json", "User-Agent": "maskwise"}
        request = urllib.request.Request(address, headers=headers)  # noqa: S310 - checked by the indexes
        for attempt in range(self._retries + 1):
            self._pause()
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as response:  # noqa: S310 - as above
                    return json.loads(response.read())
            except urllib.error.HTTPError as error:
                reason, again = f"HTTP {error.code}", error.code == 429 or error.code >= 500
                wait = _parse_seconds(error.headers.get("Retry-After"), 2.0**attempt)
                error.close()
            except (
                OSError,
                http.client.HTTPException,
            ) as error:  # no connection, no name, no answer in time
                reason, again, wait = type(error).__name__, True, 2.0**attempt
            if not again or attempt == self._retries:
                raise SearchError(
                    f"{_find_host(address)}: {reason}, request {attempt + 1} of at most {self._retries + 1}"
                ) from None
            time.sleep(min(wait, _LONGEST_WAIT))
        raise AssertionError("unreachable")

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
        except (OSError, ValueError, KeyError, TypeError):
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
                f"{self._cache}: the cache cannot be written ({type(error).__name__})"
            ) from None


Retries = Annotated[int, Field(ge=0, le=10)]
Timeout = Annotated[float, Field(gt=0)]


class SearxngIndex:
    """A SearXNG instance that answers in JSON (`formats: [html, json]` in its settings).

    `cache` is a folder, `interval` the seconds between two requests, `retries` how often one is tried again.
    """

    exact = False  # an engine may return pages that lack a term

    def __init__(
        self,
        url: str,
        cache: str | None = None,
        interval: Weight = 1.0,
        retries: Retries = 3,
        timeout: Timeout = 20.0,
        pages: Count = 5,
    ) -> None:
        self._url = _check_address(url).rstrip("/") + "/search"
        self._pages = pages
        self.client = SearchClient(cache, interval, retries, timeout)

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        return _take_first(
            k, (self._fetch_page(terms, number).urls for number in range(1, self._pages + 1))
        )

    def hits(self, terms: Sequence[str]) -> int:
        """As the engines behind it estimate; those that say nothing count for what they return."""
        return self._fetch_page(terms, 1).hits

    def _fetch_page(self, terms: Sequence[str], number: int) -> SearchAnswer:
        query = {"q": _quote_terms(terms), "format": "json", "pageno": str(number)}
        return self.client.get(self._url, query, {}, _parse_searxng)


class GoogleIndex:
    """Google Programmable Search. Key and engine id come from the environment, never from a policy.

    One request brings ten results, so `k` of 50 takes five; an engine returns no more than a hundred.
    """

    exact = False

    def __init__(
        self,
        key: str = "MASKWISE_GOOGLE_KEY",
        engine: str = "MASKWISE_GOOGLE_ENGINE",
        cache: str | None = None,
        interval: Weight = 1.0,
        retries: Retries = 3,
        timeout: Timeout = 20.0,
        _url: str = GOOGLE,
    ) -> None:
        missing = [name for name in (key, engine) if not os.environ.get(name)]
        if missing:
            raise SearchError(f"Google search needs {' and '.join(missing)} in the environment")
        self._url, self._engine = _check_address(_url), os.environ[engine]
        self._secret = {"key": os.environ[key]}
        self.client = SearchClient(cache, interval, retries, timeout)

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        return _take_first(
            k,
            (
                self._fetch_page(terms, start).urls
                for start in range(1, min(k, _DEEPEST) + 1, _PAGE)
            ),
        )

    def hits(self, terms: Sequence[str]) -> int:
        return self._fetch_page(terms, 1).hits

    def _fetch_page(self, terms: Sequence[str], start: int) -> SearchAnswer:
        query = {
            "q": _quote_terms(terms),
            "cx": self._engine,
            "num": str(_PAGE),
            "start": str(start),
        }
        return self.client.get(self._url, query, self._secret, _parse_google)


def _parse_searxng(raw: Any) -> SearchAnswer:
    urls = [str(result["url"]) for result in raw["results"]]
    return SearchAnswer(urls, max(int(raw.get("number_of_results") or 0), len(urls)))


def _parse_google(raw: Any) -> SearchAnswer:
    urls = [str(item["link"]) for item in raw.get("items", ())]
    return SearchAnswer(urls, int(raw["searchInformation"]["totalResults"]))


def _take_first(k: int, pages: Iterator[list[str]]) -> list[str]:
    """The first `k` different addresses; a page that brings none is the last."""
    found: dict[str, None] = {}
    for page in pages:
        before = len(found)
        found.update(dict.fromkeys(page))
        if len(found) >= k or len(found) == before:
            break
    return list(found)[:k]


def _quote_terms(terms: Sequence[str]) -> str:
    """Every term as a phrase that must occur."""
    return " ".join(f'"{" ".join(term.replace(chr(34), " ").split())}"' for term in terms)


def _check_address(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SearchError(
            "a search engine's address begins with http:// or https:// and names a host"
        )
    return url


def _find_host(url: str) -> str:
    return urllib.parse.urlsplit(url).hostname or "search engine"


def _parse_seconds(header: str | None, otherwise: float) -> float:
    return float(header) if header and header.isdigit() else otherwise
