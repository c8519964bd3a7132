"""Least-weight hitting sets: the members to give up so that no risky combination stays whole.

Reductions that keep an optimum shrink most documents to nothing; what they leave falls apart into pieces, and small
pieces are solved by branch and bound. Large ones are for `maskwise.decide.exact`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

Sets = Sequence[frozenset[int]]
Weights = Mapping[int, int]

SMALL = 16  # members of a piece that branch and bound solves in milliseconds


def minimal(sets: Collection[frozenset[int]]) -> list[frozenset[int]]:
    """Without those that hold another: what breaks the smaller breaks the larger."""
    kept: list[frozenset[int]] = []
    smaller: dict[int, list[frozenset[int]]] = defaultdict(list)  # by their least member
    for _, group in groupby(sorted(set(sets), key=lambda one: (len(one), sorted(one))), key=len):
        new = [one for one in group if not any(other <= one for member in one for other in smaller[member])]
        kept += new
        for one in new:
            smaller[min(one)].append(one)
    return kept


def reduce(weights: Weights, sets: Sets) -> tuple[set[int], list[frozenset[int]]]:
    """Members that some optimum takes, and the sets that are left to hit.

    A set of one takes its member. A member is left out when another one is in all of its sets and weighs no more.
    """
    left = {at: set(one) for at, one in enumerate(minimal(sets))}
    where: dict[int, set[int]] = defaultdict(set)
    for at, one in left.items():
        for member in one:
            where[member].add(at)
    taken: set[int] = set()
    queue = deque(sorted(where))
    while queue:
        member = queue.popleft()
        mine = where[member]
        if not mine:
            continue
        if any(len(left[at]) == 1 for at in mine):
            taken.add(member)
            touched = {other for at in mine for other in left[at]} - {member}
            for at in sorted(mine):
                for other in left.pop(at) - {member}:
                    where[other].discard(at)
            mine.clear()
        elif _better(member, set.intersection(*(left[at] for at in mine)), weights):
            touched = {other for at in mine for other in left[at]} - {member}
            for at in mine:
                left[at].discard(member)
            mine.clear()
        else:
            continue
        queue.extend(sorted(touched))
    return taken, [frozenset(one) for one in left.values()]


def _better(member: int, companions: set[int], weights: Weights) -> bool:
    """Whether one that is in all of the member's sets weighs less, or as much and comes first."""
    own = (weights[member], member)
    return any((weights[other], other) < own for other in companions)


def pieces(sets: Sets) -> list[list[frozenset[int]]]:
    """Groups of sets that share no member with each other."""
    root = {member: member for one in sets for member in one}

    def find(member: int) -> int:
        while root[member] != member:
            root[member] = member = root[root[member]]
        return member

    for one in sets:
        first, *others = sorted(one)
        for other in others:
            root[find(other)] = find(first)
    groups: dict[int, list[frozenset[int]]] = defaultdict(list)
    for one in sets:
        groups[find(min(one))].append(one)
    return list(groups.values())


def around(sets: Sets, start: set[int], size: int) -> set[int]:
    """Members reached from `start` over sets, until there are `size` of them."""
    ball = {member for one in sets for member in one & start}
    while ball and len(ball) < size:
        ring = sorted({member for one in sets if one & ball for member in one} - ball)
        if not ring:
            break
        ball.update(ring[: size - len(ball)])
    return ball


def greedy(weights: Weights, sets: Sets) -> set[int]:
    """Again and again the member that breaks most for its weight; then gives back what the others make needless."""
    where: dict[int, set[int]] = defaultdict(set)
    for at, one in enumerate(sets):
        for member in one:
            where[member].add(at)
    open_sets = {member: set(at) for member, at in where.items()}
    taken: set[int] = set()
    while open_sets:
        best = min(open_sets, key=lambda m: (weights[m] / len(open_sets[m]), m))
        taken.add(best)
        for at in open_sets.pop(best):
            for other in sets[at]:
                if other in open_sets:
                    open_sets[other].discard(at)
                    if not open_sets[other]:
                        del open_sets[other]
    return _spare(weights, sets, taken)


def mend(weights: Weights, sets: Sets, before: set[int]) -> set[int]:
    """An earlier answer made to fit: what it still hits stays, the rest is hit greedily, the needless goes."""
    kept = {member for one in sets for member in one & before}
    return _spare(weights, sets, kept | greedy(weights, [one for one in sets if not one & kept]))


def _spare(weights: Weights, sets: Sets, taken: set[int]) -> set[int]:
    """Without members that the others make needless, the heaviest first."""
    hits = [len(one & taken) for one in sets]
    where: dict[int, list[int]] = defaultdict(list)
    for at, one in enumerate(sets):
        for member in one & taken:
            where[member].append(at)
    for member in sorted(where, key=lambda m: (-weights[m], m)):
        if all(hits[at] > 1 for at in where[member]):
            for at in where[member]:
                hits[at] -= 1
            where[member] = []
    return {member for member, at in where.items() if at}


def branch(weights: Weights, sets: Sets) -> set[int]:
    """An optimum, by branching on the members of a set nothing hits yet; for small pieces."""
    best = greedy(weights, sets)
    limit = sum(weights[m] for m in best)

    def search(taken: frozenset[int], barred: frozenset[int], spent: int) -> None:
        nonlocal best, limit
        rest = [one - barred for one in sets if not one & taken]
        if not rest:
            if spent < limit:
                best, limit = set(taken), spent
            return
        if spent + floor(weights, rest) >= limit:
            return
        refused = barred
        fewest: frozenset[int] = min(rest, key=len)
        for member in sorted(fewest, key=lambda m: (weights[m], m)):
            search(taken | {member}, refused, spent + weights[member])
            refused |= {member}

    search(frozenset(), frozenset(), 0)
    return best


def floor(weights: Weights, sets: Sets) -> int:
    """What sets without a common member cost at the least, each its lightest; a set nobody may hit costs everything."""
    used: set[int] = set()
    total = 0
    for one in sorted(sets, key=len):
        if not one:
            return 1 + sum(weights.values())
        if not one & used:
            used |= one
            total += min(weights[m] for m in one)
    return total
