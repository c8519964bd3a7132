"""`maskwise train tagger`: types, masks and direct identifiers from annotated documents and silver rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, Named, OutOption

if TYPE_CHECKING:
    import torch

    from maskwise.train.model import Model
    from maskwise.train.tagger import Source

EXAMPLES = """[bold]Examples[/bold]

maskwise train tagger read corpus.json --hold-out .1 --mask-weight 5 -o tagged

maskwise train tagger read corpus.json --silver silver.jsonl --teacher tagged -o general"""


def tagger(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    corpora: Annotated[
        list[Path],
        typer.Argument(help="Annotated corpora: TAB JSON or paragraph JSONL.", exists=True, metavar="CORPUS..."),
    ],
    out: OutOption,
    silver: Annotated[
        list[Path] | None, typer.Option(help="Silver rows; they teach types, and masks with --teacher.", exists=True)
    ] = None,
    teacher: Annotated[
        list[Path] | None,
        typer.Option(help="Label the silver texts by this checkpoint; several are averaged.", exists=True),
    ] = None,
    silver_weight: Annotated[float, typer.Option(help="Silver rows per row of the corpora in a batch.")] = 0.5,
    silver_mask: Annotated[float, typer.Option(help="Weight of the masks in silver rows, with --teacher.")] = 0.5,
    dev: Annotated[
        Path | None, typer.Option(help="Score on this annotated corpus and keep the best state.", exists=True)
    ] = None,
    hold_out: Annotated[
        float, typer.Option(help="Hold out this share of the documents; without --dev, score on it.", min=0, max=0.9)
    ] = 0.0,
    epochs: Annotated[float, typer.Option(help="Passes over the corpora.", min=0)] = 10.0,
    lr: common.RateOption = 8e-5,
    heads: common.HeadsOption = 8.0,
    mask_weight: Annotated[float, typer.Option(help="Weight of masked pieces; a higher one raises recall.")] = 1.0,
    balance: Annotated[float, typer.Option(help="Raise the weight of rare types, from 0 to 1.", min=0, max=1)] = 0.0,
    size: common.SizeOption = 510,
    rows: common.RowsOption = 16,
    patience: Annotated[int, typer.Option(help="Stop after so many scores without gain; 0 never stops.")] = 0,
    max_seconds: common.SecondsOption = None,
    every: common.EveryOption = 0,
    resume: common.ResumeOption = None,
    seed: common.SeedOption = 0,
    device: common.DeviceOption = "auto",
    workers: common.WorkersOption = None,
) -> None:
    """Train the encoder and its heads to tag. Scores once per epoch, or every --every steps."""
    inputs = [checkpoint, *corpora, *(silver or ()), *(teacher or ()), *([dev] if dev else ())]
    refuse_clashes({"the output": out, "the state of the run": resume}, {"an input": inputs})
    common.need()
    from maskwise.train import data
    from maskwise.train import tagger as work
    from maskwise.train.checkpoint import load, save
    from maskwise.train.loop import Plan
    from maskwise.train.run import recorded
    from maskwise.train.stream import gold_stream

    with recorded(out, "tagger", data=inputs, seed=seed, **common.settings(context)) as run:
        where = common.pick(device)
        examples, held = data.split(common.read_gold([Named(path) for path in corpora]), hold_out)
        judged = common.read_gold([Named(dev)]) if dev else held
        sources = [work.Source(gold_stream(examples, checkpoint).to(where))]
        teachers = [load(path).to(where) for path in teacher or ()]
        sources += [
            _silver(path, checkpoint, teachers, where, size, workers, silver_weight, silver_mask)
            for path in silver or ()
        ]
        del teachers
        steps = work.epochs(sources, epochs, size=size, rows=rows)
        looks = every or max(round(steps / max(epochs, 1)), 1)
        plan = Plan(lr, steps, max_seconds, heads=heads, warmup=0.1, seed=seed, evaluate_every=looks,
                    patience=patience, folder=resume)  # fmt: skip
        model = load(checkpoint).to(where)
        losses = work.Losses(mask_weight=mask_weight, balance=balance)
        select = common.dev_scores(judged, checkpoint, where, size) if judged else common.nothing
        progress = work.train_tagger(model, sources, plan=plan, losses=losses, size=size, rows=rows, select=select)
        save(model, out, checkpoint)
        run.note(steps=progress.step, best_step=progress.best_step, documents=len(examples), history=progress.history)
    note(f"{progress.step} steps; checkpoint written to {out}")


def _silver(
    path: Path,
    checkpoint: Path,
    teachers: list[Model],
    where: torch.device,
    size: int,
    workers: int | None,
    weight: float,
    mask: float,
) -> Source:
    """Silver rows as a source: their types alone, or a teacher's labels with types and names laid over them."""
    from maskwise.train.data import read_examples
    from maskwise.train.distill import label, overlay
    from maskwise.train.stream import gold_stream
    from maskwise.train.tagger import Source

    if not teachers:
        stream = gold_stream(read_examples(path), checkpoint)
        return Source(stream.to(where), weight=weight, mask=0, direct=0)
    rows, raw = common.read_stream(Named(path), checkpoint, key="spans", workers=workers)
    labelled = label({"": teachers}, [raw.to(where)], size=size, overlap=min(64, size // 4))[0]
    return Source(overlay(labelled, rows, checkpoint), weight=weight, mask=mask)
