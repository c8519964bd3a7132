"""Turns an exported model folder back into a checkpoint, so that training can go on from a model that ships.

The weights of an int8 graph come back rounded, as it uses them. Training moves them off that grid. Needs the graphs
that `train.graph` writes: weights are found by the order of the operators.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import NodeProto, helper, numpy_helper

from maskwise.errors import BundleError
from maskwise.lm import folder as model_folder
from maskwise.train import graph
from maskwise.train.checkpoint import save_checkpoint
from maskwise.train.model import LABELS, Network, NetworkConfig

Floats = NDArray[np.float32]
_LINEAR = ("qkv", "out", "inner", "outer")
_HEADS = {"tags": slice(0, len(LABELS)), "mask": slice(-2, -1), "direct": slice(-1, None)}


def restore_checkpoint(source: str | Path, folder: str | Path) -> Path:
    """Writes the model in the folder `source` as a checkpoint. Its hashes are checked first."""
    path = Path(source)
    config = model_folder.read_config(path)
    if model_folder.MLM not in config.files:
        raise BundleError(f"{path}: it has no masked-LM head, so it cannot be trained further")
    try:
        model = build_network(path)
    except (OSError, KeyError, IndexError, ValueError, RuntimeError) as error:
        raise BundleError(
            f"{path}: not a graph of `maskwise train export` ({type(error).__name__})"
        ) from error
    notes = {"origin": f"{config.name} {config.version}", "trained_on": dict(config.trained_on)}
    return save_checkpoint(model, folder, path, notes=notes)


def build_network(path: Path) -> Network:
    """Builds the network of a model folder with all its weights."""
    table = _read_embedding(path)
    tagger = _GraphReader(path / graph.MODEL)
    head = _GraphReader(path / graph.MLM)
    weights = {
        "encoder.word.weight": table,
        **_read_encoder(tagger),
        **_read_heads(tagger),
        **_read_mlm(head),
    }
    [norm, *_] = tagger.find_nodes("LayerNormalization")
    [attention, *_] = tagger.find_nodes("QAttention", "MultiHeadAttention")
    model = Network(
        NetworkConfig(
            vocab=len(table),
            hidden=table.shape[1],
            layers=len(tagger.find_nodes("QAttention", "MultiHeadAttention")),
            heads=_read_attribute(attention, "num_heads"),
            inner=len(weights["encoder.layers.0.inner.bias"]),
            positions=len(weights["encoder.position.weight"]),
            epsilon=_read_attribute(norm, "epsilon"),
            buckets=len(weights.get("encoder.relative", ())),
        )
    )
    model.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    return model


class _GraphReader:
    """The nodes of a graph in order, and its constants by name."""

    def __init__(self, path: Path) -> None:
        model = onnx.load(str(path), load_external_data=False)
        self.nodes = list(model.graph.node)
        self.constants: dict[str, NDArray[Any]] = {}
        for tensor in model.graph.initializer:
            if not tensor.external_data:
                self.constants[tensor.name] = numpy_helper.to_array(tensor)

    def find_nodes(self, *kinds: str) -> list[NodeProto]:
        return [node for node in self.nodes if node.op_type in kinds]

    def read_linears(self) -> Iterator[tuple[Floats, Floats]]:
        """Yields the weight `[out, in]` and bias of each product with a constant, in order."""
        for node in self.nodes:
            if node.op_type == "QAttention":
                yield self._round_off(node.input[1], node.input[4]), self._take(node.input[2])
            elif node.op_type == "MatMulIntegerToFloat" and node.input[1] in self.constants:
                yield self._round_off(node.input[1], node.input[3]), self._take(node.input[6])
            elif node.op_type == "MatMul" and node.input[1] in self.constants:
                yield self._take(node.input[1]).T.copy(), self._find_bias(node.output[0])

    def _round_off(self, values: str, scale: str) -> Floats:
        """Returns an int8 weight as numbers."""
        return (self._take(values) * self._take(scale)).T.copy()

    def _find_bias(self, product: str) -> Floats:
        for node in self.find_nodes("Add"):
            if node.input[0] == product and node.input[1] in self.constants:
                return self._take(node.input[1])
        raise ValueError("a product without its bias")

    def _take(self, name: str) -> Floats:
        return self.constants[name].astype(np.float32)


def _read_encoder(reader: _GraphReader) -> dict[str, Floats]:
    """Returns the weights of the encoder without the word embeddings, by name."""
    tables = {node.input[1]: node.input[0] for node in reader.find_nodes("Gather")}
    sliced = [node.input[0] for node in reader.find_nodes("Slice")]
    weights = {
        "encoder.shape.weight": reader.constants[tables["shapes"]],
        "encoder.position.weight": reader.constants[sliced[0]],
    }
    if len(sliced) > 1:  # MPNet: the second slice is that of the distances
        [bucket] = [node for node in reader.find_nodes("Slice") if node.input[0] == sliced[1]]
        weights["encoder.relative"] = reader.constants[tables[bucket.output[0]]]
    linears = list(reader.read_linears())
    count = len(reader.find_nodes("QAttention", "MultiHeadAttention"))
    norms = [node.input[1:3] for node in reader.find_nodes("LayerNormalization")]
    names = ["encoder.norm"]
    for at in range(count):
        name = f"encoder.layers.{at}"
        names += [f"{name}.attention_norm", f"{name}.norm"]
        for part, (weight, bias) in zip(_LINEAR, linears[4 * at : 4 * at + 4], strict=True):
            weights[f"{name}.{part}.weight"], weights[f"{name}.{part}.bias"] = weight, bias
    for name, (scale, bias) in zip(names, norms, strict=True):
        weights[f"{name}.weight"] = reader.constants[scale]
        weights[f"{name}.bias"] = reader.constants[bias]
    return {name: np.array(value, dtype=np.float32) for name, value in weights.items()}


def _read_heads(reader: _GraphReader) -> dict[str, Floats]:
    """Returns the three heads, which the graph computes as one product."""
    *_, (weight, bias) = reader.read_linears()
    found = {}
    for name, rows in _HEADS.items():
        found[f"{name}.weight"], found[f"{name}.bias"] = weight[rows].copy(), bias[rows].copy()
    return found


def _read_mlm(reader: _GraphReader) -> dict[str, Floats]:
    """Returns the masked-LM head without the word embeddings."""
    (weight, bias), *_ = reader.read_linears()
    [norm] = reader.find_nodes("LayerNormalization")
    last = reader.nodes[-1]
    return {
        "lm_dense.weight": weight,
        "lm_dense.bias": bias,
        "lm_norm.weight": reader.constants[norm.input[1]].copy(),
        "lm_norm.bias": reader.constants[norm.input[2]].copy(),
        "lm_bias": reader.constants[last.input[2 if last.op_type == "Gemm" else 1]].copy(),
    }


def _read_embedding(path: Path) -> Floats:
    """Returns the word embeddings of the file that both graphs share."""
    model = onnx.load(str(path / graph.MODEL), load_external_data=False)
    data = (path / graph.EMBEDDING).read_bytes()
    parts = []
    for tensor in model.graph.initializer:
        if tensor.external_data:
            place = {entry.key: entry.value for entry in tensor.external_data}
            start = int(place["offset"])
            kind = helper.tensor_dtype_to_np_dtype(tensor.data_type)
            flat = np.frombuffer(data[start : start + int(place["length"])], dtype=kind)
            parts.append(flat.reshape(tuple(tensor.dims)).astype(np.float32))
    table, *scale = parts
    return np.asarray(table * scale[0] if scale else table, dtype=np.float32)


def _read_attribute(node: NodeProto, name: str) -> Any:
    [value] = [helper.get_attribute_value(one) for one in node.attribute if one.name == name]
    return value
