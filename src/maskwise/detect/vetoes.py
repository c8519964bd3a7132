"""Takes back what a model alone found and what structure or a list shows to be no personal information.

A model that learnt on judgments takes labels, headers, drugs, tests, software and the interjections of chats for names.
Here its guesses lose the labels in them, are cut at the edges of lines and cells (see `text.layout`), and fall where a
list knows every word of them. A title, or a full name elsewhere in the text, overrules the list: "Dr Parkinson".
What a pattern or a checksum supports is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from maskwise.detect.abroad import GREETINGS, tame_guess
from maskwise.detect.clinical_guesses import (
    has_species_at,
    is_clinical_shorthand,
    is_joined_eponym,
    is_medical_name,
    is_species,
    mark_medical,
)
from maskwise.detect.code_guesses import is_no_code, is_program, mark_amount, trim_code
from maskwise.detect.codes import has_family
from maskwise.detect.cutting import CHATTER, split_guess, trim_name
from maskwise.detect.gazetteer.lists import is_given_name, is_place, read_words
from maskwise.detect.given_names import read_forenames
from maskwise.detect.medicine import AMOUNT, is_clinical_name, is_medical
from maskwise.detect.ordinary import (
    is_common_acronym,
    is_goods,
    is_measure,
    is_ordinary_thing,
)
from maskwise.detect.patterns.mail import DEPARTMENTS
from maskwise.detect.small_names import is_small_talk, trim_small_name
from maskwise.text import Document, EntityType, Mention, Provenance
from maskwise.text.common_words import NAMED_WORDS
from maskwise.text.domain import LEARNT, Domain, get_domain
from maskwise.text.english import HONORIFICS, WEEKDAYS
from maskwise.text.language import ENGLISH, get_language, is_small_word
from maskwise.text.layout import Layout, is_label, is_label_of_kind
from maskwise.text.plain_words import PLAIN_VERBS, is_plain
from maskwise.text.subtypes import ACRONYM, CITY, DIRECT, DISCLOSED, DISEASE, DRUG
from maskwise.text.tokens import JOINED_WORD, POSSESSIVE
from maskwise.text.types import Span

_MONTHS = 12  # no day stands beside a larger number
_SURE = 0.8  # that a word in small letters names a body
_DAYS = frozenset(day[:size].lower() for day in WEEKDAYS for size in (3, 4, len(day)))
_WORD_BEFORE = re.compile(r"(?<!\w)([a-z]{4,20})[ -]\Z")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_OF_OTHERS = (*LEARNT, Domain.CLINICAL)  # there, writers do not tell of themselves
_NAMED = (EntityType.PERSON, EntityType.LOC, EntityType.ORG)
_WEAK = frozenset((ACRONYM, "time"))  # patterns that know a look, not a thing
_ATTRIBUTES = (EntityType.DEM, EntityType.MISC)
_CLASS = re.compile(r"(?:[Yy]ear|[Gg]rade|[Ss]tage|[Pp]hase|[Ll]evel|[Cc]lass) (?:1[0-3]|[1-9])")
_AFTER_NUMBER = re.compile(r"[.)] +[^\W\d_]")
_RATING = re.compile(r"(?:10|[0-9])/(?:10|5)")
_SCORED = re.compile(
    r"\b(?:MMSE|MoCA|GCS|AMT|AMTS|[Aa]pgars?|VA|[Vv]ision|[Pp]ower|[Ss]trength|[Pp]ain|[Ss]cored?|[Rr]eflexes|[Rr]ated?)"
    r"(?: (?:of|is|was|at|score))?[:=]? ?\Z"
)
_PARTS = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")
_DATED = re.compile(r"(?:on|by|due|until|before|after|since|date:?|from|to) \Z", re.IGNORECASE)
_TITLED = re.compile(
    rf"(?<!\w)(?:{'|'.join(sorted(HONORIFICS, key=len, reverse=True))}|nurse|doctor)\.?\s+\Z",
    re.IGNORECASE,
)
# Words of labels that people are called.
_CALLED = frozenset(
    "page price gold silver ward host single marital sales case section guest chair open present part".split()
)


def veto_guesses(document: Document, mentions: Sequence[Mention], layout: Layout) -> list[Mention]:
    """Returns the mentions without what layout and lists take back of guesses."""
    domain = get_domain(document)
    language = get_language(document)
    names = _collect_names(mentions)
    known = _collect_attributes(mentions)
    terms = [m.span for m in mentions if m.subtype in (DRUG, DISEASE) and " " in m.text]
    kept: list[Mention] = []
    for mention in mentions:
        if mention.subtype.startswith(DISCLOSED) and domain in _OF_OTHERS:
            continue
        if domain not in LEARNT and _is_empty(mention, layout, known, terms):
            continue
        if language != ENGLISH and _is_word_abroad(mention, language):
            continue
        if not _is_guess(mention):
            kept.append(mention)
            continue
        if language != ENGLISH and mention.source == Provenance.NEURAL:
            kept += tame_guess(mention, language, layout)
            continue
        if domain in LEARNT:
            for whole in split_guess(mention, layout):
                kept += trim_name(whole) if whole.type is EntityType.PERSON else (whole,)
            continue
        for piece in _cut_guess(mention, layout):
            if is_common_acronym(piece, domain):
                continue
            if _has_other_script(piece.text):
                kept.append(replace(piece, type=EntityType.PERSON))
                continue
            named = _name_person(piece)
            if not _is_vetoed(named, domain, names, layout):
                kept.append(mark_medical(mark_amount(named)))
    return kept


def _cut_guess(mention: Mention, layout: Layout) -> Iterator[Mention]:
    """Yields the parts of a guess, each without the words around a name or a code."""
    for whole in split_guess(mention, layout):
        for trimmed in trim_name(whole):
            yield from map(trim_code, trim_small_name(trimmed))


def _is_empty(
    mention: Mention, layout: Layout, known: Sequence[Span], terms: Sequence[Span]
) -> bool:
    """Whether a mention tells nothing about anybody, whoever found it: a letter, a rating, a size, something sold."""
    return (
        _is_lone_letter(mention, layout)
        or _is_unknown_attribute(mention, known)
        or _is_rating(mention)
        or _is_list_number(mention)
        or _is_class(mention)
        or _is_small_thing(mention)
        or _is_part_of_term(mention, terms)
        or is_ordinary_thing(mention, known)
        or is_measure(mention)
        or is_goods(mention)
    )


def _is_list_number(mention: Mention) -> bool:
    """Whether a number counts the items of a list: "2. Ms Lund opened the meeting"."""
    text, (start, end) = mention.document.text, mention.span
    is_number = mention.text.isdecimal() and len(mention.text) < 3
    begins_line = text.rfind("\n", 0, start) == start - 1
    return is_number and begins_line and _AFTER_NUMBER.match(text, end) is not None


def _is_class(mention: Mention) -> bool:
    """Whether a model takes a class of a school, or a stage, for a date: "Year 4"."""
    is_guess = mention.source == Provenance.NEURAL and mention.type is EntityType.DATETIME
    return is_guess and _CLASS.fullmatch(mention.text) is not None


def _has_other_script(text: str) -> bool:
    """Whether it is letters alone, none of them Latin: in an English text mostly the name of a person."""
    letters = text.replace(" ", "")
    return letters.isalpha() and _LATIN.search(letters) is None


def _is_guess(mention: Mention) -> bool:
    if mention.certain:
        return False
    if mention.subtype == CITY and is_clinical_name(mention.text):
        return True  # "Glasgow coma scale", "MoCA"
    if mention.subtype == "full_name" and mention.text.lower() in CHATTER:
        return True  # "Witness: Um, so"
    is_asked = mention.source in (Provenance.NEURAL, Provenance.PATTERNS)
    return is_asked and (not has_family(mention) or mention.subtype in _WEAK)


def _is_word_abroad(mention: Mention, language: str) -> bool:
    """Whether a place is a greeting or a small word of the language: "Hola", "Haar"."""
    if mention.certain or mention.type not in (EntityType.LOC, EntityType.ORG):
        return False
    return mention.text.lower() in GREETINGS or is_small_word(mention.text, language)


def _name_person(mention: Mention) -> Mention:
    """Makes a person of what a model takes for a place or a body and what is a given name: "Stavros"."""
    if mention.type not in (EntityType.LOC, EntityType.ORG, EntityType.MISC, EntityType.DEM):
        return mention
    text = mention.text
    family, comma, given = text.partition(", ")
    if comma and given in read_forenames() and family.isalpha() and not is_place(family):
        return replace(mention, type=EntityType.PERSON)  # "Galešić, Milan"
    given = POSSESSIVE.sub("", text)  # "meets at Ursula's"
    if given not in read_forenames() or is_place(given) or has_family(mention):
        return mention
    return replace(mention, type=EntityType.PERSON)


def _is_small_thing(mention: Mention) -> bool:
    """Whether a model takes a small word for a body, and is not sure: "boiler", "ballet"."""
    if mention.source != Provenance.NEURAL or mention.type is not EntityType.ORG:
        return False
    return mention.text.islower() and mention.text.isalpha() and mention.score < _SURE


def _is_rating(mention: Mention) -> bool:
    """Whether it is a mark and no date: "10/10", "18/30", "GCS 14/15"."""
    if mention.certain or mention.type is not EntityType.DATETIME:
        return False
    before = mention.document.text[max(0, mention.start - 16) : mention.start]
    parts = _PARTS.fullmatch(mention.text)
    if parts and (min(int(parts[1]), int(parts[2])) > _MONTHS or _SCORED.search(before)):
        return True
    return _RATING.fullmatch(mention.text) is not None and not _DATED.search(before)


def _collect_attributes(mentions: Iterable[Mention]) -> list[Span]:
    """Where lists and patterns know something of what models guess."""
    return [m.span for m in mentions if m.source != Provenance.NEURAL]


def _is_part_of_term(mention: Mention, terms: Sequence[Span]) -> bool:
    """Whether a model takes a word of a drug or a disease for a name: "John" in "St John's wort"."""
    if mention.source != Provenance.NEURAL or mention.subtype == DIRECT:
        return False
    return any(low <= mention.start and mention.end <= high for low, high in terms)


def _is_unknown_attribute(mention: Mention, known: Sequence[tuple[int, int]]) -> bool:
    """Whether it is small words that a model alone takes for an attribute: "built", "the line"."""
    if mention.source != Provenance.NEURAL or mention.subtype == DIRECT:
        return False
    if mention.type not in _ATTRIBUTES or not mention.text.islower():
        return False
    words = JOINED_WORD.findall(mention.text)
    if not all(map(is_plain, words)):
        return False  # a trade, or a name in small letters
    if any(map(str.isdigit, mention.text)):
        return False
    return not any(start < mention.end and mention.start < end for start, end in known)


def _is_lone_letter(mention: Mention, layout: Layout) -> bool:
    """Whether a single letter is a label, a kind or a genus: "T: 0161", "Sex: F", "S. pneumoniae"."""
    if mention.certain or len(mention.text.rstrip(".")) != 1:
        return False
    text = mention.document.text
    if text[mention.end : mention.end + 1] == ":" or has_species_at(text, mention.start):
        return True
    word = _WORD_BEFORE.search(text, max(0, mention.start - 24), mention.start)
    if word and not mention.text.endswith(".") and is_medical([word[1]], "", Domain.CLINICAL):
        return True  # "penicillin V", "hepatitis B"
    return _is_kind(mention, [mention.text], layout)


def _collect_names(mentions: Iterable[Mention]) -> frozenset[str]:
    """The words of people's names that a pattern reads or that have a given name: these are nobody's software."""
    found: set[str] = set()
    for mention in mentions:
        if mention.type is not EntityType.PERSON:
            continue
        words = JOINED_WORD.findall(mention.text)
        if has_family(mention) or (len(words) > 1 and is_given_name(words[0].capitalize())):
            found.update(word.lower() for word in words)
    return frozenset(found)


def _is_vetoed(
    mention: Mention, domain: Domain | None, names: frozenset[str], layout: Layout
) -> bool:
    text = mention.document.text
    words = [POSSESSIVE.sub("", word) for word in JOINED_WORD.findall(mention.text)]
    if not words or words[0].lower().rstrip(".") in HONORIFICS or _has_title(text, mention.start):
        return False
    is_name = mention.type in (*_NAMED, EntityType.MISC)
    if is_name and all(word.lower().rstrip(".") in _DAYS for word in words):
        return True
    if is_name and mention.subtype != DIRECT and len(words) == 1 and _is_plain(words[0]):
        return True
    if is_program(mention.text) or (is_name and is_small_talk(words)):
        return True
    if mention.type is EntityType.CODE:
        return is_no_code(mention)
    if words[0].lower() in _read_software() and all(
        word.lower() in _read_software() or AMOUNT.fullmatch(word) for word in words
    ):
        return not any(word.lower() in names for word in words)
    if is_name and mention.subtype != DIRECT and _is_clause(words):
        return True
    if domain is Domain.CLINICAL and is_clinical_shorthand(mention, words):
        return True
    if is_species(mention.text) or _is_department(mention, words):
        return True
    if mention.subtype != DIRECT and _is_kind(mention, words, layout):
        return True
    if (mention.subtype != DIRECT or len(words) == 1) and _is_made_of_labels(mention, words):
        return True
    if mention.type not in _NAMED or any(word.lower() in names for word in words):
        return False
    if domain is Domain.CLINICAL and is_joined_eponym(mention):
        return True
    return is_medical_name(mention, words, domain)


def _is_department(mention: Mention, words: Sequence[str]) -> bool:
    """Whether a model takes a department for a person: "Facilities" under a mail."""
    return mention.type is EntityType.PERSON and all(word.lower() in DEPARTMENTS for word in words)


def _is_plain(word: str) -> bool:
    """Whether a single word is a letter or an ordinary word that nobody is called: "D", "Yay", "Just"."""
    low = word.lower()
    if len(word) == 1:
        return True
    return is_plain(low) and low not in NAMED_WORDS and not is_given_name(word.capitalize())


def _is_clause(words: Sequence[str]) -> bool:
    """Whether it begins with an ordinary verb and goes on in small letters: "Built dashboards"."""
    rest = words[1:]
    return bool(rest) and words[0].lower() in PLAIN_VERBS and all(map(str.islower, rest))


@cache
def _read_software() -> frozenset[str]:
    return frozenset(map(str.lower, read_words("software")))


def _has_title(text: str, start: int) -> bool:
    return _TITLED.search(text, max(0, start - 16), start) is not None


def _is_kind(mention: Mention, words: Sequence[str], layout: Layout) -> bool:
    """Whether it is the value of a label that tells a kind: "Plan: Gold"."""
    if mention.type is EntityType.CODE or len(words) > 3 or any(map(str.isdigit, mention.text)):
        return False
    text = mention.document.text
    line = text.rfind("\n", 0, mention.start) + 1
    labels = list(layout.find_labels(line, mention.start))
    if not labels or text[labels[-1][1] : mention.start].strip(" \t:=|\"'*"):
        return False
    return is_label_of_kind(text[slice(*labels[-1])])


def _is_made_of_labels(mention: Mention, words: Sequence[str]) -> bool:
    """Whether a form has every word as a label: "Human Resources", "Accounts"."""
    if mention.type not in (*_NAMED, EntityType.MISC) or not is_label(mention.text):
        return False
    return not any(word.lower() in _CALLED or is_given_name(word.capitalize()) for word in words)
