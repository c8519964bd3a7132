"""Runs all rules over a text in one trigger scan and a handful of regular-expression scans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text.fold import fold

_SURROGATE = re.compile("[\ud800-\udfff]")


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
        triggers = list(dict.fromkeys(trigger for rule in rules for trigger in rule.triggers))
        self._automaton = AhoCorasick(triggers) if triggers else None
        at = {trigger: number for number, trigger in enumerate(triggers)}
        self._opened: list[list[Rule]] = [[] for _ in triggers]
        self._near: list[list[tuple[Rule, int]]] = [[] for _ in triggers]
        for rule in rules:
            back = rule.reach + max(map(len, rule.triggers), default=0)
            for trigger in dict.fromkeys(rule.triggers):
                if rule.opens:
                    self._opened[at[trigger]].append(rule)
                else:
                    self._near[at[trigger]].append((rule, back))

    def find(self, text: str) -> Iterator[Hit]:
        """Every hit of every rule, unordered; overlaps are resolved by `merge`."""
        for rule in self._scanned:
            yield from _search(rule, text, 0, len(text))
        if self._automaton is None:
            return
        regions: dict[int, tuple[Rule, list[list[int]]]] = {}
        # Triggers come ordered by their end, so the regions of a rule come ordered too.
        for trigger, start, end in self._automaton.find_matches_as_indexes(_folded(text), overlapping=True):
            for rule in self._opened[trigger]:
                if match := rule.compiled.match(text, start):
                    yield from _hits(rule, match)
            for rule, back in self._near[trigger]:
                _, known = regions.setdefault(id(rule), (rule, []))
                if known and end - back <= known[-1][1]:
                    known[-1][1] = end + rule.reach
                else:
                    known.append([max(0, end - back), end + rule.reach])
        for rule, stretches in regions.values():
            for low, high in stretches:
                yield from _search(rule, text, _token_start(text, low), high)


def _folded(text: str) -> str:
    """Folded text that the automaton can read: a surrogate without its pair, as JSON can hold, has no UTF-8."""
    folded = fold(text)
    try:
        folded.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", folded)
    return folded


def _token_start(text: str, low: int) -> int:
    """Back to the beginning of the token that a region would cut (tokens of over 64 characters stay cut)."""
    return text.rfind(" ", max(0, low - 64), low) + 1 or low


def _search(rule: Rule, text: str, low: int, high: int) -> Iterator[Hit]:
    """Matches that start in `[low, high)`; they may end `reach` later, so that the edge of a region cuts none."""
    for match in rule.compiled.finditer(text, low, high + rule.reach):
        if match.start() >= high:
            return
        yield from _hits(rule, match)


def _hits(rule: Rule, match: re.Match[str]) -> Iterator[Hit]:
    for start, end in _spans(rule, match):
        if start >= end:
            continue
        surface = match.string[start:end]
        if rule.check is None or rule.check(surface):
            yield Hit(start, end, rule, rule.value(surface) if rule.value else "")


def _spans(rule: Rule, match: re.Match[str]) -> Iterable[tuple[int, int]]:
    if rule.expand is not None:
        return rule.expand(match)
    return (match.span("m"),) if "m" in match.re.groupindex else (match.span(),)
