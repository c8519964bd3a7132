from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from invented import people
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

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


@pytest.fixture(scope="session")
def texts() -> tuple[str, ...]:
    return TEXTS


@pytest.fixture(scope="session")
def examples() -> list[Example]:
    return [Example(f"d{n}", text, (annotate(text),), "lives") for n, text in enumerate(TEXTS[:3])]


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokenizer")
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(TEXTS, trainers.WordPieceTrainer(vocab_size=160, special_tokens=special))
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


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
    folder = tmp_path_factory.mktemp("reid")
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=400, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False
    )
    population = people(64)
    tokenizer.train_from_iterator([text for p in population for text in (p.text, linearise(p))], trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
