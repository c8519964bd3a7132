"""The dense re-identification model (Morris et al. 2022): documents under masks and profiles as points of one space.

Profiles are embedded once per population and kept in a file. `maskwise train reid` makes the model. It runs on ONNX
Runtime, one text per run, so that no result depends on what else is asked. A model may have several members, pairs of
networks that were trained apart: its log-odds are the mean of theirs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
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
HALF = 1_000_000  # from so many profiles on, embeddings are kept in half precision, which is slower
_FEW = 4  # documents for which threads would cost more than they save
_BATCH = 1024  # profiles between two reports of progress

Row = tuple[NDArray[np.int32], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class BiEncoderConfig:
    """The content of `config.json`: `size` of an embedding, most pieces per `window`, the SHA-256 of every file.

    `profile_window` is the most pieces of a profile that are read at once. A model whose `words` name a model of the
    package has its tokenizer and its word embeddings. `members` is the number of its pairs of networks.
    """

    name: str
    size: int
    window: int
    files: dict[str, str]
    profile_window: int = 0
    words: str = ""
    members: int = 1


class BiEncoder:
    """The two networks of a model folder: one reads documents, one reads profiles."""

    def __init__(self, folder: Path, config: BiEncoderConfig, threads: int | None = None) -> None:
        self.folder = folder
        self.config = config
        self.threads = threads or count_cores()
        self.tokenizer = PieceTokenizer.load(find_file(folder, config.words, TOKENIZER).parent)

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
            windows = self._split_windows(row.ids, row.shapes, self.config.window)
            parts = [self._run_members(self._document_towers, one, "pieces")[0] for one in windows]
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
            most = self.config.profile_window or self.config.window
            windows = self._split_windows(pieces.ids, pieces.shapes, most)
            sizes = np.array([len(ids) + 2 for ids, _ in windows], dtype=np.float32)
            parts = [self._run_members(self._profile_towers, one, "embedding") for one in windows]
            return np.asarray(sizes @ np.concatenate(parts))

        none = np.zeros(
            self.config.size, dtype=np.float32
        )  # gives the stack its width where there is no line
        found = np.stack([none, *run_in_threads(embed_one, lines, self.threads)])[1:]
        members = np.split(found, self.config.members, axis=1)
        joined = np.concatenate([_make_unit(one) for one in members], axis=1)
        return np.asarray(joined / self._share, dtype=np.float32)

    @property
    def _share(self) -> np.float32:
        """What both sides are divided by, so that their product is the mean of what the members say."""
        return np.float32(np.sqrt(self.config.members))

    def _split_windows(
        self, ids: NDArray[np.int32], shapes: NDArray[np.uint8], most: int
    ) -> list[Row]:
        """Equal parts of a text with too many pieces. A text without pieces is one part."""
        count = max(-(-len(ids) // most), 1)
        parts = zip(np.array_split(ids, count), np.array_split(shapes, count), strict=True)
        return list(parts)

    def _run_members(self, towers: Sequence[Any], row: Row, output: str) -> Array:
        """What the members say of one window, side by side."""
        ids, shapes = row
        table = np.zeros((3, 1, len(ids) + 2), dtype=np.int64)
        table[0, 0, 0] = self.tokenizer.cls_id
        table[0, 0, 1:-1] = ids
        table[0, 0, -1] = self.tokenizer.sep_id
        table[1, 0, 1:-1] = shapes
        table[2] = 1
        inputs: dict[str, Any] = {"shapes": table[1], "attention_mask": table[2]}
        if self._word_table is None:
            inputs["input_ids"] = table[0]
        else:
            rows, scales = self._word_table
            inputs["words"] = rows[table[0]] * scales[table[0]]
        found = [np.asarray(tower.run([output], inputs)[0]) for tower in towers]
        if len(found) == 1:
            return found[0]
        joined = np.concatenate(found, axis=-1)
        return np.asarray(joined / self._share if output == "pieces" else joined)

    @cached_property
    def _word_table(self) -> tuple[NDArray[np.int8], Array] | None:
        """The word embeddings of the model whose words it shares, and the scale of each. None where they are its own."""
        if not self.config.words:
            return None
        raw = np.fromfile(find_file(self.folder, self.config.words, WORDS), dtype=np.uint8)
        count = self.tokenizer.vocab_size
        cut = len(raw) - 4 * count
        scales = raw[cut:].view(np.float32).reshape(count, 1)
        return raw[:cut].view(np.int8).reshape(count, -1), scales

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
    def _document_towers(self) -> list[Any]:
        return self._open_towers(DOCUMENT)

    @cached_property
    def _profile_towers(self) -> list[Any]:
        return self._open_towers(PROFILE)

    def _open_towers(self, name: str) -> list[Any]:
        return [open_session(self.folder / one) for one in name_members(name, self.config.members)]


def name_members(name: str, members: int) -> list[str]:
    """The files of the members: `document.onnx` of a single one, else `document-1.onnx` and so on."""
    if members == 1:
        return [name]
    stem, dot, suffix = name.partition(".")
    return [f"{stem}-{number}{dot}{suffix}" for number in range(1, members + 1)]


def list_files(members: int) -> list[str]:
    """The files of a model with so many members."""
    towers = [one for name in (DOCUMENT, PROFILE) for one in name_members(name, members)]
    return [TOKENIZER, *towers, WORDS]


def find_file(folder: Path, words: str, name: str) -> Path:
    """Where a file of a model lies: with its own, or with the model of the package whose words it shares."""
    if words and name in (TOKENIZER, WORDS):
        return Path(str(files("maskwise.bundle").joinpath("models", words, name)))
    return folder / name


def _make_unit(rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12))


def read_config(folder: str | Path) -> BiEncoderConfig:
    """Checks a model folder, every hash included, and returns its configuration."""
    path = Path(folder)
    try:
        raw = json.loads((path / CONFIG).read_text("utf-8"))
        if raw["format"] != FORMAT or raw["kind"] != "bi-encoder":
            raise BundleError(
                f"{path}: no bi-encoder of format {FORMAT}; make one with `maskwise train reid`"
            )
        config = BiEncoderConfig(
            str(raw["name"]),
            int(raw["size"]),
            int(raw["window"]),
            {str(name): str(digest) for name, digest in raw["files"].items()},
            int(raw.get("profile_window", 0)),
            str(raw.get("words", "")),
            int(raw.get("members", 1)),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(f"{path / CONFIG}: no readable configuration of a bi-encoder") from error
    for name in list_files(config.members):
        if config.files.get(name) != _hash_file(find_file(path, config.words, name)):
            raise BundleError(
                f"{path / name}: missing, or differs from the recorded SHA-256; export the model again"
            )
    return config


def write_config(
    folder: str | Path,
    *,
    name: str,
    size: int,
    window: int,
    notes: dict[str, Any],
    profile_window: int = 0,
    words: str = "",
    members: int = 1,
) -> BiEncoderConfig:
    """Records the files of a folder with their hashes."""
    path = Path(folder)
    found = {file: _hash_file(find_file(path, words, file)) for file in list_files(members)}
    record = {
        "format": FORMAT,
        "kind": "bi-encoder",
        "name": name,
        "size": size,
        "window": window,
        "profile_window": profile_window or window,
        "words": words,
        "members": members,
        **notes,
    }
    (path / CONFIG).write_text(
        json.dumps({**record, "files": found}, indent=1) + "\n", encoding="utf-8"
    )
    return read_config(path)


def _hash_file(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
