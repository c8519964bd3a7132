"""Runs all rules over a text: two scans look for what may trigger a rule, and only there the rule is tried."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, BytesAhoCorasick

from maskwise.detect.patterns._outline import draw_outline
from maskwise.detect.patterns._shapes import BEYOND_LATIN, BEYOND_WESTERN
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.folding import fold_case

_get_compiled, _get_latin = attrgetter("compiled"), attrgetter("latin")
_get_western = attrgetter("western")
_BEYOND_WESTERN = re.compile(f"[{BEYOND_WESTERN}]")
_BEYOND_LATIN = re.compile(f"[{BEYOND_LATIN}]")

GetPattern = Callable[[Rule], re.Pattern[str]]
Regions = dict[int, tuple[Rule, list[list[int]]]]


class Hit(NamedTuple):
    """A candidate span, before it becomes a `Mention`; `opening` is where its match began, with its label."""

    start: int
    end: int
    rule: Rule
    opening: int = 0


class Engine:
    """Rules made ready. Building it is cheap; one engine serves any number of texts and threads."""

    def __init__(self, families: Sequence[Family]) -> None:
        rules = [rule for family in families for rule in family.rules]
        self._scanned = [rule for rule in rules if not rule.triggers and not rule.shapes]
        self._words = _Index([(rule, rule.triggers) for rule in rules])
        self._shapes = _Index([(rule, rule.shapes) for rule in rules])
        words, shapes = self._words.keys, self._shapes.keys
        self._word_automaton = AhoCorasick(words) if words else None
        self._shape_automaton = (
            BytesAhoCorasick([shape.encode() for shape in shapes]) if shapes else None
        )

    def find(self, text: str) -> list[Hit]:
        """Returns every hit of every rule, unordered. `merge_mentions` resolves overlaps."""
        hits: list[Hit] = []
        regions: Regions = {}
        get_pattern = _choose_patterns(text)
        for rule in self._scanned:
            _search_region(rule, get_pattern, text, 0, len(text), hits)
        if self._shape_automaton is not None:
            outline = draw_outline(text) + b" "  # a shape that ends in a space may end the text
            found = self._shape_automaton.find_matches_as_indexes(outline, overlapping=True)
            self._shapes.collect(text, found, regions, hits, get_pattern)
        if self._word_automaton is not None:
            found = self._word_automaton.find_matches_as_indexes(fold_case(text), overlapping=True)
            self._words.collect(text, found, regions, hits, get_pattern)
        for rule, stretches in regions.values():
            if rule.triggers and rule.shapes:  # two scans may have found one stretch
                stretches = _unite_stretches(stretches)
            for low, high in stretches:
                start = _find_token_start(text, low)
                _search_region(rule, get_pattern, text, start, high, hits)
        return hits


class _Index:
    """The rules by trigger: those that open with it, and those that may stand near it."""

    def __init__(self, rules: Sequence[tuple[Rule, Sequence[str]]]) -> None:
        self.keys = list(dict.fromkeys(key for _, keys in rules for key in keys))
        at = {key: number for number, key in enumerate(self.keys)}
        self._opened: list[list[Rule]] = [[] for _ in self.keys]
        self._near: list[list[tuple[Rule, int]]] = [[] for _ in self.keys]
        for rule, keys in rules:
            back = rule.reach + max(map(len, keys), default=0)
            for key in dict.fromkeys(keys):
                if rule.opens:
                    self._opened[at[key]].append(rule)
                else:
                    self._near[at[key]].append((rule, back))

    def collect(
        self,
        text: str,
        found: Iterable[tuple[int, int, int]],
        regions: Regions,
        hits: list[Hit],
        get_pattern: GetPattern,
    ) -> None:
        """Adds to `hits` what begins at a trigger, and to `regions` the neighbourhoods of other rules' triggers."""
        # Triggers come ordered by their end, so the regions of a rule come ordered too.
        for key, start, end in found:
            for rule in self._opened[key]:
                if match := get_pattern(rule).match(text, start):
                    _add_hits(rule, match, hits)
            for rule, back in self._near[key]:
                low, high = end - back, end + rule.reach
                found_before = regions.get(id(rule))
                if found_before is None:
                    regions[id(rule)] = rule, [[max(0, low), high]]
                elif found_before[1][-1][0] <= low <= found_before[1][-1][1]:
                    found_before[1][-1][1] = high
                else:
                    found_before[1].append([max(0, low), high])


