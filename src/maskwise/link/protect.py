"""Makes mentions of the names of protected people, whether or not a detector saw them.

A name found is a certain mention. It takes in a detected PERSON it overlaps; of any other mention it takes what it
covers and leaves the rest. An e-mail address, URL or handle that holds the name stays whole and becomes theirs. A
PERSON mention with a foreign given name (a brother) is a person of its own, not protected and no direct identifier,
though always masked, for it gives the surname away. So is "Mr Hansen" where the person is a woman, or where he is
called someone's husband (`bearers`). The bare surname is always theirs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from maskwise.link.bearers import find_others
from maskwise.link.name_span import NameSpan
from maskwise.link.protected_names import find_names
from maskwise.text import Document, EntityType, Mention, Provenance
from maskwise.text.common_words import ROLES
from maskwise.text.folding import fold_words
from maskwise.text.person import list_spellings, parse_name
from maskwise.text.subtypes import EMAIL, HANDLE, HASHTAG, PATH, RELATIVE, URL

_WHOLE = frozenset((EMAIL, URL, HANDLE, HASHTAG, PATH))  # the first word of their subtypes


def protect(
    document: Document, mentions: Sequence[Mention]
) -> tuple[list[Mention], dict[int, int], frozenset[int]]:
    """Returns the mentions with those of protected people among them.

    Also the number of the person by the start of each, and the starts of those who only share a name with one.
    """
    found = find_names(document) if document.protected else []
    if not found:
        return list(mentions), {}, frozenset()
    mentions = list(mentions)
    starts = [m.start for m in mentions]
    wider: list[NameSpan] = []
    taken: set[int] = set()
    for span in found:
        grown: NameSpan | None = span
        for at in _find_overlapping(mentions, starts, span):
            mention = mentions[at]
            if mention.start <= span.start and span.end <= mention.end and _can_stay(mention):
                mentions[at] = replace(mention, source=Provenance.PROTECT, certain=True, score=1.0)
                grown = None
                break
            if mention.type is span.type and grown is not None:
                grown = _widen_span(grown, mention.start, mention.end)
                taken.add(at)
        if grown is not None:
            wider.append(grown)
    wider = _join_spans(wider)
    touched = {at for span in wider for at in _find_overlapping(mentions, starts, span)}
    rest = [m for at, m in enumerate(mentions) if at not in touched]
    rest += [
        piece
        for at in sorted(touched - taken)
        for piece in _cut_names_out(document, mentions[at], wider)
    ]
    seen = {s[:2] for s in found}
    people = [s for s in wider if s.type is EntityType.PERSON]
    others = {s for s in people if s[:2] not in seen and not _is_same_person(document, s)}
    others |= find_others(document, [s for s in people if s not in others])
    named = [
        _make_mention(document, s._replace(subtype=RELATIVE) if s in others else s) for s in wider
    ]
    merged = sorted([*rest, *named], key=lambda m: m.start)
    return (
        merged,
        {s.start: s.person for s in people if s not in others},
        frozenset(s.start for s in others),
    )


def _make_mention(document: Document, span: NameSpan) -> Mention:
    start, end, _, kind, subtype = span
    return document.mention(
        start, end, kind, subtype=subtype, source=Provenance.PROTECT, certain=True
    )


def _can_stay(mention: Mention) -> bool:
    """Whether a mention around a name is kept as it is."""
    return mention.type is EntityType.CODE or mention.subtype.partition("_")[0] in _WHOLE


def _is_same_person(document: Document, span: NameSpan) -> bool:
    """Whether a span that grew still names the person: no word is foreign, or it has their given name and one more."""
    person = document.protected[span.person]
    own = {word for name in (person.name, *person.aliases) for word in fold_words(name)}
    own |= {form for name in person.names for form in list_spellings(name)}
    letters = {word[0] for word in own} | {word[:2] for word in own}
    name = parse_name(document.text[span.start : span.end])
    if not all(letter in letters for letter in name.initials):
        return False
    foreign = [
        word for word in name.words if word not in ROLES and not own.issuperset(fold_words(word))
    ]
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


def _cut_names_out(
    document: Document, mention: Mention, found: Sequence[NameSpan]
) -> Iterator[Mention]:
    """Yields what is left of a mention beside the names in it; all of it, as a rule."""
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
