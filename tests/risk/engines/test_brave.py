from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playback import PlaybackServer

from maskwise.errors import InputError, SearchError
from maskwise.risk.engines.brave import BraveIndex
from maskwise.text import SearchIndex

NAME = "Ana Souza"


def play(asked: Any) -> dict[str, Any]:
    """Two pages of results, the second not full, in the shape of the Web Search API."""
    first = 20 * int(asked["offset"]) + 1
    results = [
        {
            "type": "search_result",
            "title": f"Page {at}",
            "url": f"https://example.org/{at}",
            "description": "A cellist of the town orchestra.",
            "is_source_local": False,
            "language": "en",
            "meta_url": {"scheme": "https", "hostname": "example.org", "path": f"/{at}"},
        }
        for at in range(first, min(first + 20, 31))
    ]
    said: dict[str, Any] = {
        "type": "search",
        "query": {"original": asked["q"], "more_results_available": first == 1},
    }
    return {**said, "web": {"type": "search", "results": results}} if results else said


@pytest.fixture
def engine(server: PlaybackServer, monkeypatch: pytest.MonkeyPatch) -> BraveIndex:
    monkeypatch.setenv("MASKWISE_BRAVE_KEY", "the-key")
    server.answer = play
    return BraveIndex(_url=server.url, interval=0)


def test_it_pages_through_results(server: PlaybackServer, engine: BraveIndex) -> None:
    assert isinstance(engine, SearchIndex)
    assert engine.search([NAME], 50) == [f"https://example.org/{at}" for at in range(1, 31)]
    assert [asked["offset"] for asked in server.asked] == ["0", "1", "2"]
    assert {asked["count"] for asked in server.asked} == {"20"}
    assert server.asked[0]["q"] == '"Ana Souza"'
    assert len(engine.search([NAME], 5)) == 5


def test_the_key_travels_in_the_header_alone(server: PlaybackServer, engine: BraveIndex) -> None:
    engine.hits([NAME])
    assert server.headers[0]["x-subscription-token"] == "the-key"
    assert "the-key" not in str(server.asked)


def test_hits_are_those_of_one_answer(engine: BraveIndex) -> None:
    assert engine.hits([NAME]) == 20


def test_the_pages_end_with_the_tenth(server: PlaybackServer, engine: BraveIndex) -> None:
    server.answer = lambda asked: {
        "query": {},
        "web": {"results": [{"url": f"https://e.org/{asked['offset']}/{n}"} for n in range(20)]},
    }
    assert len(engine.search([NAME], 500)) == 200
    assert server.asked[-1]["offset"] == "9"


def test_long_questions_are_cut_to_what_brave_takes(
    server: PlaybackServer, engine: BraveIndex
) -> None:
    engine.search(["word " * 80, "letters" * 90, NAME], 10)
    question = server.asked[0]["q"]
    assert len(question) <= 400
    assert len(question.split()) <= 50
    assert question.endswith('"Ana Souza"')


def test_an_answer_without_a_query_is_not_brave_s(
    server: PlaybackServer, engine: BraveIndex
) -> None:
    server.answer = lambda asked: {}
    with pytest.raises(SearchError, match="not its JSON interface"):
        engine.search([NAME], 10)


def test_a_key_may_come_from_a_file(
    server: PlaybackServer, engine: BraveIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MASKWISE_BRAVE_KEY")
    file = tmp_path / "brave.key"
    file.write_text("from-a-file\n")
    BraveIndex(key_file=str(file), _url=server.url, interval=0).hits([NAME])
    assert server.headers[0]["x-subscription-token"] == "from-a-file"


BAD_KEYS = {
    "nothing": "",
    "blank": " \n",
    "two lines": "one\ntwo",
    "two words": "one two",
    "no ASCII": "schlüssel",
}


@pytest.mark.parametrize("content", BAD_KEYS.values(), ids=BAD_KEYS)
def test_a_file_without_one_key_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "brave.key"
    file.write_text(content, "utf-8")
    with pytest.raises(SearchError, match=r"Brave search.* the file brave\.key holds") as raised:
        BraveIndex(key_file=str(file))
    assert not content.strip() or content.strip() not in str(raised.value)


def test_without_a_key_nothing_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MASKWISE_BRAVE_KEY", raising=False)
    with pytest.raises(SearchError, match="MASKWISE_BRAVE_KEY holds none"):
        BraveIndex()
    with pytest.raises(InputError, match=r"none\.key"):
        BraveIndex(key_file=str(tmp_path / "none.key"))
