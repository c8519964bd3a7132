"""Texts that each belong to one person, from a column of a table or from a corpus whose tasks name the people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from maskwise.attack.scenario import (
    BACKGROUND,
    NAME,
    read_people,
    read_rows,
    read_scenario,
)
from maskwise.errors import CorpusError
from maskwise.text import tab


@dataclass(frozen=True, slots=True)
class OwnedTexts:
    """One text per id with the name of its person, and the names and background texts of all people.

    `left_out` counts documents that name no person.
    """

    ids: tuple[str, ...]
    owners: tuple[str, ...] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)
    people: tuple[tuple[str, str], ...] = field(repr=False)
    left_out: int = 0


def read_table(
    path: Path, column: str = "", *, name: str = NAME, background: str = BACKGROUND
) -> OwnedTexts:
    """Reads a column of a scenario, by default the first with texts. Ids are the numbers of the rows, from 1."""
    rows = read_rows(path)
    chosen = column or _find_column(rows, (name, background), path)
    scenario = read_scenario(path, name=name, background=background, columns=[chosen])
    numbers = [at for at, row in enumerate(rows, start=1) if (row.get(chosen) or "").strip()]
    targets = scenario.columns[chosen]
    return OwnedTexts(
        ids=tuple(map(str, numbers)),
        owners=tuple(target.name for target in targets),
        texts=tuple(target.text for target in targets),
        people=tuple(zip(scenario.names, scenario.background, strict=True)),
    )


def read_corpus(
    corpus: Path, background: Path, *, name: str = NAME, text: str = BACKGROUND
) -> OwnedTexts:
    """Reads the documents of a TAB corpus whose task names a person, and a table of people."""
    documents = [item.document for item in tab.load_corpus(corpus)]
    owned = [document for document in documents if document.protected]
    if not owned:
        raise CorpusError(f"{corpus.name}: no document has a task that names its person")
    return OwnedTexts(
        ids=tuple(document.id for document in owned),
        owners=tuple(document.protected[0].name for document in owned),
        texts=tuple(document.text for document in owned),
        people=tuple(read_people(background, name, text)),
        left_out=len(documents) - len(owned),
    )


def _find_column(rows: Sequence[Mapping[str, Any]], others: Sequence[str], path: Path) -> str:
    for column in dict.fromkeys(key for row in rows for key in row):
        has_text = any(isinstance(row.get(column), str) and row[column].strip() for row in rows)
        if column not in others and has_text:
            return column
    raise CorpusError(f"{path.name}: no column of texts to harden beside {' and '.join(others)}")
