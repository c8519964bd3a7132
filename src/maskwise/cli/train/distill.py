"""`maskwise train distill`: teachers label raw texts, each those of its domain, and a student learns from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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


TextsArgument = Annotated[
    list[str],
    typer.Argument(
        help="JSONL files with one `text` per row, also silver rows.", metavar="[DOMAIN=]TEXTS"
    ),
]
TeacherOption = Annotated[
    list[str],
    typer.Option(help="Checkpoint; several of a domain are averaged.", metavar="[DOMAIN=]FOLDER"),
]
StudentOption = Annotated[
    Path, typer.Option(help="Checkpoint of the student.", exists=True, metavar="FOLDER")
]
GoldOption = Annotated[
    list[str] | None,
    typer.Option(help="Annotated corpus to learn from as well.", metavar="[DOMAIN=]CORPUS"),
]
GoldShareOption = Annotated[
    float, typer.Option(help="Take this share of a batch from --gold.", min=0, max=0.99)
]
BlendOption = Annotated[
    float, typer.Option(help="Move gold labels so far towards the teachers'.", min=0, max=1)
]
ShiftOption = Annotated[
    list[str] | None,
    typer.Option(help="Added to the logits of a domain's mask labels.", metavar="DOMAIN=X"),
]
MaskedOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Share of a domain's words of a type that should be masked.",
        metavar="DOMAIN=TYPE:SHARE",
    ),
]
Int8Option = Annotated[bool, typer.Option("--int8", help="Round weights as the int8 export does.")]
MlmOption = Annotated[
    float,
    typer.Option(help="Also train the masked-LM head on this share of rows.", min=0, max=1),
]
DropoutOption = Annotated[float, typer.Option(help="Dropout of the student.", min=0, max=0.9)]


def distill(
    context: typer.Context,
    texts: TextsArgument,
    teacher: TeacherOption,
    student: StudentOption,
    out: OutOption,
    gold: GoldOption = None,
    gold_share: GoldShareOption = 0.2,
    blend: BlendOption = 0.4,
    share: common.ShareOption = None,
    shift: ShiftOption = None,
    masked: MaskedOption = None,
    int8: Int8Option = False,
    dev: common.DevOption = None,
    mlm: MlmOption = 0.15,
    lr: common.RateOption = 4e-4,
    heads: common.HeadsOption = 4.0,
    dropout: DropoutOption = 0.0,
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
    files, masters, annotated = map(common.parse_files, (texts, teacher, gold))
    domain_files = (*masters, *files, *annotated)
    inputs = [student, *(one.path for one in domain_files), *([dev] if dev else ())]
    refuse_clashes({"the output": out, "the state of the run": resume}, {"an input": inputs})
    common.require_modules()
    from maskwise.train import distill as work
    from maskwise.train.checkpoint import load_checkpoint
    from maskwise.train.loop import TrainingPlan
    from maskwise.train.quantise import quantise_weights
    from maskwise.train.tagger import Losses, TrainingSource, count_steps

    weights = common.parse_shares(share, files)
    shifts = common.parse_numbers(shift, files, "--shift")
    wanted = _parse_masked_shares(masked, files)
    work.require_same_vocabulary(student, *(one.path for one in masters))
    with common.record_command(context, "distill", out, inputs, seed) as run:
        where = common.pick_device(device)
        school = _School(student, _load_teachers(masters, where), where, size)
        labelled = []
        for one, weight in zip(files, weights, strict=True):
            read = common.read_stream(one, student, drop=drop, pieces=pieces, workers=workers)
            stream = school.label_rows(*read, shifts.get(one.domain), wanted.get(one.domain))
            labelled.append(TrainingSource(stream, weight=weight, mlm=mlm))
        exact = [TrainingSource(school.blend_gold(one, blend)) for one in annotated]
        del school  # the teachers need memory
        one_pass = count_steps(labelled, 1, size=size, rows=rows)
        plan = TrainingPlan(
            lr,
            common.choose_steps(steps, max_seconds, one_pass),
            max_seconds,
            heads=heads,
            warmup=0.05,
            seed=seed,
            evaluate_every=every,
            folder=resume,
        )
        model = load_checkpoint(student, dropout=dropout).to(where)
        judged = common.read_gold([DomainFile(dev)]) if dev else []
        with quantise_weights(model) if int8 else nullcontext():
            progress = work.train_student(
                model,
                labelled,
                exact,
                plan=plan,
                gold_share=gold_share if exact else 0.0,
                losses=Losses(mlm=0.1),
                size=size,
                rows=rows,
                select=common.choose_scorer(judged, student, where, size),
            )
        read_pieces = {f"pieces_{at}": len(source.stream) for at, source in enumerate(labelled)}
        learnt = [one.path for one in annotated]
        common.finish_run(run, model, progress, out, student, learnt, **read_pieces)


def _parse_masked_shares(
    given: Sequence[str] | None, files: Sequence[DomainFile]
) -> dict[str, dict[EntityType, float]]:
    """Reads values such as `lives=ORG:.8`, by domain."""
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


@dataclass(frozen=True)
class _School:
    """The teachers by domain, and the student whose vocabulary they read."""

    student: Path
    teachers: Mapping[str, list[Network]]
    where: torch.device
    size: int

    def label_rows(
        self,
        rows: Sequence[Mapping[str, Any]],
        raw: Stream,
        shift: float | None,
        shares: Mapping[EntityType, float] | None,
    ) -> Stream:
        """Returns the texts of a file with its teachers' labels, moved and corrected by silver rows."""
        from maskwise.train import distill as work

        stream = self._label_stream(raw.to(self.where), rows=128)
        if shift:
            stream = work.shift_masks(stream, shift)
        if shares:
            stream = work.match_masks(stream, shares)
        return work.overlay_silver(stream, rows, self.student)

    def blend_gold(self, one: DomainFile, blend: float) -> Stream:
        """Returns annotated documents with their labels moved towards the teachers'."""
        from maskwise.train.distill import blend_labels
        from maskwise.train.stream import build_gold_stream

        stream = build_gold_stream(common.read_gold([one]), self.student).to(self.where)
        if not blend:
            return stream
        theirs = self._label_stream(replace(stream, targets=None), rows=256)
        return blend_labels(stream, theirs, blend)

    def _label_stream(self, stream: Stream, rows: int) -> Stream:
        from maskwise.train.distill import label_streams

        overlap = min(64, self.size // 4)
        [found] = label_streams(self.teachers, [stream], size=self.size, overlap=overlap, rows=rows)
        return found
