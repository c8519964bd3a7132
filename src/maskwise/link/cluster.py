"""Mentions to groups: union-find over the strings of a document, never over pairs of mentions.

1. The same string is the same thing: case, accents, white space and a possessive 's aside. So is the same `value`.
2. Types never mix, but for one string that detectors gave several of the types of `NAMES`: it counts as PERSON if it
   names a protected person, else as its most frequent type, and of equals as the earliest.
3. People join by name variants (`people`), organisations by short forms (`organisations`), and any two names by a
   definition in the text (`definitions`), whose short form takes the type of the long one.

Hence Turkey and Turkish stay apart, and dates, quantities and demographics join by rule 1 alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from maskwise.link.organisations import join_organisations
from maskwise.link.people import Form, join_people
from maskwise.link.union import DisjointSets
from maskwise.text import EntityType, Mention
from maskwise.text.canvas import bare
from maskwise.text.person import parse_name, strip_possessive

NAMES = frozenset((EntityType.PERSON, EntityType.ORG, EntityType.LOC, EntityType.MISC, EntityType.DEM))


class Group(NamedTuple):
    """The numbers of the mentions of one thing, and its type."""

    type: EntityType
    members: list[int]


class Strings:
    """The distinct strings of a document: each with one type for all its mentions that are names."""

    def __init__(self, mentions: Sequence[Mention], people: Mapping[int, int], short: Mapping[int, int]) -> None:
        self.by_text: dict[str, list[int]] = {}
        for at, mention in enumerate(mentions):
            self.by_text.setdefault(mention.text, []).append(at)
        counts: dict[str, Counter[EntityType]] = {}
        self.exact = {text: strip_possessive(" ".join(text.split())) for text in self.by_text}
        for text, where in self.by_text.items():
            types = Counter(kind for at in where if (kind := mentions[at].type) in NAMES)
            if types:
                known = counts.setdefault(self.exact[text], Counter())
                known.update(types)
        # Counter keeps the order of first appearance, and `max` the first of equals.
        self.type_of = {exact: max(types, key=types.__getitem__) for exact, types in counts.items()}
        for brief, long in short.items():
            self.type_of[self.exact[mentions[brief].text]] = self.type(mentions[long])
        for at in people:
            self.type_of[self.exact[mentions[at].text]] = EntityType.PERSON

    def type(self, mention: Mention) -> EntityType:
        if mention.type not in NAMES:
            return mention.type
        return self.type_of[self.exact[mention.text]]


def cluster(mentions: Sequence[Mention], people: Mapping[int, int], short: Mapping[int, int]) -> list[Group]:
    """The groups, by first mention.

    `people`: mention to the number of the protected person it names. `short`: mention of a defined short form to the
    mention of its long form.
    """
    strings = Strings(mentions, people, short)
    nodes: dict[tuple[EntityType, str], int] = {}
    surface: list[tuple[str, EntityType]] = []
    node_of = [0] * len(mentions)
    values: list[tuple[int, tuple[EntityType, str]]] = []
    for text, where in strings.by_text.items():
        exact = strings.exact[text]
        normal = bare(exact).lower()
        name_type = strings.type_of.get(exact)
        for at in where:
            mention = mentions[at]
            kind = mention.type
            if name_type is not None and kind in NAMES:
                kind = name_type
            node = nodes.setdefault((kind, normal), len(nodes))
            if node == len(surface):
                surface.append((exact, kind))
            node_of[at] = node
            if mention.value:
                values.append((node, (kind, mention.value)))
    sets = DisjointSets(len(nodes))
    first: dict[tuple[EntityType, str], int] = {}
    for node, key in values:
        sets.join(first.setdefault(key, node), node)
    for brief, long in short.items():
        sets.join(node_of[brief], node_of[long])
    settled: dict[int, int] = {}
    for at, person in people.items():
        sets.join(settled.setdefault(person, node_of[at]), node_of[at])
    fixed = {node_of[at] for at in people}
    forms = [
        Form(node, parse_name(exact), node in fixed)
        for node, (exact, kind) in enumerate(surface)
        if kind is EntityType.PERSON
    ]
    join_people(sets, forms)
    join_organisations(sets, [(node, e) for node, (e, kind) in enumerate(surface) if kind is EntityType.ORG])
    groups: dict[int, Group] = {}
    for at, node in enumerate(node_of):
        root = sets.find(node)
        if root not in groups:
            groups[root] = Group(surface[node][1], [])
        groups[root].members.append(at)
    return list(groups.values())
