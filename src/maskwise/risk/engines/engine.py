"""The parts that web search engines share: a key, pages of results, and questions of phrases.

An engine is one file with one class: its address, its limits, and how its JSON is read. None is used unless a policy
names it, for the text of entities leaves the machine with every query.
"""

from __future__ import annotations

import os
import urllib.parse
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from maskwise.errors import SearchError
from maskwise.inputs import read_small
from maskwise.risk.engines.client import SearchAnswer, SearchClient, SearchRequest

Retries = Annotated[int, Field(ge=0, le=10)]
Timeout = Annotated[float, Field(gt=0)]
_LONGEST_KEY = 4096  # bytes


class SearchEngine(ABC):
    """A `SearchIndex` that asks a search engine. A subclass says how a page of results is asked for and read.

    `size` is the number of results that an answer brings, `deepest` how many the engine gives in all.
    """

    exact = False  # an engine may return pages that lack a term

    def __init__(self, client: SearchClient, size: int, deepest: int) -> None:
        self.client = client
        self._size = size
        self._deepest = deepest

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        """The first `k` different addresses; a page that brings none is the last."""
        found: dict[str, None] = {}
        for first in range(0, min(k, self._deepest), self._size):
            before = len(found)
            found.update(dict.fromkeys(self._ask_page(terms, first).urls))
            if len(found) >= k or len(found) == before:
                break
        return list(found)[:k]

    def hits(self, terms: Sequence[str]) -> int:
        """How many pages the engine says there are; one that does not say counts for what it returns."""
        return self._ask_page(terms, 0).hits

    def _ask_page(self, terms: Sequence[str], first: int) -> SearchAnswer:
        parse = partial(self.parse_answer, first=first)
        return self.client.ask(self.write_request(terms, first), parse)

    @abstractmethod
    def write_request(self, terms: Sequence[str], first: int) -> SearchRequest:
        """The request for the page of results that begins after the `first` ones."""

    @abstractmethod
    def parse_answer(self, raw: Any, first: int = 0) -> SearchAnswer:
        """The content of the JSON of such a page. Any error of lookup or type means that it is not the engine's."""


def quote_terms(terms: Sequence[str], words: int = 64, characters: int = 2000) -> str:
    """Every term as a phrase that must occur, cut so that all together have no more words and characters.

    >>> quote_terms(["Ana Souza", 'the "Lark" Prize'])
    '"Ana Souza" "the Lark Prize"'
    >>> quote_terms(["Ana Souza", "the Lark Prize of Porto"], words=4)
    '"Ana Souza" "the Lark"'
    """
    most = max(words // max(len(terms), 1), 1)
    room = max(characters // max(len(terms), 1) - len('"" '), 1)
    return " ".join(f'"{_cut_phrase(term, most, room)}"' for term in terms)


def _cut_phrase(term: str, words: int, characters: int) -> str:
    kept = term.replace('"', " ").split()[:words]
    while len(kept) > 1 and len(" ".join(kept)) > characters:
        kept.pop()
    return " ".join(kept)[:characters]


def check_address(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SearchError(
            "a search engine's address begins with http:// or https:// and names a host"
        )
    return url


def read_key(engine: str, variable: str, file: str | None = None) -> str:
    """The key in a file that the policy names, else in an environment variable; never in the policy itself."""
    if file is None:
        where = f"the environment variable {variable}"
        found = os.environ.get(variable, "").strip()
    else:
        where = f"the file {Path(file).name}"
        data = read_small(Path(file).expanduser(), _LONGEST_KEY)
        found = data.decode("utf-8", "replace").strip()
    if not found:
        raise SearchError(f"{engine} search needs a key, and {where} holds none")
    if not (found.isascii() and found.isprintable()) or " " in found:
        raise SearchError(f"{engine} search: what {where} holds is not one key on one line")
    return found
