"""Writes the network as ONNX graphs, node by node from its weights, in float32 or int8.

The graphs are written by hand rather than traced, because the choice of operators decides the speed: fused attention,
but a plain addition and layer normalisation (the fused kernel is not vectorised). Every row of a batch has the same
length, so there is no mask: attention without one is a seventh faster. Needs `onnx` and NumPy, not PyTorch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Weights = Mapping[str, NDArray[Any]]
MODEL = "model.onnx"
MLM = "mlm.onnx"
EMBEDDING = "embedding.bin"
# Seven bits of eight: with -64..64 no sum of two products overflows the 16 bits of CPUs without VNNI, so every CPU
# computes the same.
STEPS = 64
ROW_STEPS = 63  # the same for rows of 0..126 against word embeddings of -127..127
_TABLES = ("word", "word_scale")


def write_graphs(
    weights: Weights,
    folder: str | Path,
    *,
    heads: int,
    epsilon: float = 1e-12,
    int8: bool = True,
    distance: NDArray[Any] | None = None,
) -> list[str]:
    """Writes `model.onnx`, `mlm.onnx` and the embeddings they share into `folder`. Returns the names of the files.

    `weights` are those of `train.model.Network` by name. `distance` is MPNet's table of relative position buckets.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    embedding = _Embedding(weights["encoder.word.weight"], int8)
    (target / EMBEDDING).write_bytes(embedding.data)
    onnx.save(_build_model(weights, embedding, heads, epsilon, int8, distance), str(target / MODEL))
    onnx.save(_build_mlm(weights, embedding, epsilon), str(target / MLM))
    return [MODEL, MLM, EMBEDDING]


