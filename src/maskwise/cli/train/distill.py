"""`maskwise train distill`: teachers label raw texts, each those of its domain, and a student learns from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import DomainFile, OutOption
from maskwise.errors import InputError
from maskwise.text import EntityType

if TYPE_CHECKING:
    import torch

    from maskwise.train.model import Network
    from maskwise.train.stream import Stream

EXAMPLES = """[bold]Examples[/bold]

maskwise train distill letters.jsonl --teacher big --student small -o learnt

maskwise train distill court=facts.jsonl lives=silver.jsonl --teacher court=a --teacher lives=b --student s -o out"""


def distill(
    context: typer.Context,
    texts: Annotated[
        list[str],
        typer.Argument(
            help="JSONL files with one `text` per row, also silver rows.",
            metavar="[DOMAIN=]TEXTS...",
        ),
    ],
    teacher: Annotated[
        list[str],
        typer.Option(
            help="Checkpoint; several of a domain are averaged.", metavar="[DOMAIN=]FOLDER"
        ),
    ],
    student: Annotated[
        Path, typer.Option(help="Checkpoint of the student.", exists=True, metavar="FOLDER")
    ],
    out: OutOption,
    gold: Annotated[
        list[str] | None,
        typer.Option(help="Annotated corpus to learn from as well.", metavar="[DOMAIN=]CORPUS"),
    ] = None,
    gold_share: Annotated[
        float, typer.Option(help="Take this share of a batch from --gold.", min=0, max=0.99)
    ] = 0.2,
    blend: Annotated[
        float, typer.Option(help="Move gold labels so far towards the teachers'.", min=0, max=1)
    ] = 0.4,
    share: common.ShareOption = None,
    shift: Annotated[
        list[str] | None,
        typer.Option(help="Added to the logits of a domain's mask labels.", metavar="DOMAIN=X"),
    ] = None,
    masked: Annotated[
        list[str] | None,
        typer.Option(
            help="Share of a domain's words of a type that should be masked.",
            metavar="DOMAIN=TYPE:SHARE",
        ),
    ] = None,
    int8: Annotated[
        bool, typer.Option("--int8", help="Round weights as the int8 export does.")
    ] = False,
    dev: Annotated[
        Path | None,
        typer.Option(help="Annotated corpus to score on; the best state is kept.", exists=True),
    ] = None,
    mlm: Annotated[
        float,
        typer.Option(help="Also train the masked-LM head on this share of rows.", min=0, max=1),
    ] = 0.15,
    lr: common.RateOption = 4e-4,
    heads: common.HeadsOption = 4.0,
    dropout: Annotated[float, typer.Option(help="Dropout of the student.", min=0, max=0.9)] = 0.0,
    steps: common.StepsOption = None,
    max_seconds: common.SecondsOption = None,
    size: common.SizeOption = 510,
    rows: common.RowsOption = 128,
    pieces: common.PiecesOption = None,
    drop: common.DropOption = None,
    every: common.EveryOption = 500,
    resume: common.ResumeOption = None,
    seed: common.SeedOption = 0,
    device: common.DeviceOption = "auto",
    workers: common.WorkersOption = None,
) -> None:
    """Train a student on teachers' labels. Types and names of silver rows correct the teachers' labels."""
    files = common.parse_files(texts)
    masters = common.parse_files(teacher)
    annotated = common.parse_files(gold)
    inputs = [
        student,
        *(one.path for one in (*masters, *files, *annotated)),
        *([dev] if dev else ()),
    ]
    refuse_clashes({"the output": out, "the state of the run": resume}, {"an input": inputs})
    common.require_modules()
    from maskwise.train import distill as work
    from maskwise.train.checkpoint import load_checkpoint, save_checkpoint
    from maskwise.train.loop import TrainingPlan
    from maskwise.train.quantise import quantise_weights
    from maskwise.train.run import record_run
    from maskwise.train.tagger import Losses, TrainingSource, count_steps

    shares = common.parse_numbers(share, files, "--share")
    shifts = common.parse_numbers(shift, files, "--shift")
    wanted = _parse_masked_shares(masked, files)
    work.require_same_vocabulary(student, *(one.path for one in masters))
    with record_run(
        out, "distill", data=inputs, seed=seed, **common.collect_settings(context)
    ) as run:
        where = common.pick_device(device)
        models = _load_teachers(masters, where)
        labelled = [
            TrainingSource(
                _label_file(
                    one,
                    student,
                    models,
                    where,
                    size,
                    shifts.get(one.domain, 0.0),
                    wanted.get(one.domain, {}),
                    drop,
                    pieces,
                    workers,
                ),
                weight=shares.get(one.domain, 1.0),
                mlm=mlm,
            )
            for one in files
        ]
        exact = [
            TrainingSource(_blend_gold(one, student, models, where, size, blend))
            for one in annotated
        ]
        del models
        part = gold_share if exact else 0.0
        whole = common.choose_steps(
            steps, max_seconds, count_steps(labelled, 1, size=size, rows=rows)
        )
        plan = TrainingPlan(
            lr,
            whole,
            max_seconds,
            heads=heads,
            warmup=0.05,
            seed=seed,
            evaluate_every=every,
            folder=resume,
        )
        model = load_checkpoint(student, dropout=dropout).to(where)
        select = (
            common.build_scorer(common.read_gold([DomainFile(dev)]), student, where, size)
            if dev
            else common.score_nothing
        )
        with quantise_weights(model) if int8 else nullcontext():
            progress = work.train_student(
                model,
                labelled,
                exact,
                plan=plan,
                gold_share=part,
                losses=Losses(mlm=0.1),
                size=size,
                rows=rows,
                select=select,
            )
        save_checkpoint(model, out, student)
        pieces_read = {f"pieces_{at}": len(source.stream) for at, source in enumerate(labelled)}
        run.note(
            steps=progress.step,
            best_step=progress.best_step,
            **pieces_read,
            history=progress.history,
        )
    note(f"{progress.step} steps; checkpoint written to {out}")


def _parse_masked_shares(
    given: Sequence[str] | None, files: Sequence[DomainFile]
) -> dict[str, dict[EntityType, float]]:
    """`lives=ORG:.8` and the like, by domain."""
    known = {one.domain for one in files}
    shares: dict[str, dict[EntityType, float]] = defaultdict(dict)
    for text in given or ():
        domain, _, rest = text.partition("=")
        type, _, number = rest.partition(":")
        try:
            share = float(number)
            kind = EntityType(type)
        except ValueError:
            share = -1.0
        if domain not in known or not 0 < share < 1:
            raise InputError(
                f"--masked {text}: give DOMAIN=TYPE:SHARE, a domain of the texts and a share between 0 and 1"
            )
        shares[domain][kind] = share
    return dict(shares)


def _load_teachers(
    masters: Sequence[DomainFile], where: torch.device
) -> Mapping[str, list[Network]]:
    from maskwise.train.checkpoint import load_checkpoint

    models: dict[str, list[Network]] = defaultdict(list)
    for one in masters:
        models[one.domain].append(load_checkpoint(one.path).to(where))
    return dict(models)


def _label_file(
    one: DomainFile,
    student: Path,
    models: Mapping[str, list[Network]],
    where: torch.device,
    size: int,
    shift: float,
    shares: Mapping[EntityType, float],
    drop: str | None,
    pieces: int | None,
    workers: int | None,
) -> Stream:
    """A file's texts with its teachers' labels, moved and corrected."""
    from maskwise.train import distill as work

    rows, raw = common.read_stream(one, student, drop=drop, pieces=pieces, workers=workers)
    stream = work.label_streams(
        models, [raw.to(where)], size=size, overlap=min(64, size // 4), rows=128
    )[0]
    if shift:
        stream = work.shift_masks(stream, shift)
    if shares:
        stream = work.match_masks(stream, shares)
    return work.overlay_silver(stream, rows, student)


def _blend_gold(
    one: DomainFile,
    student: Path,
    models: Mapping[str, list[Network]],
    where: torch.device,
    size: int,
    blend: float,
) -> Stream:
    """Annotated documents, their labels moved towards the teachers'."""
    from dataclasses import replace

    from maskwise.train import distill as work
    from maskwise.train.stream import build_gold_stream

    stream = build_gold_stream(common.read_gold([one]), student).to(where)
    if not blend:
        return stream
    theirs = work.label_streams(
        models, [replace(stream, targets=None)], size=size, overlap=min(64, size // 4)
    )[0]
    return work.blend_labels(stream, theirs, blend)
