"""Indicator 5, web search: which entities, alone or together, lead to pages about the protected person.

Algorithm 1 of Papadopoulou et al. 2022 (section 3.2.2) by URLs, and the bounds on hits of Papadopoulou et al. 2023
(section 5.5), over any `SearchIndex`. Combinations grow level by level as in Apriori (Agrawal and Srikant 1994), so
that none is asked for whose answer is known: what is risky stays risky with more added. A page that was not found is
no sign of safety: of what is not risky the indicator has no opinion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Literal

from pydantic import Field

from maskwise.plugins import Count, NestedPart, Part
from maskwise.text import Document, Entity, EntityType, Evidence, Person, SearchIndex

PageRule = Literal["urls", "hits", "either", "both"]
_SHOWN = 3  # addresses a reason names
_NAMES = 5  # direct identifiers that stand in for a protected person


class WebIndicator:
    """Evidence for every risky entity and every risky combination of up to `max_arity`; silent for other entities.

    `index` is a `SearchIndex`, or the part of a policy that names one. `rule` says what makes pages a
    risk: `urls`, one of the best `k` is about the protected person; `hits`, their number is at least `lower` and at
    most `upper`; `either` or `both`. `budget` is the number of queries a document may cost. A dry run asks nothing and
    says how many queries there would be at most.
    """

    name = "web"

    def __init__(
        self,
        index: Annotated[SearchIndex | Part, NestedPart("indexes")],
        k: Annotated[int, Field(ge=1, le=1000)] = 50,
        max_arity: Annotated[int, Field(ge=1, le=4)] = 2,
        rule: PageRule = "urls",
        lower: Annotated[int, Field(ge=0)] = 100,
        upper: Annotated[int, Field(ge=0)] | None = None,
        budget: Count = 10_000,
        dry_run: bool = False,
    ) -> None:
        self._index: SearchIndex = _EmptyIndex()
        if not dry_run:
            self._index = index.build() if isinstance(index, Part) else index
        self._k = k
        self._max_arity = max_arity
        self._rule = rule
        self._budget = budget
        self._dry = dry_run
        self._lower = lower
        self._upper = upper

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        search = self.search(document, entities)
        if self._dry:
            reason = f"not searched: a dry run, which counted {search.asked:,} queries for this document at most"
            return [
                Evidence((e.id,), 0.0, 1 / self._k, False, reason, self.name, silent=True)
                for e in entities
            ]
        told = [f for f in search.findings if f.risky or len(f.members) == 1]
        rest = (
            ""
            if search.complete
            else f"; the budget of {self._budget:,} queries ended before all were tried"
        )
        return [
            self._build_evidence(f, entities, search.whom, "" if f.risky else rest) for f in told
        ]

    def search(self, document: Document, entities: Sequence[Entity]) -> WebSearch:
        """Everything the index was asked about a document, and what it said."""
        names, whom = choose_names(document, entities)
        search = WebSearch(
            self._index, names, whom, self._k, self._rule, (self._lower, self._upper), self._budget
        )
        terms = [e.longest.text for e in entities]
        alone = [e.is_direct for e in entities]  # masked in any case
        search.run(terms, [at for at, masked in enumerate(alone) if not masked], self._max_arity)
        return search

    def _build_evidence(
        self, finding: Finding, entities: Sequence[Entity], whom: str, rest: str
    ) -> Evidence:
        ids = tuple(entities[at].id for at in finding.members)
        score, threshold = round(_compute_score(finding), 4), round(1 / self._k, 4)
        reason = self._explain_finding(finding, whom) + rest
        return Evidence(
            ids, score, threshold, finding.risky, reason, self.name, silent=not finding.risky
        )

    def _explain_finding(self, finding: Finding, whom: str) -> str:
        subject, verb = (
            ("it alone", "returns") if len(finding.members) == 1 else ("together they", "return")
        )
        parts = []
        if self._rule != "hits":
            parts.append(f"{subject} {verb} {_describe_pages(finding, self._k, whom)}")
        if finding.hits is not None:
            bounds = f"at least {self._lower:,}" + (
                f" and at most {self._upper:,}" if self._upper else ""
            )
            inside = (
                "which is"
                if _is_within(finding.hits, (self._lower, self._upper))
                else "which is not"
            )
            parts.append(f"{subject} {verb} {finding.hits:,} hits, {inside} {bounds}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer of the index about a combination. `members` count entities; `shared` are pages about the person."""

    members: tuple[int, ...]
    pages: int
    shared: tuple[str, ...]
    hits: int | None
    risky: bool
    dead: bool  # nothing that contains it can be risky