def write_towers(
    towers: Mapping[str, Weights],
    folder: str | Path,
    *,
    heads: int,
    epsilon: float = 1e-12,
    int8: bool = True,
) -> list[str]:
    """Writes the towers of a bi-encoder (`weights` of `train.pair.Tower` by file name) and the word embeddings that
    they share into `folder`; returns the names of the files."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    embedding = _Embedding(next(iter(towers.values()))["encoder.word.weight"], int8)
    (target / EMBEDDING).write_bytes(embedding.data)
    for name, weights in towers.items():
        onnx.save(_build_tower(weights, embedding, heads, epsilon, int8), str(target / name))
    return [*towers, EMBEDDING]


def _build_tower(
    weights: Weights, embedding: _Embedding, heads: int, epsilon: float, int8: bool
) -> onnx.ModelProto:
    """A graph that reads one row per run.

    Its outputs are the `embedding` of the row and the part of each of its `pieces`: the embedding is their mean.
    """
    g = _Graph(int8)
    x = _add_encoder(g, weights, embedding, heads, epsilon, None)
    factor = np.exp(weights["scale"])
    project = g.add_constant(weights["project.weight"].T * factor)
    bias = g.add_constant(weights["project.bias"] * factor)
    g.add("Add", [g.add("MatMul", [x, project]), bias], ["pieces"])
    mean = g.add("ReduceMean", [x], axes=[1], keepdims=0)
    g.add("Add", [g.add("MatMul", [mean, project]), bias], ["embedding"])
    size = len(weights["project.bias"])
    inputs = dict.fromkeys(("input_ids", "shapes"), (TensorProto.INT64, ["rows", "pieces_in"]))
    outputs = {
        "embedding": (TensorProto.FLOAT, ["rows", size]),
        "pieces": (TensorProto.FLOAT, ["rows", "pieces_in", size]),
    }
    return g.build(inputs, outputs, embedding.make_external())


class _Embedding:
    """The word embeddings as one file that both graphs read: rows, then the scale of each row if they are int8."""

    def __init__(self, table: NDArray[Any], int8: bool) -> None:
        self.int8 = int8
        self.shape = table.shape
        if int8:
            scale = _compute_scale(np.abs(table).max(1, keepdims=True), 127)
            self._parts: list[NDArray[Any]] = [np.round(table / scale).astype(np.int8), scale]
        else:
            self._parts = [table.astype(np.float32)]

    @property
    def data(self) -> bytes:
        return b"".join(part.tobytes() for part in self._parts)

    def make_external(self) -> list[TensorProto]:
        """Makes tensors that refer to the file `EMBEDDING`."""
        tensors, offset = [], 0
        for name, part in zip(_TABLES, self._parts, strict=False):
            tensor = TensorProto(name=name, dims=part.shape, data_location=TensorProto.EXTERNAL)
            tensor.data_type = helper.np_dtype_to_tensor_dtype(part.dtype)
            place = {"location": EMBEDDING, "offset": offset, "length": part.nbytes}
            for key, value in place.items():
                tensor.external_data.add(key=key, value=str(value))
            tensors.append(tensor)
            offset += part.nbytes
        return tensors


class _Graph:
    """Nodes and constants in the order they are added."""

    def __init__(self, int8: bool) -> None:
        self.int8 = int8
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[TensorProto] = []

    def add_constant(self, value: NDArray[Any]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add_integers(self, *values: int) -> str:
        return self.add_constant(np.array(values, dtype=np.int64))

    def add(
        self, kind: str, inputs: Sequence[str], outputs: int | Sequence[str] = 1, **attributes: Any
    ) -> str:
        return self.add_many(kind, inputs, outputs, **attributes)[0]

    def add_many(
        self, kind: str, inputs: Sequence[str], outputs: int | Sequence[str], **attributes: Any
    ) -> list[str]:
        if isinstance(outputs, int):
            outputs = [f"{kind}_{len(self.nodes)}_{at}" for at in range(outputs)]
        domain = "com.microsoft" if kind in _FUSED else ""
        self.nodes.append(helper.make_node(kind, inputs, outputs, domain=domain, **attributes))
        return list(outputs)

    def quantise(self, x: str) -> list[str]:
        return self.add_many("DynamicQuantizeLinear", [x], 3)

    def add_weight(self, weight: NDArray[Any]) -> tuple[str, str, str]:
        """Adds a weight `[out, in]` as int8 `[in, out]`, with a scale per output and its zero points."""
        scale = _compute_scale(np.abs(weight).max(1), STEPS)
        values = np.round(weight / scale[:, None]).astype(np.int8)
        return (
            self.add_constant(values.T),
            self.add_constant(scale),
            self.add_constant(np.zeros(len(scale), dtype=np.int8)),
        )

    def add_linear(self, x: str, weights: Weights, name: str) -> str:
        bias = self.add_constant(weights[f"{name}.bias"])
        if not self.int8:
            weight = self.add_constant(weights[f"{name}.weight"].T)
            return self.add("Add", [self.add("MatMul", [x, weight]), bias])
        values, scale, zero = self.add_weight(weights[f"{name}.weight"])
        quantised, x_scale, x_zero = self.quantise(x)
        return self.add(
            "MatMulIntegerToFloat", [quantised, values, x_scale, scale, x_zero, zero, bias]
        )

    def add_norm(self, x: str, weights: Weights, name: str, epsilon: float) -> str:
        scale = self.add_constant(weights[f"{name}.weight"])
        bias = self.add_constant(weights[f"{name}.bias"])
        return self.add("LayerNormalization", [x, scale, bias], axis=-1, epsilon=epsilon)

    def build(
        self, inputs: Mapping[str, Any], outputs: Mapping[str, Any], tensors: Sequence[TensorProto]
    ) -> onnx.ModelProto:
        graph = helper.make_graph(
            self.nodes,
            "maskwise",
            [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()],
            [helper.make_tensor_value_info(name, *kind) for name, kind in outputs.items()],
            [*tensors, *self.constants],
        )
        versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(
            graph, opset_imports=versions, ir_version=8, producer_name="maskwise"
        )


_FUSED = {"QAttention", "MultiHeadAttention", "MatMulIntegerToFloat", "Gelu"}


def _build_model(
    weights: Weights,
    embedding: _Embedding,
    heads: int,
    epsilon: float,
    int8: bool,
    distance: NDArray[Any] | None,
) -> onnx.ModelProto:
    g = _Graph(int8)
    hidden = embedding.shape[1]
    x = _add_encoder(g, weights, embedding, heads, epsilon, distance)
    tags = _add_heads(g, x, weights)
    rows = ["rows", "pieces"]
    whole, real = TensorProto.INT64, TensorProto.FLOAT
    inputs = dict.fromkeys(("input_ids", "shapes"), (whole, rows))
    outputs = {
        "tags": (real, [*rows, tags]),
        "mask": (real, rows),
        "direct": (real, rows),
        "states": (real, [*rows, hidden]),
    }
    return g.build(inputs, outputs, embedding.make_external())


def _add_encoder(
    g: _Graph,
    weights: Weights,
    embedding: _Embedding,
    heads: int,
    epsilon: float,
    distance: NDArray[Any] | None,
) -> str:
    """Adds the encoder. Returns its last states."""
    embedded = _add_embedding(g, weights, embedding)
    x = g.add_norm(embedded, weights, "encoder.norm", epsilon)
    bias = "" if distance is None else _add_position_bias(g, weights, distance)
    numbers = [int(name.split(".")[2]) for name in weights if name.startswith("encoder.layers.")]
    for at in range(1 + max(numbers)):
        name = f"encoder.layers.{at}"
        attended = _add_attention(g, x, weights, f"{name}.qkv", heads, bias)
        projected = g.add_linear(attended, weights, f"{name}.out")
        total = g.add("Add", [x, projected])
        x = g.add_norm(total, weights, f"{name}.attention_norm", epsilon)
        inner = g.add("Gelu", [g.add_linear(x, weights, f"{name}.inner")])
        outer = g.add_linear(inner, weights, f"{name}.outer")
        total = g.add("Add", [x, outer])
        x = g.add_norm(total, weights, f"{name}.norm", epsilon)
    return x


def _add_embedding(g: _Graph, weights: Weights, embedding: _Embedding) -> str:
    word = g.add("Gather", ["word", "input_ids"])
    if embedding.int8:
        word = g.add("Cast", [word], to=TensorProto.FLOAT)
        word = g.add("Mul", [word, g.add("Gather", ["word_scale", "input_ids"])])
    shape = g.add("Gather", [g.add_constant(weights["encoder.shape.weight"]), "shapes"])
    length = g.add("Shape", ["input_ids"], start=1, end=2)
    positions = g.add_constant(weights["encoder.position.weight"])
    position = g.add("Slice", [positions, g.add_integers(0), length])
    total = g.add("Add", [word, shape])
    return g.add("Add", [total, position])


def _add_attention(g: _Graph, x: str, weights: Weights, name: str, heads: int, bias: str) -> str:
    """Adds attention with its three projections: one int8 operator, or two for a position bias or float32."""
    if g.int8 and not bias:
        quantised, scale, zero = g.quantise(x)
        values, value_scale, value_zero = g.add_weight(weights[f"{name}.weight"])
        offset = g.add_constant(weights[f"{name}.bias"])
        inputs = [quantised, values, offset, scale, value_scale, "", zero, value_zero]
        return g.add("QAttention", inputs, num_heads=heads)
    thirds = g.add_integers(*[len(weights[f"{name}.bias"]) // 3] * 3)
    projected = g.add_linear(x, weights, name)
    query, key, value = g.add_many("Split", [projected, thirds], 3, axis=-1)
    return g.add("MultiHeadAttention", [query, key, value, "", "", bias], num_heads=heads)


def _add_position_bias(g: _Graph, weights: Weights, distance: NDArray[Any]) -> str:
    """Adds MPNet's relative position bias `[1, heads, pieces, pieces]`."""
    length = g.add("Shape", ["input_ids"], start=1, end=2)
    square = g.add("Concat", [length, length], axis=0)
    distances = g.add_constant(distance.astype(np.int32))
    buckets = g.add("Slice", [distances, g.add_integers(0, 0), square])
    bias = g.add("Gather", [g.add_constant(weights["encoder.relative"]), buckets])
    transposed = g.add("Transpose", [bias], perm=[2, 0, 1])
    return g.add("Unsqueeze", [transposed, g.add_integers(0)])


