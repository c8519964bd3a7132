"""Trains the multi-task tagger (types in BIO, masks, direct identifiers) on soft labels of annotators or teachers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional

from maskwise.train.loop import Metrics, Progress, TrainingPlan, make_generator, train_network
from maskwise.train.mlm import BatchMixture, MaskedBatch, compute_lm_loss, hide_words, stack_batches
from maskwise.train.model import Network, NetworkOutput
from maskwise.train.stream import Batch, Stream, Targets


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """A labelled stream, its share of each batch, and how much each task learns from it (0: nothing)."""

    stream: Stream
    weight: float = 1.0
    tags: float = 1.0
    mask: float = 1.0
    direct: float = 1.0
    mlm: float = 0.0  # share of its rows that also train the masked-LM head


@dataclass(frozen=True, slots=True)
class Losses:
    """Weights inside the loss. `mask_weight` is that of masked against unmasked pieces (TAB: 1, 5, 10).

    `balance` from 0 to 1 weighs the labels by their inverse frequency to that power.
    """

    mask_weight: float = 1.0
    balance: float = 0.0
    mlm: float = 0.1


EVEN = Losses()


def train_tagger(
    model: Network,
    sources: Sequence[TrainingSource],
    *,
    plan: TrainingPlan,
    losses: Losses = EVEN,
    size: int = 254,
    rows: int = 32,
    select: Callable[[Network], Metrics] | None = None,
) -> Progress:
    """Trains all heads. `select` scores the model, and the state with the highest metric `select` is kept."""
    streams = [source.stream for source in sources]
    feed = BatchMixture(streams, [source.weight for source in sources], size, rows, plan.seed)
    used = [source for source, count in zip(sources, feed.counts, strict=True) if count]
    balance = weigh_labels(streams, losses.balance)
    device = next(model.parameters()).device

    def compute_loss(step: int) -> tuple[Tensor, dict[str, Tensor]]:
        random = make_generator(plan.seed, step, device)
        parts = feed.draw_parts(step)
        batch = stack_batches(parts)
        masked = _hide_some(batch, used, parts, feed.mask_id, model.config.vocab, random)
        out = model(masked.ids, masked.shapes, batch.attention)
        terms = _compute_terms(out, masked.hidden, used, parts, losses, balance)
        if any(source.mlm for source in used):
            terms["mlm"] = losses.mlm * compute_lm_loss(model, out.states, batch, masked)
        total = torch.stack(list(terms.values())).sum()
        return total, {name: term.detach() for name, term in terms.items()}

    evaluate = partial(select, model) if select else None
    return train_network(model, compute_loss, plan, evaluate)


def count_steps(sources: Sequence[TrainingSource], count: float, *, size: int, rows: int) -> int:
    """Counts the steps after which the first source has been seen `count` times."""
    feed = BatchMixture([s.stream for s in sources], [s.weight for s in sources], size, rows, 0)
    return max(1, round(count * len(feed.samplers[0]) / feed.counts[0]))


def compute_tagging_loss(
    out: NetworkOutput,
    targets: Targets,
    counted: Tensor,
    source: TrainingSource,
    losses: Losses,
    balance: Tensor | None = None,
) -> dict[str, Tensor]:
    """Computes soft cross-entropy of the tags, and binary of mask and direct, as means over the `counted` pieces."""
    pieces = counted.float()
    total = pieces.sum().clamp(min=1)
    wanted = targets.tags if balance is None else targets.tags * balance
    tags = -(wanted * out.tags.float().log_softmax(-1)).sum(-1)
    mask = _compute_binary_loss(out.mask, targets.mask, losses.mask_weight)
    direct = _compute_binary_loss(out.direct, targets.direct, 1.0)
    pairs = {
        "tags": (tags, source.tags),
        "mask": (mask, source.mask),
        "direct": (direct, source.direct),
    }
    return {
        name: weight * (value * pieces).sum() / total
        for name, (value, weight) in pairs.items()
        if weight
    }


def weigh_labels(streams: Sequence[Stream], power: float) -> Tensor | None:
    """Returns the inverse frequency of each label to `power`, scaled so that the weights average 1 over the pieces."""
    if power == 0:
        return None
    labelled = [stream.targets for stream in streams if stream.targets is not None]
    counts = torch.stack([targets.tags.float().sum(0) for targets in labelled]).sum(0)
    frequency = (counts + 1) / (counts + 1).sum()
    weights = frequency**-power
    return weights / (weights * frequency).sum()


def _compute_terms(
    out: NetworkOutput,
    hidden: Tensor,
    used: Sequence[TrainingSource],
    parts: Sequence[Batch],
    losses: Losses,
    balance: Tensor | None,
) -> dict[str, Tensor]:
    """Returns the loss of each task, averaged over the sources by their rows."""
    terms: dict[str, Tensor] = {}
    rows, first = len(out.tags), 0
    for source, part in zip(used, parts, strict=True):
        last = first + len(part.ids)
        assert part.targets is not None
        piece = NetworkOutput(*(value[first:last] for value in out))
        counted = part.real & ~hidden[first:last]
        found = compute_tagging_loss(piece, part.targets, counted, source, losses, balance)
        for name, term in found.items():
            terms[name] = terms.get(name, 0) + term * ((last - first) / rows)
        first = last
    return terms


def _hide_some(
    batch: Batch,
    used: Sequence[TrainingSource],
    parts: Sequence[Batch],
    mask_id: int,
    vocab: int,
    random: torch.Generator,
) -> MaskedBatch:
    """Hides words in the rows that also train the masked-LM head. Tags of hidden pieces do not count."""
    if not any(source.mlm for source in used):
        return MaskedBatch(batch.ids, batch.shapes, torch.zeros_like(batch.real))
    flags = [
        torch.arange(len(part.ids)) < round(source.mlm * len(part.ids))
        for source, part in zip(used, parts, strict=True)
    ]
    chosen = torch.cat(flags).to(batch.ids.device)[:, None]
    masked = hide_words(batch, mask_id, vocab, (0.1, 0.3), random)
    hidden = masked.hidden & chosen
    return MaskedBatch(
        torch.where(hidden, masked.ids, batch.ids),
        torch.where(hidden, masked.shapes, batch.shapes),
        hidden,
    )


def _compute_binary_loss(logits: Tensor, wanted: Tensor, positive: float) -> Tensor:
    """Computes binary cross-entropy with soft targets and a weight on the positive side."""
    logits = logits.float()
    masked = positive * wanted * functional.logsigmoid(logits)
    return -(masked + (1 - wanted) * functional.logsigmoid(-logits))
