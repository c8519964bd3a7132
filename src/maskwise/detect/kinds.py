"""Tells places, organisations and people apart where a list, a word of the name or the words before it say more.

A model that learnt on judgments knows few companies and takes many a town for one. Outside judgments and lives the
last word of a name ("Clarence Dock", "Tannersfield Motors"), a list of companies and a list of towns decide. The name
of a person stays one: a list of given names and the other names of the text speak for people.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from maskwise.detect.called import is_called, is_field_value
from maskwise.detect.codes import has_family
from maskwise.detect.gazetteer.lists import is_country, is_given_name, is_place, read_words
from maskwise.detect.given_names import read_forenames
from maskwise.detect.ordinary import is_attribute
from maskwise.detect.patterns.full_name import THINGS
from maskwise.text import Document, EntityType, Mention, Provenance, word_lists
from maskwise.text.common_words import COMMON
from maskwise.text.domain import LEARNT, get_domain
from maskwise.text.english import HONORIFICS
from maskwise.text.numbers import read_number
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import (
    AGE_OVER_89,
    CITY,
    COUNTRY,
    ETHNICITY,
    HASHTAG,
    NATIONALITY,
    OCCUPATION,
    RANK,
    REGION,
    RELIGION,
)

_OLD, _OLDEST = 90, 120  # years
_SHORT_TAG = 2  # letters of a hashtag that may mean anything
_PERSON, _LOC, _ORG, _MISC = EntityType.PERSON, EntityType.LOC, EntityType.ORG, EntityType.MISC
_ATTRIBUTES = frozenset((RELIGION, NATIONALITY, ETHNICITY, OCCUPATION, RANK))
_NAMED = (_PERSON, _LOC, _ORG, _MISC)
_SURNAMES = frozenset("Dane Pole Roman Scot Welsh German Norman Briton Bahamian".split())
_CLOSING_QUOTE = re.compile(r"[ ]?[\"”’)][ ]?")
_AGE = re.compile(r"[1-9][0-9]")
_BEFORE_AGE = re.compile(
    r"(?:\b(?:at|turned|turning|aged?|was|is|am|and|by)|['’](?:m|s)|,|\()\s?\Z", re.IGNORECASE
)
_AFTER_AGE = re.compile(
    r"\s?(?:[,.;!?)]|\Z|(?:and|i|he|she|we|they|but|when|with)\b)", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
# The last word of a place. People are called by those in the second list too.
_PLACES_LAST = frozenset(
    """
    avenue ave blvd boulevard road rd highway motorway freeway parkway dock docks wharf pier harbour harbor quay station
    airport airfield stadium peninsula island islands isle plaza valley river creek canyon gulch gorge falls fjord
    glacier plateau volcano desert ocean coast county province district canton borough village township cemetery
    reservoir lagoon waterfall rainforest archipelago neighbourhood suburb crossing roundabout
    """.split()
)
_PLACES_OR_SURNAMES = frozenset(
    "street st lane park lake hill hills bay beach forest bridge castle square gardens woods heights mountain".split()
)
# The last word of a company, a school or a shop.
_COMPANIES_LAST = frozenset(word_lists.read_words("companies_last"))
# The first word of a body that is called by its town: "TU Graz".
_SCHOOLS_FIRST = frozenset(("TU", "Uni", "UC", "ETH", "SUNY", "CUNY", "University", "Universität"))
# The last word of a school that is called by its town or state: "Iowa State".
_SCHOOLS_LAST = frozenset(("State", "Tech", "Uni", "Poly", "Polytechnic", "High", "Elementary"))
_COMPANY_NAME = re.compile(
    r"[A-Z][a-z]{2,}(?:soft|tech|corp|bank|tel|pharma|media|foods|chem|systems)"
)
_BEFORE_PLACE = re.compile(
    r"(?<!\w)(?:in|from|near|outside|around|via|between|visit|visiting|visited|leave|leaving|left|reach|reached|to|at"
    r"|throughout|across|towards|toward|greater|downtown|beautiful|rural|sunny|central|north|south|east|west"
    r"|north(?:ern)?|south(?:ern)?|east(?:ern)?|west(?:ern)?)\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
_BEFORE_PLACE_ALONE = re.compile(
    r"(?<!\w)(?:in|near|outside|throughout|downtown)\s+\Z", re.IGNORECASE
)  # never a person
_AGAINST = re.compile(r"(?<!\w)against\s+\Z", re.IGNORECASE)
# What teams and companies do and towns do not: "Hull beat", "Rotterdam 3-1".
_AFTER_TEAM = re.compile(
    r"(?:['’]s)?\s+(?:beat|beats|won|win|wins|lost|lose|loses|draw|drew|play|plays|played|scores?|scored|sign|signed"
    r"|signs|tops?|leads?|leading|kicks?|fans?|vs?|versus|shares|stock|says|launches|announces|midfielder|striker"
    r"|winger|defender|goalkeeper|keeper|captain|coach|manager|squad|team|national|sack(?:s|ed)?|fired?|hires?|appoints?|unveils?|[0-9]{1,2}\s?[-–]\s?[0-9]"
    r"|MPs?|party|voters?)(?!\w)",
    re.IGNORECASE,
)
# "U. S." as two initials, where a text sets signs apart.
_LETTER_BEFORE = re.compile(r"(?<![\w.])([A-Z])\. \Z")
_SHORT_PLACES = frozenset("US UK UN EU BC DC NS NB NL NI NZ SD NY LA".split())


def correct_types(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions of a document with the types that lists and the words in and around them show."""
    if get_domain(document) in LEARNT:
        return [_mark_old_age(_name_field(mention)) for mention in mentions]
    people = _collect_names(mentions)
    named: list[Mention] = []
    for mention in mentions:
        if named and _is_surname_after_nickname(named[-1], mention):
            named.append(replace(mention, type=_PERSON))
        else:
            named.append(_mark_old_age(_correct_type(mention, people)))
    return named


