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
from maskwise.cli.train.common import Named, OutOption
from maskwise.errors import InputError
from maskwise.text import EntityType

if TYPE_CHECKING:
    import torch

    from maskwise.train.model import Model
    from maskwise.train.stream import Stream

EXAMPLES = """[bold]Examples[/bold]

maskwise train distill letters.jsonl --teacher big --student small -o learnt

maskwise train distill court=facts.jsonl lives=silver.jsonl --teacher court=a --teacher lives=b --student s -o out"""


def distill(
    context: typer.Context,
    texts: Annotated[
        list[str],
        typer.Argument(help="JSONL with one `text` per row; silver rows count too.", metavar="[DOMAIN=]TEXTS..."),
    ],
    teacher: Annotated[
        list[str],
        typer.Option(help="Learn from this checkpoint; several per domain are averaged.", metavar="[DOMAIN=]FOLDER"),
    ],
    student: Annotated[Path, typer.Option(help="Checkpoint of the student.", exists=True, metavar="FOLDER")],
    out: OutOption,
    gold: Annotated[
        list[str] | None, typer.Option(help="Also learn from this annotated corpus.", metavar="[DOMAIN=]CORPUS")
    ] = None,
    gold_share: Annotated[float, typer.Option(help="Take this share of a batch from --gold.", min=0, max=0.99)] = 0.2,
    blend: Annotated[float, typer.Option(help="Move gold labels so far towards the teachers'.", min=0, max=1)] = 0.4,
    share: common.ShareOption = None,
    shift: Annotated[
        list[str] | None, typer.Option(help="Add X to the logits of a domain's mask labels.", metavar="DOMAIN=X")
    ] = None,
    masked: Annotated[
        list[str] | None,
        typer.Option(help="Mask this share of a domain's words of a type.", metavar="DOMAIN=TYPE:SHARE"),
    ] = None,
    int8: Annotated[bool, typer.Option("--int8", help="Round weights as the int8 export does.")] = False,
    dev: Annotated[
        Path | None, typer.Option(help="Score on this annotated corpus and keep the best state.", exists=True)
    ] = None,
    mlm: Annotated[
        float, typer.Option(help="Also train the masked-LM head on this share of rows.", min=0, max=1)
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
    """Train a student on the labels of teachers. Silver rows correct the teachers' types and names."""
    files, masters, annotated = common.named(texts), common.named(teacher), common.named(gold)
    inputs = [student, *(one.path for one in (*masters, *files, *annotated)), *([dev] if dev else ())]
    refuse_clashes({"the output": out, "the state of the run": resume}, {"an input": inputs})
    common.need()
    from maskwise.train import distill as work
    from maskwise.train.checkpoint import load, save
    from maskwise.train.loop import Plan
    from maskwise.train.quantise import quantised
    from maskwise.train.run import recorded
    from maskwise.train.tagger import Losses, Source, epochs

    shares, shifts = common.numbers(share, files, "--share"), common.numbers(shift, files, "--shift")
    wanted = _masked_shares(masked, files)
    work.same_vocabulary(student, *(one.path for one in masters))
    with recorded(out, "distill", data=inputs, seed=seed, **common.settings(context)) as run:
        where = common.pick(device)
        models = _teachers(masters, where)
        labelled = [
            Source(_labelled(one, student, models, where, size, shifts.get(one.domain, 0.0),
                             wanted.get(one.domain, {}), drop, pieces, workers),
                   weight=shares.get(one.domain, 1.0), mlm=mlm)
            for one in files
        ]  # fmt: skip
        exact = [Source(_blended(one, student, models, where, size, blend)) for one in annotated]
        del models
        part = gold_share if exact else 0.0
        whole = common.until(steps, max_seconds, epochs(labelled, 1, size=size, rows=rows))
        plan = Plan(lr, whole, max_seconds, heads=heads, warmup=0.05, seed=seed, evaluate_every=every, folder=resume)
        model = load(student, dropout=dropout).to(where)
        select = common.dev_scores(common.read_gold([Named(dev)]), student, where, size) if dev else common.nothing
        with quantised(model) if int8 else nullcontext():
            progress = work.distill(model, labelled, exact, plan=plan, gold_share=part, losses=Losses(mlm=0.1),
                                    size=size, rows=rows, select=select)  # fmt: skip
        save(model, out, student)
        pieces_read = {f"pieces_{at}": len(source.stream) for at, source in enumerate(labelled)}
        run.note(steps=progress.step, best_step=progress.best_step, **pieces_read, history=progress.history)
    note(f"{progress.step} steps; checkpoint written to {out}")


def _masked_shares(given: Sequence[str] | None, files: Sequence[Named]) -> dict[str, dict[EntityType, float]]:
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


def _teachers(masters: Sequence[Named], where: torch.device) -> Mapping[str, list[Model]]:
    from maskwise.train.checkpoint import load

    models: dict[str, list[Model]] = defaultdict(list)
    for one in masters:
        models[one.domain].append(load(one.path).to(where))
    return dict(models)


def _labelled(
    one: Named,
    student: Path,
    models: Mapping[str, list[Model]],
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
    stream = work.label(models, [raw.to(where)], size=size, overlap=min(64, size // 4), rows=128)[0]
    if shift:
        stream = work.shift_masks(stream, shift)
    if shares:
        stream = work.match_masks(stream, shares)
    return work.overlay(stream, rows, student)


def _blended(
    one: Named, student: Path, models: Mapping[str, list[Model]], where: torch.device, size: int, blend: float
) -> Stream:
    """Annotated documents, their labels moved towards the teachers'."""
    from dataclasses import replace

    from maskwise.train import distill as work
    from maskwise.train.stream import gold_stream

    stream = gold_stream(common.read_gold([one]), student).to(where)
    if not blend:
        return stream
    theirs = work.label(models, [replace(stream, targets=None)], size=size, overlap=min(64, size // 4))[0]
    return work.blend(stream, theirs, blend)
