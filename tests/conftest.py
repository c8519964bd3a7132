"""A tiny model made on the spot: a WordPiece tokenizer of letters and a few words, two layers, random weights."""

from __future__ import annotations

import os
import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from maskwise.lm import Model, folder
from maskwise.lm.pieces import PieceTokenizer

# A slow machine is no failure, and one commit has one outcome: the examples are the same everywhere. New ones are
# looked for with HYPOTHESIS_PROFILE=explore.
_SLOW = [HealthCheck.too_slow]
settings.register_profile(
    "same everywhere", deadline=None, suppress_health_check=_SLOW, derandomize=True
)
settings.register_profile("explore", deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same everywhere"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the slowest file first, so that no worker waits for it at the end."""
    items.sort(key=lambda item: item.path.name != "test_house.py")


SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [
    "the",
    "of",
    "in",
    "and",
    "was",
    "born",
    "on",
    "she",
    "lives",
    "works",
    "at",
    "mr",
    "ana",
    "porto",
    "oslo",
    "##son",
]
HIDDEN, HEADS, INNER, WINDOW, OVERLAP = 16, 2, 32, 24, 6


def tiny_tokenizer() -> Tokenizer:
    letters = string.ascii_lowercase + string.digits
    pieces = [*SPECIAL, *letters, *(f"##{c}" for c in letters), *string.punctuation, *WORDS]
    vocabulary = {piece: at for at, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(
        models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.enable_truncation(8)
    return tokenizer


def tiny_weights(vocabulary: int, seed: int = 0) -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(seed)
    shapes = {
        "encoder.word.weight": (vocabulary, HIDDEN),
        "encoder.position.weight": (WINDOW + 2, HIDDEN),
        "encoder.shape.weight": (8, HIDDEN),
    }
    linear = {
        "tags": (17, HIDDEN),
        "mask": (1, HIDDEN),
        "direct": (1, HIDDEN),
        "lm_dense": (HIDDEN, HIDDEN),
    }
    norms = ["encoder.norm", "lm_norm"]
    for layer in ("encoder.layers.0", "encoder.layers.1"):
        sizes = {
            "qkv": (3 * HIDDEN, HIDDEN),
            "out": (HIDDEN, HIDDEN),
            "inner": (INNER, HIDDEN),
            "outer": (HIDDEN, INNER),
        }
        linear |= {f"{layer}.{name}": size for name, size in sizes.items()}
        norms += [f"{layer}.attention_norm", f"{layer}.norm"]
    weights = {name: random.normal(0, 0.5, size) for name, size in shapes.items()}
    for name, size in linear.items():
        weights[f"{name}.weight"], weights[f"{name}.bias"] = (
            random.normal(0, 0.5, size),
            random.normal(0, 0.1, size[0]),
        )
    for name in norms:
        weights[f"{name}.weight"], weights[f"{name}.bias"] = np.ones(HIDDEN), np.zeros(HIDDEN)
    weights["lm_bias"] = np.zeros(vocabulary)
    return {name: value.astype(np.float32) for name, value in weights.items()}


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole model folder in int8."""
    from maskwise.train import graph

    path = tmp_path_factory.mktemp("models") / "tiny"
    tokenizer = tiny_tokenizer()
    graph.write_graphs(tiny_weights(tokenizer.get_vocab_size()), path, heads=HEADS)
    tokenizer.save(str(path / folder.TOKENIZER))
    points = {"precision": (0.98, 0.9), "balanced": (0.95, 0.5), "recall": (0.9, 0.2)}
    folder.write_config(
        path,
        name="tiny",
        version="1",
        hidden=HIDDEN,
        window=WINDOW,
        overlap=OVERLAP,
        points={name: {"detect": detect, "mask": mask} for name, (detect, mask) in points.items()},
    )
    return path


@pytest.fixture(scope="session")
def tiny(tiny_folder: Path) -> Model:
    return Model(tiny_folder)


@pytest.fixture(scope="session")
def tokenizer(tiny_folder: Path) -> PieceTokenizer:
    return PieceTokenizer.load(tiny_folder)
