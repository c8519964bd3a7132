"""The dense re-identification model (Morris et al. 2022): documents under masks and profiles as points of one space.

Profiles are embedded once per population and kept in a file. `maskwise train reid` makes the model. It runs on ONNX
Runtime, one text per run, so that no result depends on what else is asked.
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

from maskwise.crowd.dense import DenseRanker, DocumentEmbedding
from maskwise.crowd.neighbours import ApproximateNeighbours, Array, ExactNeighbours
from maskwise.crowd.population import Population
from maskwise.crowd.redact import WordPieces
from maskwise.errors import BundleError
from maskwise.lm.encoder import count_cores, open_session, run_in_threads, run_window
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
HALF = 1_000_000  # from so many profiles on, embeddings are kept in half precision, which is slower
_FEW = 4  # documents for which threads would cost more than they save
_BATCH = 1024  # profiles between two reports of progress

Row = tuple[NDArray[np.int32], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class BiEncoderConfig:
    """The content of `config.json`: `size` of an embedding, most pieces per `window`, the SHA-256 of every file."""

    name: str
    size: int
    window: int
    files: dict[str, str]


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
        lines = population.list_lines()
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

        threads = self.threads if len(rows) >= _FEW else 1
        return list(run_in_threads(embed_one, rows, threads))

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
        return np.asarray(run_window(tower, self.tokenizer, *row, [output])[0])

    def _load_or_embed(
        self, population: Population, folder: Path, progress: Callable[[int, int], None] | None
    ) -> NDArray[np.float32] | NDArray[np.float16]:
        """Embeddings from the file that is named by the hash of model and profiles. Writes it where there is none."""
        key = hashlib.sha256(json.dumps(self.config.files, sort_keys=True).encode())
        for line in population.list_lines():
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
