"""TAB standoff JSON (Text Anonymization Benchmark, section 4.3), read and written without loss.

Keys that the format does not know are kept and written back. The error for a broken file names the document, the
annotator and the mention that are wrong.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from maskwise.errors import CorpusError, OffsetError, describe_cause
from maskwise.text.document import Document
from maskwise.text.mention import Mention
from maskwise.text.person import Person
from maskwise.text.types import EntityType, IdentifierType, Provenance

Raw = Mapping[str, Any]
T = TypeVar("T")

_OPENERS: Mapping[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
LARGEST = 2 << 30  # bytes of a corpus, unpacked
_CHUNK = 1 << 24
_IDENTIFIERS = {
    "DIRECT": IdentifierType.DIRECT,
    "QUASI": IdentifierType.QUASI,
    "NO_MASK": IdentifierType.NONE,
}
_IDENTIFIER_NAMES = {value: key for key, value in _IDENTIFIERS.items()}
_TYPES = {t.value: t for t in EntityType} | {"UNKNOWN": EntityType.MISC}


@dataclass(frozen=True, slots=True)
class Annotation:
    """One mention as one annotator marked it. `raw` keeps every key of the file."""

    mention: Mention
    identifier: IdentifierType
    entity_id: str
    mention_id: str = ""
    confidential: str | None = None
    raw: Raw = field(default_factory=dict, repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        known: dict[str, Any] = {
            "entity_type": self.mention.type.value,
            "start_offset": self.mention.start,
            "end_offset": self.mention.end,
            "span_text": self.mention.text,
            "identifier_type": _IDENTIFIER_NAMES[self.identifier],
            "entity_id": self.entity_id,
        }
        if self.mention_id:
            known["entity_mention_id"] = self.mention_id
        if self.confidential is not None:
            known["confidential_status"] = self.confidential
        if self.raw.get("entity_type") == "UNKNOWN" and self.mention.type is EntityType.MISC:
            known["entity_type"] = "UNKNOWN"
        return {**self.raw, **known}


@dataclass(frozen=True, slots=True)
class Layer:
    """All annotations of one annotator. They may overlap."""

    annotator: str
    annotations: tuple[Annotation, ...]
    raw: Raw = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class AnnotatedDocument:
    """A document and its annotation layers. `protected` of the document comes from the file's `task`."""

    document: Document
    layers: tuple[Layer, ...]
    raw: Raw = field(default_factory=dict, repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        layers = {}
        for layer in self.layers:
            mentions = [annotation.to_json() for annotation in layer.annotations]
            layers[layer.annotator] = {**layer.raw, "entity_mentions": mentions}
        return {
            **self.raw,
            "doc_id": self.document.id,
            "text": self.document.text,
            "annotations": layers,
        }


def load_corpus(path: str | Path) -> list[AnnotatedDocument]:
    """Read a corpus file: `.json`, also compressed as `.gz`, `.xz` or `.bz2`."""
    return parse_corpus(read_json(path), source=Path(path).name)


def read_json(path: str | Path) -> Any:
    """The JSON value in a file, decompressed by its ending."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        where = f"{Path(path).name}: not JSON at line {error.lineno}, column {error.colno}"
        raise CorpusError(f"{where}: {error.msg}") from None
    except RecursionError:
        raise CorpusError(f"{Path(path).name}: JSON nested too deeply") from None
    except ValueError:
        raise CorpusError(f"{Path(path).name}: JSON holds a number that is too long") from None


def read_text(path: str | Path) -> str:
    """The UTF-8 text in a file, decompressed by its ending; a byte-order mark is left out."""
    path = Path(path)
    try:
        return _read_bytes(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise CorpusError(f"{path.name}: no such file") from None
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path.name}: not UTF-8 at byte {error.start}") from None
    except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error) as error:
        raise CorpusError(f"{path.name}: cannot be read ({describe_cause(error)})") from None


def _read_bytes(path: Path) -> bytes:
    """The bytes of a file, unpacked. A file that is too large is refused before all of it is read."""
    chunks: list[bytes] = []
    left = LARGEST + 1
    if path.is_file() and path.stat().st_size > LARGEST:
        left = 0
    open_packed = _OPENERS.get(path.suffix, open)
    with open_packed(path, "rb") as stream:
        while left and (chunk := stream.read(min(left, _CHUNK))):
            chunks.append(chunk)
            left -= len(chunk)
    if not left:
        raise CorpusError(f"{path.name}: larger than {LARGEST:,} bytes; split it")
    return b"".join(chunks)


def parse_corpus(value: Any, source: str = "corpus") -> list[AnnotatedDocument]:
    """Check a decoded corpus and give it types."""
    if not isinstance(value, list):
        raise CorpusError(f"{source}: expected a list of documents, found {type(value).__name__}")
    documents = [
        _parse_document(entry, f"{source}: document {at}") for at, entry in enumerate(value)
    ]
    seen: dict[str, int] = {}
    for at, item in enumerate(documents):
        if item.document.id in seen:
            raise CorpusError(
                f"{source}: documents {seen[item.document.id]} and {at} have the same doc_id"
            )
        seen[item.document.id] = at
    return documents


def dump_corpus(documents: Iterable[AnnotatedDocument]) -> str:
    """The corpus as JSON text."""
    return json.dumps([d.to_json() for d in documents], ensure_ascii=False, indent=1)


def find_protected(task: str) -> tuple[Person, ...]:
    """The person named after the last colon of a task line, if any."""
    name = task.rpartition(":")[2].strip() if ":" in task else ""
    return (Person(name),) if name else ()


def _parse_document(entry: Any, where: str) -> AnnotatedDocument:
    raw = _check_mapping(entry, where)
    doc_id = _get(raw, "doc_id", str, where)
    where = f"{where} ({doc_id})"
    text = _get(raw, "text", str, where)
    task = raw.get("task")
    protected = find_protected(task) if isinstance(task, str) else ()
    document = Document(text, id=doc_id, protected=protected)
    found = _check_mapping(raw.get("annotations", {}), f"{where}: annotations")
    layers = tuple(_parse_layer(document, name, layer, where) for name, layer in found.items())
    return AnnotatedDocument(document, layers, raw)


def _parse_layer(document: Document, annotator: str, value: Any, where: str) -> Layer:
    where = f"{where}, annotator {annotator}"
    raw = _check_mapping(value, where)
    mentions = _get(raw, "entity_mentions", list, where)
    annotations = (
        _parse_annotation(document, m, f"{where}, mention {at}") for at, m in enumerate(mentions)
    )
    return Layer(annotator, tuple(annotations), raw)


def _parse_annotation(document: Document, value: Any, where: str) -> Annotation:
    raw = _check_mapping(value, where)
    start, end = _get(raw, "start_offset", int, where), _get(raw, "end_offset", int, where)
    kind = _get_choice(raw, "entity_type", _TYPES, where)
    try:
        mention = Mention(
            document,
            start,
            end,
            _get(raw, "span_text", str, where),
            kind,
            source=Provenance.ANNOTATOR,
        )
    except OffsetError as error:
        raise CorpusError(f"{where}: {error}") from None
    entity_id = raw.get("entity_id")
    return Annotation(
        mention,
        _get_choice(raw, "identifier_type", _IDENTIFIERS, where),
        entity_id if isinstance(entity_id, str) else mention.text,
        str(raw.get("entity_mention_id") or ""),
        raw.get("confidential_status"),
        raw,
    )


def _check_mapping(value: Any, where: str) -> Raw:
    if not isinstance(value, dict):
        raise CorpusError(f"{where}: expected an object, found {type(value).__name__}")
    return value


def _get(raw: Raw, key: str, kind: type, where: str) -> Any:
    if key not in raw:
        raise CorpusError(f"{where}: key {key!r} is missing")
    value = raw[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise CorpusError(f"{where}: {key!r} must be {kind.__name__}, found {type(value).__name__}")
    return value


def _get_choice(raw: Raw, key: str, choices: Mapping[str, T], where: str) -> T:
    value = _get(raw, key, str, where)
    if value not in choices:
        raise CorpusError(f"{where}: {key!r} is not one of {', '.join(choices)}")
    return choices[value]
