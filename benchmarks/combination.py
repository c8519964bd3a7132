"""What the weights of the default policy do on corpora that took no part in finding them (`weights.py` did).

    python benchmarks/combination.py --data $MASKWISE_DATA --crossed FOLDER FOLDER [--model small] [--json FILE]

The indicators `sequence` and `probability` are asked about every entity of TAB dev, the biographies and the invented
domains, and joined as the default policy joins them, for all its types and for one at a time. The last row is an
earlier default: weights found on these corpora, without neutral points (`raising`: a voice adds masks or nothing).
TAB dev is read by --crossed, two models which learnt with one half of it each, each on the half it never saw; their
deciders of probabilities were fitted on TAB train. Token precision, recall and F1, without the name in the task.
`asked` counts the entities that a lazy policy asks the language model about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import figures
from maskwise.evaluate.tab import evaluate_masks
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.risk.combine import CombinationRule, KOfN, NoisyOr, combine, find_unsettled
from maskwise.sanitizer import Sanitizer
from maskwise.text import EntityType, IdentifierType, tab
from maskwise.text.evidence import COMBINED
from maskwise.text.tab import AnnotatedDocument
from maskwise.text.types import Span
from model import CORPORA, DOMAINS, Readers, run, split_in_halves

FIRST, SECOND = "sequence", "probability"


class Listening(NamedTuple):
    """How much the second indicator is heard, and the strength at which it tips nothing."""

    weight: float = 0.0
    neutral: float = 0.0


By = Mapping[EntityType, Listening]  # types that are not named do not listen
BEFORE = {
    EntityType.DATETIME: Listening(0.1),
    EntityType.LOC: Listening(0.05),
    EntityType.CODE: Listening(0.1),
}


@dataclass(frozen=True)
class Read:
    """A corpus, and what both indicators say of every entity in it."""

    corpus: Sequence[AnnotatedDocument]
    results: Sequence[Result]


def build_rule(listening: Listening = Listening()) -> CombinationRule:  # noqa: B008 - frozen
    return NoisyOr(0.5, {SECOND: listening.weight}, {SECOND: listening.neutral})


def build_rules(by: By) -> dict[EntityType | IdentifierType, CombinationRule]:
    return {kind: build_rule(listening) for kind, listening in by.items()} | {
        IdentifierType.DIRECT: KOfN()
    }


class Tuning:
    """Masks of the default policy, had its indicators been joined otherwise."""

    def __init__(self, policy: Policy) -> None:
        self._line = Sanitizer(policy)

    def list_masks(self, results: Sequence[Result], by: By) -> dict[str, list[Span]]:
        masks = {}
        for result in results:
            said = [e for e in result.evidence if e.indicator != COMBINED]
            evidence = combine(said, result.entities, build_rule(), build_rules(by))
            levels = {entity.id: self._line.levels(entity) for entity in result.entities}
            solver = self._line._solver
            plan = solver.solve(result.document, result.entities, evidence, levels).by_entity
            masks[result.document.id] = [
                m.span for e in result.entities if plan[e.id].masked for m in e.mentions
            ]
        return masks

    def compute_scores(self, read: Read, by: By) -> list[float]:
        """Precision, recall and F1, and how many entities the second indicator is needed for."""
        found = evaluate_masks(read.corpus, self.list_masks(read.results, by), resamples=1)
        asked = sum(count_asked(result, by) for result in read.results)
        return [*(found[name].value for name in ("precision", "recall", "f1")), asked]


def count_asked(result: Result, by: By) -> int:
    """How many entities a lazy policy asks the second indicator about."""
    first = [e for e in result.evidence if e.indicator == FIRST]
    return len(find_unsettled(result.entities, first, [SECOND], build_rule(), build_rules(by)))


def read_own_weights(policy: Policy) -> dict[EntityType, Listening]:
    """How the policy listens, by type."""
    parts = {kind: part for kind, part in policy.combine_by.items() if part.kind == "noisy_or"}
    return {
        kind: Listening(part.get("weights")[SECOND], part.get("neutral").get(SECOND, 0.0))
        for kind, part in parts.items()
        if isinstance(kind, EntityType)
    }


def list_settings(policy: Policy) -> Iterator[tuple[str, By]]:
    """Rows of the table."""
    yield "sequence alone", {}
    for kind, listening in read_own_weights(policy).items():
        yield f"{kind} {listening.weight:g}, neutral {listening.neutral:g}", {kind: listening}
    yield "the default policy", read_own_weights(policy)
    yield "DATETIME 0.1, LOC 0.05, CODE 0.1, raising (the default before)", BEFORE


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--model", default="small", help="a model's name or folder")
    parser.add_argument("--crossed", nargs=2, metavar="FOLDER", help="as for model.py")
    args = parser.parse_args()
    if not args.crossed:
        figures.report_unavailable("needs --crossed: two models, each without one half of TAB dev")
    shipped = Policy.load("balanced")
    policy = shipped.model_copy(update={"lazy": False})
    reads: dict[str, Read] = {}
    files = []
    for name, path in CORPORA.items():
        source = figures.require_source(args.data, path)
        corpus = tab.load_corpus(source)
        readers: Readers = [(args.model, range(len(corpus)))]
        if figures.is_trained_on(args.model, source):
            readers = list(zip(args.crossed, split_in_halves(len(corpus)), strict=True))
        files.append(source)
        reads[name] = Read(corpus, run(corpus, policy, False, readers))
    corpus = [item for source in sorted(DOMAINS.glob("*.json")) for item in tab.load_corpus(source)]
    reads["invented domains"] = Read(
        corpus, run(corpus, policy, False, [(args.model, range(len(corpus)))])
    )
    tuning = Tuning(policy)
    rows: list[list[Any]] = []
    for label, by in list_settings(shipped):
        found = [tuning.compute_scores(read, by) for read in reads.values()]
        rows.append([label, *(value for row in found for value in row)])
        print(
            f"{label:64}",
            "   ".join(" ".join(f"{v:.4f}" for v in row[:3]) + f" {row[3]:4d}" for row in found),
        )
    columns = [f"{name}, {what}" for name in reads for what in ("P", "R", "F1", "asked")]
    command = "python benchmarks/combination.py --data $MASKWISE_DATA --crossed WITHOUT_FIRST_HALF WITHOUT_SECOND_HALF"
    title = "The language model beside sequence labelling, on corpora that took no part in tuning"
    figures.save_figure(
        args.json, figures.build_figure(title, command, ["weight", *columns], rows, files=files)
    )


if __name__ == "__main__":
    main()
