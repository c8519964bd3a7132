"""Measures agreement between annotators (TAB, section 5.2), and how each of them, and their majority, would score.

Attributes are entity type, identifier type and confidential status. Units are characters and spans. Two spans are the
same if both ends are equal (exact) or if they start at one place (partial). A coefficient (Artstein and Poesio 2008) is
computed per document with two annotators or more and averaged over documents. The interval resamples documents. A span
that an annotator did not mark is a label of its own for observed agreement and kappa, missing for alpha, and not
confidential for confidential status.

In a table of labels, rows are annotators and columns are items. 0 is an item that the annotator did not mark, 1 and up
are categories. `weights` says how much an item counts: a run of characters with one labelling counts its length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from maskwise.evaluate.tab import (
    Floats,
    Score,
    count_document,
    cover_characters,
    list_masked_spans,
    make_interval,
)
from maskwise.text.tab import AnnotatedDocument, Annotation, Layer
from maskwise.text.types import Span

Labels = npt.NDArray[np.int64]
Trial = tuple[AnnotatedDocument, list[Span]]  # masks, and the annotators to score them against
Unit = Literal["exact", "partial", "character"]
UNITS: tuple[Unit, ...] = ("exact", "partial", "character")
CONFIDENTIAL = "confidential status"
NOT_CONFIDENTIAL = "NOT_CONFIDENTIAL"
ATTRIBUTES: Mapping[str, Callable[[Annotation], str | None]] = {
    "entity type": lambda a: a.mention.type.value,
    "identifier type": lambda a: a.identifier.value,
    CONFIDENTIAL: lambda a: a.confidential,
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """The coefficients of one attribute over one unit, from the documents with two annotators to compare."""

    attribute: str
    unit: Unit
    documents: int
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True, eq=False)
class Disagreements:
    """`matrix[i, j]`: spans that one annotator gave label i and another label j, each span counted once."""

    attribute: str
    labels: tuple[str, ...]
    matrix: npt.NDArray[np.int64]


def compute_observed(labels: Labels, weights: Floats) -> float:
    """Computes average observed agreement: the share of pairs of annotators that give an item the same label."""
    table = _count_labels(labels)
    raters = len(labels)
    same = ((table**2).sum(axis=1) - raters) / (raters * (raters - 1))
    return float(np.average(same, weights=weights))


def compute_fleiss(labels: Labels, weights: Floats) -> float:
    """Computes Fleiss' kappa (1971): (Ao - Ae) / (1 - Ae). Ae is the chance that two of all labels are equal."""
    share = weights @ _count_labels(labels) / (weights.sum() * len(labels))
    return _correct_for_chance(compute_observed(labels, weights), float((share**2).sum()))


def compute_cohen(labels: Labels, weights: Floats) -> float:
    """Computes Cohen's kappa (1960) of each pair of annotators with their own distributions, averaged over pairs."""
    rows = np.eye(int(labels.max(initial=0)) + 1)[labels]
    shares = np.einsum("rik,i->rk", rows, weights) / weights.sum()
    kappas = []
    for one, other in combinations(range(len(labels)), 2):
        actual = float(np.average(labels[one] == labels[other], weights=weights))
        chance = float(shares[one] @ shares[other])
        kappas.append(_correct_for_chance(actual, chance))
    return float(np.mean(kappas))


def compute_krippendorff(labels: Labels, weights: Floats) -> float:
    """Computes Krippendorff's alpha (1980) for categories: 1 - Do / De. An unmarked item is missing."""
    table = _count_labels(labels)[:, 1:]
    sizes = table.sum(axis=1)
    paired = sizes > 1
    table = table[paired]
    sizes = sizes[paired]
    weights = weights[paired]
    total = float(weights @ sizes)
    if total <= 1:
        return float("nan")
    category = weights @ table
    differing_pairs = sizes**2 - (table**2).sum(axis=1)
    actual = float(weights @ (differing_pairs / (sizes - 1))) / total
    expected = float(total**2 - (category**2).sum()) / (total * (total - 1))
    return 1 - actual / expected if expected > 0 else 1.0


