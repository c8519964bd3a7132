"""`maskwise train mlm`: masked language modelling, so that an encoder knows the domain before it learns to tag."""

from __future__ import annotations

from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, OutOption

EXAMPLES = """[bold]Examples[/bold]

maskwise train mlm start letters.jsonl -o read

maskwise train mlm start court=facts.jsonl.xz lives=lives.jsonl.xz -o read --max-seconds 150"""


def mlm(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    texts: Annotated[
        list[str],
        typer.Argument(help="JSONL files with one `text` per row.", metavar="[DOMAIN=]TEXTS..."),
    ],
    out: OutOption,
    share: common.ShareOption = None,
    lr: common.RateOption = 1.5e-4,
    steps: common.StepsOption = None,
    max_seconds: common.SecondsOption = None,
    size: common.SizeOption = 254,
    rows: common.RowsOption = 256,
    held_out: Annotated[
        float,
        typer.Option(help="Score on this share of each file, its last texts.", min=0, max=0.5),
    ] = 0.005,
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
    from maskwise.train.checkpoint import load_checkpoint, save_checkpoint
    from maskwise.train.loop import TrainingPlan
    from maskwise.train.mlm import BatchMixture, train_mlm
    from maskwise.train.run import record_run
    from maskwise.train.stream import Stream

    shares = common.parse_numbers(share, files, "--share")
    with record_run(out, "mlm", data=used, seed=seed, **common.collect_settings(context)) as run:
        where = common.pick_device(device)
        model = load_checkpoint(checkpoint).to(where)
        training: list[Stream] = []
        scored: list[Stream] = []
        for one in files:
            stream = common.read_stream(one, checkpoint, drop=drop, pieces=pieces, workers=workers)[
                1
            ].to(where)
            documents = len(stream.bounds) - 1
            last = min(max(round(documents * held_out), 1 if held_out else 0), documents - 1)
            training.append(stream.select_documents(0, documents - last))
            scored += [stream.select_documents(documents - last, documents)] if last else []
        weights = [shares.get(one.domain, 1.0) for one in files]
        feed = BatchMixture(training, weights, size, rows, seed)
        whole = common.choose_steps(steps, max_seconds, -(-sum(map(len, feed.samplers)) // rows))
        plan = TrainingPlan(lr, whole, max_seconds, evaluate_every=every, seed=seed, folder=resume)
        progress = train_mlm(
            model, training, scored, plan=plan, size=size, rows=rows, weights=weights
        )
        save_checkpoint(model, out, checkpoint)
        run.note(
            steps=progress.step, training_pieces=sum(map(len, training)), history=progress.history
        )
    note(f"{progress.step} steps; checkpoint written to {out}")
