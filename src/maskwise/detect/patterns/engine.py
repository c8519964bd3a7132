"""Runs all rules over a text in one trigger scan and a handful of regular-expression scans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text.fold import fold


class Hit(NamedTuple):
    """A candidate span, before it becomes a `Mention`."""

    start: int
    end: int
    rule: Rule
    value: str


class Engine:
    """Compiled rules. Building it is cheap; one engine serves any number of texts and threads."""

    def __init__(self, families: Sequence[Family]) -> None:
        rules = [rule for family in families for rule in family.rules]
        self._scanned = [rule for rule in rules if not rule.triggers]
        self._triggered = [rule for rule in rules if rule.triggers]
        self._rules_of: list[list[int]] = []
        index: dict[str, int] = {}
        for number, rule in enumerate(self._triggered):
            for trigger in rule.triggers:
                at = index.setdefault(trigger, len(index))
                if at == len(self._rules_of):
                    self._rules_of.append([])
                self._rules_of[at].append(number)
        self._lengths = [len(t) for t in index]
        self._automaton = AhoCorasick(list(index)) if index else None

    def find(self, text: str) -> Iterator[Hit]:
        """Every hit of every rule, unordered; overlaps are resolved by `merge`."""
        for rule in self._scanned:
            yield from _hits(rule, text, 0, len(text))
        if self._automaton is None:
            return
        for number, regions in self._regions(text).items():
            rule = self._triggered[number]
            for start, end in regions:
                yield from _hits(rule, text, start, end)

    def _regions(self, text: str) -> dict[int, list[tuple[int, int]]]:
        """For each triggered rule the stretches to search: neighbourhoods of its triggers, merged, cut at spaces."""
        assert self._automaton is not None
        regions: dict[int, list[tuple[int, int]]] = {}
        size = len(text)
        for trigger, start, end in self._automaton.find_matches_as_indexes(fold(text), overlapping=True):
            for number in self._rules_of[trigger]:
                reach = self._triggered[number].reach
                low, high = max(0, start - reach), min(size, end + reach)
                known = regions.setdefault(number, [])
                if known and low <= known[-1][1]:
                    known[-1] = (min(low, known[-1][0]), max(high, known[-1][1]))
                else:
                    known.append((low, high))
        return regions


def _hits(rule: Rule, text: str, start: int, end: int) -> Iterator[Hit]:
    for match in rule.compiled.finditer(text, start, end):
        for low, high in _spans(rule, match):
            if low >= high:
                continue
            surface = text[low:high]
            if rule.check is not None and not rule.check(surface):
                continue
            yield Hit(low, high, rule, rule.value(surface) if rule.value else "")


def _spans(rule: Rule, match: re.Match[str]) -> Iterable[tuple[int, int]]:
    if rule.expand is not None:
        return rule.expand(match)
    return (match.span("m"),) if "m" in match.re.groupindex else (match.span(),)
