"""`Crowd`: people without names, ready to be asked whom a document is about.

The package ships one. A register of the user's replaces or extends it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from maskwise.crowd import crowd_folder
from maskwise.crowd.biencoder import BiEncoder
from maskwise.crowd.crowd_folder import CrowdConfig, Curve
from maskwise.crowd.dense import DenseRanker
from maskwise.crowd.joint import JointRanker
from maskwise.crowd.lexical import ANALYSERS, Lexical, join_values
from maskwise.crowd.mentioned import NO_MENTIONS, Mentions, load_plain_terms
from maskwise.crowd.neighbours import ExactNeighbours
from maskwise.crowd.population import Population, Profile
from maskwise.crowd.postings import Postings
from maskwise.crowd.ranker import Ranker
from maskwise.errors import InputError
from maskwise.text.folding import fold_words

FACTS, WORDS, DENSE, TOGETHER = "bm25", "words", "dense", "together"
# What the log-probabilities of each attacker weigh where they are added up.
WEIGHTS = {FACTS: 0.08, WORDS: 0.08, DENSE: 0.6}


@dataclass(frozen=True, eq=False)
class Crowd:
    """People, the attackers that know them, and what the attackers' odds are worth.

    `rows` are people of a register of the user's, with names and ids; the first of them has the place `offset`.
    The people of `without` are never guessed.
    """

    name: str
    rankers: Mapping[str, Ranker] = field(repr=False)
    calibration: Mapping[str, Curve] = field(default_factory=dict, repr=False)
    rows: Population | None = field(default=None, repr=False)
    folder: Path | None = field(default=None, repr=False)
    offset: int = 0
    without: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(next(iter(self.rankers.values())))

    @classmethod
    def open(cls, folder: str | Path | None = None) -> Crowd:
        """The crowd of a folder, or the one that ships with the package. It is read once per process."""
        return _open_once(Path(folder) if folder else find_bundled())

    @classmethod
    def of(cls, people: Population, progress: Callable[[int, int], None] | None = None) -> Crowd:
        """A register as a crowd, read by the bi-encoder that ships with the package."""
        shipped = find_bundled()
        config = crowd_folder.read_config(shipped)
        index = Postings.build(_list_terms(people))
        rankers = _build_lexical(index, _list_attributes(people))
        encoder = BiEncoder.load(shipped / crowd_folder.ENCODER)
        rankers[DENSE] = encoder.fit(people, progress=progress)
        return cls(people.source or "register", add_joint(rankers), config.calibration, people)

    def read_profiles(self) -> Iterator[Profile]:
        """All profiles, in order."""
        own = crowd_folder.read_people(self.folder) if self.folder else ()
        return chain(own, self.rows or ())

    def extend(self, people: Population) -> Crowd:
        """This crowd and the people of a register, who come after its own."""
        index, common = self._collect_postings()
        attributes = _list_attributes(chain(self.read_profiles(), people))
        rankers = _build_lexical(index.extend(_list_terms(people)), attributes, common)
        dense = self.rankers.get(DENSE)
        if isinstance(dense, DenseRanker):
            own = dense.neighbours.take(np.arange(len(self)))
            more = np.asarray(dense.model.embed_profiles(people), dtype=np.float32)
            rankers[DENSE] = DenseRanker(dense.model, ExactNeighbours(np.concatenate([own, more])))
        name = f"{self.name} and {people.source or 'register'}"
        rows = Population(chain(self.rows or (), people))
        offset = len(self) - len(self.rows or ())
        return Crowd(name, add_joint(rankers), self.calibration, rows, self.folder, offset)

    def _collect_postings(self) -> tuple[Postings, frozenset[str]]:
        """The postings of its people, and the terms that tell nothing."""
        rows = _list_terms(self.rows or ())
        if self.folder is None:
            return Postings.build(rows), frozenset()
        index, common = crowd_folder.read_postings(self.folder)
        return index.extend(rows), common

    def find_rows(self, names: Sequence[str]) -> list[int]:
        """The people of the user's register who bear one of the names; a crowd without names has none."""
        asked = {tuple(fold_words(name)) for name in names}
        return sorted({place for name in asked for place in self._places.get(name, ())})

    def find_id(self, id: str) -> list[int]:
        """The person of the user's register with this id."""
        if self.rows is None or id not in self.rows:
            return []
        return [self.offset + self.rows.index_of(id)]

    def add_rows(self, profile: Profile, places: Sequence[int]) -> Profile:
        """A profile with what the user's register says of the same person."""
        for place in places:
            if self.rows is not None:
                profile = profile.merge_with(self.rows[place - self.offset])
        return profile

    @cached_property
    def _places(self) -> dict[tuple[str, ...], list[int]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for place, profile in enumerate(self.rows or (), self.offset):
            for name in profile.get("name"):
                found.setdefault(tuple(fold_words(name)), []).append(place)
        return found

    def estimate_chance(self, attacker: str, log_odds: float) -> float:
        """The probability that an attacker finds the person, calibrated where the crowd was."""
        curve = self.calibration.get(attacker)
        if curve is not None:
            return curve.read(log_odds)
        return 1 / (1 + math.exp(min(-log_odds, 700.0)))

    def choose(self, attackers: Sequence[str]) -> dict[str, Ranker]:
        """Some of the attackers, all if none is named."""
        unknown = next((name for name in attackers if name not in self.rankers), None)
        if unknown is not None:
            raise InputError(f"no attacker {unknown!r}; there are {', '.join(self.rankers)}")
        return {name: self.rankers[name] for name in attackers or self.rankers}


def find_bundled() -> Path:
    """The folder of the crowd that ships with the package."""
    return Path(str(files("maskwise.bundle").joinpath("crowd")))


def build_crowd(
    people: Population,
    folder: str | Path,
    *,
    name: str,
    encoder: BiEncoder | None = None,
    mentions: Mentions = NO_MENTIONS,
    sources: str = "",
    calibration: Mapping[str, Curve] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CrowdConfig:
    """Writes people as a crowd folder. Their names should be removed before (see `maskwise.crowd.nameless`).

    `mentions` are what the texts about them say beside their facts (see `maskwise.crowd.mentioned`).
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    crowd_folder.write_people(target, people)
    index = Postings.build(_list_terms(people), mentions.by_text)
    crowd_folder.write_postings(target, index, mentions.common)
    if encoder is not None:
        crowd_folder.write_embeddings(target, np.asarray(encoder.embed_profiles(people, progress)))
    return crowd_folder.write_config(
        target,
        name=name,
        people=len(people),
        attributes=sorted(_list_attributes(people)),
        calibration=calibration or {},
        sources=sources,
    )


@lru_cache(maxsize=4)
def _open_once(folder: Path) -> Crowd:
    config = crowd_folder.read_config(folder)
    index, common = crowd_folder.read_postings(folder)
    rankers = _build_lexical(index, frozenset(config.attributes), common)
    encoder = _find_encoder(folder)
    if encoder is not None and crowd_folder.EMBEDDINGS in config.files:
        embeddings: Any = crowd_folder.read_embeddings(folder)
        rankers[DENSE] = DenseRanker(BiEncoder.load(encoder), ExactNeighbours(embeddings))
    return Crowd(config.name, add_joint(rankers), config.calibration, folder=folder)


def add_joint(rankers: dict[str, Ranker]) -> dict[str, Ranker]:
    """The attackers, and all of them as one."""
    if DENSE not in rankers:
        return rankers
    return {**rankers, TOGETHER: JointRanker(TOGETHER, rankers, WEIGHTS)}


def _build_lexical(
    index: Postings, attributes: frozenset[str], common: frozenset[str] = frozenset()
) -> dict[str, Ranker]:
    """An attacker who knows facts and compares facts, and one who also knows what texts mention.

    A profile that joins the first is asked for attributes that the crowd has: of others it knows nothing of anybody.
    """
    facts = Lexical.weigh(index.drop_mentions(), FACTS)
    common = common | load_plain_terms()
    words = Lexical.weigh(index, WORDS)
    return {
        FACTS: replace(facts, attributes=attributes, common=common),
        WORDS: replace(words, common=common),
    }


def _list_terms(people: Iterable[Profile]) -> Iterator[list[str]]:
    """The terms of each profile."""
    return (ANALYSERS[FACTS](join_values(profile)) for profile in people)


def _list_attributes(people: Iterable[Profile]) -> frozenset[str]:
    return frozenset(key for profile in people for key, _ in profile.attributes)


def _find_encoder(folder: Path) -> Path | None:
    """The folder's own bi-encoder, else the one that ships with the package."""
    for path in (folder / crowd_folder.ENCODER, find_bundled() / crowd_folder.ENCODER):
        if path.is_dir():
            return path
    return None
