"""Renders a plan: the only place where a new text is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from maskwise.errors import MaskingError
from maskwise.mask.alignment import Alignment, apply
from maskwise.text import Document, Entity, EntityType, Operator, Plan


@dataclass(frozen=True)
class Rendering:
    """The masked text, how it lines up with the original, and what each masked entity was replaced with."""

    text: str = field(repr=False)
    alignment: Alignment
    replacements: Mapping[str, str]  # entity id to the replacement of its first mention

    def restore(self) -> str:
        return self.alignment.restore(self.text)


def render(
    document: Document, entities: Sequence[Entity], plan: Plan, operators: Mapping[EntityType, Operator]
) -> Rendering:
    """Write the plan into the document. Every mention of every masked entity is replaced, or this raises."""
    spans: list[tuple[int, int, str]] = []
    shown: dict[str, str] = {}
    ordinals: Counter[EntityType] = Counter()
    for entity in sorted(entities, key=lambda e: e.first.start):
        decision = plan.by_entity.get(entity.id)
        if decision is None:
            raise MaskingError(f"document {document.id!r}: the plan says nothing about entity {entity.id}")
        if not decision.masked:
            continue
        ordinals[entity.type] += 1
        texts = operators[entity.type].replace(entity, decision, ordinals[entity.type])
        if len(texts) != len(entity.mentions):
            raise MaskingError(f"entity {entity.id}: {len(texts)} replacements for {len(entity.mentions)} mentions")
        shown[entity.id] = texts[0]
        spans += ((m.start, m.end, text) for m, text in zip(entity.mentions, texts, strict=True))
    spans.sort()
    masked, alignment = apply(document.text, spans)
    return Rendering(masked, alignment, shown)
