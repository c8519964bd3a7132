"""`maskwise attack`: attackers with background knowledge try to find people in their masked texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from maskwise import io
from maskwise.attack import scenario as scenarios
from maskwise.attack.attacker import Attacker
from maskwise.attack.clues import find_clues
from maskwise.attack.scenario import Scenario
from maskwise.attack.trir import Rate, Report, attack_scenario, compute_f1
from maskwise.cli.options import JsonOption, make_console, make_error_console, note, split_list
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.terminal import make_plain
from maskwise.crowd.curate import drop_masks
from maskwise.errors import InputError
from maskwise.report import attack as attack_page
from maskwise.report import plots
from maskwise.text import tab

EXAMPLES = """[bold]Examples[/bold]

maskwise attack scenario.json --report attack.html

maskwise attack --corpus dev.json --masks ours=masks.json --background lives.json --top 5"""

DEFAULT = "bm25,tfidf,linear,dense"


TableArgument = Annotated[
    Path | None,
    typer.Argument(
        help="JSON records or CSV with people, background and masked texts.", metavar="SCENARIO"
    ),
]
NameColumnOption = Annotated[
    str, typer.Option(help="Read names from this column.", metavar="COLUMN")
]
BackgroundColumnOption = Annotated[
    str, typer.Option(help="Read background texts from this column.", metavar="COLUMN")
]
ColumnsOption = Annotated[
    str, typer.Option(help="Attack these columns; by default all others.", metavar="A,B")
]
CorpusOption = Annotated[
    Path | None, typer.Option(help="Attack this TAB corpus, not a SCENARIO.", metavar="CORPUS")
]
MasksOption = Annotated[
    list[str] | None,
    typer.Option(help="Masks of the corpus. Can be repeated.", metavar="[LABEL=]MASKS"),
]
BackgroundOption = Annotated[
    Path | None,
    typer.Option(help="Table with one name and one text per person.", metavar="FILE"),
]
AttackersOption = Annotated[
    str,
    typer.Option(
        help="Attack with these: bm25, tfidf, linear, dense, neural. Two or more are also fused."
    ),
]
SeedsOption = Annotated[
    str, typer.Option("--seeds", "--seed", help="Average over these seeds.", metavar="N,M")
]
KeepMasksOption = Annotated[
    bool, typer.Option("--keep-masks", help="Leave masks such as PERSON and *** in the texts.")
]
PolicyOption = Annotated[
    str, typer.Option(help="Policy with which the attacker masks the background.")
]
CheckpointOption = Annotated[
    Path | None,
    typer.Option(help="Start the neural attacker from this encoder.", metavar="FOLDER"),
]
DeviceOption = Annotated[str, typer.Option(help="Run the neural attacker on cpu, cuda or auto.")]
TopOption = Annotated[
    int, typer.Option(help="List the N most revealing spans per person.", metavar="N", min=0)
]
UtilityOption = Annotated[
    Path | None,
    typer.Option(help="JSON with one TPI per column; adds F1(1 - TRIR, TPI).", metavar="FILE"),
]
ReportOption = Annotated[
    Path | None, typer.Option(help="Write a self-contained HTML page.", metavar="FILE")
]


def attack(
    table: TableArgument = None,
    name_column: NameColumnOption = scenarios.NAME,
    background_column: BackgroundColumnOption = scenarios.BACKGROUND,
    columns: ColumnsOption = "",
    corpus: CorpusOption = None,
    masks: MasksOption = None,
    background: BackgroundOption = None,
    attackers: AttackersOption = DEFAULT,
    seeds: SeedsOption = "0",
    keep_masks: KeepMasksOption = False,
    policy: PolicyOption = "strict",
    checkpoint: CheckpointOption = None,
    device: DeviceOption = "auto",
    top: TopOption = 0,
    utility: UtilityOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Attack masked texts and measure the share of people re-identified (TRIR), with 95 % intervals."""
    given = (table, corpus, background, utility, *_list_mask_files(masks))
    files = [path for path in given if path]
    refuse_clashes({"the report": report}, {"an input": files})
    scenario = _read_scenario(
        table, name_column, background_column, split_list(columns), corpus, masks, background
    )
    numbers = _read_utility(utility, scenario) if utility else {}
    chosen = build_attackers(split_list(attackers), checkpoint, device)
    if report:
        plots.load_figure()
    found = _run_attack(scenario, chosen, policy, _parse_seeds(seeds), keep_masks)
    clues = _find_clues(scenario, found, top, keep_masks) if top else {}
    if report:
        settings = {
            "attackers": attackers,
            "masks kept": keep_masks,
            "policy of the attacker": policy,
        }
        page = attack_page.build_attack_page(files, settings, found, numbers)
        io.write_file(report, page.encode("utf-8", "replace"))
        note(f"report written to {report}")
    if as_json:
        described = describe_report(found, numbers) | ({"clues": clues} if top else {})
        print(json.dumps(described, indent=1, ensure_ascii=False))
    else:
        _print_report(found, numbers, clues)


