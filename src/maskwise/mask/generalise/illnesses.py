"""Ladder of illnesses: "pneumonia" → "a lung disease" → "a respiratory disease" → "an illness".

A family is told by words in the name of an illness. The families follow the upper levels of the Disease Ontology, and
how many of its names each covers gives what a level loses.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from maskwise.mask.generalise.facts import key_of, read, steps, table
from maskwise.mask.generalise.ladder import LevelList, bits_lost
from maskwise.text import Entity, Level
from maskwise.text.folding import fold_marks
from maskwise.text.subtypes import DISEASE

LAST, LAST_OF_INJURIES = "an illness", "a health condition"
_INJURY = "an injury"
_LEAST = 0.3  # of families the ontology hardly lists, such as injuries


def illness_ladder(entity: Entity) -> LevelList:
    """The levels of an illness: of a mention that is marked as one, or ends in the name of one ("type 2 diabetes")."""
    name = entity.longest.text
    words = key_of(name).split()
    if DISEASE not in entity.subtypes and not any(" ".join(words[at:]) in _known() for at in range(len(words))):
        return ()
    chain = families(name)
    last = LAST_OF_INJURIES if chain and chain[0] == _INJURY else LAST
    return (*(Level(text, _loss(text)) for text in chain), Level(last, 1.0))


def families(name: str) -> tuple[str, ...]:
    """The families of an illness, narrow to wide; the first whose words it has."""
    folded = fold_marks(name).replace("’", "'")
    return next((chain for pattern, chain in _families() if pattern.search(folded)), ())


@cache
def _families() -> list[tuple[re.Pattern[str], tuple[str, ...]]]:
    return [(re.compile(pattern), steps(chain)) for chain, pattern, _ in table("diseases.tsv") if chain]


@cache
def _sizes() -> Counter[str]:
    sizes: Counter[str] = Counter()
    for chain, _, count in table("diseases.tsv"):
        for text in (*steps(chain), LAST):
            sizes[text] += int(count)
    return sizes


def _loss(text: str) -> float:
    return max(_LEAST, bits_lost(_sizes()[text], _sizes()[LAST]))


@cache
def _known() -> frozenset[str]:
    names = read("gazetteers/diseases.txt") + read("gazetteers/disease_acronyms.txt")
    return frozenset(key_of(name) for name in names.split("\n") if name)
