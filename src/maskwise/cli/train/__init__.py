"""`maskwise train`: the workbench that made the bundled model, for models of your own. One file per command."""

from __future__ import annotations

import typer

from maskwise.cli.train import (
    calibrate,
    distill,
    emulator,
    export,
    gazetteer,
    import_encoder,
    mlm,
    reid,
    risk,
    silver,
    tagger,
)

EXAMPLES = """[bold]Examples[/bold]

maskwise train tagger start corpus.json --dev dev.json -o tagged

maskwise train export tagged -o model --name ours"""

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")


@app.callback(epilog=EXAMPLES)
def train() -> None:
    """Train a model on your own texts. Needs the extra maskwise\\[train]. Each run writes a record, run.json."""


app.command("import", epilog=import_encoder.EXAMPLES)(import_encoder.import_encoder)
app.command("silver", epilog=silver.EXAMPLES)(silver.silver)
app.command("mlm", epilog=mlm.EXAMPLES)(mlm.mlm)
app.command("tagger", epilog=tagger.EXAMPLES)(tagger.tagger)
app.command("distill", epilog=distill.EXAMPLES)(distill.distill)
app.command("export", epilog=export.EXAMPLES)(export.export)
app.command("calibrate", epilog=calibrate.EXAMPLES)(calibrate.calibrate)
app.command("gazetteer", epilog=gazetteer.EXAMPLES)(gazetteer.gazetteer)
app.command("emulator", epilog=emulator.EXAMPLES)(emulator.emulator)
app.command("reid", epilog=reid.EXAMPLES)(reid.reid)
app.command("risk", epilog=risk.EXAMPLES)(risk.risk)
