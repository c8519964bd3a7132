"""TAB metrics (Text Anonymization Benchmark, section 6): precision, recall and entity recalls over several annotators.

Let A(d) be the annotators of a document, M(d) the characters a system masked. Everything is a micro-average over
documents and annotators, as in equations 1, 2 and 4 of the paper:

- precision: of the word tokens in M(d), each counted once per annotator, the share that annotator masked too;
- weighted precision: the same with each token weighted by its information content (see `weights`; 1 by default);
- mention precision: of the masks, each counted once per annotator, the share wholly inside the annotator's masks;
- recall: of the word tokens an annotator masked, the share that is in M(d);
- mention recall: of the mentions an annotator masked, the share wholly in M(d);
- entity recall (all, direct, quasi): of the entities an annotator masked, the share all of whose mentions are.

A mention is wholly masked, and a mask wholly right, when only punctuation or closed-class words are left over (see
`closed_class`). Every metric is a ratio of two sums over documents, so intervals come from resampling documents.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from maskwise.errors import CorpusError
from maskwise.evaluate.closed_class import IGNORED_CHARACTERS, IGNORED_WORDS
from maskwise.text import EntityType, IdentifierType
from maskwise.text.tab import AnnotatedDocument, Layer
from maskwise.text.types import Span

Weights = Callable[[AnnotatedDocument, Sequence[Span]], npt.NDArray[np.float64]]
Floats = npt.NDArray[np.float64]

_TOKEN = re.compile(r"\w+")
_IGNORED_CODES = np.array([ord(c) for c in IGNORED_CHARACTERS], dtype=np.uint32)

METRICS = (
    "precision",
    "weighted_precision",
    "mention_precision",
    "recall",
    "mention_recall",
    "entity_recall",
    "entity_recall_direct",
    "entity_recall_quasi",
    *(f"recall_{t.value.lower()}" for t in EntityType),
)


@dataclass(frozen=True, slots=True)
class Score:
    """A metric with its 95 % interval (percentile bootstrap over documents). NaN where there is nothing to count."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


class MaskedText:
    """A document with masks, as arrays over its characters, to compare every annotator's layer with."""

    def __init__(self, text: str, masks: Sequence[Span]) -> None:
        size = len(text)
        self.tokens: list[Span] = [m.span() for m in _TOKEN.finditer(text)]
        self.masked = cover_characters(size, masks)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        ignored = np.isin(codes, _IGNORED_CODES)
        for start, end in self.tokens:
            if text[start:end].casefold() in IGNORED_WORDS:
                ignored[start:end] = True
        self.ignored = ignored
        self._open = sum_open(self.masked | ignored)
        self.starts = np.array([s for s, _ in self.tokens], dtype=np.int64)
        self.ends = np.array([e for _, e in self.tokens], dtype=np.int64)

    def is_closed(self, start: int, end: int) -> bool:
        """Whether nothing that matters of `[start, end)` is left visible."""
        return bool(self._open[start] == self._open[end])

    def find_tokens(self, start: int, end: int) -> npt.NDArray[np.int64]:
        """Returns the numbers of the tokens within `[start, end)`."""
        first = np.searchsorted(self.starts, start)
        last = np.searchsorted(self.ends, end, side="right")
        return np.arange(first, max(first, last))


def cover_characters(size: int, spans: Iterable[Span]) -> npt.NDArray[np.bool_]:
    """Marks which of `size` characters lie in a span."""
    found = np.zeros(size, dtype=bool)
    for start, end in spans:
        found[start:end] = True
    return found


