"""Ladders of what tables of words know: religions, languages, offences, ethnic groups, and kinds of things.

"Lutheran" → "Christian" → "a religion"; "Polish" (a language) → "a Slavic language" → ...; "burglary" → "a property
offence" → "an offence"; "Iron Cross" → "an award".
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from maskwise.mask.generalise.facts import key_of, read, several, steps, table, word_table
from maskwise.mask.generalise.grammar import bare, stands_alone, word_before
from maskwise.mask.generalise.ladder import LevelList, bits_lost
from maskwise.mask.generalise.words import singular
from maskwise.text import Entity, EntityType, Level, Mention
from maskwise.text.subtypes import ETHNICITY, LANGUAGE, OFFENCE, RELIGION

_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)
_SPOKEN = re.compile(r" (?:languages?|dialect)$", re.I)
_SPEAKING = re.compile(
    r"(?i)\b(?:speaks?|spoke|spoken|speaking|fluent(?: in)?|learn(?:s|t|ed)?|understands?)\b[^.;()]*$"
)
_PEOPLE = re.compile(r" (?:people|origin|descent|ethnicity|ethnic origin|minority|community)$")
_ORIGIN = re.compile(r"\s(?:origin|descent|ancestry|background|heritage|roots|faith|belief|beliefs)\b")
_MANY_AFTER = re.compile(r"\s[a-z]{3,}[^su\W]s\b")
_HAD = frozenset(("degree", "rank", "symptom"))  # attributes that somebody has or holds
_DETAIL = re.compile(r" (?:of|against|with|in|by|on|under|committed|involving) ")
_HEAD, _MANY = re.compile(r"\b(offence|crime|homicide)\b"), re.compile(r"\b(?:offences|crimes|threats)\b")
# What an offence may qualify ("burglary charges"), and what one does to somebody ("to murder her") is none.
_MATTER = re.compile(
    r"[ \u00a0](?:charges?|cases?|convictions?|trials?|suspects?|victims?|investigations?|inquir(?:y|ies)|allegations?"
    r"|squad|scenes?|weapons?|proceedings|sentences?|laws?|attempts?|plot|complaints?|offences?|spree)\b"
)
_DOING = re.compile(r"\b(?:to|not|will|would|could|can|might|may|did|should|they|who)\s$", re.I)
_SOMEBODY = re.compile(
    r"\s(?:him|her|them|his|their|our|my|your|me|us|you|the|an?|any|somebody|someone|people|[A-Z])\b"
)


def _name(entity: Entity) -> str:
    return _ARTICLE.sub("", entity.longest.text.strip())


def religion_ladder(entity: Entity) -> LevelList:
    """The wider religion, said of a faith or of its followers."""
    key = key_of(_name(entity))
    known = _religions()
    found = known.get(key)
    many = found is None
    if many:
        found = known.get(singular(key))
    if found is None:
        return (_attribute("a religion", entity),) if RELIGION in entity.subtypes else ()
    family = (Level(f"{found}s" if many else found, 0.6),) if found else ()
    return (*family, _attribute("a religion", entity))


@cache
def _religions() -> dict[str, str]:
    """Folded faiths to their religion, followers to its followers; an empty word for the religions themselves."""
    found: dict[str, str] = {}
    for religion, follower, faiths, followers in table("religions.tsv"):
        found |= {key_of(faith): religion for faith in several(faiths)}
        found |= {key_of(word): follower for word in several(followers)}
    return found


def language_ladder(entity: Entity) -> LevelList:
    """The family of a language. Its name alone is a nationality, unless it is marked or called a language."""
    name = _name(entity)
    chain = word_table("languages.tsv").get(key_of(_SPOKEN.sub("", name)), ())
    told = chain and all(map(_is_spoken, entity.mentions))
    if not (told or _SPOKEN.search(name) or LANGUAGE in entity.subtypes):
        return ()
    levels = (*_levels(chain, _sizes("languages.tsv")), Level("a language", 1.0))
    return tuple(Level(level.text, level.loss, {"fluent": bare(level.text)}) for level in levels)


def _is_spoken(mention: Mention) -> bool:
    """Whether the text says that somebody speaks it: "spoke Polish", not "spoke to a Pole"."""
    before = mention.document.text[max(0, mention.start - 40) : mention.start]
    return bool(_SPEAKING.search(before)) and stands_alone(mention) and word_before(mention) not in ("a", "an", "the")


def offence_ladder(entity: Entity) -> LevelList:
    """The class of an offence: "theft of a bicycle" is one as "theft" is."""
    known = word_table("offences.tsv")
    key = key_of(_name(entity))
    names = (key, _DETAIL.split(key, maxsplit=1)[0])
    found = next((form for name in names for form in (name, singular(name)) if form in known), "")
    if not found:
        return (Level("an offence", 1.0),) if OFFENCE in entity.subtypes else ()
    levels = (*_levels(known[found], _sizes("offences.tsv")), Level("an offence", 1.0))
    mention = entity.longest
    text, end = mention.document.text, mention.end
    if _DOING.search(text, max(0, mention.start - 10), mention.start) and _SOMEBODY.match(text, end):
        return ()
    if _MATTER.match(text, end):
        return tuple(Level(bare(level.text), level.loss) for level in levels)
    if found not in names or _MANY.search(found):
        return tuple(Level(_HEAD.sub(r"\1s", bare(level.text), count=1), level.loss) for level in levels)
    return levels


def ethnicity_ladder(entity: Entity) -> LevelList:
    """That it is the name of an ethnic group: which are related is a matter of debate, so no family is said."""
    key = _PEOPLE.sub("", key_of(_name(entity)))
    if ETHNICITY in entity.subtypes or key in _ethnic() or singular(key) in _ethnic():
        return (_attribute("an ethnic group", entity),)
    return ()


@cache
def _ethnic() -> frozenset[str]:
    return frozenset(key_of(line) for line in read("gazetteers/ethnic_groups.txt").split("\n") if line)


def kind_ladder(entity: Entity) -> LevelList:
    """The kind of a thing, from the word that its name ends with, or begins with before "of", or its subtype."""
    name = _name(entity)
    key = key_of(name) if name[:1].isupper() else ""  # names: "the agreement" is none
    found = _kinds_at_end().search(key) or _kinds_before_of().match(key)
    chain = word_kinds()[found[1]] if found else ()
    if not chain:
        marked = (subtype_kinds()[s] for s in sorted(entity.subtypes) if s in subtype_kinds())
        chain = next(marked, ())
    *first, last = chain or ("",)
    return (*(Level(text, 0.7) for text in first), _attribute(last, entity)) if last else ()


def _attribute(kind: str, entity: Entity) -> Level:
    """The kind of what may be said of somebody: "is a person of a certain religion", "of certain ethnic origin"."""
    if entity.type is not EntityType.DEM or not entity.subtypes.isdisjoint(_HAD):
        return Level(kind, 1.0)
    mention = entity.longest
    said = f"of a certain {bare(kind)}"
    if _ORIGIN.match(mention.document.text, mention.end):
        return Level(kind, 1.0, dict.fromkeys(("of", "a", "an", "his", "her", "their"), "certain"))
    if not stands_alone(mention):
        if _MANY_AFTER.match(mention.document.text, mention.end) and not mention.text.endswith("s"):
            return Level("certain", 1.0)  # "Roma families"
        return Level(kind, 1.0, dict.fromkeys(("a", "an"), "certain"))
    alone = dict.fromkeys(("a", "an", "the", "practising", "devout", "observant"), f"person {said}")
    return Level(kind, 1.0, alone | dict.fromkeys(("is", "was", "are", "were", "be", "being", "openly"), said))


@cache
def subtype_kinds() -> dict[str, tuple[str, ...]]:
    return {subtype: steps(what) for subtype, what, *_ in table("kinds.tsv")}


@cache
def word_kinds() -> dict[str, tuple[str, ...]]:
    rows = [row for row in table("kinds.tsv") if len(row) > 2]
    return {word: steps(what) for _, what, words in rows for word in several(words)}


def _alternation() -> str:
    return "|".join(sorted(map(re.escape, word_kinds()), key=len, reverse=True))


@cache
def _kinds_at_end() -> re.Pattern[str]:
    return re.compile(rf"(?:^|\s)({_alternation()})(?: \d+| [ivx]+)?$")


@cache
def _kinds_before_of() -> re.Pattern[str]:
    return re.compile(rf"(?:\w+ ){{0,2}}({_alternation()}) (?:of|for|on) ")


def _levels(chain: tuple[str, ...], sizes: Counter[str]) -> LevelList:
    return tuple(Level(text, bits_lost(sizes[text], sizes[""])) for text in chain)


@cache
def _sizes(name: str) -> Counter[str]:
    """How many words of a table each step covers, and the whole table."""
    sizes: Counter[str] = Counter()
    for chain, words, *_ in table(name):
        for text in (*steps(chain), ""):
            sizes[text] += len(several(words))
    return sizes
