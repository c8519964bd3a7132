"""Runs the shipped policies and points of the recall knob over a corpus, for `maskwise evaluate --sweep`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from maskwise.cli.options import note
from maskwise.evaluate.systems import PolicyRun
from maskwise.evaluate.tab import Weights, evaluate_masks
from maskwise.policy import Policy, list_shipped
from maskwise.sanitizer import Sanitizer
from maskwise.text.tab import AnnotatedDocument
from maskwise.text.tokens import find_words
from maskwise.text.types import Span

POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the recall knob, on the default policy


def run_sweep(
    corpus: Sequence[AnnotatedDocument], weights: Weights | None, resamples: int, seed: int
) -> Iterator[PolicyRun]:
    """Yield each run in turn. What the model says of a document is computed once and serves all of them."""
    for name in list_shipped():
        yield _run_policy(name, None, Policy.load(name), corpus, weights, resamples, seed)
    balanced = Policy.load("balanced")
    for point in POINTS:
        policy = balanced.model_copy(update={"recall": point})
        yield _run_policy(f"recall {point:g}", point, policy, corpus, weights, resamples, seed)


def _run_policy(
    name: str,
    recall: float | None,
    policy: Policy,
    corpus: Sequence[AnnotatedDocument],
    weights: Weights | None,
    resamples: int,
    seed: int,
) -> PolicyRun:
    note(f"sweep: {name}")
    results = Sanitizer(policy).run(item.document for item in corpus)
    masks: dict[str, list[Span]] = {}
    for result in results:
        masks[result.document.id] = [(start, end) for start, end, _ in result.masks]
    scores = evaluate_masks(corpus, masks, weights=weights, resamples=resamples, seed=seed)
    return PolicyRun(name, recall, scores, _measure_masked_share(corpus, masks))


def _measure_masked_share(
    corpus: Sequence[AnnotatedDocument], masks: dict[str, list[Span]]
) -> float:
    """Return the share of words that a mask hides whole or in part."""
    total = gone = 0
    for item in corpus:
        spans = iter(sorted(masks[item.document.id]))
        current = next(spans, None)
        for start, end in find_words(item.document.text):
            total += 1
            while current and current[1] <= start:
                current = next(spans, None)
            gone += bool(current and current[0] < end)
    return gone / total if total else 0.0
