"""What all engines do over the wire, tried with SearXNG, which needs no key."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from playback import PlaybackServer

from maskwise.errors import SearchError
from maskwise.risk.engines.searxng import SearxngIndex

SECRET = "Ana Souza"


@pytest.fixture
def engine(server: PlaybackServer) -> SearxngIndex:
    server.answer = lambda asked: {
        "results": [{"url": f"http://page/{asked['pageno']}/{at}"} for at in range(10)]
    }
    return SearxngIndex(server.url, interval=0)


def read_failure(engine: SearxngIndex) -> str:
    """The one line that a failed search says, which names neither the question nor anything below it."""
    with pytest.raises(SearchError) as raised:
        engine.search([SECRET], 10)
    error: BaseException = raised.value
    assert error.__cause__ is None
    assert error.__context__ is None
    line = str(error)
    assert "\n" not in line
    assert not any(word in line for word in ("Ana", "Souza", "%22"))
    return line


def test_an_answer_is_kept_on_disk_without_the_question(
    server: PlaybackServer, engine: SearxngIndex, tmp_path: Path
) -> None:
    def make_fresh() -> SearxngIndex:
        return SearxngIndex(server.url, cache=str(tmp_path / "cache"), interval=0)

    first = make_fresh()
    found = first.search([SECRET], 20)
    assert first.client.requests == len(server.asked) == 2
    second = make_fresh()
    assert second.search([SECRET], 20) == found
    assert second.client.requests == 0
    files = list((tmp_path / "cache").iterdir())
    assert len(files) == 2
    assert not any("Souza" in file.name + file.read_text() for file in files)
    files[0].write_text("{")  # cut off: asked again
    assert make_fresh().search([SECRET], 20) == found
    assert len(server.asked) == 3


def test_failures_are_tried_again_with_the_pause_that_the_engine_asks_for(
    server: PlaybackServer, engine: SearxngIndex, pauses: list[float]
) -> None:
    server.failures = [429, 503]
    assert engine.hits([SECRET]) == 10
    assert pauses == [3.0, 3.0]
    assert engine.client.requests == 3


def test_pauses_grow_where_the_engine_names_none(
    server: PlaybackServer, engine: SearxngIndex, pauses: list[float]
) -> None:
    server.failures, server.failure_headers = [503, 503, 503], {}
    assert engine.hits([SECRET]) == 10
    assert pauses == [1.0, 2.0, 4.0]


def test_a_pause_may_be_a_date(
    server: PlaybackServer, engine: SearxngIndex, pauses: list[float]
) -> None:
    later = datetime.now(UTC) + timedelta(seconds=30)
    server.failures = [429]
    server.failure_headers = {"Retry-After": format_datetime(later, usegmt=True)}
    assert engine.hits([SECRET]) == 10
    assert 0 < pauses[0] <= 31


def test_a_spent_quota_is_not_waited_for(
    server: PlaybackServer, engine: SearxngIndex, pauses: list[float]
) -> None:
    server.failures, server.failure_headers = [429] * 9, {"Retry-After": "86400"}
    line = read_failure(engine)
    assert "HTTP 429" in line
    assert "no quota left; it asks to wait 86400 s" in line
    assert (pauses, len(server.asked)) == ([], 1)


def test_a_quota_that_stays_spent_is_told(
    server: PlaybackServer, engine: SearxngIndex, pauses: list[float]
) -> None:
    server.failures = [429] * 9
    assert read_failure(engine).endswith("it asks to wait 3 s, request 4 of at most 4")
    assert pauses == [3.0] * 3


@pytest.mark.parametrize(
    ("status", "said"), [(401, "check the key"), (403, "check the key"), (422, "")]
)
def test_what_cannot_succeed_is_not_tried_again(
    server: PlaybackServer, engine: SearxngIndex, pauses: list[float], status: int, said: str
) -> None:
    server.failures = [status] * 5
    line = read_failure(engine)
    assert f"HTTP {status}" in line
    assert said in line
    assert line.endswith("request 1 of at most 4")
    assert pauses == []


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_request_follows_an_engine_to_another_address(
    server: PlaybackServer, engine: SearxngIndex, status: int
) -> None:
    server.failures = [status]
    server.failure_headers = {"Location": f"{server.url}/elsewhere"}
    assert f"HTTP {status}" in read_failure(engine)
    assert len(server.asked) == 1


def test_an_engine_that_is_not_there_is_told(pauses: list[float]) -> None:
    line = read_failure(SearxngIndex("http://127.0.0.1:9", interval=0, retries=2))
    assert line.startswith("127.0.0.1: no answer (")
    assert line.endswith("request 3 of at most 3")
    assert pauses == [1.0, 2.0]


def test_an_engine_that_does_not_answer_in_time_is_told(server: PlaybackServer) -> None:
    server.hangs = True
    line = read_failure(SearxngIndex(server.url, interval=0, retries=0, timeout=0.05))
    assert line == "127.0.0.1: no answer in 0.05 seconds, request 1 of at most 1"


BODIES = {
    "a page": b"<html>Ana Souza</html>",
    "cut off": b'{"results": [{"url": "http://',
    "another type": b'{"results": 3}',
    "a list": b"[]",
    "nothing": b"",
    "a result without address": b'{"results": [{}]}',
    "no UTF-8": b'{"results": "\xff"}',
    "too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_an_answer_of_another_kind_is_refused(
    server: PlaybackServer, engine: SearxngIndex, body: bytes
) -> None:
    server.body = body
    assert "not its JSON interface's" in read_failure(engine)


def test_an_answer_without_end_is_refused(
    server: PlaybackServer, engine: SearxngIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maskwise.risk.engines.client._LARGEST", 1 << 20)
    server.body = b" " * ((1 << 20) + 1)
    assert "an answer of more than 1 MB" in read_failure(engine)


def test_requests_are_spaced(
    server: PlaybackServer, engine: SearxngIndex, pauses: list[float]
) -> None:
    spaced = SearxngIndex(server.url, interval=60)
    spaced.search([SECRET], 30)
    assert spaced.client.requests == 3
    assert len(pauses) == 2  # the first goes at once
    assert all(0 < pause <= 60 for pause in pauses)