def _add_heads(g: _Graph, states: str, weights: Weights) -> int:
    """Adds the three heads as one float product. Returns the number of tags."""
    names = ("tags", "mask", "direct")
    weight = np.concatenate([weights[f"{name}.weight"] for name in names])
    bias = np.concatenate([weights[f"{name}.bias"] for name in names])
    tags = len(weights["tags.bias"])
    product = g.add("MatMul", [states, g.add_constant(weight.T)])
    product = g.add("Add", [product, g.add_constant(bias)])
    _, mask, direct = g.add_many(
        "Split",
        [product, g.add_integers(tags, 1, 1)],
        ["tags", "mask_column", "direct_column"],
        axis=-1,
    )
    g.add("Squeeze", [mask, g.add_integers(-1)], ["mask"])
    g.add("Squeeze", [direct, g.add_integers(-1)], ["direct"])
    g.add("Identity", [states], ["states"])
    return tags


def _build_mlm(weights: Weights, embedding: _Embedding, epsilon: float) -> onnx.ModelProto:
    """Builds the graph from states to logits over the vocabulary. The other rows of a batch change nothing."""
    g = _Graph(int8=False)
    vocabulary, hidden = embedding.shape
    dense = g.add_linear("states", weights, "lm_dense")
    x = g.add_norm(g.add("Gelu", [dense]), weights, "lm_norm", epsilon)
    bias = g.add_constant(weights["lm_bias"])
    if embedding.int8:
        g.add("Add", [_add_vocabulary_product(g, x), bias], ["logits"])
    else:
        g.add("Gemm", [x, "word", bias], ["logits"], transB=1)
    real = TensorProto.FLOAT
    inputs = {"states": (real, ["rows", hidden])}
    return g.build(inputs, {"logits": (real, ["rows", vocabulary])}, embedding.make_external())


