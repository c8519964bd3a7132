"""Ladders by tables of words: religions, languages, offences, ethnic groups, and kinds of things.

"Lutheran" → "Christian" → "a religion"; "Polish" (a language) → "a Slavic language" → ...; "burglary" → "a property
offence" → "an offence"; "Iron Cross" → "an award".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from maskwise.mask.generalise.attributes import describe_attribute
from maskwise.mask.generalise.facts import (
    fold_name,
    read_bundle_file,
    read_table,
    read_word_table,
    split_list,
    split_steps,
)
from maskwise.mask.generalise.grammar import drop_article, find_word_before, is_standalone
from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.mask.generalise.slots import Slot
from maskwise.mask.generalise.words import make_singular
from maskwise.text import Entity, EntityType, Level, Mention
from maskwise.text.subtypes import ETHNICITY, LANGUAGE, OFFENCE, RELIGION

_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)
_SPOKEN = re.compile(r" (?:languages?|dialect)$", re.I)
_COMPOUND = re.compile(r"[-‑](?:speaking|language)\b")
_SPEAKING = re.compile(
    r"(?i)\b(?:speaks?|spoke|spoken|speaking|fluent(?: in)?|learn(?:s|t|ed)?|understands?)\b[^.;()]*$"
)
_PEOPLE = re.compile(r" (?:people|origin|descent|ethnicity|ethnic origin|minority|community)$")
_DETAIL = re.compile(r" (?:of|against|with|in|by|on|under|committed|involving) ")
_HEAD = re.compile(r"\b(offence|crime|homicide)\b")
_MANY = re.compile(r"\b(?:offences|crimes|threats)\b")
# Nouns that an offence may qualify ("burglary charges").
_MATTER = re.compile(
    r"[ \u00a0](?:charges?|cases?|convictions?|trials?|suspects?|victims?|investigations?|inquir(?:y|ies)|allegations?"
    r"|squad|scenes?|weapons?|proceedings|sentences?|laws?|attempts?|plot|complaints?|offences?|spree)\b"
)
# Signs of a verb, which is no offence: "to murder her".
_DOING = re.compile(r"\b(?:to|not|will|would|could|can|might|may|did|should|they|who)\s$", re.I)
_SOMEBODY = re.compile(
    r"\s(?:him|her|them|his|their|our|my|your|me|us|you|the|an?|any|somebody|someone|people|[A-Z])\b"
)


def _read_name(entity: Entity) -> str:
    """The longest mention without its article."""
    return _ARTICLE.sub("", entity.longest.text.strip())


def find_religion_levels(entity: Entity) -> LevelList:
    """The wider religion, said of a faith or of its followers."""
    key = fold_name(_read_name(entity))
    known = _read_religions()
    is_follower = {key, make_singular(key)} & _read_followers()
    last = describe_attribute("a religion", entity, bool(is_follower))
    is_plural = key != make_singular(key) and make_singular(key) in _read_followers()
    if key in known and not is_plural:
        wider = known[key]
    elif make_singular(key) in known:
        wider = known[make_singular(key)]
        wider = f"{wider}s" if wider else ""
    else:
        return (last,) if RELIGION in entity.subtypes else ()
    return (Level(wider, 0.6), last) if wider else (last,)


@cache
def _read_followers() -> frozenset[str]:
    rows = read_table("religions.tsv")
    words = [word for _, follower, *_, cell in rows for word in (follower, *split_list(cell))]
    return frozenset(map(fold_name, words))


@cache
def _read_religions() -> dict[str, str]:
    """Folded faiths to their religion, followers to its followers; an empty word for the religions themselves."""
    found: dict[str, str] = {}
    for religion, follower, faiths, followers in read_table("religions.tsv"):
        found |= {fold_name(faith): religion for faith in split_list(faiths)}
        found |= {fold_name(word): follower for word in split_list(followers)}
    return found


def find_language_levels(entity: Entity) -> LevelList:
    """The family of a language. Its name alone is a nationality, unless it is marked or called a language."""
    name = _read_name(entity)
    key = fold_name(_SPOKEN.sub("", name))
    chain = read_word_table("languages.tsv").get(key, ())
    is_called_so = LANGUAGE in entity.subtypes or bool(_SPOKEN.search(name))
    is_spoken = bool(chain) and all(map(_is_spoken, entity.mentions))
    if not is_called_so and not is_spoken:
        return ()
    levels = (*_build_levels(chain, _count_words("languages.tsv")), Level("a language", 1.0))
    found = []
    for level in levels:
        bare = drop_article(level.text)
        forms: dict[str, str] = {Slot.COMPOUND: bare.removesuffix("language").strip()}
        found.append(Level(level.text, level.loss, {"fluent": bare}, forms))
    return tuple(found)


def _is_spoken(mention: Mention) -> bool:
    """Whether the text says that somebody speaks it: "spoke Polish", not "spoke to a Pole"."""
    text = mention.document.text
    if _COMPOUND.match(text, mention.end):
        return True
    if not is_standalone(mention) or find_word_before(mention) in ("a", "an", "the"):
        return False
    before = text[max(0, mention.start - 40) : mention.start]
    return bool(_SPEAKING.search(before))


def find_offence_levels(entity: Entity) -> LevelList:
    """The class of an offence: "theft of a bicycle" is one as "theft" is."""
    key = fold_name(_read_name(entity))
    names = (key, _DETAIL.split(key, maxsplit=1)[0])
    found = _find_offence(names)
    if not found:
        return (_describe_unknown(key),) if OFFENCE in entity.subtypes else ()
    chain = read_word_table("offences.tsv")[found]
    levels = (*_build_levels(chain, _count_words("offences.tsv")), Level("an offence", 1.0))
    mention = entity.longest
    text = mention.document.text
    is_verb = _DOING.search(text, max(0, mention.start - 10), mention.start)
    if is_verb and _SOMEBODY.match(text, mention.end):
        return ()
    if _MATTER.match(text, mention.end):
        return _reword_levels(levels, drop_article)
    if found not in names or _MANY.search(found):
        return _reword_levels(levels, _name_several)
    return levels


def _reword_levels(levels: LevelList, reword: Callable[[str], str]) -> LevelList:
    return tuple(Level(reword(level.text), level.loss) for level in levels)


def _describe_unknown(key: str) -> Level:
    """The level of an offence that is marked but not known: "two charges of fly-tipping" are certain charges."""
    if re.search(r"\bcharges\b", key):
        return Level("certain charges", 1.0)
    return Level("certain offences" if _MANY.search(key) else "an offence", 1.0)


def _find_offence(names: Sequence[str]) -> str:
    """The first of some names that the table knows, as it is or in the singular."""
    known = read_word_table("offences.tsv")
    for name in names:
        for form in (name, make_singular(name)):
            if form in known:
                return form
    return ""


def _name_several(kind: str) -> str:
    return _HEAD.sub(r"\1s", drop_article(kind), count=1)


def find_ethnicity_levels(entity: Entity) -> LevelList:
    """That it is an ethnic group. Which groups are related is a matter of debate, so no family is said."""
    name = fold_name(_read_name(entity))
    key = _PEOPLE.sub("", name)
    known = _read_ethnic_groups()
    if ETHNICITY in entity.subtypes or key in known or make_singular(key) in known:
        return (describe_attribute("an ethnic group", entity),)
    return ()


@cache
def _read_ethnic_groups() -> frozenset[str]:
    lines = read_bundle_file("gazetteers/ethnic_groups.txt").split("\n")
    return frozenset(fold_name(line) for line in lines if line)


def find_kind_levels(entity: Entity) -> LevelList:
    """The kind of a thing, from the word that its name ends with, or begins with before "of", or its subtype."""
    is_attribute = entity.type is EntityType.DEM
    chain = _find_kinds(_read_name(entity), is_attribute) or _find_marked_kinds(entity)
    if not chain:
        return ()
    *first, last = chain
    levels = [Level(text, 0.7) for text in first]
    return (*levels, describe_attribute(last, entity))


def _find_kinds(name: str, is_attribute: bool) -> tuple[str, ...]:
    """The kind of a name: "the agreement" is none. What is said of somebody needs no capital, as a degree."""
    if not name[:1].isupper() and not is_attribute:
        return ()
    key = fold_name(name)
    found = _compile_kinds_at_end().search(key) or _compile_kinds_before_of().match(key)
    return _read_word_kinds()[found[1]] if found else ()


def _find_marked_kinds(entity: Entity) -> tuple[str, ...]:
    known = _read_subtype_kinds()
    for subtype in sorted(entity.subtypes):
        if subtype in known:
            return known[subtype]
    return ()


@cache
def _read_subtype_kinds() -> dict[str, tuple[str, ...]]:
    return {subtype: split_steps(what) for subtype, what, *_ in read_table("kinds.tsv")}


@cache
def _read_word_kinds() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for row in read_table("kinds.tsv"):
        if len(row) > 2:
            words, steps = split_list(row[2]), split_steps(row[1])
            found |= dict.fromkeys(words, steps)
    return found


def _join_kinds() -> str:
    words = sorted(map(re.escape, _read_word_kinds()), key=len, reverse=True)
    return "|".join(words)


@cache
def _compile_kinds_at_end() -> re.Pattern[str]:
    return re.compile(rf"(?:^|\s)({_join_kinds()})(?: \d+| [ivx]+)?$")


@cache
def _compile_kinds_before_of() -> re.Pattern[str]:
    return re.compile(rf"(?:\w+ ){{0,2}}({_join_kinds()}) (?:of|for|on) ")


def _build_levels(chain: tuple[str, ...], sizes: Counter[str]) -> LevelList:
    return tuple(Level(text, measure_lost_bits(sizes[text], sizes[""])) for text in chain)


@cache
def _count_words(name: str) -> Counter[str]:
    """How many words of a table each step covers, and the whole table."""
    sizes: Counter[str] = Counter()
    for chain, words, *_ in read_table(name):
        for text in (*split_steps(chain), ""):
            sizes[text] += len(split_list(words))
    return sizes
