"""`MaskedEntity`: an entity that a plan masks, and who writes its replacements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from maskwise.mask.identity import Identity
from maskwise.mask.operators import Coarsener, Operator, Replacement
from maskwise.text import Decision, Entity


@dataclass(frozen=True)
class MaskedEntity:
    """An entity with the decision for it, and who writes it."""

    entity: Entity
    decision: Decision
    operator: Operator
    identity: Identity

    def write(self) -> Replacement:
        return self.operator.replace(self.entity, self.decision, self.identity)

    def coarsen(self) -> MaskedEntity | None:
        """The same with the next coarser step; None where there is none."""
        if not isinstance(self.operator, Coarsener):
            return None
        decision = self.operator.coarsen(self.entity, self.decision)
        return replace(self, decision=decision) if decision else None
