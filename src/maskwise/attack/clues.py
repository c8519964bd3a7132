"""What gave a person away: leave-one-span-out on an attacker, to be fed back as spans that must be masked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from maskwise.attack.attacker import Scorer, Scores
from maskwise.attack.scenario import Target
from maskwise.crowd.curate import extract_terms
from maskwise.text.tokens import WORD

# A run of capitalised words is one span, as titles and names are; every other word stands alone.
_RUN = re.compile(rf"(?=[A-Z0-9])(?:{WORD.pattern})(?: (?=[A-Z0-9])(?:{WORD.pattern}))+|{WORD.pattern}")


@dataclass(frozen=True, slots=True)
class Clue:
    """A span of the masked text, and how much of the lead over the second person goes with it."""

    text: str = field(repr=False)
    share: float


@dataclass(frozen=True, slots=True)
class Clues:
    """The spans that helped most, best first; masking the first `enough` hides the person (None: no number does)."""

    clues: tuple[Clue, ...]
    enough: int | None


def find_clues(target: Target, text: str, scorer: Scorer, most: int = 10) -> Clues | None:
    """Clues to the person of a text that the attacker re-identifies; None where he does not.

    Every span is left out in turn, at all its occurrences; then the best ones together, until the person is hidden.
    """
    if target.person is None:
        return None
    lead = _compute_lead(scorer([text]), target.person)[0]
    if lead <= 0:
        return None
    spans = list(dict.fromkeys(m[0] for m in _RUN.finditer(text) if extract_terms(m[0])))
    if not spans:
        return Clues((), None)
    alone = _compute_lead(scorer([remove_spans(text, [span]) for span in spans]), target.person)
    order = np.argsort(alone, kind="stable")
    ranked = [Clue(spans[at], float((lead - alone[at]) / lead)) for at in order if alone[at] < lead]
    if not ranked:
        return Clues((), None)
    several = [[clue.text for clue in ranked[: n + 1]] for n in range(len(ranked))]
    hidden = np.flatnonzero(_compute_lead(scorer([remove_spans(text, some) for some in several]), target.person) <= 0)
    enough = int(hidden[0]) + 1 if len(hidden) else None
    return Clues(tuple(ranked[: max(most, enough or 0)]), enough)


def remove_spans(text: str, spans: Sequence[str]) -> str:
    """The text less these spans, wherever they stand as whole words.

    >>> remove_spans("Ann and Anna met Ann.", ["Ann"]).split()
    ['and', 'Anna', 'met', '.']
    """
    found = "|".join(map(re.escape, sorted(spans, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{found})(?!\w)", " ", text)


def _compute_lead(scores: Scores, person: int) -> Scores:
    """How far the person is ahead of everyone else; not above zero where someone is as near or nearer."""
    others = np.delete(scores, person, axis=1).max(axis=1)
    return np.asarray(scores[:, person] - others)
