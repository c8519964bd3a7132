"""The dense re-identification model (Morris et al. 2022): documents under masks and profiles as points of one space.

Profiles are embedded once for a population and kept in a file. Made by `maskwise train reid`; runs on ONNX Runtime, one
text a run, so that no result depends on what else is asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import BundleError
from maskwise.lm.encoder import cores, in_threads, session
from maskwise.lm.pieces import PieceTokenizer
from maskwise.reid.neighbours import Approximate, Array, Exact, Neighbours, log_softmax
from maskwise.reid.population import Population
from maskwise.reid.ranker import LogProbabilities, Masks
from maskwise.reid.redact import Worded, read_words, redact

FORMAT = 1
CONFIG, TOKENIZER, DOCUMENT, PROFILE = "config.json", "tokenizer.json", "document.onnx", "profile.onnx"
_RIVALS = 512  # profiles that compete with the true one in the estimate of `screen`
_HALF = 250_000  # profiles from which on embeddings are kept in half precision
_BATCH = 1024  # profiles between two reports of progress

Row = tuple[NDArray[np.int32], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class BiEncoderConfig:
    """What `config.json` says: `size` of an embedding, most pieces a `window`, and the SHA-256 of every file."""

    name: str
    size: int
    window: int
    files: dict[str, str]


class BiEncoder:
    """Both towers of a model folder."""

    def __init__(self, folder: Path, config: BiEncoderConfig, threads: int | None = None) -> None:
        self.folder, self.config, self.threads = folder, config, threads or cores()
        self.tokenizer = PieceTokenizer.load(folder)

    @classmethod
    def load(cls, folder: str | Path, threads: int | None = None) -> BiEncoder:
        """A model folder, checked file by file."""
        return cls(Path(folder), read_config(folder), threads)

    def fit(
        self,
        population: Population,
        *,
        cache: str | Path | None = None,
        approximate: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> DenseRanker:
        """A ranker of a population. `cache` is a folder where the profiles' embeddings are kept for the next time;
        `progress` hears how many of them are done."""
        profiles = self._cached(population, Path(cache), progress) if cache else self.profiles(population, progress)
        neighbours = Approximate(profiles, threads=self.threads) if approximate else Exact(profiles)
        return DenseRanker(self, neighbours)

    def profiles(
        self, population: Population, progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.float32] | NDArray[np.float16]:
        """Embeddings of all profiles, of length 1."""
        kind = np.float16 if len(population) >= _HALF else np.float32
        found = np.empty((len(population), self.config.size), dtype=kind)
        lines = population.lines()
        for start in range(0, len(population), _BATCH):
            part = self.lines(list(islice(lines, _BATCH)))
            found[start : start + len(part)] = part
            if progress:
                progress(start + len(part), len(population))
        return found

    def lines(self, lines: Sequence[str]) -> Array:
        """Embeddings of linearised profiles."""
        pieces = [self.tokenizer.encode(line) for line in lines]
        found = self._embed(self._profile, [(row.ids, row.shapes) for row in pieces])
        return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12))

    def documents(self, rows: Sequence[Worded]) -> Array:
        """Embeddings of documents under masks."""
        return self._embed(self._document, [(row.ids, row.shapes) for row in rows])

    def contributions(self, row: Worded) -> Array:
        """What each piece adds to the sum that the embedding is the mean of; the special pieces of all windows last."""
        parts = [
            self._run(self._document, part, "pieces")[0] for part in _windows((row.ids, row.shapes), self.config.window)
        ]
        special = sum(part[0] + part[-1] for part in parts)
        return np.concatenate([*(part[1:-1] for part in parts), special[None]])

    def count(self, row: Worded) -> int:
        """Windows that a row is read in."""
        return len(_windows((row.ids, row.shapes), self.config.window))

    def _embed(self, tower: Any, rows: Sequence[Row]) -> Array:
        def one(row: Row) -> Array:
            parts = _windows(row, self.config.window)
            sizes = np.array([len(ids) + 2 for ids, _ in parts], dtype=np.float32)
            values = np.concatenate([self._run(tower, part, "embedding") for part in parts])
            return np.asarray(sizes @ values / sizes.sum(), dtype=np.float32)

        return np.stack(list(in_threads(one, rows, self.threads))) if rows else np.zeros((0, self.config.size), "f4")

    def _run(self, tower: Any, row: Row, output: str) -> Array:
        ids, shapes = row
        table = np.zeros((3, 1, len(ids) + 2), dtype=np.int64)
        table[0, 0, 0], table[0, 0, 1:-1], table[0, 0, -1] = self.tokenizer.cls_id, ids, self.tokenizer.sep_id
        table[1, 0, 1:-1] = shapes
        table[2] = 1
        inputs = dict(zip(("input_ids", "shapes", "attention_mask"), table, strict=True))
        return np.asarray(tower.run([output], inputs)[0])

    def _cached(
        self, population: Population, folder: Path, progress: Callable[[int, int], None] | None
    ) -> NDArray[np.float32] | NDArray[np.float16]:
        """From the file named by the hash of model and profiles, which is written first where there is none."""
        key = hashlib.sha256(json.dumps(self.config.files, sort_keys=True).encode())
        for line in population.lines():
            key.update(line.encode("utf-8", "replace") + b"\n")
        path = folder / f"{self.config.name}-{key.hexdigest()[:24]}.npy"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(".part.npy")
            np.save(fresh, self.profiles(population, progress), allow_pickle=False)
            fresh.replace(path)
        return np.asarray(np.load(path, mmap_mode="r" if len(population) >= _HALF else None, allow_pickle=False))

    @cached_property
    def _document(self) -> Any:
        return session(self.folder / DOCUMENT)

    @cached_property
    def _profile(self) -> Any:
        return session(self.folder / PROFILE)


class DenseRanker:
    """The model with the embeddings of a population."""

    def __init__(self, model: BiEncoder, neighbours: Neighbours) -> None:
        self.model, self.neighbours = model, neighbours

    @property
    def name(self) -> str:
        return self.model.config.name

    def __len__(self) -> int:
        return len(self.neighbours)

    def read(self, words: Sequence[str]) -> DenseReading:
        return DenseReading(self.model, self.neighbours, read_words(self.model.tokenizer, words), len(words))


class DenseReading:
    """One document; see `maskwise.reid.ranker.Reading`."""

    def __init__(self, model: BiEncoder, neighbours: Neighbours, document: Worded, words: int) -> None:
        self._model, self._neighbours, self._document, self._words = model, neighbours, document, words

    def score(self, masks: Masks) -> LogProbabilities:
        rows = [self._redacted(mask) for mask in masks]
        return log_softmax(self._neighbours.logits(self._model.documents(rows)))

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        """From one run of the model. The embedding is a mean over pieces, so what is left of it without the pieces of a
        word is known, but for how they coloured each other; the nearest profiles stand for all."""
        row = self._redacted(mask)
        parts = self._model.contributions(row)
        total, count = parts.sum(axis=0), len(row) + 2 * self._model.count(row)
        sums = np.zeros((self._words, parts.shape[1]), dtype=np.float32)
        sizes = np.zeros(self._words, dtype=np.float32)
        seen = row.words >= 0
        np.add.at(sums, row.words[seen], parts[:-1][seen])
        np.add.at(sizes, row.words[seen], 1)
        left = (total - sums) / np.maximum(count - sizes, 1)[:, None]
        now = total / count
        logits = self._neighbours.logits(now[None])[0]
        rivals = np.argpartition(-logits, min(_RIVALS, len(logits) - 1))[:_RIVALS]
        rivals = rivals[rivals != target]
        ahead = self._neighbours.take(rivals) - self._neighbours.take(np.array([target]))
        fall = _log_odds(left @ ahead.T) - _log_odds((now @ ahead.T)[None])
        return np.where(mask | (sizes == 0), 0, fall).astype(np.float32)

    def _redacted(self, mask: NDArray[np.bool_]) -> Worded:
        return redact(self._document, mask, self._model.tokenizer.mask_id)


def _log_odds(gaps: Array) -> NDArray[np.float64]:
    """-log p of the true profile from how far each rival is ahead of it."""
    wide = gaps.astype(np.float64)
    top = np.maximum(wide.max(axis=1, initial=0), 0)
    return np.asarray(top + np.log(np.exp(-top) + np.exp(wide - top[:, None]).sum(axis=1)))


def _windows(row: Row, most: int) -> list[Row]:
    """Equal parts of a row of too many pieces; a row without any is one part."""
    ids, shapes = row
    count = max(-(-len(ids) // most), 1)
    return list(zip(np.array_split(ids, count), np.array_split(shapes, count), strict=True))


def read_config(folder: str | Path) -> BiEncoderConfig:
    """Checks a model folder, every hash included, and returns its configuration."""
    path = Path(folder)
    try:
        raw = json.loads((path / CONFIG).read_text("utf-8"))
        if raw["format"] != FORMAT or raw["kind"] != "bi-encoder":
            raise BundleError(f"{path}: no bi-encoder of format {FORMAT}; make one with `maskwise train reid`")
        files = {str(name): str(digest) for name, digest in raw["files"].items()}
        config = BiEncoderConfig(str(raw["name"]), int(raw["size"]), int(raw["window"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(f"{path / CONFIG}: no readable configuration of a bi-encoder") from error
    for name in (TOKENIZER, DOCUMENT, PROFILE):
        if files.get(name) != _sha256(path / name):
            raise BundleError(f"{path / name}: missing, or differs from the recorded SHA-256; export the model again")
    return config


def write_config(folder: str | Path, *, name: str, size: int, window: int, notes: dict[str, Any]) -> BiEncoderConfig:
    """Records the files of a folder with their hashes."""
    path = Path(folder)
    files = {file: _sha256(path / file) for file in (TOKENIZER, DOCUMENT, PROFILE)}
    record = {"format": FORMAT, "kind": "bi-encoder", "name": name, "size": size, "window": window, **notes}
    (path / CONFIG).write_text(json.dumps({**record, "files": files}, indent=1) + "\n", encoding="utf-8")
    return read_config(path)


def _sha256(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
