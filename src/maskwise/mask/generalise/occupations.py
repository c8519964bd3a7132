"""Ladder of occupations: "plumber" → "a building tradesperson" → "a construction worker" → ... → "an occupation".

Titles and their groups are those of the Standard Occupational Classification 2010 (Office for National Statistics).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from maskwise.mask.generalise.facts import fold_marks, read_bundle_file, read_countries, read_table
from maskwise.mask.generalise.grammar import add_article, drop_article, find_word_before
from maskwise.mask.generalise.ladder import LevelList, bits_lost
from maskwise.mask.generalise.words import make_plural, make_singular
from maskwise.text import Entity, Level

LAST = "an occupation"
_BETWEEN = (
    "former retired professional young old local senior junior chief famous well-known freelance unemployed".split()
)
_NOW = re.compile(
    r"^(?:an?|the)\s+|^(?:(?:former|ex|retired|professional|freelance|self-employed|qualified|trained|amateur)[ -])+"
)
# A compound that ends in one of these is one: a life coach is not in sport, but a travel writer is a writer.
_HEADS = frozenset(
    "writer lawyer teacher professor footballer singer actor actress musician composer painter sculptor "
    "journalist historian physicist chemist biologist mathematician economist nurse surgeon physician soldier "
    "dancer novelist poet photographer politician architect priest judge philosopher psychologist pianist "
    "violinist guitarist cricketer swimmer sociologist anthropologist librarian programmer accountant "
    "psychiatrist carpenter electrician plumber translator playwright comedian senator lecturer screenwriter "
    "drummer cyclist geologist botanist zoologist astronomer archaeologist pharmacist".split()
)


def find_occupation_levels(entity: Entity) -> LevelList:
    """The levels of an occupation; none for an unknown title, unless the entity is marked as an occupation."""
    title = _NOW.sub("", _NOW.sub("", fold_marks(entity.longest.text).strip()))
    levels = find_title_levels(title)
    if not levels and "occupation" not in entity.subtypes:
        return ()
    adjectives = {find_word_before(mention) for mention in entity.mentions} & _list_adjectives()
    return tuple(
        Level(level.text, level.loss, dict.fromkeys(adjectives, drop_article(level.text)))
        for level in (*levels, Level(LAST, 1.0))
    )


@cache
def _list_adjectives() -> frozenset[str]:
    """Words that stand between an article and an occupation, which then needs none: "a Norwegian plumber"."""
    demonyms = (adjective.lower() for country in read_countries().values() for adjective in country.adjectives)
    return frozenset((*demonyms, *_BETWEEN))


def find_title_levels(title: str) -> LevelList:
    """The groups a title belongs to, as persons, one or several as in the title."""
    titles = _read_titles()
    one = make_singular(title) if make_singular(title) in titles else title
    head = make_singular(title).rpartition(" ")[2]
    if one in titles:
        return _build_group_levels(titles[one], one != title)
    if head != one and head in _HEADS:
        many = title != make_singular(title)
        return (Level(make_plural(head) if many else add_article(head), 0.3), *_build_group_levels(titles[head], many))
    return ()


def _build_group_levels(number: int, many: bool) -> LevelList:
    group, *wider = _read_phrases()[number]
    sizes = _count_titles()
    losses = [bits_lost(sizes[text], len(_read_titles())) for text in (group, *wider)]
    return tuple(
        Level(make_plural(text) if many else text, max(0.31, loss))
        for text, loss in zip((group, *wider), losses, strict=True)
    )


@cache
def _read_titles() -> dict[str, int]:
    lines = read_bundle_file("knowledge/occupations.tsv.gz").split("\n")
    return {title: int(number) for title, number in (line.split("\t") for line in lines if line)}


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
