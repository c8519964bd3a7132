"""`maskwise train risk`: the deciders of probability, span and perturbation, from annotated documents."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import record_command, require_modules

EXAMPLES = """[bold]Examples[/bold]

maskwise train risk corpus.json -o deciders --model ours --pairs 60

maskwise train risk corpus.json -o deciders --automl 120"""


def risk(
    context: typer.Context,
    corpora: Annotated[
        list[Path],
        typer.Argument(help="Annotated documents in TAB format.", exists=True, metavar="CORPUS"),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for the deciders.", metavar="FOLDER")
    ],
    model: Annotated[str, typer.Option(help="Model whose numbers they decide on.")] = "small",
    pairs: Annotated[
        int, typer.Option(help="Documents for the threshold of pairs.", min=1, metavar="N")
    ] = 30,
    targets: Annotated[
        int, typer.Option(help="Targets per document in pairs.", min=1, metavar="N")
    ] = 5,
    automl: Annotated[
        float | None,
        typer.Option(
            help="Let AutoGluon search a decider for this many SECONDS; needs maskwise\\[automl].",
            min=1,
            metavar="SECONDS",
        ),
    ] = None,
) -> None:
    """Fit the `deciders` that a policy names for its indicators, and report their scores on unseen folds."""
    refuse_clashes({"the folder of deciders": out}, {"a corpus": corpora})
    require_modules("sklearn")
    if automl:
        require_modules("autogluon.tabular", "lightgbm", extra="automl")
    from maskwise.train.data import read_examples
    from maskwise.train.risk import train_risk

    with record_command(context, "risk", out, corpora) as run:
        examples = list(chain.from_iterable(map(read_examples, corpora)))
        found = train_risk(examples, out, model=model, pairs=pairs, targets=targets, automl=automl)
        run.note(documents=len(examples), **found)
    note(", ".join(f"{name} {value:.3f}".removesuffix(".000") for name, value in found.items()))
