"""Labels raw texts by detectors, a generic NER or a teacher: silver corpora (Papadopoulou et al. 2022, section 4.2).

A silver row is `{id, text, spans: [[start, end, type, source]], names: [[start, end]], provenance}`. The trainer reads
it beside gold data. `names` is distant supervision: every mention of the person that the text is about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from maskwise.detect.gazetteer import GazetteerDetector
from maskwise.detect.merge import merge_mentions
from maskwise.detect.neural import NeuralDetector
from maskwise.detect.patterns import PatternDetector
from maskwise.errors import InputError, PluginError
from maskwise.link import RuleLinker
from maskwise.text import Detection, Detector, Document, EntityType, Mention, Person
from maskwise.train.data import read_rows

_BATCH = 16
_BRACKETS = re.compile(r"\s*\(.*?\)")
# OntoNotes classes as ours (Papadopoulou et al. 2022, table 1). Bare numbers say nothing of a person.
ONTONOTES: Mapping[str, EntityType] = {
    "PERSON": EntityType.PERSON,
    **dict.fromkeys(("GPE", "LOC", "FAC"), EntityType.LOC),
    "ORG": EntityType.ORG,
    "NORP": EntityType.DEM,
    **dict.fromkeys(("DATE", "TIME"), EntityType.DATETIME),
    **dict.fromkeys(("MONEY", "PERCENT", "QUANTITY"), EntityType.QUANTITY),
    **dict.fromkeys(("WORK_OF_ART", "EVENT", "PRODUCT", "LAW", "LANGUAGE"), EntityType.MISC),
}


def label_texts(
    source: str | Path,
    target: str | Path,
    *,
    pipeline: str | Path | None = None,
    teacher: str | None = None,
    limit: int | None = None,
    characters: int | None = None,
    domain: str = "",
    subject: str | None = None,
    typed: int | None = None,
    drop: str | None = None,
    progress: bool = True,
) -> int:
    """Labels a JSONL file of texts and returns the number of rows of `target`.

    Patterns and gazetteers always take part. `pipeline` adds a spaCy pipeline, `teacher` a model by name or folder.
    `subject` is the key of a row that names its subject. Only the first `typed` rows get types; the others get names
    alone, which is faster. Rows in which the key `drop` is set are left out. Rows that `target` already has are kept,
    so a stopped run continues.
    """
    detectors = build_detectors(pipeline, teacher)
    path = Path(target)
    done = _repair_rows(path)
    documents = islice(_read_documents(source, characters, limit, subject, drop), done, None)
    provenance = {
        "detectors": [d.name for d in detectors],
        "pipeline": str(pipeline or ""),
        "teacher": teacher or "",
    }
    rest = None if typed is None else max(typed - done, 0)
    rows = _label_documents(documents, detectors, provenance=provenance, domain=domain, typed=rest)
    path.parent.mkdir(parents=True, exist_ok=True)
    bar = tqdm(initial=done, unit=" texts", disable=not progress)
    with path.open("a", encoding="utf-8") as out, bar:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            done += 1
            bar.update()
    return done


def build_detectors(
    pipeline: str | Path | None = None, teacher: str | None = None
) -> list[Detector]:
    """Builds the detectors in order of strength: those that read context, then patterns, then lists."""
    found: list[Detector] = [PatternDetector(), GazetteerDetector()]
    if pipeline is not None:
        found.insert(0, PipelineDetector(pipeline))
    if teacher is not None:
        found.insert(0, NeuralDetector(teacher))
    return found


def _label_documents(
    documents: Iterable[Document],
    detectors: Sequence[Detector],
    *,
    provenance: Mapping[str, Any],
    domain: str = "",
    typed: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Yields one row per document: its mentions and the names of its subject. The first detector is the strongest.

    After the first `typed` documents only the names are looked for.
    """
    stream = iter(documents)
    order = [detector.name for detector in detectors]
    for first in count(0, _BATCH):
        batch = list(islice(stream, _BATCH))
        if not batch:
            return
        reach = len(batch) if typed is None else max(min(typed - first, len(batch)), 0)
        found = [detector.detect(batch[:reach]) for detector in detectors] if reach else []
        for at, document in enumerate(batch):
            mentions: Sequence[Mention] = ()
            if at < reach:
                seen = chain.from_iterable(detections[at].mentions for detections in found)
                mentions = merge_mentions(seen, order)
            row: dict[str, Any] = {"id": document.id, "text": document.text}
            if document.protected:
                mentions, row["names"] = _mark_names(document, mentions)
            if at < reach:
                row["spans"] = [[m.start, m.end, m.type.value, m.source] for m in mentions]
            row["provenance"] = provenance
            yield {**row, "domain": domain} if domain else row


