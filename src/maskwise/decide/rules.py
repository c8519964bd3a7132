"""What the policy says of one entity on its own: the rules that every solver applies before it weighs anything."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from maskwise.text import Action, Decision, Document, Entity, EntityType, Evidence, IdentifierType
from maskwise.text.tokens import WORD

NEVER = 2.0  # above any confidence
_GUESSED = frozenset(("", "direct"))  # the subtypes that a model gives
_CODE_LIKE = re.compile(r"[0-9][0-9 \u00a0./()-]{2,}[0-9]")  # four characters or more, no thousands, no unit
PROTECT = "protect"  # source of the mentions that hold a protected person's name


class Verdict(NamedTuple):
    """Whether an entity must be masked whatever happens to the others, and why."""

    masked: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class MaskingRules:
    """An entity must be masked when one of these holds, in this order:

    1. it names a protected person, shares a name with one (a relative), or is an identifier that belongs to one person,
       unless the policy keeps each of its subtypes by name; no probability can keep one;
    2. its type or subtype has threshold 0 ("always");
    3. an indicator calls it risky, with a score that also reaches the threshold of its subtype where the policy has
       one (countries hold millions of people, so it takes more to mask one);
    4. no indicator has judged it, and the detector's confidence reaches the threshold of its subtype, else its type.
    """

    thresholds: Mapping[EntityType, float] = field(default_factory=dict)
    subtypes: Mapping[str, float] = field(default_factory=dict)
    default: float = 0.5

    def judge(self, entity: Entity, evidence: Sequence[Evidence]) -> Verdict:
        if entity.protected:
            return Verdict(True, ("names a person to protect",))
        if any(m.source == PROTECT for m in entity.mentions):
            return Verdict(True, ("shares a name with a person to protect",))
        if entity.identifier is IdentifierType.DIRECT and not self._keeps_by_name(entity):
            return Verdict(True, (f"direct identifier ({', '.join(sorted(entity.subtypes)) or entity.type})",))
        found = (self._find_threshold(s) for s in entity.subtypes) if self.subtypes else ()
        named = [threshold for threshold in found if threshold is not None]
        # The strictest rule among the entity's subtypes; its type's where no subtype has one.
        threshold = min(named) if named else self.thresholds.get(entity.type, self.default)
        if threshold <= 0:
            return Verdict(True, (f"the policy always masks {entity.type}",))
        if evidence:
            floor = min(named, default=0.0)  # what a score must reach beside the indicator's own threshold
            risky = tuple(e.reason for e in evidence if e.risky and (e.score if e.unit else e.strength) >= floor)
            return Verdict(bool(risky), risky or self._explain_kept(entity, evidence, floor))
        if threshold >= NEVER:
            return Verdict(False, (f"the policy keeps {entity.type} of this kind",))
        masked = entity.score >= threshold
        relation = "reaches" if masked else "is under"
        reason = f"{entity.type} found with confidence {entity.score:.2f}, which {relation} {threshold:.2f}"
        return Verdict(masked, (reason,))

    def _keeps_by_name(self, entity: Entity) -> bool:
        """Whether the policy names every subtype of the entity as one to keep."""
        subtypes = entity.subtypes
        return bool(subtypes) and all((self._find_threshold(subtype) or 0.0) >= NEVER for subtype in subtypes)

    def _find_threshold(self, subtype: str) -> float | None:
        """The threshold of a subtype or of what it is a kind of: "age" holds for "age_over_89" too."""
        while subtype:
            if subtype in self.subtypes:
                return self.subtypes[subtype]
            subtype = subtype.rpartition("_")[0]
        return None

    def _explain_kept(self, entity: Entity, evidence: Sequence[Evidence], floor: float) -> tuple[str, ...]:
        """Why an entity stays that indicators judged: they call it safe, or the policy asks for more of its kind."""
        if not any(e.risky for e in evidence):
            return tuple(e.reason for e in evidence)
        if floor >= NEVER:
            return (f"the policy keeps {entity.type} of this kind",)
        more = f"{floor:.2f} is needed for {entity.type} of this kind"
        return tuple(f"{e.reason}, but {more}" if e.risky else e.reason for e in evidence)


def is_direct(entity: Entity) -> bool:
    """Whether it must be suppressed: no level of a ladder is safe for what names one person."""
    return entity.protected or entity.identifier is IdentifierType.DIRECT


def can_generalise(entity: Entity) -> bool:
    """Whether a less specific text is safe: not for what names one person, nor for a number that may be a code.

    What a model takes for a quantity is one for certain only where a unit, a word or a sign says so.
    """
    if is_direct(entity):
        return False
    return not any(_CODE_LIKE.fullmatch(m.text) and m.subtype in _GUESSED for m in entity.mentions)


def count_words(document: Document, entities: Sequence[Entity]) -> dict[str, float]:
    """Uniform information content: one unit a word, over all mentions."""
    size = {text: max(1, len(WORD.findall(text))) for text in {m.text for e in entities for m in e.mentions}}
    return {e.id: float(sum(size[m.text] for m in e.mentions)) for e in entities}


def make_decision(
    entity: Entity, action: Action, reasons: tuple[str, ...], information: float, loss: float = 1.0, level: int = 0
) -> Decision:
    """The decision for an entity; `loss` is the share of its information that an action other than keep gives up."""
    masked = action is not Action.KEEP
    identifier = entity.identifier if masked else IdentifierType.NONE
    return Decision(entity.id, action, reasons, identifier, information, information * loss if masked else 0.0, level)
