"""Attack-driven masking: mask texts until the attackers of `maskwise attack` no longer find the people in them.

Each person is hidden behind K others from the attackers asked, by the search of `maskwise.crowd.search`. Then all
attackers judge all texts. Where too many people are found, every attacker that found a person is asked about that
person too, and the person is hidden again, until the re-identification rate is at or under the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from maskwise.attack.attacker import Attacker, Background, Scorer, fuse_scores
from maskwise.attack.masked_texts import MaskedTexts, RememberingScorer, TextScorer
from maskwise.attack.scenario import Target
from maskwise.attack.trir import FUSION, ColumnOutcome, add_fusion, find_hits, measure_column
from maskwise.crowd.curate import GENERIC, drop_masks
from maskwise.crowd.maskings import Goal, MaskingScores, Unit
from maskwise.crowd.search import Effort, Search, SearchOutcome
from maskwise.crowd.words import MARK, Mask, Words
from maskwise.text.types import Span

K = 20
# These read with the encoder, and are slow to ask: about a person only once they have found that person.
ASKED_LATE = ("dense", FUSION)
_EFFORT = Effort(shortlist=6, exchange=10)
_PART = 4  # a person hides behind at most one in so many people of the background

Track = Callable[[Sequence[int], str], Iterable[int]]


@dataclass(frozen=True, slots=True)
class TextToHarden:
    """A text to harden, with offsets in `target.text`.

    `masked` stays masked. `units` are spans that are masked together, `costs` what is lost with each unit.
    """

    target: Target
    masked: tuple[Span, ...] = ()
    units: tuple[tuple[Span, ...], ...] = ()
    costs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class MaskReason:
    """Why a unit is masked: an attacker ranks the person there if the unit alone is shown again."""

    spans: tuple[Span, ...]
    attacker: str
    shown: int
    masked: int


@dataclass(frozen=True)
class HardenedText:
    """A text with its masks. The person is behind `k` others for the attackers asked; 0 where that was not reached."""

    draft: TextToHarden = field(repr=False)
    words: Words = field(repr=False)
    mask: Mask = field(repr=False)
    k: int = 0
    reasons: tuple[MaskReason, ...] = ()

    @cached_property
    def spans(self) -> list[Span]:
        """The masked spans, sorted and apart."""
        return merge_spans([*self.draft.masked, *self.words.find_masked_spans(self.mask)])

    @cached_property
    def text(self) -> str:
        text = self.draft.target.text
        edges = [0, *(edge for span in self.spans for edge in span), len(text)]
        kept = [text[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2)]
        return MARK.join(kept)


@dataclass(frozen=True, slots=True)
class Hardening:
    """The texts with TRIR before and after. `found` are the numbers of the texts whose people are still found.

    Each person is behind `k` of the `people` of the background, where that can be.
    """

    texts: tuple[HardenedText, ...]
    before: ColumnOutcome
    after: ColumnOutcome
    found: tuple[int, ...]
    bound: float
    rounds: int
    people: int
    k: int

    @property
    def is_reached(self) -> bool:
        return is_within(len(self.found), len(self.texts), self.bound)


def harden(
    drafts: Sequence[TextToHarden],
    background: Sequence[str],
    attackers: Sequence[Attacker],
    *,
    bound: float = 0.1,
    k: int = K,
    seed: int = 0,
    track: Track = lambda numbers, _: numbers,
) -> Hardening:
    """Masks units of each draft until at most the share `bound` of the people is found by any attacker."""
    hider = Hider.fit(background, attackers, k, seed)
    targets = [draft.target for draft in drafts]
    before = hider.measure(targets, [target.text for target in targets])
    texts = [begin_text(draft) for draft in drafts]
    asked = [hider.asked_early for _ in drafts]
    after = hider.measure(targets, [text.text for text in texts])
    left = [at for at, target in enumerate(targets) if target.person is not None]
    rounds = 0
    while left:
        rounds += 1
        for at in track(left, f"Hiding, round {rounds}"):
            texts[at] = hider.hide(drafts[at], asked[at])
        after = hider.measure(targets, [text.text for text in texts])
        finders = _list_finders(after)
        left = []
        if not is_within(len(finders), len(drafts), bound):
            for at, names in finders.items():
                more = [name for name in names if name not in asked[at]]
                asked[at] = (*asked[at], *more)
                left += [at] * bool(more)
    found = tuple(_list_finders(after))
    return Hardening(tuple(texts), before, after, found, bound, rounds, hider.people, hider.k)


def is_within(found: int, people: int, bound: float) -> bool:
    """Whether so many of the people found are at most the share `bound` of all."""
    return found <= 0 or found / people <= bound


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Spans sorted, and joined where they touch.

    >>> merge_spans([(5, 7), (0, 2), (1, 3), (7, 9)])
    [(0, 3), (5, 9)]
    """
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def begin_text(draft: TextToHarden) -> HardenedText:
    """The text with nothing masked but what stays masked."""
    words = Words(draft.target.text)
    mask = np.zeros(len(words), dtype=bool)
    mask[words.find_touched(draft.masked)] = True
    return HardenedText(draft, words, mask)


