"""How much the default should listen to the language model beside sequence labelling, by entity type.

    python benchmarks/combination.py --data $MASKWISE_DATA --crossed FOLDER FOLDER [--model small] [--json FILE]

The indicators `sequence` and `probability` are asked about every entity of TAB dev, the biographies and the invented
domains, and joined by a noisy-or in which the second has some weight for one type, or for all, and none for the rest.
TAB dev is read by --crossed, two models which learnt with one half of it each, each on the half it never saw; their
deciders of probabilities were fitted on TAB train. TAB train itself cannot tell: the models know its labels by heart,
so that `sequence` leaves nothing to add there. A row `score from .46` masks dates from a lower score of `sequence`
alone: what the language model adds must be more than that. Token precision, recall and F1, without the name in the
task. `asked` counts the entities that a lazy policy asks the language model about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import figures
from maskwise.evaluate.tab import Span, evaluate
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.risk.combine import KOfN, NoisyOr, Rule, combine, unsettled
from maskwise.sanitizer import Sanitizer
from maskwise.text import EntityType, Evidence, IdentifierType, tab
from maskwise.text.evidence import COMBINED
from maskwise.text.tab import AnnotatedDocument
from model import CORPORA, DOMAINS, Readers, halves, run

FIRST, SECOND = "sequence", "probability"
WEIGHTS = (0.05, 0.1, 0.2)
FROM = (0.48, 0.46, 0.44)
NEUTRAL = 0.5
Weights = Mapping[EntityType, float]  # of the second indicator; none is 0


@dataclass(frozen=True)
class Read:
    """A corpus, and what both indicators say of every entity in it."""

    corpus: Sequence[AnnotatedDocument]
    results: Sequence[Result]


def rule(weight: float) -> Rule:
    return NoisyOr(NEUTRAL, {SECOND: weight})


def rules(weights: Weights) -> dict[EntityType | IdentifierType, Rule]:
    return {kind: rule(weight) for kind, weight in weights.items()} | {IdentifierType.DIRECT: KOfN()}


class Tuning:
    """Masks of the default policy, had its indicators been joined otherwise."""

    def __init__(self, policy: Policy) -> None:
        self._solver = Sanitizer(policy)._solver

    def masks(self, results: Sequence[Result], weights: Weights, dates: float = NEUTRAL) -> dict[str, list[Span]]:
        by, masks = rules(weights), {}
        for result in results:
            said = [lowered(e, result, dates) for e in result.evidence if e.indicator != COMBINED]
            evidence = combine(said, result.entities, rule(0), by)
            plan = self._solver.solve(result.document, result.entities, evidence).by_entity
            masks[result.document.id] = [m.span for e in result.entities if plan[e.id].masked for m in e.mentions]
        return masks

    def scores(self, read: Read, weights: Weights, dates: float = NEUTRAL) -> list[float]:
        """Precision, recall and F1, and how many entities the second indicator is needed for."""
        found = evaluate(read.corpus, self.masks(read.results, weights, dates), resamples=1)
        asked = sum(needed(result, weights, dates) for result in read.results)
        return [*(found[name].value for name in ("precision", "recall", "f1")), asked]


def needed(result: Result, weights: Weights, dates: float) -> int:
    """How many entities a lazy policy asks the second indicator about."""
    first = [lowered(e, result, dates) for e in result.evidence if e.indicator == FIRST]
    return len(unsettled(result.entities, first, [SECOND], rule(0), rules(weights)))


def lowered(evidence: Evidence, result: Result, dates: float) -> Evidence:
    """Called risky from a lower score, where it is about a date."""
    if evidence.indicator != FIRST or evidence.score < dates:
        return evidence
    entity = next(e for e in result.entities if e.id == evidence.entities[0])
    return replace(evidence, risky=True) if entity.type is EntityType.DATETIME else evidence


def settings(shipped: Policy) -> Iterator[tuple[str, Weights, float]]:
    """Rows of the table: their name, the weights, and the score from which dates are masked."""
    yield "sequence alone", {}, NEUTRAL
    for kind in EntityType:
        for weight in WEIGHTS:
            yield f"{kind} {weight:.2f}", {kind: weight}, NEUTRAL
    for weight in WEIGHTS:
        yield f"all types {weight:.2f}", dict.fromkeys(EntityType, weight), NEUTRAL
    for score in FROM:
        yield f"DATETIME, score from {score:.2f}", {}, score
    own = {kind: part.weights[SECOND] for kind, part in shipped.combine_by.items() if isinstance(kind, EntityType)}  # type: ignore[union-attr]
    yield "the default policy", own, NEUTRAL


def main() -> None:
    parser = figures.options(__doc__)
    parser.add_argument("--model", default="small", help="a model's name or folder")
    parser.add_argument("--crossed", nargs=2, metavar="FOLDER", help="as for model.py")
    args = parser.parse_args()
    if not args.crossed:
        figures.unavailable("needs --crossed: two models, each without one half of TAB dev")
    shipped = Policy.load("balanced")
    policy = shipped.model_copy(update={"lazy": False})
    reads: dict[str, Read] = {}
    files = []
    for name, path in CORPORA.items():
        source = figures.needed(args.data, path)
        corpus = tab.load(source)
        readers: Readers = [(args.model, range(len(corpus)))]
        if figures.trained_on(args.model, source):
            readers = list(zip(args.crossed, halves(len(corpus)), strict=True))
        files.append(source)
        reads[name] = Read(corpus, run(corpus, policy, False, readers))
    corpus = [item for source in sorted(DOMAINS.glob("*.json")) for item in tab.load(source)]
    reads["invented domains"] = Read(corpus, run(corpus, policy, False, [(args.model, range(len(corpus)))]))
    tuning = Tuning(policy)
    rows: list[list[Any]] = []
    for label, weights, dates in settings(shipped):
        found = [tuning.scores(read, weights, dates) for read in reads.values()]
        rows.append([label, *(value for row in found for value in row)])
        print(f"{label:28}", "   ".join(" ".join(f"{v:.4f}" for v in row[:3]) + f" {row[3]:4d}" for row in found))
    columns = [f"{name}, {what}" for name in reads for what in ("P", "R", "F1", "asked")]
    command = "python benchmarks/combination.py --data $MASKWISE_DATA --crossed WITHOUT_FIRST_HALF WITHOUT_SECOND_HALF"
    title = "Weight of the language model beside sequence labelling, by type"
    figures.save(args.json, figures.figure(title, command, ["weight", *columns], rows, files=files))


if __name__ == "__main__":
    main()
