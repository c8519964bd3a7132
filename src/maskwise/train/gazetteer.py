"""Builds word lists from a Wikidata JSON dump: what people's properties say of them.

The method is that of Papadopoulou et al. (2022, section 4.1). The first pass collects the values that humans have, the
second the names of these values. A SQLite file holds what is known so far, so that memory does not grow with the dump,
and a stopped run continues where it was.
"""

from __future__ import annotations

import bz2
import gzip
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import IO, Any

from tqdm import tqdm

from maskwise.errors import InputError, describe_cause
from maskwise.text import EntityType

_HUMAN = re.compile(rb'"id":\s*"Q5"')
_ID = re.compile(rb'"id":\s*"(Q\d+)"')
_HEAD = 200  # an item's own id stands this near the start of its line
_SCHEMA = """
CREATE TABLE IF NOT EXISTS value (id TEXT, type TEXT, people INTEGER, PRIMARY KEY (id, type)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS phrase (text TEXT, type TEXT, people INTEGER, PRIMARY KEY (text, type)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (pass TEXT PRIMARY KEY, lines INTEGER, done INTEGER);
"""
_ADD = "INSERT INTO {} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET people = people + excluded.people"


def read_properties() -> dict[str, EntityType]:
    """Reads the 238 properties whose values are personal information, with their type."""
    text = resources.files("maskwise.train").joinpath("wikidata_properties.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {property: EntityType(type) for property, type in rows}


def collect_phrases(
    dump: str | Path,
    folder: str | Path,
    *,
    language: str = "en",
    aliases: bool = True,
    minimum: int = 1,
    every: int = 50_000,
    progress: bool = True,
) -> dict[EntityType, Path]:
    """Reads a dump (`.json`, `.gz`, `.bz2`) and writes one list of phrases per type, of at least `minimum` people.

    The run saves after every `every` lines; a stopped run loses no more than these.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    known = read_properties()
    with closing(sqlite3.connect(target / "state.sqlite")) as base:
        base.executescript(_SCHEMA)

        def read_person(line: bytes) -> None:
            if _HUMAN.search(line):
                _store_person(base, _parse_item(line, dump), known)

        def read_value(line: bytes) -> None:
            rows = _find_people(base, line)
            if rows:
                _store_names(base, _parse_item(line, dump), rows, language, aliases)

        for name, work in (("people", read_person), ("names", read_value)):
            _run_pass(base, Path(dump), name, work, every, progress)
        types = sorted(set(known.values()))
        return {type: _write_phrases(base, target, type, minimum) for type in types}


def _find_people(base: sqlite3.Connection, line: bytes) -> list[tuple[str, int]]:
    """Returns how many people have the item of a line as their value, by type."""
    found = _ID.search(line, 0, _HEAD)
    if not found:
        return []
    query = "SELECT type, people FROM value WHERE id = ?"
    return base.execute(query, (found[1].decode(),)).fetchall()


def _run_pass(
    base: sqlite3.Connection, dump: Path, name: str, work: Any, every: int, progress: bool
) -> None:
    """Runs one pass: skips the lines that an earlier run has done, saves the count with the results."""
    row = base.execute("SELECT lines, done FROM state WHERE pass = ?", (name,)).fetchone()
    done, finished = row or (0, 0)
    if finished:
        return
    with (
        _open_dump(dump) as stream,
        tqdm(desc=name, unit=" items", initial=done, disable=not progress) as bar,
    ):
        lines = islice(_read_items(stream, dump), done, None)
        while batch := list(islice(lines, every)):
            for line in batch:
                work(line)
            done += len(batch)
            base.execute("INSERT OR REPLACE INTO state VALUES (?, ?, 0)", (name, done))
            base.commit()
            bar.update(len(batch))
    base.execute("INSERT OR REPLACE INTO state VALUES (?, ?, 1)", (name, done))
    base.commit()


def _store_person(
    base: sqlite3.Connection, item: Mapping[str, Any], known: Mapping[str, EntityType]
) -> None:
    claims = item.get("claims", {})
    if "Q5" not in {value for value, _ in _read_values(claims.get("P31", []))}:
        return
    for property, type in known.items():
        for value, is_item in set(_read_values(claims.get(property, []))):
            base.execute(_ADD.format("value" if is_item else "phrase"), (value, type, 1))


def _read_values(claims: list[Mapping[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Yields the values of statements: (id of an item, True) or (text, False). Times and amounts are left out."""
    for claim in claims:
        value = claim.get("mainsnak", {}).get("datavalue", {}).get("value")
        if isinstance(value, str):
            yield value, False
        elif isinstance(value, dict) and str(value.get("id", "")).startswith("Q"):
            yield value["id"], True
        elif isinstance(value, dict) and "text" in value:
            yield value["text"], False


def _store_names(
    base: sqlite3.Connection,
    item: Mapping[str, Any],
    rows: list[tuple[str, int]],
    language: str,
    aliases: bool,
) -> None:
    label = item.get("labels", {}).get(language)
    also = item.get("aliases", {}).get(language, []) if aliases else []
    for text in {entry["value"] for entry in ([label] if label else []) + also}:
        for type, people in rows:
            base.execute(_ADD.format("phrase"), (text, type, people))


def _write_phrases(base: sqlite3.Connection, target: Path, type: EntityType, minimum: int) -> Path:
    path = target / f"wikidata_{type.lower()}.txt"
    query = "SELECT text FROM phrase WHERE type = ? AND people >= ? ORDER BY text"
    with path.open("w", encoding="utf-8") as out:
        for (text,) in base.execute(query, (type, minimum)):
            if phrase := " ".join(text.split()):
                out.write(f"{phrase}\n")
    return path


def _open_dump(dump: Path) -> IO[bytes]:
    opener: Any = {".gz": gzip.open, ".bz2": bz2.open}.get(dump.suffix, open)
    try:
        stream: IO[bytes] = opener(dump, "rb")
    except OSError as error:
        raise InputError(
            f"{dump}: cannot be read ({describe_cause(error)}); check the path"
        ) from error
    return stream


def _read_items(stream: IO[bytes], dump: Path) -> Iterator[bytes]:
    """Yields the items, one per line, without the array around them."""
    try:
        for line in stream:
            item = line.strip().rstrip(b",")
            if item.startswith(b"{"):
                yield item
    except (OSError, EOFError) as error:
        raise InputError(
            f"{dump}: broken off or damaged ({describe_cause(error)}); download it again"
        ) from error


def _parse_item(line: bytes, dump: str | Path) -> dict[str, Any]:
    try:
        item: dict[str, Any] = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{dump}: a line is not a JSON item; a Wikidata entity dump is expected"
        ) from error
    return item
