"""The rules of the policy for one entity on its own, which every solver applies before it weighs anything."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from maskwise.text import (
    Action,
    Decision,
    Document,
    Entity,
    EntityType,
    Evidence,
    IdentifierType,
    Provenance,
)
from maskwise.text.domain import Domain, get_domain
from maskwise.text.evidence import CONFIDENTIAL
from maskwise.text.subtypes import GUESSED
from maskwise.text.tokens import WORD

NEVER = 2.0  # above any confidence
_TYPES = frozenset(EntityType)
DomainThresholds = Mapping[Domain, Mapping[str, float]]  # by type or subtype, for each kind of text
_CODE_LIKE = re.compile(
    r"[0-9][0-9 \u00a0./()-]{2,}[0-9]"
)  # four characters or more, no thousands, no unit


class Verdict(NamedTuple):
    """Whether an entity must be masked whatever happens to the others, and why."""

    masked: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class MaskingRules:
    """An entity that the user lists to be kept (`must_keep`) stays. Any other must be masked when one of these holds,
    in this order:

    1. it names a protected person, shares a name with one (a relative), or is an identifier that belongs to one person,
       unless the policy keeps each of its subtypes by name; no probability can keep one;
    2. the user lists it to be masked (`must_mask`), or it tells a category of `confidential` that the policy masks;
    3. its type or subtype has threshold 0 ("always");
    4. an indicator calls it risky, with a score that also reaches the threshold of its subtype where the policy has
       one (countries hold millions of people, so it takes more to mask one);
    5. no indicator has judged it, or a column of a table gives its type, and its confidence reaches the threshold of
       its subtype, else its type.

    `domains` holds further thresholds for each kind of text, by type or subtype. They take the place of the others, and
    what an indicator says of an entity counts against them: in a mail a place is masked from .40 on.

    A candidate (see `Entity.is_candidate`) must be masked when it is called risky alone. No threshold applies to it.
    """

    thresholds: Mapping[EntityType, float] = field(default_factory=dict)
    subtypes: Mapping[str, float] = field(default_factory=dict)
    default: float = 0.5
    domains: DomainThresholds = field(default_factory=dict)
    asked: Mapping[EntityType, float] = field(default_factory=dict)  # those of the kind of text

    @cached_property
    def _by_domain(self) -> Mapping[Domain, MaskingRules]:
        """The rules for each kind of text that the policy names."""
        found = {}
        for domain, own in self.domains.items():
            types = {EntityType(key): value for key, value in own.items() if key in _TYPES}
            subtypes = {key: value for key, value in own.items() if key not in _TYPES}
            found[domain] = replace(
                self,
                thresholds={**self.thresholds, **types},
                subtypes={**self.subtypes, **subtypes},
                domains={},
                asked=types,
            )
        return found

    def judge(self, entity: Entity, evidence: Sequence[Evidence]) -> Verdict:
        if entity.is_kept:
            return Verdict(False, ("its text is in the policy's must_keep",))
        if entity.is_candidate:
            return _judge_candidate(evidence)
        domain = get_domain(entity.first.document) if self.domains else None
        if domain is not None and domain in self._by_domain:
            return self._by_domain[domain].judge(entity, evidence)
        if entity.protected:
            return Verdict(True, ("names a person to protect",))
        if any(mention.source == Provenance.PROTECT for mention in entity.mentions):
            return Verdict(True, ("shares a name with a person to protect",))
        if entity.identifier is IdentifierType.DIRECT and not self._is_kept_by_name(entity):
            kind = ", ".join(sorted(entity.subtypes)) or entity.type
            return Verdict(True, (f"direct identifier ({kind})",))
        if entity.is_listed:
            return Verdict(True, ("its text is in the policy's must_mask",))
        demanded = tuple(item.reason for item in evidence if item.indicator == CONFIDENTIAL)
        if demanded:
            return Verdict(True, demanded)
        named = self._list_thresholds(entity)
        # The strictest rule among the entity's subtypes; its type's where no subtype has one.
        threshold = min(named) if named else self.thresholds.get(entity.type, self.default)
        if threshold <= 0:
            return Verdict(True, (f"the policy always masks {entity.type}",))
        if evidence and not entity.is_given:
            return self._judge_evidence(entity, evidence, min(named, default=0.0))
        if threshold >= NEVER:
            return Verdict(False, (f"the policy keeps {entity.type} of this kind",))
        masked = entity.score >= threshold
        relation = "reaches" if masked else "is under"
        reason = f"{entity.type} found with confidence {entity.score:.2f}, which {relation} {threshold:.2f}"
        return Verdict(masked, (reason,))

    def is_spared(self, kind: EntityType, subtype: str) -> bool:
        """Whether the policy keeps a type or subtype by name, not for want of a threshold."""
        named = self._find_threshold(subtype)
        threshold = self.thresholds.get(kind, 0.0) if named is None else named
        return threshold >= NEVER

    def _list_thresholds(self, entity: Entity) -> list[float]:
        """The thresholds that the policy has for subtypes of the entity.

        A mention of another type may make the entity be masked, not kept: a country does not speak for its namesake.
        """
        if not self.subtypes:
            return []
        own = self.thresholds.get(entity.type, self.default)
        found = []
        for kind, subtype in {(mention.type, mention.subtype) for mention in entity.mentions}:
            threshold = self._find_threshold(subtype)
            if threshold is not None and (kind is entity.type or threshold < own):
                found.append(threshold)
        return found

    def _judge_evidence(
        self, entity: Entity, evidence: Sequence[Evidence], floor: float
    ) -> Verdict:
        """The verdict of indicators; `floor` is what a score must reach beside the indicator's own threshold."""
        # A subtype that the policy names is decided by its own threshold, not by that of its type.
        asked = None if floor else self.asked.get(entity.type)
        if asked is not None and asked >= NEVER:
            return Verdict(False, (f"the policy keeps {entity.type} in a text of this kind",))
        risky = []
        for item in evidence:
            score = item.score if item.unit else item.strength
            if asked is not None and item.unit:
                if item.strength >= asked:
                    risky.append(f"{item.reason}; {asked:.2f} is enough in a text of this kind")
            elif item.risky and score >= floor:
                risky.append(item.reason)
        if risky:
            return Verdict(True, tuple(risky))
        return Verdict(False, self._explain_kept(entity, evidence, floor))

    def _is_kept_by_name(self, entity: Entity) -> bool:
        """Whether the policy names every subtype of the entity as one to keep."""
        if not entity.subtypes:
            return False
        thresholds = [self._find_threshold(subtype) or 0.0 for subtype in entity.subtypes]
        return min(thresholds) >= NEVER

    def _find_threshold(self, subtype: str) -> float | None:
        """The threshold of a subtype or of what it is a kind of: "age" holds for "age_over_89" too."""
        while subtype:
            if subtype in self.subtypes:
                return self.subtypes[subtype]
            subtype = subtype.rpartition("_")[0]
        return None

    def _explain_kept(
        self, entity: Entity, evidence: Sequence[Evidence], floor: float
    ) -> tuple[str, ...]:
        """Why an entity stays that indicators judged: they call it safe, or the policy asks for more of its kind."""
        if not floor or not any(item.risky for item in evidence):
            return tuple(item.reason for item in evidence)
        if floor >= NEVER:
            return (f"the policy keeps {entity.type} of this kind",)
        more = f"{floor:.2f} is needed for {entity.type} of this kind"
        return tuple(
            f"{item.reason}, but {more}" if item.risky else item.reason for item in evidence
        )


