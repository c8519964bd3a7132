"""Names in small letters that no list holds, known by the words around them: "my gf zuzanna", "thx brasko!".

A chat writes names as it writes everything else, so a model masks "gf zuzanna" or nothing. A word for kin with its
owner says that a name follows, and so does a greeting before the end of a sentence. What may be a word of the language
is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from maskwise.detect.cutting import CHATTER, take_piece
from maskwise.detect.gazetteer.lists import is_given_name, read_words
from maskwise.detect.patterns._shapes import match_one_of
from maskwise.text import EntityType, Mention, word_lists
from maskwise.text.common_words import COMMON, NAMED_WORDS
from maskwise.text.english import HONORIFICS
from maskwise.text.plain_words import CLOSED, is_plain
from maskwise.text.usual_words import is_usual

SMALL_TALK = frozenset(word_lists.read_words("small_talk"))
_KIN = frozenset(word_lists.read_words("kin_before_names")) | frozenset(
    "gf bf ex bff bestie bro sis cuz hubby wifey missus fam boss manager teacher tutor coach therapist counsellor"
    " dentist doctor vet coworker supervisor ex-wife ex-husband ex-gf ex-bf bestfriend pal mate crush".split()
)
_WORD = r"[^\W\d_A-ZÀ-ÖØ-Þ]+"
_NAME = rf"{_WORD}(?:-{_WORD})?"
_END = r"(?![\w@/'’-](?!s\b)|[.]\w)"
_OWNED = re.compile(
    r"(?<![\w'’-])(?i:(?:my|ur|your|his|her|our|their|da)"
    r"(?: (?:best|new|old|little|big|lil|younger|older|own|late|poor))?)"
    rf" {match_one_of(_KIN)}(?: {match_one_of(_KIN)})? (?P<name>{_NAME}){_END}"
)
_GREETED = re.compile(
    r"(?<![\w'’-])(?i:thx|thnx|thanks|ty|tysm|ta|cheers|hey|heya|hi|hiya|hello|yo|oi|gm|gn|night|nite|bye|congrats"
    r"|happy (?:bday|birthday|b-day)|(?:love|luv|miss) (?:u|ya|you)|soz|sorry|dear|xx+)"
    rf",? (?P<name>{_NAME})(?=[ ]?[,.!?\n)]|[ ]x+\b|[ ]?\Z|[ ]?[^\w\s:/@_#&-]"
    r"|[ ](?:u|ur|r|im|i|ill|its|it's|you|your|hope|how|where|when|can|could|pls|did|do|are)\b)"
)
# What ends words and hardly ever names.
_ENDING = re.compile(
    r"\w+(?:ing|ed|ly|tion|ness|ment|ful|ous|able|ible|less|ity|ship|ism|nt|n['’]t|s|ish|ward|self|wise)"
)
_SHORT = 3  # letters of a word that may be anything
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_AND = re.compile(r" (?:n|an|and|&|\+) ")


def list_small_names(text: str) -> Iterator[tuple[int, int]]:
    """Yields where names stand behind words for kin and greetings, in a text that is written small."""
    for match in _OWNED.finditer(text):
        if _is_rare(match["name"]):
            yield match.span("name")
    for match in _GREETED.finditer(text):
        if _is_rare(match["name"]):
            yield match.span("name")


def _is_rare(word: str) -> bool:
    """Whether a word in small letters is a given name, or none of the language."""
    if word != word.lower() or len(word) <= _SHORT or not word.strip("x"):
        return False
    if word in _KIN or word in SMALL_TALK or word in CHATTER:
        return False
    if is_given_name(word.title()):
        return not is_plain(word)
    if (
        word in COMMON
        or is_usual(word)
        or word in read_words("occupations")
        or word in read_words("attributes")
    ):
        return False
    return _ENDING.fullmatch(word) is None


def is_small_talk(words: Sequence[str]) -> bool:
    """Whether all words are such as chats write in small letters: "2moro w"."""
    return all(word.islower() and _is_talk(word) for word in words)


def trim_small_name(mention: Mention) -> Iterator[Mention]:
    """Yields the names in a guess in small letters: apart at "n", without the words of chats around them.

    "gf zuzanna" is "zuzanna", "kieran n brasko" is two, "love u philippa xx" is "philippa", and "ta" is none.
    """
    is_small = mention.text.islower() and mention.type is EntityType.PERSON
    if not is_small or mention.certain:
        yield mention
        return
    text, low = mention.document.text, mention.start
    for joint in [*_AND.finditer(text, *mention.span), None]:
        high = joint.start() if joint else mention.end
        if (piece := _trim(mention, low, high)) is not None:
            yield piece
        low = joint.end() if joint else high


def _trim(mention: Mention, low: int, high: int) -> Mention | None:
    words = list(_TOKEN.finditer(mention.document.text, low, high))
    first, last = 0, len(words)
    while first < last and _is_before_name(words[first][0], words[first + 1 : last]):
        first += 1
    while last > first and _is_after_name(words[last - 1][0]):
        last -= 1
    if first == last:
        return None if words else take_piece(mention, low, high)
    start = words[first].start() if first else low
    end = words[last - 1].end() if last < len(words) else high
    return take_piece(mention, start, end)


def _is_before_name(word: str, rest: Sequence[re.Match[str]]) -> bool:
    """Whether a name begins after a word: one of chats, or an ordinary one that nobody is called before others."""
    if word in HONORIFICS:
        return False
    if _is_talk(word) or (word in _KIN and rest):
        return True
    if not (rest and is_usual(word)):
        return False
    if _is_talk(rest[0][0]):
        return True  # "love u philippa"
    title = word.title()
    return not (word in NAMED_WORDS or is_given_name(title) or title in read_words("forenames"))


def _is_after_name(word: str) -> bool:
    """Whether a name ends before a word: one of chats, a small word, or a number."""
    return _is_talk(word) or word.isdigit() or (word in CLOSED and word not in NAMED_WORDS)


def _is_talk(word: str) -> bool:
    is_kiss = not word.strip("x") or (len(word) == 1 and word in "nruwx")
    return is_kiss or word in SMALL_TALK or word in CHATTER
