"""Masked language modelling on raw text: whole words hidden (Devlin et al. 2019) at a rate drawn for each row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from maskwise.train.loop import (
    Metrics,
    Progress,
    TrainingPlan,
    choose_precision,
    make_generator,
    train_network,
)
from maskwise.train.model import Network
from maskwise.train.stream import Batch, Sampler, Stream

RATES = (0.10, 0.45)


class MaskedBatch(NamedTuple):
    """A batch's ids and shapes after masking, and where pieces were hidden."""

    ids: Tensor
    shapes: Tensor
    hidden: Tensor


def train_mlm(
    model: Network,
    streams: Sequence[Stream],
    held_out: Sequence[Stream] = (),
    *,
    plan: TrainingPlan,
    size: int = 254,
    rows: int = 256,
    weights: Sequence[float] | None = None,
    rates: tuple[float, float] = RATES,
) -> Progress:
    """Trains encoder and masked-LM head. `weights` are the streams' shares of a batch, by default their lengths."""
    shares = weights or [len(stream) for stream in streams]
    feed = BatchMixture(streams, shares, size, rows, plan.seed)
    device = next(model.parameters()).device

    def compute_loss(step: int) -> tuple[Tensor, dict[str, Tensor]]:
        batch = feed.draw_batch(step)
        random = make_generator(plan.seed, step, device)
        masked = hide_words(batch, feed.mask_id, model.config.vocab, rates, random)
        states = model.encoder(masked.ids, masked.shapes, batch.attention)
        value = compute_lm_loss(model, states, batch, masked)
        return value, {"loss": value.detach()}

    def evaluate_streams() -> Metrics:
        scores = [
            score_mlm(model, stream, size=size, rows=rows, rates=rates) for stream in held_out
        ]
        loss = sum(score["loss"] for score in scores) / len(scores)
        metrics: Metrics = {}
        for number, (stream, score) in enumerate(zip(held_out, scores, strict=True)):
            for name, value in score.items():
                metrics[f"{name}_{stream.domain or number}"] = value
        metrics["select"] = -loss
        return metrics

    return train_network(model, compute_loss, plan, evaluate_streams if held_out else None)


def score_mlm(
    model: Network,
    stream: Stream,
    *,
    size: int = 254,
    rows: int = 256,
    rates: tuple[float, float] = RATES,
    limit: int = 4096,
) -> Metrics:
    """Returns mean loss and top-1 share at the hidden pieces of a stream. The same pieces are hidden each time."""
    device = next(model.parameters()).device
    table = stream.cut_windows(size, 0)[:limit]
    total, right, count = 0.0, 0.0, 0
    training = model.training
    model.eval()
    with torch.no_grad(), choose_precision(device):
        for first in range(0, len(table), rows):
            batch = stream.build_batch(table[first : first + rows], size)
            random = make_generator(7, first, device)
            masked = hide_words(
                batch, stream.special[3], model.config.vocab, rates, random, blank=1.0
            )
            states = model.encoder(masked.ids, masked.shapes, batch.attention)
            logits = model.score_vocabulary(states[masked.hidden]).float()
            truth = batch.ids[masked.hidden]
            total += float(functional.cross_entropy(logits, truth, reduction="sum"))
            right += float((logits.argmax(-1) == truth).sum())
            count += len(truth)
    model.train(training)
    return {"loss": total / max(count, 1), "top1": right / max(count, 1)}


def hide_words(
    batch: Batch,
    mask_id: int,
    vocab: int,
    rates: tuple[float, float],
    random: torch.Generator,
    blank: float = 0.9,
) -> MaskedBatch:
    """Hides whole words. The share `blank` becomes [MASK] without shape; of the rest half become random, half stay."""
    rows, length = batch.ids.shape
    device = batch.ids.device

    def draw(*size: int) -> Tensor:
        return torch.rand(*size, generator=random, device=device)

    word = batch.begins.long().cumsum(1)
    rate = rates[0] + (rates[1] - rates[0]) * draw(rows, 1)
    hidden = (draw(rows, length + 1).gather(1, word) < rate) & batch.real
    how = draw(rows, length + 1).gather(1, word)
    blanked = hidden & (how < blank)
    swapped = hidden & (how >= blank) & (how < (1 + blank) / 2)
    noise = torch.randint(0, vocab, (rows, length), generator=random, device=device)
    ids = torch.where(blanked, mask_id, torch.where(swapped, noise, batch.ids))
    return MaskedBatch(ids, torch.where(blanked, 0, batch.shapes), hidden)


def compute_lm_loss(model: Network, states: Tensor, batch: Batch, masked: MaskedBatch) -> Tensor:
    """Computes the cross-entropy at the hidden pieces. Only they go through the vocabulary."""
    logits = model.score_vocabulary(states[masked.hidden])
    return functional.cross_entropy(logits.float(), batch.ids[masked.hidden])


class BatchMixture:
    """Batches drawn from several streams in fixed shares."""

    def __init__(
        self, streams: Sequence[Stream], weights: Sequence[float], size: int, rows: int, seed: int
    ) -> None:
        self.samplers = [
            Sampler(stream, size, seed + 7919 * at) for at, stream in enumerate(streams)
        ]
        self.counts = split_rows(weights, rows)
        self.size = size
        self.mask_id = streams[0].special[3]

    def draw_parts(self, step: int) -> list[Batch]:
        """Returns the rows of each stream that has any in a batch."""
        parts: list[Batch] = []
        for sampler, count in zip(self.samplers, self.counts, strict=True):
            if count:
                windows = sampler.take(step * count, count)
                parts.append(sampler.stream.build_batch(windows, self.size))
        return parts

    def draw_batch(self, step: int) -> Batch:
        return stack_batches(self.draw_parts(step))


def stack_batches(parts: Sequence[Batch]) -> Batch:
    """Stacks the rows of several batches, without their targets."""
    if len(parts) == 1:
        return parts[0]
    names = ("ids", "shapes", "begins", "attention", "real", "at")
    stacked: dict[str, Tensor] = {}
    for name in names:
        stacked[name] = torch.cat([getattr(part, name) for part in parts])
    return Batch(**stacked, targets=None)


def split_rows(weights: Sequence[float], rows: int) -> list[int]:
    """Splits `rows` by `weights`, largest remainders first. A positive weight gets at least one row.

    >>> split_rows([3, 1], 8)
    [6, 2]
    """
    total = sum(weights)
    exact = [rows * weight / total for weight in weights]
    counts = [max(int(x), 1 if x > 0 else 0) for x in exact]
    by_remainder = sorted(range(len(exact)), key=lambda at: int(exact[at]) - exact[at])
    missing = max(rows - sum(counts), 0)
    for at in by_remainder[:missing]:
        counts[at] += 1
    return counts
