"""`maskwise train import`: a published encoder, or a model that ships, becomes a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import OutOption, require_modules
from maskwise.errors import InputError
from maskwise.lm import folder as model_folder

EXAMPLES = """[bold]Examples[/bold]

maskwise train import small -o start

maskwise train import ./minilm -o small

maskwise train import ./mpnet -o teacher --tokenizer small"""


def import_encoder(
    source: Annotated[
        str,
        typer.Argument(
            help="Model by name or folder, or an encoder's model.safetensors, config.json, tokenizer.json.",
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
    """Turn a model of Maskwise, or a published BERT or MPNet encoder, into a checkpoint. Downloads nothing."""
    folder = find_source(source)
    refuse_clashes({"the checkpoint": out}, {"the encoder": folder, "the vocabulary": tokenizer})
    is_model = (folder / model_folder.MODEL).is_file()
    if is_model and tokenizer:
        raise InputError("--tokenizer: only for a published encoder; a model keeps its vocabulary")
    require_modules()
    from maskwise.train import checkpoint
    from maskwise.train.restore import restore_checkpoint
    from maskwise.train.run import record_run

    kinds = (".onnx", ".bin", ".json") if is_model else (".safetensors", ".json")
    files = [path for path in sorted(folder.iterdir()) if path.suffix in kinds]
    with record_run(out, "import", data=files, seed=0, tokenizer=tokenizer) as run:
        if is_model:
            restore_checkpoint(folder, out)
        else:
            checkpoint.import_encoder(folder, out, tokenizer=tokenizer)
        model = checkpoint.load_checkpoint(out)
        run.note(parameters=sum(p.numel() for p in model.parameters()), layers=model.config.layers)
    note(
        f"checkpoint of {run.record['metrics']['parameters'] / 1e6:.1f} M parameters written to {out}"
    )


def find_source(source: str) -> Path:
    """Returns the folder of an encoder or of a model, which may be given by its name."""
    path = Path(source)
    if path.is_dir():
        return path
    known = model_folder.list_models()
    if source not in known:
        raise InputError(f"{source}: no such folder, and no model; installed: {', '.join(known)}")
    return known[source]
