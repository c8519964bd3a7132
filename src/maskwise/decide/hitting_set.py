"""Least-weight hitting sets: the members to mask so that no risky combination stays whole.

Reductions that keep an optimum shrink most documents to nothing. What they leave falls apart into components. Branch
and bound solves the small ones, CP-SAT the large ones (`maskwise.decide.optimiser`).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import groupby

Sets = Sequence[frozenset[int]]
Weights = Mapping[int, int]

SMALL = 16  # members of a component that branch and bound solves in milliseconds


def drop_supersets(sets: Collection[frozenset[int]]) -> list[frozenset[int]]:
    """The sets that contain no other set: what hits the smaller set hits the larger."""
    kept: list[frozenset[int]] = []
    smaller: dict[int, list[frozenset[int]]] = defaultdict(list)  # by their least member
    for _, group in groupby(sorted(set(sets), key=lambda one: (len(one), sorted(one))), key=len):
        new = [
            one
            for one in group
            if not any(other <= one for member in one for other in smaller[member])
        ]
        kept += new
        for one in new:
            smaller[min(one)].append(one)
    return kept


def reduce_sets(weights: Weights, sets: Sets) -> tuple[set[int], list[frozenset[int]]]:
    """Members that some optimum takes, and the sets that remain to be hit.

    A set of one takes its member. A member is left out when another one is in all of its sets and weighs no more.
    """
    left = {at: set(one) for at, one in enumerate(drop_supersets(sets))}
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
        elif _has_better(member, set.intersection(*(left[at] for at in mine)), weights):
            touched = {other for at in mine for other in left[at]} - {member}
            for at in mine:
                left[at].discard(member)
            mine.clear()
        else:
            continue
        queue.extend(sorted(touched))
    return taken, [frozenset(one) for one in left.values()]


def _has_better(member: int, companions: set[int], weights: Weights) -> bool:
    """Whether a companion, which is in all sets of the member, weighs less, or as much and comes first."""
    own = (weights[member], member)
    return any((weights[other], other) < own for other in companions)


def split_components(sets: Sets) -> list[list[frozenset[int]]]:
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


def hit_greedily(weights: Weights, sets: Sets) -> set[int]:
    """Takes the member that hits most sets for its weight, until all are hit; then drops what became needless."""
    where: dict[int, set[int]] = defaultdict(set)  # the sets of each member that nothing hits yet
    for at, one in enumerate(sets):
        for member in one:
            where[member].add(at)
    queue = [(weights[member] / len(mine), member, len(mine)) for member, mine in where.items()]
    heapify(queue)
    taken: set[int] = set()
    while queue:
        _, member, count = heappop(queue)
        mine = where[member]
        if len(mine) != count:  # other members have hit some of its sets since
            if mine:
                heappush(queue, (weights[member] / len(mine), member, len(mine)))
            continue
        taken.add(member)
        for at in tuple(mine):
            for other in sets[at]:
                where[other].discard(at)
    return _drop_needless(weights, sets, taken)


def repair_hits(weights: Weights, sets: Sets, before: set[int]) -> set[int]:
    """An earlier answer made to fit: keeps its members, hits the rest greedily, drops what became needless."""
    kept = {member for one in sets for member in one & before}
    return _drop_needless(
        weights, sets, kept | hit_greedily(weights, [one for one in sets if not one & kept])
    )


def _drop_needless(weights: Weights, sets: Sets, taken: set[int]) -> set[int]:
    """Drops members that the others make needless, the heaviest first."""
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


def hit_optimally(weights: Weights, sets: Sets) -> set[int]:
    """An optimum by branch and bound, for small components."""
    best = hit_greedily(weights, sets)
    limit = sum(weights[m] for m in best)

    def search(taken: frozenset[int], barred: frozenset[int], spent: int) -> None:
        nonlocal best, limit
        rest = [one - barred for one in sets if not one & taken]
        if not rest:
            if spent < limit:
                best, limit = set(taken), spent
            return
        if spent + lower_bound(weights, rest) >= limit:
            return
        refused = barred
        fewest: frozenset[int] = min(rest, key=len)
        for member in sorted(fewest, key=lambda m: (weights[m], m)):
            search(taken | {member}, refused, spent + weights[member])
            refused |= {member}

    search(frozenset(), frozenset(), 0)
    return best


def lower_bound(weights: Weights, sets: Sets) -> int:
    """A lower bound: disjoint sets cost at least their lightest members; one that no mask may hit costs everything."""
    used: set[int] = set()
    total = 0
    for one in sorted(sets, key=len):
        if not one:
            return 1 + sum(weights.values())
        if not one & used:
            used |= one
            total += min(weights[m] for m in one)
    return total
