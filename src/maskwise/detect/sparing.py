"""Keeps the texts that a policy keeps by name, where a model took them for part of something else.

A policy that keeps countries, drugs or laws says so of things that lists and patterns know. In a form, a log or a line
of capitals a model calls them organisations, or takes in the words beside them. Then the list is right, and the rest of
what the model saw stays a mention. Where the model sees a person, or a code that holds more, the model is right: what
could be somebody's name is masked.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from maskwise.detect.codes import has_family, is_proof
from maskwise.detect.gazetteer.lists import is_given_name
from maskwise.detect.year_fields import is_labelled_year
from maskwise.text import EntityType, Mention
from maskwise.text.english import FUNCTION_WORDS, PREPOSITIONS, STOP_WORDS
from maskwise.text.subtypes import (
    AGE,
    COUNTRY,
    DIRECT,
    DISEASE,
    DRUG,
    NUMBERED_ORDER,
    SYMPTOM,
    YEAR,
)

Spared = Callable[[EntityType, str], bool]  # whether the policy keeps a type and subtype by name

LONG = 7  # letters of a word of medicine that is hardly a surname: "migraine", not "burns"

_WORD = re.compile(r"[^\W_]+")
_DEGREES = frozenset(
    "acute chronic severe mild moderate recurrent advanced twice once daily".split()
)
_NAMES = frozenset(("may", "will"))  # a month, a name
_SMALL = (FUNCTION_WORDS | STOP_WORDS | PREPOSITIONS | _DEGREES) - _NAMES
# What follows the name of a drug: "75 mcg twice daily".
_DOSE = re.compile(
    r"[\s\d.,/%-]*(?:(?:mg|mcg|µg|g|ml|iu|units?|mmol|tablets?)\b[\s.,]*)?"
    r"(?:(?:once|twice|three times|daily|weekly|a day|a week|at night|as needed)\b[\s.,]*){0,2}",
    re.IGNORECASE,
)
# A few figures and a unit of medicine are no code in any letters.
_MEASURED = re.compile(
    r"\s?[0-9]{1,4}(?:[.,][0-9]{1,3})?[ ]?(?:mg|mcg|µg|ml|iu|mmol|units?|tablets?)(?!\w)",
    re.IGNORECASE,
)
_GLUED_BEFORE, _GLUED_AFTER = re.compile(r"\w[-_/.]?\Z"), re.compile(r"[-_/.]?\w")
_NAMED = (EntityType.ORG, EntityType.LOC)
# Countries that are given names too; the list of given names leaves them out.
_GIVEN = frozenset("america chad georgia india israel jordan kenya".split())
# Dictionary words that a model takes for names where letters have one case.
_WORDS = frozenset((DISEASE, DRUG, SYMPTOM))


def find_spared(
    mentions: Sequence[Mention], hints: Sequence[Mention], is_spared: Spared
) -> tuple[set[Mention], set[Mention]]:
    """Returns the mentions and hints that stand whatever a model took them for, and what the model took them for."""
    guesses = _Guesses(m for m in mentions if not has_family(m) and not m.certain)
    named = _collect_names(mentions)
    spared, overruled = set(), set()
    for known in (*filter(_can_be_spared, mentions), *hints):
        around = list(guesses.find_around(known)) if is_spared(known.type, known.subtype) else []
        if not around or any(map(_is_inside_word, (known, *around))):
            continue
        if all(_can_overrule(known, guess, named) for guess in around):
            spared.add(known)
            overruled.update(around)
    return spared, overruled


def is_telling(text: str, start: int, end: int, kind: EntityType) -> bool:
    """Whether what is left of a mention beside a spared one holds more than small words, or a dose."""
    left = text[start:end]
    if kind is EntityType.PERSON and _DOSE.fullmatch(left):
        return False
    if kind is EntityType.CODE and is_dose(text, start, end):
        return False
    return not _is_small(left)


def is_dose(text: str, start: int, end: int) -> bool:
    """Whether a stretch is a few figures before a unit of medicine: "75", or "75 mcg", of "75 mcg twice daily"."""
    dose = _MEASURED.match(text, start)
    return dose is not None and end <= dose.end()


def _is_small(text: str) -> bool:
    return all(word[0].lower() in _SMALL for word in _WORD.finditer(text))


def _can_be_spared(mention: Mention) -> bool:
    if mention.type is EntityType.PERSON or not is_proof(mention):
        return False
    # Figures that are glued to others, or to letters, are part of a code: "fpt-2009-pu".
    text, start, end = mention.document.text, mention.start, mention.end
    is_glued = _GLUED_BEFORE.search(text, max(0, start - 2), start) or _GLUED_AFTER.match(text, end)
    return not (is_glued and any(map(str.isdigit, mention.text)))


def _is_inside_word(mention: Mention) -> bool:
    """Whether the mention begins or ends inside a word: then the rest of the word tells something too."""
    text, start, end = mention.document.text, mention.start, mention.end
    begins_inside = text[max(0, start - 1) : start + 1].isalpha() and start > 0
    ends_inside = text[end - 1 : end + 1].isalpha() and end < len(text)
    return begins_inside or ends_inside


def _collect_names(mentions: Sequence[Mention]) -> frozenset[str]:
    """The words of the names of people that a rule reads, or that have more than one word."""
    found: set[str] = set()
    for mention in mentions:
        if mention.type is EntityType.PERSON:
            words = set(_WORD.findall(mention.text.lower())) - _SMALL
            found.update(words if len(words) > 1 or has_family(mention) else ())
    return frozenset(found)


def _can_overrule(known: Mention, guess: Mention, named: frozenset[str]) -> bool:
    """Whether what a list or a pattern knows is safe to show where a model saw something else."""
    if guess.type is EntityType.PERSON:
        return _is_no_name(known, guess) or _is_country(known, guess, named)
    is_whole = known.start <= guess.start and guess.end <= known.end
    if guess.type is EntityType.CODE:  # also one that the model takes for a direct identifier
        return _is_no_code(known, is_whole) or (is_whole and is_labelled_year(known))
    if guess.subtype == DIRECT:
        return is_whole and known.subtype in (YEAR, AGE)  # neither alone identifies anybody
    if is_whole:
        return guess.type is not EntityType.DATETIME or known.type is not EntityType.LOC
    rest = " ".join(_cut_out(known, guess))
    if not any(map(str.isalpha, known.text)) and any(map(str.isdigit, rest)):
        return False  # a group of figures of a date or a code
    if guess.type is EntityType.DATETIME:
        return known.type is EntityType.DATETIME
    return guess.type not in _NAMED or not _is_part_of_name(guess, rest)


def _is_no_name(known: Mention, guess: Mention) -> bool:
    """Whether what a model takes for a person is figures, or a word of a dictionary that is not written as a name:
    "migraine", "metformin 500 mg", not "Allegra"."""
    start, end = max(known.start, guess.start), min(known.end, guess.end)
    if known.type is EntityType.QUANTITY and _DOSE.fullmatch(known.document.text[start:end]):
        return True
    before, after = _cut_out(known, guess)
    is_all = _is_small(before) and (_is_small(after) or _DOSE.fullmatch(after) is not None)
    if not is_all or known.subtype not in _WORDS or len(known) < LONG:
        return False
    if not (known.text.islower() or known.text.isupper()):
        return False
    return not any(is_given_name(word.capitalize()) for word in _WORD.findall(known.text))


def _is_country(known: Mention, guess: Mention, named: frozenset[str]) -> bool:
    """Whether a model takes the bare name of a country for a person: not where somebody in the text is called so."""
    if known.subtype != COUNTRY or guess.subtype == DIRECT:
        return False
    if not all(map(_is_small, _cut_out(known, guess))):
        return False
    words = _WORD.findall(known.text.lower())
    return not any(
        word in named or word in _GIVEN or is_given_name(word.capitalize()) for word in words
    )


def _is_no_code(known: Mention, is_whole: bool) -> bool:
    """Whether a word or a unit says that the digits are no code: "10 mg", "Law no. 4483", not "Order no. 4483"."""
    if not any(map(str.isdigit, known.text)):
        return True
    has_word = any(map(str.isalpha, known.text))
    return is_whole and has_word and known.subtype != NUMBERED_ORDER


def _is_part_of_name(guess: Mention, rest: str) -> bool:
    """Whether the guess goes on with capitals around what is known: "Bank of Norway", not "NORWAY IN THE END"."""
    if guess.text.isupper() or guess.text.islower():
        return False  # the letters do not show where a name ends
    return any(word[0][0].isupper() for word in _WORD.finditer(rest))


def _cut_out(known: Mention, guess: Mention) -> tuple[str, str]:
    """The text of the guess before and after the known part."""
    low, high = max(0, known.start - guess.start), max(0, known.end - guess.start)
    return guess.text[:low], guess.text[high:]


class _Guesses:
    """The guesses of models, indexed to find those that overlap a mention."""

    def __init__(self, guesses: Iterable[Mention]) -> None:
        by_source: dict[str, list[Mention]] = {}
        for guess in sorted(guesses, key=lambda m: m.start):
            by_source.setdefault(guess.source, []).append(guess)
        # Mentions of one model never share a character, so their ends are in order too.
        self._tables = [([m.end for m in own], own) for own in by_source.values()]

    def find_around(self, mention: Mention) -> Iterator[Mention]:
        for ends, own in self._tables:
            at = bisect_left(ends, mention.start + 1)
            while at < len(own) and own[at].start < mention.end:
                yield own[at]
                at += 1
