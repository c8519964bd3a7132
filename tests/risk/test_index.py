from __future__ import annotations

import gzip
import json
import lzma
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from maskwise.errors import CorpusError, InputError, OutputError
from maskwise.risk.index import LocalIndex, build_index, fold_words
from maskwise.risk.pages import PublicPage, read_pages
from maskwise.text import SearchIndex

PAGES = [
    PublicPage(
        "p1", "Ana Souza", "Ana Souza plays the cello. She was born in Vila Nova, near Porto."
    ),
    PublicPage("p2", "Porto", "Porto is a city on a river. Many cellists live there."),
    PublicPage(
        "p3",
        "Jørgen Müller",
        "Jørgen Müller (born 3 May 1971) rowed for Norway; nova is a star, vila a house.",
    ),
    PublicPage("p4", "黄义达", "他是黄义达。歌手。"),
    PublicPage("p5", "Lists", "Souza, Ana: see cello. Porto Porto Porto."),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> LocalIndex:
    path = tmp_path_factory.mktemp("index") / "pages.index"
    assert build_index(PAGES, path) == len(PAGES)
    return LocalIndex(path)


@pytest.mark.parametrize(
    ("terms", "pages"),
    [
        (["Vila Nova"], ["p1"]),  # a phrase, not its words
        (["Porto", "cello"], ["p1", "p5"]),
        (["ana souza"], ["p1"]),
        (["JORGEN MULLER"], ["p3"]),
        (["3 May 1971", "Norway"], ["p3"]),
        (["cell"], []),  # whole words
        (["黄义达"], ["p4"]),
        (["义达"], ["p4"]),
        (["义他"], []),
        (["Porto", "***"], []),
        (["***"], []),
        ([], []),
        (["Porto", "Norway"], []),
    ],
)
def test_pages_hold_every_phrase(index: LocalIndex, terms: list[str], pages: list[str]) -> None:
    assert isinstance(index, SearchIndex)
    assert sorted(index.search(terms, 10)) == pages
    assert index.hits(terms) == len(pages)


def test_a_page_called_so_comes_first_and_k_cuts(index: LocalIndex) -> None:
    assert index.search(["Porto"], 10)[0] == "p2"
    assert index.search(["Porto"], 1) == ["p2"]
    assert index.hits(["Porto"]) == 3
    assert index.find_pages(["Porto"], 1) == [("p2", "Porto")]
    assert len(index) == 5


def test_signs_of_the_query_language_mean_nothing(index: LocalIndex) -> None:
    for term in (
        '"',
        "Ana OR Norway",
        "title:Porto",
        "por*",
        "NEAR(Ana cello)",
        "Ana AND",
        "'; DROP",
        "\0",
    ):
        assert index.search([term], 5) == []
    assert index.search(['"Vila" (Nova)^'], 5) == ["p1"]


def test_threads_share_an_index(index: LocalIndex) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(index.hits, [["Porto"]] * 20)) == {3}


@example("\U0001f1e6", "", "")  # a letter to us, a symbol to SQLite
@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_what_a_text_says_is_found(
    tmp_path_factory: pytest.TempPathFactory, phrase: str, left: str, right: str
) -> None:
    path = tmp_path_factory.mktemp("any") / "i"
    build_index([PublicPage("u", "", f"{left} {phrase} {right}")], path)
    found = LocalIndex(path).search([phrase], 1)
    assert found == (["u"] if fold_words(phrase).split() else [])


def test_rows_and_files_become_pages(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "title": "A", "text": "one"},
        {"url": "http://x/", "id": 8, "text": "two"},
        {"text": "three"},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows) + "\n"
    (tmp_path / "a.jsonl").write_text(lines)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "a.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
    for name in ("a.jsonl", "a.jsonl.gz", "a.jsonl.xz"):
        assert [(p.url, p.title, p.text) for p in read_pages(tmp_path / name)] == [
            ("7", "A", "one"),
            ("http://x/", "", "two"),
            ("line 3", "", "three"),
        ]
    folder = tmp_path / "pages"
    (folder / "deep").mkdir(parents=True)
    (folder / "b.txt").write_text("two")
    (folder / "deep" / "a.md").write_text("one")
    (folder / "c.pdf").write_text("no")
    assert [(p.url, p.title) for p in read_pages(folder)] == [("b.txt", "b"), ("deep/a.md", "a")]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b'{"text": "ok"}\nnot json\n', CorpusError),
        (b'{"title": "secret"}\n', CorpusError),
        (b"\xff\xfe", InputError),
        (b"", InputError),
    ],
)
def test_a_bad_collection_is_refused_and_leaves_the_old_index(
    tmp_path: Path, content: bytes, error: type[Exception]
) -> None:
    target = tmp_path / "i"
    build_index(PAGES, target)
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(error) as raised:
        build_index(read_pages(tmp_path / "a.jsonl"), target)
    assert "secret" not in str(raised.value)
    assert len(LocalIndex(target)) == len(PAGES)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.jsonl", "i"]


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="index build"):
        LocalIndex(tmp_path / "none")
    (tmp_path / "short").write_text("hello")
    with pytest.raises(InputError, match="not an index"):
        LocalIndex(tmp_path / "short")
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(InputError, match="not an index"):
        LocalIndex(tmp_path / "other")
    with sqlite3.connect(tmp_path / "newer") as newer:
        newer.executescript(
            f"PRAGMA application_id = {0x4D57_4958}; PRAGMA user_version = 9; CREATE TABLE t (x)"
        )
    with pytest.raises(InputError, match="format 9"):
        LocalIndex(tmp_path / "newer")
    build_index(PAGES, tmp_path / "cut")
    (tmp_path / "cut").write_bytes((tmp_path / "cut").read_bytes()[:4096])
    with pytest.raises(InputError, match="damaged"):
        LocalIndex(tmp_path / "cut").hits(["Porto"])


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        build_index(PAGES, tmp_path / "file" / "i")
