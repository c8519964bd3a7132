"""Reads documents whose people are named: rows of a file, a TAB corpus, or files of texts with `--protect`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from maskwise.cli.sources import find_sources
from maskwise.errors import InputError, describe_cause
from maskwise.files import read_file_texts
from maskwise.policy import Policy
from maskwise.text import Document, Person, tab

PROTECT = "protect"  # the key of a row that names whom to protect
_PACKED = (".gz", ".bz2", ".xz")


def read_protected(path: Path, names: Sequence[str] = ()) -> list[Document]:
    """The documents of a file or folder. `names` are protected in all of them, beside those that a row names.

    JSONL has one `text` per row, and may have `id` and `protect`: a name or a list of names. JSON is a TAB corpus, in
    which a task names the person. Other files, and those of a folder, are read as `sanitize` reads them.
    """
    people = tuple(map(_make_person, names))
    kind = _find_kind(path)
    if not path.is_dir() and kind == ".jsonl":
        found = list(_read_rows(path))
    elif not path.is_dir() and kind == ".json":
        found = [item.document for item in tab.load_corpus(path)]
    else:
        found = list(_read_files(path))
    texts = [document for document in found if document.text.strip()]
    if not texts:
        raise InputError(f"{path}: no document with text")
    return [replace(one, protected=(*one.protected, *people)) for one in texts]


def _find_kind(path: Path) -> str:
    """The ending of a file, under that of its packing."""
    endings = [ending.lower() for ending in path.suffixes if ending.lower() not in _PACKED]
    return endings[-1] if endings else ""


def _read_rows(path: Path) -> Iterator[Document]:
    from maskwise.crowd.registers import open_text, read_json_rows

    try:
        with open_text(path) as stream:
            for number, row in read_json_rows(path, stream):
                yield _read_row(path, number, row)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({describe_cause(error)}); expected JSONL in UTF-8"
        ) from None


def _read_row(path: Path, number: int, row: Any) -> Document:
    found: Mapping[str, Any] = row if isinstance(row, Mapping) else {}
    text, id = found.get("text"), found.get("id", number)
    if not isinstance(text, str):
        raise InputError(f"{path}: row {number} needs a `text`")
    if isinstance(id, bool) or not isinstance(id, str | int):
        raise InputError(f"{path}: row {number}: `id` is text or a whole number")
    given = found.get(PROTECT) or ()
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{path}: row {number}: `{PROTECT}` is a name or a list of names")
    where = f"{path}: row {number}: `{PROTECT}`"
    return Document(text, str(id), tuple(_make_person(name, where) for name in names))


def _read_files(path: Path) -> Iterator[Document]:
    policy = Policy.load("balanced")
    sources, _ = find_sources([str(path)])
    for source in sources:
        raw = source.read(policy.formats.limits)
        for at, text in enumerate(read_file_texts(raw, str(source.name), policy)):
            yield Document(text, f"{source.name}" if at == 0 else f"{source.name} {at + 1}")


def _make_person(name: str, where: str = "--protect") -> Person:
    if not any(map(str.isalnum, name)):
        raise InputError(f"{where}: a name has at least one letter")
    return Person(name)
