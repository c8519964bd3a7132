"""`maskwise train tagger`: types, masks and direct identifiers from annotated documents and silver rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, DomainFile, OutOption

if TYPE_CHECKING:
    import torch

    from maskwise.train.model import Network
    from maskwise.train.tagger import TrainingSource

EXAMPLES = """[bold]Examples[/bold]

maskwise train tagger read corpus.json --hold-out .1 --mask-weight 5 -o tagged

maskwise train tagger read corpus.json --silver silver.jsonl --teacher tagged -o general"""


def tagger(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    corpora: Annotated[
        list[Path],
        typer.Argument(
            help="Annotated corpora: TAB JSON or paragraph JSONL.", exists=True, metavar="CORPUS..."
        ),
    ],
    out: OutOption,
    silver: Annotated[
        list[Path] | None,
        typer.Option(help="Silver rows; they teach types, with --teacher masks too.", exists=True),
    ] = None,
    teacher: Annotated[
        list[Path] | None,
        typer.Option(
            help="Checkpoint that labels the silver texts; repeat to average.", exists=True
        ),
    ] = None,
    silver_weight: Annotated[
        float, typer.Option(help="Silver rows per row of the corpora in a batch.")
    ] = 0.5,
    silver_mask: Annotated[
        float, typer.Option(help="Weight of the masks in silver rows, with --teacher.")
    ] = 0.5,
    dev: Annotated[
        Path | None,
        typer.Option(help="Annotated corpus to score on; the best state is kept.", exists=True),
    ] = None,
    hold_out: Annotated[
        float,
        typer.Option(
            help="Share of the documents to leave out and, without --dev, score on.", min=0, max=0.9
        ),
    ] = 0.0,
    epochs: Annotated[float, typer.Option(help="Passes over the corpora.", min=0)] = 10.0,
    lr: common.RateOption = 8e-5,
    heads: common.HeadsOption = 8.0,
    mask_weight: Annotated[
        float, typer.Option(help="Weight of masked pieces; a higher one raises recall.")
    ] = 1.0,
    balance: Annotated[
        float, typer.Option(help="Raise the weight of rare types, from 0 to 1.", min=0, max=1)
    ] = 0.0,
    size: common.SizeOption = 510,
    rows: common.RowsOption = 16,
    patience: Annotated[
        int, typer.Option(help="Stop after so many evaluations without gain; 0: never.")
    ] = 0,
    max_seconds: common.SecondsOption = None,
    every: common.EveryOption = 0,
    resume: common.ResumeOption = None,
    seed: common.SeedOption = 0,
    device: common.DeviceOption = "auto",
    workers: common.WorkersOption = None,
) -> None:
    """Train the heads and the encoder to tag. Evaluates on --dev once per epoch, or every --every steps."""
    inputs = [checkpoint, *corpora, *(silver or ()), *(teacher or ()), *([dev] if dev else ())]
    refuse_clashes({"the output": out, "the state of the run": resume}, {"an input": inputs})
    common.require_modules()
    from maskwise.train import data
    from maskwise.train import tagger as work
    from maskwise.train.checkpoint import load_checkpoint, save_checkpoint
    from maskwise.train.loop import TrainingPlan
    from maskwise.train.run import record_run
    from maskwise.train.stream import build_gold_stream

    with record_run(
        out, "tagger", data=inputs, seed=seed, **common.collect_settings(context)
    ) as run:
        where = common.pick_device(device)
        examples, held = data.split_examples(
            common.read_gold([DomainFile(path) for path in corpora]), hold_out
        )
        judged = common.read_gold([DomainFile(dev)]) if dev else held
        sources = [work.TrainingSource(build_gold_stream(examples, checkpoint).to(where))]
        teachers = [load_checkpoint(path).to(where) for path in teacher or ()]
        sources += [
            _read_silver(
                path, checkpoint, teachers, where, size, workers, silver_weight, silver_mask
            )
            for path in silver or ()
        ]
        del teachers
        steps = work.count_steps(sources, epochs, size=size, rows=rows)
        looks = every or max(round(steps / max(epochs, 1)), 1)
        plan = TrainingPlan(
            lr,
            steps,
            max_seconds,
            heads=heads,
            warmup=0.1,
            seed=seed,
            evaluate_every=looks,
            patience=patience,
            folder=resume,
        )
        model = load_checkpoint(checkpoint).to(where)
        losses = work.Losses(mask_weight=mask_weight, balance=balance)
        select = (
            common.build_scorer(judged, checkpoint, where, size) if judged else common.score_nothing
        )
        progress = work.train_tagger(
            model, sources, plan=plan, losses=losses, size=size, rows=rows, select=select
        )
        save_checkpoint(model, out, checkpoint)
        run.note(
            steps=progress.step,
            best_step=progress.best_step,
            documents=len(examples),
            history=progress.history,
        )
    note(f"{progress.step} steps; checkpoint written to {out}")


def _read_silver(
    path: Path,
    checkpoint: Path,
    teachers: list[Network],
    where: torch.device,
    size: int,
    workers: int | None,
    weight: float,
    mask: float,
) -> TrainingSource:
    """Silver rows as a source: their types alone, or a teacher's labels with types and names laid over them."""
    from maskwise.train.data import read_examples
    from maskwise.train.distill import label_streams, overlay_silver
    from maskwise.train.stream import build_gold_stream
    from maskwise.train.tagger import TrainingSource

    if not teachers:
        stream = build_gold_stream(read_examples(path), checkpoint)
        return TrainingSource(stream.to(where), weight=weight, mask=0, direct=0)
    rows, raw = common.read_stream(DomainFile(path), checkpoint, key="spans", workers=workers)
    labelled = label_streams(
        {"": teachers}, [raw.to(where)], size=size, overlap=min(64, size // 4)
    )[0]
    return TrainingSource(overlay_silver(labelled, rows, checkpoint), weight=weight, mask=mask)
