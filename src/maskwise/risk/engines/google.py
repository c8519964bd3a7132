"""Google Programmable Search, by its Custom Search JSON API. Google takes no new customers and ends it in 2027."""

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

_URL = "https://www.googleapis.com/customsearch/v1"
_SIZE = 10  # results of an answer
_DEEPEST = 100  # and in all


class GoogleIndex(SearchEngine):
    """Google Programmable Search. `key` and `engine` name environment variables with the key and the engine's id.

    `key_file` is a file with the key. One request brings ten results, so `k` of 50 takes five; an engine returns no
    more than a hundred. `cache` is a folder, `interval` the seconds between two requests.
    """

    def __init__(
        self,
        key: str = "MASKWISE_GOOGLE_KEY",
        engine: str = "MASKWISE_GOOGLE_ENGINE",
        key_file: str | None = None,
        cache: str | None = None,
        interval: Weight = 1.0,
        retries: Retries = 3,
        timeout: Timeout = 20.0,
        _url: str = _URL,
    ) -> None:
        super().__init__(SearchClient(cache, interval, retries, timeout), _SIZE, _DEEPEST)
        self._url = check_address(_url)
        self._key = read_key("Google", key, key_file)
        self._engine = read_key("Google", engine)

    def write_request(self, terms: Sequence[str], first: int) -> SearchRequest:
        query = {
            "q": quote_terms(terms),
            "cx": self._engine,
            "num": str(_SIZE),
            "start": str(first + 1),
        }
        return SearchRequest(self._url, query, secret={"key": self._key})

    def parse_answer(self, raw: Any, first: int = 0) -> SearchAnswer:
        urls = [str(item["link"]) for item in raw.get("items", ())]
        return SearchAnswer(urls, int(raw["searchInformation"]["totalResults"]))