def _name_field(mention: Mention) -> Mention:
    """Makes a person of a name that fills a field for one, in whatever text: "Solicitor: Odalys Tolm"."""
    if mention.type not in (_ORG, _LOC, _MISC) or not is_field_value(mention):
        return mention
    return replace(mention, type=_PERSON)


def _is_surname_after_nickname(last: Mention, mention: Mention) -> bool:
    """Whether it is the surname after a nickname: "Theriault" in 'Harold "Junior" Theriault'."""
    if last.type is not _PERSON or mention.type is not _MISC or mention.certain:
        return False
    gap = mention.document.text[last.end : mention.start]
    return (
        _CLOSING_QUOTE.fullmatch(gap) is not None
        and mention.text.isalpha()
        and mention.text.istitle()
    )


def _correct_type(mention: Mention, people: frozenset[str]) -> Mention:
    if _is_age(mention):
        return replace(mention, type=EntityType.DEM)
    if mention.certain or mention.type not in _NAMED:
        return mention
    if mention.subtype == "single":
        return _join_letters(mention)
    if mention.subtype == HASHTAG:
        return _read_hashtag(mention)
    if mention.source == Provenance.PATTERNS and mention.type is not _MISC:
        return mention
    if mention.source == Provenance.GAZETTEER:
        return mention
    if mention.type is _MISC and (mention.subtype in _ATTRIBUTES or is_attribute(mention)):
        return replace(mention, type=EntityType.DEM)
    kind = _find_type(mention, people)
    if kind is mention.type:
        return mention
    if kind is _LOC and _is_party(mention):
        return replace(mention, type=kind, subtype=COUNTRY)
    return replace(mention, type=kind)  # what may be a name after all stays direct


def _is_party(mention: Mention) -> bool:
    """Whether it is a country that a case is against: no name of a person."""
    before = mention.document.text[max(0, mention.start - 12) : mention.start]
    return is_country(mention.text) and _AGAINST.search(before) is not None


def _is_age(mention: Mention) -> bool:
    """Whether a model takes a bare age for a date: "at 46 I moved", "single, 23, from Ghent"."""
    if (
        mention.type is not EntityType.DATETIME
        or mention.certain
        or not _AGE.fullmatch(mention.text)
    ):
        return False
    text = mention.document.text
    before = text[max(0, mention.start - 12) : mention.start]
    return (
        _BEFORE_AGE.search(before) is not None and _AFTER_AGE.match(text, mention.end) is not None
    )


def _mark_old_age(mention: Mention) -> Mention:
    """Says of an attribute that is a bare number from ninety on that it is the age of somebody very old."""
    if mention.type is not EntityType.DEM or mention.certain or mention.subtype == AGE_OVER_89:
        return mention
    number = read_number(mention.text.lower())
    is_old = number is not None and _OLD <= number < _OLDEST
    return replace(mention, subtype=AGE_OVER_89) if is_old else mention


def _find_type(mention: Mention, people: frozenset[str]) -> EntityType:
    kind = mention.type
    words = _WORD.findall(mention.text)
    if kind is _MISC and _is_read_as_person(words):
        return _PERSON
    if kind is not _PERSON and is_called(mention, people) and not is_company(mention.text):
        return _PERSON
    if not words or mention.text.islower() or words[0].lower() in HONORIFICS:
        return kind
    if kind is _PERSON and _is_known_person(mention, words, people):
        return kind
    if is_company(mention.text):
        return _ORG
    if kind is _PERSON and _is_people(mention.text):
        return EntityType.DEM
    last = words[-1].lower()
    if len(words) > 1:
        if kind is not _ORG and _is_campus(words):
            return _ORG
        if last in _COMPANIES_LAST and kind in (_PERSON, _MISC, _LOC):
            return _ORG
        if words[-2:] == ["School", "District"]:
            return _ORG
        if last in _PLACES_LAST or (kind is not _PERSON and last in _PLACES_OR_SURNAMES):
            return _LOC
        return _LOC if kind is not _PERSON and _is_town(mention) else kind
    if (
        kind in (_LOC, _MISC)
        and _COMPANY_NAME.fullmatch(mention.text)
        and not is_place(mention.text)
    ):
        return _ORG
    return _LOC if _is_town(mention) else kind


