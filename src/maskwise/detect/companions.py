"""Finds people by the people beside them: the surname after a given name, and whoever stands in a list with them.

A model that reads "Gerlinde Obermoser" may mask the first word alone, and of "Faith and Will" it may see one. What is
left is a name because of its neighbour. Judgments and lives are left to the model, which knows them better.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from maskwise.detect.codes import has_family
from maskwise.detect.cutting import CHATTER
from maskwise.detect.gazetteer.lists import is_given_name, is_place, read_words
from maskwise.detect.given_names import read_forenames
from maskwise.detect.patterns.full_name import THINGS
from maskwise.text import Document, EntityType, Mention, Provenance, word_lists
from maskwise.text.common_words import COMMON, NAMED_WORDS
from maskwise.text.domain import LEARNT, get_domain
from maskwise.text.english import MONTH_NUMBER
from maskwise.text.label_words import WORDS as LABELS
from maskwise.text.language import ENGLISH, get_language, is_small_word
from maskwise.text.plain_words import is_plain

LISTED = "listed_name"
_SCORE = 0.7
_TAKEN_FOR = (EntityType.ORG, EntityType.LOC, EntityType.MISC, EntityType.DEM)
_CAPITALISED = r"[^\W\d_a-zß-öø-ÿ][^\W\d_A-ZÀ-Þ]+(?:[-'’][^\W\d_]+)*"
_WORD = re.compile(rf" ({_CAPITALISED})(?![\w’'-]|\.\w)")
# The second half of a double name, of which a model saw the first alone: "-Halvorsen" after "Ana Souza".
_HALF = re.compile(rf"(?<=[a-zß-öø-ÿ])[-‐‑]{_CAPITALISED}(?![\w’'-]|\.\w)")
_SHOUTED = re.compile(r" ([^\W\d_a-zß-öø-ÿ]{3,20}(?:-[^\W\d_a-zß-öø-ÿ]{3,20})?)(?![\w’'-]|\.\w)")
# A surname in small letters counts where its field or sentence ends.
_SMALL = re.compile(r" ([a-zß-öø-ÿ]{5,16})(?=[ \t]*(?:[,;)\n]|\Z)|[.!?](?:\s|\Z))")
_ITEM = rf"{_CAPITALISED}(?: {_CAPITALISED}){{0,2}}"
_LIST = re.compile(
    rf"(?<![\w.@/'’-]){_ITEM}(?:(?:, and |, | and | & | or |/){_ITEM}){{1,40}}(?![\w@/-])"
)
# "Summer and I loved it"
_NAME_AND_I = re.compile(rf"(?<![\w.@/'’-])(?P<name>{_CAPITALISED}) and (?:I|me|myself)(?![\w’'-])")
# A name that ends with one of these goes on: "Sorcha Ní Bhraonáin".
_ENDS_OPEN = re.compile(
    r"[ ](?:Ní|Nic|Uí|Mac|Mhic|Ó|Te|Al|El|Abu|Ben|Bin|Binti|bin|binti|Van|Von|De|Da|Di|Dos|Del|Le|La|Du"
    r"|Ap|ap|Mc|St\.?)\Z"
)
_SPLIT = re.compile(r", and |, | and | & | or |/")

# English words that people are called by.
_MONTHS = frozenset(map(str.lower, MONTH_NUMBER))
_WORDS_AND_NAMES = frozenset(word_lists.read_words("given_names_and_words"))


def add_companions(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions, sorted and apart, with the people whom the people beside them give away."""
    if get_domain(document) in LEARNT:
        return list(mentions)
    found = _Mentions(_add_surnames(document, mentions))
    for self_told in _NAME_AND_I.finditer(document.text):
        start, end = self_told.span("name")
        if not found.find(start, end) and _can_be_called(self_told["name"]):
            found.add(_make_person(document, start, end))
    for listed in _LIST.finditer(document.text):
        _name_listed(document, found, listed)
    return found.list_mentions()


class _Mentions:
    """Mentions of one document, by place."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self._mentions = sorted(mentions, key=lambda m: m.start)
        self._added: list[Mention] = []

    def find(self, start: int, end: int) -> list[int]:
        """The numbers of the mentions that share a character with a stretch."""
        at = bisect_left(self._mentions, end, key=lambda m: m.start)
        found = []
        while at and self._mentions[at - 1].end > start:
            at -= 1
            found.append(at)
        return found

    def get(self, at: int) -> Mention:
        return self._mentions[at]

    def set(self, at: int, mention: Mention) -> None:
        self._mentions[at] = mention

    def add(self, mention: Mention) -> None:
        self._added.append(mention)

    def list_mentions(self) -> list[Mention]:
        return sorted((*self._mentions, *self._added), key=lambda m: m.start)


def _add_surnames(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Widens each given name by the surname after it, and drops the guesses inside."""
    taken: list[Mention] = []
    ordered = sorted(mentions, key=lambda m: m.start)
    for at, mention in enumerate(ordered):
        if taken and mention.start < taken[-1].end:
            continue
        following = ordered[at + 1] if at + 1 < len(ordered) else None
        end = _find_surname(document, mention, following)
        if end > mention.end:
            text = document.text[mention.start : end]
            mention = replace(mention, end=end, text=text, value="")
        taken.append(mention)
    return taken


