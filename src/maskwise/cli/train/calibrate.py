"""`maskwise train calibrate`: probabilities that mean what they say, and the three points of the `recall` knob."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import DomainFile
from maskwise.errors import InputError

if TYPE_CHECKING:
    from maskwise.train.data import Example

EXAMPLES = """[bold]Examples[/bold]

maskwise train calibrate model held-out.json --recall .95"""


class Method(StrEnum):
    temperature = "temperature"
    isotonic = "isotonic"


FolderArgument = Annotated[
    Path,
    typer.Argument(
        help="Model folder; its config.json is rewritten.", exists=True, metavar="FOLDER"
    ),
]
CorporaArgument = Annotated[
    list[Path],
    typer.Argument(
        help="Annotated documents that the model has not seen.", exists=True, metavar="CORPUS"
    ),
]
HoldOutOption = Annotated[
    float,
    typer.Option(
        help="Take only the documents that `train tagger` left out with this share.", min=0, max=1
    ),
]
MethodOption = Annotated[Method, typer.Option(help="Map probabilities by this method.")]
PrecisionOption = Annotated[
    float, typer.Option(help="Set the point `precision` to this token precision.", min=0, max=1)
]
RecallOption = Annotated[
    float, typer.Option(help="Set the point `recall` to this token recall.", min=0, max=1)
]


def calibrate(
    context: typer.Context,
    folder: FolderArgument,
    corpora: CorporaArgument,
    hold_out: HoldOutOption = 1.0,
    method: MethodOption = Method.temperature,
    precision: PrecisionOption = 0.93,
    recall: RecallOption = 0.94,
) -> None:
    """Fit calibration and the points of the recall knob on held-out documents and write them into the model."""
    place = folder.resolve()
    record = f"{place.name}.calibrate.run.json"
    written = {"the record of the run": place.with_name(record), "the model": folder}
    refuse_clashes(written, {"a corpus": corpora})
    common.require_modules()
    from maskwise.train import calibrate as training

    data = [folder, *corpora]
    with common.record_command(context, "calibrate", place.parent, data, file=record) as run:
        examples = _read_held_out(corpora, hold_out)
        fitted = training.fit_points(
            folder, examples, method=method.value, precision=precision, recall=recall
        )
        training.write_points(folder, fitted)
        found = {"points": fitted.points, "calibration": fitted.calibration}
        run.note(documents=len(examples), **found, **fitted.metrics)
    for name, point in fitted.points.items():
        reached = fitted.metrics[f"{name}_p"], fitted.metrics[f"{name}_r"]
        thresholds = f"detect {point['detect']:.2f}, mask {point['mask']:.2f}"
        note(f"{name}: {thresholds}; precision {reached[0]:.3f}, recall {reached[1]:.3f}")


def _read_held_out(corpora: Sequence[Path], share: float) -> list[Example]:
    """Reads the documents of the corpora that `train tagger` left out."""
    from maskwise.train.data import split_examples

    gold = common.read_gold([DomainFile(path) for path in corpora])
    _, examples = split_examples(gold, share)
    if not examples:
        raise InputError(f"--hold-out {share}: no document falls into it; take a larger share")
    return examples
