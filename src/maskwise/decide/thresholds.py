"""The first decider: what the indicators call risky, what names the protected person, and thresholds by type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from maskwise.text import Action, Decision, Document, Entity, EntityType, Evidence, IdentifierType, Plan
from maskwise.text.tokens import words

NEVER = 2.0  # above any confidence


@dataclass(frozen=True)
class ThresholdSolver:
    """Masks an entity when one of these holds, in this order:

    1. it names a protected person or is an identifier that belongs to one person;
    2. its type or subtype has threshold 0 ("always");
    3. an indicator calls it risky, with a score that also reaches the threshold of its subtype where the policy has
       one (countries hold millions of people, so it takes more to mask one); a risky combination none of whose members
       is masked yet gives up the member with the least information;
    4. no indicator has judged it, and the detector's confidence reaches the threshold of its subtype, else its type.
    """

    thresholds: Mapping[EntityType, float] = field(default_factory=dict)
    subtypes: Mapping[str, float] = field(default_factory=dict)
    default: float = 0.5

    def solve(self, document: Document, entities: Sequence[Entity], evidence: Sequence[Evidence]) -> Plan:
        information = {e.id: _information(e) for e in entities}
        alone: dict[str, list[Evidence]] = defaultdict(list)
        for item in evidence:
            if len(item.entities) == 1:
                alone[item.entities[0]].append(item)
        masks = {e.id: self._judge(e, alone[e.id]) for e in entities}
        for item in evidence:
            members = [m for m in item.entities if m in masks]
            if item.risky and len(item.entities) > 1 and members and not any(masks[m][0] for m in members):
                masks[min(members, key=lambda m: information[m])] = (True, (item.reason,))
        decisions = tuple(_decision(e, *masks[e.id], information[e.id]) for e in entities)
        return Plan(decisions, objective=sum(d.lost for d in decisions), optimal=False)

    def _judge(self, entity: Entity, evidence: Sequence[Evidence]) -> tuple[bool, tuple[str, ...]]:
        if entity.protected:
            return True, ("names a person to protect",)
        if entity.identifier is IdentifierType.DIRECT:
            return True, (f"direct identifier ({', '.join(sorted(entity.subtypes)) or entity.type})",)
        threshold = self._threshold(entity)
        if threshold <= 0:
            return True, (f"the policy always masks {entity.type}",)
        if evidence:
            floor = self._floor(entity)
            risky = tuple(e.reason for e in evidence if e.risky and e.score >= floor)
            return bool(risky), risky or tuple(e.reason for e in evidence)
        masked = entity.score >= threshold
        if threshold >= NEVER:
            return False, (f"the policy keeps {entity.type} of this kind",)
        relation = "reaches" if masked else "is under"
        return masked, (f"{entity.type} found with confidence {entity.score:.2f}, which {relation} {threshold:.2f}",)

    def _threshold(self, entity: Entity) -> float:
        """The strictest rule among the entity's subtypes; its type's where no subtype has one."""
        return min(self._named(entity), default=self.thresholds.get(entity.type, self.default))

    def _floor(self, entity: Entity) -> float:
        """What an indicator's score must reach beside the indicator's own threshold."""
        return min(self._named(entity), default=0.0)

    def _named(self, entity: Entity) -> list[float]:
        return [self.subtypes[s] for s in entity.subtypes if s in self.subtypes]


def _information(entity: Entity) -> float:
    """Uniform information content: one unit a word, over all mentions."""
    return float(sum(max(1, sum(1 for _ in words(m.text))) for m in entity.mentions))


def _decision(entity: Entity, masked: bool, reasons: tuple[str, ...], information: float) -> Decision:
    return Decision(
        entity.id,
        Action.SUPPRESS if masked else Action.KEEP,
        reasons,
        entity.identifier if masked else IdentifierType.NONE,
        information,
        information if masked else 0.0,
    )
