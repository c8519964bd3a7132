"""Agreement between annotators (TAB, section 5.2), and how well each of them, and their majority, would score.

Attributes: entity type, identifier type, confidential status. Units: spans, the same when both ends are equal (exact)
or when they start at one place (partial), and characters. A coefficient is taken in each document with two annotators
or more and averaged over documents; the interval resamples documents. A span an annotator did not mark is a label of
its own for observed agreement and kappa, and missing for alpha; for confidential status it is not confidential.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from maskwise.evaluate.tab import Floats, Score, count_document, cover_characters, list_masked_spans, make_interval
from maskwise.text.tab import AnnotatedDocument, Annotation, Layer
from maskwise.text.types import Span

Labels = npt.NDArray[np.int64]
Unit = Literal["exact", "partial", "character"]
UNITS: tuple[Unit, ...] = ("exact", "partial", "character")
NOT_CONFIDENTIAL = "NOT_CONFIDENTIAL"
ATTRIBUTES: Mapping[str, Callable[[Annotation], str | None]] = {
    "entity type": lambda a: a.mention.type.value,
    "identifier type": lambda a: a.identifier.value,
    "confidential status": lambda a: a.confidential,
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """The coefficients of one attribute over one unit; `documents` says how many had two annotators to compare."""

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
    """Average observed agreement: the share of pairs of annotators that give an item one label, over all items."""
    table = _count_labels(labels)
    raters = len(labels)
    same = ((table**2).sum(axis=1) - raters) / (raters * (raters - 1))
    return float(np.average(same, weights=weights))


def compute_fleiss(labels: Labels, weights: Floats) -> float:
    """Fleiss' kappa (1971): (Ao - Ae) / (1 - Ae), Ae the chance that two labels drawn from all are the same."""
    share = weights @ _count_labels(labels) / (weights.sum() * len(labels))
    return _correct_for_chance(compute_observed(labels, weights), float((share**2).sum()))


def compute_cohen(labels: Labels, weights: Floats) -> float:
    """Cohen's kappa (1960), each pair of annotators with their own distributions, averaged over pairs."""
    rows = np.eye(int(labels.max(initial=0)) + 1)[labels]
    shares = np.einsum("rik,i->rk", rows, weights) / weights.sum()
    pairs = [
        _correct_for_chance(float(np.average(labels[a] == labels[b], weights=weights)), float(shares[a] @ shares[b]))
        for a, b in combinations(range(len(labels)), 2)
    ]
    return float(np.mean(pairs))


def compute_krippendorff(labels: Labels, weights: Floats) -> float:
    """Krippendorff's alpha (1980) for categories: 1 - Do / De. What is not marked is missing, not a disagreement."""
    table = _count_labels(labels)[:, 1:]
    sizes = table.sum(axis=1)
    paired = sizes > 1
    table, sizes, weights = table[paired], sizes[paired], weights[paired]
    total = float(weights @ sizes)
    if total <= 1:
        return float("nan")
    category = weights @ table
    actual = float(weights @ ((sizes**2 - (table**2).sum(axis=1)) / (sizes - 1))) / total
    expected = float(total**2 - (category**2).sum()) / (total * (total - 1))
    return 1 - actual / expected if expected > 0 else 1.0


def _count_labels(labels: Labels) -> Floats:
    """How many annotators gave each item each label."""
    return np.stack([(labels == k).sum(axis=0) for k in range(int(labels.max(initial=0)) + 1)], axis=1).astype(float)


def _correct_for_chance(actual: float, chance: float) -> float:
    return (actual - chance) / (1 - chance) if chance < 1 else 1.0


COEFFICIENTS: Mapping[str, Callable[[Labels, Floats], float]] = {
    "observed": compute_observed,
    "fleiss": compute_fleiss,
    "cohen": compute_cohen,
    "alpha": compute_krippendorff,
}


def measure_agreement(corpus: Sequence[AnnotatedDocument], *, resamples: int = 1000, seed: int = 0) -> list[Agreement]:
    """All attributes over all units. Where no document has two layers with the attribute, the scores are NaN."""
    return [_measure_attribute(corpus, attribute, unit, resamples, seed) for attribute in ATTRIBUTES for unit in UNITS]


def count_disagreements(corpus: Sequence[AnnotatedDocument], attribute: str) -> Disagreements:
    """Which labels are given for which, over spans with equal ends."""
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
    """Counts (as `tab.tally`) of each annotator's masks against the other annotators: the human ceiling."""
    return _sum_trials(
        [(_keep_layers(item, others), list_masked_spans(layer)) for layer, others in _hold_out_each(item)]
        for item in corpus
        if len(item.layers) > 1
    )


def score_majority_of_others(corpus: Sequence[AnnotatedDocument]) -> Floats:
    """Counts of the majority of all other annotators against each one; documents with three annotators or more."""
    return _sum_trials(
        [
            (_keep_layers(item, [layer]), find_majority(len(item.document), others))
            for layer, others in _hold_out_each(item)
        ]
        for item in corpus
        if len(item.layers) > 2
    )


