"""`maskwise train import`: a published encoder becomes a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import OutOption, require_modules

EXAMPLES = """[bold]Examples[/bold]

maskwise train import ./minilm -o small

maskwise train import ./mpnet -o teacher --tokenizer small"""


def import_encoder(
    source: Annotated[
        Path,
        typer.Argument(
            help="Folder with model.safetensors, config.json and tokenizer.json.",
            exists=True,
            file_okay=False,
            metavar="SOURCE",
        ),
    ],
    out: OutOption,
    tokenizer: Annotated[
        Path | None,
        typer.Option(
            help="Checkpoint whose vocabulary to take over: a teacher must read its student's.",
            exists=True,
        ),
    ] = None,
) -> None:
    """Turn a published BERT or MPNet encoder into a checkpoint with new heads. Downloads nothing."""
    refuse_clashes({"the checkpoint": out}, {"the encoder": source, "the vocabulary": tokenizer})
    require_modules()
    from maskwise.train import checkpoint
    from maskwise.train.run import record_run

    files = [path for path in sorted(source.iterdir()) if path.suffix in (".safetensors", ".json")]
    with record_run(out, "import", data=files, seed=0, tokenizer=tokenizer) as run:
        checkpoint.import_encoder(source, out, tokenizer=tokenizer)
        model = checkpoint.load_checkpoint(out)
        run.note(parameters=sum(p.numel() for p in model.parameters()), layers=model.config.layers)
    note(
        f"checkpoint of {run.record['metrics']['parameters'] / 1e6:.1f} M parameters written to {out}"
    )
