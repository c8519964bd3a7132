"""Bing, by the Web Search API v7. Microsoft closed its own service in 2025; others speak the same interface."""

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

_URL = "https://api.bing.microsoft.com/v7.0/search"
_SIZE = 50  # results of an answer
_DEEPEST = 1000


class BingIndex(SearchEngine):
    """Bing Web Search v7. `key` names the environment variable with the key, `key_file` a file with it.

    Microsoft closed its own service in August 2025: `url` is the address of one that speaks its interface. One request
    brings fifty results. `cache` is a folder, `interval` the seconds between two requests.
    """

    def __init__(
        self,
        url: str = _URL,
        key: str = "MASKWISE_BING_KEY",
        key_file: str | None = None,
        cache: str | None = None,
        interval: Weight = 1.0,
        retries: Retries = 3,
        timeout: Timeout = 20.0,
    ) -> None:
        super().__init__(SearchClient(cache, interval, retries, timeout), _SIZE, _DEEPEST)
        self._url = check_address(url)
        self._headers = {"Ocp-Apim-Subscription-Key": read_key("Bing", key, key_file)}

    def write_request(self, terms: Sequence[str], first: int) -> SearchRequest:
        query = {
            "q": quote_terms(terms),
            "count": str(_SIZE),
            "offset": str(first),
            "responseFilter": "Webpages",
        }
        return SearchRequest(self._url, query, headers=self._headers)

    def parse_answer(self, raw: Any, first: int = 0) -> SearchAnswer:
        if raw["_type"] != "SearchResponse":
            raise ValueError("not the answer to a search")
        found = raw.get("webPages") or {"value": []}  # left out where nothing is found
        urls = [str(page["url"]) for page in found["value"]]
        return SearchAnswer(urls, max(int(found.get("totalEstimatedMatches") or 0), len(urls)))
