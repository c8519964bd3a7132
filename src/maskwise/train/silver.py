"""Silver corpora (Papadopoulou et al. 2022, section 4.2): raw texts labelled by detectors, a generic NER or a teacher.

A silver row is `{id, text, spans: [[start, end, type, source]], provenance}`; the trainer reads it beside gold data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from maskwise.detect.gazetteer import GazetteerDetector
from maskwise.detect.merge import merge
from maskwise.detect.neural import NeuralDetector
from maskwise.detect.patterns import PatternDetector
from maskwise.errors import PluginError
from maskwise.text import Detection, Detector, Document, EntityType, Mention
from maskwise.train.data import open_text

_BATCH = 16
# OntoNotes classes as ours (Papadopoulou et al. 2022, table 1); bare numbers say nothing of a person.
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
    progress: bool = True,
) -> int:
    """Labels a JSONL file of texts and returns the number of rows of `target`.

    Patterns and gazetteers always take part; `pipeline` adds a spaCy pipeline, `teacher` a model by name or folder.
    Rows that `target` already has are kept, so a stopped run goes on.
    """
    detectors = default_detectors(pipeline, teacher)
    path = Path(target)
    done = _complete(path)
    documents = islice(_documents(source, characters, limit), done, None)
    provenance = {"detectors": [d.name for d in detectors], "pipeline": str(pipeline or ""), "teacher": teacher or ""}
    with path.open("a", encoding="utf-8") as out, tqdm(initial=done, unit=" texts", disable=not progress) as bar:
        for row in silver_rows(documents, detectors, provenance=provenance, domain=domain):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            done += 1
            bar.update()
    return done


def default_detectors(pipeline: str | Path | None = None, teacher: str | None = None) -> list[Detector]:
    found: list[Detector] = [PatternDetector(), GazetteerDetector()]
    if pipeline is not None:
        found.insert(1, PipelineDetector(pipeline))
    if teacher is not None:
        found.insert(1, NeuralDetector(teacher))
    return found


def silver_rows(
    documents: Iterable[Document], detectors: Sequence[Detector], *, provenance: Mapping[str, Any], domain: str = ""
) -> Iterator[dict[str, Any]]:
    """One row a document: what the detectors found, merged as in the product."""
    stream = iter(documents)
    while batch := list(islice(stream, _BATCH)):
        found = [detector.detect(batch) for detector in detectors]
        for at, document in enumerate(batch):
            mentions = merge([mention for detections in found for mention in detections[at].mentions])
            spans = [[m.start, m.end, m.type.value, m.source] for m in mentions]
            row = {"id": document.id, "text": document.text, "spans": spans, "provenance": provenance}
            yield {**row, "domain": domain} if domain else row


class PipelineDetector:
    """A generic NER: any spaCy pipeline with OntoNotes classes, by package name or folder."""

    name = "generic"

    def __init__(self, pipeline: str | Path, classes: Mapping[str, EntityType] = ONTONOTES) -> None:
        try:
            import spacy
        except ImportError as error:
            raise PluginError("a generic NER needs spaCy: pip install spacy; or leave the pipeline out") from error
        try:
            loaded = spacy.load(pipeline, exclude=["parser", "lemmatizer", "attribute_ruler"])
        except OSError as error:
            raise PluginError(f"{pipeline}: no spaCy pipeline; give the folder that holds its config.cfg") from error
        self._pipe: Callable[..., Any] = loaded.pipe
        self._classes = classes

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        texts = self._pipe([document.text for document in documents])
        pairs = zip(documents, texts, strict=True)
        return [Detection(tuple(self._mentions(d, parsed.ents)), len(d)) for d, parsed in pairs]

    def _mentions(self, document: Document, entities: Iterable[Any]) -> Iterator[Mention]:
        for entity in entities:
            if (type := self._classes.get(entity.label_)) is not None:
                yield document.mention(entity.start_char, entity.end_char, type, source=self.name, score=0.8)


def _documents(source: str | Path, characters: int | None, limit: int | None) -> Iterator[Document]:
    with open_text(Path(source)) as stream:
        for number, line in enumerate(islice(stream, limit)):
            row = json.loads(line)
            yield Document(row["text"][:characters], id=str(row.get("id", number)))


def _complete(path: Path) -> int:
    """Whole rows of a file that a stopped run may have left; a half row at its end is cut off."""
    if not path.exists():
        return 0
    rows, whole = 0, 0
    with path.open("r+b") as file:
        for line in file:
            if line.endswith(b"\n"):
                rows, whole = rows + 1, whole + len(line)
        file.truncate(whole)
    return rows
