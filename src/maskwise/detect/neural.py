"""The embedded model as a detector: BIO probabilities of word pieces, read as mentions on whole words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from maskwise.detect.patterns._tables import find_cells
from maskwise.detect.rare_names import is_rare_name
from maskwise.lm import Model, Prediction, Reading, load_model
from maskwise.lm.encoder import Array
from maskwise.lm.folder import Point
from maskwise.lm.model import average_words
from maskwise.plugins import Count, FromPolicy, Recall
from maskwise.text import Detection, Document, EntityType, Line, Mention, Provenance
from maskwise.text.domain import LEARNT, get_domain
from maskwise.text.layout import find_edges
from maskwise.text.subtypes import DIRECT
from maskwise.text.tokens import ABBREVIATIONS

TYPES = tuple(EntityType)
FAINT = 0.12  # the probability from which a rare word in a capital is somebody
DIRECT_FROM = 0.5  # from this mean probability on, the mention names the person the text is about
# Small words that open a phrase but do not belong to its name. With a capital they do ("The Hague"), unless a sentence
# begins there.
_SMALL = "the|an?|of|in|on|at|to|from|by|for|with|and|as|dear|hello|hi"
_LEAD = re.compile(rf"(?:{_SMALL})\s+(?=\S)", re.IGNORECASE)
# Alone these say nothing; before a time, an amount or a place they may belong to it ("over 500").
_ALONE = (
    "between|since|until|till|during|before|after|within|more than|less than|over|under|about|around|at least|at most"
    "|up to|nearly|almost|approximately|northern|southern|eastern|western|central"
)
_EMPTY = re.compile(rf"(?:{_SMALL}|Dear|Hello|Hi|(?i:{_ALONE}))|[^\w]*")
_SENTENCE = re.compile(r"(?:\A|\n|[.!?][\"'”’)\]]*\s+)\Z")
_OPEN = re.compile(r"[\s,;:.!?/\-–—)\]|]+")
_INITIALS_BEFORE = re.compile(r"(?<!\w)(?:[^\W\d_a-z]\.[ -]?){1,3}\Z")
_CLOSE = re.compile(r"[\s,;:!?/\-–—(\[|]+\Z")
_TRAIL = re.compile(r"\s(?:and|or|of|the|an?|with|in|at|from|instead|again|too|either|however)\Z")
_STOPPED = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*)\.\Z")
_PAIR = {")": "(", "]": "["}
_CLOSING = {opening: closing for closing, opening in _PAIR.items()}
_MARKS = frozenset(("Mn", "Mc", "Me", "Cf"))
_EDGE = re.compile(r"[ \t]*[\t|][ \t|]*")  # of a cell in a table
# A line of a form, a table, a log or a chat: a label with its sign, a tab, a time, a speaker.
_RECORD = re.compile(
    r"[ \t]*(?:[\w.#/'’()-]+(?:[ _][\w.#/'’()-]+){0,3}[ ]?(?:[:=](?=\s|\Z)|\t|\|)|[^\n\t]{0,60}?(?:\t|[ ]\|[ ])"
    r"|\[?[0-9]{1,4}[-:/.][0-9]{2}|[-*•][ ]|<\w)"
)


@dataclass(frozen=True)
class NeuralDetector:
    """Finds mentions of all eight types with the model of that name or path.

    `recall` is the point on the curve: "precision", "balanced", "recall", or a number from 0 (precise) to 1 (complete).
    A mention's score is the probability that it is one. Models are loaded at the first document.
    """

    name: ClassVar[str] = Provenance.NEURAL

    model: Annotated[str, FromPolicy()] = "small"
    recall: Annotated[Recall, FromPolicy()] = "balanced"
    threads: Annotated[Count | None, FromPolicy()] = None

    def bind(self, line: Line) -> NeuralDetector:
        line.run_apart(self.name)
        return self

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        model: Model = load_model(self.model, self.threads)
        point = model.config.find_point(self.recall)
        annotations = Reading.find(documents[0]).annotate(model, documents) if documents else []
        return [
            Detection(tuple(decode_mentions(document, annotation, point)), len(document))
            for document, annotation in zip(documents, annotations, strict=True)
        ]


def decode_mentions(document: Document, annotation: Prediction, point: Point) -> Iterator[Mention]:
    """Yields typed mentions: runs of words that look like personal information, or that the model would mask.

    A word is inside a run if its mean probability says so. A run is cut where a word more likely begins a mention than
    goes on with one, and at the ends of lines that were ended on purpose (the model reads no line breaks). The type is
    the likeliest over all pieces of the mention.
    """
    pieces = annotation.pieces
    first = np.flatnonzero(np.diff(pieces.words, prepend=-1))  # the first piece of each word
    found = average_words(pieces.words, 1 - annotation.tags[:, 0])
    masked = average_words(pieces.words, annotation.mask)
    inside = (found >= point.detect) | (masked >= point.mask)
    begins = _find_beginnings(document.text, annotation, first)
    if get_domain(document) not in (None, *LEARNT):
        inside = _add_faint_names(document.text, annotation, first, found, inside)
    spans: list[tuple[int, int]] = []
    runs: list[tuple[int, int]] = []
    end = 0
    for left, right in _find_runs(inside, begins):
        low, high = int(first[left]), int(first[right]) if right < len(first) else len(pieces)
        limit = int(pieces.starts[high]) if high < len(pieces) else len(document)
        stop = _extend_word(document.text, int(pieces.ends[high - 1]), limit)
        start, stop = _trim_span(document.text, max(end, int(pieces.starts[low])), stop)
        if not _is_empty(document.text[start:stop]):
            end = stop
            spans.append((start, stop))
            runs.append((left, right))
    if spans:
        scores = _average_rows(found, *np.array(runs).T)
        yield from _read_mentions(document, annotation, spans, scores)


def _add_faint_names(
    text: str,
    annotation: Prediction,
    first: NDArray[np.intp],
    found: Array,
    inside: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Marks words that the model faintly takes for a person and that no list knows as anything else."""
    pieces, added = annotation.pieces, inside.copy()
    tags = annotation.tags[first, 1:].reshape(len(first), len(TYPES), 2).sum(2)
    is_person = tags.argmax(1) == TYPES.index(EntityType.PERSON)
    for at in np.flatnonzero(is_person & ~inside & (found >= FAINT)).tolist():
        last = int(first[at + 1]) if at + 1 < len(first) else len(pieces)
        start, end = _trim_span(text, int(pieces.starts[first[at]]), int(pieces.ends[last - 1]))
        if start < end and is_rare_name(text[start:end]):
            initials = _INITIALS_BEFORE.search(text, max(0, start - 12), start)
            opening = initials.start() if initials else start
            added[int(np.searchsorted(pieces.starts[first], opening)) : at + 1] = True
    return added


