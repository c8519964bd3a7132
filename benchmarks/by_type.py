"""Calibration by type: what to add to the logit of an entity's mask probability, so that one threshold fits all types.

    python benchmarks/by_type.py --data $MASKWISE_DATA [--model small] [--twin FOLDER]

Annotators mask some types more readily than a model that was trained on soft labels says, and others less. The shifts
are found by coordinate ascent over a coarse grid, from none, on the sum of the token F1 of both development corpora, at
the balanced point without the name in the task. No step may cost either corpus more than .001. Names and codes are
never shifted, and only demographic attributes may be lowered: in texts of other kinds, user names and numbers that
belong to one person are typed as all the rest. A corpus that the model learnt from is read by its twin. The shifts go
into `calibration.types` of `config.json`; figures on these corpora are development figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import figures
from maskwise.decide.rules import MaskingRules
from maskwise.evaluate.tab import compute_ratios, count_document
from maskwise.lm import load_model
from maskwise.plugins import Part
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import EntityType, Evidence, tab
from maskwise.text.evidence import group_by_subject
from maskwise.text.tab import AnnotatedDocument

CORPORA = ("tab/dev.json.gz", "wiki/annotated_dev.json.gz")
SHIFTED = tuple(kind for kind in EntityType if kind not in (EntityType.PERSON, EntityType.CODE))
RAISED = (0.0, 0.2, 0.4, 0.6, 0.8)
GRID = dict.fromkeys(SHIFTED, RAISED) | {EntityType.DEM: (-0.8, -0.6, -0.4, -0.2, *RAISED)}
COST = 1e-3  # that a step may have on either corpus
LEAST = 1e-4  # gain in the sum for which a shift is worth it

Shifts = Mapping[EntityType, float]
Read = list[tuple[AnnotatedDocument, Result]]


def compute_logit(probability: float) -> float:
    inside = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(inside / (1 - inside))


def move_evidence(evidence: Evidence, by: float) -> Evidence:
    """The indicator's answer if the entity's logit had been higher by so much."""
    if not by:
        return evidence
    score = 1 / (1 + math.exp(-compute_logit(evidence.score) - by))
    named = evidence.risky and evidence.score < evidence.threshold  # risky as a direct identifier
    return replace(evidence, score=score, risky=named or score >= evidence.threshold)


def tally(read: Read, rules: MaskingRules, before: Shifts, after: Shifts) -> NDArray[np.float64]:
    """Counts for the metrics, with shifts exchanged."""
    total = np.zeros(0)
    for item, result in read:
        subjects = group_by_subject(result.evidence)
        masks = [
            mention.span
            for entity in result.entities
            if rules.judge(
                entity,
                [
                    move_evidence(e, after.get(entity.type, 0.0) - before.get(entity.type, 0.0))
                    for e in subjects.get((entity.id,), ())
                ],
            ).masked
            for mention in entity.mentions
        ]
        found = count_document(item, masks)
        total = found if not total.size else total + found
    return total


def compute_f1(counted: NDArray[np.float64]) -> float:
    values = compute_ratios(counted[None])
    precision, recall = float(values["precision"][0]), float(values["recall"][0])
    return 2 * precision * recall / (precision + recall)


def climb_shifts(
    reads: Sequence[tuple[Read, MaskingRules, Shifts]],
) -> tuple[dict[EntityType, float], list[float]]:
    """The shifts, type by type, the best of each as long as the sum of F1 is_rising."""
    shifts: dict[EntityType, float] = {}

    def score(tried: Shifts) -> list[float]:
        return [compute_f1(tally(read, rules, before, tried)) for read, rules, before in reads]

    best = score(shifts)
    print("without shifts: ", " ".join(f"{value:.4f}" for value in best))
    rising = True
    while rising:
        rising = False
        for kind in SHIFTED:
            tries = [(score(shifts | {kind: value}), value) for value in GRID[kind]]
            fair = [
                tried
                for tried in tries
                if min(a - b for a, b in zip(tried[0], best, strict=True)) >= -COST
            ]
            found, value = max(fair, key=lambda tried: sum(tried[0]))
            if sum(found) > sum(best) + LEAST:
                shifts, best, rising = shifts | {kind: value}, found, True
                print(
                    f"{kind:9} {value:+.1f}: ",
                    " ".join(f"{value:.4f}" for value in best),
                    flush=True,
                )
    return {kind: shift for kind, shift in shifts.items() if shift}, best


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--model", default="small", help="a model's name or folder")
    parser.add_argument(
        "--twin", help="folder of a model of the same recipe, for what the model learnt from"
    )
    args = parser.parse_args()
    policy = Policy.load("balanced").model_copy(
        update={"indicators": (Part("indicators", "sequence"),)}
    )
    rules = MaskingRules(
        *(policy.decide.get(name) for name in ("thresholds", "subtypes", "default"))
    )
    reads = []
    for name in CORPORA:
        source = figures.require_source(args.data, name)
        model = (
            args.twin or figures.report_unavailable(f"{name}: needs --twin")
            if figures.is_trained_on(args.model, source)
            else args.model
        )
        corpus = tab.load_corpus(source)
        results = Sanitizer(policy.model_copy(update={"model": model})).run(
            [replace(item.document, protected=()) for item in corpus]
        )
        read = list(zip(corpus, results, strict=True))
        shifts = load_model(model).config.matches["mean"].types
        asked = sum(
            count_document(item, [(start, end) for start, end, _ in result.masks])
            for item, result in read
        )
        if not np.array_equal(asked, tally(read, rules, shifts, shifts)):
            raise SystemExit(
                "the rules do not give the pipeline's masks; this policy decides by more than its rules"
            )
        print(f"{name} {figures.hash_file(source)}, read by {model}")
        reads.append((read, rules, shifts))
    shifts, best = climb_shifts(reads)
    print(
        {str(kind): shift for kind, shift in shifts.items()},
        " ".join(f"{value:.4f}" for value in best),
    )


if __name__ == "__main__":
    main()
