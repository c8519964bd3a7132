"""Renders a plan. No other module makes a masked text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from maskwise.errors import MaskingError
from maskwise.mask.alignment import Alignment, apply_replacements
from maskwise.mask.articles import correct_articles
from maskwise.mask.genitives import complete_genitive, correct_genitives
from maskwise.mask.identity import Ledger, MemoryLedger, Register
from maskwise.mask.masked import MaskedEntity
from maskwise.mask.operators import Operator, Preparer, Replacement
from maskwise.text import Action, Decision, Document, Entity, EntityType, Plan
from maskwise.text.folding import fold_words


@dataclass(frozen=True)
class Rendering:
    """The masked text, how it lines up with the original, and what each masked entity was replaced with."""

    text: str = field(repr=False)
    alignment: Alignment
    replacements: Mapping[str, str]  # entity id to the replacement of its first mention
    surrogates: frozenset[str] = (
        frozenset()
    )  # entities whose replacements are invented and look real
    coarser: frozenset[str] = frozenset()  # entities whose replacements say less than was decided

    def restore(self) -> str:
        return self.alignment.restore(self.text)


def render_plan(
    document: Document,
    entities: Sequence[Entity],
    plan: Plan,
    operators: Mapping[EntityType, Operator],
    ledger: Ledger | None = None,
) -> Rendering:
    """Write the plan into the document. Every mention of every masked entity is replaced, or an error is raised.

    A `ledger` numbers entities across documents; without one, numbers begin anew.
    """
    hidden = _list_masked_texts(entities, plan)
    register = Register(document, ledger or MemoryLedger(), ledger is None, hidden)
    masked: dict[str, MaskedEntity] = {}
    with register.ledger.open_batch():
        for entity in sorted(entities, key=lambda e: e.first.start):
            decision = _find_decision(document, plan, entity)
            if decision.masked:
                identity = register.identify(entity)
                one = MaskedEntity(entity, decision, operators[entity.type], identity)
                masked[entity.id] = one
        _prepare_operators(list(masked.values()))
        written = {name: one.write() for name, one in masked.items()}
        replaced = _settle_replacements(document, masked, written)
    spans: list[tuple[int, int, str]] = []
    for name, one in masked.items():
        _check_length(one.entity, replaced[name])
        for mention, text in zip(one.entity.mentions, replaced[name].texts, strict=True):
            spans.append((mention.start, mention.end, complete_genitive(mention, text)))
    signed = list(correct_genitives(document.text, sorted(spans)))
    edits = correct_articles(document.text, signed)
    text, alignment = apply_replacements(document.text, edits)
    return Rendering(
        text,
        alignment,
        replacements={name: found.texts[0] for name, found in replaced.items()},
        surrogates=frozenset(name for name, found in replaced.items() if found.is_surrogate),
        coarser=frozenset(name for name, found in replaced.items() if found.is_coarser),
    )


def _settle_replacements(
    document: Document, masked: Mapping[str, MaskedEntity], written: Mapping[str, Replacement]
) -> Mapping[str, Replacement]:
    """The replacements, coarser where one gives away what a generalisation hides."""
    if not any(one.decision.action is Action.GENERALISE for one in masked.values()):
        return written
    # Imported on use: it knows the world, and most policies generalise nothing.
    from maskwise.mask.entailment import settle_replacements

    return settle_replacements(document, masked, written)


def _prepare_operators(masked: Sequence[MaskedEntity]) -> None:
    pairs = [(one.entity, one.identity) for one in masked]
    different = {id(one.operator): one.operator for one in masked}
    for operator in different.values():
        if isinstance(operator, Preparer):
            operator.prepare(pairs)


def _find_decision(document: Document, plan: Plan, entity: Entity) -> Decision:
    decision = plan.by_entity.get(entity.id)
    if decision is None:
        raise MaskingError(
            f"document {document.id!r}: the plan says nothing about entity {entity.id}"
        )
    return decision


def _list_masked_texts(entities: Sequence[Entity], plan: Plan) -> frozenset[str]:
    """The masked texts, in folded words. A bare number of up to three digits says nothing by itself."""
    texts: set[str] = set()
    for entity in entities:
        decision = plan.by_entity.get(entity.id)
        if decision and decision.masked:
            texts.update(mention.text for mention in entity.mentions)
    folded = {" ".join(fold_words(text)) for text in texts}
    return frozenset(text for text in folded if text and not _is_short_number(text))


def _is_short_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 4


def _check_length(entity: Entity, found: Replacement) -> None:
    if len(found.texts) != len(entity.mentions):
        raise MaskingError(
            f"entity {entity.id}: {len(found.texts)} replacements for {len(entity.mentions)} mentions"
        )
