"""`maskwise train export`: turns a checkpoint into a model folder that `maskwise models import` reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, DomainFile

if TYPE_CHECKING:
    from maskwise.train.data import Example

EXAMPLES = """[bold]Examples[/bold]

maskwise train export learnt -o model --name ours --corpus dev.json --window 254 --overlap 16"""


OutOption = Annotated[
    Path, typer.Option("--out", "-o", help="Model folder to write.", metavar="FOLDER")
]
NameOption = Annotated[str, typer.Option(help="Name by which policies find the model.")]
VersionOption = Annotated[str, typer.Option(help="Version of the model.")]
CorpusOption = Annotated[
    Path | None,
    typer.Option(help="Annotated corpus on which to compare it with the network.", exists=True),
]
WindowOption = Annotated[int, typer.Option(help="Word pieces per window.")]
OverlapOption = Annotated[
    int, typer.Option(help="Word pieces that neighbouring windows share at least.")
]
FloatOption = Annotated[
    bool, typer.Option("--float", help="Keep float32 weights: four times the size.")
]
LimitOption = Annotated[
    float | None, typer.Option(help="Refuse a model of more MiB.", metavar="MIB")
]


def export(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    out: OutOption,
    name: NameOption,
    version: VersionOption = "1.0",
    corpus: CorpusOption = None,
    window: WindowOption = 254,
    overlap: OverlapOption = 16,
    exact: FloatOption = False,
    limit: LimitOption = None,
) -> None:
    """Write ONNX graphs, int8 by default, with the hash of every file; with --corpus, measure what that costs."""
    record = f"{out.name}.export.run.json"
    read = {"the checkpoint": checkpoint, "the corpus": corpus}
    refuse_clashes({"the model": [out, out.with_name(record)]}, read)
    common.require_modules()
    from maskwise.train.export import export_model

    data = [checkpoint, *([corpus] if corpus else ())]
    most = None if limit is None else int(limit * 2**20)
    with common.record_command(context, "export", out.parent, data, file=record) as run:
        examples = common.read_gold([DomainFile(corpus)]) if corpus else []
        written = export_model(
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
            run.note(**_measure_parity(checkpoint, out, examples))
    note(f"model {name} {version}, {size:.1f} MiB, written to {out}")


def _measure_parity(checkpoint: Path, out: Path, examples: Sequence[Example]) -> dict[str, float]:
    """Compares the exported model with the network, and prints the largest difference."""
    from maskwise.train.export import measure_parity

    parity = measure_parity(checkpoint, out, examples).describe()
    logits = max(parity[key] for key in ("tags", "mask", "direct", "vocabulary"))
    note(f"largest difference of a logit {logits:.3g}; change of F1 {parity['f1_change']:+.4f}")
    return parity
