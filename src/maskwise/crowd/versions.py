"""Versions of a profile: an attacker knows some of what the document tells, and other things beside it.

A plan that hides a person from exactly the profile that the document tells fits that profile too closely: with what a
real attacker knows, the person may still be first. So the bi-encoder compares several versions, and the likeliest
counts. Each lacks some facts, and is moved a little towards somebody of the crowd who is like the person.
"""

from __future__ import annotations

import numpy as np

from maskwise.crowd.neighbours import Array
from maskwise.crowd.population import Profile

COUNT = 8  # versions beside the profile itself
_DROPPED = 0.3  # of the facts of a version
# How far a version moves: the profile that a document tells and the real one have a cosine of .95, as versions have.
_MOVED = np.float32(0.33)
_LIKE = 128  # people of the crowd who are like the person


def drop_some_facts(profile: Profile, random: np.random.Generator) -> Profile:
    """The profile without some of its facts; all of it where nothing would be left."""
    kept = []
    for key, values in profile.attributes:
        chosen = tuple(value for value in values if random.random() >= _DROPPED)
        if chosen:
            kept.append((key, chosen))
    return Profile(profile.id, tuple(kept), profile.text) if kept else profile


def list_versions(profile: Profile, seed: int = 0) -> list[Profile]:
    """The profile, then its versions. They depend on the profile alone.

    >>> lee = Profile.of("p1", {"born": 1921, "occupation": ["cellist", "teacher"]})
    >>> versions = list_versions(lee)
    >>> versions[0] == lee, len(versions) == 1 + COUNT
    (True, True)
    """
    random = np.random.default_rng(seed)
    return [profile, *(drop_some_facts(profile, random) for _ in range(COUNT))]


def choose_alike(likeness: Array, seed: int = 0) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """One person for each version, among those who are most like the profile."""
    most = min(_LIKE, len(likeness))
    near = np.argsort(-likeness, kind="stable")[:most]
    return np.asarray(np.random.default_rng(seed).choice(near, COUNT, replace=most < COUNT))


def move_versions(embeddings: Array, others: Array) -> Array:
    """The embedding of the profile as it is, and those of its versions moved towards other people."""
    moved = embeddings[1:] + _MOVED * others
    lengths = np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-12)
    return np.asarray(np.concatenate([embeddings[:1], moved / lengths]), dtype=np.float32)
