"""Resolves overlaps between mentions by one rule.

1. A mention that the user vouches for or whose checksum holds (`certain`) beats one that is not.
2. Then a code that a pattern supports wins, whatever a model takes it for, then what a label announces (see `codes`).
3. Then the detector named first in the policy wins.
4. Then the longer mention, then the surer one, then the one that starts first.

A stronger detector may see parts where a weaker one sees the whole. If the parts hold the first and the last word of
the whole, the whole wins: "aged" and "47" are one age, not two times. A code without a space wins over anything inside
it: a host is not the organisation in its name. Neither wins where a part is a code or names the person to protect.

On one and the same span the winner takes over the subtype and value of a loser where it has none: a model that sees a
place learns from the gazetteer that it is a country. A person never does: Ms Georgia is no state.

What the policy keeps by name counts as read where it is safe to show (see `sparing`). It does not grow, and all that is
left beside it but small words stays a mention.

A loser of the winner's type that only partly overlaps widens the winner (the union is the safer reading). Of any other
loser the part that the winners leave uncovered stays a mention if it holds a capital letter or a digit: what one
detector took for a name must not become visible because another saw something else beside it. Afterwards no two
mentions share a character, numbers that only a model saw are codes unless a pattern reads them as an amount or a date,
full names in one case and names that a pattern reads are people, neighbours of one type that stand as one name are
joined (`JOINED`), and initials end with their last full stop.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from maskwise.detect.codes import can_grow, grade_mentions, is_read, name_codes
from maskwise.detect.cutting import is_opener
from maskwise.detect.people import name_people
from maskwise.detect.sparing import Spared, find_spared, is_telling
from maskwise.detect.wholes import READ, UNREAD, Ranked, drop_parts
from maskwise.text import EntityType, Mention
from maskwise.text.subtypes import ACRONYM

# Two mentions of such a type are one if no more than this stands between them.
JOINED: Mapping[EntityType, re.Pattern[str]] = {
    EntityType.PERSON: re.compile(r"[ ]?"),
}

_INITIALS = re.compile(r"(?:[^\W\d_a-zß-öø-ÿ]\.[ -]?)+[^\W\d_a-zß-öø-ÿ]")
_ENDS_INITIAL = re.compile(r"(?<![^\W_])[^\W\d_a-zß-öø-ÿ]\Z")
_STOP = re.compile(r"\.[ ]?")
_WEAK = ACRONYM  # a word in capitals: any other subtype says more
# A capital letter or a digit.
_TELLING = re.compile(r"[^\W_a-zß-öø-ÿ]")
_WORD = re.compile(r"\w")


def merge_mentions(
    mentions: Iterable[Mention],
    order: Sequence[str] = (),
    hints: Sequence[Mention] = (),
    is_spared: Spared | None = None,
) -> list[Mention]:
    """Returns the mentions of one document, sorted and apart. `order` names detectors, the strongest first.

    `is_spared` says what the policy keeps by name. `hints` count only where that lets one of them stand.
    """
    # By all that tells two mentions apart, so that the order in which they come never decides.
    seen = sorted(mentions, key=_tell_apart)
    spared, overruled = find_spared(seen, hints, is_spared) if is_spared else (set(), set())
    if spared.intersection(hints):
        seen = sorted((*seen, *spared.intersection(hints)), key=_tell_apart)
    kept: list[Mention] = []
    cluster: list[Ranked] = []
    reach = -1
    for ranked in _rank(seen, order, spared, overruled):
        if ranked.mention.start >= reach and cluster:
            kept.extend(_resolve_cluster(cluster))
            cluster = []
        cluster.append(ranked)
        reach = max(reach, ranked.mention.end)
    kept.extend(_resolve_cluster(cluster))
    joined = _join_neighbours(name_people(name_codes(kept, seen), seen))
    return [_take_last_stop(mention) for mention in joined]


def _tell_apart(mention: Mention) -> tuple[int, int, str, str, float]:
    return mention.start, mention.end, mention.type, mention.subtype, mention.score


def _rank(
    seen: Sequence[Mention],
    order: Sequence[str],
    spared: Collection[Mention],
    overruled: Collection[Mention],
) -> Iterator[Ranked]:
    rank = {name: at for at, name in enumerate(order)}
    last = len(rank)
    for mention, grade in zip(seen, grade_mentions(seen), strict=True):
        is_spared = mention in spared
        if is_spared:
            grade = min(grade, READ)
        elif mention in overruled:
            grade = UNREAD
        place = rank.get(mention.source, last)
        strength = (not mention.certain, grade, place, -len(mention), -mention.score, mention.start)
        yield Ranked(strength, mention, is_spared)


def _resolve_cluster(cluster: list[Ranked]) -> list[Mention]:
    """Returns what stays of mentions that overlap one another, sorted and apart."""
    if len(cluster) < 2:
        return [ranked.mention for ranked in cluster]
    ordered = sorted(drop_parts(cluster), key=lambda r: r.strength)
    if len({ranked.mention.span for ranked in ordered}) < 2:
        return [next(_inherit_subtypes([ranked.mention for ranked in ordered]))]
    low = min(r.mention.start for r in ordered)
    winners = _Winners(low, max(r.mention.end for r in ordered))
    mentions = list(_inherit_subtypes([r.mention for r in ordered]))
    for mention, ranked in zip(mentions, ordered, strict=True):
        clash = winners.find_overlapping(mention)
        if not clash:
            winners.add(mention, ranked.is_spared)
        elif not winners.widen(clash, mention):
            spans = sorted(winners.get_span(at) for at in clash)
            for piece in _cut_remainders(mention, spans, winners.has_spared(clash)):
                winners.add(piece)
    return winners.list_mentions()


class _Winners:
    """Mentions that share no character, and the owner of each character of a stretch of text."""

    def __init__(self, low: int, high: int) -> None:
        self._low = low
        self._owner = [-1] * (high - low)
        self._mentions: list[Mention] = []
        self._spans: list[tuple[int, int]] = []
        self._spared: set[int] = set()

    def find_overlapping(self, mention: Mention) -> list[int]:
        """Numbers of the winners on the mention's characters."""
        owners = set(self._owner[mention.start - self._low : mention.end - self._low])
        owners.discard(-1)
        return sorted(owners)

    def get_span(self, at: int) -> tuple[int, int]:
        return self._spans[at]

    def has_spared(self, clash: Sequence[int]) -> bool:
        return not self._spared.isdisjoint(clash)

    def add(self, mention: Mention, is_spared: bool = False) -> None:
        if is_spared:
            self._spared.add(len(self._mentions))
        self._mark_owner(mention.start, mention.end, len(self._mentions))
        self._mentions.append(mention)
        self._spans.append(mention.span)

    def widen(self, clash: Sequence[int], loser: Mention) -> bool:
        """Widens the winner if the loser overlaps it alone and has its type. Returns whether it did."""
        at = clash[0]
        winner = self._mentions[at]
        if len(clash) > 1 or winner.type is not loser.type or not can_grow(winner):
            return False
        if at in self._spared:
            return False
        start, end = self._spans[at]
        self._spans[at] = min(start, loser.start), max(end, loser.end)
        self._mark_owner(loser.start, loser.end, at)
        return True

    def list_mentions(self) -> list[Mention]:
        grown = zip(self._mentions, self._spans, strict=True)
        found = [
            mention if mention.span == span else _resize_mention(mention, *span)
            for mention, span in grown
        ]
        return sorted(found, key=lambda m: m.start)

    def _mark_owner(self, start: int, end: int, at: int) -> None:
        self._owner[start - self._low : end - self._low] = [at] * (end - start)


