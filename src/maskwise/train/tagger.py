"""The multi-task tagger: types in BIO, what to mask, direct identifiers; soft labels of annotators or teachers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional

from maskwise.train.loop import Metrics, Progress, TrainingPlan, choose_precision, make_generator, train_network
from maskwise.train.mlm import BatchMixture, MaskedBatch, compute_lm_loss, hide_words, stack_batches
from maskwise.train.model import Network, NetworkOutput
from maskwise.train.stream import Batch, Stream, Targets


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """A labelled stream, its share of each batch, and how much each task learns from it (0: nothing).

    `temperature` above 1 softens the tags on both sides, for teachers' labels (Hinton et al. 2015).
    `entity_dropout` is the share of entity words exchanged for others of their type, to learn context, not names.
    """

    stream: Stream
    weight: float = 1.0
    tags: float = 1.0
    mask: float = 1.0
    direct: float = 1.0
    temperature: float = 1.0
    entity_dropout: float = 0.0
    mlm: float = 0.0  # share of its rows that also train the masked-LM head


@dataclass(frozen=True, slots=True)
class Losses:
    """Weights inside the loss. `mask_weight` is that of masked against unmasked pieces (TAB: 1, 5, 10).

    `balance` 0..1 weights the labels by their inverse frequency to that power.
    """

    mask_weight: float = 1.0
    direct_weight: float = 1.0
    balance: float = 0.0
    mlm: float = 0.1


EVEN = Losses()


def train_tagger(
    model: Network,
    sources: Sequence[TrainingSource],
    held_out: Sequence[Stream] = (),
    *,
    plan: TrainingPlan,
    losses: Losses = EVEN,
    size: int = 254,
    rows: int = 32,
    select: Callable[[Network], Metrics] | None = None,
    extra: Callable[[Batch, NetworkOutput], Tensor] | None = None,
) -> Progress:
    """Trains all heads and keeps the best state, by the metric `select` that `select` returns, or by held-out loss.

    `extra` adds a term to the loss, such as the distance to a teacher's states.
    """
    streams = [source.stream for source in sources]
    feed = BatchMixture(streams, [source.weight for source in sources], size, rows, plan.seed)
    used = [source for source, count in zip(sources, feed.counts, strict=True) if count]
    balance = weigh_labels(streams, losses.balance)
    device = next(model.parameters()).device
    forward = torch.compile(model) if plan.compile else model

    def loss(step: int) -> tuple[Tensor, dict[str, Tensor]]:
        random = make_generator(plan.seed, step, device)
        parts = [augment(b, s, random) for s, b in zip(used, feed.parts(step), strict=True)]
        batch = stack_batches(parts)
        masked = _hide_some(batch, used, parts, feed.mask_id, model.config.vocab, random)
        out = forward(masked.ids, masked.shapes, batch.attention)
        terms = _compute_terms(out, masked.hidden, used, parts, losses, balance)
        if any(source.mlm for source in used):
            terms["mlm"] = losses.mlm * compute_lm_loss(model, out.states, batch, masked)
        if extra is not None:
            terms["extra"] = extra(batch, out)
        return torch.stack(list(terms.values())).sum(), {name: term.detach() for name, term in terms.items()}

    def evaluate() -> Metrics:
        metrics = {f"loss_{s.domain or at}": score_loss(model, s, size=size) for at, s in enumerate(held_out)}
        chosen = select(model) if select else {"select": -sum(metrics.values())}
        return {**metrics, **chosen}

    return train_network(model, loss, plan, evaluate if held_out or select else None)


def count_steps(sources: Sequence[TrainingSource], count: float, *, size: int, rows: int) -> int:
    """Steps after which the first source has been seen `count` times."""
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
    """Soft cross-entropy of the tags, soft binary cross-entropy of mask and direct, means over the `counted` pieces."""
    pieces = counted.float()
    total = pieces.sum().clamp(min=1)
    heat = source.temperature
    wanted = targets.tags if heat == 1 else _sharpen(targets.tags, 1 / heat)
    weighted = wanted if balance is None else wanted * balance
    tags = -(weighted * (out.tags.float() / heat).log_softmax(-1)).sum(-1) * heat**2
    mask = _compute_binary_loss(out.mask, targets.mask, losses.mask_weight)
    direct = _compute_binary_loss(out.direct, targets.direct, losses.direct_weight)
    pairs = {"tags": (tags, source.tags), "mask": (mask, source.mask), "direct": (direct, source.direct)}
    return {name: weight * (value * pieces).sum() / total for name, (value, weight) in pairs.items() if weight}


def score_loss(model: Network, stream: Stream, *, size: int = 254, rows: int = 64) -> float:
    """Unweighted loss on a held-out stream."""
    table = stream.windows(size, 0)
    total, count = 0.0, 0
    with torch.no_grad(), choose_precision(stream.ids.device):
        for first in range(0, len(table), rows):
            batch = stream.batch(table[first : first + rows], size)
            assert batch.targets is not None
            out = model(batch.ids, batch.shapes, batch.attention)
            terms = compute_tagging_loss(out, batch.targets, batch.real, TrainingSource(stream), EVEN)
            pieces = int(batch.real.sum())
            total += sum(float(term) for term in terms.values()) * pieces
            count += pieces
    return total / max(count, 1)


def weigh_labels(streams: Sequence[Stream], power: float) -> Tensor | None:
    """Inverse frequency of each label to `power`, scaled so that the weights average 1 over the pieces."""
    if power == 0:
        return None
    counts = torch.stack([s.targets.tags.float().sum(0) for s in streams if s.targets is not None]).sum(0)
    frequency = (counts + 1) / (counts + 1).sum()
    weights = frequency**-power
    return weights / (weights * frequency).sum()


def augment(batch: Batch, source: TrainingSource, random: torch.Generator) -> Batch:
    """Exchanges some entity words for other pieces of the same type in the batch."""
    if not source.entity_dropout or batch.targets is None:
        return batch
    device = batch.ids.device
    kind = torch.where(batch.real, (batch.targets.tags.argmax(-1) + 1) // 2, 0)  # 0 outside, else the type
    word = batch.begins.long().cumsum(1)
    rows, length = batch.ids.shape
    drawn = torch.rand(rows, length + 1, generator=random, device=device).gather(1, word) < source.entity_dropout
    # Begins go to begins and rests of words to rests, or else pieces would no longer make words.
    key = ((kind * 2 + batch.begins.long()) * 8 + batch.shapes).flatten().float()
    noise = torch.rand(key.shape, generator=random, device=device) * 0.999
    order, mixed = key.argsort(stable=True), (key + noise).argsort(stable=True)
    ids, shapes = batch.ids.flatten().clone(), batch.shapes.flatten().clone()
    ids[order], shapes[order] = batch.ids.flatten()[mixed], batch.shapes.flatten()[mixed]
    swap = drawn & (kind > 0) & batch.real
    return replace(
        batch,
        ids=torch.where(swap, ids.view(rows, length), batch.ids),
        shapes=torch.where(swap, shapes.view(rows, length), batch.shapes),
    )


def _compute_terms(
    out: NetworkOutput,
    hidden: Tensor,
    used: Sequence[TrainingSource],
    parts: Sequence[Batch],
    losses: Losses,
    balance: Tensor | None,
) -> dict[str, Tensor]:
    """Each task's loss, averaged over the sources by their rows."""
    terms: dict[str, Tensor] = {}
    rows, first = len(out.tags), 0
    for source, part in zip(used, parts, strict=True):
        last = first + len(part.ids)
        assert part.targets is not None
        piece = NetworkOutput(*(value[first:last] for value in out))
        counted = part.real & ~hidden[first:last]
        for name, term in compute_tagging_loss(piece, part.targets, counted, source, losses, balance).items():
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
    """Hides words in the rows that also train the masked-LM head; tags of hidden pieces do not count."""
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
        torch.where(hidden, masked.ids, batch.ids), torch.where(hidden, masked.shapes, batch.shapes), hidden
    )


def _compute_binary_loss(logits: Tensor, wanted: Tensor, positive: float) -> Tensor:
    """Binary cross-entropy with soft targets and a weight on the positive side."""
    logits = logits.float()
    return -(positive * wanted * functional.logsigmoid(logits) + (1 - wanted) * functional.logsigmoid(-logits))


def _sharpen(probabilities: Tensor, power: float) -> Tensor:
    raised: Tensor = probabilities.clamp(min=1e-7) ** power
    return raised / raised.sum(-1, keepdim=True)
