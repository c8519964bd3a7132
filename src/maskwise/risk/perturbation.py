"""Indicator 3, perturbations: which entities help to guess a hidden name, so that hiding the name is not enough.

After Papadopoulou et al. 2023, section 5.3: the log-probability that a target loses when another entity, all mentions,
is masked too. The paper runs the model once per pair. Here all targets are masked at once and read in the same pass.
Every window of a document is read behind the sentences that name the targets, so that targets reach all of a long
document. A window takes one pass per entity that it holds, whatever the number of targets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import Model, Reading, load_model
from maskwise.lm.encoder import Array, Encoder, Gap
from maskwise.lm.masked import Positions
from maskwise.lm.pieces import Pieces
from maskwise.lm.windows import fit_windows
from maskwise.plugins import Count, FromPolicy, Weight
from maskwise.risk import deciders
from maskwise.risk.surprise import OVERLAP, measure_surprise
from maskwise.text import Document, Entity, EntityType, Evidence
from maskwise.text.tokens import find_sentences

SHARE = 1 / 3  # the most that the sentences of all targets take of a window


@dataclass(frozen=True, slots=True, eq=False)
class Drops:
    """By (target, other), as places in the list of entities: nats that a target's name loses without the other.

    They are the mean over the windows in which the other entity stands.
    """

    nats: Mapping[tuple[int, int], float]
    passes: int


@dataclass(frozen=True, slots=True, eq=False)
class _Target:
    """A target: the pieces of its fullest mention, which are read, and those of the sentence around it."""

    name: Positions
    sentence: Positions


@dataclass(frozen=True, slots=True, eq=False)
class _PerturbationPass:
    """A pass: the pieces that the model sees in `order`, which of them are `masked`, and which targets are read.

    `other` is the entity that is perturbed, -1 where none is.
    """

    order: Positions
    masked: NDArray[np.bool_]
    other: int
    read: Sequence[int]


@dataclass(frozen=True)
class PerturbationIndicator:
    """Evidence for every entity that helps to guess a target by `threshold` nats: alone where the target is a direct
    identifier, which is masked in any case, else together with it.

    There are at most `targets`: people to protect, other direct identifiers, other people in their order, then what the
    model is least able to guess. Of entities that help less the indicator has no opinion.
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
        best: dict[tuple[int, ...], tuple[float, int]] = {}
        for (target, other), nats in found.nats.items():
            is_direct = entities[target].is_direct
            subject = (other,) if is_direct else tuple(sorted((target, other)))
            best[subject] = max(best.get(subject, (-np.inf, 0)), (nats, target))
        evidence = []
        for subject, (nats, target) in best.items():
            if nats >= threshold:
                members = tuple(entities[at].id for at in subject)
                reason = _explain_drop(entities[target], nats, threshold, found.passes)
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
    """Targets: those that name a person, the surest first, then those the model is least able to guess."""
    people = sorted(
        (at for at, entity in enumerate(entities) if _is_of_person(entity)),
        key=lambda at: _rank_name(entities[at]),
    )
    if len(people) >= count:
        return people[:count]
    found = measure_surprise(model, document, entities).log_probs
    rest = set(range(len(entities))) - set(people)
    means = {at: float(np.mean([values.sum() for values in found[at]])) for at in rest}
    return [*people, *sorted(rest, key=lambda at: (means[at], at))][:count]


def _is_of_person(entity: Entity) -> bool:
    return entity.is_direct or entity.type is EntityType.PERSON


def _rank_name(entity: Entity) -> tuple[bool, bool, bool, int]:
    is_person = entity.type is EntityType.PERSON
    return not entity.protected, not entity.is_direct, not is_person, entity.first.start


def measure_drops(
    model: Model, document: Document, entities: Sequence[Entity], targets: Sequence[int]
) -> Drops:
    """The loss of each target when each other entity is hidden, wherever in the document that one stands."""
    pieces = Reading.find(document).find_pieces(model, document)
    places = [_find_positions(pieces, entity) for entity in entities]
    named = _find_names(pieces, document, entities, targets, model.encoder.window)
    questions = list(_plan_passes(places, named, len(pieces), model.encoder))
    mask_id = model.encoder.tokenizer.mask_id
    answers = model.encoder.fill([_build_gap(pieces, q, named, mask_id) for q in questions])
    drops: dict[tuple[int, int], list[float]] = defaultdict(list)
    base: dict[int, float] = {}
    for question, answer in zip(questions, answers, strict=True):
        said = _sum_by_target(question, named, answer)
        if question.other < 0:
            base = said
            continue
        # A target that is perturbed is the one shown: it is hidden in every other pass.
        sign = -1 if question.other in named else 1
        for target, value in said.items():
            drops[target, question.other].append(sign * (base[target] - value))
    return Drops({pair: float(np.mean(nats)) for pair, nats in drops.items()}, len(questions))


def _find_positions(pieces: Pieces, entity: Entity) -> Positions:
    ranges = [np.arange(*pieces.find_covering(*m.span)) for m in entity.mentions]
    return np.unique(np.concatenate(ranges)).astype(np.intp)


