"""`maskwise train export`: a checkpoint becomes a model folder that `maskwise models import` takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, DomainFile

EXAMPLES = """[bold]Examples[/bold]

maskwise train export learnt -o model --name ours --corpus dev.json --window 254 --overlap 32"""


def export(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Model folder to write.", metavar="FOLDER")
    ],
    name: Annotated[str, typer.Option(help="Name by which policies find the model.")],
    version: Annotated[str, typer.Option(help="Version of the model.")] = "1.0",
    corpus: Annotated[
        Path | None,
        typer.Option(help="Annotated corpus on which to compare it with the network.", exists=True),
    ] = None,
    window: Annotated[int, typer.Option(help="Word pieces per window.")] = 254,
    overlap: Annotated[
        int, typer.Option(help="Word pieces that neighbouring windows share at least.")
    ] = 32,
    exact: Annotated[
        bool, typer.Option("--float", help="Keep float32 weights: four times the size.")
    ] = False,
    limit: Annotated[
        float | None, typer.Option(help="Refuse a model of more MiB.", metavar="MIB")
    ] = None,
) -> None:
    """Write ONNX graphs, int8 by default, with the hash of every file; with --corpus, measure what that costs."""
    record = f"{out.name}.export.run.json"
    refuse_clashes(
        {"the model": [out, out.with_name(record)]},
        {"the checkpoint": checkpoint, "the corpus": corpus},
    )
    common.require_modules()
    from maskwise.train import export as work
    from maskwise.train.run import record_run

    data = [checkpoint, *([corpus] if corpus else ())]
    with record_run(
        out.parent, "export", data=data, seed=0, file=record, **common.collect_settings(context)
    ) as run:
        examples = common.read_gold([DomainFile(corpus)]) if corpus else []
        most = None if limit is None else int(limit * 2**20)
        written = work.export_model(
            checkpoint,
            out,
            name=name,
            version=version,
            window=window,
            overlap=overlap,
            int8=not exact,
            limit=most,
        )
        size = sum((out / file).stat().st_size for file in written.files) / 2**20
        run.note(megabytes=round(size, 2), files=dict(written.files))
        if examples:
            parity = work.measure_parity(checkpoint, out, examples).describe()
            run.note(**parity)
            logits = max(parity[key] for key in ("tags", "mask", "direct", "vocabulary"))
            note(
                f"largest difference of a logit {logits:.3g}; change of F1 {parity['f1_change']:+.4f}"
            )
    note(f"model {name} {version}, {size:.1f} MiB, written to {out}")