def _list_finders(column: ColumnOutcome) -> dict[int, list[str]]:
    """The attackers that find each person, by the number of the person."""
    found: dict[int, list[str]] = {}
    for name, hits in column.hits.items():
        for at in np.flatnonzero(hits.any(axis=0)):
            found.setdefault(int(at), []).append(name)
    return dict(sorted(found.items()))


@dataclass(frozen=True)
class Hider:
    """Attackers fitted to a background of so many `people`, and the search that hides a person from them."""

    scorers: Mapping[str, RememberingScorer] = field(repr=False)
    people: int
    k: int

    @classmethod
    def fit(
        cls, background: Sequence[str], attackers: Sequence[Attacker], k: int, seed: int
    ) -> Hider:
        known = Background(tuple(background))
        fitted = {
            attacker.name: RememberingScorer(attacker.fit(known, seed)) for attacker in attackers
        }
        return cls(fitted, len(known), max(min(k, len(known) // _PART), 1))

    @property
    def asked_early(self) -> tuple[str, ...]:
        """The attackers that are asked about everybody."""
        return tuple(name for name in self.scorers if name not in ASKED_LATE) or tuple(self.scorers)

    def measure(self, targets: Sequence[Target], texts: Sequence[str]) -> ColumnOutcome:
        """TRIR of these texts, as `maskwise attack` measures it."""
        clean = [drop_masks(text) for text in texts]
        scores = add_fusion({name: scorer(clean) for name, scorer in self.scorers.items()})
        hits = {name: find_hits(one, targets) for name, one in scores.items()}
        self._forget()
        return measure_column(targets, [hits])

    def hide(self, draft: TextToHarden, asked: Sequence[str]) -> HardenedText:
        """Hides a person behind K others from the attackers asked, behind fewer where that is impossible."""
        begun = begin_text(draft)
        words, start = begun.words, begun.mask
        person = draft.target.person
        if person is None:
            return begun
        units, costs = _assign_units(draft, words, start)
        texts = MaskedTexts(words)
        scorers = {name: TextScorer(texts, self._find_scorer(name)) for name in asked}
        k = self.k
        while True:
            scores = MaskingScores(
                list(scorers.values()), person, units, len(words), Goal(k), costs
            )
            outcome = Search(scores, _EFFORT, start).run()
            if outcome.reached or k == 1:
                break
            k //= 2
        reasons = _find_reasons(words, outcome, scorers, person)
        self._forget()
        return HardenedText(draft, words, outcome.mask, k if outcome.reached else 0, reasons)

    def _find_scorer(self, name: str) -> Scorer:
        if name != FUSION:
            return self.scorers[name]
        return lambda texts: fuse_scores([scorer(texts) for scorer in self.scorers.values()])

    def _forget(self) -> None:
        for scorer in self.scorers.values():
            scorer.forget()


def _assign_units(draft: TextToHarden, words: Words, start: Mask) -> tuple[list[Unit], list[float]]:
    """The words of each unit and its cost. Words that are masked already, and masks of others, belong to none."""
    taken = set(np.flatnonzero(start).tolist())
    taken.update(words.find_touched(match.span() for match in GENERIC.finditer(words.text)))
    units: list[Unit] = []
    costs: list[float] = []
    for spans, cost in zip(draft.units, draft.costs, strict=True):
        unit = tuple(at for at in words.find_touched(spans) if at not in taken)
        if any(words.content[at] for at in unit):
            units.append(unit)
            costs.append(cost)
            taken.update(unit)
    return units, costs


def _find_reasons(
    words: Words, outcome: SearchOutcome, scorers: Mapping[str, TextScorer], person: int
) -> tuple[MaskReason, ...]:
    """For each masked unit, the attacker that comes nearest to the person if that unit alone is shown."""
    masks = np.repeat(outcome.mask[None], len(outcome.units) + 1, axis=0)
    for at, unit in enumerate(outcome.units):
        masks[at, list(unit)] = False
    ranks = {name: scorer.rank(masks, person) for name, scorer in scorers.items()}
    reasons = []
    for at, unit in enumerate(outcome.units):
        name = min(ranks, key=lambda name: ranks[name][at])
        alone = np.zeros(len(words), dtype=bool)
        alone[list(unit)] = True
        spans = tuple(words.find_masked_spans(alone))
        reasons.append(MaskReason(spans, name, ranks[name][at], ranks[name][-1]))
    return tuple(reasons)