def _find_names(
    pieces: Pieces,
    document: Document,
    entities: Sequence[Entity],
    targets: Sequence[int],
    window: int,
) -> dict[int, _Target]:
    """Where each target is named in full. A sentence too long for its share of the window is cut around the name."""
    starts, ends = np.array(find_sentences(document.text), dtype=np.intp).reshape(-1, 2).T
    room = max(int(window * SHARE) // max(len(targets), 1), 1)
    found = {}
    for target in targets:
        mention = entities[target].longest
        first, last = pieces.find_covering(*mention.span)
        last = min(last, first + room)
        if first == last:
            continue  # the model reads nothing of it
        low = max(int(np.searchsorted(starts, mention.start, side="right")) - 1, 0)
        high = min(int(np.searchsorted(ends, mention.end, side="left")), len(ends) - 1)
        begin, end = pieces.find_covering(int(starts[low]), int(ends[high]))
        begin, end = _cut_around(first, last, min(begin, first), max(end, last), room)
        found[target] = _Target(np.arange(first, last), np.arange(begin, end))
    return found


def _cut_around(first: int, last: int, begin: int, end: int, room: int) -> tuple[int, int]:
    """The part of `begin..end` around `first..last` that has room, as much before as after where there is more."""
    spare = room - (last - first)
    before, after = first - begin, end - last
    left = min(before, max(spare // 2, spare - after))
    right = min(after, spare - left)
    return first - left, last + right


def _plan_passes(
    places: Sequence[Positions], named: Mapping[int, _Target], count: int, encoder: Encoder
) -> Iterator[_PerturbationPass]:
    """For each window: one pass with all targets hidden, then one per entity in it."""
    if not named:
        return
    windows = _cut_windows(named, count, encoder)
    hidden = np.zeros(count, dtype=bool)
    hidden[np.concatenate([places[target] for target in named])] = True
    for window, others in zip(windows, _assign_windows(places, windows), strict=True):
        order = _put_behind_names(window, named)
        base = hidden[order]
        yield _PerturbationPass(order, base, -1, tuple(named))
        for other in others:
            if read := tuple(target for target in named if target != other):
                inside = _is_among(order, places[other])
                masked = base & ~inside if other in named else base | inside
                # Pieces that a target shares with the entity it overlaps are hidden either way.
                masked |= _is_among(order, _join_names(named, read))
                yield _PerturbationPass(order, masked, other, read)


def _cut_windows(
    named: Mapping[int, _Target], count: int, encoder: Encoder
) -> Sequence[tuple[int, int]]:
    """The whole document where it fits; else windows that leave room for the sentences of all targets."""
    if count <= encoder.window:
        return [(0, count)]
    taken = len(np.unique(np.concatenate([target.sentence for target in named.values()])))
    return fit_windows(count, encoder.window - taken, min(OVERLAP, encoder.overlap))


def _assign_windows(
    places: Sequence[Positions], windows: Sequence[tuple[int, int]]
) -> list[list[int]]:
    """For each window the entities that stand in it."""
    starts, ends = np.array(windows).T
    found: list[list[int]] = [[] for _ in windows]
    for entity, positions in enumerate(places):
        first = np.searchsorted(ends, positions, side="right")
        last = np.searchsorted(starts, positions, side="right")
        for at in sorted({at for pair in zip(first, last, strict=True) for at in range(*pair)}):
            found[at].append(entity)
    return found


def _put_behind_names(window: tuple[int, int], named: Mapping[int, _Target]) -> Positions:
    """The pieces of a window behind the sentences that name the targets, save those that are whole in it."""
    start, end = window
    outside = [
        target.sentence
        for target in named.values()
        if target.sentence[0] < start or target.sentence[-1] >= end
    ]
    before = np.unique(np.concatenate([np.zeros(0, dtype=np.intp), *outside]))
    return np.concatenate([before, np.arange(start, end)])


def _is_among(order: Positions, positions: Positions) -> NDArray[np.bool_]:
    """Flags for the pieces of a pass that are among these rising positions."""
    at = np.minimum(np.searchsorted(positions, order), len(positions) - 1)
    return np.asarray(positions[at] == order)


def _join_names(named: Mapping[int, _Target], read: Sequence[int]) -> Positions:
    return np.unique(np.concatenate([named[target].name for target in read]))


def _build_gap(
    pieces: Pieces, question: _PerturbationPass, named: Mapping[int, _Target], mask_id: int
) -> Gap:
    order = question.order
    ids, shapes = pieces.ids[order], pieces.shapes[order]
    positions, first = np.unique(order, return_index=True)  # a name may stand in it twice
    names = np.concatenate([named[target].name for target in question.read])
    at = first[np.searchsorted(positions, names)]
    truth = ids[at]
    ids[question.masked], shapes[question.masked] = mask_id, 0
    return Gap(ids, shapes, at, truth)


def _sum_by_target(
    question: _PerturbationPass, named: Mapping[int, _Target], answer: Array
) -> dict[int, float]:
    ends = np.cumsum([len(named[target].name) for target in question.read])
    parts = np.split(answer, ends[:-1])
    return {t: float(part.sum()) for t, part in zip(question.read, parts, strict=True)}


def _explain_drop(target: Entity, nats: float, threshold: float, passes: int) -> str:
    subject, what = (
        ("it", "a direct identifier") if target.is_direct else ("one of the two", "the other")
    )
    return (
        f"hiding {subject} makes {what} ({target.type}) {nats:.2f} nats harder to guess, "
        f"which reaches {threshold:.2f} ({passes} passes)"
    )
