"""Finds clues, the spans that gave a person away, by leaving out one span at a time. A policy can then mask them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from maskwise.attack.attacker import Scorer, Scores
from maskwise.attack.scenario import Target
from maskwise.crowd.curate import extract_terms
from maskwise.text.tokens import WORD

# A run of capitalised words is one span, as titles and names are. Every other word is a span of its own.
_RUN = re.compile(
    rf"(?=[A-Z0-9])(?:{WORD.pattern})(?: (?=[A-Z0-9])(?:{WORD.pattern}))+|{WORD.pattern}"
)


@dataclass(frozen=True, slots=True)
class Clue:
    """A span of the masked text, and how much of the lead over the second person goes with it."""

    text: str = field(repr=False)
    share: float


@dataclass(frozen=True, slots=True)
class Clues:
    """The spans that helped most, best first. Masking the first `enough` hides the person; None if not even all do."""

    clues: tuple[Clue, ...]
    enough: int | None


def find_clues(target: Target, text: str, scorer: Scorer, most: int = 10) -> Clues | None:
    """Returns clues to the person of a text that the attacker re-identifies; None if the attacker does not.

    Every span is left out in turn, at all its occurrences. Then the best ones are left out together, until the person
    is hidden.
    """
    if target.person is None:
        return None
    lead = _compute_lead(scorer([text]), target.person)[0]
    if lead <= 0:
        return None
    ranked = _rank_spans(target.person, text, scorer, lead)
    if not ranked:
        return Clues((), None)
    best = [clue.text for clue in ranked]
    shorter = [remove_spans(text, best[: n + 1]) for n in range(len(best))]
    leads = _compute_lead(scorer(shorter), target.person)
    is_hidden = np.flatnonzero(leads <= 0)
    enough = int(is_hidden[0]) + 1 if len(is_hidden) else None
    return Clues(tuple(ranked[: max(most, enough or 0)]), enough)


def _rank_spans(person: int, text: str, scorer: Scorer, lead: float) -> list[Clue]:
    """Returns the spans without which the lead is smaller, the most helpful first."""
    matches = [match[0] for match in _RUN.finditer(text)]
    spans = list(dict.fromkeys(span for span in matches if extract_terms(span)))
    if not spans:
        return []
    shorter = [remove_spans(text, [span]) for span in spans]
    alone = _compute_lead(scorer(shorter), person)
    order = np.argsort(alone, kind="stable")
    return [Clue(spans[at], float((lead - alone[at]) / lead)) for at in order if alone[at] < lead]


def remove_spans(text: str, spans: Sequence[str]) -> str:
    """Returns the text without these spans, wherever they are whole words.

    >>> remove_spans("Ann and Anna met Ann.", ["Ann"]).split()
    ['and', 'Anna', 'met', '.']
    """
    found = "|".join(map(re.escape, sorted(spans, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{found})(?!\w)", " ", text)


def _compute_lead(scores: Scores, person: int) -> Scores:
    """Returns the lead of the person over everyone else: not above zero if someone is as near or nearer."""
    others = np.delete(scores, person, axis=1).max(axis=1)
    return np.asarray(scores[:, person] - others)
