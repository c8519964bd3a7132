"""Information content of entities by the language model: what a reader who sees all but them could not guess."""

from __future__ import annotations

from collections.abc import Sequence

from maskwise.lm.model import load
from maskwise.text import Document, Entity


def entity_information(
    document: Document, entities: Sequence[Entity], model: str = "small", threads: int | None = None
) -> dict[str, float]:
    """-log p in nats of each entity with all its mentions masked at once, summed over their pieces.

    After Papadopoulou et al. 2022, section 3.3.
    """
    spans = [m.span for e in entities for m in e.mentions]
    owners = [e.id for e in entities for _ in e.mentions]
    groups: dict[str, list[int]] = {}
    for at, owner in enumerate(owners):
        groups.setdefault(owner, []).append(at)
    values = load(model, threads).masked.information(document.text, spans, list(groups.values())) if spans else ()
    return {owner: float(sum(values[at] for at in mine)) for owner, mine in groups.items()}
