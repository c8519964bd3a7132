"""Writes what became of each file of `sanitize`: as text, JSON, an HTML page or a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from maskwise.cli.sources import InputFile, Skipped
from maskwise.cli.terminal import make_plain
from maskwise.crowd.measured import PersonRisk
from maskwise.report.document import build_document_page
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text.escapes import escape_controls


class Format(StrEnum):
    text = "text"
    json = "json"
    html = "html"


@dataclass(frozen=True)
class FileOutcome:
    """The outcome of a file: its results and what they leave out, or its error."""

    source: InputFile
    results: tuple[Result, ...] = ()
    rendered: bytes = b""
    notes: tuple[str, ...] = ()
    error: str = ""

    @property
    def has_missed_k(self) -> bool:
        """Whether a person of the file stays among the first K of the crowd, or was not measured."""
        return any(result.risk is not None and result.risk.has_missed for result in self.results)

    @property
    def documents(self) -> list[dict[str, Any]]:
        if self.error:
            return [{"path": str(self.source.name), "error": self.error}]
        return [result.to_json() for result in self.results]


def render_outcome(outcome: FileOutcome, fmt: Format, sanitizer: Sanitizer) -> bytes:
    """Return the bytes of one file below `--out`."""
    if fmt is Format.text:
        return outcome.rendered
    if fmt is Format.html:
        return _render_page([outcome], (), sanitizer)
    return _render_json([outcome], ())


def print_outcomes(
    outcomes: Sequence[FileOutcome], skipped: Sequence[Skipped], fmt: Format, sanitizer: Sanitizer
) -> None:
    """Print all files to standard output: one JSON object, one page, or their texts one after the other."""
    output = sys.stdout.buffer
    if fmt is Format.json:
        output.write(_render_json(outcomes, skipped))
    elif fmt is Format.html:
        output.write(_render_page(outcomes, skipped, sanitizer))
    else:
        for outcome in outcomes:
            if outcome.error:
                continue
            if len(outcomes) > 1:
                output.write(f"==> {escape_controls(outcome.source.name)} <==\n".encode())
            output.write(outcome.rendered)
            if len(outcomes) > 1 and not outcome.rendered.endswith(b"\n"):
                output.write(b"\n")
    output.flush()


def _render_json(outcomes: Sequence[FileOutcome], skipped: Sequence[Skipped]) -> bytes:
    report = {
        "documents": [document for outcome in outcomes for document in outcome.documents],
        "notes": [{"path": str(o.source.name), "note": text} for o in outcomes for text in o.notes],
        "skipped": [one.to_json() for one in skipped],
    }
    return (json.dumps(report, indent=1) + "\n").encode()


def _render_page(
    outcomes: Sequence[FileOutcome], skipped: Sequence[Skipped], sanitizer: Sanitizer
) -> bytes:
    results = [result for outcome in outcomes for result in outcome.results]
    notes = {str(outcome.source.name): outcome.notes for outcome in outcomes}
    failed = [outcome.error for outcome in outcomes if outcome.error]
    missing = [*failed, *(f"{one.path}: left out ({one.reason})" for one in skipped)]
    html = build_document_page(
        results, sanitizer.policy.name, sanitizer.levels, notes=notes, missing=missing
    )
    return html.encode("utf-8", "replace")


def show_outcome(outcome: FileOutcome, only_masked: bool, console: Any) -> None:
    """Print a table of the entities: what each is, what happens to it and why."""
    from rich.table import Table

    for result in outcome.results:
        table = Table(title=make_plain(outcome.source.name), title_justify="left", expand=True)
        for column, share in (("text", 3), ("type", 2), ("decision", 2), ("reason", 5)):
            table.add_column(column, overflow="fold", ratio=share)
        for entity in result.findings:
            decision = result.plan.by_entity[entity.id]
            if only_masked and not decision.masked:
                continue
            times = f" ({len(entity.mentions)} times)" if len(entity.mentions) > 1 else ""
            written = result.rendering.replacements.get(entity.id, "")
            text = " ".join(entity.longest.text.split())
            table.add_row(
                make_plain(text + times),
                f"{entity.type}\n{decision.identifier.lower()}",
                make_plain(decision.action, *([written] if written else ())),
                make_plain("; ".join(decision.reasons)),
            )
        console.print(table)
        if result.risk is None:  # what was measured is among the notes of the command
            console.print("Risk in the crowd: not measured; the option --risk measures it.")
        for person in result.risk.persons if result.risk and not only_masked else ():
            console.print(make_plain(f"What an attacker can know about {person.label}:"))
            console.print(_list_profile(person))
        console.print(make_plain(_summarize(result)))


def _list_profile(person: PersonRisk) -> Any:
    """A table of the facts that the document tells about a person: the profile that attackers look for."""
    from rich.table import Table

    table = Table("attribute", "values")
    for attribute, values in person.profile.attributes if person.profile else ():
        table.add_row(make_plain(attribute), make_plain("; ".join(values)))
    return table


def _summarize(result: Result) -> str:
    """The cost of the plan, in a sentence."""
    plan = result.plan
    whole = sum(decision.information for decision in plan.decisions)
    proof = ""
    if plan.optimal:
        proof = "; no plan loses less"
    elif plan.gap:
        proof = f"; at most {plan.gap:.1%} of it needless"
    return f"Information lost: {plan.objective:g} of {whole:g}{proof}."