def _count_labels(labels: Labels) -> Floats:
    """Counts how many annotators gave each item each label."""
    categories = range(int(labels.max(initial=0)) + 1)
    counts = [(labels == category).sum(axis=0) for category in categories]
    return np.stack(counts, axis=1).astype(float)


def _correct_for_chance(actual: float, chance: float) -> float:
    return (actual - chance) / (1 - chance) if chance < 1 else 1.0


COEFFICIENTS: Mapping[str, Callable[[Labels, Floats], float]] = {
    "observed": compute_observed,
    "fleiss": compute_fleiss,
    "cohen": compute_cohen,
    "alpha": compute_krippendorff,
}


def measure_agreement(
    corpus: Sequence[AnnotatedDocument], *, resamples: int = 1000, seed: int = 0
) -> list[Agreement]:
    """Measures all attributes over all units. If no document has two layers with the attribute, the scores are NaN."""
    return [
        _measure_attribute(corpus, attribute, unit, resamples, seed)
        for attribute in ATTRIBUTES
        for unit in UNITS
    ]


def count_disagreements(corpus: Sequence[AnnotatedDocument], attribute: str) -> Disagreements:
    """Counts how often two annotators give different labels to spans with equal ends."""
    names = _list_labels(corpus, attribute)
    matrix = np.zeros((len(names), len(names)), dtype=np.int64)
    for item in corpus:
        labels, _ = _tabulate_labels(item, attribute, names, "exact")
        for column in labels.T:
            given = np.bincount(column[column > 0] - 1, minlength=len(names))
            for i, j in combinations(np.flatnonzero(given).tolist(), 2):
                matrix[i, j] += 1
                matrix[j, i] += 1
            matrix[np.diag_indices_from(matrix)] += given > 1
    return Disagreements(attribute, names, matrix)


def score_against_others(corpus: Sequence[AnnotatedDocument]) -> Floats:
    """Counts (as `tab.tally_documents`) each annotator's masks against the other annotators: the human ceiling."""
    trials: list[list[Trial]] = []
    for item in corpus:
        if len(item.layers) > 1:
            trials.append([])
            for layer, others in _hold_out_each(item):
                trials[-1].append((_keep_layers(item, others), list_masked_spans(layer)))
    return _sum_trials(trials)


def score_majority_of_others(corpus: Sequence[AnnotatedDocument]) -> Floats:
    """Counts the majority of all other annotators against each one, in documents with three annotators or more."""
    trials: list[list[Trial]] = []
    for item in corpus:
        if len(item.layers) > 2:
            trials.append([])
            for layer, others in _hold_out_each(item):
                masks = find_majority(len(item.document), others)
                trials[-1].append((_keep_layers(item, [layer]), masks))
    return _sum_trials(trials)


def score_majority_of_all(corpus: Sequence[AnnotatedDocument]) -> Floats:
    """Counts the majority of all annotators against all: about the most that one set of masks can reach."""
    trials: list[list[Trial]] = []
    for item in corpus:
        if len(item.layers) > 1:
            masks = find_majority(len(item.document), item.layers)
            trials.append([(item, masks)])
    return _sum_trials(trials)


def find_majority(size: int, layers: Sequence[Layer]) -> list[Span]:
    """Returns the spans of the characters that at least half of the annotators mask."""
    votes = np.sum([cover_characters(size, list_masked_spans(layer)) for layer in layers], axis=0)
    has_majority = (2 * votes >= len(layers)).astype(np.int8)
    framed = np.concatenate([[0], has_majority, [0]])
    edges = np.flatnonzero(np.diff(framed))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def _hold_out_each(item: AnnotatedDocument) -> Iterator[tuple[Layer, list[Layer]]]:
    for at, layer in enumerate(item.layers):
        yield layer, [other for n, other in enumerate(item.layers) if n != at]


def _keep_layers(item: AnnotatedDocument, layers: Sequence[Layer]) -> AnnotatedDocument:
    return AnnotatedDocument(item.document, tuple(layers))


def _sum_trials(trials: Sequence[list[Trial]]) -> Floats:
    """Adds up the counts of the trials of each document."""
    tables = []
    for trials_of_document in trials:
        counts = [count_document(item, masks) for item, masks in trials_of_document]
        tables.append(np.sum(counts, axis=0))
    return np.stack(tables) if tables else np.zeros((0, 0, 2))