def _run_attack(
    scenario: Scenario,
    attackers: Sequence[Attacker],
    policy: str,
    seeds: Sequence[int],
    keep_masks: bool,
) -> Report:
    """Attacks a scenario, and shows the steps on standard error."""
    with make_error_console().status("preparing") as status:
        return attack_scenario(
            scenario,
            attackers,
            build_anonymiser(policy),
            seeds=seeds,
            keep_masks=keep_masks,
            progress=lambda step: status.update(make_plain(step)),
        )


def _list_mask_files(masks: Sequence[str] | None) -> list[Path]:
    return [Path(one.partition("=")[2] or one) for one in masks or []]


def build_anonymiser(policy: str) -> Callable[[Sequence[str], Sequence[str]], list[str]]:
    """Build a function that masks texts, each with the name of its person, by a policy."""

    def anonymise(texts: Sequence[str], names: Sequence[str]) -> list[str]:
        from maskwise.sanitizer import Sanitizer
        from maskwise.text import Document, Person

        documents = [Document(t, protected=(Person(n),)) for t, n in zip(texts, names, strict=True)]
        return [result.text for result in Sanitizer(policy).run(documents)]

    return anonymise


def describe_report(report: Report, utility: Mapping[str, float]) -> dict[str, Any]:
    """The report as JSON values."""
    return {
        "background": report.background,
        "guess": report.guess,
        "guess_ensemble": report.guesses,
        "seeds": list(report.seeds),
        "best": report.best,
        "development": dict(report.development),
        "columns": {
            label: {
                "people": column.people,
                "present": column.present,
                "best": _describe_rate(report.find_trir(label)),
                "ensemble": _describe_rate(column.ensemble),
                "attackers": {
                    name: _describe_rate(rate) for name, rate in column.attackers.items()
                },
                **_measure_f1(report, label, utility),
            }
            for label, column in report.columns.items()
        },
    }


def _describe_rate(rate: Rate) -> dict[str, float]:
    return {"trir": rate.value, "low": rate.low, "high": rate.high}


def _measure_f1(report: Report, label: str, utility: Mapping[str, float]) -> dict[str, float]:
    if label not in utility:
        return {}
    ensemble = compute_f1(report.columns[label].ensemble.value, utility[label])
    return {
        "tpi": utility[label],
        "f1": compute_f1(report.find_trir(label).value, utility[label]),
        "f1_ensemble": ensemble,
    }


def _print_report(
    report: Report, utility: Mapping[str, float], given_away: Mapping[str, Any]
) -> None:
    names = list(report.development)
    measures = ["TPI", "F1"] if utility else []
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("column", overflow="fold")
    for head in ("people", *names, "any\nattacker", "95 %\ninterval", *measures):
        table.add_column(head, no_wrap=True)
    for label, column in report.columns.items():
        rates = [f"{column.attackers[name].value:.1%}" for name in names]
        together = column.ensemble
        known = _measure_f1(report, label, utility)
        scores = (
            [f"{known[key]:.3f}" for key in ("tpi", "f1_ensemble")]
            if known
            else [""] * len(measures)
        )
        people = str(column.people)
        if column.present < 1:
            people += f" ({column.present:.0%} known)"
        interval = f"{100 * together.low:.0f}–{together.high:.0%}"
        table.add_row(make_plain(label), people, *rates, f"{together.value:.1%}", interval, *scores)
    tried = [f"{report.development[name]:.1%}" for name in names]
    table.add_row("development set", "", *tried, "", "", *[""] * len(measures), style="dim")
    make_console().print(table)
    make_console().print(
        f"Best attacker on the development set: {report.best}. {report.background} people in the background: "
        f"a guess finds {report.guess:.1%}, one by each attacker {report.guesses:.1%}."
    )
    for label, people in given_away.items():
        listed = Table(
            "person", "hidden without", "clues", title=make_plain(f"{label}: what gave people away")
        )
        for name, one in people.items():
            shown = ", ".join(f"{clue['text']} ({clue['share']:.0%})" for clue in one["clues"])
            masks = f"{len(one['must_mask'])} spans" if one["must_mask"] else ""
            listed.add_row(make_plain(name), masks, make_plain(shown))
        make_console().print(listed)


