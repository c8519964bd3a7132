"""Indicator 1, probabilities of a language model: what the model cannot guess tells most about the person.

After Papadopoulou et al. 2022, section 3.2.1, and 2023, section 5.1: an entity's log-probabilities, all its mentions
masked, and a decider over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from maskwise.lm import Model, load_model
from maskwise.plugins import Count, FromPolicy, Weight
from maskwise.risk import deciders
from maskwise.risk.deciders import Decider
from maskwise.risk.surprise import FEATURES, compute_features, measure_surprise
from maskwise.text import Document, Entity, Evidence, Line

PAPER = 3.5  # nats: the published zero-shot threshold, for RoBERTa large


@dataclass(frozen=True)
class ProbabilityIndicator:
    """Evidence for every entity the model can read.

    `decider` is "boosting" (gradient-boosted trees), "logistic" (logistic regression), or "zero-shot": the information
    content of a mention in nats against a threshold, here the one that maximises F1 on the training corpus; the papers
    use 3.5 with a larger model. "automl" is what `maskwise train risk --automl` found. Left open it is boosting, or for
    a model without trained deciders zero-shot with the papers' threshold. `threshold` overrides the decider's own;
    `deciders` is a folder of `maskwise train risk`. With `context` the model sees so many pieces around what is hidden,
    in place of whole windows: faster where few entities are asked about. If it is `optional`, a model that cannot guess
    words (it has no masked-LM head) has no opinion; else that is an error.
    """

    name: ClassVar[str] = "probability"

    model: Annotated[str, FromPolicy()] = "small"
    decider: Literal["boosting", "logistic", "zero-shot", "automl"] | None = None
    threshold: Weight | None = None
    deciders: str | None = None
    context: Count | None = None
    optional: bool = False
    threads: Annotated[Count | None, FromPolicy()] = None

    def bind(self, line: Line) -> ProbabilityIndicator:
        line.ask_last(self.name)
        return self

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        if not entities:
            return []
        model: Model = load_model(self.model, self.threads)
        if self.optional and not model.has_mlm_head:
            return []
        kind, decide = self._choose_decider(model)
        found = measure_surprise(model, document, entities, self.context)
        rows = compute_features(entities, found)
        scores = decide(rows).round(4).tolist()
        threshold = decide.threshold if self.threshold is None else self.threshold
        evidence = []
        for entity, row, score in zip(entities, rows, scores, strict=True):
            reason = _explain_score(kind, row, score, threshold, found.passes)
            if reason is not None:
                evidence.append(
                    Evidence((entity.id,), score, threshold, score >= threshold, reason, self.name)
                )
        return evidence

    def _choose_decider(self, model: Model) -> tuple[str, Decider]:
        if self.decider is None and not deciders.has_deciders(self.deciders, self.name, model):
            return "zero-shot", deciders.ColumnDecider(FEATURES.index("sum"), PAPER)
        kind = self.decider or "boosting"
        raw = deciders.read_deciders(self.deciders, self.name, model, FEATURES)
        return kind, deciders.pick_decider(raw, kind, self.name)


def _explain_score(
    kind: str, row: deciders.Floats, score: float, threshold: float, passes: int
) -> str | None:
    least, total, count = (float(row[FEATURES.index(name)]) for name in ("min", "sum", "mentions"))
    if total != total:  # the model reads nothing of it
        return None
    guess = f"the language model needs {-total:.1f} nats per mention to guess it, {-least:.1f} for its rarest piece"
    relation = "reaches" if score >= threshold else "is under"
    cost = f"{passes} pass{'es' * (passes != 1)}"
    where = f"{count:.0f} mentions hidden together, {cost}" if count > 1 else cost
    if kind == "zero-shot":
        return f"{guess} ({where}), which {relation} {threshold:.1f}"
    return (
        f"{guess} ({where}): masked with probability {score:.2f}, which {relation} {threshold:.2f}"
    )
