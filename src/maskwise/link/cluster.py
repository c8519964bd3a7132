"""Groups mentions by union-find over the strings of a document, never over pairs of mentions.

1. The same string is the same thing: case, accents, white space and a possessive 's aside. So is the same `value`.
2. Types do not mix. But detectors may give one string several of the types of `NAMES`. Then it counts as PERSON if it
   names a protected person or another person of the text (`retyped`), else as its most frequent type, and of equally
   frequent ones as the earliest.
3. People join by name variants (`people`), organisations by short forms (`organisations`), and any two names by a
   definition in the text (`definitions`), whose short form takes the type of the long one.

So Turkey and Turkish stay apart, and dates, quantities and demographics join by rule 1 alone. A mention keeps the type
its detector gave it. The group has one type, by which it is decided and written ("[PERSON 1]"), so that all mentions of
an entity read the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from maskwise.link.organisations import join_organisations
from maskwise.link.people import PersonForm, join_people
from maskwise.link.retyped import find_people
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
    """The facts about mentions before they are grouped, by where they start.

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
        people = {at[start]: person for start, person in self.people.items() if start in at}
        short: dict[int, int] = {}
        for brief, long in self.short.items():
            if brief in at and long in at:
                short[at[brief]] = at[long]
        return people, short


def list_surface_forms(
    mentions: Sequence[Mention], ties: Ties, but: tuple[EntityType, ...] = ()
) -> list[SurfaceForm]:
    """Returns the distinct strings in order of appearance, each with the type that rule 2 gives it.

    Mentions of the types in `but` are left out.
    """
    people, short = ties.number(mentions)
    by_text: dict[str, list[int]] = {}
    for at, mention in enumerate(mentions):
        if mention.type not in but:
            by_text.setdefault(mention.text, []).append(at)
    exact = {text: strip_possessive(" ".join(text.split())) for text in by_text}
    found: list[SurfaceForm] = []
    for text, where in by_text.items():
        found += _split_by_type(exact[text], mentions, where)
    type_of = _choose_types(found)
    voted = [_retype_form(form, type_of) for form in found]
    named = find_people(voted, mentions)
    for brief, long in short.items():
        long_form = exact[mentions[long].text]
        type_of[exact[mentions[brief].text]] = type_of.get(long_form, mentions[long].type)
    for at in people:
        type_of[exact[mentions[at].text]] = EntityType.PERSON
    return list(_part_people([_retype_form(form, type_of) for form in found], named))


def _part_people(forms: Iterable[SurfaceForm], named: Collection[int]) -> Iterator[SurfaceForm]:
    """Yields the forms; where some of their mentions name a person, these are a form of their own."""
    for form in forms:
        people = [at for at in form.members if at in named]
        others = [at for at in form.members if at not in named]
        if others:
            yield form._replace(members=others)
        if people:
            yield form._replace(type=EntityType.PERSON, members=people)


def _choose_types(forms: Iterable[SurfaceForm]) -> dict[str, EntityType]:
    """Returns the most frequent type of each string, the earliest of equals."""
    votes: dict[str, dict[EntityType, int]] = {}
    for text, kind, members in forms:
        if kind in NAMES:
            ballot = votes.setdefault(text, {})
            ballot[kind] = ballot.get(kind, 0) + len(members)
    return {text: max(ballot, key=ballot.__getitem__) for text, ballot in votes.items()}


def _retype_form(form: SurfaceForm, type_of: Mapping[str, EntityType]) -> SurfaceForm:
    kind = type_of.get(form.text, form.type)
    if kind is form.type or form.type not in NAMES:
        return form
    return form._replace(type=kind)


def _split_by_type(text: str, mentions: Sequence[Mention], where: list[int]) -> list[SurfaceForm]:
    """Returns one form per type that detectors gave the mentions of one string."""
    kind = mentions[where[0]].type
    if all(mentions[at].type is kind for at in where):
        return [SurfaceForm(text, kind, where)]
    split: dict[EntityType, list[int]] = {}
    for at in where:
        split.setdefault(mentions[at].type, []).append(at)
    return [SurfaceForm(text, kind, members) for kind, members in split.items()]


def cluster_mentions(mentions: Sequence[Mention], ties: Ties) -> list[Group]:
    """Returns the groups in the order of their first mentions."""
    found = list_surface_forms(mentions, ties)
    people, short = ties.number(mentions)
    nodes: dict[EntityType, dict[str, int]] = {kind: {} for kind in EntityType}
    known: list[SurfaceForm] = []
    node_of = [0] * len(mentions)
    singular = {_fold_form(form) for form in found if form.type is EntityType.DEM}
    for form in found:
        key = _fold_form(form)
        is_group = form.type is EntityType.DEM and form.text[:1].isupper()
        if is_group and key.removesuffix("s") in singular:  # "Romanians" beside "a Romanian nurse"
            key = key.removesuffix("s")
        node = nodes[form.type].setdefault(key, len(known))
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
    apart = {node_of[at] for at, mention in enumerate(mentions) if mention.start in ties.others}
    join_people(sets, list(_list_person_forms(mentions, known, fixed, apart - fixed)))
    organisations = [form for form in enumerate(known) if form[1].type is EntityType.ORG]
    join_organisations(sets, [(node, form.text) for node, form in organisations])
    return _collect_groups(sets, node_of, known)


def _fold_form(form: SurfaceForm) -> str:
    return strip_accents(form.text).lower()


def _collect_groups(
    sets: DisjointSets, node_of: Sequence[int], known: Sequence[SurfaceForm]
) -> list[Group]:
    """Returns one group per set, in the order of first mentions."""
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
    """Yields the names of people, each with what the text says of the person who bears it."""
    for node, form in enumerate(known):
        if form.type is EntityType.PERSON:
            name = parse_name(form.text)
            is_lone = name.titled and len(name.words) == 1 and not name.initials
            found = [mentions[at] for at in form.members] if is_lone else []
            related = any(is_relative(m.document.text, *m.span) for m in found)
            yield PersonForm(node, name, node in fixed, node in apart, related)


def _join_values(
    sets: DisjointSets, mentions: Sequence[Mention], nodes: list[int], known: list[SurfaceForm]
) -> None:
    """Joins the nodes whose mentions have one value and one type."""
    first: dict[tuple[EntityType, str], int] = {}
    done: set[tuple[int, str]] = set()
    for mention, node in zip(mentions, nodes, strict=True):
        if mention.value and (node, mention.value) not in done:
            done.add((node, mention.value))
            sets.join(first.setdefault((known[node].type, mention.value), node), node)
