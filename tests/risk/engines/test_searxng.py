from __future__ import annotations

from typing import Any

import pytest
from playback import PlaybackServer

from maskwise.errors import SearchError
from maskwise.risk.engines.searxng import SearxngIndex
from maskwise.text import SearchIndex

NAME = "Ana Souza"


def play(asked: Any) -> dict[str, Any]:
    """Three pages of ten results in the shape of SearXNG's JSON."""
    first = 10 * (int(asked["pageno"]) - 1) + 1
    return {
        "query": asked["q"],
        "number_of_results": 0,
        "results": [
            {
                "url": f"https://example.org/{at}",
                "title": f"Page {at}",
                "content": "A cellist of the town orchestra.",
                "engine": "one",
                "engines": ["one", "two"],
                "score": 1.0 / at,
                "category": "general",
            }
            for at in range(first, min(first + 10, 31))
        ],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [["three", "timeout"]],
    }


@pytest.fixture
def engine(server: PlaybackServer) -> SearxngIndex:
    server.answer = play
    return SearxngIndex(f"{server.url}/", interval=0)


def test_it_pages_through_results(server: PlaybackServer, engine: SearxngIndex) -> None:
    assert isinstance(engine, SearchIndex)
    found = engine.search([NAME, 'the "Lark" Prize'], 25)
    assert found == [f"https://example.org/{at}" for at in range(1, 26)]
    assert [asked["pageno"] for asked in server.asked] == ["1", "2", "3"]
    assert server.asked[0]["q"] == '"Ana Souza" "the Lark Prize"'
    assert server.asked[0]["format"] == "json"


def test_a_page_without_results_is_the_last(server: PlaybackServer, engine: SearxngIndex) -> None:
    assert len(engine.search([NAME], 500)) == 30
    assert len(server.asked) == 4


def test_an_instance_that_does_not_count_counts_for_what_it_returns(
    server: PlaybackServer, engine: SearxngIndex
) -> None:
    assert engine.hits([NAME]) == 10
    server.answer = lambda asked: {**play(asked), "number_of_results": 4200}
    assert engine.hits([NAME]) == 4200


def test_nothing_found_because_nobody_searched_is_no_answer(
    server: PlaybackServer, engine: SearxngIndex
) -> None:
    server.answer = lambda asked: {**play(asked), "results": []}
    with pytest.raises(SearchError, match="did not answer"):
        engine.search([NAME], 10)
    server.answer = lambda asked: {**play(asked), "results": [], "unresponsive_engines": []}
    assert engine.search([NAME], 10) == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/", "search.example", "http://"])
def test_only_addresses_on_the_web(url: str) -> None:
    with pytest.raises(SearchError, match="http"):
        SearxngIndex(url)
