"""`maskwise crowd`: derives profiles from biographies and measures how unique the people are."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from maskwise.cli.options import JsonOption, make_console, note, show_count
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.terminal import make_plain
from maskwise.errors import InputError

if TYPE_CHECKING:
    from maskwise.crowd.biography import Biographer
    from maskwise.crowd.population import Duplicates, Profile
    from maskwise.crowd.uniqueness import AnonymitySets

EXAMPLES = """[bold]Examples[/bold]

maskwise crowd build register.csv -o our-crowd

maskwise crowd info"""

BUILD = """[bold]Examples[/bold]

maskwise crowd from-text lives.jsonl.xz -o people.jsonl

maskwise crowd from-text lives.jsonl -o people.jsonl --name subject --words 150 --jobs 4"""

INFO = """[bold]Examples[/bold]

maskwise crowd info people.jsonl

maskwise crowd info people.csv --separator ";" --json"""

BATCH = 64  # biographies a process works on at a time

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

Row = tuple[str, str, str]


@app.callback(epilog=EXAMPLES)
def population() -> None:
    """Build a crowd or a register of people among whom a person hides, and describe it.

    `maskwise population` is a second name of this command.
    """


TextsArgument = Annotated[
    Path,
    typer.Argument(
        help="JSONL with one id, name and `text` per row, also .gz, .xz or .bz2.",
        metavar="TEXTS",
    ),
]
TargetOption = Annotated[
    Path,
    typer.Option(
        "--out", "-o", help="Write this JSONL, also .gz, .xz or .bz2, whole or not at all."
    ),
]
IdKeyOption = Annotated[str, typer.Option("--id", help="Key of the id.", metavar="KEY")]
NameKeyOption = Annotated[
    str, typer.Option("--name", help="Key of the person's name.", metavar="KEY")
]
WordsOption = Annotated[
    int,
    typer.Option(help="Keep the first N words of a text as the document.", min=0, metavar="N"),
]
LimitOption = Annotated[int | None, typer.Option(help="Read at most N texts.", min=1, metavar="N")]
NeuralOption = Annotated[
    bool, typer.Option("--neural", help="Also ask the model: it finds more and takes longer.")
]
JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", help="Work in N processes.", min=1, metavar="N")
]


@app.command("from-text", epilog=BUILD)
def from_text(
    texts: TextsArgument,
    target: TargetOption,
    id_key: IdKeyOption = "id",
    name_key: NameKeyOption = "title",
    words: WordsOption = 100,
    limit: LimitOption = None,
    neural: NeuralOption = False,
    jobs: JobsOption = 1,
) -> None:
    """Derive one profile of facts per biography, such as dates, places and occupations.

    The command reads the first 4,000 characters of each text.
    """
    from maskwise.crowd.population import Population
    from maskwise.crowd.registers import read_texts, write_profiles

    if not texts.exists():
        raise InputError(f"{texts}: no such file")
    refuse_clashes({"the population": target}, {"the texts": texts})
    rows = islice(read_texts(texts, id_key, name_key), limit)
    profiles = derive_profiles(_refuse_repeats(rows, texts), words, neural, jobs)
    count = write_profiles(target, show_count(profiles, "Reading", "people"))
    shared = Population.load(target, texts=False).identical
    note(f"{count:,} profiles in {target}; {shared:,} share all their facts with somebody else")


RegisterArgument = Annotated[
    Path | None,
    typer.Argument(
        help="Register or crowd folder; by default the crowd of the package.",
        metavar="POPULATION",
    ),
]
DuplicatesOption = Annotated[
    str,
    typer.Option(help="Treat a repeated id by this rule: error, first or merge.", metavar="RULE"),
]
SeparatorOption = Annotated[str, typer.Option(help="Split the cells of a table at S.", metavar="S")]
PairsOption = Annotated[
    int, typer.Option(help="Show the N most revealing pairs.", min=0, metavar="N")
]


@app.command("info", epilog=INFO)
def info(
    register: RegisterArgument = None,
    duplicates: DuplicatesOption = "error",
    separator: SeparatorOption = "",
    pairs: PairsOption = 15,
    as_json: JsonOption = False,
) -> None:
    """Count the people, and those who are alone with their value of one or two attributes."""
    from maskwise.crowd.crowd import Crowd
    from maskwise.crowd.population import Population
    from maskwise.crowd.uniqueness import measure_uniqueness

    rule = _parse_rule(duplicates)
    if register is None or register.is_dir():
        people = Population(Crowd.open(register).read_profiles())
    else:
        people = Population.load(register, rule, separator, texts=False)
    alone, together = measure_uniqueness(people)
    if as_json:
        described = {
            "people": len(people),
            "repeated": people.repeated,
            "identical": people.identical,
            "attributes": [row.figures for row in alone],
            "pairs": [row.figures for row in together],
        }
        print(json.dumps(described))
        return
    _print_uniqueness((*alone, *together[:pairs]))
    note(
        f"{len(people):,} people, {people.identical:,} of whom share their whole profile with somebody"
    )


def _print_uniqueness(rows: Iterable[AnonymitySets]) -> None:
    """Prints how many people are alone with their values."""
    table = Table(
        "attributes", "people", "distinct", "alone", "among < 5", "median crowd", box=None
    )
    for row in rows:
        cells = (
            f"{row.people:,}",
            f"{row.classes:,}",
            f"{row.alone:.1%}",
            f"{row.few:.1%}",
            f"{row.median:,}",
        )
        table.add_row(make_plain(" + ".join(row.attributes)), *cells)
    make_console().print(table)


def _parse_rule(name: str) -> Duplicates:
    rules: dict[str, Duplicates] = {"error": "error", "first": "first", "merge": "merge"}
    if name not in rules:
        raise InputError(f"--duplicates: one of {', '.join(rules)} is expected")
    return rules[name]


def _refuse_repeats(rows: Iterable[Row], source: Path) -> Iterator[Row]:
    seen: set[str] = set()
    for count, row in enumerate(rows, 1):
        if row[0] in seen:
            raise InputError(f"{source}: text {count} has the id of an earlier one")
        seen.add(row[0])
        yield row


def derive_profiles(rows: Iterator[Row], words: int, neural: bool, jobs: int) -> Iterator[Profile]:
    work = partial(_derive_batch, words=words, neural=neural)
    batches = iter(lambda: list(islice(rows, BATCH)), [])
    if jobs == 1:
        yield from chain.from_iterable(map(work, batches))
        return
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing import get_context

    # The order is kept, so the output does not depend on the number of processes. A bounded queue bounds memory.
    waiting: deque[Future[list[Profile]]] = deque()
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for batch in batches:
            waiting.append(pool.submit(work, batch))
            if len(waiting) > 4 * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _derive_batch(rows: list[Row], words: int, neural: bool) -> list[Profile]:
    return _load_biographer(words, neural).make_profiles(rows)


@cache
def _load_biographer(words: int, neural: bool) -> Biographer:
    """One per process: its recogniser takes a moment to load."""
    from maskwise.crowd.biography import Biographer

    return Biographer(words, neural)
