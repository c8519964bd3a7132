"""Why each entity is masked or kept, in sentences with numbers: the constraints that bind it in a solved problem."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from maskwise.decide.options import Candidate
from maskwise.decide.problem import Choice, Problem
from maskwise.text import Evidence, Override
from maskwise.text.exposure import scale_exposure


class PlanReasons:
    """Reads the binding constraints off a choice: what would break if one entity were written out again."""

    def __init__(
        self,
        problem: Problem,
        choice: Choice,
        evidence: Sequence[tuple[Evidence, ...]],
        bound: float | None,
    ) -> None:
        self._problem = problem
        self._choice = choice
        self._evidence = evidence
        self._bound = bound
        self._exposure = problem.measure_exposure(choice)
        self._near: dict[int, list[tuple[int, int]]] = defaultdict(
            list
        )  # entity: (combination, members that break it)
        for at, members in enumerate(problem.combinations):
            breakers = sum(problem.options[e][choice[e]].breaks for e in members)
            for e in members:
                self._near[e].append((at, breakers))
        self._exposed: dict[int, list[int]] = defaultdict(list)
        if bound is not None:
            for at, (members, _) in enumerate(problem.hazards):
                for e in members:
                    self._exposed[e].append(at)

    def list_reasons(
        self, at: int, candidate: Candidate, override: Override | None
    ) -> tuple[str, ...]:
        """The reasons for one entity, the strongest first."""
        said: tuple[str, ...] = (explain_override(override),) if override else ()
        verdict = candidate.verdict
        if self._problem.options[at][self._choice[at]].visible == 1:
            return (*said, *verdict.reasons, *self._explain_safe(at))
        if verdict.masked:
            return (*said, *verdict.reasons)
        return said + self._explain_binding(at) or verdict.reasons

    def _explain_binding(self, entity: int) -> tuple[str, ...]:
        """Why an entity is masked that the rules alone would keep."""
        near = self._near[entity]
        mine = [at for at, breakers in near if breakers == 1] or [at for at, _ in near]
        said: tuple[str, ...] = ()
        if mine:
            first = max((e for at in mine for e in self._evidence[at]), key=lambda e: e.strength)
            more = (
                f" (and {len(mine) - 1} more combinations that this mask breaks)"
                if len(mine) > 1
                else ""
            )
            said = (f"risky together: {first.reason}{more}",)
        shown = self._measure_shown(entity)
        now = scale_exposure(self._exposure)
        if self._bound is not None and (shown > self._bound or not said):
            said += (
                f"kept, it would raise exposure from {now:.2f} to {shown:.2f}; the bound is {self._bound:.2f}",
            )
        return said

    def _explain_safe(self, entity: int) -> tuple[str, ...]:
        """Why an entity that is in risky combinations may stay."""
        count = len(self._near[entity])
        if not count:
            return ()
        return (
            f"{count} risky combination{'s' if count > 1 else ''} with it broken by masking others",
        )

    def _measure_shown(self, entity: int) -> float:
        """The exposure if this entity alone were written out, from 0 to 1."""
        total = self._exposure
        options = self._problem.options
        for at in self._exposed[entity]:
            members, hazard = self._problem.hazards[at]
            shares = [options[e][0 if e == entity else self._choice[e]].visible for e in members]
            total += hazard.measure_exposure(min(shares)) - hazard.measure_exposure(
                self._problem.measure_visible(members, self._choice)
            )
        return scale_exposure(max(0.0, total))


def explain_override(override: Override) -> str:
    """The person who decided, and the reason."""
    who = override.author or "a reviewer"
    return f"{who} decided so: {override.reason}" if override.reason else f"{who} decided so"
