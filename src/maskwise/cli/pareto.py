"""`maskwise pareto`: privacy against information kept, for many ways to mask the same documents, on one page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.table import Table

from maskwise import io
from maskwise.cli.options import (
    BootstrapSeedOption,
    JsonOption,
    PopulationOption,
    ResamplesOption,
    make_console,
    make_error_console,
    note,
    show_progress,
    split_list,
)
from maskwise.cli.paths import list_files, refuse_clashes
from maskwise.cli.protected import read_protected
from maskwise.cli.terminal import make_plain
from maskwise.errors import InputError
from maskwise.policy import Policy, list_shipped
from maskwise.text import Document

if TYPE_CHECKING:
    from maskwise.attack.trir import Rate
    from maskwise.evaluate.tradeoff import TradeOff
    from maskwise.frontier import Version, VersionOutcome
    from maskwise.settings import CrowdSettings

EXAMPLES = """[bold]Examples[/bold]

maskwise pareto letters.jsonl -o pareto.html

maskwise pareto letters/ --protect "Ana Souza" --policies balanced,strict --k 20,100 -o pareto.html

maskwise pareto dev.json --background lives.json --judges words -o pareto.html --json"""

HIDING = "anonymous"  # its points are those of --k
T = TypeVar("T")


DocumentsArgument = Annotated[
    Path,
    typer.Argument(
        help="JSONL with `text` and `protect` per row, a TAB corpus, a file or a folder.",
        metavar="DOCS",
    ),
]
OutputOption = Annotated[
    Path, typer.Option("--out", "-o", help="Write the page to this file.", metavar="PAGE")
]
ProtectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--protect",
        help="Protect this person in all documents. Can be repeated.",
        metavar="NAME",
    ),
]
PoliciesOption = Annotated[
    str, typer.Option(help="Run these policies; by default all that ship.", metavar="A,B")
]
RecallOption = Annotated[
    str, typer.Option(help="Turn the recall knob of balanced to these points.", metavar="R,R")
]
KOption = Annotated[
    str,
    typer.Option(
        "--k", help="Hide each person behind N people with the policy anonymous.", metavar="N,N"
    ),
]
JudgesOption = Annotated[
    str,
    typer.Option(
        help="Judge by these attackers alone and hide K from the others: bm25, words, dense.",
        metavar="A,B",
    ),
]
BackgroundOption = Annotated[
    Path | None,
    typer.Option(help="Table with one name and one text per person: adds TRIR.", metavar="TEXTS"),
]


def pareto(
    documents: DocumentsArgument,
    output: OutputOption,
    protect: ProtectOption = None,
    policies: PoliciesOption = "",
    recall: RecallOption = "0,.25,.5,.75,1",
    k: KOption = "5,20,100",
    judges: JudgesOption = "",
    background: BackgroundOption = None,
    population: PopulationOption = None,
    resamples: ResamplesOption = 1000,
    seed: BootstrapSeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Plot privacy against information kept for policies, the recall knob and K, with 95 % intervals.

    No annotations are needed: privacy is measured by attackers, information by the language model.
    """
    files = [path for path in (documents, background, population) if path]
    refuse_clashes({"the page": output}, {"an input": list_files(files)})
    chosen = _choose_policies(policies)
    points = _parse_numbers("--recall", recall, float, 0, 1)
    sizes = _parse_numbers("--k", k, int, 1, 1_000_000)
    found = read_protected(documents, protect or ())
    people = _read_background(background, found) if background else []
    from maskwise.frontier import VersionTrial, list_versions

    asked, judging = _split_crowd(split_list(judges), population)
    versions = list_versions(chosen, points, sizes, asked)
    note(f"{len(found)} documents in {len(versions)} versions")
    trial = VersionTrial(versions, judging).run(found)
    total = len(found) * len(versions)
    outcomes = list(show_progress(trial, total, "Masking and attacking"))
    rates = _attack_versions(people, outcomes, seed) if background else {}
    done = [_summarise(one, outcomes, rates, resamples, seed) for one in versions]
    notes = _list_notes(done, len(found), asked, judging)
    settings = {"documents": len(found), "resamples": resamples, "seed": seed}
    _write_page(output, done, notes, _list_files(files), settings)
    if as_json:
        print(json.dumps({**settings, "notes": notes, "points": _describe(done)}, indent=1))
        return
    _print_points(done)
    for line in [*notes, f"page written to {output}"]:
        note(line)


def _choose_policies(given: str) -> list[str]:
    names = split_list(given)
    if not given:
        return [name for name in list_shipped() if name != HIDING]
    if len(set(names)) < len(names):
        raise InputError("--policies: name each once")
    for name in names:
        Policy.load(name)
    return names


def _parse_numbers(
    option: str, given: str, convert: Callable[[str], T], low: float, high: float
) -> list[T]:
    """The numbers of a list such as `5,20`. An option may be `none`, which leaves its points out."""
    if given == "none":
        return []
    wanted = f"{option}: expected numbers from {low:,} to {high:,} with commas between, or none"
    try:
        found = [convert(one) for one in split_list(given)]
    except ValueError:
        raise InputError(wanted) from None
    if not found or not all(low <= float(str(one)) <= high for one in found):
        raise InputError(wanted)
    return list(dict.fromkeys(found))


