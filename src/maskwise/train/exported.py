"""Reads the weights of an encoder back from its exported graph, so that a further network can start from a model that
ships: int8 weights are what they were rounded to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from maskwise.errors import BundleError
from maskwise.train.graph import EMBEDDING, MODEL

Array = NDArray[Any]


def read_words(folder: str | Path, vocabulary: int, hidden: int) -> Array:
    """The word embeddings of a model folder."""
    raw = np.fromfile(Path(folder) / EMBEDDING, dtype=np.uint8)
    cut = vocabulary * hidden
    if len(raw) != cut + 4 * vocabulary:
        raise BundleError(f"{folder}: no int8 word embeddings of {vocabulary} by {hidden}")
    rows = raw[:cut].view(np.int8).reshape(vocabulary, hidden)
    scales = raw[cut:].view(np.float32).reshape(vocabulary, 1)
    return np.asarray(rows * scales)


def read_encoder(folder: str | Path) -> dict[str, Array]:
    """The weights of the int8 encoder of a model folder, by the names of `train.model.EncoderNetwork`."""
    graph = onnx.load(str(Path(folder) / MODEL), load_external_data=False).graph
    shapes = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    constants = iter(
        numpy_helper.to_array(tensor) for tensor in graph.initializer if tensor.name not in _TABLES
    )
    vocabulary, hidden = shapes["word"]
    layers = sum(node.op_type == "QAttention" for node in graph.node)
    if not layers:
        raise BundleError(f"{folder}: no int8 encoder; start from a checkpoint instead")
    found = {"word.weight": read_words(folder, vocabulary, hidden)}
    found["shape.weight"] = next(constants)
    found["position.weight"] = next(constants)
    next(constants)  # where positions begin
    found |= _read_norm("norm", constants)
    for at in range(layers):
        found |= _read_layer(f"layers.{at}", constants)
    return found


def import_exported(source: str | Path, folder: str | Path, heads: int = 12) -> Path:
    """Turns the encoder of a model folder into a checkpoint with new heads."""
    import torch

    from maskwise.train.checkpoint import save_checkpoint
    from maskwise.train.model import Network, NetworkConfig

    weights = read_encoder(source)
    vocabulary, hidden = weights["word.weight"].shape
    layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    inner, positions = len(weights["layers.0.inner.bias"]), len(weights["position.weight"])
    torch.manual_seed(0)
    model = Network(NetworkConfig(vocabulary, hidden, layers, heads, inner, positions))
    state = {name: torch.as_tensor(value.copy()) for name, value in weights.items()}
    model.encoder.load_state_dict(state)
    return save_checkpoint(model, folder, source)


_TABLES = ("word", "word_scale")


def _read_layer(name: str, constants: Iterator[Array]) -> dict[str, Array]:
    """One layer, in the order in which `train.graph` adds its constants."""
    qkv = _read_weight(constants)
    found = {f"{name}.qkv.weight": qkv, f"{name}.qkv.bias": next(constants)}
    found |= _read_linear(f"{name}.out", constants)
    found |= _read_norm(f"{name}.attention_norm", constants)
    found |= _read_linear(f"{name}.inner", constants)
    found |= _read_linear(f"{name}.outer", constants)
    return found | _read_norm(f"{name}.norm", constants)


def _read_linear(name: str, constants: Iterator[Array]) -> dict[str, Array]:
    bias = next(constants)
    return {f"{name}.weight": _read_weight(constants), f"{name}.bias": bias}


def _read_norm(name: str, constants: Iterator[Array]) -> dict[str, Array]:
    return {f"{name}.weight": next(constants), f"{name}.bias": next(constants)}


def _read_weight(constants: Iterator[Array]) -> Array:
    """A weight `[out, in]` from int8 `[in, out]`, its scales and its zero points."""
    values, scales, _ = next(constants), next(constants), next(constants)
    return np.asarray(values.T * scales[:, None], dtype=np.float32)
