from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from invented import people
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from maskwise.crowd.population import linearise
from maskwise.text import EntityType
from maskwise.train.checkpoint import save_checkpoint
from maskwise.train.data import Example, Span
from maskwise.train.model import Network, NetworkConfig

torch.set_num_threads(1)

# Invented people in invented places.
TEXTS = (
    "Ada Brandvold was born in Larkby in 1961. She worked for Nordlys Mills. Ada Brandvold moved to Osthaven in 1984.",
    "Tomas Quillfeather was born in Osthaven in 1972. He worked for Harrow Tiles. He moved to Larkby in 1991.",
    "Mira Solanki was born in Pellmere in 1958. She worked for Nordlys Mills. Mira Solanki moved to Larkby in 1977.",
    "The weather was fine. The mill was old. The town was small. The river was cold and the road was long.",
)
_FACTS = {
    EntityType.PERSON: ("Ada Brandvold", "Tomas Quillfeather", "Mira Solanki"),
    EntityType.LOC: ("Larkby", "Osthaven", "Pellmere"),
    EntityType.ORG: ("Nordlys Mills", "Harrow Tiles"),
    EntityType.DATETIME: ("1961", "1984", "1972", "1991", "1958", "1977"),
}


def annotate(text: str) -> tuple[Span, ...]:
    spans = []
    for type, names in _FACTS.items():
        for name in names:
            at = text.find(name)
            while at >= 0:
                direct = type is EntityType.PERSON
                mask = direct or type in (EntityType.LOC, EntityType.DATETIME)
                spans.append(Span(at, at + len(name), type, mask, direct, name))
                at = text.find(name, at + 1)
    return tuple(sorted(spans, key=lambda span: span.start))


def write_tokenizer(folder: Path, texts: Sequence[str], longest: int) -> Path:
    """Writes a tokenizer of the words of these texts, cut into pieces of at most `longest` characters.

    The vocabulary is the same in every run; that of a trained tokenizer is not.
    """
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    pieces: set[str] = set()
    for text in texts:
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(text.lower()):
            pieces.add(word[:longest])
            pieces.update(
                "##" + word[at : at + longest] for at in range(longest, len(word), longest)
            )
            pieces.update(word)
            pieces.update("##" + character for character in word)
    order = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(pieces)]
    vocabulary = {piece: at for at, piece in enumerate(order)}
    tokenizer.model = models.WordPiece(vocabulary, unk_token="[UNK]")
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def texts() -> tuple[str, ...]:
    return TEXTS


@pytest.fixture(scope="session")
def examples() -> list[Example]:
    return [Example(f"d{n}", text, (annotate(text),), "lives") for n, text in enumerate(TEXTS[:3])]


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tokenizer(tmp_path_factory.mktemp("tokenizer"), TEXTS, longest=4)


@pytest.fixture
def config(tokenizer: Path) -> NetworkConfig:
    vocab = json.loads((tokenizer / "tokenizer.json").read_text())["model"]["vocab"]
    return NetworkConfig(vocab=len(vocab), hidden=32, layers=2, heads=4, inner=64, positions=64)


@pytest.fixture
def model(config: NetworkConfig) -> Network:
    torch.manual_seed(3)
    return Network(config, dropout=0.0)


@pytest.fixture
def checkpoint(model: Network, tokenizer: Path, tmp_path: Path) -> Path:
    return save_checkpoint(model, tmp_path / "checkpoint", tokenizer)


@pytest.fixture(scope="session")
def reid_tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the words of invented people and their profiles."""
    texts = [text for p in people(64) for text in (p.text, linearise(p))]
    return write_tokenizer(tmp_path_factory.mktemp("reid"), texts, longest=99)
