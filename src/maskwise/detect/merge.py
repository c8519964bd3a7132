"""One rule for overlaps.

1. A mention that the user vouches for or whose checksum holds (`certain`) beats one that is not.
2. Then the detector named first in the policy wins.
3. Then the longer mention, then the surer one, then the one that starts first.

A weaker mention whose first and last words a stronger detector saw in mentions apart is the whole that these are parts
of, and wins: "aged" and "47" are one age, not two times. So does a code without a space around anything inside it: a
host is not the organisation in its name. Not where a part names the person the text is about.

On one and the same span the winner takes over the subtype and value of a loser where it has none: a model that sees a
place learns from the gazetteer that it is a country.

A loser of the winner's type that only partly overlaps widens the winner (the union is the safer reading). Of any other
loser the part that the winners leave uncovered stays a mention if it holds a capital letter or a digit: what one
detector took for a name must not become visible because another saw something else beside it. Afterwards no two
mentions share a character, and neighbours of one type that stand as one name are joined (`JOINED`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from maskwise.text import EntityType, Mention

# Between two mentions of these types this much may stand for them to be one: an address "Elm Road 5, 4021 Oslo".
JOINED: Mapping[EntityType, re.Pattern[str]] = {
    EntityType.PERSON: re.compile(r"[ \t]?"),
}

# From the first to the last word of a stretch, one of which begins with a capital letter or holds a digit.
_IDENTIFYING = re.compile(r"(?=.*?(?:[^\W\d_a-zß-öø-ÿ]|\d))\w(?:.*\w)?", re.DOTALL)

Strength = tuple[bool, int, int, float, int]


def merge(mentions: Iterable[Mention], order: Sequence[str] = ()) -> list[Mention]:
    """Mentions of one document, sorted, no two on one character. `order` names detectors, the strongest first."""
    rank = {name: at for at, name in enumerate(order)}
    last = len(rank)

    def strength(m: Mention) -> Strength:
        return (not m.certain, rank.get(m.source, last), -len(m), -m.score, m.start)

    kept: list[Mention] = []
    cluster: list[Mention] = []
    reach = -1
    # By all that tells two mentions apart, so that the order in which they come never decides.
    for mention in sorted(mentions, key=lambda m: (m.start, m.end, m.type, m.subtype, m.score)):
        if mention.start >= reach and cluster:
            kept.extend(_resolve(cluster, strength))
            cluster = []
        cluster.append(mention)
        reach = max(reach, mention.end)
    kept.extend(_resolve(cluster, strength))
    return _join(kept)


def _resolve(cluster: list[Mention], strength: Callable[[Mention], Strength]) -> list[Mention]:
    if len(cluster) < 2:
        return cluster
    winners: list[Mention] = []
    for mention in _informed(sorted(_without_parts(cluster, strength), key=strength)):
        clash = [w for w in winners if w.overlaps(mention)]
        if not clash:
            winners.append(mention)
        elif not _widened(winners, clash, mention):
            winners += _remainders(mention, sorted(m.span for m in clash))
    return sorted(winners, key=lambda m: m.start)


def _without_parts(cluster: list[Mention], strength: Callable[[Mention], Strength]) -> list[Mention]:
    """The cluster without the parts of a whole that a weaker detector saw."""
    parts: set[tuple[str, tuple[int, int]]] = set()
    for whole in cluster:
        inside = [m for m in cluster if whole.start <= m.start and m.end <= whole.end and len(m) < len(whole)]
        inside = [m for m in inside if strength(m)[:2] < strength(whole)[:2]]
        spans = {m.span for m in inside}
        ends = (min(spans)[0], max(end for _, end in spans)) if len(spans) > 1 else None
        one = whole.type is EntityType.CODE and len(whole.text.split()) == 1
        if (one or ends == whole.span) and not any(m.certain or m.subtype == "direct" for m in inside):
            parts.update((m.source, m.span) for m in inside)
    return [m for m in cluster if (m.source, m.span) not in parts] if parts else cluster


def _informed(mentions: list[Mention]) -> list[Mention]:
    """On one and the same span, the strongest mention learns the subtype and value that only a weaker one knows."""
    known: dict[tuple[int, int], tuple[str, str]] = {}
    for m in mentions:
        subtype, value = known.get(m.span, ("", ""))
        known[m.span] = (subtype or m.subtype, value or m.value)
    return [
        m if (m.subtype, m.value) == known[m.span] else replace(m, subtype=known[m.span][0], value=known[m.span][1])
        for m in mentions
    ]


def _widened(winners: list[Mention], clash: list[Mention], loser: Mention) -> bool:
    """Grow the one winner of the loser's type that it overlaps, if that takes nothing from another winner."""
    winner = clash[0]
    if len(clash) > 1 or winner.type is not loser.type or winner.certain:
        return False
    start, end = min(winner.start, loser.start), max(winner.end, loser.end)
    if any(w is not winner and w.start < end and start < w.end for w in winners):
        return False
    winners[winners.index(winner)] = winner if winner.span == (start, end) else _resize(winner, start, end)
    return True


def _remainders(loser: Mention, taken: list[tuple[int, int]]) -> Iterator[Mention]:
    """The stretches of `loser` outside `taken` that could still identify, without the punctuation at their edges."""
    text, cursor = loser.document.text, loser.start
    for start, end in [*taken, (loser.end, loser.end)]:
        if cursor < start and (match := _IDENTIFYING.search(text, cursor, start)):
            yield _resize(loser, *match.span())
        cursor = max(cursor, end)


def _join(mentions: list[Mention]) -> list[Mention]:
    joined: list[Mention] = mentions[:1]
    for _, mention in pairwise(mentions):
        left = joined[-1]
        gap = JOINED.get(mention.type)
        if (
            gap is not None
            and left.type is mention.type
            and not (left.certain or mention.certain)
            and gap.fullmatch(mention.document.text, left.end, mention.start)
        ):
            joined[-1] = _resize(left, left.start, mention.end)
        else:
            joined.append(mention)
    return joined


def _resize(mention: Mention, start: int, end: int) -> Mention:
    return replace(mention, start=start, end=end, text=mention.document.text[start:end], value="")
