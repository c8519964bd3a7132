from __future__ import annotations

from typing import Any

import pytest
from playback import PlaybackServer

from maskwise.errors import SearchError
from maskwise.risk.engines.bing import BingIndex
from maskwise.text import SearchIndex

NAME = "Ana Souza"


def play(asked: Any) -> dict[str, Any]:
    """Seventy results in the shape of the Web Search API v7; no `webPages` where there are none."""
    first = int(asked["offset"]) + 1
    pages = [
        {
            "id": f"https://api.example.org/#WebPages.{at}",
            "name": f"Page {at}",
            "url": f"https://example.org/{at}",
            "displayUrl": f"https://example.org/{at}",
            "snippet": "A cellist of the town orchestra.",
        }
        for at in range(first, min(first + int(asked["count"]), 71))
    ]
    said: dict[str, Any] = {
        "_type": "SearchResponse",
        "queryContext": {"originalQuery": asked["q"]},
    }
    return {**said, "webPages": {"totalEstimatedMatches": 5678, "value": pages}} if pages else said


@pytest.fixture
def engine(server: PlaybackServer, monkeypatch: pytest.MonkeyPatch) -> BingIndex:
    monkeypatch.setenv("MASKWISE_BING_KEY", "the-key")
    server.answer = play
    return BingIndex(server.url, interval=0)


def test_it_pages_through_results(server: PlaybackServer, engine: BingIndex) -> None:
    assert isinstance(engine, SearchIndex)
    assert engine.search([NAME], 200) == [f"https://example.org/{at}" for at in range(1, 71)]
    assert [asked["offset"] for asked in server.asked] == ["0", "50", "100"]
    assert server.asked[0]["q"] == '"Ana Souza"'
    assert engine.search([NAME], 3) == [f"https://example.org/{at}" for at in range(1, 4)]


def test_the_key_travels_in_the_header_alone(server: PlaybackServer, engine: BingIndex) -> None:
    assert engine.hits([NAME]) == 5678
    assert server.headers[0]["ocp-apim-subscription-key"] == "the-key"
    assert "the-key" not in str(server.asked)


def test_no_pages_are_an_answer(server: PlaybackServer, engine: BingIndex) -> None:
    server.answer = lambda asked: {"_type": "SearchResponse", "queryContext": {}}
    assert engine.search([NAME], 10) == []
    assert engine.hits([NAME]) == 0


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"_type": "ErrorResponse", "errors": [{"code": "InvalidRequest", "message": NAME}]},
        {"_type": "SearchResponse", "webPages": {"value": [{"name": NAME}]}},
    ],
)
def test_an_answer_of_another_kind_is_refused(
    server: PlaybackServer, engine: BingIndex, body: dict[str, Any]
) -> None:
    server.answer = lambda asked: body
    with pytest.raises(SearchError, match="not its JSON interface") as raised:
        engine.search([NAME], 10)
    assert "Souza" not in str(raised.value)


def test_without_a_key_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MASKWISE_BING_KEY", raising=False)
    with pytest.raises(SearchError, match="MASKWISE_BING_KEY holds none"):
        BingIndex()
