"""Names of people that a model takes for something else, where the text itself tells that they are people.

A model calls "Cayetano Escolano", "Cayetano" or "C.E." an organisation, and "Mr Escolano" tells the reader otherwise. A
surname that stands after a title makes a person of every full name that ends with it, a full name makes one of its
given name, and of its initials if nobody else has them. What is certain keeps its type.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from maskwise.link.reading import is_name_at, is_read_as_person
from maskwise.text import EntityType, Mention, Provenance
from maskwise.text.common_words import COMMON, LEGAL_FORMS, PLACED
from maskwise.text.person import Name, list_letters, parse_name
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import CLINICAL

_KINDS = (EntityType.ORG, EntityType.MISC)
_TAKEN_FOR = (*_KINDS, EntityType.LOC, EntityType.DEM, EntityType.DATETIME)
_READ = (Provenance.PATTERNS, Provenance.GAZETTEER)
_CAPITALISED = re.compile(r"(?:[^\W\d_a-z][\w'’-]*(?:\.\s?|\s|\Z)){1,4}")
_JOINED_GIVEN = re.compile(r"[A-Z][a-z]{1,5}-[a-z]{1,5} [A-Z][a-z]+\Z")
_COMPANY_BEFORE = re.compile(r"[^\W\d_a-z][\w&'’-]*,?\s\Z")

Strings = Sequence[tuple[str, EntityType, Sequence[int]]]  # text, type, numbers of mentions


def find_people(strings: Strings, mentions: Sequence[Mention]) -> set[int]:
    """The numbers of the mentions that name a person of the document, though their strings have another type."""
    known = [parse_name(text) for text, kind, _ in strings if kind is EntityType.PERSON]
    guesses = list(_list_guesses(strings, mentions))
    if not guesses:
        return set()
    surnames = {name.words[-1] for name in known if name.titled and name.words}
    surnames |= {name.words[-1] for name, _ in guesses if _is_titled(name)}
    known += [name for name, _ in guesses if _is_titled(name) or _is_full(name, surnames)]
    given = {name.words[0] for name in known if len(name.words) > 1}
    owners = _count_letters(known)
    found: set[int] = set()
    for name, members in guesses:
        is_given = len(name.words) == 1 and not name.initials and name.words[0] in given
        is_initials = not name.words and len(owners.get("".join(name.initials), ())) == 1
        if is_given or is_initials or _is_titled(name) or _is_full(name, surnames):
            found.update(members)
    return found


def _list_guesses(
    strings: Strings, mentions: Sequence[Mention]
) -> Iterator[tuple[Name, Sequence[int]]]:
    """Yields names, and where they may be those of people, though they were taken for something else."""
    for text, kind, members in strings:
        if kind not in _TAKEN_FOR or not _CAPITALISED.fullmatch(text):
            continue
        name = parse_name(text)
        fitting = [at for at in members if _can_name_person(name, kind, mentions[at])]
        if fitting:
            yield name, fitting


def _can_name_person(name: Name, kind: EntityType, mention: Mention) -> bool:
    if mention.certain or mention.subtype == CLINICAL:
        return False  # "MS Contin" is no lady
    if not name.words:
        return _is_read_as_initials(mention, kind)
    if len(name.words) + len(name.initials) > 1 or name.titled:
        # "Min-jun Park" may be a park, where nobody is called "Mr Park".
        is_joined = kind is EntityType.LOC and _JOINED_GIVEN.match(mention.text) is not None
        is_guess = (kind in _KINDS or is_joined) and mention.source not in _READ
        return is_guess and all(map(_is_unusual, name.words[:-1]))
    return _is_read_as_name(mention, kind)


def _is_titled(name: Name) -> bool:
    """Whether a title of men or women stands before a name: "Mrs Company"."""
    return bool(name.gender) and len(name.words) == 1


def _is_full(name: Name, surnames: Collection[str]) -> bool:
    """Whether it is a full name, or initials and a surname, that ends with a word which has a title elsewhere."""
    is_long = len(name.words) + len(name.initials) > 1
    return is_long and bool(name.words) and name.words[-1] in surnames


def _is_unusual(word: str) -> bool:
    return word not in COMMON and not is_plain(word)


def _is_read_as_name(mention: Mention, kind: EntityType) -> bool:
    """Whether a word alone reads as the name of a person: "colleagues like Florence", not "in Florence"."""
    text = mention.document.text
    is_placed = mention.text.lower() in PLACED
    if not is_placed and not is_name_at(text, *mention.span):
        return False
    return (kind in _KINDS and not is_placed) or is_read_as_person(text, *mention.span)


def _is_read_as_initials(mention: Mention, kind: EntityType) -> bool:
    """Whether initials may be those of a person: not "Borealis A.S.", "in the U.S."."""
    if kind in _KINDS:
        return not _is_legal_form(mention)
    return is_read_as_person(mention.document.text, *mention.span)


def _is_legal_form(mention: Mention) -> bool:
    """Whether letters say what kind of company the words before them are: "Borealis A.S."."""
    if mention.text.replace(".", "").lower() not in LEGAL_FORMS:
        return False
    before = mention.document.text[max(0, mention.start - 30) : mention.start]
    return _COMPANY_BEFORE.search(before) is not None


def _count_letters(names: Iterable[Name]) -> dict[str, set[tuple[str, ...]]]:
    """By initials, whose they are."""
    owners: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for name in names:
        for letters in list_letters(name):
            owners[letters].add((name.words[0], name.words[-1]))
    return owners