def _split_crowd(
    judges: Sequence[str], population: Path | None
) -> tuple[CrowdSettings, CrowdSettings]:
    """The crowd as K hides in it, and as the judges see it."""
    from maskwise.crowd.crowd import DENSE, FACTS, WORDS
    from maskwise.frontier import split_attackers
    from maskwise.settings import CrowdSettings

    asked = split_attackers((FACTS, WORDS, DENSE), judges) if judges else ()
    where = str(population) if population else None
    return (
        CrowdSettings(population=where, attackers=asked),
        CrowdSettings(population=where, attackers=tuple(judges)),
    )


def _read_background(path: Path, documents: Sequence[Document]) -> list[tuple[str, str]]:
    from maskwise.attack.scenario import read_people

    if not any(document.protected for document in documents):
        raise InputError(
            "--background: no document names its person; give `protect` in the rows, or --protect"
        )
    return read_people(path)


def _attack_versions(
    people: Sequence[tuple[str, str]], outcomes: Sequence[VersionOutcome], seed: int
) -> dict[str, Rate]:
    """TRIR of any attacker for each version, over the documents that name their person."""
    from maskwise.attack.scenario import assemble_scenario
    from maskwise.attack.trir import attack_scenario
    from maskwise.cli.attack import DEFAULT, build_anonymiser, build_attackers

    columns: dict[str, list[tuple[str, str]]] = {}
    for one in outcomes:
        if one.document.protected:
            owner = one.document.protected[0].name
            columns.setdefault(one.version.name, []).append((owner, one.text))
    scenario = assemble_scenario(people, columns, "--background")
    with make_error_console().status("attacking") as status:
        report = attack_scenario(
            scenario,
            build_attackers(split_list(DEFAULT), None, "cpu"),
            build_anonymiser("strict"),
            seeds=(seed,),
            progress=lambda step: status.update(make_plain(step)),
        )
    return {label: column.ensemble for label, column in report.columns.items()}


def _summarise(
    version: Version,
    outcomes: Sequence[VersionOutcome],
    rates: dict[str, Rate],
    resamples: int,
    seed: int,
) -> TradeOff:
    from maskwise.evaluate.tradeoff import summarise_outcomes

    own = [one.outcome for one in outcomes if one.version is version]
    trir = rates.get(version.name)
    return summarise_outcomes(version.name, version.kind, own, trir, resamples=resamples, seed=seed)


def _list_notes(
    points: Sequence[TradeOff], documents: int, asked: CrowdSettings, judging: CrowdSettings
) -> list[str]:
    """A note for the reader: who was measured, and whether K hides from its own judges."""
    people = points[0].people
    if not people:
        return ["Nobody was measured in the crowd: the documents tell no facts about a person."]
    notes = [f"{people} people of {documents} documents are measured in the crowd."]
    if judging.attackers:
        notes.append(
            f"Judges: {', '.join(judging.attackers)}. K hides from {', '.join(asked.attackers)}, never from the judges."
        )
    else:
        notes.append(
            "K hides from the same attackers that judge here, so its points show the best case. --judges keeps some "
            "attackers from it, and --background brings others."
        )
    return notes


def _list_files(files: Sequence[Path]) -> list[Path]:
    return [path for path in files if path.is_file()]


def _write_page(
    output: Path,
    points: Sequence[TradeOff],
    notes: Sequence[str],
    files: Sequence[Path],
    settings: dict[str, Any],
) -> None:
    from maskwise.report.page import list_facts
    from maskwise.report.pareto import build_pareto_page

    page = build_pareto_page(points, list_facts(files, settings), notes)
    io.write_file(output, page.encode("utf-8", "replace"))


def _describe(points: Sequence[TradeOff]) -> list[dict[str, Any]]:
    """The points as JSON values, each with the measures of whose frontier it is."""
    from maskwise.report.pareto import MEASURES, list_best

    best = {one.title: set(list_best(one, points)) for one in MEASURES}
    rows = []
    for point in points:
        on = [title for title, names in best.items() if point.name in names]
        rows.append({**point.to_json(), "frontier": on})
    return rows


def _print_points(points: Sequence[TradeOff]) -> None:
    heads = ["version", "information kept", "words masked", "found in the crowd", "median rank"]
    has_trir = any(point.trir for point in points)
    table = Table(*heads, *(["TRIR"] if has_trir else []))
    for point in points:
        found = f"{point.found.value:.1%}" if point.found else "not measured"
        rank = f"{point.rank.value:,.0f}" if point.rank else "not measured"
        trir = [f"{point.trir.value:.1%}" if point.trir else "not measured"] if has_trir else []
        kept, words = f"{point.kept.value:.1%}", f"{point.words_masked.value:.1%}"
        table.add_row(make_plain(point.name), kept, words, found, rank, *trir)
    make_console().print(table)
