"""`maskwise harden`: masks texts until attackers with background knowledge no longer find the people in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from maskwise import io
from maskwise.attack import scenario as scenarios
from maskwise.attack.owned_texts import OwnedTexts, read_corpus, read_table
from maskwise.attack.scenario import Scenario, Target
from maskwise.cli.attack import DEFAULT, build_attackers
from maskwise.cli.options import (
    JsonOption,
    PolicyOption,
    make_console,
    make_error_console,
    note,
    show_progress,
    split_list,
)
from maskwise.cli.paths import refuse_clashes
from maskwise.errors import CorpusError, InputError
from maskwise.policy import list_shipped
from maskwise.text import Document, tab
from maskwise.text import masks as mask_files
from maskwise.text.masks import Mask
from maskwise.text.tab import AnnotatedDocument

if TYPE_CHECKING:
    from maskwise.attack.harden import HardenedText, Hardening, MaskReason
    from maskwise.attack.trir import ColumnOutcome, Rate
    from maskwise.hardening import GivenText

EXAMPLES = """[bold]Examples[/bold]

maskwise harden scenario.json --column original_abstract --bound .1 -o masks.json --table hardened.json

maskwise harden dev.json --background lives.json --masks masks.json --bound .05 -o harder.json"""

HARDENED = "hardened"  # the column of the table that is written
_NAMED = 20  # people still found that a message names


class Start(StrEnum):
    """The masks to begin with."""

    DIRECT = "direct"
    POLICY = "policy"


SourceArgument = Annotated[
    Path,
    typer.Argument(
        help="Table with names, background and texts; a TAB corpus with --background.",
        metavar="SCENARIO|CORPUS",
    ),
]
OutputOption = Annotated[
    Path, typer.Option("--out", "-o", help="Write the masks to this file.", metavar="MASKS")
]
BoundOption = Annotated[
    float, typer.Option(help="Let attackers find at most this share of people.", min=0, max=1)
]
KOption = Annotated[
    int,
    typer.Option(
        "--k", "-k", help="Hide each person behind K others, at most a quarter of all.", min=1
    ),
]
BackgroundOption = Annotated[
    Path | None,
    typer.Option(
        help="Table with one name and one text per person, for a CORPUS.", metavar="TEXTS"
    ),
]
ColumnOption = Annotated[
    str, typer.Option(help="Harden this column of a SCENARIO; by default the first with texts.")
]
MasksOption = Annotated[
    Path | None,
    typer.Option(help="Begin with these masks, by doc_id or row number.", metavar="FILE"),
]
StartOption = Annotated[
    Start,
    typer.Option(help="Begin with direct identifiers masked, or all that the policy masks."),
]
AttackersOption = Annotated[
    str, typer.Option(help="Hide from these: bm25, tfidf, linear, dense, and their fusion.")
]
NameColumnOption = Annotated[
    str, typer.Option(help="Read names from this column.", metavar="COLUMN")
]
BackgroundColumnOption = Annotated[
    str, typer.Option(help="Read background texts from this column.")
]
SeedOption = Annotated[int, typer.Option(help="Seed of the attackers.", min=0)]
TableOption = Annotated[
    Path | None,
    typer.Option(help="Write a scenario with the hardened texts, for `maskwise attack`."),
]


def harden(
    source: SourceArgument,
    output: OutputOption,
    bound: BoundOption = 0.1,
    k: KOption = 20,
    background: BackgroundOption = None,
    column: ColumnOption = "",
    masks: MasksOption = None,
    start: StartOption = Start.DIRECT,
    policy: PolicyOption = "balanced",
    attackers: AttackersOption = DEFAULT,
    name_column: NameColumnOption = scenarios.NAME,
    background_column: BackgroundColumnOption = scenarios.BACKGROUND,
    seed: SeedOption = 0,
    table: TableOption = None,
    as_json: JsonOption = False,
) -> None:
    """Mask texts until at most a share of people (TRIR) is found by the attackers of `maskwise attack`.

    The masks have one list (start, end, replacement) per doc_id, or per row of the table, counted from 1. The exit code
    is 1 if more people are found than the bound allows when everything that may be masked is masked.
    """
    from maskwise.attack.harden import harden as run
    from maskwise.hardening import draft_texts
    from maskwise.sanitizer import Sanitizer

    used = {
        "the input": source,
        "the background": background,
        "the masks to begin with": masks,
        "the policy": None if policy in list_shipped() else Path(policy),
    }
    refuse_clashes({"the file of masks": output, "the table": table}, used)
    chosen = build_attackers(_check_names(attackers), None, "cpu")
    texts = _read_texts(source, background, column, name_column, background_column)
    given = _apply_given(texts, masks)
    scenario = _assemble(texts, given, source.name)
    targets = scenario.columns[HARDENED]
    drafting = draft_texts(targets, Sanitizer(policy), whole=start is Start.POLICY)
    drafts = list(show_progress(drafting, len(targets), "Finding entities"))
    with make_error_console().status("fitting the attackers") as status:

        def track(numbers: Sequence[int], label: str) -> Iterable[int]:
            status.stop()
            return show_progress(numbers, len(numbers), label)

        done = run(drafts, scenario.background, chosen, bound=bound, k=k, seed=seed, track=track)
    _write_masks(output, texts.ids, given, done)
    if table:
        rows = _list_rows(scenario, done, name_column, background_column)
        io.write_file(table, (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode())
    if as_json:
        print(json.dumps(_describe(done, texts.ids, given), indent=1))
    else:
        _print_summary(done)
    _report_found(done, texts.ids)


def _read_texts(
    source: Path, background: Path | None, column: str, name_column: str, background_column: str
) -> OwnedTexts:
    """Reads a corpus with a table of backgrounds, or else a table that has both."""
    if background is None:
        return read_table(source, column, name=name_column, background=background_column)
    texts = read_corpus(source, background, name=name_column, text=background_column)
    if texts.left_out:
        note(f"{texts.left_out} documents have no task that names a person: left out")
    return texts


def _write_masks(
    output: Path, ids: Sequence[str], given: Sequence[GivenText], done: Hardening
) -> None:
    """Writes the masks of each text, as places in what was given."""
    found = {
        id: [list(mask) for mask in one.restore(text.spans)]
        for id, one, text in zip(ids, given, done.texts, strict=True)
    }
    io.write_file(output, (json.dumps(found) + "\n").encode())


def _check_names(attackers: str) -> list[str]:
    names = split_list(attackers)
    if "neural" in names:
        raise InputError(
            "--attackers: neural is too slow to be asked while masking; judge with `maskwise attack`"
        )
    return names


def _apply_given(texts: OwnedTexts, path: Path | None) -> list[GivenText]:
    """The texts as the masks to begin with leave them."""
    from maskwise.hardening import GivenText

    given: dict[str, tuple[Mask, ...]] = {}
    if path:
        documents = [
            AnnotatedDocument(Document(text, id=id), ())
            for id, text in zip(texts.ids, texts.texts, strict=True)
        ]
        given = dict(mask_files.parse_masks(tab.read_json(path), documents, path.name).by_document)
        unknown = set(given) - set(texts.ids)
        if unknown:
            raise CorpusError(f"{path.name}: masks of {len(unknown)} texts that are not hardened")
    where = path.name if path else ""
    return [
        GivenText.apply(text, given.get(id, ()), f"{where}: {id}")
        for id, text in zip(texts.ids, texts.texts, strict=True)
    ]


def _assemble(texts: OwnedTexts, given: Sequence[GivenText], source: str) -> Scenario:
    owned = zip(texts.owners, (one.text for one in given), strict=True)
    return scenarios.assemble_scenario(texts.people, {HARDENED: owned}, source)


def _list_rows(scenario: Scenario, done: Hardening, name: str, text: str) -> list[dict[str, str]]:
    """The hardened texts as a scenario: each person's background stands in one row."""
    rows: list[dict[str, str]] = []
    placed: set[int] = set()
    for one in done.texts:
        target: Target = one.draft.target
        row = {name: target.name, HARDENED: one.text}
        if target.person is not None and target.person not in placed:
            placed.add(target.person)
            row[text] = scenario.background[target.person]
        rows.append(row)
    people = enumerate(zip(scenario.names, scenario.background, strict=True))
    rows += [{name: who, text: life} for at, (who, life) in people if at not in placed]
    return rows


