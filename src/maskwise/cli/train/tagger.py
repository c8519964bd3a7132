"""`maskwise train tagger`: types, masks and direct identifiers from annotated documents and silver rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, DomainFile, OutOption
from maskwise.errors import InputError

if TYPE_CHECKING:
    import torch

    from maskwise.train.adapt import Adaptation
    from maskwise.train.data import Example
    from maskwise.train.loop import Progress
    from maskwise.train.model import Network
    from maskwise.train.stream import Stream

EXAMPLES = """[bold]Examples[/bold]

maskwise train tagger read corpus.json --hold-out .1 --mask-weight 5 -o tagged

maskwise train tagger read corpus.json --silver silver.jsonl --teacher tagged -o general

maskwise train tagger read --silver silver.jsonl -o recogniser"""


CorporaArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Annotated corpora: TAB JSON or paragraph JSONL.", exists=True, metavar="CORPUS"
    ),
]
SilverOption = Annotated[
    list[Path] | None,
    typer.Option(
        help="Learn types from these silver rows, and masks with --teacher. Without a CORPUS, mask all that they mark.",
        exists=True,
    ),
]
TeacherOption = Annotated[
    list[Path] | None,
    typer.Option(help="Checkpoint that labels the silver texts; repeat to average.", exists=True),
]
SilverWeightOption = Annotated[
    float, typer.Option(help="Silver rows per row of the corpora in a batch.")
]
SilverMaskOption = Annotated[
    float, typer.Option(help="Weight of the masks in silver rows, with --teacher.")
]
HoldOutOption = Annotated[
    float,
    typer.Option(
        help="Share of the documents to leave out and, without --dev, score on.", min=0, max=0.9
    ),
]
FoldsOption = Annotated[
    int,
    typer.Option(
        help="Without --dev and --hold-out, change a model that has learnt before only as far as N held-out "
        "folds show a gain; 0: all the way.",
        metavar="N",
        min=0,
    ),
]
EpochsOption = Annotated[float, typer.Option(help="Passes over the corpora.", min=0)]
MaskWeightOption = Annotated[
    float, typer.Option(help="Weight of masked pieces; a higher one raises recall.")
]
BalanceOption = Annotated[
    float, typer.Option(help="Raise the weight of rare types, from 0 to 1.", min=0, max=1)
]
PatienceOption = Annotated[
    int, typer.Option(help="Stop after N evaluations without gain; 0: never.", metavar="N")
]


def tagger(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    out: OutOption,
    corpora: CorporaArgument = None,
    silver: SilverOption = None,
    teacher: TeacherOption = None,
    silver_weight: SilverWeightOption = 0.5,
    silver_mask: SilverMaskOption = 0.5,
    dev: common.DevOption = None,
    hold_out: HoldOutOption = 0.0,
    folds: FoldsOption = 5,
    epochs: EpochsOption = 10.0,
    lr: common.RateOption = 8e-5,
    heads: common.HeadsOption = 8.0,
    mask_weight: MaskWeightOption = 1.0,
    balance: BalanceOption = 0.0,
    size: common.SizeOption = 510,
    rows: common.RowsOption = 16,
    patience: PatienceOption = 0,
    max_seconds: common.SecondsOption = None,
    every: common.EveryOption = 0,
    resume: common.ResumeOption = None,
    seed: common.SeedOption = 0,
    device: common.DeviceOption = "auto",
    workers: common.WorkersOption = None,
) -> None:
    """Train the heads and the encoder to tag. Evaluates on --dev once per epoch, or every --every steps."""
    annotated = corpora or []
    inputs = [checkpoint, *annotated, *(silver or ()), *(teacher or ()), *([dev] if dev else ())]
    refuse_clashes({"the output": out, "the state of the run": resume}, {"an input": inputs})
    common.require_modules()
    from maskwise.train import tagger as work
    from maskwise.train.adapt import blend_networks, choose_share, split_folds
    from maskwise.train.checkpoint import load_checkpoint, read_trained_on
    from maskwise.train.data import split_examples
    from maskwise.train.loop import Progress, TrainingPlan
    from maskwise.train.stream import build_gold_stream

    with common.record_command(context, "tagger", out, inputs, seed) as run:
        where = common.pick_device(device)
        gold = _read_corpora(annotated, silver or ())
        examples, held = split_examples(gold, hold_out)
        judged = common.read_gold([DomainFile(dev)]) if dev else held
        has_learnt = bool(read_trained_on(checkpoint))
        tasks = {"mask": silver_mask} if teacher else {"mask": 0.0, "direct": 0.0}
        rows_too = silver if silver and (annotated or teacher) else ()
        streams = _label_silver(rows_too, teacher or (), checkpoint, where, size, workers)
        others = [work.TrainingSource(one, weight=silver_weight, **tasks) for one in streams]
        losses = work.Losses(mask_weight=mask_weight, balance=balance)
        select = common.choose_scorer(judged, checkpoint, where, size)

        def learn(
            model: Network, taught: Sequence[Example], folder: Path | None = None
        ) -> Progress:
            gold = work.TrainingSource(build_gold_stream(taught, checkpoint).to(where))
            sources = [gold, *others]
            steps = work.count_steps(sources, epochs, size=size, rows=rows)
            plan = TrainingPlan(
                lr,
                steps,
                max_seconds,
                heads=heads,
                warmup=0.1,
                seed=seed,
                evaluate_every=every or max(round(steps / max(epochs, 1)), 1),
                patience=patience,
                keeps_start=has_learnt,
                folder=folder,
            )
            return work.train_tagger(
                model, sources, plan=plan, losses=losses, size=size, rows=rows, select=select
            )

        def score(model: Network, kept: Sequence[Example]) -> float:
            scores = common.build_scorer(kept, checkpoint, where, size)(model)
            return float(scores["select"])

        model = load_checkpoint(checkpoint).to(where)
        notes: dict[str, Any] = {"documents": len(examples)}
        if has_learnt and folds and not judged:
            choice = choose_share(model, split_folds(examples, folds), learn, score)
            notes["adaptation"] = asdict(choice)
            note(_describe_choice(choice))
            start, model = model, deepcopy(model)
            progress = learn(model, examples, resume) if choice.share else Progress()
            model = blend_networks(start, model, choice.share)
        else:
            progress = learn(model, examples, resume)
        learnt = [*annotated, *(() if annotated else silver or ())]
        common.finish_run(run, model, progress, out, checkpoint, learnt, **notes)


def _describe_choice(choice: Adaptation) -> str:
    if choice.folds < 2:
        return "one document cannot be held out from itself, so nothing is learnt; --folds 0 learns all the same"
    scores = f"F1 of masks in {choice.folds} folds held out: {choice.before:.3f} before"
    if not choice.share:
        return f"{scores}, and learning gains nothing sure; the model stays as it was"
    return f"{scores}, {choice.after:.3f} after; {choice.share:.0%} of the step is taken"


def _read_corpora(corpora: Sequence[Path], silver: Sequence[Path]) -> list[Example]:
    """Reads the annotated documents, or the silver rows where there are none: then all that is found is masked."""
    from maskwise.train.data import mask_found, read_examples

    if corpora:
        return common.read_gold([DomainFile(path) for path in corpora])
    if not silver:
        raise InputError(
            "nothing to learn from; name an annotated corpus, or silver rows with --silver"
        )
    return [mask_found(one) for path in silver for one in read_examples(path)]


def _label_silver(
    silver: Sequence[Path],
    teachers: Sequence[Path],
    checkpoint: Path,
    where: torch.device,
    size: int,
    workers: int | None,
) -> Iterator[Stream]:
    """Yields silver rows: their types alone, or the teachers' labels with types and names laid over them."""
    from maskwise.train.checkpoint import load_checkpoint
    from maskwise.train.data import read_examples
    from maskwise.train.distill import label_streams, overlay_silver
    from maskwise.train.stream import build_gold_stream

    models = [load_checkpoint(path).to(where) for path in teachers]
    for path in silver:
        if not models:
            yield build_gold_stream(read_examples(path), checkpoint).to(where)
            continue
        rows, raw = common.read_stream(DomainFile(path), checkpoint, key="spans", workers=workers)
        overlap = min(64, size // 4)
        [labelled] = label_streams({"": models}, [raw.to(where)], size=size, overlap=overlap)
        yield overlay_silver(labelled, rows, checkpoint)
