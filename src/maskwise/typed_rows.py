"""Rows of tables whose columns tell everything: what is decided for a kind of cell once holds for all its cells.

No detector, linker or indicator has anything to add to such a row, so that only the masks remain to be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from maskwise.decide.rules import count_words
from maskwise.link.identifiers import classify_identifier
from maskwise.text import Decision, Document, Entity, EntityType, Mention, Plan, Solver

_Kind = tuple[EntityType, str, float]


def _group_cells(mentions: Sequence[Mention]) -> Iterable[tuple[Mention, ...]]:
    """The cells of each kind and value: a customer who is also the contact of the row is one person."""
    found: dict[object, list[Mention]] = {}
    for mention in mentions:
        value = (mention.type, mention.subtype, mention.score, mention.text.casefold())
        found.setdefault(value, []).append(mention)
    return map(tuple, found.values())


@dataclass
class TypedRows:
    """Plans rows by the decisions of a solver for single cells, which it remembers by type, subtype and score."""

    solver: Solver
    _known: dict[_Kind, Decision] = field(default_factory=dict)

    def plan(self, document: Document, mentions: Sequence[Mention]) -> tuple[list[Entity], Plan]:
        """One entity per value, which several cells of the row may have, and what is done with it."""
        entities: list[Entity] = []
        decisions: list[Decision] = []
        for number, cells in enumerate(_group_cells(mentions), 1):
            known = self._decide(document, cells[0])
            entity = Entity(f"e{number}", cells[0].type, cells, classify_identifier(cells, False))
            entities.append(entity)
            decisions.append(replace(known, entity=entity.id))
        lost = sum(decision.lost for decision in decisions)
        return entities, Plan(tuple(decisions), lost, True, lost, "columns", 0.0)

    def _decide(self, document: Document, mention: Mention) -> Decision:
        kind = (mention.type, mention.subtype, mention.score)
        if kind not in self._known:
            entity = Entity("e1", mention.type, (mention,), classify_identifier((mention,), False))
            [decision] = self.solver.solve(document, [entity], [], {}).decisions
            words = count_words(document, [entity])[entity.id]
            self._known[kind] = replace(
                decision, information=1.0, lost=decision.lost / max(words, 1.0)
            )
        return self._known[kind]