def _is_people(word: str) -> bool:
    """Whether a word is an adjective of a country that is hardly a surname: "Thai", not "French"."""
    return word in read_words("demonyms") and word.lower() not in COMMON and word not in _SURNAMES


def _is_read_as_person(words: Sequence[str]) -> bool:
    """Whether what a model calls a thing is a given name, alone or before rare words: "Fionnuala OConnor"."""
    if not words or len(words) > 3 or not all(word.isalpha() for word in words):
        return False
    first = words[0].capitalize() if len(words) == 2 and words[1].islower() else words[0]
    if first not in read_forenames() and not is_given_name(first):
        return False
    return not any(
        word in THINGS or word.lower() in COMMON or is_plain(word.lower()) for word in words
    )


def _is_known_person(mention: Mention, words: Sequence[str], people: frozenset[str]) -> bool:
    """Whether a given name, a title or another name of the text says that it is a person."""
    if has_family(mention) and mention.subtype not in (CITY, COUNTRY, REGION):
        return True
    if is_country(mention.text) and not is_given_name(mention.text):
        return False
    is_headed = len(words) > 1 and words[-1].lower() in _PLACES_LAST | _COMPANIES_LAST
    if not is_headed and (is_given_name(words[0]) or words[0] in read_forenames()):
        return True
    return any(word.lower() in people for word in words)


def _collect_names(mentions: Iterable[Mention]) -> frozenset[str]:
    """The words of people's full names, and of names that a rule reads."""
    found: set[str] = set()
    for mention in mentions:
        if mention.type is not _PERSON:
            continue
        words = _WORD.findall(mention.text)
        is_full = len(words) > 1 and words[-1].lower() not in _PLACES_LAST | _COMPANIES_LAST
        if is_full or (has_family(mention) and mention.source == Provenance.PATTERNS):
            found.update(word.lower() for word in words)
    return frozenset(found)


def _is_campus(words: Sequence[str]) -> bool:
    if words[0] in _SCHOOLS_FIRST and is_place(" ".join(words[1:])):
        return True
    return words[-1] in _SCHOOLS_LAST and is_place(" ".join(words[:-1]))


def _is_town(mention: Mention) -> bool:
    """Whether it is the bare name of a town, a region or a country that stands where places stand."""
    if not is_place(mention.text):
        return False
    text = mention.document.text
    near = max(0, mention.start - 20), mention.start
    if mention.type is _PERSON and not is_country(mention.text):
        return _BEFORE_PLACE_ALONE.search(text, *near) is not None
    if _AFTER_TEAM.match(text, mention.end):
        return False
    if _BEFORE_PLACE.search(text, *near):
        return True
    return not mention.text.isupper() and is_large_place(mention.text)


def is_large_place(name: str) -> bool:
    """Whether it is a country, or a city of 100,000 people or more."""
    return is_country(name) or name in _read_large_cities()


@cache
def _read_large_cities() -> frozenset[str]:
    rows = (files("maskwise.bundle") / "gazetteers" / "cities.tsv").read_text("utf-8").splitlines()
    return frozenset(row.split("\t")[0] for row in rows if row.split("\t")[-1] in ("3", "4"))


def is_company(name: str) -> bool:
    """Whether a list has the whole name as that of a company or a body: "Icelandair", "the BBC"."""
    low = re.sub(r"['’]s?\Z", "", name.lstrip("#")).casefold()
    return low.removeprefix("the ") in _read_brands()


@cache
def _read_brands() -> frozenset[str]:
    """The names, also written together as hashtags write them."""
    names = {name.casefold() for name in read_words("brands")}
    return frozenset(names | {name.replace(" ", "") for name in names if " " in name})


@cache
def _read_joined_places() -> Collection[str]:
    lists = ("countries", "cities", "regions")
    names = (name.casefold() for source in lists for name in read_words(source))
    return frozenset(name.replace(" ", "") for name in names if len(name) > 4)


def _read_hashtag(mention: Mention) -> Mention:
    """Makes a place or a company of a hashtag that is one: "#Derry"."""
    tag = mention.text.lstrip("#")
    if len(tag) > _SHORT_TAG and is_company(tag):
        return replace(mention, type=_ORG, subtype="")
    if tag.casefold() in _read_joined_places() and tag.capitalize() not in read_forenames():
        return replace(mention, type=_LOC, subtype="")
    return mention


def _join_letters(mention: Mention) -> Mention:
    """Makes a place of the second letter of "U. S."."""
    text = mention.document.text
    before = _LETTER_BEFORE.search(text, max(0, mention.start - 4), mention.start)
    if before is None or before[1] + mention.text[:1] not in _SHORT_PLACES:
        return mention
    return replace(
        mention,
        type=_LOC,
        subtype="",
        start=before.start(),
        text=text[before.start() : mention.end],
        value="",
    )
