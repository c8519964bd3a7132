"""One rule for overlaps.

1. A mention that the user vouches for or whose checksum holds (`certain`) beats one that is not.
2. Then the detector named first in the policy wins.
3. Then the longer mention, then the surer one, then the one that starts first.

A loser of the winner's type that only partly overlaps widens the winner (the union is the safer reading); any other
loser is dropped. Afterwards no two mentions share a character, and neighbours of one type that stand as one name are
joined (`JOINED`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from maskwise.text import EntityType, Mention

# Between two mentions of these types this much may stand for them to be one: an address "Elm Road 5, 4021 Oslo".
JOINED: Mapping[EntityType, re.Pattern[str]] = {
    EntityType.PERSON: re.compile(r"[ \t]?"),
}


def merge(mentions: Iterable[Mention], order: Sequence[str] = ()) -> list[Mention]:
    """Mentions of one document, sorted, no two on one character. `order` names detectors, the strongest first."""
    rank = {name: at for at, name in enumerate(order)}
    last = len(rank)

    def strength(m: Mention) -> tuple[bool, int, int, float, int]:
        return (not m.certain, rank.get(m.source, last), -len(m), -m.score, m.start)

    kept: list[Mention] = []
    cluster: list[Mention] = []
    reach = -1
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        if mention.start >= reach and cluster:
            kept.extend(_resolve(cluster, strength))
            cluster = []
        cluster.append(mention)
        reach = max(reach, mention.end)
    kept.extend(_resolve(cluster, strength))
    return _join(kept)


def _resolve(cluster: list[Mention], strength) -> list[Mention]:  # type: ignore[no-untyped-def]
    if len(cluster) < 2:
        return cluster
    winners: list[Mention] = []
    for mention in sorted(cluster, key=strength):
        clash = [w for w in winners if w.overlaps(mention)]
        if not clash:
            winners.append(mention)
        elif len(clash) == 1 and clash[0].type is mention.type and not clash[0].certain:
            winner = clash[0]
            start, end = min(winner.start, mention.start), max(winner.end, mention.end)
            free = all(w is winner or w.end <= start or end <= w.start for w in winners)
            if free and (start, end) != winner.span:
                winners[winners.index(winner)] = _resize(winner, start, end)
    return sorted(winners, key=lambda m: m.start)


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