def _find_clues(scenario: Scenario, report: Report, top: int, keep_masks: bool) -> dict[str, Any]:
    """The best attacker's clues, by column and person, and the spans to mask so that the person is hidden."""
    scorer = report.scorers[report.best]
    given_away: dict[str, dict[str, Any]] = {}
    for label, targets in scenario.columns.items():
        given_away[label] = {}
        for target in targets:
            text = target.text if keep_masks else drop_masks(target.text)
            if found := find_clues(target, text, scorer, top):
                spans = [clue.text for clue in found.clues]
                given_away[label][target.name] = {
                    "clues": [
                        {"text": clue.text, "share": clue.share} for clue in found.clues[:top]
                    ],
                    "must_mask": spans[: found.enough] if found.enough else [],
                }
    return given_away


def _read_scenario(
    table: Path | None,
    name: str,
    text: str,
    columns: Sequence[str],
    corpus: Path | None,
    masks: Sequence[str] | None,
    background: Path | None,
) -> Scenario:
    if table and not corpus:
        return scenarios.read_scenario(table, name=name, background=text, columns=columns)
    if not (corpus and masks and background) or table:
        raise InputError("give SCENARIO, or --corpus with --masks and --background")
    named: dict[str, Path] = {}
    for given in masks:
        label, sign, path = given.partition("=")
        if sign:
            named[label] = Path(path)
        else:
            named[Path(given).stem] = Path(given)
    return scenarios.read_corpus(corpus, named, background, name=name, text=text)


def build_attackers(names: Sequence[str], checkpoint: Path | None, device: str) -> list[Attacker]:
    from maskwise.attack.bm25 import BM25, Cosine
    from maskwise.attack.dense import DenseAttacker
    from maskwise.attack.linear import LinearAttacker

    made: dict[str, Callable[[], Attacker]] = {
        "bm25": BM25,
        "tfidf": Cosine,
        "linear": LinearAttacker,
        "dense": DenseAttacker,
    }
    made["neural"] = lambda: _build_neural(checkpoint, device)
    if unknown := [name for name in names if name not in made]:
        raise InputError(f"--attackers: no {unknown[0]!r}; there are {', '.join(made)}")
    if not names or len(set(names)) < len(names):
        raise InputError(f"--attackers: name each once, of {', '.join(made)}")
    return [made[name]() for name in names]


def _build_neural(checkpoint: Path | None, device: str) -> Attacker:
    from maskwise.cli.train import common

    common.require_modules("torch", "safetensors", "tqdm")
    if checkpoint is None:
        raise InputError(
            "the neural attacker needs --checkpoint, an encoder to start from (see `maskwise train`)"
        )
    from maskwise.train.tria import NeuralAttacker

    return NeuralAttacker(checkpoint, device=common.pick_device(device))


def _read_utility(path: Path, scenario: Scenario) -> dict[str, float]:
    """TPI by column: `{column: number}`, or objects with a `tpi`, which may hold a `value`."""
    given = tab.read_json(path)
    if not isinstance(given, dict):
        raise InputError(f"{path.name}: expected an object of TPI by column")
    found: dict[str, float] = {}
    for label, value in given.items():
        for key in ("tpi", "value"):
            value = value.get(key, value) if isinstance(value, dict) else value
        if label in scenario.columns:
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise InputError(f"{path.name}: no TPI for the column {label!r}")
            found[label] = float(value)
    return found


def _parse_seeds(value: str) -> list[int]:
    try:
        return [int(one) for one in split_list(value)] or [0]
    except ValueError:
        raise InputError("--seeds: whole numbers with commas between, such as 0,1,2") from None
