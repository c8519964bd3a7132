"""Renders a plan: the only place where a new text is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from maskwise.errors import MaskingError
from maskwise.mask.alignment import Alignment, apply
from maskwise.mask.articles import correct_articles
from maskwise.mask.identity import Ledger, MemoryLedger, Register
from maskwise.mask.operators import Operator, Replacement
from maskwise.text import Decision, Document, Entity, EntityType, Plan
from maskwise.text.folding import fold_words


@dataclass(frozen=True)
class Rendering:
    """The masked text, how it lines up with the original, and what each masked entity was replaced with."""

    text: str = field(repr=False)
    alignment: Alignment
    replacements: Mapping[str, str]  # entity id to the replacement of its first mention
    # Ids of entities whose replacements are invented and look real.
    surrogates: frozenset[str] = frozenset()
    # Ids of those whose replacements say less than was decided.
    coarser: frozenset[str] = frozenset()

    def restore(self) -> str:
        return self.alignment.restore(self.text)


def render(
    document: Document,
    entities: Sequence[Entity],
    plan: Plan,
    operators: Mapping[EntityType, Operator],
    ledger: Ledger | None = None,
) -> Rendering:
    """Write the plan into the document. Every mention of every masked entity is replaced, or this raises.

    A `ledger` numbers entities across documents; without one, numbers begin anew.
    """
    spans: list[tuple[int, int, str]] = []
    shown: dict[str, str] = {}
    surrogates: set[str] = set()
    coarser: set[str] = set()
    register = Register(
        document, ledger or MemoryLedger(), ledger is None, _list_masked_texts(entities, plan)
    )
    with register.ledger.batch():
        for entity in sorted(entities, key=lambda e: e.first.start):
            decision = plan.by_entity.get(entity.id)
            if decision is None:
                raise MaskingError(
                    f"document {document.id!r}: the plan says nothing about entity {entity.id}"
                )
            if not decision.masked:
                continue
            found = _replace_mentions(operators[entity.type], entity, decision, register)
            shown[entity.id] = found.texts[0]
            if found.is_surrogate:
                surrogates.add(entity.id)
            if found.is_coarser:
                coarser.add(entity.id)
            for mention, text in zip(entity.mentions, found.texts, strict=True):
                spans.append((mention.start, mention.end, text))
    spans.sort()
    masked, alignment = apply(document.text, correct_articles(document.text, spans))
    return Rendering(masked, alignment, shown, frozenset(surrogates), frozenset(coarser))


def _list_masked_texts(entities: Sequence[Entity], plan: Plan) -> frozenset[str]:
    """What is masked, in folded words. A bare number of up to three digits says nothing by itself."""
    texts: set[str] = set()
    for entity in entities:
        decision = plan.by_entity.get(entity.id)
        if decision and decision.masked:
            texts.update(" ".join(fold_words(mention.text)) for mention in entity.mentions)
    return frozenset(text for text in texts if text and not _is_short_number(text))


def _is_short_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 4


def _replace_mentions(
    operator: Operator, entity: Entity, decision: Decision, register: Register
) -> Replacement:
    found = operator.replace(entity, decision, register.identify(entity))
    if len(found.texts) != len(entity.mentions):
        raise MaskingError(
            f"entity {entity.id}: {len(found.texts)} replacements for {len(entity.mentions)} mentions"
        )
    return found
