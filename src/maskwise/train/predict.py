"""Reads whole documents with PyTorch models: windows are blended with triangular weights, models are averaged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from maskwise.train.loop import choose_precision
from maskwise.train.model import LABELS, Network
from maskwise.train.stream import Stream, Targets, Windows

_CHUNK = 4_000_000  # pieces whose sums are held in float32 at a time


def predict_targets(
    models: Network | Sequence[Network],
    stream: Stream,
    *,
    size: int = 254,
    overlap: int = 64,
    rows: int = 256,
    dtype: torch.dtype = torch.float16,
) -> Targets:
    """Returns probabilities for each piece of the stream, on its device. Those of several models are averaged."""
    models = [models] if isinstance(models, Network) else list(models)
    modes = [model.training for model in models]
    for model in models:
        model.eval()
    device = stream.ids.device
    tags = torch.empty(len(stream), len(LABELS), dtype=dtype, device=device)
    mask = torch.empty(len(stream), dtype=dtype, device=device)
    direct = torch.empty(len(stream), dtype=dtype, device=device)
    with torch.inference_mode(), choose_precision(device):
        for first, last, table in _split_chunks(stream, size, overlap):
            sums = _blend_windows(models, stream, table, first, last, size, rows)
            tags[first:last] = sums[:, : len(LABELS)].to(dtype)
            mask[first:last] = sums[:, -2].to(dtype)
            direct[first:last] = sums[:, -1].to(dtype)
    for model, mode in zip(models, modes, strict=True):
        model.train(mode)
    return Targets(tags, mask, direct)


def _split_chunks(stream: Stream, size: int, overlap: int) -> list[tuple[int, int, Windows]]:
    """Returns runs of whole documents of about `_CHUNK` pieces with their windows, the longest windows first."""
    table = stream.cut_windows(size, overlap)
    cuts = [0]
    for bound in stream.bounds[1:].tolist():
        if bound - cuts[-1] >= _CHUNK:
            cuts.append(bound)
    if cuts[-1] != len(stream):
        cuts.append(len(stream))
    chunks = []
    for first, last in pairwise(cuts):
        rows = table[(table[:, 0] >= first) & (table[:, 0] < last)]
        chunks.append((first, last, rows[np.argsort(-rows[:, 1], kind="stable")]))
    return chunks


def _blend_windows(
    models: Sequence[Network],
    stream: Stream,
    table: Windows,
    first: int,
    last: int,
    size: int,
    rows: int,
) -> Tensor:
    """Returns the blended probabilities of the pieces `first` to `last`."""
    device = stream.ids.device
    sums = torch.zeros(last - first, len(LABELS) + 2, device=device)
    weights = torch.zeros(last - first, 1, device=device)
    for at in range(0, len(table), rows):
        part = table[at : at + rows]
        longest = min(-(-(int(part[:, 1].max()) + 2) // 8) * 8 - 2, size)
        batch = stream.build_batch(part, longest)
        values = sum(
            _compute_probabilities(model, batch.ids, batch.shapes, batch.attention)
            for model in models
        )
        lengths = torch.as_tensor(part[:, 1:], device=device)
        weight = _weigh_pieces(lengths, longest)[batch.real][:, None]
        where = batch.at[batch.real] - first
        sums.index_add_(0, where, values[batch.real] * (weight / len(models)))  # type: ignore[index]
        weights.index_add_(0, where, weight)
    return sums / weights.clamp(min=1e-6)


def _compute_probabilities(
    model: Network, ids: Tensor, shapes: Tensor, attention: Tensor
) -> Tensor:
    out = model(ids, shapes, attention)
    pair = torch.stack([out.mask, out.direct], -1).float().sigmoid()
    return torch.cat([out.tags.float().softmax(-1), pair], -1)


def _weigh_pieces(lengths: Tensor, size: int) -> Tensor:
    """Returns the weights of `lm.windows.weigh_window` for rows of several lengths. Column 0 is [CLS]."""
    column = torch.arange(size + 2, device=lengths.device)[None]
    return torch.minimum(column, lengths + 1 - column).clamp(min=0).float()
