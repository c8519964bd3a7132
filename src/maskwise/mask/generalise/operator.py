"""`Generalise`: writes a true, less specific replacement where a ladder has one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from itertools import islice
from weakref import WeakKeyDictionary

from maskwise.errors import MaskingError
from maskwise.mask.generalise.grammar import fit_level, is_said_beside
from maskwise.mask.generalise.ladder import LevelList
from maskwise.mask.generalise.table import find_levels
from maskwise.mask.identity import Identity
from maskwise.mask.operators import FALLBACKS, Fallback, Replacement
from maskwise.plugins import Share
from maskwise.text import Action, Decision, Document, Entity, EntityType, Level, Mention

Key = tuple[EntityType, tuple[tuple[tuple[int, int], EntityType, str], ...]]
FittedTexts = tuple[
    tuple[str, bool], ...
]  # per mention: a text or nothing, and whether it says less than was decided
# Types of which every mention holds all that the entity says.
_WORDED = (EntityType.DATETIME, EntityType.QUANTITY, EntityType.DEM)


@dataclass(frozen=True)
class Generalise:
    """Offers the levels of an entity, and writes the one that was decided, fitted to each mention.

    `limits` says by subtype or type the least share of information a level must lose to be offered. What is suppressed
    reads as its kind ("a date"), and without a ladder as the `fallback` writes it: pseudonym, label or suppress.
    """

    limits: Mapping[str, Share] = field(default_factory=dict)
    fallback: Fallback = "pseudonym"
    _known: MutableMapping[Document, dict[Key, LevelList]] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )
    _fitted: MutableMapping[Document, dict[tuple[Key, Action, int], FittedTexts]] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )

    def levels(self, entity: Entity) -> tuple[Level, ...]:
        fitted = []
        for level in self._find_levels(entity):
            text = fit_level(level, entity.first) or level.text
            fitted.append(Level(text, level.loss))
        return tuple(fitted)

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        """The level that was decided, or a coarser one: what is masked somewhere in the text is not said here."""
        for choice in self._list_coarser(entity, decision):
            texts, is_coarser = self._write_level(entity, choice, identity)
            if not any(map(identity.is_given_away_by, set(texts))):
                return Replacement(texts, is_coarser=is_coarser or choice is not decision)
        return Replacement(self._write_fallback(entity, decision, identity), is_coarser=True)

    def coarsen(self, entity: Entity, decision: Decision) -> Decision | None:
        """The decision for the next coarser level; None where there is no such level."""
        return next(islice(self._list_coarser(entity, decision), 1, None), None)

    def _write_level(
        self, entity: Entity, decision: Decision, identity: Identity
    ) -> tuple[tuple[str, ...], bool]:
        """A text for each mention, and whether one had to say less than was decided to fit its slot."""
        levels = self._find_levels(entity)
        fallback = self._write_fallback(entity, decision, identity)
        if _find_decided(levels, decision) is None:
            return fallback, False
        # A review writes the same levels again after each flip, so they are fitted once.
        known = self._fitted.setdefault(entity.first.document, {})
        key = (_list_places(entity), decision.action, decision.level)
        if key not in known:
            fitted = (self._fit_mention(entity, one, levels, decision) for one in entity.mentions)
            known[key] = tuple(fitted)
        texts = [text or other for (text, _), other in zip(known[key], fallback, strict=True)]
        return tuple(texts), any(is_coarser for _, is_coarser in known[key])

    def _fit_mention(
        self, entity: Entity, mention: Mention, levels: LevelList, decision: Decision
    ) -> tuple[str, bool]:
        """The text of a mention, and whether it had to say less; no text where the words beside it say the same."""
        own = self._reword_levels(entity, mention, levels)
        fitting = own[own.index(_find_decided(own, decision)) :]
        written = [fit_level(level, mention) for level in fitting]
        text = next(filter(None, written), "")
        return "" if is_said_beside(text, mention) else text, text != written[0]

    def _write_fallback(
        self, entity: Entity, decision: Decision, identity: Identity
    ) -> tuple[str, ...]:
        return FALLBACKS[self.fallback].replace(entity, decision, identity).texts

    def _list_coarser(self, entity: Entity, decision: Decision) -> Iterator[Decision]:
        """The decision, and where it was for a level, those for the levels after it."""
        yield decision
        if decision.action is not Action.GENERALISE:
            return
        count = len(self._find_levels(entity))
        for level in range(decision.level + 1, count + 1):
            yield replace(decision, level=level)

    def _reword_levels(self, entity: Entity, mention: Mention, levels: LevelList) -> LevelList:
        """The same levels in the way a mention is written: "a 47-year-old man", where another says "aged 47"."""
        if len(entity.mentions) == 1 or entity.type not in _WORDED:
            return levels
        own = self._find_levels(replace(entity, mentions=(mention,)))
        own_losses = [level.loss for level in own]
        losses = [level.loss for level in levels]
        return own if own_losses == losses else levels

    def _find_levels(self, entity: Entity) -> LevelList:
        """The levels that `limits` allows. The solver asks for them once and `replace` once, so they are remembered as
        long as the document lives."""
        known = self._known.setdefault(entity.first.document, {})
        key = _list_places(entity)
        if key not in known:
            least = self._find_limit(entity)
            known[key] = tuple(level for level in find_levels(entity) if level.loss >= least)
        return known[key]

    def _find_limit(self, entity: Entity) -> float:
        """The least loss of a level: the strictest limit of its subtypes, else that of its type."""
        named = [self.limits[name] for name in entity.subtypes if name in self.limits]
        return max(named, default=self.limits.get(entity.type, 0.0))


def _list_places(entity: Entity) -> Key:
    """All of an entity that its levels depend on, beside its document."""
    return entity.type, tuple((one.span, one.type, one.subtype) for one in entity.mentions)


def _find_decided(levels: LevelList, decision: Decision) -> Level | None:
    """The level of a decision; for a suppressed entity the one that says its kind alone."""
    if decision.action is Action.GENERALISE:
        if not 0 < decision.level <= len(levels):
            raise MaskingError(
                f"entity {decision.entity}: its ladder has no level {decision.level}"
            )
        return levels[decision.level - 1]
    if levels and levels[-1].loss == 1:
        return levels[-1]
    return None