def _find_surname(document: Document, mention: Mention, following: Mention | None) -> int:
    """Returns where a given name ends with its surname; where it ends now if none follows."""
    surface = mention.text
    if mention.type is not EntityType.PERSON or mention.certain:
        return mention.end
    if half := _HALF.match(document.text, mention.end):
        return half.end() if _can_take(half.end(), following) else mention.end
    if _ENDS_OPEN.search(surface):
        rest = _WORD.match(document.text, mention.end)
        return rest.end() if rest and _can_take(rest.end(), following) else mention.end
    if not surface.isalpha():
        return mention.end
    if surface.title() not in read_forenames() and not is_given_name(surface.title()):
        return mention.end
    text = document.text
    pattern = _SMALL if surface.islower() else _SHOUTED if surface.isupper() else _WORD
    match = pattern.match(text, mention.end)
    if match is None or _is_ordinary(match[1], get_language(document)):
        return mention.end
    return match.end() if _can_take(match.end(), following) else mention.end


def _can_take(end: int, following: Mention | None) -> bool:
    """Whether a name may go on up to a place: nothing stands there, or a guess of something else that ends there."""
    if following is None or following.start >= end:
        return True
    return _is_doubtful(following) and following.end <= end


def _is_ordinary(word: str, language: str = ENGLISH) -> bool:
    """Whether a word is no surname: a word of the language, a label, a thing, a place or a trade."""
    low = word.lower()
    if is_plain(low) or low in COMMON or low in LABELS or low in CHATTER or word.title() in THINGS:
        return True
    if low in read_words("usual_words") or low in read_words("occupations") or is_place(word):
        return True
    return language != ENGLISH and is_small_word(word, language)


def _name_listed(document: Document, found: _Mentions, listed: re.Match[str]) -> None:
    """Makes people of what stands in a list with people, where nothing in it is known as anything else."""
    items = list(_split_list(listed))
    held = [found.find(start, end) for start, end in items]
    is_person = [any(found.get(at).type is EntityType.PERSON for at in numbers) for numbers in held]
    if not any(is_person) and not _are_virtues(document.text, items):
        return
    for (start, end), numbers, is_known in zip(items, held, is_person, strict=True):
        if is_known:
            continue
        surface = document.text[start:end]
        if not numbers and _can_be_called(surface):
            found.add(_make_person(document, start, end))
        for at in numbers:
            guess = found.get(at)
            if guess.span == (start, end) and _is_doubtful(guess) and _can_be_called(surface):
                found.set(at, replace(guess, type=EntityType.PERSON))


def _are_virtues(text: str, items: Sequence[tuple[int, int]]) -> bool:
    """Whether all are words that people are called by, in capitals that nothing else asks for: "Hope and Patience"."""
    words = [text[start:end].lower() for start, end in items]
    return all(word in _WORDS_AND_NAMES and word not in _MONTHS for word in words)


def _make_person(document: Document, start: int, end: int) -> Mention:
    source = Provenance.GAZETTEER
    return document.mention(
        start, end, EntityType.PERSON, subtype=LISTED, source=source, score=_SCORE
    )


def _split_list(listed: re.Match[str]) -> Iterator[tuple[int, int]]:
    start = listed.start()
    for sign in _SPLIT.finditer(listed.string, listed.start(), listed.end()):
        yield start, sign.start()
        start = sign.end()
    yield start, listed.end()


def _is_doubtful(guess: Mention) -> bool:
    return guess.type in _TAKEN_FOR and not has_family(guess) and not guess.certain


def _can_be_called(surface: str) -> bool:
    """Whether one word may be the name of somebody in a list of people: "Will", "Oyunbileg", not "Staff"."""
    if not surface.replace("-", "").replace("’", "").replace("'", "").isalpha():
        return False
    low = surface.lower()
    if low in _WORDS_AND_NAMES:
        return True
    if surface in read_words("companies") or surface in read_words("software") or low in LABELS:
        return False
    return low not in NAMED_WORDS and not _is_ordinary(surface)
