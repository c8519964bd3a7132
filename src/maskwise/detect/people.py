"""Reads names as people, whatever a model takes them for.

In a line of capitals, or of small letters, a model calls "INGRID HAKIMI" an organisation, and a policy that keeps
organisations would print her name. A common given name before another word says who it is. In a form or a log, a model
calls a rare name something else (MISC). Where a pattern reads a person there, or where all words are rare and written
as names are, it is one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from maskwise.detect.codes import has_family
from maskwise.detect.cutting import is_opener, take_piece
from maskwise.detect.gazetteer.lists import is_given_name, is_place
from maskwise.detect.given_names import is_written_small, read_forenames
from maskwise.detect.patterns.full_name import THINGS
from maskwise.text import EntityType, Mention
from maskwise.text.common_words import COMMON, LEGAL_FORMS, NAMED_WORDS
from maskwise.text.domain import LEARNT, get_domain
from maskwise.text.plain_words import is_plain

FULL = range(2, 5)  # words of a full name
_ADDRESS_BELOW = re.compile(r"[ \t]*\n(?=[^\n]{0,40}[0-9])[^\n:=]+(?:\n|\Z)")
_CAPITALISED = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]+(?:[-'’][^\W\d_]+)*")
_NAMED = re.compile(r"[^\W\d_a-zß-öø-ÿ][^\W\d_]+(?:[-'’][^\W\d_]+)*")
_LETTERS = re.compile(r"(?:[^\W\d_a-z]\.[ -]?)+")
_TITLED = ("titled", "titled_abroad", "ranked", "dotted")
_TAKEN_FOR = (EntityType.ORG, EntityType.LOC, EntityType.MISC, EntityType.DEM)


def name_people(mentions: Iterable[Mention], seen: Iterable[Mention] = ()) -> list[Mention]:
    """Makes people of guesses that read as a full name in one case, or in which a pattern `seen` reads a person."""
    seen = list(seen)
    people = sorted(m.span for m in seen if m.type is EntityType.PERSON and has_family(m))
    mentions = list(mentions)
    titled = {m.span for m in seen if m.subtype in _TITLED}
    starts = {end: start for start, end in people}
    full = {m.text for m in mentions if m.type is EntityType.PERSON and " " in m.text}
    named = []
    for mention in mentions:
        if is_opened_name(mention, full):
            named.append(_cut_opener(mention))
            continue
        is_person = (
            is_full_name(mention)
            or is_read_as_person(mention, people)
            or is_read_after_initials(mention, starts)
            or has_rare_words_alone(mention)
            or is_listed_name(mention)
            or is_titled_name(mention, titled)
        )
        named.append(replace(mention, type=EntityType.PERSON) if is_person else mention)
    return named


def clear_people(mentions: Sequence[Mention]) -> list[Mention]:
    """Takes the people whom patterns and lists read out of longer guesses that are no known kind of thing.

    With little evidence a model calls a whole clause MISC: "adı soyadı Gülizar Karadağ, plaka". A policy that keeps
    what is no person would print the name in it.
    """
    people = sorted(m.span for m in mentions if m.type is EntityType.PERSON and has_family(m))
    if not people:
        return list(mentions)
    cleared: list[Mention] = []
    for mention in mentions:
        if mention.type is not EntityType.MISC or has_family(mention) or mention.certain:
            cleared.append(mention)
            continue
        held = [span for span in people if span[0] < mention.end and mention.start < span[1]]
        cursor = mention.start
        for start, end in [*held, (mention.end, mention.end)]:
            if cursor < start and (piece := take_piece(mention, cursor, start)) is not None:
                cleared.append(piece)
            cursor = max(cursor, end)
    return cleared


def is_opened_name(mention: Mention, full: Collection[str]) -> bool:
    """Whether it is a full name that stands elsewhere, after a word that opens the sentence: "Later Ana Souza"."""
    first, _, rest = mention.text.partition(" ")
    return mention.type in _TAKEN_FOR and not mention.certain and rest in full and is_opener(first)


def _cut_opener(mention: Mention) -> Mention:
    first, _, rest = mention.text.partition(" ")
    start = mention.start + len(first) + 1
    return replace(mention, type=EntityType.PERSON, start=start, text=rest, value="")


def has_rare_words_alone(mention: Mention) -> bool:
    """Whether a guess that is no known kind of thing has the form of a full name: "Folasade Oyelaran"."""
    if mention.type is not EntityType.MISC or has_family(mention) or mention.certain:
        return False
    words = mention.text.split()
    if len(words) not in FULL or not all(map(_CAPITALISED.fullmatch, words)):
        return False
    if words[0].endswith(("'s", "’s")):  # a thing of somebody: "Widow's Pension"
        return False
    return not any(
        word in THINGS or word.lower() in COMMON or is_plain(word.lower()) for word in words
    )


def is_titled_name(mention: Mention, titled: Collection[tuple[int, int]]) -> bool:
    """Whether a pattern reads all of a guess as a name with its title: "Lady Arabella Foss". Judgments name offices."""
    if mention.type not in _TAKEN_FOR or has_family(mention) or mention.certain:
        return False
    is_read = mention.span in titled
    return is_read and get_domain(mention.document) not in LEARNT


def is_listed_name(mention: Mention) -> bool:
    """Whether a guess has the form of a name and begins with one that is hardly anything else: "Gethin Prosser".

    Judgments and lives are left to the model.
    """
    if mention.type not in _TAKEN_FOR or has_family(mention) or mention.certain:
        return False
    if get_domain(mention.document) in LEARNT:
        return False
    words = mention.text.split()
    is_small = mention.text.islower() and is_written_small(mention.document)
    if len(words) not in range(1, 4) or not (is_small or all(map(_NAMED.fullmatch, words))):
        return False
    if words[0].partition("-")[0].title() not in read_forenames():
        return False
    return not any(
        word.title() in THINGS
        or word.lower() in COMMON - NAMED_WORDS
        or is_plain(word.lower())
        or is_place(word)
        or word.lower() in LEGAL_FORMS
        for word in words[1:]
    )


def is_read_as_person(mention: Mention, people: Sequence[tuple[int, int]]) -> bool:
    """Whether a pattern reads a person in most of what a model calls something else."""
    if mention.type is not EntityType.MISC or has_family(mention) or mention.certain:
        return False
    first = bisect_left(people, (mention.start, 0))
    inside = 0
    for start, end in people[first:]:
        if start >= mention.end:
            break
        inside = max(inside, min(end, mention.end) - start)
    return 2 * inside > len(mention)


def is_read_after_initials(mention: Mention, starts: Mapping[int, int]) -> bool:
    """Whether a pattern reads a person in initials and this word: "Iborra" in "A. Iborra". `starts` goes by ends."""
    if mention.type is not EntityType.ORG or mention.certain or " " in mention.text:
        return False
    start = starts.get(mention.end, mention.start)
    before = mention.document.text[start : mention.start]
    return _LETTERS.fullmatch(before) is not None


def is_full_name(mention: Mention) -> bool:
    """Whether a guess has one case and begins with a given name, and no word of it is a common one."""
    text = mention.text
    if mention.type not in _TAKEN_FOR or has_family(mention) or mention.certain:
        return False
    if not (text.isupper() or text.islower() or _is_head_of_address(mention)):
        return False
    words = text.lower().replace(".", "").split()
    if len(words) not in FULL or not all(word.replace("-", "").isalpha() for word in words):
        return False
    return is_given_name(words[0].capitalize()) and COMMON.isdisjoint(words)


def _is_head_of_address(mention: Mention) -> bool:
    """Whether it fills a line above a line with a number: "Ana Souza" over "18 rue des Lilas"."""
    text = mention.document.text
    is_line = text[mention.start - 1 : mention.start] in ("", "\n")
    return is_line and _ADDRESS_BELOW.match(text, mention.end) is not None
