"""Crowd folders: profiles, postings and embeddings in compact files, each checked by its SHA-256.

A folder holds `crowd.json`, `profiles.xz` (one packed profile per line), `postings.npz` (BM25 over whole words) and,
where the crowd has a bi-encoder, `embeddings.npz` and the folder `encoder`.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.population import Profile, pack_attributes, unpack_attributes
from maskwise.crowd.postings import Postings
from maskwise.errors import BundleError

FORMAT = 1
CONFIG = "crowd.json"
PROFILES, POSTINGS, EMBEDDINGS, ENCODER = "profiles.xz", "postings.npz", "embeddings.npz", "encoder"
_STEPS = 127  # of an embedding's int8 numbers on each side of 0


@dataclass(frozen=True, slots=True)
class Curve:
    """The probability that an attacker finds the person, by its log-odds: points with straight lines between them."""

    odds: tuple[float, ...]
    chances: tuple[float, ...]

    def read(self, log_odds: float) -> float:
        return float(np.interp(log_odds, self.odds, self.chances))


@dataclass(frozen=True, slots=True)
class CrowdConfig:
    """The content of `crowd.json`. `calibration` is fitted on people of the crowd, per attacker."""

    name: str
    people: int
    attributes: Sequence[str]
    files: Mapping[str, str]
    calibration: Mapping[str, Curve] = field(default_factory=dict)
    sources: str = ""


def read_config(folder: Path) -> CrowdConfig:
    """Checks a crowd folder, every hash included, and returns its configuration."""
    try:
        raw = json.loads((folder / CONFIG).read_text("utf-8"))
        if raw.pop("format") != FORMAT:
            raise BundleError(
                f"{folder}: no crowd of format {FORMAT}; make one with `maskwise crowd build`"
            )
        curves = {}
        for name, curve in raw.pop("calibration").items():
            curves[name] = Curve(tuple(curve["odds"]), tuple(curve["chances"]))
        config = CrowdConfig(**raw, calibration=curves)
        if not {PROFILES, POSTINGS} <= config.files.keys():
            raise KeyError(PROFILES)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(f"{folder / CONFIG}: no readable configuration of a crowd") from error
    for name, digest in config.files.items():
        if _hash_file(folder / name) != digest:
            raise BundleError(
                f"{folder / name}: missing, or differs from the recorded SHA-256; build the crowd again"
            )
    return config


def write_config(
    folder: Path,
    *,
    name: str,
    people: int,
    attributes: Sequence[str],
    calibration: Mapping[str, Curve],
    sources: str,
) -> CrowdConfig:
    """Records the files of a folder with their hashes."""
    listed = [path for path in (PROFILES, POSTINGS, EMBEDDINGS) if (folder / path).exists()]
    files = {path: _hash_file(folder / path) for path in listed}
    config = CrowdConfig(name, people, attributes, files, calibration, sources)
    text = json.dumps({"format": FORMAT, **asdict(config)}, indent=1)
    (folder / CONFIG).write_text(text + "\n", encoding="utf-8")
    return read_config(folder)


def write_people(folder: Path, profiles: Iterable[Profile]) -> int:
    """Writes the packed profiles, without ids and texts; returns how many there are."""
    lines = [pack_attributes(profile.attributes).replace(b"\n", b" ") for profile in profiles]
    (folder / PROFILES).write_bytes(lzma.compress(b"\n".join(lines), preset=6))
    return len(lines)


def read_people(folder: Path) -> Iterator[Profile]:
    """The profiles in order; the id of each is its place."""
    lines = lzma.decompress((folder / PROFILES).read_bytes()).split(b"\n")
    for place, line in enumerate(lines):
        yield Profile(str(place), unpack_attributes(line))


def write_postings(folder: Path, index: Postings, common: Sequence[str] = ()) -> None:
    """Writes postings in the smallest integers that hold them. Counts above 255 count as 255.

    `common` are terms that tell nothing, because too many people share them.
    """
    terms = sorted(index.vocabulary, key=index.vocabulary.__getitem__)
    smallest = np.uint16 if index.size <= 1 << 16 else np.uint32
    np.savez_compressed(
        folder / POSTINGS,
        terms=_pack_terms(terms),
        common=_pack_terms(common),
        frequencies=index.frequencies.astype(np.uint32),
        documents=index.documents.astype(smallest),
        counts=np.minimum(index.counts, 255).astype(np.uint8),
        size=np.array(index.size),
    )


def read_postings(folder: Path) -> tuple[Postings, frozenset[str]]:
    """The postings, and the terms that tell nothing."""
    with _load_arrays(folder / POSTINGS) as arrays:
        terms = _unpack_terms(arrays["terms"])
        starts = np.concatenate([[0], np.cumsum(arrays["frequencies"], dtype=np.int64)])
        vocabulary = {term: at for at, term in enumerate(terms)}
        documents = arrays["documents"].astype(np.int64)
        counts = arrays["counts"].astype(np.float64)
        index = Postings(vocabulary, starts, documents, counts, int(arrays["size"]))
        return index, frozenset(_unpack_terms(arrays["common"]))


def write_embeddings(folder: Path, embeddings: NDArray[Any]) -> None:
    """Writes embeddings as int8 with one scale per profile."""
    largest = np.abs(embeddings).max(axis=1, keepdims=True, initial=1e-12)
    steps = np.round(embeddings / largest * _STEPS).astype(np.int8)
    np.savez(folder / EMBEDDINGS, steps=steps, scales=(largest / _STEPS).astype(np.float32))


def read_embeddings(folder: Path) -> NDArray[np.float32]:
    with _load_arrays(folder / EMBEDDINGS) as arrays:
        return np.asarray(arrays["steps"] * arrays["scales"], dtype=np.float32)


def _pack_terms(terms: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(terms).encode("utf-8"), dtype=np.uint8)


def _unpack_terms(packed: NDArray[np.uint8]) -> list[str]:
    text = packed.tobytes().decode("utf-8")
    return text.split("\n") if text else []


def _load_arrays(path: Path) -> Any:
    return np.load(path, allow_pickle=False)


def _hash_file(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