def _describe(done: Hardening, ids: Sequence[str], given: Sequence[GivenText]) -> dict[str, Any]:
    """The outcome as JSON values. Spans are offsets of the texts as they were given."""
    documents = zip(ids, done.texts, given, strict=True)
    return {
        "people": done.after.people,
        "background": done.people,
        "k": done.k,
        "bound": done.bound,
        "reached": done.is_reached,
        "rounds": done.rounds,
        "words_masked": _measure_share(done.texts),
        "before": _describe_column(done.before),
        "after": _describe_column(done.after),
        "found": [ids[at] for at in done.found],
        "documents": {id: _describe_text(text, done.people, one) for id, text, one in documents},
    }


def _describe_column(column: ColumnOutcome) -> dict[str, Any]:
    return {
        "any": _describe_rate(column.ensemble),
        "attackers": {name: _describe_rate(rate) for name, rate in column.attackers.items()},
    }


def _describe_rate(rate: Rate) -> dict[str, float]:
    return {"trir": rate.value, "low": rate.low, "high": rate.high}


def _describe_text(text: HardenedText, people: int, given: GivenText) -> dict[str, Any]:
    return {
        "k": text.k,
        "words": len(text.words),
        "words_masked": int(text.mask.sum()),
        "reasons": [_describe_reason(reason, people, given) for reason in text.reasons],
    }