def _choose_patterns(text: str) -> GetPattern:
    """Returns what gives the pattern of a rule that knows the capitals of a text."""
    if _BEYOND_WESTERN.search(text) is None:
        return _get_western
    return _get_latin if _BEYOND_LATIN.search(text) is None else _get_compiled


def _unite_stretches(stretches: list[list[int]]) -> list[list[int]]:
    """Returns the stretches in order, overlapping ones joined."""
    united: list[list[int]] = []
    for low, high in sorted(stretches):
        if united and low <= united[-1][1]:
            united[-1][1] = max(united[-1][1], high)
        else:
            united.append([low, high])
    return united


def _find_token_start(text: str, low: int) -> int:
    """Finds the beginning of the token that a region would cut (tokens of over 64 characters stay cut)."""
    return text.rfind(" ", max(0, low - 64), low) + 1 or low


def _search_region(
    rule: Rule, get_pattern: GetPattern, text: str, low: int, high: int, hits: list[Hit]
) -> None:
    """Adds matches that start in `[low, high)`. They may end `reach` later, so that the edge of a region cuts none."""
    end = high + rule.reach
    if rule.needs and rule.needed.search(text, low, end) is None:
        return  # before the pattern is compiled, which takes longer than to search many texts
    for match in get_pattern(rule).finditer(text, low, end):
        if match.start() >= high:
            return
        _add_hits(rule, match, hits)


def _add_hits(rule: Rule, match: re.Match[str], hits: list[Hit]) -> None:
    whole = match.span("m" if "m" in match.re.groupindex else 0)
    for start, end in rule.expand(match) if rule.expand else (whole,):
        if start < end and (rule.check is None or rule.check(match.string[start:end])):
            hits.append(Hit(start, end, rule, match.start()))


def drop_covered(hits: Iterable[Hit]) -> list[Hit]:
    """Drops the hits inside another one, where nothing else touches it. `merge_mentions` would drop them anyway."""
    kept: list[Hit] = []
    group: list[Hit] = []
    reach = 0
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if group and hit.start >= reach:
            kept += _choose_best(group, reach)
            group = []
        reach = max(reach, hit.end) if group else hit.end
        group.append(hit)
    return kept + _choose_best(group, reach) if group else kept


def _drop_touching(fillers: Iterable[Hit], strong: Sequence[Hit]) -> list[Hit]:
    """Returns the fillers that touch no strong hit."""
    ordered = sorted(hit[:2] for hit in strong)
    starts = [start for start, _ in ordered]
    ends = list(accumulate((end for _, end in ordered), max))
    untouched: list[Hit] = []
    for filler in fillers:
        before = bisect_left(starts, filler.end)
        if not before or ends[before - 1] <= filler.start:
            untouched.append(filler)
    return untouched


def _choose_best(group: list[Hit], reach: int) -> list[Hit]:
    """Returns the strongest hit that holds all others of an overlapping group; the whole group where there is none."""
    fillers = [hit for hit in group if hit.rule.filler]
    if fillers:
        strong = drop_covered(hit for hit in group if not hit.rule.filler)
        return strong + _drop_touching(fillers, strong)
    first = group[0]
    inner = [hit for hit in group if hit[:2] != first[:2]]
    outer = group[: len(group) - len(inner)]
    if len(group) == 1 or first.end < reach or any(hit.rule.certain for hit in inner):
        return group
    # A code stays beside whatever else its digits look like: `merge_mentions` knows which is safer.
    codes = [hit for hit in group if hit.rule.type is EntityType.CODE]
    if 0 < len(codes) < len(group):
        return group
    return [max(outer, key=lambda hit: (hit.rule.certain, hit.rule.score))]
