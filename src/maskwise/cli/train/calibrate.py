"""`maskwise train calibrate`: probabilities that mean what they say, and the three points of the `recall` knob."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import DomainFile
from maskwise.errors import InputError

EXAMPLES = """[bold]Examples[/bold]

maskwise train calibrate model held-out.json --recall .95"""


class Method(StrEnum):
    temperature = "temperature"
    isotonic = "isotonic"


def calibrate(
    context: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(
            help="Model folder; its config.json is rewritten.", exists=True, metavar="FOLDER"
        ),
    ],
    corpora: Annotated[
        list[Path],
        typer.Argument(
            help="Annotated documents that the model has not seen.",
            exists=True,
            metavar="CORPUS...",
        ),
    ],
    hold_out: Annotated[
        float,
        typer.Option(
            help="Take only the documents that `train tagger` left out with this share.",
            min=0,
            max=1,
        ),
    ] = 1.0,
    method: Annotated[
        Method, typer.Option(help="Map probabilities by this method.")
    ] = Method.temperature,
    precision: Annotated[
        float, typer.Option(help="Set the point `precision` to this token precision.", min=0, max=1)
    ] = 0.93,
    recall: Annotated[
        float, typer.Option(help="Set the point `recall` to this token recall.", min=0, max=1)
    ] = 0.94,
) -> None:
    """Fit calibration and the points of the recall knob on held-out documents and write them into the model."""
    place = folder.resolve()
    record = f"{place.name}.calibrate.run.json"
    refuse_clashes(
        {"the record of the run": place.with_name(record), "the model": folder},
        {"a corpus": corpora},
    )
    common.require_modules()
    from maskwise.train import calibrate as training
    from maskwise.train import data
    from maskwise.train.run import record_run

    with record_run(
        place.parent,
        "calibrate",
        data=[folder, *corpora],
        seed=0,
        file=record,
        **common.collect_settings(context),
    ) as run:
        examples = data.split_examples(
            common.read_gold([DomainFile(path) for path in corpora]), hold_out
        )[1]
        if not examples:
            raise InputError(
                f"--hold-out {hold_out}: no document falls into it; take a larger share"
            )
        fitted = training.fit_points(
            folder, examples, method=method.value, precision=precision, recall=recall
        )
        training.write_points(folder, fitted)
        run.note(
            documents=len(examples),
            points=fitted.points,
            calibration=fitted.calibration,
            **fitted.metrics,
        )
    for name, point in fitted.points.items():
        p = fitted.metrics[f"{name}_p"]
        r = fitted.metrics[f"{name}_r"]
        note(
            f"{name}: detect {point['detect']:.2f}, mask {point['mask']:.2f}; precision {p:.3f}, recall {r:.3f}"
        )
