"""Makes mentions of the names of protected people, whether or not a detector saw them.

A name found is a certain mention. It takes in a detected PERSON that it overlaps. Of any other mention it takes what it
covers and leaves the rest. An e-mail address, URL or handle that holds the name stays whole and becomes the person's.

A PERSON mention with another given name (a brother) is another person, not protected and no direct identifier. It is
masked all the same, because it gives the surname away. So is "Mr Hansen" if the person is a woman, or if the text calls
him someone's husband (`bearers`). The bare surname is always the protected person's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from maskwise.link.bearers import find_others
from maskwise.link.name_span import NameSpan
from maskwise.link.protected_names import find_names
from maskwise.text import Document, EntityType, Mention, Provenance
from maskwise.text.common_words import ROLES
from maskwise.text.folding import fold_words
from maskwise.text.person import list_spellings, parse_name
from maskwise.text.subtypes import EMAIL, HANDLE, HASHTAG, PATH, RELATIVE, URL

_WHOLE = frozenset((EMAIL, URL, HANDLE, HASHTAG, PATH))  # the first word of their subtypes


class Protection(NamedTuple):
    """The mentions of a document, with those of protected people among them.

    `people`: the number of the protected person, by the start of each of their mentions. `others`: where mentions start
    that share a name with a protected person and name someone else.
    """

    mentions: list[Mention]
    people: dict[int, int]
    others: frozenset[int]


def protect_people(document: Document, mentions: Sequence[Mention]) -> Protection:
    """Adds the names of protected people to the mentions, which share no character."""
    mentions = list(mentions)
    found = find_names(document) if document.protected else []
    if not found:
        return Protection(mentions, {}, frozenset())
    starts = [m.start for m in mentions]
    names, taken = _widen_names(mentions, starts, _mark_holders(mentions, starts, found))
    touched = {at for span in names for at in _find_overlapping(mentions, starts, span)}
    kept = [m for at, m in enumerate(mentions) if at not in touched]
    for at in sorted(touched - taken):
        kept += cut_names_out(document, mentions[at], names)
    others = _find_other_people(document, found, names)
    for span in names:
        marked = span._replace(subtype=RELATIVE) if span in others else span
        kept.append(_make_mention(document, marked))
    return Protection(
        sorted(kept, key=lambda m: m.start),
        {s.start: s.person for s in names if s.type is EntityType.PERSON and s not in others},
        frozenset(s.start for s in others),
    )


def _mark_holders(
    mentions: list[Mention], starts: Sequence[int], found: Iterable[NameSpan]
) -> list[NameSpan]:
    """Makes each code, address or handle that holds a name the person's. Returns the names that none of them holds."""
    free: list[NameSpan] = []
    for span in found:
        at = next(_find_overlapping(mentions, starts, span), None)
        if at is not None and _can_stay_around(mentions[at], span):
            mentions[at] = replace(mentions[at], source=Provenance.PROTECT, certain=True, score=1.0)
        else:
            free.append(span)
    return free


def _can_stay_around(mention: Mention, span: NameSpan) -> bool:
    """Whether a mention holds a name and stays as it is."""
    if mention.start > span.start or span.end > mention.end:
        return False
    return mention.type is EntityType.CODE or mention.subtype.partition("_")[0] in _WHOLE


def _widen_names(
    mentions: Sequence[Mention], starts: Sequence[int], found: Iterable[NameSpan]
) -> tuple[list[NameSpan], set[int]]:
    """Widens each name by the mentions of its type that it overlaps. Returns the names and these mentions' numbers."""
    wider: list[NameSpan] = []
    taken: set[int] = set()
    for span in found:
        grown = span
        for at in _find_overlapping(mentions, starts, span):
            if mentions[at].type is span.type:
                grown = _widen_span(grown, mentions[at].start, mentions[at].end)
                taken.add(at)
        wider.append(grown)
    return _join_spans(wider), taken


def _find_other_people(
    document: Document, found: Iterable[NameSpan], names: Iterable[NameSpan]
) -> set[NameSpan]:
    """Returns the names that are another person's, though they hold a name of a protected one."""
    unchanged = {span[:2] for span in found}
    people = [span for span in names if span.type is EntityType.PERSON]
    grown = [span for span in people if span[:2] not in unchanged]
    others = {span for span in grown if not _is_same_person(document, span)}
    return others | find_others(document, [span for span in people if span not in others])


def _make_mention(document: Document, span: NameSpan) -> Mention:
    start, end, _, kind, subtype = span
    return document.mention(
        start, end, kind, subtype=subtype, source=Provenance.PROTECT, certain=True
    )


def _is_same_person(document: Document, span: NameSpan) -> bool:
    """Whether a name that grew is still the person's: no word is foreign, or it has their given name and one more."""
    person = document.protected[span.person]
    own = {word for name in (person.name, *person.aliases) for word in fold_words(name)}
    own |= {form for name in person.names for form in list_spellings(name)}
    letters = {word[0] for word in own} | {word[:2] for word in own}
    name = parse_name(document.text[span.start : span.end])
    if not all(letter in letters for letter in name.initials):
        return False
    others = [word for word in name.words if word not in ROLES]
    foreign = [word for word in others if not own.issuperset(fold_words(word))]
    ours = len(name.words) - len(foreign) + len(name.initials)
    given = {form for first in person.names[:1] for form in list_spellings(first)}
    return not foreign or (ours > 1 and not given.isdisjoint(name.words))


def _find_overlapping(
    mentions: Sequence[Mention], starts: Sequence[int], span: NameSpan
) -> Iterator[int]:
    """Yields the numbers of the mentions that share a character with a name."""
    at = bisect_right(starts, span.start) - 1
    at = at if at >= 0 and mentions[at].end > span.start else at + 1
    while at < len(mentions) and mentions[at].start < span.end:
        yield at
        at += 1


def _widen_span(span: NameSpan, start: int, end: int) -> NameSpan:
    return span._replace(start=min(start, span.start), end=max(end, span.end))


def _join_spans(found: Iterable[NameSpan]) -> list[NameSpan]:
    """Joins spans that grew into one another."""
    kept: list[NameSpan] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        if kept and span.start < kept[-1].end:
            kept[-1] = _widen_span(kept[-1], span.start, span.end)
        else:
            kept.append(span)
    return kept


def cut_names_out(
    document: Document, mention: Mention, found: Sequence[NameSpan] | Sequence[Mention]
) -> Iterator[Mention]:
    """Yields what is left of a mention beside the names in it."""
    low = bisect_right(found, mention.start, key=lambda s: s.end)
    cuts = [mention.start]
    while low < len(found) and found[low].start < mention.end:
        cuts += (found[low].start, found[low].end)
        low += 1
    if len(cuts) == 1:
        yield mention
        return
    cuts.append(mention.end)
    for start, end in list(pairwise(cuts))[::2]:
        start = max(start, mention.start)
        text = document.text[start:end] if start < end else ""
        if any(c.isalnum() for c in text) and text.strip() not in ("'s", "’s"):
            start += len(text) - len(text.lstrip())
            end = start + len(text.strip())
            yield replace(mention, start=start, end=end, text=text.strip(), value="", certain=False)
