"""Distillation (Hinton et al. 2015): teachers label raw text once, a smaller student learns their probabilities.

Each domain may have teachers of its own: what one knows of judgments need not cost what another knows of biographies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from maskwise.errors import BundleError
from maskwise.train.loop import Metrics, Plan, Progress
from maskwise.train.model import Model, Output
from maskwise.train.predict import predict
from maskwise.train.stream import Batch, Stream, Targets
from maskwise.train.tagger import EVEN, Losses, Source, train_tagger


def same_vocabulary(*folders: str | Path) -> None:
    """Raises where checkpoint folders have different `tokenizer.json`: ids of one would mean nothing to the other."""
    contents = {(Path(folder) / "tokenizer.json").read_bytes() for folder in folders}
    if len(contents) > 1:
        raise BundleError(
            "teacher and student have different tokenizers; import the teacher with the student's `tokenizer`"
        )


def label(
    teachers: Mapping[str, Sequence[Model]],
    streams: Sequence[Stream],
    *,
    size: int = 254,
    overlap: int = 32,
    rows: int = 256,
) -> list[Stream]:
    """The streams with averaged probabilities of their domain's teachers; those under "" label all other domains."""
    labelled = []
    for stream in streams:
        chosen = teachers.get(stream.domain) or teachers.get("")
        if not chosen:
            raise BundleError(f"no teacher for the domain {stream.domain!r}; name one, or one for all under ''")
        labelled.append(replace(stream, targets=predict(chosen, stream, size=size, overlap=overlap, rows=rows)))
    return labelled


def blend(gold: Stream, teachers: Stream, share: float) -> Stream:
    """Gold labels moved towards the teachers' by `share`: the spread of annotators that single annotations lack."""
    assert gold.targets is not None
    assert teachers.targets is not None
    pairs = [(getattr(gold.targets, n), getattr(teachers.targets, n)) for n in ("tags", "mask", "direct")]
    mixed = [((1 - share) * a.float() + share * b.float()).to(a.dtype) for a, b in pairs]
    return replace(gold, targets=Targets(*mixed))


def distill(
    student: Model,
    labelled: Sequence[Source],
    gold: Sequence[Source] = (),
    held_out: Sequence[Stream] = (),
    *,
    plan: Plan,
    gold_share: float = 0.0,
    losses: Losses = EVEN,
    size: int = 254,
    rows: int = 256,
    states: tuple[Model, float] | None = None,
    select: Callable[[Model], Metrics] | None = None,
) -> Progress:
    """Trains `student` on teachers' labels, with `gold_share` of each batch from annotated texts.

    `states` adds, with a weight, the cosine distance of the student's states, through a linear map, to a teacher's.
    """
    sources = [*_scaled(labelled, 1 - gold_share), *(_scaled(gold, gold_share) if gold_share else [])]
    extra = _state_distance(student, *states) if states else None
    progress = train_tagger(
        student, sources, held_out, plan=plan, losses=losses, size=size, rows=rows, select=select, extra=extra
    )
    if states:
        del student.bridge
    return progress


def _scaled(sources: Sequence[Source], share: float) -> list[Source]:
    total = sum(source.weight for source in sources)
    return [replace(source, weight=source.weight * share / total) for source in sources]


def _state_distance(student: Model, teacher: Model, weight: float) -> Callable[[Batch, Output], Tensor]:
    """Distance to a teacher's states; the map between the widths is trained with the student and then dropped."""
    device = next(student.parameters()).device
    torch.manual_seed(0)
    bridge = nn.Linear(student.config.hidden, teacher.config.hidden).to(device)
    student.add_module("bridge", bridge)
    teacher.eval()

    def distance(batch: Batch, out: Output) -> Tensor:
        with torch.no_grad():
            wanted = teacher.encoder(batch.ids, batch.shapes, batch.attention).float()
        near = functional.cosine_similarity(bridge(out.states).float(), wanted, dim=-1)[batch.real]
        return weight * (1 - near).mean()

    return distance