def _find_beginnings(
    text: str, annotation: Prediction, first: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Returns for each word whether it begins a mention rather than goes on with one."""
    tags = annotation.tags[:, 1:].reshape(len(annotation.pieces), len(TYPES), 2)
    begins: NDArray[np.bool_] = tags[first, :, 0].sum(1) > tags[first, :, 1].sum(1)
    after_breaks = np.searchsorted(annotation.pieces.starts[first], list(_find_breaks(text)))
    begins[after_breaks[after_breaks < len(first)]] = True
    return begins


def _find_breaks(text: str) -> Iterator[int]:
    """Yields where text goes on after an empty line, the edge of a cell, or a line break made on purpose.

    A break was made on purpose if the next word had room on the line, or if the next line belongs to a form, a table, a
    log or a chat.
    """
    yield from find_edges(text)
    yield from (edge.end() for edge in _EDGE.finditer(text))
    yield from (cell.start for cell in find_cells(text) if cell.sign != ",")
    lines = text.split("\n")
    width = max(map(len, lines))
    at = 0
    for line, following in pairwise(lines):
        at += len(line) + 1
        if _RECORD.match(following):
            yield at
            continue
        word = len(following.split(None, 1)[0]) if following[:1].strip() else width
        if len(line.rstrip()) + 1 + word <= width:
            yield at


def _read_mentions(
    document: Document, annotation: Prediction, spans: Sequence[tuple[int, int]], scores: Array
) -> Iterator[Mention]:
    """Yields the spans as mentions, each with the likeliest type over all its pieces."""
    starts, ends = np.array(spans, dtype=np.int32).T
    low = np.searchsorted(annotation.pieces.ends, starts, side="right")
    high = np.searchsorted(annotation.pieces.starts, ends, side="left")
    tags = _average_rows(annotation.tags, low, high)[:, 1:].reshape(-1, len(TYPES), 2)
    kinds = tags.sum(axis=2).argmax(axis=1)
    direct = _average_rows(annotation.direct, low, high) >= DIRECT_FROM
    columns = [column.tolist() for column in (starts, ends, kinds, direct, np.clip(scores, 0, 1))]
    for start, end, kind, is_direct, score in zip(*columns, strict=True):
        yield document.mention(
            start,
            end,
            TYPES[kind],
            source=NeuralDetector.name,
            score=round(score, 4),
            subtype=DIRECT if is_direct else "",
        )


def _average_rows(values: Array, low: NDArray[np.intp], high: NDArray[np.intp]) -> Array:
    """Returns the mean of each range `[low, high)` of rows. Ranges rise; an empty one takes the next row."""
    low = np.minimum(low, len(values) - 1)
    size = np.maximum(high - low, 1)
    first = np.cumsum(size) - size
    rows = values[np.arange(int(size.sum())) + np.repeat(low - first, size)]
    sums = np.add.reduceat(rows, first)
    counts = size.reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(sums / counts, dtype=np.float32)


def _find_runs(inside: NDArray[np.bool_], begins: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yields ranges of words. Each starts where a run starts, or where a mention begins inside a run."""
    before = np.concatenate([[False], inside[:-1]]) if len(inside) else inside
    starts = np.flatnonzero(inside & (~before | begins))
    outside = np.flatnonzero(~inside)
    ends = np.append(outside, len(inside))[np.searchsorted(outside, starts)]
    for at, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        following = int(starts[at + 1]) if at + 1 < len(starts) else end
        yield start, min(end, following)


def _extend_word(text: str, end: int, limit: int) -> int:
    """Returns the end of a word with the accents and joiners after it, which have no piece of their own."""
    while end < limit and unicodedata.category(text[end]) in _MARKS:
        end += 1
    return end


def _trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Trims small words and loose punctuation at both ends."""
    if skip := _OPEN.match(text, start, end):
        start = skip.end()
    while (lead := _LEAD.match(text, start, end)) and (
        text[start].islower() or _is_sentence_start(text, start)
    ):
        start = lead.end()
    if _has_loose_start(text[start:end]):
        start += 1
        if skip := _OPEN.match(text, start, end):
            start = skip.end()
    while start < end:
        if tail := _CLOSE.search(text, start, end) or _TRAIL.search(text, start, end):
            end = tail.start()
        elif _has_loose_end(text[start:end]):
            end -= 1
        else:
            break
    return start, end


def _is_empty(text: str) -> bool:
    """Whether nothing is left but a small word or punctuation."""
    return _EMPTY.fullmatch(text) is not None


def _is_sentence_start(text: str, at: int) -> bool:
    """Whether a sentence begins here."""
    return _SENTENCE.search(text, max(0, at - 8), at) is not None


def _is_abbreviation(word: str) -> bool:
    """Whether its full stop belongs to it: "J.", "U.S.", "Ltd."."""
    return all(len(part) == 1 for part in word.split(".")) or word.casefold() in ABBREVIATIONS


def _has_loose_start(text: str) -> bool:
    """Whether it begins with a bracket that it does not close: "(0151 555 0199"."""
    return text[:1] in _CLOSING and _CLOSING[text[0]] not in text


def _has_loose_end(text: str) -> bool:
    """Whether it ends in a full stop after no abbreviation, or in a bracket that it does not open."""
    if text[-1] == ".":
        word = _STOPPED.search(text)
        return word is None or not _is_abbreviation(word[1])
    return text[-1] in ")]" and text.count(_PAIR[text[-1]]) < text.count(text[-1])
