"""Takes back things and attributes that only a model sees: food, plants, goods, games and abbreviations.

A judgment names few things that tell nothing, so the model takes "borscht" or "bouncy castle" for something personal.
Outside judgments and lives an attribute in small letters counts if its last word says what a person is, and a thing
in small letters only where a list or a pattern knows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from maskwise.detect.gazetteer.lists import is_given_name, read_words
from maskwise.detect.given_names import read_forenames
from maskwise.detect.medicine import is_medical
from maskwise.text import EntityType, Mention, Provenance, word_lists
from maskwise.text.domain import Domain
from maskwise.text.subtypes import DIRECT
from maskwise.text.tokens import JOINED_WORD, POSSESSIVE
from maskwise.text.types import Span

_NAMED = (EntityType.PERSON, EntityType.LOC, EntityType.ORG, EntityType.MISC, EntityType.DEM)
# Words that say what a person is: trades by their endings, and words for kin, age, schooling, status and looks.
_TRADE = r"[a-z-]+(?:er|or|ist|ian|ant|ent|eer|man|men|woman|women|ress|yst|ic|ee|ier|smith|wright|keeper|hand)s?"
_PERSONAL_WORD = rf"[a-z-]*(?:{'|'.join(word_lists.read_words('personal_words'))})s?"
_PERSONAL = re.compile(rf"{_TRADE}|{_PERSONAL_WORD}")
_JOINTS = frozenset("of de in at for with to and or".split())
# Words with such an ending that say nothing of a person.
_THINGS = frozenset(word_lists.read_words("things_like_trades"))
_SURE = 0.88  # that small letters tell of a person
_INITIALS = 3  # letters that are no longer initials
_QUARTER = re.compile(r"[QH][1-4]|FY ?[0-9]{2,4}")


def is_ordinary_thing(mention: Mention, known: Sequence[Span]) -> bool:
    """Whether a model alone takes small letters for a thing or an attribute, and they say nothing of a person."""
    if mention.source != Provenance.NEURAL or mention.subtype == DIRECT or mention.certain:
        return False
    if mention.type not in (EntityType.MISC, EntityType.DEM) or not mention.text.islower():
        return False
    if any(map(str.isdigit, mention.text)) or mention.score >= _SURE:
        return False
    words = JOINED_WORD.findall(mention.text)
    if not words or any(_can_be_name(word) for word in words):
        return False
    if any(start < mention.end and mention.start < end for start, end in known):
        return False
    if is_medical(words, "", Domain.CLINICAL):
        return False  # it tells of somebody's health
    return not _is_personal(words)


def is_measure(mention: Mention) -> bool:
    """Whether a model takes part of a range or of a size for an age: "28" in "28-75"."""
    if mention.type is not EntityType.DEM or not mention.text.isdigit() or mention.certain:
        return False
    text = mention.document.text
    before, after = text[max(0, mention.start - 2) : mention.start], text[mention.end :][:2]
    return re.search(r"[0-9][-–x×/.]\Z", before) is not None or (
        re.match(r"[-–x×/.][0-9]", after) is not None
    )


def is_common_acronym(mention: Mention, domain: Domain | None) -> bool:
    """Whether every word is an abbreviation that names nobody: "VPN", "Q3". In mails two letters may be somebody."""
    if mention.certain or mention.type not in _NAMED:
        return False
    words = JOINED_WORD.findall(mention.text)
    if mention.type is EntityType.PERSON:
        is_short = domain not in (Domain.GENERAL, Domain.CHAT) and len(mention.text) < _INITIALS
        if is_short or any(_can_be_name(word) for word in words):
            return False
    return bool(words) and all(
        word in read_words("acronyms") or _QUARTER.fullmatch(word) for word in words
    )


def is_attribute(mention: Mention) -> bool:
    """Whether small letters say what a person is: "lion keeper"."""
    return mention.text.islower() and _is_personal(
        JOINED_WORD.findall(POSSESSIVE.sub("", mention.text))
    )


def _can_be_name(word: str) -> bool:
    capital = word.capitalize()
    return is_given_name(capital) or capital in read_forenames()


def _is_personal(words: Sequence[str]) -> bool:
    """Whether the word that the others belong to says what a person is: "chef de partie", not "foster dogs"."""
    if not words:
        return False
    ends = [at for at, word in enumerate(words) if at and word in _JOINTS]
    heads = [words[at - 1] for at in ends] + [words[-1]]
    return any(_PERSONAL.fullmatch(word) and not _is_thing(word) for word in heads)


def _is_thing(word: str) -> bool:
    return word in _THINGS or word.removesuffix("s") in _THINGS


@cache
def _read_goods() -> frozenset[str]:
    """Goods, games, shows and programs that nobody is called, in small letters."""
    return frozenset(map(str.casefold, read_words("goods")))


def is_goods(mention: Mention) -> bool:
    """Whether a guess is the name of goods, a game or a show, with or without a number: "Unreal Engine 5"."""
    is_guess = mention.source == Provenance.NEURAL or mention.subtype == "full_name"
    is_guess = is_guess or mention.text.startswith("MS ")  # no lady
    if not is_guess or mention.type not in _NAMED or mention.certain:
        return False
    words = JOINED_WORD.findall(mention.text.casefold().removeprefix("the "))
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    return " ".join(words) in _read_goods()
