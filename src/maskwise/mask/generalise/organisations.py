"""Ladder of organisations, by the head of their name: "Lublin Regional Court" → "a regional court in Poland" → ... .

An English name has its head at the end of its first noun phrase ("Bank of ..."), a Romance or Slavic one at its
beginning. A country is said only of public bodies, and only where a place in the name is clear and no surname; a bank
or an embassy may be named after anywhere.
"""

from __future__ import annotations

import re
from functools import cache

from maskwise.mask.generalise import atlas
from maskwise.mask.generalise.facts import (
    Country,
    fold_marks,
    fold_name,
    read_countries,
    read_country_names,
    read_homonyms,
    read_regions,
    read_table,
    split_list,
    split_steps,
)
from maskwise.mask.generalise.grammar import add_article, drop_article
from maskwise.mask.generalise.ladder import LevelList
from maskwise.text import Entity, Level

_GREAT, _LARGE = 500, 100  # thousands of people
_REUSED = frozenset("US GB CA AU NZ IE ZA PH".split())  # names of their towns are used the world over
LAST = "an organisation"
_SUBTYPES = {
    "newspaper": "a newspaper or magazine",
    "party": "a political party",
    "university": "an educational institution",
    "company": "a company",
}
# Where they are follows from the place their name begins with; of others, only from the one they are said to be of:
# Heidelberg University may be in Ohio, the University of Heidelberg is not.
_LOCAL = re.compile(
    r"court|prosecutor|police|prison|hospital|medical centre|ministry|council|parliament|government$|airport"
)
_LOCAL_OF = re.compile(r"university|school|college|museum|theatre|library|church|cemetery|academy|religious community")
_SORTED = re.compile(r"court|prosecutor|hospital|school|university|college|prison|museum|bank|council|library|theatre")
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
_TAIL = re.compile(r"(?:[\s,.]+(?:no\.?|nr\.?|n°|number)?\s*\d+\w*|\s*\(.*\)|[\s,.]+[ivx]+|[.,\s]+)$")
# "the newspaper Bugle": the noun is there already.
_CALLED = dict.fromkeys("newspaper company firm magazine party club organisation association".split(), "in question")
_SAINT = re.compile(r"(?:st|saint|san|santa|santo|sankt|sint|sao|sveti)\b")


def find_organisation_levels(entity: Entity) -> LevelList:
    """The levels of an organisation. Whatever is not understood is still an organisation."""
    levels = find_name_levels(entity.longest.text)
    if not levels:
        known = next((_SUBTYPES[s] for s in sorted(entity.subtypes) if s in _SUBTYPES), "")
        levels = (Level(known, 0.8),) if known else ()
    levels = (*levels, Level(LAST, 1.0, {"the": "organisation in question"}))
    return tuple(Level(level.text, level.loss, {**level.after, **_CALLED}) for level in levels)


def find_name_levels(name: str) -> LevelList:
    """What the name says the organisation is, narrow to wide, without the last level."""
    folded = _trim_tail(fold_marks(name).replace("’", "'"))
    chain, before, sort, beside = _find_head(folded)
    if not chain:
        return ()
    first = chain[0]
    sort = re.split(rf"\b{_ORDINAL}\b", sort)[-1].strip()
    if sort and _SORTED.search(first) and " or " not in first and not drop_article(first).startswith(sort):
        chain = (add_article(f"{sort} {drop_article(first)}"), *chain)
    country = _find_country(before if _LOCAL.search(first) else "", beside) if _is_local(first) else None
    if country and country.cities + country.towns > 2:
        chain = (f"{chain[0]} in {country.name}", *chain)
    count = len(chain)
    return tuple(Level(text, 0.45 + 0.45 * number / count) for number, text in enumerate(chain, 1))


def find_premises_levels(name: str) -> LevelList:
    """The same for a place: only of what has a place, such as a prison or a school."""
    levels = find_name_levels(name)
    return levels if levels and _is_local(levels[0].text) else ()


def is_well_known(name: str) -> bool:
    """Whether it is the name of an organisation, wherever it stands: the United Nations are no place."""
    return ("exact", fold_marks(name).strip().removeprefix("the ")) in _read_words()


def _is_local(what: str) -> bool:
    return bool(_LOCAL.search(what) or _LOCAL_OF.search(what))


