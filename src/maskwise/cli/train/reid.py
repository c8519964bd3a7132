"""`maskwise train reid`: a model that re-identifies people from masked texts, for `maskwise deidentify`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, OutOption
from maskwise.errors import InputError

if TYPE_CHECKING:
    import torch

    from maskwise.lm.pieces import PieceTokenizer
    from maskwise.text import Detection
    from maskwise.train.model import Network
    from maskwise.train.pair import Metrics, Pair
    from maskwise.train.people import PeopleArrays
    from maskwise.train.reid import Recipe
    from maskwise.train.rows import Rows

EXAMPLES = """[bold]Examples[/bold]

maskwise train reid start people.jsonl -o attacker --max-seconds 300

maskwise train reid start people.jsonl -o attacker --layers 0,1,2 --train 8000 --held-out 1000 --json"""


PopulationArgument = Annotated[
    Path, typer.Argument(help="People with profiles and texts.", metavar="POPULATION")
]
LayersOption = Annotated[str, typer.Option(help="Layers of the checkpoint that read documents.")]
ProfileLayersOption = Annotated[
    str, typer.Option(help="Layers of the checkpoint that read profiles.")
]
EmbeddingOption = Annotated[int, typer.Option(help="Numbers per embedding.", min=1)]
TrainOption = Annotated[
    int, typer.Option(help="People to train on; by a hash of their ids.", min=2)
]
HeldOutOption = Annotated[
    int, typer.Option(help="People to report on; the rest choose the best state.", min=1)
]
WordsOption = Annotated[int, typer.Option(help="Words of a text that make the document.", min=1)]
EpochsOption = Annotated[float, typer.Option(help="Passes over the people, without --max-seconds.")]
NameOption = Annotated[str, typer.Option(help="Name of the model.")]
ScoresOption = Annotated[
    bool, typer.Option("--json", help="Print the scores on the people held out as JSON.")
]


def reid(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    population: PopulationArgument,
    out: OutOption,
    layers: LayersOption = "0,2,4",
    profile_layers: ProfileLayersOption = "0,2,4",
    embedding: EmbeddingOption = 384,
    train: TrainOption = 40_000,
    held_out: HeldOutOption = 5_000,
    words: WordsOption = 128,
    lr: common.RateOption = 3e-4,
    epochs: EpochsOption = 20.0,
    max_seconds: common.SecondsOption = None,
    rows: common.RowsOption = 1024,
    resume: common.ResumeOption = None,
    name: NameOption = "dense",
    as_json: ScoresOption = False,
    seed: common.SeedOption = 0,
    device: common.DeviceOption = "auto",
) -> None:
    """Train a re-identification model and write it, as int8, to the folder `model` below --out.

    The scores are of people whose texts the model never saw, among all profiles of the population.
    """
    used = {"the checkpoint": checkpoint, "the population": population}
    refuse_clashes({"the output": out, "the state of the run": resume}, used)
    common.require_modules()
    from maskwise.lm.pieces import PieceTokenizer
    from maskwise.train import tower
    from maskwise.train.checkpoint import load_checkpoint
    from maskwise.train.reid import Recipe

    with common.record_command(context, "reid", out, [checkpoint, population], seed) as run:
        where = common.pick_device(device)
        start = load_checkpoint(checkpoint)
        tokenizer = PieceTokenizer.load(checkpoint)
        document = _parse_layers(layers, start.config.layers)
        profile = _parse_layers(profile_layers, start.config.layers)
        people = _prepare_people(population, tokenizer, train, held_out, words)
        longest = start.config.positions - 2
        tables = _build_rows(people, tokenizer, where, min(longest, 2 * words), min(longest, 160))
        pair = _start_pair(start, document, profile, embedding, seed).to(where)
        recipe = Recipe(
            max_seconds,
            epochs,
            lr=lr,
            profile_lr=lr * 2 / 3,
            rows=rows,
            together=2 * rows,
            seed=seed,
        )
        history, scores = _train_pair(pair, tables, people, tokenizer.mask_id, recipe, resume)
        run.note(scores=scores, history=history, recipe=recipe.describe())
        tower.save_pair(pair, out, checkpoint)
        tower.export_pair(out, out / "model", name=name)
    if as_json:
        typer.echo(json.dumps(scores))
    right = f"{scores['clear_1']:.1%} on clear text, {scores['named_1']:.1%} without named entities"
    note(f"first guess right: {right}; model in {out / 'model'}")


def _prepare_people(
    path: Path, tokenizer: PieceTokenizer, train: int, held_out: int, words: int
) -> PeopleArrays:
    """Reads a population of which some people must be left, to choose the best state."""
    from maskwise.crowd.population import Population
    from maskwise.train.people import prepare_people

    population = Population.load(path)
    people = prepare_people(
        population,
        tokenizer,
        train=train,
        held_out=held_out,
        mentions=_find_mentions,
        words=words,
    )
    if len(people) <= train + held_out:
        raise InputError(
            f"{path}: {len(people)} people; lower --train and --held-out, some must be left"
        )
    return people


def _build_rows(
    people: PeopleArrays,
    tokenizer: PieceTokenizer,
    where: torch.device,
    document: int,
    profile: int,
) -> tuple[Rows, Rows]:
    """Builds the rows of documents and profiles, of at most so many pieces."""
    from maskwise.train.rows import Rows

    documents = people.ids, people.marks, people.bounds
    profiles = people.profile_ids, people.profile_marks, people.profile_bounds
    return (
        Rows.build(*documents, tokenizer, document, where),
        Rows.build(*profiles, tokenizer, profile, where),
    )


def _start_pair(
    start: Network, document: Sequence[int], profile: Sequence[int], size: int, seed: int
) -> Pair:
    """Builds both towers from layers of one checkpoint."""
    import torch

    from maskwise.train.pair import Pair, Tower

    torch.manual_seed(seed)
    return Pair(
        Tower.start_from(start, document, size, unit=False),
        Tower.start_from(start, profile, size, unit=True),
    )


def _train_pair(
    pair: Pair,
    tables: tuple[Rows, Rows],
    people: PeopleArrays,
    mask_id: int,
    recipe: Recipe,
    resume: Path | None,
) -> tuple[list[Metrics], Metrics]:
    """Trains both towers. Returns the history, and the scores of the people held out."""
    import torch

    from maskwise.crowd.folds import Fold
    from maskwise.train.pair import evaluate_pair
    from maskwise.train.reid import train_pair
    from maskwise.train.rows import ALL

    folds = torch.as_tensor(people.folds, device=tables[0].ids.device).long()
    history = train_pair(pair, *tables, folds, mask_id, recipe, note, resume)
    held = (folds == Fold.HELD_OUT).nonzero().squeeze(1)
    return history, evaluate_pair(pair, *tables, held, mask_id, ALL)


def _parse_layers(text: str, most: int) -> list[int]:
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"layers {text!r}: numbers with commas between them are expected"
        ) from None
    if not all(0 <= at < most for at in found):
        raise InputError(f"layers {text!r}: the checkpoint has {most}, counted from 0")
    return found


def _find_mentions(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Returns what the default recogniser finds."""
    from maskwise.detect.neural import NeuralDetector
    from maskwise.text import Document

    documents = [Document(text, str(at)) for at, text in enumerate(texts)]
    return [_list_spans(found) for found in NeuralDetector().detect(documents)]


def _list_spans(found: Detection) -> list[tuple[int, int]]:
    return [mention.span for mention in found.mentions]