def _mark_names(
    document: Document, mentions: Sequence[Mention]
) -> tuple[list[Mention], list[list[int]]]:
    """Returns the mentions as the linker completes them, and every mention of the protected person."""
    entities = RuleLinker().link(document, mentions)
    names = [m for e in entities if e.protected and e.type is EntityType.PERSON for m in e.mentions]
    every = [m for e in entities for m in e.mentions]
    return sorted(every, key=lambda m: m.start), sorted([m.start, m.end] for m in names)


class PipelineDetector:
    """A generic NER: any spaCy pipeline with OntoNotes classes, by package name or folder."""

    name = "generic"

    def __init__(self, pipeline: str | Path, classes: Mapping[str, EntityType] = ONTONOTES) -> None:
        try:
            import spacy
        except ImportError as error:
            raise PluginError(
                "a generic NER needs spaCy: pip install spacy; or leave the pipeline out"
            ) from error
        try:
            loaded = spacy.load(pipeline, exclude=["parser", "lemmatizer", "attribute_ruler"])
        except OSError as error:
            raise PluginError(
                f"{pipeline}: no spaCy pipeline; give the folder that holds its config.cfg"
            ) from error
        self._pipe: Callable[..., Any] = loaded.pipe
        self._classes = classes

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        texts = self._pipe([document.text for document in documents])
        pairs = zip(documents, texts, strict=True)
        return [
            Detection(tuple(self._read_mentions(d, parsed.ents)), len(d)) for d, parsed in pairs
        ]

    def _read_mentions(self, document: Document, entities: Iterable[Any]) -> Iterator[Mention]:
        for entity in entities:
            if (type := self._classes.get(entity.label_)) is not None:
                yield document.mention(
                    entity.start_char, entity.end_char, type, source=self.name, score=0.8
                )


def _read_documents(
    source: str | Path,
    characters: int | None,
    limit: int | None,
    subject: str | None,
    drop: str | None,
) -> Iterator[Document]:
    kept = (row for row in read_rows(source) if not drop or not row.get(drop))
    for number, row in enumerate(islice(kept, limit)):
        id = str(row.get("id", number))
        yield Document(
            _shorten_text(row["text"], characters),
            id=id,
            protected=_read_subject(source, row, id, subject),
        )


def _read_subject(
    source: str | Path, row: Mapping[str, Any], id: str, key: str | None
) -> tuple[Person, ...]:
    """Returns the person a row is about. A remark in brackets ("Ann Lee (painter)") is no part of the name."""
    if key is None:
        return ()
    if not isinstance(row.get(key), str):
        raise InputError(f"{source}: row {id} has no {key!r} with the name of its subject")
    name = _BRACKETS.sub("", row[key]).strip()
    return (Person(name),) if name else ()


def _shorten_text(text: str, characters: int | None) -> str:
    """Returns the first `characters`, cut at a space if one is not far back."""
    if characters is None or len(text) <= characters:
        return text
    space = text.rfind(" ", 0, characters)
    return text[: space if space > characters * 2 // 3 else characters]


def _repair_rows(path: Path) -> int:
    """Cuts off a half row that a stopped run left at the end of a file. Returns the number of whole rows."""
    if not path.exists():
        return 0
    rows, whole = 0, 0
    with path.open("r+b") as file:
        for line in file:
            if line.endswith(b"\n"):
                rows, whole = rows + 1, whole + len(line)
        file.truncate(whole)
    return rows
