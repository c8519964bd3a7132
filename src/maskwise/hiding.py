"""Hides the people of a document in a crowd: solve, attack the plan, add what still identifies somebody, solve again.

Planning by counterexample. Each round solves for the least information loss and asks the attackers about the plan.
Where one still ranks a person among the first K, the smallest sets of visible entities that do it become constraints
of the next round. At the end whatever is not needed is shown again, and the plan of a greedy search with exchange is
taken where it loses less. What is proved is that the plan is the best for the constraints found, not the best of all:
visible entities can also mislead an attacker, so a constraint may ask for a little too much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from maskwise.crowd.blas import use_one_blas_thread
from maskwise.crowd.counterexamples import Counterexamples, IdentifyingSet
from maskwise.crowd.maskings import Goal, MaskingScores, Unit
from maskwise.crowd.measured import CrowdRisk, Watchers
from maskwise.crowd.ranker import DocumentScorer
from maskwise.crowd.search import Effort, Search, assign_words
from maskwise.crowd.words import Mask
from maskwise.text import Entity, Evidence, Plan
from maskwise.text.evidence import CROWD
from maskwise.text.kinds import name_kind
from maskwise.text.subtypes import SMALL_WORD, USUAL_WORD

Solve = Callable[[Sequence[Evidence]], Plan]

ROUNDS = 16  # of solving and attacking; after that the greedy plan is taken
_EXCHANGE = Effort(exchange=8)
_LONG = 120  # words from which on the greedy search does not exchange: that would take seconds
_SAMPLES = 8  # maskings under which people come into question as rivals of a subject
_RIVALS = 512  # of them per masking and attacker
_NAMED = 3  # entities that a reason names
# Subtypes of words that stay visible at first, then of those that stay where the rest did not suffice.
WITHHELD = (frozenset((SMALL_WORD, USUAL_WORD)), frozenset((SMALL_WORD,)), frozenset[str]())


@dataclass(frozen=True, slots=True)
class Hiding:
    """How a plan was found. `proved` says that no plan that meets the `constraints` loses less than `objective`."""

    rounds: int
    constraints: int
    proved: bool
    objective: float
    way: str  # "constraints", "thinned" or "greedy"


@dataclass(frozen=True, slots=True)
class HiddenPlan:
    """A plan under which each person is hidden, as far as masking can do it."""

    plan: Plan
    evidence: tuple[Evidence, ...]
    risk: CrowdRisk
    hiding: Hiding


@use_one_blas_thread()
def hide_people(
    solve: Solve, entities: Sequence[Entity], watchers: Watchers, k: int, note: str = ""
) -> HiddenPlan:
    """The plan with the least information loss found under which K people are likelier than each subject.

    `solve` gives the best plan for what the policy knows already and some further evidence. Words that fit everybody
    are masked only where K is missed without them, and small words and labels only where those do not suffice.
    """
    best: HiddenPlan | None = None
    for withheld in WITHHELD:
        found = _Planner(solve, entities, watchers, k, withheld).run(note)
        if best is None or len(found.risk.exposed) < len(best.risk.exposed):
            best = found
        if not best.risk.exposed or not any(_is_withheld(one, withheld) for one in entities):
            break
    assert best is not None
    return best


class _Planner:
    """One document on its way to a plan. Units are the entities that the policy keeps but would let go."""

    def __init__(
        self,
        solve: Solve,
        entities: Sequence[Entity],
        watchers: Watchers,
        k: int,
        withheld: Set[str] = frozenset(),
    ) -> None:
        self.watchers = watchers
        self.k = k
        self.entities = entities
        self.stated = _list_stated(entities, k)
        self._solve = solve
        self.base = self.solve(())
        spans = ([mention.span for mention in entity.mentions] for entity in entities)
        self.words: list[Unit] = assign_words(watchers.words, spans)
        self.start = self._mask_plan(self.base)
        free = self._find_free()
        self.free = [at for at in free if not _is_withheld(entities[at], withheld)]
        scorers, target = self._narrow_crowd()
        self.scores = MaskingScores(
            scorers,
            target,
            [self.words[at] for at in self.free],
            len(watchers.words),
            Goal(k),
            [self.base.decisions[at].information for at in self.free],
        )
        self.examples = Counterexamples(self.scores, self.start)
        self.scores.accept_prior(self.examples.hidden)

    def _narrow_crowd(self) -> tuple[list[DocumentScorer], int]:
        """The attackers among those people whom they might take for a subject while the plan is made."""
        random = np.random.default_rng(0)
        masks = np.repeat(self.start[None], _SAMPLES, axis=0)
        for mask, share in zip(masks[1:], np.linspace(0.25, 1, _SAMPLES - 1), strict=True):
            for at in self.free:
                if random.random() < share:
                    mask[list(self.words[at])] = True
        return self.watchers.narrow(masks, max(_RIVALS, 4 * self.k))

    def solve(self, found: Sequence[Evidence]) -> Plan:
        """The best plan for what the text states itself and for what attackers found."""
        return self._solve([*self.stated, *found])

    def run(self, note: str) -> HiddenPlan:
        effort = Effort() if len(self.watchers.words) > _LONG else _EXCHANGE
        search = Search(self.scores, effort, self.start)
        greedy = self._list_masked(search.run().mask)
        found, plan, rounds = self._plan_by_constraints(greedy)
        masked, way = greedy, "greedy"
        if plan is not None:
            own = [at for at in range(len(self.free)) if self._is_masked(plan, at)]
            thinned = search.thin_out(own, self.start)
            cheaper = self._measure_cost(thinned) <= self._measure_cost(greedy)
            masked = thinned if cheaper else greedy
            kept_whole = sorted(thinned) == own
            way = "greedy" if not cheaper else "constraints" if kept_whole else "thinned"
        evidence = self._explain(masked, found)
        final = self.solve(evidence)
        proved = plan is not None and plan.optimal
        objective = final.objective if plan is None else plan.objective
        hiding = Hiding(rounds, len(found), proved, objective, way)
        solver = f"counterexamples ({way}, {len(found)} constraints, {rounds} rounds)"
        final = replace(final, optimal=proved and way == "constraints", bound=None, solver=solver)
        risk = self.watchers.measure(self._mask_plan(final), self.k, note)
        return HiddenPlan(final, (*self.stated, *evidence), risk, hiding)

    def _plan_by_constraints(
        self, greedy: Sequence[int]
    ) -> tuple[list[IdentifyingSet], Plan | None, int]:
        """The constraints found, the plan that meets them all and hides everybody, and the rounds it took.

        The first constraints say why the greedy search needs each of its masks. The plan is None where the rounds do
        not suffice.
        """
        found: dict[tuple[int, ...], IdentifyingSet] = {}
        new = self.examples.find_sets_around(greedy)
        for rounds in range(1, ROUNDS + 1):
            found.update((one.units, one) for one in new)
            if self.examples.is_exhausted:
                return list(found.values()), None, rounds
            plan = self.solve([self._state_constraint(one) for one in found.values()])
            new = self.examples.find_sets(self._mask_plan(plan))
            if all(one.units in found for one in new):
                # An attacker whom nothing fools may still find somebody: that is reported, not planned.
                return list(found.values()), plan, rounds
        return list(found.values()), None, ROUNDS

    def _state_constraint(self, example: IdentifyingSet) -> Evidence:
        ids = tuple(self._get_entity(at).id for at in example.units)
        return Evidence(ids, 1.0, 0.5, True, "identifies the person in the crowd", CROWD)

    def _explain(self, masked: Sequence[int], found: Sequence[IdentifyingSet]) -> list[Evidence]:
        """One piece of evidence per masked unit: with what it identifies somebody, and how few people are left."""
        mask = self.scores.add_units(self.start, masked)
        evidence = []
        for at in masked:
            example = next((one for one in found if at in one.units), None)
            reason = self._explain_set(at, example) if example else self._explain_alone(at, mask)
            subject = (self._get_entity(at).id,)
            evidence.append(Evidence(subject, 1.0, 0.5, True, reason, CROWD))
        return evidence

    def _explain_set(self, at: int, example: IdentifyingSet) -> str:
        others = [f"the {name_kind(self._get_entity(one))}" for one in example.units if one != at]
        named = others[:_NAMED]
        if len(others) > _NAMED:
            named.append(f"{len(others) - _NAMED} more")
        start = f"together with {_join_words(named)} this leaves" if named else "this alone leaves"
        return f"{start} {self._count_left(self.examples.show(example.units), example.attacker)}"

    def _explain_alone(self, at: int, mask: Mask) -> str:
        shown = mask.copy()
        shown[list(self.scores.units[at])] = False
        found = self.examples.find_found(shown) or [0]
        return f"with what else stays visible this leaves {self._count_left(shown, found[0])}"

    def _count_left(self, mask: Mask, scorer: int) -> str:
        """How many people an attacker has to look at until the person comes."""
        people = len(self.watchers.crowd)
        rank = self.watchers.rank(scorer, mask)
        asked = max(self.scores.ks[scorer], self.k)
        return f"{rank:,} of {people:,} people; at least {asked:,} are asked"

    def _find_free(self) -> list[int]:
        """Entities that the policy keeps, and masks when the crowd asks for it."""
        kept = [
            at for at, one in enumerate(self.base.decisions) if not one.masked and self.words[at]
        ]
        asked = [
            Evidence((self.entities[at].id,), 1.0, 0.5, True, "asked for by the crowd", CROWD)
            for at in kept
        ]
        all_masked = self.solve(asked)
        return [at for at in kept if all_masked.decisions[at].masked]

    def _mask_plan(self, plan: Plan) -> Mask:
        """The words that a plan masks. A word belongs to the first entity that touches it."""
        mask = np.zeros(len(self.watchers.words), dtype=bool)
        for decision, unit in zip(plan.decisions, self.words, strict=True):
            if decision.masked:
                mask[list(unit)] = True
        return mask

    def _list_masked(self, mask: Mask) -> list[int]:
        return [at for at in range(len(self.free)) if not self.scores.has_visible_words(at, mask)]

    def _is_masked(self, plan: Plan, at: int) -> bool:
        return plan.decisions[self.free[at]].masked

    def _get_entity(self, at: int) -> Entity:
        return self.entities[self.free[at]]

    def _measure_cost(self, units: Sequence[int]) -> float:
        return float(self.scores.weights[list(units)].sum())


def _is_withheld(entity: Entity, withheld: Set[str]) -> bool:
    """Whether an entity is nothing but words of the subtypes that stay."""
    return bool(entity.subtypes) and entity.subtypes <= withheld


def _list_stated(entities: Sequence[Entity], k: int) -> list[Evidence]:
    """Evidence that needs no attacker: a phrase that says by itself that it is true of fewer than K people."""
    found = []
    for entity in entities:
        counts = [
            int(m.value) for m in entity.mentions if entity.is_candidate and m.value.isdigit()
        ]
        if counts and min(counts) < k:
            people = min(counts)
            of = "one person" if people == 1 else f"at most {people} people"
            reason = f"the text itself says that this is true of {of}; at least {k:,} are asked"
            found.append(Evidence((entity.id,), 1.0, 0.5, True, reason, CROWD))
    return found


def _join_words(parts: Sequence[str]) -> str:
    *front, back = parts
    return f"{', '.join(front)} and {back}" if front else back