def _judge_candidate(evidence: Sequence[Evidence]) -> Verdict:
    """A candidate stays unless it is called risky alone."""
    risky = tuple(item.reason for item in evidence if item.risky)
    return Verdict(bool(risky), risky or ("a phrase stays unless the risk in a crowd asks for it",))


def can_generalise(entity: Entity) -> bool:
    """Whether a less specific text is safe: not for what names one person, nor for a number that may be a code.

    What a model takes for a quantity is one for certain only where a unit, a word or a sign says so.
    """
    if entity.is_direct:
        return False
    guessed = [mention for mention in entity.mentions if mention.subtype in GUESSED]
    return not any(_CODE_LIKE.fullmatch(mention.text) for mention in guessed)


def count_words(document: Document, entities: Sequence[Entity]) -> dict[str, float]:
    """Uniform information content: one unit per word, over all mentions."""
    counts = {}
    for entity in entities:
        sizes = [len(WORD.findall(mention.text)) for mention in entity.mentions]
        counts[entity.id] = float(sum(max(1, size) for size in sizes))
    return counts


def make_decision(
    entity: Entity,
    action: Action,
    reasons: tuple[str, ...],
    information: float,
    loss: float = 1.0,
    level: int = 0,
) -> Decision:
    """The decision for an entity; `loss` is the share of its information that an action other than keep gives up."""
    if action is Action.KEEP:
        return Decision(entity.id, action, reasons, IdentifierType.NONE, information, 0.0, level)
    return Decision(
        entity.id, action, reasons, entity.identifier, information, information * loss, level
    )
