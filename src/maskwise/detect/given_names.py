"""Given names that stand alone where a model sees nothing: in tickets, comments of code, chats, other languages.

A model that learnt on prose overlooks "our admin Pekka" in a ticket. The list `forenames` holds names that are hardly
anything else. It is asked outside judgments and lives, where the model knows better.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from maskwise.detect.cutting import CHATTER
from maskwise.detect.gazetteer.lists import is_place, read_words
from maskwise.detect.medicine import is_clinical_name, is_eponym
from maskwise.detect.patterns.full_name import THINGS
from maskwise.detect.small_names import SMALL_TALK, list_small_names
from maskwise.text import Document, EntityType, Mention, Provenance
from maskwise.text.common_words import COMMON
from maskwise.text.domain import LEARNT, Domain, get_domain
from maskwise.text.folding import strip_accents
from maskwise.text.language import ENGLISH, get_language, is_small_word
from maskwise.text.plain_words import is_plain

_SHORT = 3  # letters of a name in small letters that may be anything
_SCORE = 0.7
GIVEN_NAME = "given_name"
SMALL_CITY = "city_small"
_ORDINARY = frozenset(
    "ping dean mike norm bree rima nita alba marina aurora royal dick desire cath palmar nail nails hung fancy edit"
    " concha tiara pier mist lavender hella gust fetus fares carmine bonus bola jammies herbs greets garda fangs bile"
    " antes allies roar rein runny rosette tore brandy sherry ninja ninjas nandos fifa greggs mercedes bitten boas"
    " angel".split()
)
_NAME = r"[^\W\d_]{3,}(?:-[^\W\d_]{2,})?"
# No part of an address, a path, a variable or a call.
_ALONE = re.compile(
    rf"(?<![\w@#$./\\=&%+'’-]){_NAME}(?![\w@/\\=&%+(\[]|[.-]\w|['’](?!s\b)\w|:[^\s])"
)
_FAMILY = re.compile(r"(?: (?:[A-ZÀ-ÖØ-ÞĀ-Ž][^\W\d_]+(?:[-'’][^\W\d_]+)*)){1,2}")
_PLACED = re.compile(
    r"(?:\b(?:San|Santa|Santo|São|Sankt|St\.?|Ste\.?|Saint|Sainte|Mount|Mt\.?|Lake|Fort|Port|Camp|Los|Las|El|Rue"
    r"|[Tt]he)|[Ss]treet|[Rr]oad)[ -]\Z"
)
# Other capitals beside it: "SCH FEES TOBI".
_SHOUTED = re.compile(r"[A-Z]{2,}[ ,/]{1,2}[A-Z]{2,}")
_SMALL_START = re.compile(r"(?:\A|\n|[.!?] )\W{0,4}([^\W\d_])")


def find_given_names(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the given names of a list, with the surname after them, that no mention holds."""
    domain = get_domain(document)
    if domain in LEARNT:
        return []
    text = document.text
    language = get_language(document)
    is_small = is_written_small(document)
    spans = sorted(m.span for m in mentions if not _is_vague(m))
    found = []
    for start, end, kind, subtype in _find_names(text, is_small):
        at = bisect_left(spans, (end, 0))
        if at and spans[at - 1][1] > start:
            continue
        if language != ENGLISH and is_small_word(text[start:end], language):
            continue
        word = text[start:end]
        if domain is Domain.CLINICAL and (is_eponym(word) or is_clinical_name(word)):
            continue
        source = Provenance.GAZETTEER
        found.append(
            document.mention(start, end, kind, subtype=subtype, source=source, score=_SCORE)
        )
    return found


def _is_vague(mention: Mention) -> bool:
    """Whether a model calls several words some other thing, which may hide a name among them."""
    return mention.type is EntityType.MISC and not mention.subtype and " " in mention.text


def _find_names(text: str, is_small: bool) -> Iterator[tuple[int, int, EntityType, str]]:
    names = read_forenames()
    person = EntityType.PERSON, GIVEN_NAME
    reach = 0
    if is_small:
        yield from ((*span, *person) for span in list_small_names(text))
    for match in _ALONE.finditer(text):
        word = match[0]
        head = word.partition("-")[0]
        if head.islower():
            if is_small and _is_small_name(head, names):
                yield *match.span(), *person
            elif is_small and len(word) > _SHORT and word in _read_small_cities():
                yield *match.span(), EntityType.LOC, SMALL_CITY
            continue
        if word.isupper():
            is_name = word.title() in names and word.lower() not in CHATTER
            if is_name and len(word) > _SHORT and _SHOUTED.search(text, *_widen_match(match)):
                yield *match.span(), *person
            continue
        if head not in names or match.start() < reach:
            continue
        if _PLACED.search(text, max(0, match.start() - 8), match.start()):
            continue
        end = _find_end(text, match.end())
        if end is not None:
            reach = end
            yield match.start(), end, *person


def _is_small_name(word: str, names: frozenset[str]) -> bool:
    if len(word) <= _SHORT or word in _ORDINARY or word in SMALL_TALK:
        return False
    if word.capitalize() in names:
        return True
    # "anjalis bag": writers of small letters leave the apostrophe out.
    owner = word.removesuffix("s")
    is_owner = owner != word and len(owner) > _SHORT and owner.capitalize() in names
    return is_owner and not is_plain(word) and word not in read_words("usual_words")


def _find_end(text: str, end: int) -> int | None:
    """Where the name ends, with the surname after it; None where it is part of the name of a thing."""
    after = _FAMILY.match(text, end)
    if after is None:
        return end
    words = after[0].split()
    if not THINGS.isdisjoint(words):
        return None
    first = words[0].lower()
    if is_plain(first) or first in COMMON or is_place(words[0]):
        return end
    return end + 1 + len(words[0])


def is_written_small(document: Document) -> bool:
    """Whether an English text begins its sentences with small letters, as chats do."""
    if get_language(document) != ENGLISH:
        return False
    if get_domain(document) is Domain.CHAT:
        return True
    starts = _SMALL_START.findall(document.text)
    return 2 * sum(map(str.islower, starts)) > len(starts)


def _widen_match(match: re.Match[str]) -> tuple[int, int]:
    return max(0, match.start() - 16), match.end() + 16


@cache
def _read_small_cities() -> frozenset[str]:
    """Large cities in small letters that are no ordinary words and nobody's name: "tuscaloosa"."""
    rows = (files("maskwise.bundle") / "gazetteers" / "cities.tsv").read_text("utf-8").splitlines()
    found = {row.split("\t")[0].lower() for row in rows if row.split("\t")[-1] in ("3", "4")}
    names = read_forenames()
    return frozenset(
        name
        for name in found
        if name.isalpha()
        and not is_plain(name)
        and name not in COMMON
        and name.title() not in names
    )


def _is_word(name: str) -> bool:
    return is_plain(name.lower()) or name.lower() in COMMON


@cache
def read_forenames() -> frozenset[str]:
    """The names, with and without their accents."""
    listed = read_words("forenames")
    things = read_words("demonyms") | read_words("languages") | read_words("religions")
    bare = set(map(strip_accents, listed)) - listed - things
    return listed | {name for name in bare if not (_is_word(name) or is_place(name))}
