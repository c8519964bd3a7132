"""`Subject`: a person to hide, with the profile that the document itself gives them.

Nobody needs a register to be attacked: what a document tells about a person is what an attacker can compare with. This
profile stands for the person in a crowd that does not hold them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from maskwise.crowd.facts import Fact, read_entities
from maskwise.crowd.known import match_known, read_known
from maskwise.crowd.lives import date_birth, find_main, has_lifespan, read_biography, read_gender
from maskwise.crowd.merging import cut_before_names, drop_repeated, merge_facts, strip_names
from maskwise.crowd.population import Profile
from maskwise.crowd.pronouns import Reference
from maskwise.crowd.references import Scene, read_scene
from maskwise.crowd.statements import read_dated, read_statements
from maskwise.crowd.voice import is_english
from maskwise.text import Document, Entity

__all__ = ["MOST", "Cast", "Fact", "Subject", "find_subjects", "read_known"]

MOST = 8  # people who are measured where the user names none
# What the reader of biographies misses now and then and profiles hold. All else that it leaves out stands in `further`.
COMPARED = frozenset(
    ("birth_place", "death_place", "event", "place", "organisation", "team", "member_of")
)
_DETAIL = "detail"  # a word or phrase of the text of unknown kind
_NOBODY = -1  # the number of nobody
_AGAIN = 2  # sentences about somebody else that make them a second person of a biography

EMPTY = "the document is empty: there is nobody to hide"
FOREIGN = "the document does not read as English: what it tells about people is not measured"
NOBODY = "the document speaks of no person: there is nobody to hide"
NO_FACTS = "the document tells no facts about a person: a rank among others is not measured"


@dataclass(frozen=True, slots=True)
class Subject:
    """One person to hide: what the document calls them, and the facts that it tells about them.

    `further` holds what an entry of an encyclopaedia tells beyond the facts that profiles of a crowd hold: dates,
    relatives, counts. An attacker who knows them too finds more, and to hide from that one masks far more words.
    """

    label: str  # "person 1", "the author": no text of the document
    entities: tuple[str, ...]  # ids; none where the document never names the person
    facts: tuple[Fact, ...]
    further: tuple[Fact, ...] = ()

    @property
    def profile(self) -> Profile:
        """The facts as a profile of a crowd."""
        return _make_profile(self.label, self.facts)

    @property
    def full_profile(self) -> Profile:
        """The facts and the further facts as a profile."""
        return _make_profile(self.label, (*self.facts, *self.further))


def _make_profile(label: str, facts: Iterable[Fact]) -> Profile:
    values: dict[str, list[str]] = {}
    for fact in facts:
        values.setdefault(fact.attribute, []).append(fact.value)
    return Profile.of(label, values)


@dataclass(frozen=True, slots=True)
class Cast:
    """The people in a document. `note` is one line about what is not measured, empty where all is.

    `is_partial` says that the document may tell facts about people who are not among the subjects.
    """

    subjects: tuple[Subject, ...]
    note: str = ""
    is_partial: bool = False


_Numbered = tuple[int, Fact]  # the number of a sentence, and what it tells


@dataclass(frozen=True, slots=True)
class _Telling:
    """A document, whom it speaks of, and everything it tells about anybody."""

    document: Document
    entities: Sequence[Entity]
    scene: Scene
    told: tuple[_Numbered, ...]  # by entities
    facts: tuple[_Numbered, ...]  # by entities and by statements
    meant: Mapping[int, frozenset[int]]  # by person, the sentences that mean them
    main: int | None  # the person of a biography
    is_entry: bool  # it is a biography as encyclopaedias have them

    def list_same(self, at: int) -> list[int]:
        """The numbers of a person. An entry is about the only protected person, whatever it calls them at first:
        "Lawrence Edward Holm" may be Larry Holm."""
        people = self.scene.people
        if not self.is_entry or self.main is None or self.main == at or not people[at].protected:
            return [at]
        return [at, self.main] if sum(one.protected for one in people) == 1 else [at]


def find_subjects(
    document: Document,
    entities: Sequence[Entity],
    known: Mapping[str, Mapping[str, object]] | None = None,
) -> Cast:
    """The people to hide in a document, each with what it tells about them.

    They are the protected people, or else those about whom the document tells facts. `known` holds facts that an
    attacker has, by name; see `read_known`.

    >>> from maskwise import Document, Sanitizer
    >>> letter = Document("My name is Ana Souza. I was born in Porto in 1971 and have three children.")
    >>> cast = find_subjects(letter, Sanitizer().entities(letter))
    >>> [(fact.attribute, fact.value) for fact in cast.subjects[0].facts]
    [('birth_place', 'Porto'), ('born', '1971'), ('family', 'three children'), ('gender', 'female')]
    """
    if not document.text.strip():
        return Cast((), EMPTY)
    if not is_english(document.text):
        return Cast((), FOREIGN, is_partial=True)
    scene = read_scene(document, entities)
    if not scene.people:
        return Cast((), NOBODY)
    telling = _read_document(document, entities, scene)
    given = match_known(known or {}, scene.people)
    chosen, left_out = _choose_people(telling, given.people)
    subjects = []
    for number, at in enumerate(chosen, 1):
        subjects.append(_drop_faint(_describe(telling, at, number, given.list_facts(at))))
    return _note_gaps(subjects, left_out, given.describe_gaps(len(subjects)))


def _read_document(document: Document, entities: Sequence[Entity], scene: Scene) -> _Telling:
    told = read_entities(scene.text, scene.sentences, entities)
    stated = cut_before_names(read_statements(scene.text, scene.sentences), entities)
    every = [*told, *read_dated(scene.text, told), *drop_repeated(stated, told)]
    every.sort(key=lambda fact: fact.spans)
    return _Telling(
        document,
        entities,
        scene,
        told=_number_facts(scene, told),
        facts=_number_facts(scene, every),
        meant=_sort_sentences(scene),
        main=(main := find_main(scene)),
        is_entry=main is not None and has_lifespan(scene.text),
    )


def _number_facts(scene: Scene, facts: Iterable[Fact]) -> tuple[_Numbered, ...]:
    return tuple((scene.find_sentence(fact.spans[0][0]), fact) for fact in facts)


def _choose_people(telling: _Telling, given: frozenset[int]) -> tuple[list[int], int]:
    """The people to measure, and the number of others about whom the document tells facts."""
    people = telling.scene.people
    protected = [at for at, one in enumerate(people) if one.protected]
    if protected:
        return protected, 0
    owned = _count_owned(telling)
    told = [at for at in range(len(people)) if owned[at] or at in given]
    if not told and telling.facts:
        told = list(range(len(people)))
    mentioned = Counter(
        at for sentence in telling.scene.references for r in sentence for at in r.whom
    )
    main = telling.main if telling.is_entry else None
    told.sort(key=lambda at: (at != main, at not in given, -mentioned[at], at))
    chosen = told[:MOST]
    if main in chosen:
        chosen = [at for at in chosen if at == main or at in given or owned[at] >= _AGAIN]
    return chosen, len(told) - len(chosen)


def _count_owned(telling: _Telling) -> Counter[int]:
    """By person, the sentences that tell a fact right after naming them."""
    scene = telling.scene
    owners: set[tuple[int, int]] = set()
    for number, fact in telling.facts:
        references = scene.references[number]
        at = max(bisect_right(references, fact.spans[0][0], key=_get_start) - 1, 0)
        owners.update((one, number) for nearest in references[at : at + 1] for one in nearest.whom)
    return Counter(one for one, _ in owners)


def _describe(telling: _Telling, at: int, number: int, given: Iterable[Fact]) -> Subject:
    """A person with everything that sentences about them tell."""
    scene = telling.scene
    one = scene.people[at]
    same = telling.list_same(at)
    names = frozenset(word for who in same for word in scene.people[who].names)
    label = one.label or f"person {number}"
    ids = tuple(entity.id for entity in sorted(one.entities, key=lambda entity: entity.first.start))
    facts = strip_names(_select_facts(telling, telling.facts, same), names)
    firm = [*given]
    if telling.main in same:
        firm += strip_names(_read_life(telling, telling.main), names)
    elif facts:
        facts += read_gender(scene, at)
    if telling.main not in same or not telling.is_entry:
        born = date_birth([*firm, *facts], scene, telling.entities)
        return Subject(label, ids, merge_facts(firm, [*facts, *born]))
    told = strip_names(_select_facts(telling, telling.told, same), names)
    known = merge_facts(firm, [fact for fact in told if fact.attribute in COMPARED])
    every = merge_facts(known, facts)
    return Subject(label, ids, every[: len(known)], every[len(known) :])


def _drop_faint(subject: Subject) -> Subject:
    """The subject without facts where these are a gender and single words at most: a rank by them would be chance."""
    if all(fact.attribute == "gender" or _is_word(fact) for fact in subject.facts):
        return replace(subject, facts=(), further=())
    return subject


def _is_word(fact: Fact) -> bool:
    """Whether a fact is one word of the text of which nothing is known but that it stands there."""
    return fact.attribute == _DETAIL and len(fact.value.split()) == 1


def _read_life(telling: _Telling, at: int) -> list[Fact]:
    """The facts of the person a biography is about."""
    scene = telling.scene
    life = read_biography(telling.document, scene, scene.people[at], telling.entities)
    said = next((fact.value for fact in life if fact.attribute == "gender"), "")
    return [*life, *read_gender(scene, at, said)]


def _get_start(reference: Reference) -> int:
    return reference.start


def _sort_sentences(scene: Scene) -> dict[int, frozenset[int]]:
    """By person, the numbers of the sentences that mean them, and those that mean nobody."""
    found: dict[int, set[int]] = {at: set() for at in range(len(scene.people))}
    nobody = set()
    for number, references in enumerate(scene.references):
        if not references:
            nobody.add(number)
        for reference in references:
            for at in reference.whom:
                found[at].add(number)
    return {at: frozenset(numbers) for at, numbers in (*found.items(), (_NOBODY, nobody))}


def _select_facts(telling: _Telling, facts: Iterable[_Numbered], same: Sequence[int]) -> list[Fact]:
    """The facts of sentences that mean the person, by any of their numbers, or nobody at all."""
    meant = telling.meant[_NOBODY].union(*(telling.meant[at] for at in same))
    return [fact for number, fact in facts if number in meant]


def _note_gaps(subjects: Sequence[Subject], left_out: int, remarks: Sequence[str]) -> Cast:
    """The subjects, and one line about what is not measured."""
    notes = list(remarks)
    if not any(subject.facts for subject in subjects):
        notes.insert(0, NO_FACTS)
    else:
        silent = [subject.label for subject in subjects if not subject.facts]
        notes += [f"the document tells no facts about {label}: not measured" for label in silent]
    if left_out:
        count = len(subjects)
        notes.append(
            f"the document tells facts about {count + left_out} people, and {count} of them "
            f"{'is' if count == 1 else 'are'} measured; name others with --protect"
        )
    return Cast(tuple(subjects), "; ".join(notes), is_partial=bool(left_out))