def _inherit_subtypes(mentions: list[Mention]) -> Iterator[Mention]:
    """Yields the mentions. Those on one span get the subtype and value that only one has, people apart from things."""
    known: dict[tuple[int, int, bool], tuple[str, str]] = {}
    for m in sorted(mentions, key=lambda m: m.subtype == _WEAK):
        key = (*m.span, m.type is EntityType.PERSON)
        subtype, value = known.get(key, ("", ""))
        known[key] = (subtype or m.subtype, value or m.value)
    for m in mentions:
        subtype, value = known[(*m.span, m.type is EntityType.PERSON)]
        is_complete = (m.subtype, m.value) == (subtype, value)
        yield m if is_complete else replace(m, subtype=subtype, value=value)


def _cut_remainders(
    loser: Mention, taken: list[tuple[int, int]], beside_spared: bool
) -> Iterator[Mention]:
    """Yields the stretches of `loser` outside `taken` that could still identify, without punctuation at their edges.

    `beside_spared`: the loser gave way to what a policy keeps, and not because another detector knew better.
    """
    text, cursor = loser.document.text, loser.start
    telling = _WORD if is_read(loser) else _TELLING  # a label says that all of it is the name
    for start, end in [*taken, (loser.end, loser.end)]:
        is_left = telling.search(text, cursor, start) is not None
        if beside_spared:
            is_left = is_telling(text, cursor, start, loser.type)
        if cursor < start and is_left and (first := _WORD.search(text, cursor, start)):
            last = start
            while not _WORD.match(text, last - 1):
                last -= 1
            yield _resize_mention(loser, first.start(), last)
        cursor = max(cursor, end)


def _join_neighbours(mentions: Sequence[Mention]) -> list[Mention]:
    """Joins neighbours that stand as one name. A word that opens the sentence before a full name is no part of it."""
    runs: list[list[Mention]] = []
    for mention in mentions:
        if runs and _is_one_name(runs[-1][-1], mention):
            is_led = len(runs[-1]) == 1 and is_opener(runs[-1][0].text) and " " in mention.text
            runs[-1] = [mention] if is_led else [*runs[-1], mention]
        else:
            runs.append([mention])
    return [
        run[0] if len(run) == 1 else _resize_mention(run[0], run[0].start, run[-1].end)
        for run in runs
    ]


def _is_one_name(left: Mention, right: Mention) -> bool:
    gap = JOINED.get(right.type)
    if gap is None or left.type is not right.type or left.certain or right.certain:
        return False
    text = right.document.text
    if gap.fullmatch(text, left.end, right.start):
        return True
    # "A" and "Gimenez" of "A. Gimenez".
    is_initial = _ENDS_INITIAL.search(text, max(0, left.start - 1), left.end) is not None
    return is_initial and _STOP.fullmatch(text, left.end, right.start) is not None


def _take_last_stop(mention: Mention) -> Mention:
    """The mention with the full stop of its last initial: "F.C." where only "F.C" was seen."""
    text = mention.document.text
    is_cut = _INITIALS.fullmatch(mention.text) and text[mention.end : mention.end + 1] == "."
    if not is_cut or mention.certain:
        return mention
    return _resize_mention(mention, mention.start, mention.end + 1)


def _resize_mention(mention: Mention, start: int, end: int) -> Mention:
    return replace(mention, start=start, end=end, text=mention.document.text[start:end], value="")
