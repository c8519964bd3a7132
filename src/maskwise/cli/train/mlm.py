"""`maskwise train mlm`: masked language modelling, so that an encoder knows the domain before it learns to tag."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, OutOption

if TYPE_CHECKING:
    from maskwise.train.stream import Stream

EXAMPLES = """[bold]Examples[/bold]

maskwise train mlm start letters.jsonl -o read

maskwise train mlm start court=facts.jsonl.xz lives=lives.jsonl.xz -o read --max-seconds 150"""


TextsArgument = Annotated[
    list[str],
    typer.Argument(help="JSONL files with one `text` per row.", metavar="[DOMAIN=]TEXTS"),
]
HeldOutOption = Annotated[
    float,
    typer.Option(help="Score on this share of each file, its last texts.", min=0, max=0.5),
]


def mlm(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    texts: TextsArgument,
    out: OutOption,
    share: common.ShareOption = None,
    lr: common.RateOption = 1.5e-4,
    steps: common.StepsOption = None,
    max_seconds: common.SecondsOption = None,
    size: common.SizeOption = 254,
    rows: common.RowsOption = 256,
    held_out: HeldOutOption = 0.005,
    pieces: common.PiecesOption = None,
    drop: common.DropOption = None,
    every: common.EveryOption = 500,
    resume: common.ResumeOption = None,
    seed: common.SeedOption = 0,
    device: common.DeviceOption = "auto",
    workers: common.WorkersOption = None,
) -> None:
    """Train the encoder and its masked-LM head on raw texts."""
    files = common.parse_files(texts)
    used = [checkpoint, *(one.path for one in files)]
    refuse_clashes({"the output": out, "the state of the run": resume}, {"an input": used})
    common.require_modules()
    from maskwise.train.checkpoint import load_checkpoint
    from maskwise.train.loop import TrainingPlan
    from maskwise.train.mlm import train_mlm

    weights = common.parse_shares(share, files)
    read = partial(common.read_stream, drop=drop, pieces=pieces, workers=workers)
    with common.record_command(context, "mlm", out, used, seed) as run:
        where = common.pick_device(device)
        model = load_checkpoint(checkpoint).to(where)
        streams = [read(one, checkpoint)[1].to(where) for one in files]
        training, scored = _split_streams(streams, held_out)
        one_pass = _count_steps(training, weights, size, rows)
        whole = common.choose_steps(steps, max_seconds, one_pass)
        plan = TrainingPlan(lr, whole, max_seconds, evaluate_every=every, seed=seed, folder=resume)
        progress = train_mlm(
            model, training, scored, plan=plan, size=size, rows=rows, weights=weights
        )
        read_pieces = sum(map(len, training))
        common.finish_run(run, model, progress, out, checkpoint, training_pieces=read_pieces)


def _count_steps(streams: Sequence[Stream], weights: Sequence[float], size: int, rows: int) -> int:
    """Counts the steps of one pass over the streams."""
    from maskwise.train.mlm import BatchMixture

    feed = BatchMixture(streams, weights, size, rows, seed=0)
    return -(-sum(map(len, feed.samplers)) // rows)


def _split_streams(streams: Sequence[Stream], share: float) -> tuple[list[Stream], list[Stream]]:
    """Splits off a share of each stream, its last documents, to score on."""
    training: list[Stream] = []
    scored: list[Stream] = []
    for stream in streams:
        documents = len(stream.bounds) - 1
        last = min(max(round(documents * share), 1 if share else 0), documents - 1)
        training.append(stream.select_documents(0, documents - last))
        if last:
            scored.append(stream.select_documents(documents - last, documents))
    return training, scored
