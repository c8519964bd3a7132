"""`maskwise crowd build`: makes a crowd folder from biographies or from a register."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli import population
from maskwise.cli.options import make_error_console, note
from maskwise.cli.paths import refuse_clashes
from maskwise.errors import InputError

if TYPE_CHECKING:
    from maskwise.crowd.biencoder import BiEncoder
    from maskwise.crowd.crowd import Crowd
    from maskwise.crowd.crowd_folder import Curve
    from maskwise.crowd.population import Population

BUILD = """[bold]Examples[/bold]

maskwise crowd build register.csv -o our-crowd --separator ";"

maskwise crowd build lives.jsonl.xz -o our-crowd --texts --calibrate 300 --jobs 2

maskwise sanitize letter.txt --policy anonymous --population our-crowd"""

app = population.app
_FILES = (".jsonl", ".gz", ".xz", ".bz2")


SourceArgument = Annotated[
    Path,
    typer.Argument(help="A register: JSONL, CSV or Parquet; or biographies.", metavar="SOURCE"),
]
TargetOption = Annotated[
    Path, typer.Option("--out", "-o", help="Write this crowd folder, whole or not at all.")
]
TextsOption = Annotated[
    bool, typer.Option("--texts", help="SOURCE holds one id, name and text per row.")
]
IdKeyOption = Annotated[str, typer.Option("--id", help="Key of the id.", metavar="KEY")]
NameKeyOption = Annotated[
    str, typer.Option("--name", help="Key of the person's name.", metavar="KEY")
]
SeparatorOption = Annotated[str, typer.Option(help="Split the cells of a table at S.", metavar="S")]
EncoderOption = Annotated[
    Path | None,
    typer.Option(help="Bi-encoder of `maskwise train reid`; by default the package's own."),
]
CalibrateOption = Annotated[
    int,
    typer.Option(help="Calibrate probabilities on N people with a text.", min=0, metavar="N"),
]
NameOption = Annotated[str, typer.Option("--title", help="What reports call the crowd.")]
SourcesOption = Annotated[str, typer.Option(help="Where the people come from.")]
JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", help="Work in N processes.", min=1, metavar="N")
]


@app.command("build", epilog=BUILD)
def build(
    source: SourceArgument,
    target: TargetOption,
    texts: TextsOption = False,
    id_key: IdKeyOption = "id",
    name_key: NameKeyOption = "title",
    separator: SeparatorOption = "",
    encoder: EncoderOption = None,
    calibrate: CalibrateOption = 0,
    name: NameOption = "",
    sources: SourcesOption = "",
    jobs: JobsOption = 1,
) -> None:
    """Make a crowd of the people of a register or of biographies, without their names."""
    if target.name.endswith(_FILES):
        population.from_text(source, target, id_key, name_key, jobs=jobs)
        return
    if not source.exists():
        raise InputError(f"{source}: no such file")
    refuse_clashes({"the crowd": target}, {"the register": source})
    if target.exists():
        raise InputError(f"{target}: exists; name a new folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".crowd-") as part:
        folder = Path(part) / "crowd"
        people = _read_people(source, texts, id_key, name_key, separator, jobs)
        _write_crowd(
            people, folder, source if texts else None, encoder, name or target.name, sources
        )
        if calibrate:
            _calibrate(people, folder, calibrate)
        shutil.move(folder, target)
    note(f"{len(people):,} people in {target}")


def _read_people(
    source: Path, texts: bool, id_key: str, name_key: str, separator: str, jobs: int
) -> Population:
    from maskwise.crowd.population import Population
    from maskwise.crowd.registers import read_texts

    if not texts:
        return Population.load(source, separator=separator)
    rows = read_texts(source, id_key, name_key)
    return Population(population.derive_profiles(rows, words=100, neural=False, jobs=jobs))


def _write_crowd(
    people: Population,
    folder: Path,
    texts: Path | None,
    encoder: Path | None,
    name: str,
    sources: str,
) -> None:
    """Writes the people without names, with what their texts mention and with their embeddings."""
    from maskwise.crowd.biencoder import BiEncoder
    from maskwise.crowd.crowd import build_crowd, find_bundled
    from maskwise.crowd.crowd_folder import ENCODER
    from maskwise.crowd.mentioned import Mentions, choose_mentions
    from maskwise.crowd.nameless import remove_names
    from maskwise.crowd.population import Population
    from maskwise.crowd.registers import read_texts

    nameless = Population(remove_names(one, str(at)) for at, one in enumerate(people))
    mentions = Mentions()
    if texts is not None:
        mentions = choose_mentions(text for _, _, text in read_texts(texts))
    model = BiEncoder.load(encoder or find_bundled() / ENCODER)
    build_crowd(
        nameless,
        folder,
        name=name,
        encoder=model,
        mentions=mentions,
        sources=sources,
        progress=_show_progress(len(people)),
    )
    if encoder is not None:
        _copy_encoder(model, folder / ENCODER)


def _copy_encoder(model: BiEncoder, target: Path) -> None:
    from maskwise.crowd.biencoder import CONFIG

    target.mkdir()
    for file in (*model.config.files, CONFIG):
        shutil.copyfile(model.folder / file, target / file)


def _show_progress(total: int) -> Callable[[int, int], None] | None:
    """Says how far the embedding is, if a person is watching."""
    console = make_error_console()
    if not console.is_terminal:
        return None
    return lambda done, _: console.print(f"embedded {done:,} of {total:,} people", end="\r")


def _calibrate(people: Population, folder: Path, count: int) -> None:
    """Fits the calibration of the attackers' odds, and records it in the folder."""
    from maskwise.crowd import crowd_folder
    from maskwise.crowd.crowd import Crowd

    crowd = Crowd.open(folder)
    curves = fit_chances(people, crowd, count)
    config = crowd_folder.read_config(folder)
    crowd_folder.write_config(
        folder,
        name=config.name,
        people=config.people,
        attributes=config.attributes,
        calibration=curves,
        sources=config.sources,
    )


def fit_chances(people: Population, crowd: Crowd, count: int) -> Mapping[str, Curve]:
    """The calibration of each attacker, fitted on people who train no model (see `maskwise.crowd.folds`)."""
    from maskwise.crowd.chances import fit_curve
    from maskwise.crowd.folds import Fold
    from maskwise.trials import try_people

    trials = try_people(people, crowd, Fold.CHOOSE, count)
    return {name: fit_curve(one) for name, one in trials.items()}
