"""The dense re-identification model (Morris et al. 2022): documents under masks and profiles as points of one space.

Profiles are embedded once per population and kept in a file. `maskwise train reid` makes the model. It runs on ONNX
Runtime, one text per run, so that no result depends on what else is asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.neighbours import (
    ApproximateNeighbours,
    Array,
    ExactNeighbours,
    JoinedNeighbours,
    Neighbours,
    log_softmax,
)
from maskwise.crowd.population import Population, Profile, linearise
from maskwise.crowd.ranker import LogProbabilities, Masks
from maskwise.crowd.redact import WordPieces, read_words, redact
from maskwise.errors import BundleError
from maskwise.lm.encoder import count_cores, open_session, run_in_threads
from maskwise.lm.pieces import PieceTokenizer

FORMAT = 2
CONFIG = "config.json"
TOKENIZER, DOCUMENT, PROFILE, WORDS = (
    "tokenizer.json",
    "document.onnx",
    "profile.onnx",
    "embedding.bin",
)
FILES = (TOKENIZER, DOCUMENT, PROFILE, WORDS)
_RIVALS = 512  # profiles that compete with the true one in the estimate of `screen`
_KEPT = 16  # maskings scored last that `screen` may start from
_WINDOWS = 256  # windows whose pieces are kept for `screen`
HALF = 1_000_000  # from so many profiles on, embeddings are kept in half precision, which is slower
_BATCH = 1024  # profiles between two reports of progress

Row = tuple[NDArray[np.int32], NDArray[np.uint8]]
Window = tuple[int, int, WordPieces]  # the first word, the one after the last, and the pieces
Key = tuple[int, bytes]  # a window, and which of its words are masked


@dataclass(frozen=True, slots=True)
class BiEncoderConfig:
    """The content of `config.json`: `size` of an embedding, most pieces per `window`, the SHA-256 of every file."""

    name: str
    size: int
    window: int
    files: dict[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class DocumentEmbedding:
    """The parts of which a document's embedding is the mean: one per piece, and the sum of the special pieces.

    `count` is the number of all of them.
    """

    pieces: Array
    special: Array
    count: int

    @property
    def embedding(self) -> Array:
        return np.asarray((self.pieces.sum(axis=0) + self.special) / np.float32(self.count))


class BiEncoder:
    """The two networks of a model folder: one reads documents, one reads profiles."""

    def __init__(self, folder: Path, config: BiEncoderConfig, threads: int | None = None) -> None:
        self.folder = folder
        self.config = config
        self.threads = threads or count_cores()
        self.tokenizer = PieceTokenizer.load(folder)

    @classmethod
    def load(cls, folder: str | Path, threads: int | None = None) -> BiEncoder:
        """Loads a model folder and checks every file."""
        return cls(Path(folder), read_config(folder), threads)

    def fit(
        self,
        population: Population,
        *,
        cache: str | Path | None = None,
        approximate: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> DenseRanker:
        """A ranker of a population.

        The embeddings of the profiles are kept in the folder `cache` for the next time. `progress` is called with the
        number of profiles that are done.
        """
        profiles = (
            self._load_or_embed(population, Path(cache), progress)
            if cache
            else self.embed_profiles(population, progress)
        )
        if approximate:
            return DenseRanker(self, ApproximateNeighbours(profiles, threads=self.threads))
        return DenseRanker(self, ExactNeighbours(profiles))

    def embed_profiles(
        self, population: Population, progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.float32] | NDArray[np.float16]:
        """Embeddings of all profiles, of length 1."""
        kind = np.float16 if len(population) >= HALF else np.float32
        found = np.empty((len(population), self.config.size), dtype=kind)
        lines = population.lines()
        for start in range(0, len(population), _BATCH):
            part = self.embed_lines(list(islice(lines, _BATCH)))
            found[start : start + len(part)] = part
            if progress:
                progress(start + len(part), len(population))
        return found

    def embed_documents(self, rows: Sequence[WordPieces]) -> list[DocumentEmbedding]:
        """Documents under masks."""

        def embed_one(row: WordPieces) -> DocumentEmbedding:
            windows = self._split_windows(row.ids, row.shapes)
            parts = [self._run(self._document_tower, window, "pieces")[0] for window in windows]
            special = np.stack([part[0] + part[-1] for part in parts]).sum(axis=0)
            pieces = np.concatenate([part[1:-1] for part in parts])
            return DocumentEmbedding(pieces, special, sum(map(len, parts)))

        return list(run_in_threads(embed_one, rows, self.threads))

    @cached_property
    def nothing(self) -> Array:
        """The embedding of a document of which all is masked."""
        mask = np.array([self.tokenizer.mask_id], dtype=np.int32)
        row = WordPieces(mask, np.zeros(1, dtype=np.uint8), np.full(1, -1, dtype=np.int32))
        [found] = self.embed_documents([row])
        return found.embedding

    def embed_lines(self, lines: Sequence[str]) -> Array:
        """Embeddings of linearised profiles."""

        def embed_one(line: str) -> Array:
            pieces = self.tokenizer.encode(line)
            windows = self._split_windows(pieces.ids, pieces.shapes)
            sizes = np.array([len(ids) + 2 for ids, _ in windows], dtype=np.float32)
            parts = [self._run(self._profile_tower, window, "embedding") for window in windows]
            return np.asarray(sizes @ np.concatenate(parts))

        none = np.zeros(
            self.config.size, dtype=np.float32
        )  # gives the stack its width where there is no line
        found = np.stack([none, *run_in_threads(embed_one, lines, self.threads)])[1:]
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(found / np.maximum(lengths, 1e-12))

    def _split_windows(self, ids: NDArray[np.int32], shapes: NDArray[np.uint8]) -> list[Row]:
        """Equal parts of a text with too many pieces. A text without pieces is one part."""
        count = max(-(-len(ids) // self.config.window), 1)
        parts = zip(np.array_split(ids, count), np.array_split(shapes, count), strict=True)
        return list(parts)

    def _run(self, tower: Any, row: Row, output: str) -> Array:
        ids, shapes = row
        table = np.zeros((3, 1, len(ids) + 2), dtype=np.int64)
        table[0, 0, 0] = self.tokenizer.cls_id
        table[0, 0, 1:-1] = ids
        table[0, 0, -1] = self.tokenizer.sep_id
        table[1, 0, 1:-1] = shapes
        table[2] = 1
        inputs = dict(zip(("input_ids", "shapes", "attention_mask"), table, strict=True))
        return np.asarray(tower.run([output], inputs)[0])

    def _load_or_embed(
        self, population: Population, folder: Path, progress: Callable[[int, int], None] | None
    ) -> NDArray[np.float32] | NDArray[np.float16]:
        """Embeddings from the file that is named by the hash of model and profiles. Writes it where there is none."""
        key = hashlib.sha256(json.dumps(self.config.files, sort_keys=True).encode())
        for line in population.lines():
            key.update(line.encode("utf-8", "replace") + b"\n")
        path = folder / f"{self.config.name}-{key.hexdigest()[:24]}.npy"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(".part.npy")
            np.save(fresh, self.embed_profiles(population, progress), allow_pickle=False)
            fresh.replace(path)
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))

    @cached_property
    def _document_tower(self) -> Any:
        return open_session(self.folder / DOCUMENT)

    @cached_property
    def _profile_tower(self) -> Any:
        return open_session(self.folder / PROFILE)


class DenseRanker:
    """The model with the embeddings of a population."""

    def __init__(self, model: BiEncoder, neighbours: Neighbours) -> None:
        self.model = model
        self.neighbours = neighbours

    @property
    def name(self) -> str:
        return self.model.config.name

    def __len__(self) -> int:
        return len(self.neighbours)

    def join(self, profile: Profile, without: Sequence[int] = ()) -> DenseRanker:
        [embedding] = self.model.embed_lines([linearise(profile)])
        joined = JoinedNeighbours(self.neighbours, embedding, self.model.nothing, without)
        return DenseRanker(self.model, joined)

    def read(self, words: Sequence[str]) -> DenseScorer:
        document = read_words(self.model.tokenizer, words)
        return DenseScorer(self.model, self.neighbours, document, len(words))


class DenseScorer:
    """One document; see `maskwise.crowd.ranker.DocumentScorer`.

    A long document is read in windows of whole words. A masking changes few windows, so what each window says under
    its own mask is computed once.
    """

    def __init__(
        self, model: BiEncoder, neighbours: Neighbours, document: WordPieces, words: int
    ) -> None:
        self._model = model
        self._neighbours = neighbours
        self._words = words
        self._windows = cut_windows(document, model.config.window, words)
        self._sums: dict[Key, tuple[Array, int]] = {}
        self._read: dict[Key, tuple[WordPieces, DocumentEmbedding]] = {}
        self._last: dict[bytes, Array] = {}

    def score(self, masks: Masks) -> LogProbabilities:
        self._read_new({key for mask in masks for key in self._list_keys(mask)})
        none = np.zeros((0, self._model.config.size), dtype=np.float32)
        embeddings = np.concatenate([none, *(self._embed(mask)[None] for mask in masks)])
        found = log_softmax(self._neighbours.compute_logits(embeddings))
        for mask, chances in zip(masks, found, strict=True):
            self._last[mask.tobytes()] = chances
        self._last = dict(list(self._last.items())[-_KEPT:])
        return found

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        """The embedding is a mean over pieces, so what is left of it without the pieces of a word is known, except for
        how they coloured each other. This saves one run of the model per word. The nearest profiles stand for all."""
        chances = self._last.get(mask.tobytes())
        if chances is None:
            [chances] = self.score(mask[None])
        whole = self._embed(mask)
        left, sizes = self._average_without(mask, whole)
        rivals = np.argpartition(chances, max(len(chances) - _RIVALS, 0))[-_RIVALS:]
        rivals = rivals[rivals != target]
        leads = self._neighbours.take(rivals) - self._neighbours.take(np.array([target]))
        before = _compute_surprise((whole @ leads.T)[None])
        fall = _compute_surprise(left @ leads.T) - before
        return np.where(mask | (sizes == 0), 0, fall).astype(np.float32)

    def _list_keys(self, mask: NDArray[np.bool_]) -> list[Key]:
        """What tells one reading of a window from another: its number, and the masks of its words."""
        parts = enumerate(self._windows)
        return [(at, mask[first:last].tobytes()) for at, (first, last, _) in parts]

    def _read_new(self, keys: Iterable[Key]) -> None:
        """Reads the windows under masks that were not asked about before."""
        new = sorted(key for key in keys if key not in self._sums)
        rows = [self._redact(key) for key in new]
        for key, row, found in zip(new, rows, self._model.embed_documents(rows), strict=True):
            self._sums[key] = found.embedding * np.float32(found.count), found.count
            self._read[key] = row, found
        while len(self._read) > _WINDOWS:
            del self._read[next(iter(self._read))]

    def _redact(self, key: Key) -> WordPieces:
        at, masked = key
        _, _, window = self._windows[at]
        mask = np.frombuffer(masked, dtype=bool)
        return redact(window, mask, self._model.tokenizer.mask_id)

    def _embed(self, mask: NDArray[np.bool_]) -> Array:
        parts = [self._sums[key] for key in self._list_keys(mask)]
        total = np.sum([part for part, _ in parts], axis=0)
        return np.asarray(total / np.float32(sum(count for _, count in parts)), dtype=np.float32)

    def _average_without(
        self, mask: NDArray[np.bool_], whole: Array
    ) -> tuple[Array, NDArray[np.int64]]:
        """Per word: the mean of all pieces but its own, and the number of its own."""
        sums = np.zeros((self._words, self._model.config.size), dtype=np.float32)
        sizes = np.zeros(self._words, dtype=np.int64)
        count = 0
        for (first, _, _), key in zip(self._windows, self._list_keys(mask), strict=True):
            if key not in self._read:
                del self._sums[key]
                self._read_new([key])
            row, read = self._read[key]
            visible = row.words >= 0
            words = row.words[visible] + first
            np.add.at(sums, words, read.pieces[visible])
            sizes += np.bincount(words, minlength=self._words)
            count += read.count
        left = (count - sizes).astype(np.float32)
        means = (whole * np.float32(count) - sums) / left[:, None]
        return np.asarray(means, dtype=np.float32), sizes


def cut_windows(document: WordPieces, most: int, words: int) -> list[Window]:
    """Parts of about equal size with at most so many pieces, cut between words. Words count anew in each part."""
    count = max(-(-len(document) // most), 1)
    while True:
        ideal = [len(document) * at // count for at in range(1, count)]
        cuts = [0, *(int(document.words[at]) for at in ideal), words]
        edges = np.searchsorted(document.words, cuts)
        if len(edges) < 3 or np.diff(edges).max() <= most or count >= words:
            break
        count += 1
    found = []
    for (first, last), (start, end) in zip(pairwise(cuts), pairwise(edges), strict=True):
        own = document.words[start:end] - np.int32(first)
        found.append(
            (first, last, WordPieces(document.ids[start:end], document.shapes[start:end], own))
        )
    return found


def _compute_surprise(gaps: Array) -> NDArray[np.float64]:
    """-log p of the true profile, from the lead of each rival over it."""
    wide = gaps.astype(np.float64)
    top = np.maximum(wide.max(axis=1, initial=0), 0)
    return np.asarray(top + np.log(np.exp(-top) + np.exp(wide - top[:, None]).sum(axis=1)))


def read_config(folder: str | Path) -> BiEncoderConfig:
    """Checks a model folder, every hash included, and returns its configuration."""
    path = Path(folder)
    try:
        raw = json.loads((path / CONFIG).read_text("utf-8"))
        if raw["format"] != FORMAT or raw["kind"] != "bi-encoder":
            raise BundleError(
                f"{path}: no bi-encoder of format {FORMAT}; make one with `maskwise train reid`"
            )
        files = {str(name): str(digest) for name, digest in raw["files"].items()}
        config = BiEncoderConfig(str(raw["name"]), int(raw["size"]), int(raw["window"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(f"{path / CONFIG}: no readable configuration of a bi-encoder") from error
    for name in FILES:
        if files.get(name) != _hash_file(path / name):
            raise BundleError(
                f"{path / name}: missing, or differs from the recorded SHA-256; export the model again"
            )
    return config


def write_config(
    folder: str | Path, *, name: str, size: int, window: int, notes: dict[str, Any]
) -> BiEncoderConfig:
    """Records the files of a folder with their hashes."""
    path = Path(folder)
    files = {file: _hash_file(path / file) for file in FILES}
    record = {
        "format": FORMAT,
        "kind": "bi-encoder",
        "name": name,
        "size": size,
        "window": window,
        **notes,
    }
    (path / CONFIG).write_text(
        json.dumps({**record, "files": files}, indent=1) + "\n", encoding="utf-8"
    )
    return read_config(path)


def _hash_file(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
