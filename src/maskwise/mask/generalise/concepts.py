"""Ladders of what tables of words know: religions, languages, offences, ethnic groups, and kinds of things.

"Lutheran" → "Christian" → "a religion"; "Polish" (a language) → "a Slavic language" → ...; "burglary" → "a property
offence" → "an offence"; "Iron Cross" → "an award".
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from maskwise.mask.generalise.facts import (
    fold_name,
    read_bundle_file,
    read_table,
    read_word_table,
    split_list,
    split_steps,
)
from maskwise.mask.generalise.grammar import drop_article, find_word_before, is_standalone
from maskwise.mask.generalise.ladder import LevelList, bits_lost
from maskwise.mask.generalise.words import make_singular
from maskwise.text import Entity, EntityType, Level, Mention

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


def _drop_article(entity: Entity) -> str:
    return _ARTICLE.sub("", entity.longest.text.strip())


def find_religion_levels(entity: Entity) -> LevelList:
    """The wider religion, said of a faith or of its followers."""
    key = fold_name(_drop_article(entity))
    known = _read_religions()
    found = known.get(key)
    many = found is None
    if many:
        found = known.get(make_singular(key))
    if found is None:
        return (_describe_attribute("a religion", entity),) if "religion" in entity.subtypes else ()
    family = (Level(f"{found}s" if many else found, 0.6),) if found else ()
    return (*family, _describe_attribute("a religion", entity))


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
    name = _drop_article(entity)
    chain = read_word_table("languages.tsv").get(fold_name(_SPOKEN.sub("", name)), ())
    told = chain and all(map(_is_spoken, entity.mentions))
    if not (told or _SPOKEN.search(name) or "language" in entity.subtypes):
        return ()
    levels = (*_build_levels(chain, _count_words("languages.tsv")), Level("a language", 1.0))
    return tuple(Level(level.text, level.loss, {"fluent": drop_article(level.text)}) for level in levels)


def _is_spoken(mention: Mention) -> bool:
    """Whether the text says that somebody speaks it: "spoke Polish", not "spoke to a Pole"."""
    before = mention.document.text[max(0, mention.start - 40) : mention.start]
    return (
        bool(_SPEAKING.search(before))
        and is_standalone(mention)
        and find_word_before(mention) not in ("a", "an", "the")
    )


def find_offence_levels(entity: Entity) -> LevelList:
    """The class of an offence: "theft of a bicycle" is one as "theft" is."""
    known = read_word_table("offences.tsv")
    key = fold_name(_drop_article(entity))
    names = (key, _DETAIL.split(key, maxsplit=1)[0])
    found = next((form for name in names for form in (name, make_singular(name)) if form in known), "")
    if not found:
        return (Level("an offence", 1.0),) if "offence" in entity.subtypes else ()
    levels = (*_build_levels(known[found], _count_words("offences.tsv")), Level("an offence", 1.0))
    mention = entity.longest
    text, end = mention.document.text, mention.end
    if _DOING.search(text, max(0, mention.start - 10), mention.start) and _SOMEBODY.match(text, end):
        return ()
    if _MATTER.match(text, end):
        return tuple(Level(drop_article(level.text), level.loss) for level in levels)
    if found not in names or _MANY.search(found):
        return tuple(Level(_HEAD.sub(r"\1s", drop_article(level.text), count=1), level.loss) for level in levels)
    return levels


def find_ethnicity_levels(entity: Entity) -> LevelList:
    """That it is the name of an ethnic group: which are related is a matter of debate, so no family is said."""
    key = _PEOPLE.sub("", fold_name(_drop_article(entity)))
    if "ethnicity" in entity.subtypes or key in _read_ethnic_groups() or make_singular(key) in _read_ethnic_groups():
        return (_describe_attribute("an ethnic group", entity),)
    return ()


@cache
def _read_ethnic_groups() -> frozenset[str]:
    return frozenset(fold_name(line) for line in read_bundle_file("gazetteers/ethnic_groups.txt").split("\n") if line)


def find_kind_levels(entity: Entity) -> LevelList:
    """The kind of a thing, from the word that its name ends with, or begins with before "of", or its subtype."""
    name = _drop_article(entity)
    key = fold_name(name) if name[:1].isupper() else ""  # names: "the agreement" is none
    found = _compile_kinds_at_end().search(key) or _compile_kinds_before_of().match(key)
    chain = _read_word_kinds()[found[1]] if found else ()
    if not chain:
        marked = (_read_subtype_kinds()[s] for s in sorted(entity.subtypes) if s in _read_subtype_kinds())
        chain = next(marked, ())
    *first, last = chain or ("",)
    return (*(Level(text, 0.7) for text in first), _describe_attribute(last, entity)) if last else ()


def _describe_attribute(kind: str, entity: Entity) -> Level:
    """The kind of what may be said of somebody: "is a person of a certain religion", "of certain ethnic origin"."""
    if entity.type is not EntityType.DEM or not entity.subtypes.isdisjoint(_HAD):
        return Level(kind, 1.0)
    mention = entity.longest
    said = f"of a certain {drop_article(kind)}"
    if _ORIGIN.match(mention.document.text, mention.end):
        return Level(kind, 1.0, dict.fromkeys(("of", "a", "an", "his", "her", "their"), "certain"))
    if not is_standalone(mention):
        if _MANY_AFTER.match(mention.document.text, mention.end) and not mention.text.endswith("s"):
            return Level("certain", 1.0)  # "Roma families"
        return Level(kind, 1.0, dict.fromkeys(("a", "an"), "certain"))
    alone = dict.fromkeys(("a", "an", "the", "practising", "devout", "observant"), f"person {said}")
    return Level(kind, 1.0, alone | dict.fromkeys(("is", "was", "are", "were", "be", "being", "openly"), said))


@cache
def _read_subtype_kinds() -> dict[str, tuple[str, ...]]:
    return {subtype: split_steps(what) for subtype, what, *_ in read_table("kinds.tsv")}


@cache
def _read_word_kinds() -> dict[str, tuple[str, ...]]:
    rows = [row for row in read_table("kinds.tsv") if len(row) > 2]
    return {word: split_steps(what) for _, what, words in rows for word in split_list(words)}


def _join_kinds() -> str:
    return "|".join(sorted(map(re.escape, _read_word_kinds()), key=len, reverse=True))


@cache
def _compile_kinds_at_end() -> re.Pattern[str]:
    return re.compile(rf"(?:^|\s)({_join_kinds()})(?: \d+| [ivx]+)?$")


@cache
def _compile_kinds_before_of() -> re.Pattern[str]:
    return re.compile(rf"(?:\w+ ){{0,2}}({_join_kinds()}) (?:of|for|on) ")


def _build_levels(chain: tuple[str, ...], sizes: Counter[str]) -> LevelList:
    return tuple(Level(text, bits_lost(sizes[text], sizes[""])) for text in chain)


@cache
def _count_words(name: str) -> Counter[str]:
    """How many words of a table each step covers, and the whole table."""
    sizes: Counter[str] = Counter()
    for chain, words, *_ in read_table(name):
        for text in (*split_steps(chain), ""):
            sizes[text] += len(split_list(words))
    return sizes
