"""Ladder of occupations: "plumber" → "a building tradesperson" → "a construction worker" → ... → "an occupation".

Titles and their groups are those of the Standard Occupational Classification 2010 (Office for National Statistics).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

from maskwise.mask.generalise.facts import (
    read_bundle_file,
    read_countries,
    read_table,
    read_word_table,
)
from maskwise.mask.generalise.grammar import add_article, drop_article, find_word_before
from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.mask.generalise.slots import Slot
from maskwise.mask.generalise.words import make_plural, make_singular
from maskwise.text import Entity, EntityType, Level
from maskwise.text.folding import fold_marks
from maskwise.text.subtypes import OCCUPATION
from maskwise.text.word_lists import read_words

LAST = "an occupation"
_BETWEEN = (
    "former retired professional young old local senior junior chief famous well-known freelance "
    "unemployed"
).split()
_LISTING = re.compile(r", |technician or associate professional")
_PLACE = re.compile(r" (?:of|for|to|at|in) ")
_HELD = ("his", "her", "their", "my", "occupation", "profession")
_NOW = re.compile(
    r"^(?:an?|the)\s+|^(?:(?:former|ex|retired|professional|freelance|self-employed|qualified|trained|amateur)[ -])+"
)
# A compound that ends in one of these is one: a life coach is not in sport, but a travel writer is a writer.
_HEADS = frozenset(read_words("occupations_last"))


def find_occupation_levels(entity: Entity) -> LevelList:
    """The levels of an occupation; none for an unknown title, unless the entity is marked as an occupation."""
    title = fold_marks(entity.longest.text).strip()
    title = _NOW.sub("", _NOW.sub("", title))
    levels = find_role_levels(title) or find_title_levels(title)
    if not levels and entity.type is EntityType.DEM:
        levels = find_role_levels(_PLACE.split(title, maxsplit=1)[0], is_head=True)
    if not levels and OCCUPATION not in entity.subtypes:
        return ()
    before = {find_word_before(mention) for mention in entity.mentions}
    adjectives = before & _list_adjectives()
    found = []
    for level in (*levels, Level(LAST, 1.0, forms={Slot.PHRASE: "", Slot.POSSESSIVE: ""})):
        after = dict.fromkeys(adjectives, drop_article(level.text))
        if level.loss == 1:  # nobody is an occupation
            after = dict.fromkeys(_HELD, drop_article(LAST))
        found.append(replace(level, after=after))
    return tuple(found)


@cache
def _list_adjectives() -> frozenset[str]:
    """Words that stand between an article and an occupation, which then needs none: "a Norwegian plumber"."""
    demonyms = (
        adjective.lower()
        for country in read_countries().values()
        for adjective in country.adjectives
    )
    return frozenset((*demonyms, *_BETWEEN))


def find_role_levels(title: str, is_head: bool = False) -> LevelList:
    """The steps of a role or an office; with `is_head` also of one that ends in it: "deputy programme manager"."""
    known = read_word_table("roles.tsv")
    single = make_singular(title)
    words = single.split()
    for at in range(len(words) if is_head else 1):
        if steps := known.get(" ".join(words[at:])):
            texts = map(make_plural, steps) if single != title else steps
            return tuple(Level(text, 0.5 + 0.1 * number) for number, text in enumerate(texts))
    return ()


def find_title_levels(title: str) -> LevelList:
    """The groups a title belongs to, as persons, one or several as in the title."""
    titles = _read_titles()
    single = make_singular(title)
    if single in titles:
        return _build_group_levels(titles[single], single != title)
    if title in titles:
        return _build_group_levels(titles[title], False)
    head = single.rpartition(" ")[2]
    if head == title or head not in _HEADS:
        return ()
    is_plural = title != single
    name = make_plural(head) if is_plural else add_article(head)
    return (Level(name, 0.3), *_build_group_levels(titles[head], is_plural))


def _build_group_levels(number: int, is_plural: bool) -> LevelList:
    sizes = _count_titles()
    levels = []
    for phrase in _read_phrases()[number]:
        if _LISTING.search(phrase):  # "a manager, director or senior official" reads badly
            continue
        loss = measure_lost_bits(sizes[phrase], len(_read_titles()))
        text = make_plural(phrase) if is_plural else phrase
        levels.append(Level(text, max(0.31, loss)))
    return tuple(levels)


@cache
def _read_titles() -> dict[str, int]:
    found = {}
    for line in read_bundle_file("knowledge/occupations.tsv.gz").split("\n"):
        if line:
            title, number = line.split("\t")
            found[title] = int(number)
    return found


@cache
def _read_phrases() -> list[list[str]]:
    return [row[1:] for row in read_table("occupation_groups.tsv")]


@cache
def _count_titles() -> Counter[str]:
    """How many titles a phrase covers."""
    sizes: Counter[str] = Counter()
    for number, count in Counter(_read_titles().values()).items():
        for text in dict.fromkeys(_read_phrases()[number]):
            sizes[text] += count
    return sizes
