"""Distillation (Hinton et al. 2015): teachers label raw text once, a smaller student learns their probabilities.

Each domain may have its own teachers: one may know judgments, another biographies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from maskwise.errors import BundleError
from maskwise.lm.pieces import PieceTokenizer
from maskwise.text import EntityType
from maskwise.train.loop import Metrics, Progress, TrainingPlan
from maskwise.train.model import LABELS, Network
from maskwise.train.predict import predict_targets
from maskwise.train.stream import Stream, Targets
from maskwise.train.tagger import EVEN, Losses, TrainingSource, train_tagger


def require_same_vocabulary(*folders: str | Path) -> None:
    """Raises an error if checkpoint folders have different tokenizers: ids of one would mean nothing to the other."""
    contents = {(Path(folder) / "tokenizer.json").read_bytes() for folder in folders}
    if len(contents) > 1:
        raise BundleError(
            "teacher and student have different tokenizers; import the teacher with the student's `tokenizer`"
        )


def label_streams(
    teachers: Mapping[str, Sequence[Network]],
    streams: Sequence[Stream],
    *,
    size: int = 254,
    overlap: int = 32,
    rows: int = 256,
) -> list[Stream]:
    """Labels the streams with averaged probabilities of their domain's teachers. Those under "" label all others."""
    labelled = []
    for stream in streams:
        chosen = teachers.get(stream.domain) or teachers.get("")
        if not chosen:
            raise BundleError(
                f"no teacher for the domain {stream.domain!r}; name one, or one for all under ''"
            )
        targets = predict_targets(chosen, stream, size=size, overlap=overlap, rows=rows)
        labelled.append(replace(stream, targets=targets))
    return labelled


def blend_labels(gold: Stream, teachers: Stream, share: float) -> Stream:
    """Moves gold labels towards the teachers' by `share`. This adds the spread that a single annotation lacks."""
    assert gold.targets is not None
    assert teachers.targets is not None
    ours, theirs = gold.targets, teachers.targets

    def mix(a: Tensor, b: Tensor) -> Tensor:
        return ((1 - share) * a.float() + share * b.float()).to(a.dtype)

    tags = mix(ours.tags, theirs.tags)
    mask = mix(ours.mask, theirs.mask)
    direct = mix(ours.direct, theirs.direct)
    return replace(gold, targets=Targets(tags, mask, direct))


def shift_masks(stream: Stream, shift: float) -> Stream:
    """Moves the logits of the mask labels, up if the teachers mask too little on this domain."""
    assert stream.targets is not None
    mask = stream.targets.mask
    moved = torch.sigmoid(torch.logit(mask.float(), eps=1e-4) + shift).to(mask.dtype)
    return replace(stream, targets=replace(stream.targets, mask=moved))


def match_masks(stream: Stream, shares: Mapping[EntityType, float]) -> Stream:
    """Moves the logits of the mask labels type by type, until of the pieces found as a type its share is masked.

    Annotators of one kind of text mask what those of another keep, for example organisations in judgments and in
    biographies. A teacher of the first kind labels the second with the shares of the first. Where the true shares are
    known, this function corrects the labels (prior shift; Saerens et al. 2002).
    """
    assert stream.targets is not None
    targets = stream.targets
    found = 1 - targets.tags[:, 0].float()
    type = targets.tags[:, 1:].float().reshape(len(found), -1, 2).sum(-1).argmax(-1)
    logits = torch.logit(targets.mask.float(), eps=1e-4)
    moves = torch.zeros(len(EntityType), device=logits.device)
    for at, kind in enumerate(EntityType):
        chosen = logits[(type == at) & (found >= 0.5)]
        if kind in shares and len(chosen):
            moves[at] = _find_shift(chosen, shares[kind])
    moved = torch.sigmoid(logits + moves[type] * found).to(targets.mask.dtype)
    return replace(stream, targets=replace(targets, mask=moved))


def _find_shift(logits: Tensor, share: float) -> float:
    """Finds by bisection what to add to the logits so that their probabilities average `share`, at most 4."""
    low, high = -4.0, 4.0
    for _ in range(30):
        middle = (low + high) / 2
        reached = float(torch.sigmoid(logits + middle).mean())
        if reached < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def overlay_silver(
    stream: Stream,
    rows: Sequence[Mapping[str, Any]],
    tokenizer: str | Path,
    *,
    share: float = 0.8,
    certainty: float = 0.97,
) -> Stream:
    """Corrects teachers' labels by what silver rows know. Row `n` is the text of the stream's document `n`.

    The types of `spans`, and PERSON for the subject's `names`, get `share` of the tags. The names are masked and direct
    with at least `certainty`, because they identify the subject of any text.
    """
    assert stream.targets is not None
    labels, named = _align_silver(stream, rows, PieceTokenizer.load(tokenizer))
    device = stream.ids.device
    tags = stream.targets.tags.clone()
    mask = stream.targets.mask.clone()
    direct = stream.targets.direct.clone()
    at = torch.as_tensor(np.flatnonzero(labels >= 0), device=device)
    hot = functional.one_hot(torch.as_tensor(labels[labels >= 0], device=device), len(LABELS))
    tags[at] = (share * hot + (1 - share) * tags[at].float()).to(tags.dtype)
    names = torch.as_tensor(named, device=device)
    mask[names] = mask[names].clamp(min=certainty)
    direct[names] = direct[names].clamp(min=certainty)
    return replace(stream, targets=Targets(tags, mask, direct))


def _align_silver(
    stream: Stream, rows: Sequence[Mapping[str, Any]], reader: PieceTokenizer
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Returns the label of each piece that a row speaks of (else -1), and whether the subject's name covers it."""
    labels = np.full(len(stream), -1, dtype=np.int64)
    named = np.zeros(len(stream), dtype=bool)
    bounds = pairwise(stream.bounds.tolist())
    for row, (start, end) in zip(rows, bounds, strict=True):
        spans = row.get("spans", ())
        names = row.get("names", ())
        if not spans and not names:
            continue
        pieces = reader.encode(row["text"])
        if len(pieces) != end - start:
            raise BundleError(
                "silver rows and stream are not of the same texts; encode the rows' own texts"
            )
        typed = [(first, last, type, False) for first, last, type, *_ in spans]
        typed += [(first, last, EntityType.PERSON, True) for first, last in names]
        for first, last, type, is_name in typed:
            a, b = (start + piece for piece in pieces.find_covering(first, last))
            labels[a:b] = LABELS.index(f"I-{type}")
            labels[a : min(a + 1, b)] = LABELS.index(f"B-{type}")
            named[a:b] |= is_name
    return labels, named


def train_student(
    student: Network,
    labelled: Sequence[TrainingSource],
    gold: Sequence[TrainingSource] = (),
    *,
    plan: TrainingPlan,
    gold_share: float = 0.0,
    losses: Losses = EVEN,
    size: int = 254,
    rows: int = 256,
    select: Callable[[Network], Metrics] | None = None,
) -> Progress:
    """Trains `student` on teachers' labels, with `gold_share` of each batch from annotated texts."""
    sources = _scale_weights(labelled, 1 - gold_share)
    if gold_share:
        sources += _scale_weights(gold, gold_share)
    return train_tagger(
        student, sources, plan=plan, losses=losses, size=size, rows=rows, select=select
    )


def _scale_weights(sources: Sequence[TrainingSource], share: float) -> list[TrainingSource]:
    total = sum(source.weight for source in sources)
    return [replace(source, weight=source.weight * share / total) for source in sources]
