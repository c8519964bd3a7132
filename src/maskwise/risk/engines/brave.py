"""Brave Search, an index of its own, by its Web Search API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from maskwise.plugins import Weight
from maskwise.risk.engines.client import SearchAnswer, SearchClient, SearchRequest
from maskwise.risk.engines.engine import (
    Retries,
    SearchEngine,
    Timeout,
    check_address,
    quote_terms,
    read_key,
)

_URL = "https://api.search.brave.com/res/v1/web/search"
_SIZE = 20  # results of an answer
_DEEPEST = 200  # and in all: ten pages
_WORDS, _CHARACTERS = 50, 400  # of a question; longer ones are refused


class BraveIndex(SearchEngine):
    """Brave Search. `key` names the environment variable with the key, `key_file` a file with it.

    One request brings twenty results. Brave does not say how many pages there are: `hits` counts those of one answer,
    so use `rule: urls`. `cache` is a folder, `interval` the seconds between two requests.
    """

    def __init__(
        self,
        key: str = "MASKWISE_BRAVE_KEY",
        key_file: str | None = None,
        cache: str | None = None,
        interval: Weight = 1.0,
        retries: Retries = 3,
        timeout: Timeout = 20.0,
        _url: str = _URL,
    ) -> None:
        super().__init__(SearchClient(cache, interval, retries, timeout), _SIZE, _DEEPEST)
        self._url = check_address(_url)
        self._headers = {"X-Subscription-Token": read_key("Brave", key, key_file)}

    def write_request(self, terms: Sequence[str], first: int) -> SearchRequest:
        query = {
            "q": quote_terms(terms, _WORDS, _CHARACTERS),
            "count": str(_SIZE),
            "offset": str(first // _SIZE),  # in pages
            "result_filter": "web",
            "spellcheck": "false",  # another word would be another question
        }
        return SearchRequest(self._url, query, headers=self._headers)

    def parse_answer(self, raw: Any, first: int = 0) -> SearchAnswer:
        if "query" not in raw:
            raise ValueError("not the answer to a search")
        found = raw.get("web") or {"results": []}  # left out where nothing is found
        urls = [str(result["url"]) for result in found["results"]]
        return SearchAnswer(urls, len(urls))
