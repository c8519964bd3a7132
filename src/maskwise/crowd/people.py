"""Finds the people in a document: those with names, the author of a text in the first person, those known by a role."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from maskwise.crowd.relations import HONOURS
from maskwise.text import Document, Entity, EntityType, Mention, Person, subtypes
from maskwise.text.folding import fold_words
from maskwise.text.gender import guess_gender
from maskwise.text.person import Name, parse_name
from maskwise.text.types import Span

_NEAR = 40  # characters after a name in which the text may give it a role
_SIGNED = (
    80  # characters after a closing formula, or before the end, in which a name is a signature
)
_RULE = " \t\r\n.-–—*_)"
_CLOSING = re.compile(
    r"(?im)^[ \t]*(?:yours(?: \w+){0,2}|(?:with )?(?:kind(?:est)?|best|warm(?:est)?|many)? ?(?:regards|wishes|thanks)"
    r"|sincerely|faithfully|respectfully|love|cheers|signed|best|take care|your (?:loving )?\w+)[ ,.!:]*$"
)
_SAID = re.compile(
    r"(?:\b[Mm]y name(?: is|['’]s)|\bI am|\bI['’]m|\bI,|^From:|^Author:|Signed:?)\s+\Z", re.M
)
_GREETED = re.compile(r"(?:\b(?:Dear|Hi|Hello|Hey)|^To:)\s+\Z", re.M)
_EXPERT = (
    r"(?:lawyer|counsel|solicitor|barrister|advocate|attorney|judge|registrar|rapporteur|interpreter|doctor|physician|surgeon"
    r"|consultant|nurse|GP|therapist|officer|constable|inspector|detective|sergeant|prosecutor|reporter|secretary)"
)
_EXPERT_BEFORE = re.compile(
    rf"\b(?:{_EXPERT}(?:,| was| is|:)?|[Rr]epresented by|Dr\.?|Prof\.?)\s\Z"
)
_EXPERT_AFTER = re.compile(rf",? (?:(?:an?|the|his|her|my|their|our) )?(?:\w+ )?{_EXPERT}\b")
_EXPERT_TITLE = re.compile(
    r"(?:Dr|Prof|Judge|Justice|Inspector|Sergeant|Sgt|PC|DC|Detective|Officer|Nurse)\b"
)

_LABELS = frozenset(
    "dob vitae curriculum mrn nhs re cc tel fax date name patient mr mrs ms dr".split()
)

# Words for people whom a document may never name.
ROLES = (
    "applicant claimant plaintiff petitioner complainant appellant defendant accused suspect victim deceased patient "
    "detainee prisoner inmate tenant employee pupil insured"
).split()
_ANY = "|".join(ROLES)
_HUMAN = r"(?:(?P<m>man|boy|gentleman|male)|(?P<f>woman|girl|lady|female)|infant|newborn|baby)"
_ROLE = re.compile(
    rf"(?:\b(?:[Tt]he|[Tt]his|[Oo]ur) (?:(?:said|first|second|third|present|late|male|female|\d\S*) )?"
    rf"(?P<role>{_ANY})(?P<many>s?)|^[ \t]*(?P<field>(?i:{_ANY}))(?:['’]s)?(?: name)?(?=[ \t]*:))(?![\w-])",
    re.MULTILINE,
)
_DESCRIBED = re.compile(rf"\b(?:[Aa]n?|[Tt]his|[Tt]he) (?:[\w-]+,? ){{0,4}}?{_HUMAN}\b")
_PRESENT = re.compile(r"[Tt]his |year|aged")  # somebody the text is about, not anybody it meets
_GAP = re.compile(r"[\s,:(\"“–-]{1,4}")
_DEFINED = re.compile(
    rf"\s?[,(\"“‘:][\s,(\"“‘'’:-]*(?:herein\w*|hereafter)?[\s,\"“‘:-]*(?:the )?(?P<role>{_ANY})\b"
)


@dataclass(frozen=True, slots=True)
class Someone:
    """A person of the document: the entities that name them, the words of their names in small letters, "m" or "f"."""

    entities: tuple[Entity, ...] = ()
    names: frozenset[str] = field(default=frozenset(), repr=False)
    gender: str = ""
    protected: bool = False
    label: str = ""  # for whom no entity names

    @property
    def mentions(self) -> Iterator[Mention]:
        return (mention for entity in self.entities for mention in entity.mentions)


class RoleMention(NamedTuple):
    """A place where the text says "the applicant" or "a woman", and the gender that it tells."""

    span: Span
    role: str
    gender: str = ""


def gather_named(document: Document, entities: Sequence[Entity]) -> list[Someone]:
    """People whom entities name, protected people first and one for each of them, then in order of appearance.

    A bare name belongs to the first person whose full name has it.
    """
    count = len(document.protected)
    groups: list[list[Entity]] = [[] for _ in document.protected]
    words = [set(_fold_name(person)) for person in document.protected]
    homes: dict[str, int] = {}  # by each word of a full name, the first group that has it
    for entity, name in _sort_by_name(entities):
        own = set(name.words)
        home = homes.get(name.words[-1]) if name.words and _is_bare(entity, name) else None
        if entity.protected and count:
            home = max(range(count), key=lambda at: len(own & words[at]))
        elif home is None and _is_bare(entity, name):
            home = next((at for at in range(count) if own and own <= words[at]), None)
        if home is not None and (entity.protected or own <= words[home]):
            groups[home].append(entity)
            continue
        for word in name.words if len(name.words) > 1 else ():
            homes.setdefault(word, len(groups))
        groups.append([entity])
        words.append(own)
    people = [_describe(group, document.protected[at : at + 1]) for at, group in enumerate(groups)]
    return people[:count] + sorted(people[count:], key=lambda one: next(one.mentions).start)


def find_author(text: str, people: Sequence[Someone]) -> int | None:
    """The person who signs the text or says "my name is"; None where nobody plainly does."""
    closings = [match.end() for match in _CLOSING.finditer(text)]
    found = None
    for at, one in enumerate(people):
        for mention in one.mentions:
            start, end = mention.span
            if mention.subtype == "name_said" or _SAID.search(text, max(0, start - 20), start):
                return at
            closed = bisect_right(closings, start)
            signed = closed > 0 and start - closings[closed - 1] < _SIGNED
            last = end > len(text) - _SIGNED and not text[end:].strip(_RULE)
            if (signed or last) and not text[max(0, start - 40) : start].rpartition("\n")[2].strip(
                _RULE
            ):
                found = at
    return found


def find_addressee(text: str, people: Sequence[Someone]) -> tuple[int, ...]:
    """The person whom a letter greets, if any."""
    for at, one in enumerate(people):
        for mention in one.mentions:
            if _GREETED.search(text, max(0, mention.start - 10), mention.start):
                return (at,)
    return ()


def find_roles(text: str) -> list[RoleMention]:
    """Where the text speaks of somebody by a role. In a note, "a woman" and "a 43-year-old man" are the patient."""
    found = [
        RoleMention(match.span(), (match["role"] or match["field"]).lower() + (match["many"] or ""))
        for match in _ROLE.finditer(text)
    ]
    known = {mention.role for mention in found}
    if known <= {"patient"}:
        found += [
            RoleMention(match.span(), "patient", "m" if match["m"] else "f" if match["f"] else "")
            for match in _DESCRIBED.finditer(text)
            if known or _PRESENT.search(match[0])
        ]
    return sorted(found)


def link_roles(
    text: str, people: Sequence[Someone], roles: Sequence[RoleMention], experts: frozenset[int]
) -> dict[str, int]:
    """By role, the person to whom the text gives it beside their name: "the patient, Ana Souza"."""
    able = [(at, one) for at, one in enumerate(people) if at not in experts]
    starts = {mention.start: at for at, one in able for mention in one.mentions}
    found: dict[str, int] = {}
    for mention in roles:
        if mention.role not in ROLES:  # several people have it
            continue
        gap = _GAP.match(text, mention.span[1])
        after = starts.get(gap.end()) if gap else None
        if after is not None:
            found.setdefault(mention.role, after)
    known = {mention.role for mention in roles}
    for at, one in able if known else ():
        for name in one.mentions:
            named = _DEFINED.match(text, name.end, name.end + _NEAR)
            if named and named["role"] in known:
                found.setdefault(named["role"], at)
    return found


def is_expert(text: str, one: Someone) -> bool:
    """Whether the text knows a person by the service they render: a lawyer, a doctor, an officer."""
    for at, mention in enumerate(one.mentions):
        if at == 3:
            return False
        if (
            _EXPERT_TITLE.match(mention.text)
            or _EXPERT_BEFORE.search(text, max(0, mention.start - 30), mention.start)
            or _EXPERT_AFTER.match(text, mention.end, mention.end + 40)
        ):
            return True
    return False


def _sort_by_name(entities: Sequence[Entity]) -> list[tuple[Entity, Name]]:
    """The entities that name people, the fullest names first, equals in order."""
    persons = [
        (entity, parse_name(HONOURS.sub("", entity.longest.text)))
        for entity in entities
        if entity.protected or entity.type is EntityType.PERSON
    ]
    persons = [(entity, name) for entity, name in persons if not _is_label(name)]
    return sorted(persons, key=lambda person: -len(person[1].words))


def _is_label(name: Name) -> bool:
    """Whether a label of a form was taken for a name."""
    return bool(name.words) and _LABELS.issuperset(name.words)


def _is_bare(entity: Entity, name: Name) -> bool:
    """Whether an entity is a single name or a login, which may belong to somebody with a full name."""
    handle = any(subtype.startswith(subtypes.HANDLE) for subtype in entity.subtypes)
    relative = subtypes.RELATIVE in entity.subtypes
    return handle or (len(name.words) == 1 and not name.titled and not relative)


def _describe(group: Sequence[Entity], protected: Sequence[Person]) -> Someone:
    texts = dict.fromkeys(mention.text for entity in group for mention in entity.mentions)
    parsed = [parse_name(HONOURS.sub("", text)) for text in texts]
    names = {word for name in parsed for word in name.words}
    names.update(word for person in protected for word in _fold_name(person))
    genders = [name.gender for name in parsed if name.gender]
    genders += [guess_gender(name.words[0]) for name in parsed if len(name.words) > 1]
    genders += [guess_gender(person.name) for person in protected]
    gender = next((gender for gender in genders if gender), "")
    marked = bool(protected) or any(entity.protected for entity in group)
    return Someone(tuple(group), frozenset(names), gender, marked)


def _fold_name(person: Person) -> Iterator[str]:
    for name in (*person.names, *person.aliases):
        yield from (word for word in fold_words(name) if len(word) > 1)