def _trim_tail(text: str) -> str:
    """Without number and remark at the end: "school no. 12 (evening)"."""
    text = text.strip().removeprefix("the ")
    while (found := _TAIL.search(text)) and found.start() > 0 and found.end() > found.start():
        text = text[: found.start()]
    return text


def _find_head(folded: str) -> tuple[tuple[str, ...], str, str, str]:
    """What the head of a name is, the words before it, those of them that say the sort, and the words after it."""
    if chain := _read_words().get(("exact", folded)):
        return chain, "", "", ""
    whole = _compile_ends().search(folded)
    phrase, _, beside = _split_phrase(folded)
    found = _compile_ends().search(phrase) if phrase != folded else whole
    rival = phrase != folded and whole and whole[1] not in _TOPICS
    if rival and whole and found and _find_chain("end", whole[1])[-1] != _find_chain("end", found[1])[-1]:
        return (), "", "", ""  # "Church of England Primary School": which of the two is it?
    if found is None and whole is not None and phrase != folded and _is_preposed(folded, whole.start()):
        found, beside = whole, ""
    if found:
        before = folded[: found.start()].strip()
        sort = _SORT.search(f"{before} ")
        kept = before[: sort.start()].strip() if sort else before
        return _find_chain("end", found[1]), kept, sort[0].strip() if sort else "", beside
    if start := _compile_starts().match(folded):
        return _find_chain("start", start[1]), "", "", folded[start.end() :].strip()
    return (), "", "", ""


def _split_phrase(folded: str) -> tuple[str, str, str]:
    """First noun phrase, preposition, rest. A head that holds a preposition ("court of appeal") stays whole."""
    for found in _PREPOSITION.finditer(folded):
        if not any(start < found.start() and found.end() < end for start, end in _find_compounds(folded)):
            return folded[: found.start()], found[0].strip(), folded[found.end() :]
    return folded, "", ""


def _find_compounds(folded: str) -> list[tuple[int, int]]:
    return [m.span() for m in _compile_compounds().finditer(folded)]


def _is_preposed(folded: str, start: int) -> bool:
    """Whether a head at the very end may belong to all words before it: a name of two nouns joined by "and"."""
    return bool(re.search(r"\s(?:and|&|no|nr)\s", folded[:start]))


def _find_country(before: str, beside: str) -> Country | None:
    """The country that the words around the head tell."""
    for words in (before, beside, *re.split(r"\s+(?:of|in|at)\s+(?:the\s+)?", beside)):
        key = fold_name(words)
        found = read_country_names().get(key) or _read_adjectives().get(key)
        if found and key not in read_regions():
            return found
        places = () if _SAINT.match(key) else atlas.find_places(key)
        if len(lands := atlas.list_countries(places)) == 1 and _is_telling(key, places[0], before=words is before):
            return lands[0]
    return None


def _is_telling(key: str, place: atlas.Place, before: bool) -> bool:
    """Whether a place in a name tells where: "Riverside Hospital" may be anywhere, as "Lincoln University" may."""
    if place.thousands >= _GREAT:
        return True
    least = _GREAT if place.country.code in _REUSED else _LARGE
    return key not in read_homonyms() and not (before and place.kind == "settlement" and place.thousands < least)


@cache
def _read_adjectives() -> dict[str, Country]:
    return {fold_name(a): c for c in read_countries().values() for a in c.adjectives if a not in ("American", "US")}


@cache
def _read_words() -> dict[tuple[str, str], tuple[str, ...]]:
    return {
        (where, w): split_steps(chain)
        for where, chain, words in read_table("organisations.tsv")
        for w in split_list(words)
    }


def _find_chain(where: str, word: str) -> tuple[str, ...]:
    return _read_words()[where, word]


def _join_words(where: str) -> str:
    return "|".join(map(re.escape, sorted((w for at, w in _read_words() if at == where), key=len, reverse=True)))


@cache
def _compile_ends() -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s-])({_join_words('end')})$")


@cache
def _compile_starts() -> re.Pattern[str]:
    return re.compile(rf"({_join_words('start')})(?=\s)")


@cache
def _compile_compounds() -> re.Pattern[str]:
    words = sorted((re.escape(w) for at, w in _read_words() if _PREPOSITION.search(w)), key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(words)})(?!\S)")
