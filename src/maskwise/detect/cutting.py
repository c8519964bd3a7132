"""Cuts guesses of a model: at the edges of lines and cells, around labels, at the ends of sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from maskwise.detect.gazetteer.lists import is_given_name, is_place
from maskwise.text import EntityType, Mention
from maskwise.text.english import FUNCTION_WORDS, HONORIFICS, PARTICLES, PREPOSITIONS
from maskwise.text.layout import Layout
from maskwise.text.plain_words import PLAIN_ADVERBS, PLAIN_WORDS
from maskwise.text.tokens import JOINED_WORD
from maskwise.text.word_lists import read_words

_LEFT = re.compile(r"\w")
_STOP = re.compile(r"(?<=[^\W\d_]{3})[.!?]\s+|\n")
# Words of chats and speech. A guess that begins or ends with one goes on without it.
_NAMES = frozenset(("ty", "so"))  # with a capital, people are called so
# What a sentence may begin with before a name: "Later Ana Souza".
_OPENERS = (
    PLAIN_ADVERBS
    | FUNCTION_WORDS
    | frozenset(
        "husband wife brother daughter mother father parents welcome dear tell call meet contact please "
        "thank thanks email phone ring remind invite bring told send give from regarding best regards customer client"
        " user tenant witness suspect victim caller employee student resident applicant".split()
    )
) - HONORIFICS
_OPENED = (EntityType.PERSON, EntityType.ORG, EntityType.DATETIME)
_REACH = 64  # characters before a full stop that are looked at: a prefix of the text would be copied each time
_SHORTEST = 4  # letters of such a word; shorter ones are names somewhere: "An", "Do", "Per"
_TRIMMED = (EntityType.PERSON, EntityType.LOC, EntityType.ORG)
_DASH = re.compile(r"[ ]+[-–—]+[ ]+")
_VERSUS = re.compile(r"[ ]+(?:v|vs|versus)\.?[ ]+(?=[^\W\d_a-z])")  # between parties
_OWNERS = frozenset("my our his her their your".split())
# Small words that end the name of a place.
_PLACES = frozenset(read_words("places_last"))
CHATTER = frozenset(
    """
    omg lol lmao rofl brb wtf idk imo imho btw fyi asap tbh smh thx ty pls plz ok okay yeah yep yup nope nah um
    uh uhm hiya
    hmm huh haha hahaha hehe aww ooh wow ugh hey hi hello bye cheers thanks sorry please well so yes no its
    it's im i'm
    atm iban bic vat pdf url rt via dm ps yay erm aww gon lt gt
    amp mum dad pps nb aka tba tbc tbd eta faq diy mums dads u ur gonna
    wanna gotta dunno ooo aob agm aita tifu nta yta iirc afaik fwiw ianal lmk hmu tbt icymi fomo ama nsfw
    gn gm irl jk ngl ffs tldr eli fml iykyk
    """.split()
)


def cut_at_edges(mentions: Iterable[Mention], layout: Layout) -> list[Mention]:
    """Returns the mentions in pieces that cross no edge of the layout. What a checksum proves stays whole."""
    kept: list[Mention] = []
    for mention in mentions:
        edges = () if mention.certain else layout.find_edges(*mention.span)
        if not edges:
            kept.append(mention)
            continue
        bounds = [mention.start, *edges, mention.end]
        kept += [
            piece
            for low, high in pairwise(bounds)
            if (piece := take_piece(mention, low, high)) is not None
        ]
    return kept


def split_guess(mention: Mention, layout: Layout) -> Iterator[Mention]:
    """Yields what stays of a guess outside labels and between edges."""
    cuts = sorted(
        (*layout.find_labels(*mention.span), *((e, e) for e in layout.find_edges(*mention.span)))
    )
    if not cuts:
        yield from _split_sentences(mention)
        return
    cursor = mention.start
    for start, end in (*cuts, (mention.end, mention.end)):
        piece = take_piece(mention, cursor, start)
        if piece is not None:
            yield from _split_sentences(piece)
        cursor = max(cursor, end)


def _split_sentences(mention: Mention) -> Iterator[Mention]:
    """Yields a guess without chatter, and a name apart from the sentence or party before it.

    "Yeah. It was Ana Souza" is "Ana Souza", "Lund v. Moe" is two.
    """
    text, cuts = mention.document.text, []
    if mention.type is EntityType.PERSON:
        cuts = [found.span() for found in _VERSUS.finditer(text, *mention.span)]
        stops = _STOP.finditer(text, *mention.span)
        cuts += [(s.end(), s.end()) for s in stops if not _is_shortened(text, s.start())]
    edges = [mention.start, *(edge for cut in sorted(cuts) for edge in cut), mention.end]
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        piece = _strip_chatter(mention, low, high)
        if piece is not None:
            yield piece


def trim_name(mention: Mention) -> Iterator[Mention]:
    """Yields the names in a guess: apart at a dash, without kin before them and small words after them.

    "Peter - Mitsui" is two, "my grandpa Eustace" is "Eustace", and "Moore reaches settlement" is "Moore".
    """
    if mention.type not in _TRIMMED or mention.certain or mention.text.islower():
        yield mention
        return
    if _is_pupil(mention):
        mention = replace(mention, type=EntityType.PERSON, subtype="")
    bounds = [mention.start]
    is_address = mention.type is EntityType.LOC and any(map(str.isdigit, mention.text))
    if not is_address:
        for dash in _DASH.finditer(mention.document.text, *mention.span):
            bounds += dash.span()
    bounds.append(mention.end)
    for low, high in zip(bounds[::2], bounds[1::2], strict=True):
        piece = _trim_ends(mention, low, high)
        if piece is not None:
            yield piece


def _trim_ends(mention: Mention, low: int, high: int) -> Mention | None:
    text = mention.document.text
    words = list(JOINED_WORD.finditer(text, low, high))
    if not words or (mention.type is not EntityType.PERSON and len(words) < 2):
        return take_piece(mention, low, high)
    first, last = 0, len(words)
    if mention.type is EntityType.PERSON:
        while first < last - 1 and _is_kin(words, first):
            first += 1
    if mention.type in (EntityType.PERSON, EntityType.LOC):
        least = last
        while least - first > 1 and _is_loose(words[least - 1][0]):
            least -= 1
        rest = text[words[first].start() : words[least - 1].end()]
        if mention.type is EntityType.PERSON or is_place(rest):
            last = least
    if not any(word[0] != word[0].lower() for word in words[first:last]):
        return take_piece(mention, low, high)
    if (first, last) == (0, len(words)):
        return take_piece(mention, low, high)
    start = words[first].start() if first else low
    end = words[last - 1].end() if last < len(words) else high
    return take_piece(mention, start, end)


def _is_pupil(mention: Mention) -> bool:
    """Whether a guess of a body is a given name with a small word after it: "Emre maths"."""
    words = mention.text.split()
    if mention.type is not EntityType.ORG or len(words) != 2:
        return False
    given, small = words
    return given.istitle() and is_given_name(given) and small in PLAIN_WORDS


def _is_kin(words: Sequence[re.Match[str]], at: int) -> bool:
    """Whether a word before a name says whose kin it is: "my grandpa Eustace", not "Aunt May"."""
    word = words[at][0].lower()
    if at == 0:
        return word in _OWNERS
    return words[at][0].islower()


def _is_small_in_capitals(mention: Mention, words: Sequence[re.Match[str]]) -> bool:
    """Whether a small word of a heading stands before a name: "OF Lund"."""
    if mention.type is not EntityType.PERSON or len(words) < 2:
        return False
    word, after = words[0][0], words[1][0]
    is_heading = len(word) > 1 and word.isupper() and not after.isupper()
    return is_heading and word.lower() in PREPOSITIONS and word.lower() not in PARTICLES


def _is_loose(word: str) -> bool:
    """Whether a small word is no end of a name: "reaches", "busker", not "river"."""
    if not word.islower() or not word.isalpha():
        return False
    return word not in _PLACES


def _is_shortened(text: str, stop: int) -> bool:
    """Whether the word before a full stop is a title: "Prof. Ana Souza"."""
    words = text[max(0, stop - _REACH) : stop].lower().split()
    return bool(words) and words[-1].strip("(\"'") in HONORIFICS


def _strip_chatter(mention: Mention, low: int, high: int) -> Mention | None:
    text = mention.document.text
    words = list(JOINED_WORD.finditer(text, low, high))
    is_cut = low > mention.start or high < mention.end
    is_open = _has_opener(mention, words) or _is_small_in_capitals(mention, words)
    first, last = int(is_open), len(words)
    while first < last and _is_chatter(
        words[first][0], is_cut or mention.type is EntityType.PERSON
    ):
        first += 1
    while last > first and _is_chatter(words[last - 1][0], False):
        last -= 1
    if first == last:
        return None if words else take_piece(mention, low, high)
    if (first, last) == (0, len(words)):
        return take_piece(mention, low, high)
    end = words[last - 1].end() if last < len(words) else high
    start = words[first].start() if first else low
    return take_piece(mention, start, end)


def _has_opener(mention: Mention, words: Sequence[re.Match[str]]) -> bool:
    """Whether a name, or a date, comes after a first word that is no part of it."""
    if mention.type not in _OPENED or len(words) < 2:
        return False
    if mention.type is EntityType.ORG and not is_given_name(words[1][0]):
        return False
    return is_opener(words[0][0])


def is_opener(word: str) -> bool:
    """Whether a word may begin a sentence before a name and is nobody's name: "Later", "When"."""
    is_open = len(word) >= _SHORTEST and word.lower() in _OPENERS
    return is_open and not is_given_name(word)


def _is_chatter(word: str, is_sentence: bool) -> bool:
    low = word.lower().replace("’", "'")
    if word != low and low in _NAMES:
        return False
    return low in CHATTER or (is_sentence and low in ("it", "was", "is", "this", "that"))


def take_piece(mention: Mention, start: int, end: int) -> Mention | None:
    """The part of a mention between two places, without signs at its edges; None where no word is left."""
    if (start, end) == mention.span:
        return mention
    text = mention.document.text
    first = _LEFT.search(text, start, end)
    if first is None:
        return None
    opening = first.start()
    if opening > start and text[opening - 1] in "+([@#":
        opening -= 1
    surface = text[opening:end].rstrip(" \t\n,;:|")
    return replace(mention, start=opening, end=opening + len(surface), text=surface, value="")
