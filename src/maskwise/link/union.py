"""Disjoint sets with path halving, which group n things by m equalities in near-linear time (Tarjan, 1975)."""

from __future__ import annotations


class DisjointSets:
    """Sets over 0..n-1. The root of a set is its smallest member, so the answer never depends on the order of joins."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def find(self, node: int) -> int:
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def join(self, left: int, right: int) -> int:
        left, right = self.find(left), self.find(right)
        low, high = (left, right) if left < right else (right, left)
        self._parent[high] = low
        return low