def sum_open(closed: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Returns prefix sums of the characters that are not closed. A span is closed if the sums at its ends are equal."""
    return np.concatenate([[0], np.cumsum(~closed)])


def list_masked_spans(layer: Layer) -> list[Span]:
    """Returns the spans that the annotator masks: direct and quasi-identifiers."""
    return [a.mention.span for a in layer.annotations if a.identifier is not IdentifierType.NONE]


def check_masks(item: AnnotatedDocument, masks: Sequence[Span]) -> None:
    """Refuses masks that are not in the text."""
    size = len(item.document)
    for start, end in masks:
        if not 0 <= start < end <= size:
            raise CorpusError(
                f"document {item.document.id!r}: mask [{start}, {end}) is empty or outside {size} characters"
            )


def count_document(
    item: AnnotatedDocument, masks: Sequence[Span], weights: Weights | None = None
) -> Floats:
    """Returns numerators and denominators of `METRICS` for one document, as an array of shape (metrics, 2)."""
    check_masks(item, masks)
    text = MaskedText(item.document.text, masks)
    # A token is in M(d) when the system masked any part of it: masks that cut a word are masks of that word.
    chosen = [n for n, (start, end) in enumerate(text.tokens) if text.masked[start:end].any()]
    weight = weights(item, [text.tokens[n] for n in chosen]) if weights else np.ones(len(chosen))
    table: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for layer in item.layers:
        gold = _find_gold_tokens(text, layer)
        right = np.array([n in gold for n in chosen], dtype=bool)
        _add_counts(table["precision"], right.sum(), len(chosen))
        _add_counts(table["weighted_precision"], weight[right].sum(), weight.sum())
        masked_by_annotator = cover_characters(len(item.document), list_masked_spans(layer))
        open_before = sum_open(masked_by_annotator | text.ignored)
        right_masks = sum(open_before[start] == open_before[end] for start, end in masks)
        _add_counts(table["mention_precision"], right_masks, len(masks))
        _add_recalls(text, layer, table)
    return np.array([table[name] for name in METRICS])


def _find_gold_tokens(text: MaskedText, layer: Layer) -> set[int]:
    """Returns the tokens inside a mention that the annotator masked."""
    found: set[int] = set()
    for span in list_masked_spans(layer):
        found.update(text.find_tokens(*span).tolist())
    return found


def _add_counts(row: list[float], part: float, whole: float) -> None:
    row[0] += float(part)
    row[1] += float(whole)


def _add_recalls(text: MaskedText, layer: Layer, table: dict[str, list[float]]) -> None:
    safe_entities: dict[str, bool] = {}
    direct: set[str] = set()
    for a in layer.annotations:
        if a.identifier is IdentifierType.NONE:
            continue
        start, end = a.mention.span
        closed = text.is_closed(start, end)
        safe_entities[a.entity_id] = safe_entities.get(a.entity_id, True) and closed
        if a.identifier is IdentifierType.DIRECT:
            direct.add(a.entity_id)
        tokens = text.find_tokens(start, end)
        found = sum(text.is_closed(*text.tokens[n]) for n in tokens)
        for name in ("recall", f"recall_{a.mention.type.value.lower()}"):
            _add_counts(table[name], found, len(tokens))
        _add_counts(table["mention_recall"], closed, 1)
    for entity, is_safe in safe_entities.items():
        kind = "direct" if entity in direct else "quasi"
        _add_counts(table["entity_recall"], is_safe, 1)
        _add_counts(table[f"entity_recall_{kind}"], is_safe, 1)


def tally_documents(
    corpus: Sequence[AnnotatedDocument],
    masks: Mapping[str, Sequence[Span]],
    weights: Weights | None = None,
) -> Floats:
    """Returns the counts of all documents: shape (documents, metrics, 2). One without masks counts as clear text."""
    unknown = sorted(set(masks) - {item.document.id for item in corpus})
    if unknown:
        raise CorpusError(
            f"masks name {len(unknown)} documents that are not in the corpus, first {unknown[0]!r}"
        )
    if not corpus:
        raise CorpusError("the corpus has no documents to evaluate")
    pairs = [(item, masks.get(item.document.id, ())) for item in corpus]
    return np.stack([count_document(item, spans, weights) for item, spans in pairs])


def evaluate_masks(
    corpus: Sequence[AnnotatedDocument],
    masks: Mapping[str, Sequence[Span]],
    *,
    weights: Weights | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Score]:
    """Returns all metrics with intervals, F1 and F2 among them."""
    return summarise_counts(tally_documents(corpus, masks, weights), resamples=resamples, seed=seed)


def summarise_counts(table: Floats, *, resamples: int = 1000, seed: int = 0) -> dict[str, Score]:
    """Returns metrics with intervals from the counts of documents."""
    values = compute_ratios(table.sum(axis=0)[None])
    samples = compute_ratios(resample_documents(table, resamples, seed))
    return {name: make_interval(value[0], samples[name]) for name, value in values.items()}


def resample_documents(table: Floats, resamples: int, seed: int) -> Floats:
    """Returns sums over documents drawn with replacement. The draws depend on seed and number of documents alone."""
    size = len(table)
    draws = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), size=resamples)
    return np.asarray(np.einsum("rd,dmk->rmk", draws.astype(np.float64), table, optimize=True))


def compute_ratios(sums: Floats) -> dict[str, Floats]:
    """Returns metrics by name, F1 and F2 among them, from sums of shape (samples, metrics, 2)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = sums[..., 0] / sums[..., 1]
    named = dict(zip(METRICS, values.T, strict=True))
    named["f1"] = _compute_f(named["precision"], named["recall"], 1.0)
    named["f2"] = _compute_f(named["precision"], named["recall"], 2.0)
    return named


def _compute_f(precision: Floats, recall: Floats, beta: float) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((1 + beta**2) * precision * recall / (beta**2 * precision + recall))


def make_interval(value: float, samples: Floats) -> Score:
    """Returns a value with the interval of the middle 95 % of its resampled values."""
    known = samples[~np.isnan(samples)]
    low, high = np.quantile(known, (0.025, 0.975)) if known.size else (np.nan, np.nan)
    return Score(float(value), float(low), float(high))
