"""Finds the person that a pronoun means, in the same sentence or in the sentences before.

Where that is not plain, a pronoun means everybody it may mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from maskwise.crowd.people import Someone

_FEW = 12  # people to whom a pronoun may go back
_PRONOUN = re.compile(
    r"\b(?:(?P<m>[Hh]e|[Hh]is|[Hh]im(?P<him>(?!self))(?:self)?)"
    r"|(?P<f>[Ss]he|[Hh]ers|[Hh]er(?P<her>(?=[.,;]| (?:to|that|and|with|in|on|at|for|by|from|about|as|when|if)\b))?"
    r"(?:self)?)"
    r"|[Tt]he(?:y|ir|m))\b"
)


class Reference(NamedTuple):
    """A place where the text means people, by their numbers. `gender` is that of a pronoun."""

    start: int
    end: int
    whom: tuple[int, ...]
    gender: str = ""


class Pronoun(NamedTuple):
    """A pronoun of the third person; its gender is empty for "they"."""

    start: int
    end: int
    gender: str
    is_object: bool  # "told him": somebody else than who does it


def read_pronouns(text: str) -> list[Pronoun]:
    found = []
    for match in _PRONOUN.finditer(text):
        gender = "m" if match["m"] else "f" if match["f"] else ""
        is_object = match["him"] is not None or match["her"] is not None
        found.append(Pronoun(match.start(), match.end(), gender, is_object))
    return found


class Resolver:
    """Reads sentences in order and says whom their pronouns mean: somebody of the sentence, else of earlier ones."""

    def __init__(
        self, genders: Sequence[str], first: tuple[int, ...], experts: frozenset[int]
    ) -> None:
        self._genders = genders
        self._experts = experts
        self._others = first  # the person meant last who is no expert
        self._last = first  # the person meant by the last sentence that means anybody
        self._recent: dict[str, tuple[int, ...]] = {}  # by gender, who was meant last
        self._near: dict[int, None] = {}  # people meant by the sentence so far, the last at the end

    def read(self, events: Iterable[Reference | Pronoun]) -> list[Reference]:
        """The references of a sentence, with those of its pronouns."""
        self._near = {}
        found: list[Reference] = []
        for event in events:
            if isinstance(event, Pronoun):
                whom = self._resolve(event)
                event = Reference(event.start, event.end, whom, event.gender)
            if event.whom:
                found.append(event)
                self._approach(event.whom)
        if found:
            self._last = self._list_near()
            self._recent.update((self._genders[at], (at,)) for at in self._last)
            self._others = tuple(at for at in self._last if at not in self._experts) or self._others
        return found

    def _resolve(self, pronoun: Pronoun) -> tuple[int, ...]:
        near = self._list_near()
        if not pronoun.gender:
            return near or self._carry_over("")
        fitting = [at for at in near if self._genders[at] in (pronoun.gender, "")]
        sure = [at for at in fitting if self._genders[at]]
        if sure and not pronoun.is_object:
            return (sure[-1],)
        found = tuple(dict.fromkeys([*fitting[-1:], *self._carry_over(pronoun.gender)]))
        return found or (*self._recent.get(pronoun.gender, ()), *self._recent.get("", ()))

    def _carry_over(self, gender: str) -> tuple[int, ...]:
        """People of earlier sentences whom a pronoun may mean by gender. A text does not speak of a lawyer for long."""
        fitting = [at for at in self._last if not gender or self._genders[at] in (gender, "")]
        if fitting and self._experts.issuperset(fitting):
            fitting += [
                at for at in self._others if not gender or self._genders[at] in (gender, "")
            ]
        return tuple(dict.fromkeys(fitting))

    def _approach(self, whom: Iterable[int]) -> None:
        for at in whom:
            self._near.pop(at, None)
            self._near[at] = None

    def _list_near(self) -> tuple[int, ...]:
        return tuple(islice(reversed(self._near), _FEW))[::-1]


def resolve_pronouns(
    by_sentence: Sequence[Sequence[Reference]],
    of_sentence: Sequence[Sequence[Pronoun]],
    resolver: Resolver,
    heirs: frozenset[int],
) -> list[tuple[Reference, ...]]:
    """By sentence, whom its names and pronouns mean. One of `heirs` that means nobody means whom the last means."""
    found: list[tuple[Reference, ...]] = []
    for number, (names, words) in enumerate(zip(by_sentence, of_sentence, strict=True)):
        events: list[Reference | Pronoun] = [*names, *words]
        events.sort(key=lambda event: event.start)
        here = resolver.read(events)
        if not here and number in heirs:
            here = [Reference(*one[:2], one.whom) for one in found[-1][-_FEW:]]
        found.append(tuple(here))
    return found


def learn_genders(
    people: Sequence[Someone],
    spoken: frozenset[int],
    by_sentence: Sequence[Sequence[Reference]],
    of_sentence: Sequence[Sequence[Pronoun]],
) -> list[str]:
    """Genders that names tell, else those of the pronouns in sentences with one person, and in the next one.

    Those of `spoken` are "I" and "you", never "she".
    """
    votes = [{"m": 0, "f": 0} for _ in people]
    alone: tuple[int, ...] = ()
    for names, words in zip(by_sentence, of_sentence, strict=True):
        for name in names:
            if len(name.whom) == 1 and name.gender:
                votes[name.whom[0]][name.gender] += 1
        means = _list_people(names)
        alone = means or alone
        for pronoun in words:
            if (
                len(alone) == 1
                and pronoun.gender
                and not pronoun.is_object
                and not spoken & {*alone}
            ):
                votes[alone[0]][pronoun.gender] += 1
        if not means:
            alone = ()
    return [one.gender or _elect(vote) for one, vote in zip(people, votes, strict=True)]


def _elect(votes: dict[str, int]) -> str:
    if votes["m"] == votes["f"]:
        return ""
    return "m" if votes["m"] > votes["f"] else "f"


def _list_people(references: Iterable[Reference]) -> tuple[int, ...]:
    """The people of some references, in order of appearance."""
    return tuple(dict.fromkeys(at for reference in references for at in reference.whom))