def _add_vocabulary_product(g: _Graph, x: str) -> str:
    """Adds the product of `x` and the int8 word embeddings, which takes half the time of float32.

    Each row of `x` is rounded with its own scale. The embeddings use all eight bits, so here `x` has seven.
    """
    largest = g.add("ReduceMax", [g.add("Abs", [x])], axes=[-1], keepdims=1)
    positive = g.add("Max", [largest, _add_float(g, 1e-12)])
    scale = g.add("Div", [positive, _add_float(g, ROW_STEPS)])
    scaled = g.add("Div", [x, scale])
    shifted = g.add("Add", [scaled, _add_float(g, ROW_STEPS)])
    whole = g.add("Round", [shifted])
    quantised = g.add("Cast", [whole], to=TensorProto.UINT8)
    table = g.add("Transpose", ["word"], perm=[1, 0])
    columns = g.add("Reshape", ["word_scale", g.add_integers(-1)])
    zero = g.add_constant(np.array(ROW_STEPS, np.uint8))
    product = g.add("MatMulIntegerToFloat", [quantised, table, _add_float(g, 1), columns, zero])
    return g.add("Mul", [product, scale])


def _add_float(g: _Graph, value: float) -> str:
    return g.add_constant(np.array(value, np.float32))


def _compute_scale(largest: NDArray[Any], steps: int) -> NDArray[np.float32]:
    return np.maximum(largest / steps, 1e-12).astype(np.float32)
