from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playback import PlaybackServer

from maskwise.errors import SearchError
from maskwise.risk.engines.google import GoogleIndex
from maskwise.text import SearchIndex

NAME = "Ana Souza"


def play(asked: Any) -> dict[str, Any]:
    """Three pages of ten results in the shape of the Custom Search JSON API; no `items` where there are none."""
    first = int(asked["start"])
    items = [
        {
            "kind": "customsearch#result",
            "title": f"Page {at}",
            "link": f"https://example.org/{at}",
            "displayLink": "example.org",
            "snippet": "A cellist of the town orchestra.",
        }
        for at in range(first, min(first + 10, 31))
    ]
    said: dict[str, Any] = {
        "kind": "customsearch#search",
        "queries": {
            "request": [{"totalResults": "1234", "count": len(items), "startIndex": first}]
        },
        "searchInformation": {"searchTime": 0.2, "totalResults": "1234"},
    }
    return {**said, "items": items} if items else said


@pytest.fixture
def engine(server: PlaybackServer, monkeypatch: pytest.MonkeyPatch) -> GoogleIndex:
    monkeypatch.setenv("MASKWISE_GOOGLE_KEY", "the-key")
    monkeypatch.setenv("MASKWISE_GOOGLE_ENGINE", "the-engine")
    server.answer = play
    return GoogleIndex(_url=server.url, interval=0)


def test_it_pages_through_results(server: PlaybackServer, engine: GoogleIndex) -> None:
    assert isinstance(engine, SearchIndex)
    assert engine.search([NAME], 50) == [f"https://example.org/{at}" for at in range(1, 31)]
    # The fourth page is empty: the last.
    assert [asked["start"] for asked in server.asked] == ["1", "11", "21", "31"]
    assert {(asked["key"], asked["cx"]) for asked in server.asked} == {("the-key", "the-engine")}
    assert server.asked[0]["q"] == '"Ana Souza"'
    assert engine.hits([NAME]) == 1234
    assert len(engine.search([NAME], 5)) == 5


def test_it_asks_for_no_more_than_google_gives(server: PlaybackServer, engine: GoogleIndex) -> None:
    def play_endless(asked: Any) -> dict[str, Any]:
        items = [{"link": f"https://example.org/{asked['start']}/{at}"} for at in range(10)]
        return {"items": items, "searchInformation": {"totalResults": "99999"}}

    server.answer = play_endless
    assert len(engine.search([NAME], 500)) == 100
    assert server.asked[-1]["start"] == "91"


@pytest.mark.parametrize("missing", ["MASKWISE_GOOGLE_KEY", "MASKWISE_GOOGLE_ENGINE"])
def test_it_wants_its_key_and_its_engine(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setenv("MASKWISE_GOOGLE_KEY", "k")
    monkeypatch.setenv("MASKWISE_GOOGLE_ENGINE", "e")
    monkeypatch.delenv(missing)
    with pytest.raises(SearchError, match=f"^Google search needs a key, and .* {missing} holds"):
        GoogleIndex()


def test_the_key_is_no_part_of_the_cache(
    server: PlaybackServer, engine: GoogleIndex, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for key in ("one", "two"):
        monkeypatch.setenv("MASKWISE_GOOGLE_KEY", key)
        GoogleIndex(_url=server.url, interval=0, cache=str(tmp_path)).hits([NAME])
    assert [asked["key"] for asked in server.asked] == ["one"]


def test_a_refusal_tells_neither_key_nor_question(
    server: PlaybackServer, engine: GoogleIndex
) -> None:
    server.failures = [403]
    with pytest.raises(SearchError, match="HTTP 403, refused") as raised:
        engine.hits([NAME])
    assert not any(word in str(raised.value) for word in ("Souza", "the-key", "the-engine"))
