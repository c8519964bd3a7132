"""`maskwise train reid`: a model that re-identifies people from masked texts, for `maskwise deidentify`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train import common
from maskwise.cli.train.common import CheckpointArgument, OutOption
from maskwise.errors import InputError

EXAMPLES = """[bold]Examples[/bold]

maskwise train reid start people.jsonl -o attacker --max-seconds 300

maskwise train reid start people.jsonl -o attacker --layers 0,1,2 --train 8000 --held-out 1000 --json"""


def reid(
    context: typer.Context,
    checkpoint: CheckpointArgument,
    population: Annotated[
        Path, typer.Argument(help="People with profiles and texts.", metavar="POPULATION")
    ],
    out: OutOption,
    layers: Annotated[
        str, typer.Option(help="Layers of the checkpoint that read documents.")
    ] = "0,2,4",
    profile_layers: Annotated[
        str, typer.Option(help="Layers of the checkpoint that read profiles.")
    ] = "0,2,4",
    embedding: Annotated[int, typer.Option(help="Numbers per embedding.", min=1)] = 384,
    train: Annotated[
        int, typer.Option(help="People to train on; by a hash of their ids.", min=2)
    ] = 40_000,
    held_out: Annotated[
        int, typer.Option(help="People to report on; the rest choose the best state.", min=1)
    ] = 5_000,
    words: Annotated[
        int, typer.Option(help="Words of a text that make the document.", min=1)
    ] = 128,
    lr: common.RateOption = 3e-4,
    epochs: Annotated[
        float, typer.Option(help="Passes over the people, without --max-seconds.")
    ] = 20.0,
    max_seconds: common.SecondsOption = None,
    rows: common.RowsOption = 1024,
    resume: common.ResumeOption = None,
    name: Annotated[str, typer.Option(help="Name of the model.")] = "dense",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the scores on the people held out as JSON.")
    ] = False,
    seed: common.SeedOption = 0,
    device: common.DeviceOption = "auto",
) -> None:
    """Train a re-identification model and write it, as int8, to the folder `model` below --out.

    The scores are of people whose texts the model never saw, among all profiles of the population.
    """
    used = {"the checkpoint": checkpoint, "the population": population}
    refuse_clashes({"the output": out, "the state of the run": resume}, used)
    common.require_modules()
    import torch

    from maskwise.crowd.folds import Fold
    from maskwise.crowd.population import Population
    from maskwise.lm.pieces import PieceTokenizer
    from maskwise.train import tower
    from maskwise.train.checkpoint import load_checkpoint
    from maskwise.train.pair import Pair, Tower, evaluate_pair
    from maskwise.train.people import prepare_people
    from maskwise.train.reid import Recipe, train_pair
    from maskwise.train.rows import ALL, Rows
    from maskwise.train.run import record_run

    with record_run(
        out, "reid", data=[checkpoint, population], seed=seed, **common.collect_settings(context)
    ) as run:
        where = common.pick_device(device)
        tokenizer = PieceTokenizer.load(checkpoint)
        start = load_checkpoint(checkpoint)
        document = _parse_layers(layers, start.config.layers)
        profile = _parse_layers(profile_layers, start.config.layers)
        people = prepare_people(
            Population.load(population),
            tokenizer,
            train=train,
            held_out=held_out,
            mentions=_find_mentions,
            words=words,
        )
        if len(people) <= train + held_out:
            raise InputError(
                f"{population}: {len(people)} people; lower --train and --held-out, some must be left"
            )
        longest = start.config.positions - 2
        documents = Rows.build(
            people.ids, people.marks, people.bounds, tokenizer, min(longest, 2 * words), where
        )
        profiles = Rows.build(
            people.profile_ids,
            people.profile_marks,
            people.profile_bounds,
            tokenizer,
            min(longest, 160),
            where,
        )
        folds = torch.as_tensor(people.folds, device=where).long()
        torch.manual_seed(seed)
        pair = Pair(
            Tower.start_from(start, document, embedding, unit=False),
            Tower.start_from(start, profile, embedding, unit=True),
        ).to(where)
        recipe = Recipe(
            max_seconds,
            epochs,
            lr=lr,
            profile_lr=lr * 2 / 3,
            rows=rows,
            together=2 * rows,
            seed=seed,
        )
        history = train_pair(
            pair, documents, profiles, folds, tokenizer.mask_id, recipe, note, resume
        )
        held = (folds == Fold.HELD_OUT).nonzero().squeeze(1)
        scores = evaluate_pair(pair, documents, profiles, held, tokenizer.mask_id, ALL)
        run.note(scores=scores, history=history, recipe=recipe.describe())
        tower.save_pair(pair, out, checkpoint)
        tower.export_pair(out, out / "model", name=name)
    if as_json:
        typer.echo(json.dumps(scores))
    clear, named = scores["clear_1"], scores["named_1"]
    note(
        f"first guess right: {clear:.1%} on clear text, {named:.1%} without named entities; model in {out / 'model'}"
    )


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
    """What the default recogniser finds."""
    from maskwise.detect.neural import NeuralDetector
    from maskwise.text import Document

    found = NeuralDetector().detect([Document(text, str(at)) for at, text in enumerate(texts)])
    return [[(mention.start, mention.end) for mention in one.mentions] for one in found]
