"""A tiny WordPiece tokenizer, made on the spot: single letters, digits, punctuation and a few words."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from maskwise.lm.pieces import PieceTokenizer

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
    "dr",
    "ana",
    "porto",
    "oslo",
    "##son",
]


def tiny_tokenizer() -> Tokenizer:
    letters = string.ascii_lowercase + string.digits
    pieces = [*SPECIAL, *letters, *(f"##{c}" for c in letters), *string.punctuation, *WORDS]
    vocabulary = {piece: at for at, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.enable_truncation(8)
    return tokenizer


@pytest.fixture(scope="session")
def tokenizer_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokenizer")
    tiny_tokenizer().save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def tokenizer(tokenizer_folder: Path) -> PieceTokenizer:
    return PieceTokenizer.load(tokenizer_folder)
