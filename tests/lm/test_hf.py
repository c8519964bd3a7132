from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from maskwise.errors import PluginError
from maskwise.lm.hf import HuggingFaceEncoder
from maskwise.lm.masked import MaskedLM

TEXT = "Ana was born in Porto. She lives in Oslo and works at the court of Oslo. " * 3


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> Path:
    target = tmp_path_factory.mktemp("hf")
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    fast = PreTrainedTokenizerFast(
        tokenizer_file=str(tiny_folder / "tokenizer.json"), model_max_length=34, **names
    )
    fast.save_pretrained(target)
    torch.manual_seed(3)
    sizes = {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    config = BertConfig(
        vocab_size=len(fast), max_position_embeddings=34, initializer_range=0.5, **sizes
    )
    BertForMaskedLM(config).save_pretrained(target, safe_serialization=True)
    return target


def test_it_is_the_network_of_the_folder(path: Path) -> None:
    encoder = HuggingFaceEncoder(path, overlap=8)
    text = "Ana lives in Oslo."
    encoded = encoder.encode([text])[0]
    network = BertForMaskedLM.from_pretrained(path).eval()
    ids = [encoder.tokenizer.cls_id, *encoded.pieces.ids.tolist(), encoder.tokenizer.sep_id]
    with torch.inference_mode():
        states = network.bert(torch.tensor([ids])).last_hidden_state[0, 1:-1].numpy()
    assert np.allclose(encoded.values["states"], states, atol=1e-5)


def test_long_texts_are_windowed_and_mates_change_nothing(path: Path) -> None:
    encoder = HuggingFaceEncoder(path, overlap=8)
    assert encoder.window == 32
    texts = [TEXT, "", "Oslo", TEXT[:50]]
    together = encoder.encode(texts)
    assert [len(e.pieces) for e in together] == [len(e.values["states"]) for e in together]
    for text, encoded in zip(texts, together, strict=True):
        assert (
            encoder.encode([text])[0].values["states"].tobytes()
            == encoded.values["states"].tobytes()
        )


def test_batches_agree_to_the_last_digits(path: Path) -> None:
    texts = [TEXT, TEXT[5:], "Oslo", "Porto"]
    one, many = HuggingFaceEncoder(path, overlap=8), HuggingFaceEncoder(path, overlap=8, batch=5)
    for left, right in zip(one.encode(texts), many.encode(texts), strict=True):
        assert np.allclose(left.values["states"], right.values["states"], atol=1e-5)


def test_masked_log_probabilities(path: Path) -> None:
    encoder = HuggingFaceEncoder(path, overlap=8)
    lm = MaskedLM(encoder, share=0.0)
    text, span = "Ana Larsson lives in Oslo.", (4, 11)
    value = lm.compute_log_probs(text, [span])[0]
    pieces = encoder.tokenizer.encode(text)
    ids = np.concatenate([[encoder.tokenizer.cls_id], pieces.ids, [encoder.tokenizer.sep_id]])
    first, last = pieces.find_covering(*span)
    truth = ids[first + 1 : last + 1].copy()
    ids[first + 1 : last + 1] = encoder.tokenizer.mask_id
    network = BertForMaskedLM.from_pretrained(path).eval()
    with torch.inference_mode():
        logits = (
            network(torch.tensor(ids[None])).logits[0, first + 1 : last + 1].log_softmax(-1).numpy()
        )
    assert np.allclose(value, logits[np.arange(len(truth)), truth], atol=1e-4)
    assert len(lm.compute_log_probs(TEXT, [(0, len(TEXT))])[0]) == len(
        encoder.tokenizer.encode(TEXT)
    )


def test_what_is_missing_is_named(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PluginError, match="no masked language model"):
        HuggingFaceEncoder(tmp_path)
    with pytest.raises(PluginError, match="states only"):
        HuggingFaceEncoder(path).encode(["a"], ("tags",))
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(PluginError, match=r"maskwise\[hf\]"):
        HuggingFaceEncoder(path)
