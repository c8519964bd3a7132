"""Annotated and raw collections: TAB standoff JSON, paragraph JSONL, silver JSONL and text JSONL, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import lzma
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

from maskwise.errors import CorpusError, InputError, describe_cause
from maskwise.text import EntityType

_MASKED = frozenset({"DIRECT", "QUASI"})
_JOIN = "\n\n"


@dataclass(frozen=True, slots=True)
class Span:
    """One annotator's decision about `[start, end)`. `entity` is the annotator's cluster, or the type with a digest."""

    start: int
    end: int
    type: EntityType
    mask: bool = False
    direct: bool = False
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A text with one layer of spans per annotator. `judged`: the layers say what to mask, not only types."""

    id: str
    text: str = field(repr=False)
    layers: tuple[tuple[Span, ...], ...] = ()
    domain: str = ""
    judged: bool = True


def read_examples(path: str | Path, domain: str = "") -> list[Example]:
    """Reads all annotated texts of a file, whichever of the three formats it has."""
    source = Path(path)
    if ".jsonl" in source.suffixes:
        examples = _read_lines(source, domain)
    else:
        with open_text(source) as stream:
            examples = [_read_document(source, _read_tab, row, domain) for row in json.load(stream)]
    for example in examples:
        spans = chain.from_iterable(example.layers)
        if any(not 0 <= span.start < span.end <= len(example.text) for span in spans):
            raise CorpusError(f"{source}: document {example.id} has a span outside its text")
    return examples


def _read_lines(source: Path, domain: str) -> list[Example]:
    """Reads silver rows, or annotated paragraphs where no row is silver."""
    rows = list(read_rows(source))
    silver = [row for row in rows if "spans" in row]  # other rows may have names alone
    try:
        if silver:
            return [_read_silver(row, domain) for row in silver]
        return list(_join_paragraphs(rows, domain))
    except (KeyError, TypeError, ValueError) as error:
        raise CorpusError(
            f"{source}: neither silver rows nor annotated paragraphs ({describe_cause(error)})"
        ) from error


def mask_found(example: Example) -> Example:
    """Returns a silver example as if an annotator masked all it marks: what a recogniser finds, it masks."""
    layers = tuple(tuple(replace(span, mask=True) for span in layer) for layer in example.layers)
    return replace(example, layers=layers, judged=True)


def split_examples(
    examples: Sequence[Example], share: float, salt: str = ""
) -> tuple[list[Example], list[Example]]:
    """Splits into training and held-out examples. The id alone chooses the side, the same in every run and file."""
    held = [draw_share(example.id, salt) < share for example in examples]
    train = [example for example, out in zip(examples, held, strict=True) if not out]
    return train, [example for example, out in zip(examples, held, strict=True) if out]


def draw_share(id: str, salt: str = "") -> float:
    """Draws a number in [0, 1) from the id."""
    digest = hashlib.sha256(f"{salt}{id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def open_text(path: Path) -> IO[str]:
    """Opens a plain, .gz, .bz2 or .xz file as a text stream."""
    opener: Any = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}.get(path.suffix, open)
    try:
        stream: IO[str] = opener(path, "rt", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({describe_cause(error)}); check the path"
        ) from error
    return stream


def read_rows(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yields the objects of a JSONL file."""
    with open_text(Path(path)) as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                try:
                    row = json.loads(line)
                except json.JSONDecodeError as error:
                    raise CorpusError(
                        f"{path}: line {number} is not JSON; one object per line is expected"
                    ) from error
                if not isinstance(row, dict) or not isinstance(row.get("text"), str):
                    raise CorpusError(f"{path}: line {number} is not an object with a `text`")
                yield row


def _read_document(
    path: Path, read: Callable[..., Example], row: dict[str, Any], domain: str
) -> Example:
    try:
        return read(row, domain)
    except (KeyError, TypeError, ValueError) as error:
        name = row.get("doc_id", "?") if isinstance(row, dict) else "?"
        raise CorpusError(
            f"{path}: document {name} is not in TAB format ({describe_cause(error)})"
        ) from error


def _read_tab(row: dict[str, Any], domain: str) -> Example:
    layers: list[tuple[Span, ...]] = []
    for layer in row["annotations"].values():
        mentions = layer["entity_mentions"]
        layers.append(tuple(_read_tab_span(mention) for mention in mentions))
    return Example(row["doc_id"], row["text"], tuple(layers), domain)


def _read_tab_span(mention: dict[str, Any]) -> Span:
    role = mention["identifier_type"]
    return Span(
        mention["start_offset"],
        mention["end_offset"],
        EntityType(mention["entity_type"]),
        role in _MASKED,
        role == "DIRECT",
        mention.get("entity_id") or mention["span_text"],
    )


def _join_paragraphs(rows: Iterable[dict[str, Any]], domain: str) -> Iterator[Example]:
    """Joins the paragraphs of one document in order, so that windows see as much context as in use."""
    documents: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        documents[row["doc_id"]].append(row)
    for id, parts in documents.items():
        parts.sort(key=lambda part: (part["offset"], part["para"]))
        names = sorted({name for part in parts for name in part["annotations"]})
        layers: dict[str, list[Span]] = {name: [] for name in names}
        at = 0
        for part in parts:
            for name, mentions in part["annotations"].items():
                layers[name] += [_read_paragraph_span(mention, at) for mention in mentions]
            at += len(part["text"]) + len(_JOIN)
        text = _JOIN.join(part["text"] for part in parts)
        yield Example(id, text, tuple(tuple(layer) for layer in layers.values()), domain)


def _read_paragraph_span(mention: dict[str, Any], at: int) -> Span:
    kind = EntityType(mention["entity_type"])
    role = mention["identifier_type"]
    entity = f"{kind} {mention['text'].casefold()}"
    return Span(
        mention["start"] + at, mention["end"] + at, kind, role in _MASKED, role == "DIRECT", entity
    )


def _read_silver(row: dict[str, Any], domain: str) -> Example:
    spans = [Span(start, end, EntityType(type)) for start, end, type, *_ in row["spans"]]
    names = row.get("names", ())
    spans += [Span(start, end, EntityType.PERSON, direct=True) for start, end in names]
    domain = row.get("domain", domain)
    return Example(str(row["id"]), row["text"], (tuple(spans),), domain, judged=False)
