"""`Result`: everything that was found, decided and written for one document, also as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from maskwise.mask import Rendering
from maskwise.text import Document, Entity, Evidence, Plan
from maskwise.text.exposure import Risk, document_risk


@dataclass(frozen=True)
class Coverage:
    """The certificate that nothing was skipped: how many characters each detector read."""

    characters: int
    read: Mapping[str, int]

    @property
    def complete(self) -> bool:
        return all(count == self.characters for count in self.read.values())


@dataclass(frozen=True)
class Result:
    """One sanitised document: from the original to the masked text, with the reasons for every step.

    >>> from maskwise import sanitize
    >>> result = sanitize("Mr Lee cited Article 6.")
    >>> result.masks, result.coverage.complete
    ([(0, 6, '[PERSON 1]')], True)
    """

    document: Document
    entities: tuple[Entity, ...]
    evidence: tuple[Evidence, ...]
    plan: Plan
    rendering: Rendering
    coverage: Coverage

    @property
    def text(self) -> str:
        """The masked text."""
        return self.rendering.text

    @cached_property
    def risk(self) -> Risk:
        """Estimated risk that the person is found, with everything visible and with what the plan leaves."""
        return document_risk(self.entities, self.evidence, self.plan)

    @property
    def masks(self) -> list[tuple[int, int, str]]:
        """`(start, end, replacement)` in offsets of the original, sorted, not overlapping."""
        return [(e.start, e.end, e.replacement) for e in self.rendering.alignment.edits]

    def to_json(self) -> dict[str, Any]:
        """Return the object that `sanitize --format json` prints for a document."""
        return {
            "path": self.document.id,
            "masked": self.text,
            "entities": [self._describe_entity(entity) for entity in self.entities],
            "objective": self.plan.objective,
            "optimal": self.plan.optimal,
            "bound": self.plan.bound,
            "gap": self.plan.gap,
            "solver": self.plan.solver,
            "risk": {"before": self.risk.before, "after": self.risk.after},
            "coverage": {"characters": self.coverage.characters, "read": dict(self.coverage.read)},
        }

    def _describe_entity(self, entity: Entity) -> dict[str, Any]:
        decision = self.plan.by_entity[entity.id]
        return {
            "id": entity.id,
            "type": entity.type.value,
            "identifier": decision.identifier.value,
            "mentions": [list(m.span) for m in entity.mentions],
            "decision": decision.action.value,
            "replacement": self.rendering.replacements.get(entity.id),
            "surrogate": entity.id in self.rendering.surrogates,
            "reasons": list(decision.reasons),
            "information": decision.information,
        }
