"""Ladder of illnesses: "pneumonia" → "a lung disease" → "a respiratory disease" → "an illness".

A family is told by words in the name of an illness. The families follow the upper levels of the Disease Ontology, and
how many of its names each covers gives what a level loses.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from maskwise.mask.generalise.facts import fold_name, read_bundle_file, read_table, split_steps
from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.text import Entity, Level
from maskwise.text.folding import fold_marks
from maskwise.text.subtypes import DISEASE

LAST, LAST_OF_INJURIES = "an illness", "a health condition"
_INJURY = "an injury"
_LEAST = 0.3  # of families the ontology hardly lists, such as injuries


def find_illness_levels(entity: Entity) -> LevelList:
    """The levels of an illness: of a mention that is marked as one, or ends in the name of one ("type 2 diabetes")."""
    name = entity.longest.text
    if DISEASE not in entity.subtypes and not _has_illness_at_end(name):
        return ()
    chain = find_families(name)
    is_injury = bool(chain) and chain[0] == _INJURY
    last = LAST_OF_INJURIES if is_injury else LAST
    levels = [Level(text, _measure_loss(text)) for text in chain]
    return (*levels, Level(last, 1.0))


def _has_illness_at_end(name: str) -> bool:
    words = fold_name(name).split()
    endings = (" ".join(words[at:]) for at in range(len(words)))
    return any(ending in _read_known_names() for ending in endings)


def find_families(name: str) -> tuple[str, ...]:
    """The families of an illness, narrow to wide; the first whose words it has."""
    folded = fold_marks(name).replace("’", "'")
    return next((chain for pattern, chain in _read_families() if pattern.search(folded)), ())


@cache
def _read_families() -> list[tuple[re.Pattern[str], tuple[str, ...]]]:
    return [
        (re.compile(pattern), split_steps(chain))
        for chain, pattern, _ in read_table("diseases.tsv")
        if chain
    ]


@cache
def _count_names() -> Counter[str]:
    sizes: Counter[str] = Counter()
    for chain, _, count in read_table("diseases.tsv"):
        for text in (*split_steps(chain), LAST):
            sizes[text] += int(count)
    return sizes


def _measure_loss(text: str) -> float:
    counts = _count_names()
    return max(_LEAST, measure_lost_bits(counts[text], counts[LAST]))


@cache
def _read_known_names() -> frozenset[str]:
    files = ("gazetteers/diseases.txt", "gazetteers/disease_acronyms.txt")
    names = "".join(map(read_bundle_file, files)).split("\n")
    return frozenset(fold_name(name) for name in names if name)