def _measure_attribute(
    corpus: Sequence[AnnotatedDocument], attribute: str, unit: Unit, resamples: int, seed: int
) -> Agreement:
    names = _list_labels(corpus, attribute)
    every = [_tabulate_labels(item, attribute, names, unit) for item in corpus]
    tables = [(labels, weights) for labels, weights in every if len(labels) > 1 and labels.size]
    scores = {}
    for name, coefficient in COEFFICIENTS.items():
        values = np.array([coefficient(labels, weights) for labels, weights in tables])
        scores[name] = _average_documents(values, resamples, seed)
    return Agreement(attribute, unit, len(tables), scores)


def _average_documents(values: Floats, resamples: int, seed: int) -> Score:
    known = values[~np.isnan(values)]
    if not known.size:
        return Score(float("nan"), float("nan"), float("nan"))
    draws = np.random.default_rng(seed).integers(known.size, size=(resamples, known.size))
    return make_interval(float(known.mean()), known[draws].mean(axis=1))


def _list_labels(corpus: Sequence[AnnotatedDocument], attribute: str) -> tuple[str, ...]:
    read = ATTRIBUTES[attribute]
    found: set[str] = set()
    for item in corpus:
        for layer in item.layers:
            labels = (read(annotation) for annotation in layer.annotations)
            found.update(label for label in labels if label is not None)
    return tuple(sorted(found))


def _tabulate_labels(
    item: AnnotatedDocument, attribute: str, names: Sequence[str], unit: Unit
) -> tuple[Labels, Floats]:
    """Returns labels (annotators x items, 0 where unmarked) and the weight of each item."""
    number = {name: at for at, name in enumerate(names, 1)}
    layers = _number_labels(item, attribute, number)
    if unit == "character":
        labels, weights = _tabulate_characters(layers)
        rest = len(item.document) - weights.sum()
        labels = np.concatenate([labels, np.zeros((len(layers), 1), dtype=np.int64)], axis=1)
        weights = np.concatenate([weights, [rest]])
    else:
        labels, weights = _tabulate_spans(layers, unit)
    if attribute == CONFIDENTIAL and NOT_CONFIDENTIAL in number:
        labels = np.where(labels == 0, number[NOT_CONFIDENTIAL], labels)
    return labels, weights


def _number_labels(
    item: AnnotatedDocument, attribute: str, number: Mapping[str, int]
) -> list[list[tuple[Span, int]]]:
    """Returns per annotator the spans with the number of their label.

    For confidential status, layers without any such label are left out.
    """
    read = ATTRIBUTES[attribute]
    found = []
    for layer in item.layers:
        labels = [(annotation.mention.span, read(annotation)) for annotation in layer.annotations]
        numbered = [(span, number[label]) for span, label in labels if label is not None]
        if numbered or attribute != CONFIDENTIAL:
            found.append(numbered)
    return found


def _tabulate_spans(
    layers: Sequence[Sequence[tuple[Span, int]]], unit: Unit
) -> tuple[Labels, Floats]:
    """Returns the labels of spans, told apart by both ends (exact) or by their start (partial)."""
    ends = 2 if unit == "exact" else 1
    keys = sorted({span[:ends] for layer in layers for span, _ in layer})
    column = {key: at for at, key in enumerate(keys)}
    labels = np.zeros((len(layers), len(keys)), dtype=np.int64)
    for row, layer in zip(labels, layers, strict=True):
        for span, label in layer:
            row[column[span[:ends]]] = label
    return labels, np.ones(len(keys))


def _tabulate_characters(layers: Sequence[Sequence[tuple[Span, int]]]) -> tuple[Labels, Floats]:
    """Returns the labels of runs of characters between two ends of mentions, from the first mention to the last."""
    ends = {edge for layer in layers for span, _ in layer for edge in span}
    edges = np.array(sorted(ends), dtype=np.int64)
    labels = np.zeros((len(layers), max(0, len(edges) - 1)), dtype=np.int64)
    for row, layer in zip(labels, layers, strict=True):
        for (start, end), label in layer:
            row[np.searchsorted(edges, start) : np.searchsorted(edges, end)] = label
    return labels, np.diff(edges).astype(np.float64)
