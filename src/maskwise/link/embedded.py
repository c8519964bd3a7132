"""Finds known names inside of other words and in letters that only look like theirs.

People and companies that were found or are to be protected stand in identifiers, paths and tags ("getOkaforData",
"case_okafor.pdf", "#JusticeForOkafor"), in compounds ("VexleyCorp", "the Okafors"), in letters of other alphabets
("Оkafоr") and letter by letter ("O K A F O R"). Only the name becomes a mention, so that it joins its entity.

Words that many texts use name nobody here. What another mention covers stays, unless it is a tag or a thing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from maskwise.link.organisations import strip_legal_form
from maskwise.link.scattered import find_spread
from maskwise.text import Document, EntityType, Mention, Person, Provenance
from maskwise.text.canvas import has_unspaced_script
from maskwise.text.common_words import COMMON
from maskwise.text.folding import fold_marks
from maskwise.text.lookalikes import fold_looks, make_look_canvas
from maskwise.text.person import list_spellings, parse_name
from maskwise.text.subtypes import ACRONYM
from maskwise.text.usual_words import is_usual

_BETWEEN_SIGNS = 3  # letters of a name between signs that join words
_AFTER_HUMP = 4  # between a small letter and a capital, or beside a digit
_SMALL = 5  # in small letters
_AT_START = 6  # at the beginning of a longer word
_ANYWHERE = 8  # in the middle of one
# What makes another surname of one: "Petrov", "Petrovich".
_OTHER_NAMES = frozenset(
    "ich ovich evich ov ova ev eva in ina son sen sson ez escu ski ska sky".split()
)
_REST = re.compile(r"[^\W\d_]{0,40}")
_LONGEST = 100  # characters; building an automaton takes the square of the longest name
_SIGNS = frozenset("_/\\@#=~&+%")
_JOINTS = frozenset("-.")  # they join words only between two of them


class Owner(NamedTuple):
    """Who bears a name: the mention of this number, or the protected person of this number."""

    number: int
    is_protected: bool = False


class EmbeddedName(NamedTuple):
    """A folded name as it is sought.

    `is_last`: a surname, a company or the whole. `is_surname`: the text shows that it is a surname.
    """

    text: str
    is_last: bool
    is_whole: bool
    is_surname: bool = False


def find_embedded(document: Document, mentions: Sequence[Mention]) -> list[tuple[Mention, Owner]]:
    """Returns the new mentions in order of position, each with whose name it holds.

    They share no character with a mention, unless they stand inside of one that only a tag or a thing is.
    """
    names, owners = _collect_names(document, mentions)
    found: list[tuple[Mention, Owner]] = []
    free = 0
    for start, end, number in find_inside(document.text, names, alone=True):
        if start < free or _is_covered(mentions, start, end):
            continue
        owner = owners[number]
        found.append((_make_mention(document, mentions, start, end, owner), owner))
        free = end
    return found


def find_inside(
    text: str, names: Sequence[EmbeddedName], alone: bool = False
) -> list[tuple[int, int, int]]:
    """Returns where names stand inside of words, in odd letters or letter by letter, and their numbers.

    With `alone` also where a surname is a word of its own. The earliest and longest stand first.
    """
    if not names:
        return []
    spans = chain(_find_in_words(text, names, alone), _find_apart(text, names))
    return sorted(spans, key=lambda span: (span[0], -span[1], span[2]))


def _make_mention(
    document: Document, mentions: Sequence[Mention], start: int, end: int, owner: Owner
) -> Mention:
    if owner.is_protected:
        return document.mention(
            start, end, EntityType.PERSON, source=Provenance.PROTECT, certain=True
        )
    origin = mentions[owner.number]
    return document.mention(start, end, origin.type, source=Provenance.LINK, score=origin.score)


def _is_covered(mentions: Sequence[Mention], start: int, end: int) -> bool:
    at = bisect_right(mentions, end - 1, key=attrgetter("start")) - 1
    return at >= 0 and mentions[at].end > start and not _gives_way(mentions[at], start, end)


def _gives_way(mention: Mention, start: int, end: int) -> bool:
    """Whether a mention is a tag, a thing or a word for people, which may be kept, and holds a name.

    A thing of several words may be called after somebody: "Stanley Cup".
    """
    if mention.certain or start < mention.start or mention.end < end:
        return False
    if mention.span == (start, end):
        return mention.type in (EntityType.MISC, EntityType.DEM) or mention.subtype == ACRONYM
    return mention.type is EntityType.MISC and " " not in mention.text


def _collect_names(
    document: Document, mentions: Sequence[Mention]
) -> tuple[list[EmbeddedName], list[Owner]]:
    """Returns the names of people and companies, each once, those of protected people first, and who bears each."""
    found: dict[str, tuple[EmbeddedName, Owner]] = {}
    for number, person in enumerate(document.protected):
        owner = Owner(number, is_protected=True)
        for name in list_embedded(" ".join(person.names), EntityType.PERSON):
            found.setdefault(name.text, (name, owner))
    done: set[tuple[str, EntityType]] = set()
    for at, mention in enumerate(mentions):
        key = mention.text, mention.type
        if key not in done:
            done.add(key)
            for name in list_embedded(*key):
                found.setdefault(name.text, (name, Owner(at)))
    return [name for name, _ in found.values()], [owner for _, owner in found.values()]


@lru_cache(maxsize=1 << 14)  # rows of a table and texts of a conversation name the same people
def list_embedded(name: str, kind: EntityType) -> tuple[EmbeddedName, ...]:
    """Returns what is sought of a name: the whole in one word, in either order, its telling words and spellings.

    >>> [found.text for found in list_embedded("Ms Ngozi Okafor", EntityType.PERSON)]
    ['ngoziokafor', 'okaforngozi', 'ngozi', 'okafor', 'nokafor']
    """
    return tuple(_list_parts(name, kind, _read_words(name, kind)))


def _list_parts(name: str, kind: EntityType, words: Sequence[str]) -> Iterator[EmbeddedName]:
    if len(words) > 1:
        for order in (words, (*words[1:], words[0])):
            yield EmbeddedName("".join(order), is_last=True, is_whole=True)
    is_person = kind is EntityType.PERSON
    last = len(words) - 1 if is_person else 0
    is_known = is_person and (len(words) > 1 or parse_name(name).titled)
    for number, word in enumerate(words if is_person else words[:1]):
        if is_telling(word):
            yield EmbeddedName(word, number == last, False, is_known and number == last)
    if is_person and len(words) > 1:
        yield from _list_spelt(name, words)


def _list_spelt(name: str, words: Sequence[str]) -> Iterator[EmbeddedName]:
    """Yields a surname as people write it without the letters of its language, and with an initial, as in accounts."""
    family = Person(name).names[-1:]
    for spelling in (form for each in family for form in list_spellings(each)):
        text = spelling.replace(" ", "")
        if text != words[-1] and is_telling(text):
            yield EmbeddedName(text, is_last=True, is_whole=False, is_surname=True)
    if len(words[-1]) >= _AFTER_HUMP:
        yield EmbeddedName(words[0][0] + words[-1], is_last=True, is_whole=False)


def _read_words(name: str, kind: EntityType) -> Sequence[str]:
    """The folded words of a name; none where it does not tell which of them name somebody, or is no name."""
    if len(name) > _LONGEST:
        return []
    if kind is EntityType.PERSON:
        has_digit = any(map(str.isdigit, name))
        return [] if has_digit else fold_looks(" ".join(parse_name(name).words))
    if kind is not EntityType.ORG:
        return []
    core, is_company = strip_legal_form(name)
    return fold_looks(" ".join(core)) if is_company or len(core) == 1 else []


def is_telling(word: str) -> bool:
    """Whether a folded word of a name is no word that many texts use.

    >>> is_telling("okafor"), is_telling("patient")
    (True, False)
    """
    return (
        len(word) >= _BETWEEN_SIGNS
        and word not in COMMON
        and not has_unspaced_script(word)
        and not is_usual(word)
    )


def _find_in_words(
    text: str, names: Sequence[EmbeddedName], alone: bool
) -> Iterator[tuple[int, int, int]]:
    """Yields each name that stands in one piece where only a name stands so."""
    canvas = make_look_canvas(text)
    automaton = AhoCorasick([name.text for name in names])
    for number, low, high in automaton.find_matches_as_indexes(canvas.text, overlapping=True):
        start, end = canvas.find_span(low, high)
        if is_embedded(text, start, end, names[number], alone):
            yield start, end, number


def is_embedded(text: str, start: int, end: int, name: EmbeddedName, alone: bool) -> bool:
    """Whether `[start, end)`, which reads like a name, is one though it stands inside of a word or looks odd."""
    size = len(name.text)
    has_start, has_end = _has_start(text, start), _has_end(text, end)
    if is_disguised(text[start:end], name.text):
        return has_start and has_end
    is_small = text[start].islower()
    if has_start and has_end:
        if _has_sign_before(text, start) or _has_sign_after(text, end):
            return size >= (_SMALL if is_small else _BETWEEN_SIGNS)
        is_alone = not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())
        if is_alone:
            is_large = text[start:end].isupper()
            return alone and name.is_surname and size >= (_AFTER_HUMP if is_large else _AT_START)
        return size >= (_SMALL if is_small else _AFTER_HUMP)
    if not name.is_last:
        return False
    if name.is_whole:
        return size >= _AT_START
    if _is_tagged(text, start):
        return size >= _SMALL
    is_start = has_start and not is_small and size >= _AT_START
    return size >= _ANYWHERE or (is_start and not _is_other_name(text, end))


def _is_other_name(text: str, end: int) -> bool:
    rest = _REST.match(text, end)
    return rest is not None and rest[0].lower() in _OTHER_NAMES


def is_disguised(written: str, name: str) -> bool:
    """Whether a name is written in letters that only look like its own.

    >>> is_disguised("Оkafоr", "okafor"), is_disguised("Okáfor", "okafor")
    (True, False)
    """
    return not written.isascii() and fold_marks(written) != name


def _has_start(text: str, start: int) -> bool:
    """Whether a name can begin here: after a sign, at a capital that a small letter follows, or beside a digit."""
    before, here = text[start - 1 : start] if start else "", text[start]
    if not before.isalnum() or before.isdigit():
        return True
    return here.isupper() and (before.islower() or text[start + 1 : start + 2].islower())


def _has_end(text: str, end: int) -> bool:
    after = text[end : end + 1]
    if not after.isalnum() or after.isdigit():
        return True
    return after.isupper() and text[end - 1].islower()


def _has_sign_before(text: str, start: int) -> bool:
    before = text[max(0, start - 2) : start]
    return before[-1:] in _SIGNS or (before[-1:] in _JOINTS and before[:1].isalnum())


def _has_sign_after(text: str, end: int) -> bool:
    after = text[end : end + 2]
    return after[:1] in _SIGNS or (after[:1] in _JOINTS and after[1:].isalnum())


def _is_tagged(text: str, start: int) -> bool:
    """Whether the word that holds a place is a tag or a user name."""
    before = text[max(0, start - 40) : start]
    at = max(before.rfind("#"), before.rfind("@"))
    return at >= 0 and before[at + 1 :].replace("_", "").isalnum()


def _find_apart(text: str, names: Sequence[EmbeddedName]) -> Iterator[tuple[int, int, int]]:
    """Yields the names whose letters stand apart."""
    whole = frozenset[int]()
    spread = [(name.text, at, whole) for at, name in enumerate(names) if len(name.text) >= _SMALL]
    yield from find_spread(text, spread)