def _describe_reason(reason: MaskReason, people: int, given: GivenText) -> dict[str, Any]:
    return {
        "spans": [list(given.restore_span(span)) for span in reason.spans],
        "attacker": reason.attacker,
        "shown": reason.shown,
        "masked": reason.masked,
        "reason": f"shown, {reason.attacker} ranks the person {reason.shown} of {people}; "
        f"masked, {reason.masked}",
    }


def _measure_share(texts: Sequence[HardenedText]) -> float:
    words = sum(len(text.words) for text in texts)
    return sum(int(text.mask.sum()) for text in texts) / words if words else 0.0


def _print_summary(done: Hardening) -> None:
    table = Table("attacker", "found before", "found after", "95 % interval")
    before = {**done.before.attackers, "any attacker": done.before.ensemble}
    after = {**done.after.attackers, "any attacker": done.after.ensemble}
    for name, rate in after.items():
        interval = f"{rate.low:.1%} to {rate.high:.1%}"
        table.add_row(name, f"{before[name].value:.1%}", f"{rate.value:.1%}", interval)
    make_console().print(table)
    make_console().print(
        f"{done.after.people} people, {done.people} in the background, each behind {done.k} others "
        f"where that can be; {_measure_share(done.texts):.1%} of the words masked."
    )


def _report_found(done: Hardening, ids: Sequence[str]) -> None:
    """Exit with code 1 where the bound is missed, and say who is still found, by number."""
    if done.is_reached:
        return
    named = ", ".join(ids[at] for at in done.found[:_NAMED])
    more = f" and {len(done.found) - _NAMED} more" if len(done.found) > _NAMED else ""
    share = len(done.found) / len(done.texts)
    note(
        f"{len(done.found)} of {len(done.texts)} people are still found ({share:.1%}, the bound is {done.bound:.1%}): "
        f"{named}{more}"
    )
    raise typer.Exit(1)