def score_majority_of_all(corpus: Sequence[AnnotatedDocument]) -> Floats:
    """Counts of the majority of all annotators against all: about the most that one set of masks can reach."""
    return _sum_trials(
        [(item, find_majority(len(item.document), item.layers))] for item in corpus if len(item.layers) > 1
    )


def find_majority(size: int, layers: Sequence[Layer]) -> list[Span]:
    """Spans of the characters that at least half of the annotators mask."""
    votes = np.sum([cover_characters(size, list_masked_spans(layer)) for layer in layers], axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (2 * votes >= len(layers)).astype(np.int8), [0]])))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def _hold_out_each(item: AnnotatedDocument) -> Iterator[tuple[Layer, list[Layer]]]:
    for at, layer in enumerate(item.layers):
        yield layer, [other for n, other in enumerate(item.layers) if n != at]


def _keep_layers(item: AnnotatedDocument, layers: Sequence[Layer]) -> AnnotatedDocument:
    return AnnotatedDocument(item.document, tuple(layers))


def _sum_trials(trials: Iterator[list[tuple[AnnotatedDocument, list[Span]]]]) -> Floats:
    tables = [np.sum([count_document(item, masks) for item, masks in document], axis=0) for document in trials]
    return np.stack(tables) if tables else np.zeros((0, 0, 2))


def _measure_attribute(
    corpus: Sequence[AnnotatedDocument], attribute: str, unit: Unit, resamples: int, seed: int
) -> Agreement:
    names = _list_labels(corpus, attribute)
    tables = [table for item in corpus if len((table := _tabulate_labels(item, attribute, names, unit))[0]) > 1]
    tables = [(labels, weights) for labels, weights in tables if labels.size]
    scores = {
        name: _average_documents(np.array([coefficient(*table) for table in tables]), resamples, seed)
        for name, coefficient in COEFFICIENTS.items()
    }
    return Agreement(attribute, unit, len(tables), scores)


def _average_documents(values: Floats, resamples: int, seed: int) -> Score:
    known = values[~np.isnan(values)]
    if not known.size:
        return Score(float("nan"), float("nan"), float("nan"))
    draws = np.random.default_rng(seed).integers(known.size, size=(resamples, known.size))
    return make_interval(float(known.mean()), known[draws].mean(axis=1))


def _list_labels(corpus: Sequence[AnnotatedDocument], attribute: str) -> tuple[str, ...]:
    read = ATTRIBUTES[attribute]
    found = {read(a) for item in corpus for layer in item.layers for a in layer.annotations}
    return tuple(sorted(name for name in found if name is not None))


def _tabulate_labels(
    item: AnnotatedDocument, attribute: str, names: Sequence[str], unit: Unit
) -> tuple[Labels, Floats]:
    """Labels (annotators x items, 0 where unmarked) and the weight of each item."""
    read = ATTRIBUTES[attribute]
    number = {name: at + 1 for at, name in enumerate(names)}
    layers = [
        [(a.mention.span, number[name]) for a in layer.annotations if (name := read(a)) is not None]
        for layer in item.layers
        if any(read(a) is not None for a in layer.annotations) or attribute != "confidential status"
    ]
    labels, weights = _tabulate_characters(layers) if unit == "character" else _tabulate_spans(layers, unit)
    if unit == "character":
        rest = len(item.document) - weights.sum()
        labels = np.concatenate([labels, np.zeros((len(layers), 1), dtype=np.int64)], axis=1)
        weights = np.concatenate([weights, [rest]])
    if attribute == "confidential status" and NOT_CONFIDENTIAL in number:
        labels = np.where(labels == 0, number[NOT_CONFIDENTIAL], labels)
    return labels, weights


def _tabulate_spans(layers: Sequence[Sequence[tuple[Span, int]]], unit: Unit) -> tuple[Labels, Floats]:
    keyed = [{(span if unit == "exact" else span[0]): label for span, label in layer} for layer in layers]
    keys = sorted({key for layer in keyed for key in layer})
    labels = np.array([[layer.get(key, 0) for key in keys] for layer in keyed], dtype=np.int64)
    return labels.reshape(len(layers), len(keys)), np.ones(len(keys))


def _tabulate_characters(layers: Sequence[Sequence[tuple[Span, int]]]) -> tuple[Labels, Floats]:
    """Runs of characters between two boundaries of anybody, from the first mention to the last."""
    edges = np.array(sorted({edge for layer in layers for span, _ in layer for edge in span}), dtype=np.int64)
    labels = np.zeros((len(layers), max(0, len(edges) - 1)), dtype=np.int64)
    for row, layer in zip(labels, layers, strict=True):
        for (start, end), label in layer:
            row[np.searchsorted(edges, start) : np.searchsorted(edges, end)] = label
    return labels, np.diff(edges).astype(np.float64)
