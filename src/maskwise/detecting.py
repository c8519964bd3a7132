"""The detectors of a line: documents in batches, and what each detector finds in them.

A detector that runs apart, such as the model, reads one batch ahead of the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from maskwise.errors import MaskingError, MaskwiseError
from maskwise.line import BuiltLine
from maskwise.lm import Reading
from maskwise.text import Detection, Detector, Document, Mention, Provenance
from maskwise.text.subtypes import DIRECT

# A batch has at most so many documents and ends with the one that passes so many characters. The model reads a batch
# while the one before is masked, so small batches keep it busy.
BATCH = 16
CHARACTERS = 16_384

# A batch, and by name the pending work of each detector that runs apart.
Started = tuple[list[Document], dict[str, Future[list[Detection]]]]


@dataclass(frozen=True, slots=True)
class Detected:
    """A document, and what each detector found in it, in the order of the policy."""

    document: Document
    detections: list[Detection]


@dataclass(frozen=True, slots=True)
class DetectorGroup:
    """The detectors of a policy, bound to a line. With one thread none runs apart."""

    detectors: Sequence[Detector]
    line: BuiltLine
    threads: int | None = None

    @property
    def names(self) -> list[str]:
        return [detector.name for detector in self.detectors]

    def count_read(self, detections: Sequence[Detection]) -> dict[str, int]:
        """How many characters each detector read."""
        return {name: one.read for name, one in zip(self.names, detections, strict=True)}

    def detect(self, documents: Iterable[Document]) -> Iterator[Detected]:
        """Yields each document with what is found in it, in order."""
        for batch, pending in self._start(split_batches(documents)):
            found = self._collect(batch, pending)
            for document, *detections in zip(batch, *found, strict=True):
                yield Detected(document, detections)

    def _start(self, batches: Iterable[list[Document]]) -> Iterator[Started]:
        """Yields each batch in order. Detectors that run apart read one batch ahead of the caller."""
        apart = [detector for detector in self.detectors if detector.name in self.line.apart]
        with ExitStack() as stack:
            pool = None
            if apart and self.threads != 1:
                pool = stack.enter_context(ThreadPoolExecutor(len(apart)))
            last: Started | None = None
            for documents in batches:
                batch = self._share_reading(documents)
                pending = {}
                if pool:
                    pending = {each.name: pool.submit(_run_detector, each, batch) for each in apart}
                if last:
                    yield last
                last = batch, pending
            if last:
                yield last

    def _share_reading(self, documents: Sequence[Document]) -> list[Document]:
        """Give documents without a reading a common one, so that the model reads each batch once."""
        reading = Reading(states=self.line.keeps_states)
        return [
            each if each.reading is not None else replace(each, reading=reading)
            for each in documents
        ]

    def _collect(
        self, batch: Sequence[Document], pending: Mapping[str, Future[list[Detection]]]
    ) -> list[list[Detection]]:
        """The findings of each detector. Detectors that do not run apart run here, before the wait for the others."""
        found: dict[str, list[Detection]] = {}
        for detector in self.detectors:
            if detector.name not in pending:
                found[detector.name] = _run_detector(detector, batch)
        for name, future in pending.items():
            found[name] = future.result()
        return [found[name] for name in self.names]


def _run_detector(detector: Detector, documents: Sequence[Document]) -> list[Detection]:
    document = documents[0].id if len(documents) == 1 else ""
    with hide_text(f"detector {detector.name}", document):
        # Of a row whose columns tell everything there is nothing to detect.
        read = [each for each in documents if not each.metadata.get("typed")]
        found = iter(detector.detect(read) if read else ())
        return [
            Detection((), 0) if each.metadata.get("typed") else next(found) for each in documents
        ]


def split_batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Documents in order, one batch at a time."""
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document)
        if len(batch) == BATCH or characters >= CHARACTERS:
            yield batch
            batch = []
            characters = 0
    if batch:
        yield batch


def read_given(document: Document) -> Iterator[Mention]:
    """Mentions that the maker of the document vouches for: `(start, end, type)` in `metadata["given"]`.

    Those in `metadata["columns"]` have a type by their column, with a subtype and a score.
    """
    for start, end, kind in document.metadata.get("given", ()):
        yield document.mention(
            start, end, kind, subtype=DIRECT, source=Provenance.GIVEN, certain=True
        )
    for start, end, kind, subtype, score in document.metadata.get("columns", ()):
        yield document.mention(
            start, end, kind, subtype=subtype, source=Provenance.GIVEN, score=score, certain=True
        )


@contextmanager
def hide_text(step: str, document: str) -> Iterator[None]:
    """Turns any failure into one that names the step and the document, and carries no text."""
    try:
        yield
    except MaskwiseError:
        raise
    except Exception as error:
        where = f" of {document!r}" if document else ""
        raise MaskingError(f"{step}{where} failed: {type(error).__name__}") from None
