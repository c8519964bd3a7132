"""Against a server on this machine that speaks both engines' JSON."""

from __future__ import annotations

import json
import threading
import time
import urllib.parse
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from maskwise.errors import SearchError
from maskwise.risk import online
from maskwise.risk.online import GoogleIndex, SearxngIndex
from maskwise.text import SearchIndex

SECRET = "Ana Souza"


class Engine(ThreadingHTTPServer):
    """Thirty pages for any question; `failures` are the statuses it answers first."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, str]] = []
        self.failures: list[int] = []
        self.body: bytes | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Engine

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        asked = dict(urllib.parse.parse_qsl(query))
        self.server.asked.append(asked)
        if self.server.failures:
            self.send_response(self.server.failures.pop(0))
            self.send_header("Retry-After", "3")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.server.body or json.dumps(self.answer(path, asked)).encode())

    def answer(self, path: str, asked: dict[str, str]) -> dict[str, Any]:
        first = (
            int(asked.get("start", 1)) if path == "/google" else 10 * (int(asked["pageno"]) - 1) + 1
        )
        urls = [f"http://page/{at}" for at in range(first, min(first + 10, 31))]
        if path == "/google":
            items = {"items": [{"link": url} for url in urls]} if urls else {}
            return {**items, "searchInformation": {"totalResults": "1234"}}
        return {"results": [{"url": url} for url in urls], "number_of_results": 0}

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def engine() -> Iterator[Engine]:
    server = Engine()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses that were taken, without taking them."""
    taken: list[float] = []
    monkeypatch.setattr(online.time, "sleep", taken.append)
    return taken


@pytest.fixture
def google(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> GoogleIndex:
    monkeypatch.setenv("MASKWISE_GOOGLE_KEY", "the-key")
    monkeypatch.setenv("MASKWISE_GOOGLE_ENGINE", "the-engine")
    return GoogleIndex(_url=f"{engine.url}/google", interval=0)


def test_searxng_pages_through_results(engine: Engine) -> None:
    index = SearxngIndex(engine.url, interval=0)
    assert isinstance(index, SearchIndex)
    assert index.search([SECRET, 'the "Lark" Prize'], 25) == [
        f"http://page/{at}" for at in range(1, 26)
    ]
    assert [asked["pageno"] for asked in engine.asked] == ["1", "2", "3"]
    assert engine.asked[0]["q"] == '"Ana Souza" "the Lark Prize"'
    assert engine.asked[0]["format"] == "json"
    assert index.hits([SECRET]) == 10  # an engine that does not say counts for what it returned
    assert len(index.search([SECRET], 500)) == 30


def test_google_pages_through_results_with_the_key_of_the_environment(
    engine: Engine, google: GoogleIndex
) -> None:
    assert google.search([SECRET], 50) == [f"http://page/{at}" for at in range(1, 31)]
    assert [asked["start"] for asked in engine.asked] == [
        "1",
        "11",
        "21",
        "31",
    ]  # the fourth page is empty: the last
    assert {(asked["key"], asked["cx"]) for asked in engine.asked} == {("the-key", "the-engine")}
    assert google.hits([SECRET]) == 1234
    assert len(google.search([SECRET], 5)) == 5


def test_google_wants_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MASKWISE_GOOGLE_KEY", raising=False)
    monkeypatch.setenv("MASKWISE_GOOGLE_ENGINE", "e")
    with pytest.raises(SearchError, match="needs MASKWISE_GOOGLE_KEY in"):
        GoogleIndex()


def test_an_answer_is_kept_on_disk_without_the_question(engine: Engine, tmp_path: Path) -> None:
    def fresh() -> SearxngIndex:
        return SearxngIndex(engine.url, cache=str(tmp_path / "cache"), interval=0)

    first = fresh()
    found = first.search([SECRET], 20)
    assert first.client.requests == len(engine.asked) == 2
    second = fresh()
    assert second.search([SECRET], 20) == found
    assert second.client.requests == 0
    assert len(engine.asked) == 2
    files = list((tmp_path / "cache").iterdir())
    assert len(files) == 2
    assert not any("Souza" in file.name + file.read_text() for file in files)
    files[0].write_text("{")  # cut off: asked again
    assert fresh().search([SECRET], 20) == found
    assert len(engine.asked) == 3


def test_the_key_is_no_part_of_the_cache(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for key in ("one", "two"):
        monkeypatch.setenv("MASKWISE_GOOGLE_KEY", key)
        monkeypatch.setenv("MASKWISE_GOOGLE_ENGINE", "e")
        GoogleIndex(_url=f"{engine.url}/google", interval=0, cache=str(tmp_path)).hits([SECRET])
    assert [asked["key"] for asked in engine.asked] == ["one"]


def test_failures_are_tried_again_with_growing_pauses(engine: Engine, pauses: list[float]) -> None:
    engine.failures = [429, 503]
    index = SearxngIndex(engine.url, interval=0)
    assert index.hits([SECRET]) == 10
    assert pauses == [3.0, 3.0]  # as the server asks
    assert index.client.requests == 3


def test_a_dead_engine_is_told_without_the_question(pauses: list[float]) -> None:
    index = SearxngIndex("http://127.0.0.1:9", interval=0, retries=2)
    with pytest.raises(SearchError) as raised:
        index.hits([SECRET])
    assert pauses == [1.0, 2.0]
    assert str(raised.value).startswith("127.0.0.1: ")
    assert str(raised.value).endswith("request 3 of at most 3")
    assert raised.value.__cause__ is None


def test_what_cannot_succeed_is_not_tried_again(
    engine: Engine, google: GoogleIndex, pauses: list[float]
) -> None:
    engine.failures = [403] * 5
    with pytest.raises(SearchError, match="HTTP 403, request 1 of at most 4") as raised:
        google.hits([SECRET])
    assert pauses == []
    assert not any(word in str(raised.value) for word in ("Souza", "the-key"))


@pytest.mark.parametrize(
    "body", [b"<html>Ana Souza</html>", b'{"results": 3}', b"[]", b'{"results": [{}]}']
)
def test_an_answer_of_another_kind_is_refused(engine: Engine, body: bytes) -> None:
    engine.body = body
    with pytest.raises(SearchError, match="not its JSON interface") as raised:
        SearxngIndex(engine.url, interval=0).hits([SECRET])
    assert "Souza" not in str(raised.value)


def test_requests_are_spaced(engine: Engine) -> None:
    index = SearxngIndex(engine.url, interval=0.05)
    started = time.monotonic()
    index.search([SECRET], 30)
    assert index.client.requests == 3
    assert time.monotonic() - started >= 0.1


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/", "search.example", "http://"])
def test_only_addresses_on_the_web(url: str) -> None:
    with pytest.raises(SearchError, match="http"):
        SearxngIndex(url)
