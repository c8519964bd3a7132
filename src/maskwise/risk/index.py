"""Background knowledge on this machine: a full-text index of pages in one SQLite file, searched by phrases.

Stands in for a web search engine in the web indicator (Papadopoulou et al. 2022, section 3.2.2). The index (FTS5)
holds words and places, not the texts. Words are folded as everywhere in the house: no case, accents or punctuation.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from functools import lru_cache, partial
from pathlib import Path

from maskwise.errors import InputError, OutputError, describe_cause
from maskwise.risk.pages import PublicPage
from maskwise.text.canvas import UNSPACED, has_unspaced_script, make_spoken_canvas
from maskwise.text.folding import replace_surrogates

FORMAT = 1
_APPLICATION = 0x4D57_4958  # marks the file as ours
_TITLE_WEIGHT = 10.0  # a page called so is about it; others mention it
_LONGEST = 64  # words of a phrase; what agrees in so many agrees
_REMEMBERED = 4096  # answers kept in memory
_BEST = """
SELECT url, title FROM (SELECT rowid AS at, rank AS badness FROM word WHERE word MATCH ? ORDER BY rank, at LIMIT ?)
JOIN page ON page.id = at ORDER BY badness, at
"""
_UNSPACED = re.compile(f"([{UNSPACED}])")
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {FORMAT};
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE page (id INTEGER PRIMARY KEY, url TEXT NOT NULL, title TEXT NOT NULL);
CREATE VIRTUAL TABLE word USING fts5(title, text, content='',  -- words are folded already: all but space is theirs
tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cf Cn Cs'");
INSERT INTO word(word, rank) VALUES ('rank', 'bm25({_TITLE_WEIGHT}, 1.0)');
INSERT INTO word(word, rank) VALUES ('hashsize', {64 << 20});
"""  # noqa: S608 - constants alone


class LocalIndex:
    """The `SearchIndex` in a file that `build_index` wrote. Pages hold all terms, each as a phrase; best first.

    >>> index = LocalIndex("people.index")  # doctest: +SKIP
    >>> index.search(["Porto", "cellist"], k=10)  # doctest: +SKIP
    """

    exact = True  # what it returns holds every term; a web search engine promises less

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._local = threading.local()
        # Common terms are the slow ones to rank, and the ones that come again.
        self._best = lru_cache(maxsize=_REMEMBERED)(partial(self._run, _BEST))
        try:
            with self._path.open("rb") as file:
                head = file.read(72)
        except OSError as error:
            reason = f"{self._path}: no index can be read there ({describe_cause(error)})"
            raise InputError(f"{reason}; make one with `maskwise index build`") from None
        if len(head) < 72 or int.from_bytes(head[68:72], "big") != _APPLICATION:
            raise InputError(f"{self._path}: not an index; make one with `maskwise index build`")
        if (version := int.from_bytes(head[60:64], "big")) != FORMAT:
            raise InputError(
                f"{self._path}: index format {version}, this version reads {FORMAT}; build it again"
            )

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        return [url for url, _ in self.find_pages(terms, k)]

    def find_pages(self, terms: Sequence[str], k: int) -> list[tuple[str, str]]:
        """Address and title of the best `k` pages with all terms."""
        if not (query := _write_query(terms)):
            return []
        return list(self._best(query, k))

    def hits(self, terms: Sequence[str]) -> int:
        if not (query := _write_query(terms)):
            return 0
        return int(self._run("SELECT count(*) FROM word WHERE word MATCH ?", query)[0][0])

    def __len__(self) -> int:
        return int(self._run("SELECT count(*) FROM page")[0][0])

    def _run(self, sql: str, *values: object) -> list[tuple[str, str]]:
        """One connection per thread; the file never changes, so none waits for another."""
        connection = getattr(self._local, "connection", None)
        try:
            if connection is None:
                uri = f"{self._path.resolve().as_uri()}?mode=ro&immutable=1"
                connection = self._local.connection = sqlite3.connect(uri, uri=True)
            rows: list[tuple[str, str]] = connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{self._path}: the index is damaged ({describe_cause(error)}); build it again"
            ) from None
        return rows


def build_index(pages: Iterable[PublicPage], path: str | Path) -> int:
    """Index the pages in a new file that replaces `path` when it is whole. Returns how many there are."""
    target = Path(path)
    part = target.with_name(
        f".{os.getpid()}.part"
    )  # short: the name of the target may be as long as names can be
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            count = _fill_index(connection, pages)
        if not count:
            raise InputError("no pages to index")
        os.replace(part, target)
    except (OSError, sqlite3.OperationalError) as error:
        raise OutputError(
            f"{target}: the index cannot be written ({describe_cause(error)})"
        ) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return count


def _fill_index(connection: sqlite3.Connection, pages: Iterable[PublicPage]) -> int:
    count = 0
    connection.executescript(_SCHEMA)
    connection.execute("BEGIN")
    for count, page in enumerate(pages, 1):
        address = (count, replace_surrogates(page.url), replace_surrogates(page.title))
        connection.execute("INSERT INTO page VALUES (?, ?, ?)", address)
        row = (count, fold_words(page.title), fold_words(page.text))
        connection.execute("INSERT INTO word(rowid, title, text) VALUES (?, ?, ?)", row)
    connection.execute("INSERT INTO word(word) VALUES ('optimize')")
    connection.execute("COMMIT")
    return count


def fold_words(text: str) -> str:
    """Words with one space between them; in scripts without spaces every sign is a word, so phrases still match.

    >>> fold_words("Müller-Østby, J.")
    'muller ostby j'
    """
    words = make_spoken_canvas(text).text.strip()
    return _UNSPACED.sub(r" \1 ", words) if has_unspaced_script(words) else words


def _write_query(terms: Sequence[str]) -> str:
    """Phrases that must all occur; nothing where a term has no word, for no page holds that."""
    phrases = [" ".join(fold_words(term).split()[:_LONGEST]) for term in terms]
    if not all(phrases):
        return ""
    return " AND ".join(f'"{phrase}"' for phrase in dict.fromkeys(phrases))
