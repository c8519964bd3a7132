"""`Sanitizer.run`: batches, and the model that reads one ahead."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from maskwise.detecting import BATCH, CHARACTERS, split_batches
from maskwise.errors import MaskingError
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Detection, Document

PEOPLE = ("Ada Berg", "Tomas Lind", "Ruth Okafor", "Piotr Zielak", "Mina Holt")
TEXTS = [
    f"Mr {PEOPLE[n % 5]} was born on {n % 28 + 1} May 19{40 + n % 50} in Bergen. " * (1 + n % 7)
    for n in range(40)
]


class Watched:
    """A detector that finds nothing and tells which documents it has seen."""

    name = "watched"

    def __init__(self, bad: str = "") -> None:
        self.seen: list[str] = []
        self.bad = bad

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        self.seen += [document.id for document in documents]
        if self.bad and any(self.bad in document.text for document in documents):
            raise ValueError("secret")
        return [Detection((), read=len(document)) for document in documents]


def watched(threads: int | None, bad: str = "") -> tuple[Sanitizer, Watched]:
    sanitizer = Sanitizer(Policy(name="rules", threads=threads))
    detector = Watched(bad)
    sanitizer._detectors.detectors.append(detector)
    return sanitizer, detector


def documents(texts: Sequence[str]) -> Iterator[Document]:
    return (Document(text, id=str(at)) for at, text in enumerate(texts))


@pytest.mark.parametrize("threads", [1, None])
def test_many_documents_are_masked_as_each_alone(threads: int | None) -> None:
    sanitizer, _ = watched(threads)
    together = [(result.document.id, result.text) for result in sanitizer.run(documents(TEXTS))]
    assert together == [(str(at), sanitizer.sanitize(text).text) for at, text in enumerate(TEXTS)]


def test_the_model_reads_one_batch_ahead_and_no_more() -> None:
    sanitizer, detector = watched(None)
    results = sanitizer.run(documents(TEXTS[:1] * (4 * BATCH)))
    list(islice(results, BATCH))
    assert BATCH <= len(detector.seen) <= 2 * BATCH
    results.close()  # type: ignore[attr-defined]
    assert not [
        thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")
    ]


@pytest.mark.parametrize("threads", [1, None])
def test_a_failure_comes_after_the_results_before_it_and_tells_no_text(threads: int | None) -> None:
    texts = [*TEXTS[:1] * BATCH, "Mr Ada Berg and the poison."]
    sanitizer, _ = watched(threads, bad="poison")
    results = sanitizer.run(documents(texts))
    assert len(list(islice(results, BATCH))) == BATCH
    with pytest.raises(MaskingError) as error:
        next(results)
    assert "poison" not in str(error.value)
    assert "secret" not in str(error.value)


def test_batches_are_bounded_by_count_and_by_characters_and_lose_nothing() -> None:
    short = list(documents(["a"] * (2 * BATCH + 3)))
    assert [len(batch) for batch in split_batches(short)] == [BATCH, BATCH, 3]
    long = list(documents(["a" * (CHARACTERS // 2)] * 5 + ["a" * (3 * CHARACTERS)]))
    assert [len(batch) for batch in split_batches(long)] == [2, 2, 2]
    assert [document for batch in split_batches(long) for document in batch] == long
    assert list(split_batches([])) == []


def test_entities_are_linked_as_in_a_result() -> None:
    sanitizer = Sanitizer(Policy(name="rules"))
    text = 'Acme Ltd ("Acme") left. Acme came back.'
    spans = [[m.span for m in entity.mentions] for entity in sanitizer.entities(text)]
    found = sanitizer.sanitize(text).entities
    assert spans == [[m.span for m in entity.mentions] for entity in found]
    assert len(spans[0]) == 3
