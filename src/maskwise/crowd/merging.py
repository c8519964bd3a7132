"""Facts brought together: cut before names and codes, one for each value, the sure attribute before the vague one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from maskwise.crowd.curate import extract_terms
from maskwise.crowd.facts import Fact, has_content
from maskwise.text import Entity, EntityType
from maskwise.text.folding import fold_words
from maskwise.text.types import Span

Key = tuple[str, str]  # attribute, and value in small letters

_MOST = 20  # values with a word in common that are compared
# The vaguest first: where another attribute has the value, that is enough.
_ORDER = ("detail", "trait", "date", "work", "organisation", "place", "event")
_TAIL = re.compile(r"(?:[\s,]+(?:of|for|the|an?|to|by|with|and|his|her|my|named|called))*\W*\Z")


def cut_before_names(facts: Iterable[Fact], entities: Iterable[Entity]) -> list[Fact]:
    """The facts, each up to the first name or code in it; a fact that begins with one is dropped."""
    blocked = sorted(
        mention.span
        for entity in entities
        if entity.is_direct or entity.type in (EntityType.PERSON, EntityType.CODE)
        for mention in entity.mentions
    )
    return [cut for fact in facts if (cut := _cut_fact(fact, blocked)) is not None]


def drop_repeated(facts: Iterable[Fact], surer: Sequence[Fact]) -> list[Fact]:
    """The facts without those whose words surer facts on the same place say too."""
    ordered = sorted(surer, key=lambda fact: fact.spans)
    starts = [fact.spans[0][0] for fact in ordered]
    kept = []
    for fact in facts:
        start, end = fact.spans[0]
        said: set[str] = set()
        at = max(bisect_right(starts, start) - 1, 0)
        while at < len(ordered) and starts[at] < end:
            other = ordered[at]
            if other.spans[0][1] > start and other.attribute not in ("detail", "trait"):
                said.update(extract_terms(other.value))
            at += 1
        if not said.issuperset(extract_terms(fact.value)):
            kept.append(fact)
    return kept


def strip_names(facts: Iterable[Fact], names: frozenset[str]) -> list[Fact]:
    """The facts without the person's own names; one that says nothing else is dropped."""
    return [kept for fact in facts if (kept := _strip_fact(fact, names)) is not None]


def merge_facts(firm: Sequence[Fact], facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """One fact for each value, in order, with all places that tell it; the `firm` ones all stand.

    A value that another of its attribute holds, or any other where its own is vague, stands once: "Oslo" is no `place`
    beside the `birth_place` Oslo, and "1948" no `date` beside the "1948 Summer Olympics".
    """
    spans: dict[Key, set[Span]] = {}
    shown: dict[Key, str] = {}
    for fact in (*firm, *facts):
        key = (fact.attribute, fact.value.casefold())
        spans.setdefault(key, set()).update(fact.spans)
        shown.setdefault(key, fact.value)
    homes = _find_homes(shown, {(fact.attribute, fact.value.casefold()) for fact in firm})
    for key, home in homes.items():
        spans[home] |= spans[key]
    return tuple(
        Fact(key[0], value, tuple(sorted(spans[key])))
        for key, value in shown.items()
        if key not in homes
    )


def _find_homes(shown: dict[Key, str], firm: set[Key]) -> dict[Key, Key]:
    """For each value that is not firm, one that holds all its words and is surer, if any."""
    terms = {key: frozenset(extract_terms(_split_dates(value))) for key, value in shown.items()}
    holders: dict[str, list[Key]] = {}
    for key, words in terms.items():
        for word in words:
            holders.setdefault(word, []).append(key)
    homes = {}
    for key, words in terms.items():
        if key in firm or not words:
            continue
        rarest = min((holders[word] for word in sorted(words)), key=len)
        for other in rarest[:_MOST]:
            able = key[0] in _ORDER or key[0] == other[0]
            if other != key and able and _is_surer(other, key, terms, firm):
                homes[key] = other
                break
    return {key: _follow(home, homes) for key, home in homes.items()}


def _is_surer(other: Key, key: Key, terms: dict[Key, frozenset[str]], firm: set[Key]) -> bool:
    """Whether another value says all that a value says, and more, or says it in a surer way."""
    if not terms[key] <= terms[other]:
        return False
    if len(terms[other]) > len(terms[key]):
        return True
    return _measure_sureness(other, firm) > _measure_sureness(key, firm)


def _measure_sureness(key: Key, firm: set[Key]) -> tuple[bool, int, Key]:
    """An order of the keys of equal words."""
    rank = _ORDER.index(key[0]) if key[0] in _ORDER else len(_ORDER)
    return key in firm, rank, key


def _follow(home: Key, homes: dict[Key, Key]) -> Key:
    while home in homes:
        home = homes[home]
    return home


def _split_dates(value: str) -> str:
    """The value with the parts of ISO dates apart, so that a year is part of a day."""
    return re.sub(r"\b\d{4}-\d\d(?:-\d\d)?\b", lambda date: date[0].replace("-", " "), value)


def _strip_fact(fact: Fact, names: frozenset[str]) -> Fact | None:
    words = fact.value.split()
    kept = [word for word in words if not (word[:1].isupper() and names & set(fold_words(word)))]
    if len(kept) == len(words):
        return fact
    value = " ".join(kept).strip(" ,&-'’")
    return Fact(fact.attribute, value, fact.spans) if has_content(value) else None


def _cut_fact(fact: Fact, blocked: Sequence[Span]) -> Fact | None:
    start, end = fact.spans[0]
    at = max(bisect_right(blocked, (start, start)) - 1, 0)
    while at < len(blocked) and blocked[at][0] < end:
        left, right = blocked[at]
        at += 1
        if right <= start:
            continue
        if left <= start:
            return None
        value = _TAIL.sub("", fact.value[: left - start])
        if not has_content(value):
            return None
        return Fact(fact.attribute, value, ((start, start + len(value)),))
    return fact
