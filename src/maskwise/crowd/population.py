"""`Population`: the people among whom a person hides, each with a profile of facts (Morris et al. 2022, section 3).

Profiles are kept as packed bytes, not as objects, so that a register of a million people fits in ordinary memory.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from maskwise.errors import CorpusError

Duplicates = Literal["error", "first", "merge"]
Attributes = tuple[tuple[str, tuple[str, ...]], ...]

_FIELD, _VALUE = "\x1e", "\x1f"  # `Profile` turns both into spaces, so no value holds them


@dataclass(frozen=True, slots=True)
class Profile:
    """The facts of a register about one person: values by attribute, sorted by attribute. `text` is their document.

    >>> lee = Profile.of("p1", {"occupation": ["cellist", "teacher"], "born": 1921})
    >>> linearise(lee)
    'born: 1921 | occupation: cellist, teacher'
    """

    id: str
    attributes: Attributes = field(repr=False)
    text: str = field(default="", repr=False)

    @classmethod
    def of(cls, id: str, attributes: Mapping[str, object], text: str = "") -> Profile:
        """A profile from plain values: text, numbers or lists of them, without empty values and repetitions."""
        listed = [(_clean_key(key), _list_values(value)) for key, value in attributes.items()]
        known = [(key, values) for key, values in listed if values]
        return cls(id, tuple(sorted(known)), text)

    def get(self, key: str) -> tuple[str, ...]:
        return next((values for known, values in self.attributes if known == key), ())

    def choose(self, keys: Container[str]) -> Profile:
        """The profile with some attributes alone."""
        kept = tuple((key, values) for key, values in self.attributes if key in keys)
        return Profile(self.id, kept, self.text)

    def merge_with(self, other: Profile) -> Profile:
        """The values of both, and the text of the first that has one."""
        both: dict[str, list[str]] = {key: list(values) for key, values in self.attributes}
        for key, values in other.attributes:
            both.setdefault(key, []).extend(values)
        return Profile.of(self.id, both, self.text or other.text)


def linearise(profile: Profile) -> str:
    """The profile as one line that a language model can read: `key: value, value | key: value`, in order of keys."""
    return " | ".join(f"{key}: {', '.join(values)}" for key, values in profile.attributes)


class Population:
    """People in the order of their register. Models and results number people by this order.

    >>> people = Population([Profile.of("p1", {"born": 1921}), Profile.of("p2", {"born": 1921})])
    >>> len(people), people.index_of("p2"), people.identical
    (2, 1, 2)
    """

    def __init__(
        self, profiles: Iterable[Profile], duplicates: Duplicates = "error", source: str = ""
    ) -> None:
        if duplicates not in get_args(Duplicates):
            raise CorpusError(f"duplicates: one of {', '.join(get_args(Duplicates))} is expected")
        self.source = source
        self.repeated = 0  # rows whose id an earlier row has
        self.ids: list[str] = []
        self._places: dict[str, int] = {}
        self._packed: list[bytes] = []
        self._texts: list[bytes] = []
        for profile in profiles:
            self._add(profile, duplicates)

    @classmethod
    def load(
        cls,
        path: str | Path,
        duplicates: Duplicates = "error",
        separator: str = "",
        texts: bool = True,
    ) -> Population:
        """Read a register: JSONL (also .gz, .xz, .bz2), CSV or Parquet, see `maskwise.crowd.registers`."""
        from maskwise.crowd.registers import read_profiles

        people = cls(read_profiles(path, separator, texts), duplicates, str(path))
        if not people:
            raise CorpusError(f"{path}: no profile in this file")
        return people

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[Profile]:
        return map(self._unpack, self.ids, self._packed, self._texts)

    def __getitem__(self, place: int) -> Profile:
        return self._unpack(self.ids[place], self._packed[place], self._texts[place])

    def __repr__(self) -> str:
        return f"Population({len(self):,} profiles)"

    def index_of(self, id: str) -> int:
        """The place of a person; `CorpusError` for an id that the register does not have."""
        place = self._places.get(id)
        if place is None:
            source = self.source or "population"
            raise CorpusError(f"{source}: no profile has the id that was asked for")
        return place

    def __contains__(self, id: object) -> bool:
        return id in self._places

    def list_lines(self) -> Iterator[str]:
        """All profiles, linearised, in order."""
        return map(linearise, self)

    @property
    def identical(self) -> int:
        """How many people share their whole profile with somebody else. No text distinguishes them."""
        seen: dict[bytes, int] = {}
        for packed in self._packed:
            seen[packed] = seen.get(packed, 0) + 1
        return sum(count for count in seen.values() if count > 1)

    def _add(self, profile: Profile, duplicates: Duplicates) -> None:
        place = self._places.get(profile.id)
        if place is None:
            self._places[profile.id] = len(self.ids)
            self.ids.append(profile.id)
            self._packed.append(pack_attributes(profile.attributes))
            self._texts.append(profile.text.encode("utf-8", "replace"))
            return
        if duplicates == "error":
            rows = f"profile {len(self) + 1} has the id of profile {place + 1}"
            raise CorpusError(
                f"{self.source or 'population'}: {rows}; keep the `first` of them or `merge` them"
            )
        self.repeated += 1
        if duplicates == "merge":
            both = self._unpack(profile.id, self._packed[place], self._texts[place]).merge_with(
                profile
            )
            self._packed[place] = pack_attributes(both.attributes)
            self._texts[place] = both.text.encode("utf-8", "replace")

    @staticmethod
    def _unpack(id: str, packed: bytes, text: bytes) -> Profile:
        return Profile(id, unpack_attributes(packed), text.decode("utf-8"))


def pack_attributes(attributes: Attributes) -> bytes:
    fields = [_VALUE.join((key, *values)) for key, values in attributes]
    return _FIELD.join(fields).encode("utf-8", "replace")


def unpack_attributes(packed: bytes) -> Attributes:
    attributes = []
    for packed_field in packed.decode("utf-8").split(_FIELD) if packed else []:
        key, *values = packed_field.split(_VALUE)
        attributes.append((sys.intern(key), tuple(values)))
    return tuple(attributes)


def _list_values(value: object) -> tuple[str, ...]:
    """Plain text, without repetition, in order."""
    if type(value) is str:  # the usual case, millions of times per register
        plain = " ".join(value.split())
        return (plain,) if plain else ()
    many = value if isinstance(value, list | tuple) else (value,)
    texts = [" ".join(str(item).split()) for item in many if item is not None]
    return tuple(dict.fromkeys(text for text in texts if text))


@lru_cache(maxsize=1024)
def _clean_key(key: str) -> str:
    """The name of an attribute; one string for all profiles."""
    return sys.intern(" ".join(str(key).split()))
