"""The network in plain PyTorch: a BERT or MPNet encoder with letter shapes, tagging heads and a tied masked-LM head.

BERT (Devlin et al. 2019) and MPNet (Song et al. 2020) differ in one thing only: MPNet adds a relative position bias.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from maskwise.text import EntityType

LABELS = ("O", *(f"{prefix}-{type}" for type in EntityType for prefix in "BI"))
SHAPES = 8


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Sizes of a network. `buckets` above zero turns on MPNet's relative position bias."""

    vocab: int
    hidden: int
    layers: int
    heads: int
    inner: int
    positions: int = 512
    epsilon: float = 1e-12
    buckets: int = 0

    def describe(self) -> dict[str, Any]:
        return asdict(self)


class NetworkOutput(NamedTuple):
    """Logits of each piece: `tags` over `LABELS`, `mask`, `direct`; and the encoder's last states."""

    tags: Tensor
    mask: Tensor
    direct: Tensor
    states: Tensor


class TransformerLayer(nn.Module):
    """One transformer layer, normalised after each half."""

    def __init__(self, config: NetworkConfig, dropout: float) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.hidden, 3 * config.hidden)
        self.out = nn.Linear(config.hidden, config.hidden)
        self.attention_norm = nn.LayerNorm(config.hidden, eps=config.epsilon)
        self.inner = nn.Linear(config.hidden, config.inner)
        self.outer = nn.Linear(config.inner, config.hidden)
        self.norm = nn.LayerNorm(config.hidden, eps=config.epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor | None) -> Tensor:
        rows, length, hidden = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        attended = attended.transpose(1, 2).reshape(rows, length, hidden)
        x = self.attention_norm(x + self.dropout(self.out(attended)))
        inner = functional.gelu(self.inner(x))
        result: Tensor = self.norm(x + self.dropout(self.outer(inner)))
        return result


class EncoderNetwork(nn.Module):
    """Word, position and shape embeddings, then the layers. Position 0 is the first of a row, for both families."""

    def __init__(self, config: NetworkConfig, dropout: float = 0.1) -> None:
        super().__init__()
        self.config = config
        self.word = nn.Embedding(config.vocab, config.hidden)
        self.position = nn.Embedding(config.positions, config.hidden)
        self.shape = nn.Embedding(SHAPES, config.hidden)
        self.norm = nn.LayerNorm(config.hidden, eps=config.epsilon)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(TransformerLayer(config, dropout) for _ in range(config.layers))
        self.distance: Tensor
        if config.buckets:
            # Left as it was trained: a bias without gradient keeps the fast attention kernels.
            biases = torch.zeros(config.buckets, config.heads)
            self.relative = nn.Parameter(biases, requires_grad=False)
            distance = _compute_buckets(config.positions, config.buckets)
            self.register_buffer("distance", distance, persistent=False)

    def forward(self, ids: Tensor, shapes: Tensor, attention: Tensor | None) -> Tensor:
        """Returns the state of each piece. `attention` is 1 (or True) on real pieces; None says that all are real."""
        length = ids.shape[1]
        x = self.word(ids) + self.position.weight[:length] + self.shape(shapes)
        x = self.dropout(self.norm(x))
        bias = self._compute_bias(length, attention)
        for layer in self.layers:
            x = layer(x, bias)
        states: Tensor = x
        return states

    def _compute_bias(self, length: int, attention: Tensor | None) -> Tensor | None:
        seen = None if attention is None else attention.bool()[:, None, None, :]
        if not self.config.buckets:
            return seen
        relative = self.relative[self.distance[:length, :length]].permute(2, 0, 1)[None]
        if torch.is_autocast_enabled(relative.device.type):
            relative = relative.to(torch.get_autocast_dtype(relative.device.type))
        return relative if seen is None else relative.masked_fill(~seen, -1e4)


class Network(nn.Module):
    """The encoder with its heads. `score_vocabulary` turns states into logits over the vocabulary."""

    def __init__(self, config: NetworkConfig, dropout: float = 0.1) -> None:
        super().__init__()
        self.config = config
        self.encoder = EncoderNetwork(config, dropout)
        self.tags = nn.Linear(config.hidden, len(LABELS))
        self.mask = nn.Linear(config.hidden, 1)
        self.direct = nn.Linear(config.hidden, 1)
        self.lm_dense = nn.Linear(config.hidden, config.hidden)
        self.lm_norm = nn.LayerNorm(config.hidden, eps=config.epsilon)
        self.lm_bias = nn.Parameter(torch.zeros(config.vocab))
        self.apply(_initialise_module)
        nn.init.zeros_(self.encoder.shape.weight)

    def forward(
        self, ids: Tensor, shapes: Tensor, attention: Tensor | None = None
    ) -> NetworkOutput:
        states = self.encoder(ids, shapes, attention)
        return NetworkOutput(
            self.tags(states),
            self.mask(states).squeeze(-1),
            self.direct(states).squeeze(-1),
            states,
        )

    def score_vocabulary(self, states: Tensor) -> Tensor:
        """Returns masked-LM logits, tied to the word embeddings. Give it masked positions only, because it is slow."""
        x = self.lm_norm(functional.gelu(self.lm_dense(states)))
        return functional.linear(x, self.encoder.word.weight, self.lm_bias)


def _initialise_module(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


def _compute_buckets(length: int, buckets: int, farthest: int = 128) -> Tensor:
    """Returns the bucket of each pair (query, key).

    Each small distance has a bucket. Larger ones share buckets of logarithmic width, up to `farthest`. Each side has
    its own.
    """
    position = torch.arange(length)
    ahead = position[None, :] - position[:, None]  # key minus query
    half, exact = buckets // 2, buckets // 4
    far = ahead.abs()
    ratio = torch.log(far.clamp(min=1).float() / exact)
    steps = ratio / torch.log(torch.tensor(farthest / exact)) * (half - exact)
    large = (exact + steps.long()).clamp(max=half - 1)
    return torch.where(far < exact, far, large) + (ahead > 0).long() * half
