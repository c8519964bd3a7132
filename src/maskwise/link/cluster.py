"""Groups mentions by union-find over the strings of a document, never over pairs of mentions.

1. The same string is the same thing: case, accents, white space and a possessive 's aside. So is the same `value`.
2. Types never mix, but for one string that detectors gave several of the types of `NAMES`: it counts as PERSON if it
   names a protected person, else as its most frequent type, and of equals as the earliest.
3. People join by name variants (`people`), organisations by short forms (`organisations`), and any two names by a
   definition in the text (`definitions`), whose short form takes the type of the long one.

Hence Turkey and Turkish stay apart, and dates, quantities and demographics join by rule 1 alone. A mention keeps the
type its detector gave it; what is decided and written ("[PERSON 1]") goes by the type of the group, so that all
mentions of an entity read the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from maskwise.link.organisations import join_organisations
from maskwise.link.people import PersonForm, join_people
from maskwise.link.union import DisjointSets
from maskwise.text import EntityType, Mention
from maskwise.text.folding import strip_accents
from maskwise.text.gender import is_relative
from maskwise.text.person import parse_name, strip_possessive

NAMES = frozenset(
    (EntityType.PERSON, EntityType.ORG, EntityType.LOC, EntityType.MISC, EntityType.DEM)
)


class SurfaceForm(NamedTuple):
    """One string of the document: its type and the numbers of its mentions."""

    text: str
    type: EntityType
    members: list[int]


class Group(NamedTuple):
    """One thing: its type and the numbers of its mentions."""

    type: EntityType
    members: list[int]


class Ties(NamedTuple):
    """What is known beforehand of mentions, by where they start.

    `people`: the number of the protected person a mention names. `short`: the long form of a defined short form.
    `others`: mentions that share a name with a protected person and name someone else.
    """

    people: Mapping[int, int]
    short: Mapping[int, int]
    others: frozenset[int] = frozenset()

    def number(self, mentions: Sequence[Mention]) -> tuple[dict[int, int], dict[int, int]]:
        """Returns `people` and `short` by the numbers of the mentions, without those that are no longer there."""
        if not self.people and not self.short:
            return {}, {}
        starts = [m.start for m in mentions]
        wanted = {*self.people, *self.short, *self.short.values()}
        found = {start: bisect_left(starts, start) for start in wanted}
        at = {start: n for start, n in found.items() if n < len(starts) and starts[n] == start}
        return (
            {at[start]: person for start, person in self.people.items() if start in at},
            {
                at[brief]: at[long]
                for brief, long in self.short.items()
                if brief in at and long in at
            },
        )


def list_surface_forms(
    mentions: Sequence[Mention], ties: Ties, but: tuple[EntityType, ...] = ()
) -> list[SurfaceForm]:
    """Returns the distinct strings in order of appearance, each with the type that rule 2 gives it; none of `but`."""
    people, short = ties.number(mentions)
    by_text: dict[str, list[int]] = {}
    for at, mention in enumerate(mentions):
        if mention.type not in but:
            by_text.setdefault(mention.text, []).append(at)
    exact = {text: strip_possessive(" ".join(text.split())) for text in by_text}
    found: list[SurfaceForm] = []
    for text, where in by_text.items():
        if len(where) == 1:
            found.append(SurfaceForm(exact[text], mentions[where[0]].type, where))
        else:
            found += _split_by_type(exact[text], mentions, where)
    votes: dict[str, dict[EntityType, int]] = {}
    for text, kind, where in found:
        if kind in NAMES:
            ballot = votes.setdefault(text, {})
            ballot[kind] = ballot.get(kind, 0) + len(where)
    type_of = {
        text: max(ballot, key=ballot.__getitem__) for text, ballot in votes.items()
    }  # the first of equals
    for brief, long in short.items():
        type_of[exact[mentions[brief].text]] = type_of.get(
            exact[mentions[long].text], mentions[long].type
        )
    for at in people:
        type_of[exact[mentions[at].text]] = EntityType.PERSON
    return [
        w if (kind := type_of.get(w.text, w.type)) is w.type else _retype(w, kind) for w in found
    ]


def _retype(form: SurfaceForm, kind: EntityType) -> SurfaceForm:
    return form._replace(type=kind) if form.type in NAMES else form


def _split_by_type(text: str, mentions: Sequence[Mention], where: list[int]) -> list[SurfaceForm]:
    kind = mentions[where[0]].type
    if all(mentions[at].type is kind for at in where):
        return [SurfaceForm(text, kind, where)]
    split: dict[EntityType, list[int]] = {}
    for at in where:
        split.setdefault(mentions[at].type, []).append(at)
    return [SurfaceForm(text, kind, members) for kind, members in split.items()]


def cluster(mentions: Sequence[Mention], ties: Ties) -> list[Group]:
    """Returns the groups in the order of their first mentions."""
    found = list_surface_forms(mentions, ties)
    people, short = ties.number(mentions)
    nodes: dict[EntityType, dict[str, int]] = {kind: {} for kind in EntityType}
    known: list[SurfaceForm] = []
    node_of = [0] * len(mentions)
    for form in found:
        node = nodes[form.type].setdefault(strip_accents(form.text).lower(), len(known))
        if node == len(known):
            known.append(form)
        for at in form.members:
            node_of[at] = node
    sets = DisjointSets(len(known))
    _join_values(sets, mentions, node_of, known)
    for brief, long in short.items():
        sets.join(node_of[brief], node_of[long])
    settled: dict[int, int] = {}
    for at, person in people.items():
        sets.join(settled.setdefault(person, node_of[at]), node_of[at])
    fixed = {node_of[at] for at in people}
    apart = {
        node
        for mention, node in zip(mentions, node_of, strict=True)
        if mention.start in ties.others
    } - fixed
    join_people(sets, list(_list_person_forms(mentions, known, fixed, apart)))
    join_organisations(
        sets, [(node, w.text) for node, w in enumerate(known) if w.type is EntityType.ORG]
    )
    groups: dict[int, Group] = {}
    for at, node in enumerate(node_of):
        root = sets.find(node)
        if root not in groups:
            groups[root] = Group(known[node].type, [])
        groups[root].members.append(at)
    return list(groups.values())


def _list_person_forms(
    mentions: Sequence[Mention],
    known: Sequence[SurfaceForm],
    fixed: Collection[int],
    apart: Collection[int],
) -> Iterator[PersonForm]:
    """Yields the names of people, each with what the text says of whoever bears it."""
    for node, form in enumerate(known):
        if form.type is EntityType.PERSON:
            name = parse_name(form.text)
            lone = name.titled and len(name.words) == 1 and not name.initials
            related = lone and any(
                is_relative(m.document.text, *m.span)
                for m in map(mentions.__getitem__, form.members)
            )
            yield PersonForm(node, name, node in fixed, node in apart, related)


def _join_values(
    sets: DisjointSets, mentions: Sequence[Mention], nodes: list[int], known: list[SurfaceForm]
) -> None:
    first: dict[tuple[EntityType, str], int] = {}
    done: set[tuple[int, str]] = set()
    for mention, node in zip(mentions, nodes, strict=True):
        if mention.value and (node, mention.value) not in done:
            done.add((node, mention.value))
            sets.join(first.setdefault((known[node].type, mention.value), node), node)
