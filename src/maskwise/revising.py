"""Plans that follow a person: the draft of a document is solved again under overrides, rendered, and measured.

Detection and evidence stay. With a crowd that has a `k`, hiding runs again as well, since what a person shows may ask
for other masks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from maskwise.crowd.measured import CrowdRisk, Watchers
from maskwise.errors import InputError
from maskwise.mask import Operator, Replacement, render_plan
from maskwise.mask.identity import Identity, Ledger
from maskwise.result import Coverage, Draft, Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import (
    Decision,
    Entity,
    EntityType,
    Evidence,
    Level,
    Levels,
    Override,
    Plan,
    Reviewable,
)
from maskwise.watching import CrowdWatch, Watched

_People = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]


@dataclass(frozen=True)
class ChosenText:
    """An operator that writes what a person chose for an entity, and asks another for the rest."""

    operator: Operator
    texts: Mapping[str, str] = field(repr=False)

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        text = self.texts.get(entity.id)
        if text is None:
            return self.operator.replace(entity, decision, identity)
        if identity.is_given_away_by(text):
            raise InputError(f"the replacement of {entity.id} repeats a text that is masked")
        return Replacement((text,) * len(entity.mentions))


@dataclass
class Reviser:
    """Solves drafts again. `watch` is the crowd in which they are measured; None measures nothing."""

    sanitizer: Sanitizer
    watch: CrowdWatch | None = None
    _watchers: dict[tuple[str, _People], Watchers] = field(default_factory=dict, repr=False)
    _levels: dict[tuple[str, str], tuple[Entity, tuple[Level, ...]]] = field(
        default_factory=dict, repr=False
    )

    def list_levels(self, draft: Draft) -> Levels:
        return {entity.id: self.find_levels(draft, entity) for entity in draft.entities}

    def find_levels(self, draft: Draft, entity: Entity) -> tuple[Level, ...]:
        """The less specific forms of an entity, which are asked for once."""
        key = (draft.document.id, entity.id)
        known, levels = self._levels.get(key, (None, ()))
        if known is not entity:
            levels = self.sanitizer.levels(entity)
            self._levels[key] = (entity, levels)
        return levels

    def solve(
        self, draft: Draft, overrides: Sequence[Override] = (), found: Sequence[Evidence] = ()
    ) -> Plan:
        """The plan under the overrides. `found` is what the crowd said last."""
        return self._solve(draft, overrides, found, self.list_levels(draft))

    def _solve(
        self,
        draft: Draft,
        overrides: Sequence[Override],
        found: Sequence[Evidence],
        levels: Levels,
    ) -> Plan:
        solver = self.sanitizer.solver
        evidence = [*draft.evidence, *found]
        if isinstance(solver, Reviewable):
            return solver.solve_again(draft.document, draft.entities, evidence, levels, overrides)
        if overrides:
            raise InputError("the solver of this policy cannot follow a person's decisions")
        return solver.solve(draft.document, draft.entities, evidence, levels)

    def render(
        self, draft: Draft, plan: Plan, texts: Mapping[str, str], ledger: Ledger | None = None
    ) -> Result:
        """The result of a plan. `texts` are the replacements that a person chose, by entity."""
        operators: Mapping[EntityType, Operator] = self.sanitizer.operators
        if texts:
            operators = {kind: ChosenText(own, texts) for kind, own in operators.items()}
        shared = self.sanitizer.ledger or ledger
        rendering = render_plan(draft.document, draft.entities, plan, operators, shared)
        coverage = Coverage(len(draft.document), draft.read)
        return Result(
            draft.document, draft.entities, draft.evidence, plan, rendering, coverage, None
        )

    @property
    def hides(self) -> bool:
        """Whether the policy hides people in its crowd, so that what a person shows may ask for other masks."""
        return self.watch is not None and self.watch.settings.k is not None

    def hide(self, draft: Draft, overrides: Sequence[Override]) -> Watched:
        """The plan that hides everybody under the overrides, as far as masking can do it."""
        assert self.watch is not None
        levels = self.list_levels(draft)

        def solve(found: Sequence[Evidence], own: Levels) -> Plan:
            return self._solve(draft, overrides, found, own)

        return self.watch.watch(draft.document, draft.entities, levels, solve)

    def measure(self, draft: Draft, plan: Plan) -> CrowdRisk | None:
        """Where people rank under a plan; None where nobody measures."""
        if self.watch is None:
            return None
        watchers = self._find_watchers(draft)
        if not watchers.subjects:
            crowd = watchers.crowd
            return CrowdRisk(crowd.name, len(crowd), (), "", self.watch.settings.k)
        levels = self.list_levels(draft)
        return self.watch.measure(watchers, draft.document, draft.entities, plan, levels, "")

    def _find_watchers(self, draft: Draft) -> Watchers:
        """The attackers of a document. They read it once, as long as its people stay the same."""
        assert self.watch is not None
        people = tuple(
            (entity.id, tuple(mention.span for mention in entity.mentions))
            for entity in draft.entities
            if entity.type is EntityType.PERSON
        )
        key = (draft.document.id, people)
        if key not in self._watchers:
            if len(self._watchers) >= _REMEMBERED:
                self._watchers.pop(next(iter(self._watchers)))
            self._watchers[key] = self.watch.find_watchers(draft.document, draft.entities)
        return self._watchers[key]


_REMEMBERED = 16  # documents whose attackers are kept ready


def name_risk(result: Result, risk: CrowdRisk | None) -> Result:
    """The result with its measured risk, in which people are called what the masked text calls them."""
    named = risk.name_people(result.rendering.replacements) if risk else None
    return replace(result, risk=named)
