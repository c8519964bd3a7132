"""Ladder of organisations, by the head of their name: "Lublin Regional Court" → "a regional court in Poland" → ... .

An English name has its head at the end of its first noun phrase ("Bank of ..."), a Romance or Slavic one at its
beginning. A country is said only of public bodies, and only where a place in the name is clear and no surname; a bank
or an embassy may be named after anywhere.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from maskwise.mask.generalise import atlas
from maskwise.mask.generalise.facts import (
    Country,
    fold_name,
    read_countries,
    read_country_names,
    read_homonyms,
    read_regions,
    read_table,
    split_list,
    split_steps,
)
from maskwise.mask.generalise.grammar import add_article, drop_article, read_name
from maskwise.mask.generalise.ladder import LevelList
from maskwise.text import Entity, Level
from maskwise.text.folding import fold_marks

_GREAT = 500  # thousands of people
_LARGE = 100
# Countries after whose towns places all over the world are named.
_REUSED = frozenset("US GB CA AU NZ IE ZA PH".split())
LAST = "an organisation"
_SUBTYPES = {
    "newspaper": "a newspaper or magazine",
    "party": "a political party",
    "university": "an educational institution",
    "company": "a company",
}
# Bodies that are where the place is with which their name begins.
_LOCAL = re.compile(
    r"court|prosecutor|police|prison|hospital|medical centre|ministry|council|parliament|government$|airport"
)
# Bodies that are only in the place they are said to be of: Heidelberg University may be in Ohio, the University of
# Heidelberg is not.
_LOCAL_OF = re.compile(
    r"university|school|college|museum|theatre|library|church|cemetery|academy|religious community"
)
_SORTED = re.compile(
    r"court|prosecutor|hospital|school|university|college|prison|museum|bank|council|library|theatre"
)
_ORDINAL = r"(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|no|\d+)"
# Words that say which sort of the thing it is, not which one.
_SORT = re.compile(
    rf"(?:(?:{_ORDINAL}|regional|district|supreme|high|higher|constitutional|administrative|appellate|municipal|city|county|"
    r"federal|national|state|central|general|military|public|private|primary|secondary|technical|medical|criminal|civil|assize|"
    r"commercial|labour|juvenile|magistrates'?|crown|circuit|cantonal|provincial|local|metropolitan|economic|"
    r"arbitration|psychiatric|children's|teaching|community|maternity|security|women's|remand|international|savings|"
    r"investment|cooperative|art|science|history|war|maritime|technology|railway|research)\s+)+$"
)
_TOPICS = frozenset(
    "music energy oil gas power technology electric entertainment electronics insurance television radio".split()
)
_PREPOSITION = re.compile(
    r"\s+(?:of|for|in|at|on|de|des|du|di|do|da|del|della|dell'|van|von|der|fur|zu|im|and|y|und|et|no|nr|n°)\s+"
)
_TAIL = re.compile(
    r"(?:[\s,.]+(?:no\.?|nr\.?|n°|number)?\s*\d+\w*|\s*\(.*\)|[\s,.]+[ivx]+|[.,\s]+)$"
)
# "the newspaper Bugle": the noun is there already.
_CALLED = dict.fromkeys(
    "newspaper company firm magazine party club organisation association".split(), "in question"
)
_SAINT = re.compile(r"(?:st|saint|san|santa|santo|sankt|sint|sao|sveti)\b")


def find_organisation_levels(entity: Entity) -> LevelList:
    """The levels of an organisation. Whatever is not understood is still an organisation."""
    levels = find_name_levels(read_name(entity)) or _find_subtype_levels(entity)
    last = Level(LAST, 1.0, {"the": "organisation in question"})
    return tuple(replace(level, after={**level.after, **_CALLED}) for level in (*levels, last))


def _find_subtype_levels(entity: Entity) -> LevelList:
    for subtype in sorted(entity.subtypes):
        if subtype in _SUBTYPES:
            return (Level(_SUBTYPES[subtype], 0.8),)
    return ()


def find_name_levels(name: str) -> LevelList:
    """The kinds of organisation that the name tells, narrow to wide, without the last level."""
    folded = fold_marks(name).replace("’", "'")
    head = _find_head(_trim_tail(folded))
    if not head.chain:
        return ()
    first = head.chain[0]
    texts = list(head.chain)
    sort = re.split(rf"\b{_ORDINAL}\b", head.sort)[-1].strip()
    if sort and _can_have_sort(first) and not drop_article(first).startswith(sort):
        texts.insert(0, add_article(f"{sort} {drop_article(first)}"))
    country = None
    if _is_local(first):
        country = _find_country(head.before if _LOCAL.search(first) else "", head.beside)
    if country and country.cities + country.towns > 2:
        texts.insert(0, f"{texts[0]} in {country.name}")
    count = len(texts)
    return tuple(Level(text, 0.45 + 0.45 * number / count) for number, text in enumerate(texts, 1))


def _can_have_sort(kind: str) -> bool:
    """Whether "regional" and the like may stand before a kind."""
    return bool(_SORTED.search(kind)) and " or " not in kind


def find_premises_levels(name: str) -> LevelList:
    """The levels of an organisation that is a place, such as a prison or a school; none for others."""
    levels = find_name_levels(name)
    return levels if levels and _is_local(levels[0].text) else ()


def is_well_known(name: str) -> bool:
    """Whether it is the name of an organisation, wherever it stands: the United Nations are no place."""
    key = fold_marks(name).strip().removeprefix("the ")
    return ("exact", key) in _read_words()


def _is_local(what: str) -> bool:
    return bool(_LOCAL.search(what) or _LOCAL_OF.search(what))


def _trim_tail(text: str) -> str:
    """Without number and remark at the end: "school no. 12 (evening)"."""
    text = text.strip().removeprefix("the ")
    while (found := _TAIL.search(text)) and found.start() > 0 and found.end() > found.start():
        text = text[: found.start()]
    return text


class NameHead(NamedTuple):
    """The head of a name, the words before it, those of them that tell the sort, and the words after it."""

    chain: tuple[str, ...] = ()
    before: str = ""
    sort: str = ""
    beside: str = ""


def _find_head(folded: str) -> NameHead:
    """The head of a folded name; an empty one where none is known, or two compete."""
    if chain := _read_words().get(("exact", folded)):
        return NameHead(chain)
    whole = _compile_ends().search(folded)
    phrase, _, beside = _split_phrase(folded)
    found = whole
    if phrase != folded:
        found = _compile_ends().search(phrase)
        if whole and found and _is_other_kind(whole[1], found[1]):
            return NameHead()  # "Church of England Primary School": which of the two is it?
        if whole and not found and _is_preposed(folded, whole.start()):
            found = whole
            beside = ""
    if found:
        return _build_head(found, folded[: found.start()].strip(), beside)
    if start := _compile_starts().match(folded):
        return NameHead(_find_chain("start", start[1]), beside=folded[start.end() :].strip())
    return NameHead()


def _build_head(found: re.Match[str], before: str, beside: str) -> NameHead:
    """The head of a name, with the words before it taken apart."""
    chain = _find_chain("end", found[1])
    sort = _SORT.search(f"{before} ")
    if sort is None:
        return NameHead(chain, before, "", beside)
    return NameHead(chain, before[: sort.start()].strip(), sort[0].strip(), beside)


def _is_other_kind(whole: str, head: str) -> bool:
    """Whether the word at the end of a name is another kind of thing than the head of its first phrase."""
    if whole in _TOPICS:
        return False
    return _find_chain("end", whole)[-1] != _find_chain("end", head)[-1]


def _split_phrase(folded: str) -> tuple[str, str, str]:
    """First noun phrase, preposition, rest. A head that holds a preposition ("court of appeal") stays whole."""
    compounds = _find_compounds(folded)
    for found in _PREPOSITION.finditer(folded):
        is_inside = any(start < found.start() and found.end() < end for start, end in compounds)
        if not is_inside:
            return folded[: found.start()], found[0].strip(), folded[found.end() :]
    return folded, "", ""


def _find_compounds(folded: str) -> list[tuple[int, int]]:
    return [m.span() for m in _compile_compounds().finditer(folded)]


def _is_preposed(folded: str, start: int) -> bool:
    """Whether a head at the very end may belong to all words before it: a name of two nouns joined by "and"."""
    return bool(re.search(r"\s(?:and|&|no|nr)\s", folded[:start]))


def _find_country(before: str, beside: str) -> Country | None:
    """The country that the words around the head tell."""
    parts = re.split(r"\s+(?:of|in|at)\s+(?:the\s+)?", beside)
    for number, words in enumerate((before, beside, *parts)):
        key = fold_name(words)
        found = read_country_names().get(key) or _read_adjectives().get(key)
        if found and key not in read_regions():
            return found
        places = () if _SAINT.match(key) else atlas.find_places(key)
        lands = atlas.list_countries(places)
        if len(lands) == 1 and _is_telling(key, places[0], is_before=number == 0):
            return lands[0]
    return None


def _is_telling(key: str, place: atlas.Place, is_before: bool) -> bool:
    """Whether a place in a name tells where: "Riverside Hospital" may be anywhere, as "Lincoln University" may."""
    if place.thousands >= _GREAT:
        return True
    if key in read_homonyms():
        return False
    if not is_before or place.kind != "settlement":
        return True
    least = _GREAT if place.country.code in _REUSED else _LARGE
    return place.thousands >= least


@cache
def _read_adjectives() -> dict[str, Country]:
    found = {}
    for country in read_countries().values():
        for adjective in country.adjectives:
            if adjective not in ("American", "US"):
                found[fold_name(adjective)] = country
    return found


@cache
def _read_words() -> dict[tuple[str, str], tuple[str, ...]]:
    found = {}
    for where, chain, words in read_table("organisations.tsv"):
        for word in split_list(words):
            found[where, word] = split_steps(chain)
    return found


def _find_chain(where: str, word: str) -> tuple[str, ...]:
    return _read_words()[where, word]


def _join_words(where: str) -> str:
    words = [word for place, word in _read_words() if place == where]
    words.sort(key=len, reverse=True)
    return "|".join(map(re.escape, words))


@cache
def _compile_ends() -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s-])({_join_words('end')})$")


@cache
def _compile_starts() -> re.Pattern[str]:
    return re.compile(rf"({_join_words('start')})(?=\s)")


@cache
def _compile_compounds() -> re.Pattern[str]:
    compounds = (word for _, word in _read_words() if _PREPOSITION.search(word))
    words = sorted(map(re.escape, compounds), key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(words)})(?!\S)")
