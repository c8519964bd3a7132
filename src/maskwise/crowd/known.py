"""Facts that the user knows an attacker has: read from a small file, and given to the people of a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from maskwise.crowd.facts import Fact
from maskwise.crowd.people import Someone
from maskwise.errors import InputError
from maskwise.inputs import decode_yaml, read_small
from maskwise.text import Person
from maskwise.text.folding import fold_words

Known = dict[str, dict[str, tuple[str, ...]]]

_SHAPE = "write `attribute: value`, or `name: {attribute: value}` for several people"


def read_known(path: Path) -> Known:
    """The facts of a YAML file, by name and attribute. A flat mapping is about the only person, whose name is "".

    A value is a text, a number or a date, or a list of them.
    """
    data = decode_yaml(read_small(path), path.name)
    if not isinstance(data, dict) or not data:
        raise InputError(f"{path.name}: no mapping of facts; {_SHAPE}")
    nested = [isinstance(value, dict) for value in data.values()]
    if any(nested) and not all(nested):
        raise InputError(
            f"{path.name}: entry {nested.index(False) + 1} is no person as others are; {_SHAPE}"
        )
    people = data if all(nested) else {"": data}
    return {
        _read_key(name, path.name, f"person {at}", empty=not any(nested)): _read_person(
            facts, path.name, f"person {at}, " if any(nested) else ""
        )
        for at, (name, facts) in enumerate(people.items(), 1)
    }


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """Known facts by the number of a person, those without a name, and how many people the document does not name."""

    by_person: Mapping[int, tuple[Fact, ...]]
    nameless: tuple[Fact, ...]
    missing: int

    @property
    def people(self) -> frozenset[int]:
        return frozenset(self.by_person)

    def list_facts(self, at: int) -> tuple[Fact, ...]:
        """The facts that are known about a person. Facts without a name may be about anybody."""
        return (*self.by_person.get(at, ()), *self.nameless)

    def describe_gaps(self, count: int) -> list[str]:
        """Remarks about a document with `count` people to hide."""
        found = []
        if self.missing:
            whose = "1 person" if self.missing == 1 else f"{self.missing} people"
            found.append(
                f"the known facts of {whose} are not used: the document does not name them"
            )
        if self.nameless and count > 1:
            found.append(f"the known facts have no name and count for all {count} people")
        return found


def match_known(known: Mapping[str, Mapping[str, object]], people: Sequence[Someone]) -> KnownFacts:
    """Finds the person of each name. The only name stands for whom the document never names, if there is one."""
    found: dict[int, tuple[Fact, ...]] = {}
    nameless: tuple[Fact, ...] = ()
    missing = 0
    for name, values in known.items():
        facts = _list_facts(values)
        at = _find_person(name, people, only=len(known) == 1)
        if not name:
            nameless += facts
        elif at is None:
            missing += 1
        else:
            found[at] = (*found.get(at, ()), *facts)
    return KnownFacts(found, nameless, missing)


def _list_facts(values: Mapping[str, object]) -> tuple[Fact, ...]:
    return tuple(
        Fact(attribute, value, ())
        for attribute, some in values.items()
        for value in _list_texts(some)
    )


def _find_person(name: str, people: Sequence[Someone], only: bool) -> int | None:
    """The person who shares two words of the name, or its only word."""
    words = {word for part in Person(name).names for word in fold_words(part)}
    shared = [len(words & one.names) for one in people]
    best = max(shared, default=0)
    if words and best >= min(2, len(words)):
        return shared.index(best)
    unnamed = [at for at, one in enumerate(people) if not one.entities]
    return unnamed[0] if only and len(unnamed) == 1 else None


def _read_person(facts: object, source: str, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(facts, dict) or not facts:
        raise InputError(f"{source}: {where or 'the mapping '}has no facts; {_SHAPE}")
    return {
        _read_key(key, source, f"{where}entry {at}"): _read_values(
            value, source, f"{where}entry {at}"
        )
        for at, (key, value) in enumerate(facts.items(), 1)
    }


def _read_key(key: object, source: str, where: str, empty: bool = False) -> str:
    if isinstance(key, str) and (key.strip() or empty):
        return " ".join(key.split())
    raise InputError(f"{source}: {where} has a key that is no text; {_SHAPE}")


def _read_values(value: object, source: str, where: str) -> tuple[str, ...]:
    many = value if isinstance(value, list) else [value]
    for one in many:
        if isinstance(one, bool) or not isinstance(one, str | int | float | date):
            raise InputError(
                f"{source}: {where} holds no text, number or date; write texts in quotes"
            )
    texts = _list_texts(many)
    if not texts or len(texts) < len(many):
        raise InputError(
            f"{source}: {where} has an empty or repeated value; write what is known or leave it out"
        )
    return texts


def _list_texts(value: object) -> tuple[str, ...]:
    """Plain texts without repetition."""
    many = value if isinstance(value, list | tuple) else [value]
    texts = (" ".join(str(one).split()) for one in many if one is not None)
    return tuple(dict.fromkeys(text for text in texts if text))
