"""Indicator 3, perturbations: which entities give away another one, so that hiding only that one is not enough.

After Papadopoulou et al. 2023, section 5.3: the log-probability that a target loses when another entity, all mentions,
is masked too. The paper runs the model once per pair. Here all targets are masked at once and read in the same pass,
so a window takes one pass per entity that it holds, whatever the number of targets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import Model, load_model
from maskwise.lm.encoder import Array, Gap
from maskwise.lm.masked import Positions
from maskwise.lm.pieces import Pieces
from maskwise.lm.windows import cut_windows
from maskwise.plugins import Count, FromPolicy, Weight
from maskwise.risk import deciders
from maskwise.risk.surprise import measure_surprise
from maskwise.text import Document, Entity, Evidence

Window = tuple[int, int]
Owned = dict[int, Positions]  # by target, the pieces read in a window


@dataclass(frozen=True, slots=True, eq=False)
class Drops:
    """By (target, other), as places in the list of entities: nats per mention that a target loses without the other."""

    nats: Mapping[tuple[int, int], float]
    passes: int


@dataclass(frozen=True, slots=True, eq=False)
class _PerturbationPass:
    """A pass: `masked` pieces, and of which targets which pieces are read. `other` is -1 where nothing is perturbed."""

    window: Window
    other: int
    masked: Positions
    owned: Owned


@dataclass(frozen=True)
class PerturbationIndicator:
    """Evidence for pairs: a target (at most `targets`: direct identifiers, then the most surprising) and an entity that
    helps to guess it by `threshold` nats per mention. Only entities within one window of the model interact.
    """

    name: ClassVar[str] = "perturbation"

    model: Annotated[str, FromPolicy()] = "small"
    threshold: Weight | None = None
    targets: Count = 5
    deciders: str | None = None
    threads: Annotated[Count | None, FromPolicy()] = None

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        if len(entities) < 2:
            return []
        model: Model = load_model(self.model, self.threads)
        threshold = self._find_threshold(model)
        targets = choose_targets(model, document, entities, self.targets)
        found = measure_drops(model, document, entities, targets)
        best: dict[tuple[int, int], tuple[float, int, int]] = {}
        for (target, other), nats in found.nats.items():
            pair = (min(target, other), max(target, other))
            best[pair] = max(best.get(pair, (-np.inf, 0, 0)), (nats, target, other))
        evidence = []
        for nats, target, other in best.values():
            if nats >= threshold:
                members = (entities[target].id, entities[other].id)
                reason = _explain_pair(entities[target], nats, threshold, found.passes)
                evidence.append(
                    Evidence(members, round(nats, 4), threshold, True, reason, self.name)
                )
        return evidence

    def _find_threshold(self, model: Model) -> float:
        if self.threshold is not None:
            return self.threshold
        raw = deciders.read_deciders(self.deciders, self.name, model)
        return deciders.pick_decider(raw, "pairs", self.name).threshold


def choose_targets(
    model: Model, document: Document, entities: Sequence[Entity], count: int
) -> list[int]:
    """Targets: those that name the person, then those the model is least able to guess."""
    found = measure_surprise(model, document, entities).log_probs

    def rank(at: int) -> tuple[bool, float, int]:
        direct = entities[at].is_direct
        return not direct, float(np.mean([values.sum() for values in found[at]])), at

    return sorted(range(len(entities)), key=rank)[:count]


def measure_drops(
    model: Model, document: Document, entities: Sequence[Entity], targets: Sequence[int]
) -> Drops:
    """What each target loses when each other entity that shares a window with it is hidden."""
    pieces = model.encoder.tokenizer.encode(document.text)
    places = [_find_positions(pieces, entity) for entity in entities]
    windows = cut_windows(len(pieces), model.encoder.window, model.encoder.overlap)
    questions = list(_plan_passes(places, targets, windows))
    answers = model.encoder.fill(
        [_build_gap(pieces, q, model.encoder.tokenizer.mask_id) for q in questions]
    )
    nats: dict[tuple[int, int], float] = defaultdict(float)
    base: dict[int, float] = {}
    hidden = set(targets)
    for question, answer in zip(questions, answers, strict=True):
        said = _sum_by_target(question, answer)
        if question.other < 0:
            base = said
            continue
        # A target that is perturbed is the one shown: it is hidden in every other pass.
        sign = -1 if question.other in hidden else 1
        for target, value in said.items():
            nats[target, question.other] += (
                sign * (base[target] - value) / len(entities[target].mentions)
            )
    return Drops(dict(nats), len(questions))


def _find_positions(pieces: Pieces, entity: Entity) -> Positions:
    ranges = [np.arange(*pieces.find_covering(*m.span)) for m in entity.mentions]
    return np.unique(np.concatenate(ranges)).astype(np.intp)


def _plan_passes(
    places: Sequence[Positions], targets: Sequence[int], spans: Sequence[Window]
) -> Iterator[_PerturbationPass]:
    """For each window that holds a target: one pass with all targets hidden, then one per entity in it."""
    middles = np.array([(start + end) / 2 for start, end in spans])
    owner = (
        middles[1:] + middles[:-1]
    ) / 2  # each piece is read in the window whose middle is nearest
    hidden = np.unique(np.concatenate([np.zeros(0, dtype=np.intp), *(places[t] for t in targets)]))
    for at, window in enumerate(spans):
        owned = {t: places[t][np.searchsorted(owner, places[t] + 0.5) == at] for t in targets}
        owned = {t: read for t, read in owned.items() if len(read)}
        if not owned:
            continue
        masked = _select_inside(hidden, window)
        yield _PerturbationPass(window, -1, masked, owned)
        for other, positions in enumerate(places):
            inside = _select_inside(positions, window)
            rest = {t: read for t, read in owned.items() if t != other}
            if not len(inside) or not rest:
                continue
            changed = (
                np.setdiff1d(masked, inside) if other in targets else np.union1d(masked, inside)
            )
            # Pieces that a target shares with the entity it overlaps are hidden either way.
            changed = np.union1d(changed, np.concatenate(list(rest.values())))
            yield _PerturbationPass(window, other, changed, rest)


def _select_inside(positions: Positions, window: Window) -> Positions:
    return positions[(positions >= window[0]) & (positions < window[1])]


def _build_gap(pieces: Pieces, question: _PerturbationPass, mask_id: int) -> Gap:
    start, end = question.window
    ids, shapes = pieces.ids[start:end].copy(), pieces.shapes[start:end].copy()
    at = np.concatenate(list(question.owned.values())) - start
    truth: NDArray[np.int32] = ids[at]
    ids[question.masked - start], shapes[question.masked - start] = mask_id, 0
    return Gap(ids, shapes, at, truth)


def _sum_by_target(question: _PerturbationPass, answer: Array) -> dict[int, float]:
    ends = np.cumsum([len(read) for read in question.owned.values()])
    return {
        t: float(part.sum())
        for t, part in zip(question.owned, np.split(answer, ends[:-1]), strict=True)
    }


def _explain_pair(target: Entity, nats: float, threshold: float, passes: int) -> str:
    what = "the direct identifier" if target.is_direct else "the first"
    return (
        f"hiding the second makes {what} ({target.type}) {nats:.1f} nats harder to guess, "
        f"which reaches {threshold:.1f} ({passes} passes)"
    )
