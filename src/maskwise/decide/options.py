"""The options that policy and reviewer leave for one entity."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from maskwise.decide.problem import Option
from maskwise.decide.rules import Verdict
from maskwise.errors import PlanError
from maskwise.text import Action, Entity, Level, Override

FINE = 1000  # information is counted in thousandths


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entity before the search: the verdict of the rules and everything that could be done with it."""

    entity: Entity
    verdict: Verdict
    information: float
    options: tuple[Option, ...]

    def find_allowed(self, enough: float, override: Override | None) -> tuple[Option, ...]:
        """The options that meet every demand on this entity; raises `PlanError` when there is none.

        An override comes first, then `must_keep`, a direct identifier, and the verdict of the rules.
        """
        if override is not None:
            return (self._find_overridden(override),)
        if self.entity.is_kept:
            return self.options[:1]
        if self.entity.is_direct and self.verdict.masked:
            return self.options[-1:]
        if self.verdict.masked:
            return tuple(option for option in self.options if option.share >= enough)
        return self.options

    def _find_overridden(self, override: Override) -> Option:
        name = name_entity(self.entity)
        if self.entity.protected and override.action is not Action.SUPPRESS:
            raise PlanError(
                f"{name} names a person to protect; stop protecting the person to show the name"
            )
        wanted = (override.action, override.level)
        found = next(
            (option for option in self.options if (option.action, option.level) == wanted), None
        )
        if found is None:
            raise PlanError(
                f"{name} cannot be overridden to {override.action} at level {override.level}"
            )
        return found


def name_entity(entity: Entity) -> str:
    """The name of an entity in a message, without its text, because messages reach logs."""
    return f"{entity.id} ({entity.type} at {entity.first.start})"


def index_overrides(overrides: Sequence[Override], known: Collection[str]) -> dict[str, Override]:
    """The overrides by entity; the last one about an entity counts."""
    unknown = next((one.entity for one in overrides if one.entity not in known), None)
    if unknown is not None:
        raise PlanError(f"an override names entity {unknown!r}, which the document does not have")
    return {one.entity: one for one in overrides}


def list_options(levels: Sequence[Level], information: float, enough: float) -> tuple[Option, ...]:
    """Keep, each level in order of loss, suppress."""
    between = sorted((level.loss, at) for at, level in enumerate(levels, 1) if level.loss < 1)
    steps = [(0.0, Action.KEEP, 0)]
    steps += [(loss, Action.GENERALISE, at) for loss, at in between]
    steps.append((1.0, Action.SUPPRESS, 0))
    options = []
    for share, action, level in steps:
        loss = round(share * information * FINE)
        options.append(Option(loss, share, share >= enough, action, level))
    return tuple(options)
