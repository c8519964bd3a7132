"""Finds what a text tells of somebody's health, belief, politics, origin, sex life, union, genes, body or crimes.

One automaton looks for words of all categories. A hit counts if its sentence is about a person, says it of that person
(not of a street, a sausage or a research fund), and does not deny it: "no history of epilepsy" tells nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from ahocorasick_rs import AhoCorasick

from maskwise.detect._attributions import (
    BELONGING,
    DENIED,
    DENIED_AFTER,
    KIN,
    PERSON,
    PRONOUN,
    PUBLIC,
    SELF,
    is_said_of_person,
)
from maskwise.detect._disclosing import PATTERNS, THINGS, TRIGGERS, WORDS
from maskwise.detect.gazetteer.lists import read_words
from maskwise.text import Document, EntityType, Mention
from maskwise.text.canvas import is_whole_word
from maskwise.text.confidential import Confidential, Disclosure, Holder
from maskwise.text.folding import fold_case
from maskwise.text.types import Span

BEFORE, AFTER = 160, 120  # characters of a sentence that are read around a hit
_STOP = re.compile(r"(?<=[\w)\]\"”’]{3})[.!?]+[\"”’)]*\s+(?=\W*[A-Z0-9])|\n\s*\n")
_LISTS: Mapping[str, Confidential] = {
    "diseases": Confidential.HEALTH,
    "religions": Confidential.BELIEF,
    "ethnic_groups": Confidential.ETHNIC,
    "ideologies": Confidential.POLITICS,
    "parties": Confidential.POLITICS,
    "orientation": Confidential.SEX,
}


def find_disclosures(document: Document, mentions: Sequence[Mention] = ()) -> list[Disclosure]:
    """Returns the disclosures of a document in order of position. `mentions` name people.

    >>> [d.category.value for d in find_disclosures(Document("Mr Lee has epilepsy. The fund fights epilepsy."))]
    ['HEALTH']
    """
    text = document.text
    hits = sorted(_find_hits(text))
    if not hits:
        return []
    people = sorted(m.start for m in mentions if m.type is EntityType.PERSON)
    found: list[Disclosure] = []
    for low, high, category, is_word in hits:
        disclosed = _read_hit(text, (low, high), category, people, is_word)
        if disclosed is not None:
            found.append(disclosed)
    return _drop_inner(found)


def _drop_inner(found: Iterable[Disclosure]) -> list[Disclosure]:
    """Without what stands inside a longer one: "Jewish" in "Jewish ancestry"."""
    kept: list[Disclosure] = []
    for one in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or one.end > kept[-1].end:
            kept.append(one)
    return kept


def _find_hits(text: str) -> Iterator[tuple[int, int, Confidential, bool]]:
    """The words of a category, or "somewhere here is one" for what a pattern reads."""
    automaton, owners = _build_automaton()
    folded = fold_case(text)
    if len(folded) != len(text):
        folded = text.lower() if len(text.lower()) == len(text) else text
    tried: set[tuple[int, Confidential]] = set()
    for number, start, end in automaton.find_matches_as_indexes(folded, overlapping=True):
        category, is_word = owners[number]
        if is_word:
            if is_whole_word(text, start, end):
                yield start, end, category, True
            continue
        low, high = max(0, start - 60), min(len(text), end + 60)
        if (start // 64, category) in tried:
            continue
        tried.add((start // 64, category))
        for match in PATTERNS[category].finditer(text, low, high):
            yield *match.span(), category, False


@cache
def _build_automaton() -> tuple[AhoCorasick, list[tuple[Confidential, bool]]]:
    owners: dict[str, tuple[Confidential, bool]] = {}
    for source, category in _LISTS.items():
        for phrase in read_words(source):
            if len(phrase) > 3 and phrase.lower() not in THINGS:
                owners.setdefault(phrase.lower(), (category, True))
                owners.setdefault(phrase.lower() + "s", (category, True))
    for category, words in WORDS.items():
        for word in words:
            owners[word] = (category, True)
    for category, triggers in TRIGGERS.items():
        for trigger in triggers:
            owners[trigger] = (category, False)
    return AhoCorasick(list(owners)), list(owners.values())


def _read_hit(
    text: str,
    hit: Span,
    category: Confidential,
    people: Sequence[int],
    is_word: bool,
) -> Disclosure | None:
    """The disclosure of a hit, or None where nobody is meant, or it is denied, or the words mean something else.

    What a pattern reads (`is_word` is false) says itself that it is said of somebody.
    """
    start, end = hit
    low, high = _find_sentence(text, start, end)
    before, said, after = text[low:start], text[start:end], text[end:high]
    if DENIED.search(before) or DENIED.match(said) or DENIED_AFTER.match(after):
        return None
    if PUBLIC.search(after[:40]) or BELONGING.search(before[-24:]):
        return None
    first = bisect_right(people, low - 1)
    named = [at for at in people[first:] if at < high]
    if not (named or PERSON.search(text, low, high)):
        return None
    if is_word and not is_said_of_person(category, before, said, after):
        return None
    told = people[: bisect_right(people, start)]  # everybody who was named so far
    return Disclosure(start, end, category, _find_holder(before, named, told))


def _find_sentence(text: str, start: int, end: int) -> Span:
    """The sentence around a hit, or what is near of a long one. To look around hits is cheaper than to cut the text."""
    low, high = max(0, start - BEFORE), min(len(text), end + AFTER)
    for stop in _STOP.finditer(text, low, start):
        low = stop.end()
    closing = _STOP.search(text, end, high)
    return low, closing.start() if closing else high


def _find_holder(before: str, named: Sequence[int], told: Sequence[int]) -> int | Holder:
    """The person it is about: a relative, the author, whom the sentence or its pronoun names, or somebody."""
    if KIN.search(before):
        return Holder.RELATIVE
    if SELF.search(before):
        return Holder.AUTHOR
    is_named = bool(named and told and named[0] <= told[-1])
    return told[-1] if told and (is_named or PRONOUN.search(before)) else Holder.PERSON
