"""SearXNG, a search engine over search engines that one can run oneself, by its JSON interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from maskwise.errors import SearchError
from maskwise.plugins import Count, Weight
from maskwise.risk.engines.client import SearchAnswer, SearchClient, SearchRequest
from maskwise.risk.engines.engine import (
    Retries,
    SearchEngine,
    Timeout,
    check_address,
    quote_terms,
)


class SearxngIndex(SearchEngine):
    """A SearXNG instance that answers in JSON (`formats: [html, json]` in its settings).

    `url` is its address, `pages` the most pages of results per question. `cache` is a folder, `interval` the seconds
    between two requests, `retries` how often one is tried again.
    """

    def __init__(
        self,
        url: str,
        cache: str | None = None,
        interval: Weight = 1.0,
        retries: Retries = 3,
        timeout: Timeout = 20.0,
        pages: Count = 5,
    ) -> None:
        # How many results a page has is for the instance to say: pages are counted, not results.
        super().__init__(SearchClient(cache, interval, retries, timeout), 1, pages)
        self._url = check_address(url).rstrip("/") + "/search"

    def write_request(self, terms: Sequence[str], first: int) -> SearchRequest:
        query = {"q": quote_terms(terms), "format": "json", "pageno": str(first + 1)}
        return SearchRequest(self._url, query)

    def parse_answer(self, raw: Any, first: int = 0) -> SearchAnswer:
        urls = [str(result["url"]) for result in raw["results"]]
        if not urls and first == 0 and raw.get("unresponsive_engines"):
            # Nothing found because nobody searched is no answer.
            raise SearchError(
                "SearXNG: nothing found while engines behind it did not answer; "
                "switch those off in its settings, or try again later"
            )
        return SearchAnswer(urls, max(int(raw.get("number_of_results") or 0), len(urls)))
