"""`Result`: everything that was found, decided and written for one document, also as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from maskwise.mask import Rendering
from maskwise.text import Document, Entity, Evidence, Plan
from maskwise.text.confidential import NOT_CONFIDENTIAL, Disclosure, Holder
from maskwise.text.domain import get_domain
from maskwise.text.language import ENGLISH, NAMES, get_language

if TYPE_CHECKING:
    from maskwise.crowd.measured import CrowdRisk


@dataclass(frozen=True)
class Coverage:
    """The certificate that nothing was skipped: how many characters each detector read."""

    characters: int
    read: Mapping[str, int]

    @property
    def complete(self) -> bool:
        return all(count == self.characters for count in self.read.values())


@dataclass(frozen=True)
class Draft:
    """The findings in a document and the evidence of indicators, before any decision.

    `read` is how many characters each detector read.
    """

    document: Document
    entities: tuple[Entity, ...]
    evidence: tuple[Evidence, ...]
    read: Mapping[str, int]


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
    risk: CrowdRisk | None = None  # None where the policy asks for no measurement

    @property
    def text(self) -> str:
        """The masked text."""
        return self.rendering.text

    @cached_property
    def findings(self) -> tuple[Entity, ...]:
        """The entities without the candidates that stay: what is told of a result."""
        by_entity = self.plan.by_entity
        return tuple(e for e in self.entities if not e.is_candidate or by_entity[e.id].masked)

    @property
    def masks(self) -> list[tuple[int, int, str]]:
        """`(start, end, replacement)` in offsets of the original, sorted, not overlapping."""
        return [(e.start, e.end, e.replacement) for e in self.rendering.alignment.edits]

    @property
    def domain(self) -> str:
        """The kind of text that was recognised or given."""
        return str(get_domain(self.document) or "")

    @property
    def language(self) -> str:
        """The language that was recognised (ISO 639-1)."""
        return get_language(self.document)

    @property
    def language_note(self) -> str:
        """A warning for the reader about a text that is not English, in a sentence; empty for English."""
        if self.language == ENGLISH:
            return ""
        return (
            f"written in {NAMES.get(self.language, self.language)}; codes, contact data, dates and protected names are "
            "found in every language, other names only in part"
        )

    def to_tab(self) -> dict[str, Any]:
        """Return the document in TAB standoff JSON, with the decisions as the annotation of `maskwise`."""
        mentions = []
        for entity in self.findings:
            decision = self.plan.by_entity[entity.id]
            status = entity.disclosure.category.value if entity.disclosure else NOT_CONFIDENTIAL
            for number, mention in enumerate(entity.mentions, 1):
                mentions.append(
                    {
                        "entity_type": entity.type.value,
                        "entity_mention_id": f"{entity.id}_{number}",
                        "start_offset": mention.start,
                        "end_offset": mention.end,
                        "span_text": mention.text,
                        "identifier_type": entity.identifier.value
                        if decision.masked
                        else "NO_MASK",
                        "entity_id": entity.id,
                        "confidential_status": status,
                    }
                )
        mentions.sort(key=lambda each: each["start_offset"])
        layer = {"maskwise": {"entity_mentions": mentions}}
        return {"doc_id": self.document.id, "text": self.document.text, "annotations": layer}

    def to_json(self) -> dict[str, Any]:
        """Return the object that `sanitize --format json` prints for a document."""
        return {
            "path": self.document.id,
            "masked": self.text,
            "domain": self.domain,
            "language": self.language,
            "entities": [self._describe_entity(entity) for entity in self.findings],
            "objective": self.plan.objective,
            "optimal": self.plan.optimal,
            "bound": self.plan.bound,
            "gap": self.plan.gap,
            "solver": self.plan.solver,
            "risk": self.risk.to_json() if self.risk else {"measured": False},
            "coverage": {"characters": self.coverage.characters, "read": dict(self.coverage.read)},
        }

    def _describe_entity(self, entity: Entity) -> dict[str, Any]:
        decision = self.plan.by_entity[entity.id]
        disclosed = entity.disclosure
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
            "confidential_status": disclosed.category.value if disclosed else NOT_CONFIDENTIAL,
            "confidential_holder": self._name_holder(disclosed) if disclosed else None,
        }

    def _name_holder(self, disclosed: Disclosure) -> str:
        """The entity whose attribute it is, or what is known of the person."""
        if isinstance(disclosed.holder, Holder):
            return disclosed.holder.value
        return next(
            (e.id for e in self.entities if any(m.start == disclosed.holder for m in e.mentions)),
            Holder.UNKNOWN.value,
        )