class WebSearch:
    """One document's questions to an index: each asked once, and no more of them than the budget."""

    def __init__(
        self,
        index: SearchIndex,
        names: Sequence[str],
        whom: str,
        k: int = 50,
        rule: PageRule = "urls",
        bounds: tuple[int, int | None] = (100, None),
        budget: int = 10_000,
    ) -> None:
        self.whom = whom
        self.asked = 0
        self.complete = True
        self.findings: list[Finding] = []
        self._index = index
        self._names = names
        self._k = k
        self._rule = rule
        self._bounds = bounds
        self._budget = budget
        # Only where every page returned holds every term does "no page" hold for whatever is added.
        self._exact = index.exact
        self._known: dict[tuple[object, ...], Any] = {}
        self._person: set[str] = set()

    def run(self, terms: Sequence[str], combinable: Sequence[int], max_arity: int) -> None:
        try:
            if self._rule != "hits":
                for name in self._names:
                    self._person.update(self._search_pages([name]))
            found = {at: self._assess_members((at,), terms) for at in range(len(terms))}
            # Entities on few pages first: their pairs are the likeliest to be risky, should the budget end.
            order = sorted(combinable, key=lambda at: (found[at].hits or found[at].pages, at))
            level: list[tuple[int, ...]] = [(at,) for at in order if _is_open(found[at])]
            for _ in range(max_arity - 1):
                level = [
                    members
                    for members in grow_combinations(level)
                    if _is_open(self._assess_members(members, terms))
                ]
        except _SpentError:
            self.complete = False

    def _assess_members(self, members: tuple[int, ...], terms: Sequence[str]) -> Finding:
        wanted = [terms[at] for at in members]
        pages = 0
        shared: tuple[str, ...] = ()
        no_page = True  # no page can hold the terms and a name
        if self._rule != "hits":
            pages, shared, no_page = self._search_urls(wanted)
        hits = None
        is_within = False
        is_few = True
        if self._rule != "urls":
            hits = self._ask_once("hits", wanted)
            is_within = _is_within(hits, self._bounds)
            is_few = self._exact and hits < max(self._bounds[0], 1)
        if self._rule == "both":
            risky = bool(shared) and is_within
            dead = no_page or is_few
        else:
            risky = bool(shared) or is_within
            dead = no_page and is_few
        finding = Finding(tuple(sorted(members)), pages, shared, hits, risky, dead)
        self.findings.append(finding)
        return finding

    def _search_urls(self, terms: list[str]) -> tuple[int, tuple[str, ...], bool]:
        """Number of pages, those about the person, and whether no page can hold the terms and a name."""
        named = [url for name in self._names for url in self._search_pages([name, *terms])]
        self._person.update(named)
        found = self._search_pages(terms)
        shared = tuple(url for url in found if url in self._person)
        return len(found), shared, not self._names or (self._exact and not named)

    def _search_pages(self, terms: list[str]) -> list[str]:
        found: list[str] = self._ask_once("search", terms, self._k)
        return found

    def _ask_once(self, how: str, terms: Sequence[str], *options: int) -> Any:
        question = (how, frozenset(terms), *options)
        if question not in self._known:
            if self.asked >= self._budget:
                raise _SpentError
            self.asked += 1
            self._known[question] = getattr(self._index, how)(terms, *options)
        return self._known[question]


class _SpentError(Exception):
    """The budget has ended."""


class _EmptyIndex:
    """An index that knows nothing: what a dry run asks."""

    exact = False

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        return []

    def hits(self, terms: Sequence[str]) -> int:
        return 0


def choose_names(document: Document, entities: Sequence[Entity]) -> tuple[list[str], str]:
    """Names to look for: of the people to protect, else of people the text names directly, else its other codes."""
    given = [name for person in document.protected for name in (person.name, *person.aliases)]
    if given:
        return list(dict.fromkeys(map(_drop_titles, given))), "the protected person"
    direct = [e for e in entities if e.is_direct]
    people = [_drop_titles(e.longest.text) for e in direct if e.type is EntityType.PERSON]
    found = people or [e.longest.text for e in direct]
    return list(dict.fromkeys(found))[:_NAMES], "someone the text names"


def _drop_titles(name: str) -> str:
    """Without titles, in the order of speech."""
    return " ".join(Person(name).parts) or name


def _compute_score(finding: Finding) -> float:
    """The chance of a reader who opens one of the pages; 1 where hits alone make the risk."""
    if not finding.risky:
        return 0.0
    return len(finding.shared) / finding.pages if finding.shared else 1.0


def _describe_pages(finding: Finding, k: int, whom: str) -> str:
    shared = finding.shared
    if not finding.pages:
        return "no page"
    if finding.pages == 1:
        return (
            f"1 page, which is about {whom} ({shared[0]})"
            if shared
            else f"1 page, which is not about {whom}"
        )
    best = "the best " if finding.pages == k else ""
    addresses = ""
    if shared:
        more = ", ..." if len(shared) > _SHOWN else ""
        addresses = f" ({', '.join(shared[:_SHOWN])}{more})"
    return f"{best}{finding.pages} pages, {len(shared) or 'none'} of them about {whom}{addresses}"


def _is_open(finding: Finding) -> bool:
    return not finding.risky and not finding.dead


def _is_within(hits: int, bounds: tuple[int, int | None]) -> bool:
    lower, upper = bounds
    return max(lower, 1) <= hits and (upper is None or hits <= upper)


def grow_combinations(level: Sequence[tuple[int, ...]]) -> Iterable[tuple[int, ...]]:
    """Combinations of one more, each part of which is in `level`; those that share all but the last are neighbours."""
    known = set(level)
    by_head: dict[tuple[int, ...], list[int]] = {}
    for members in level:
        by_head.setdefault(members[:-1], []).append(members[-1])
    for head, tails in by_head.items():
        for left, right in combinations(tails, 2):
            joined = (*head, left, right)
            if all(part in known for part in combinations(joined, len(joined) - 1)):
                yield joined
