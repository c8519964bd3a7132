"""Scenarios of a re-identification attack, read from a table or from a corpus with masks and a background file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from maskwise.errors import CorpusError
from maskwise.text import masks, tab

NAME, BACKGROUND = "name", "public_knowledge"
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Target:
    """A masked text and the person behind it: a place in the background, or None where the background lacks them."""

    person: int | None
    name: str = field(repr=False)
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Scenario:
    """People with a background text, and columns of masked texts of some of them."""

    names: tuple[str, ...] = field(repr=False)
    background: tuple[str, ...] = field(repr=False)
    columns: Mapping[str, tuple[Target, ...]] = field(repr=False)


def read_scenario(
    path: str | Path,
    *,
    name: str = NAME,
    background: str = BACKGROUND,
    columns: Sequence[str] = (),
) -> Scenario:
    """Reads a table: JSON records or CSV, compressed or not. Without `columns`, every further column is masked text."""
    path = Path(path)
    rows = read_rows(path)
    known = list(dict.fromkeys(key for row in rows for key in row))
    for wanted in (name, background, *columns):
        if wanted not in known:
            # The names of the columns stay out: without a header, the first row has texts in their place.
            raise CorpusError(
                f"{path.name}: no column {wanted!r} among its {len(known)}; see its first row"
            )
    chosen = columns or [key for key in known if key not in (name, background)]
    texts = {key: _list_named(rows, name, key, path) for key in chosen}
    people = _list_named(rows, name, background, path)
    if not any(texts.values()):
        raise CorpusError(f"{path.name}: no masked text in the {len(chosen)} columns to attack")
    return assemble_scenario(people, texts, path.name)


def read_corpus(
    corpus: str | Path,
    versions: Mapping[str, Path],
    background: str | Path,
    *,
    name: str = NAME,
    text: str = BACKGROUND,
) -> Scenario:
    """Reads a TAB corpus, its masked versions, and a background.

    A version is a file of masked texts (`{doc_id: text}`) or of masks (`{doc_id: [[start, end, ...]]}`). The `task` of
    a document names its person. The background is a table with a column of names and one of texts.
    """
    table = read_rows(Path(background))
    people = [
        (row[name], row[text])
        for row in table
        if _has_text(row, name, Path(background)) and row.get(text)
    ]
    documents = {item.document.id: item.document for item in tab.load_corpus(corpus)}
    owners = {id: d.protected[0].name for id, d in documents.items() if d.protected}
    if not owners:
        raise CorpusError(f"{Path(corpus).name}: no document has a task that names its person")
    columns: dict[str, list[tuple[str, str]]] = {}
    for label, path in versions.items():
        given = tab.read_json(path)
        if not isinstance(given, dict) or not set(given) & set(owners):
            raise CorpusError(
                f"{path.name}: expected an object by doc_id with documents of the corpus"
            )
        columns[label] = []
        for id, owner in owners.items():
            if id in given:
                masked = apply_masks(documents[id].text, given[id], f"{path.name}: {id}")
                columns[label].append((owner, masked))
    return assemble_scenario(people, columns, Path(background).name)


def read_people(path: Path, name: str = NAME, text: str = BACKGROUND) -> list[tuple[str, str]]:
    """Names and background texts of a table."""
    return [
        (row[name], row[text])
        for row in read_rows(path)
        if _has_text(row, name, path) and _has_text(row, text, path)
    ]


def apply_masks(text: str, given: Any, where: str) -> str:
    """Applies masks to a text. A mask without a replacement is written `***`. A masked text is returned as it is."""
    if isinstance(given, str):
        return given
    parts: list[str] = []
    at = 0
    for start, end, replacement in masks.parse_masks({"": given}, (), where).by_document[""]:
        if not at <= start < end <= len(text):
            raise CorpusError(f"{where}: a mask is empty, outside the text, or overlaps another")
        parts.append(text[at:start] + ("***" if replacement is None else replacement))
        at = end
    return "".join(parts) + text[at:]


def assemble_scenario(
    people: Iterable[tuple[str, str]],
    columns: Mapping[str, Iterable[tuple[str, str]]],
    source: str = "scenario",
) -> Scenario:
    """Joins the texts of one name, and finds the person of each target."""
    known: dict[str, tuple[str, list[str]]] = {}
    for name, text in people:
        known.setdefault(_fold_name(name), (name, []))[1].append(text)
    if len(known) < 2:
        raise CorpusError(
            f"{source}: {len(known)} person in the background; an attack needs at least two"
        )
    places = {key: at for at, key in enumerate(known)}
    targets: dict[str, tuple[Target, ...]] = {}
    for label, texts in columns.items():
        found = [(places.get(_fold_name(name)), name, text) for name, text in texts]
        targets[label] = tuple(Target(*one) for one in found)
    return Scenario(
        names=tuple(name for name, _ in known.values()),
        background=tuple("\n\n".join(texts) for _, texts in known.values()),
        columns=targets,
    )


def _fold_name(name: str) -> str:
    return _SPACE.sub(" ", name).strip().casefold()


def _list_named(
    rows: Sequence[Mapping[str, Any]], name: str, key: str, path: Path
) -> list[tuple[str, str]]:
    """Returns names and texts of the rows that have a text in a column. Refuses a text without a name."""
    found = []
    for number, row in enumerate(rows, start=1):
        if _has_text(row, key, path):
            if not _has_text(row, name, path):
                raise CorpusError(f"{path.name}: row {number} has a text and no name")
            found.append((row[name], row[key]))
    return found


def _has_text(row: Mapping[str, Any], key: str, path: Path) -> bool:
    """Whether the row has a text in that column. Refuses anything but text or nothing."""
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise CorpusError(
            f"{path.name}: column {key!r} holds {type(value).__name__}, not text; choose with --columns"
        )
    return bool(value and value.strip())


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a table: JSON records or CSV, compressed or not."""
    if ".csv" in path.suffixes:
        text = tab.read_text(path)
        csv.field_size_limit(1 << 30)
        try:
            rows = list(csv.DictReader(io.StringIO(text, newline="")))
        except csv.Error:
            raise CorpusError(f"{path.name}: not a table that can be read as CSV") from None
        for row in rows:
            row.pop(None, None)  # cells beyond the header
            row.pop("", None)
        return rows
    value = tab.read_json(path)
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value) or not value:
        raise CorpusError(f"{path.name}: expected a list of records (JSON) or a CSV file")
    return value
