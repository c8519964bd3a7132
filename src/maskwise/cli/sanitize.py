"""`maskwise sanitize`: files, folders or standard input to masked text, JSON or an HTML page."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from maskwise import io
from maskwise.audit import Log, opened
from maskwise.cli.options import (
    AuditKeyOption,
    AuditOption,
    IndexOption,
    KeyFileOption,
    PolicyOption,
    ScopeOption,
    VaultOption,
    err,
    note,
    out,
    progress,
    scoped,
)
from maskwise.errors import InputError, MaskwiseError, OutputError
from maskwise.files import file_texts, sanitize_file
from maskwise.policy import Policy
from maskwise.report.document import page
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Person

EXAMPLES = """[bold]Examples[/bold]

maskwise sanitize letter.txt

maskwise sanitize cases/ --policy court --out masked/

maskwise sanitize cases/ --policy reversible.yaml --vault cases.vault --key-file cases.key --out masked/

maskwise sanitize note.md --protect "Ana Souza" --index people.index --explain

cat chat.txt | maskwise sanitize - --format json"""


class Format(StrEnum):
    text = "text"
    json = "json"
    html = "html"


@dataclass(frozen=True)
class Source:
    """A file to read, or standard input, and its name below `--out`."""

    path: Path | None
    name: Path

    @property
    def suffix(self) -> str:
        return self.path.suffix if self.path else ".txt"

    def read(self) -> bytes:
        try:
            return sys.stdin.buffer.read() if self.path is None else self.path.read_bytes()
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror})") from None


@dataclass(frozen=True)
class Outcome:
    """What became of a source: its results, or the error that stands for them."""

    source: Source
    results: tuple[Result, ...] = ()
    rendered: bytes = b""
    notes: tuple[str, ...] = ()
    error: str = ""

    def to_json(self) -> list[dict[str, Any]]:
        if self.error:
            return [{"path": str(self.source.name), "error": self.error}]
        return [result.to_json() for result in self.results]


def sanitize(
    paths: Annotated[list[str], typer.Argument(help="Files, folders, or - for standard input.", metavar="PATH...")],
    protect: Annotated[
        list[str] | None,
        typer.Option("--protect", help="Name of a person to protect; repeat for more.", metavar="NAME"),
    ] = None,
    policy: PolicyOption = "balanced",
    out_dir: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder to write to, instead of standard output.", metavar="DIR")
    ] = None,
    fmt: Annotated[Format, typer.Option("--format", "-f", help="What to write.")] = Format.text,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what would be masked; write nothing.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the reason for each entity, to standard error.")
    ] = False,
    ocr: Annotated[
        bool, typer.Option("--ocr", help="Read scanned pages of PDFs by Tesseract, where it is installed.")
    ] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option("--limit", help="Raise or lower a limit of the policy, like pages=20000.", metavar="KEY=NUMBER"),
    ] = None,
    scope: ScopeOption = None,
    vault: VaultOption = None,
    key_file: KeyFileOption = None,
    index: IndexOption = None,
    audit: AuditOption = None,
    audit_key: AuditKeyOption = None,
) -> None:
    """Mask the personal information in files."""
    sanitizer = Sanitizer(scoped(_adjusted(Policy.load(policy), limit or (), ocr), scope, vault, key_file, index))
    if audit and dry_run:
        raise InputError("--audit records what is written, and --dry-run writes nothing; leave one out")
    sources = _sources(paths)
    if sanitizer.needs_words:
        _tell(sanitizer, sources)
    targets = _targets(sources, out_dir, fmt, sanitizer.policy) if out_dir and not dry_run else {}
    people = tuple(Person(name) for name in protect or ())
    outcomes: list[Outcome] = []
    failed = 0
    found = _recorded(_outcomes(sanitizer, sources, people), opened(audit, sanitizer.policy, audit_key))
    for outcome in progress(found, len(sources), "Sanitising"):
        for removed in outcome.notes:
            note(f"{outcome.source.name}: {removed}")
        if outcome.error:
            failed += 1
            note(f"error: {outcome.error}")
        elif dry_run:
            _show(outcome, only_masked=True, console=out())
        elif outcome.source in targets:
            io.write_file(targets[outcome.source], _bytes(outcome, fmt, sanitizer))
        if explain and not outcome.error:
            _show(outcome, only_masked=False, console=err())
        if not dry_run and not targets:
            outcomes.append(outcome)
    if outcomes:
        _print(outcomes, fmt, sanitizer)
    if targets and not failed:
        note(f"{len(targets)} file{'s' if len(targets) != 1 else ''} written to {out_dir}")
    if failed:
        raise typer.Exit(2)


def _tell(sanitizer: Sanitizer, sources: Sequence[Source]) -> None:
    """Tell the sanitiser the words of all files, so that no surrogate is the name of somebody further on."""
    for source in progress(sources, len(sources), "Reading"):
        if source.path is not None:
            with suppress(MaskwiseError):  # what cannot be read is an error in its turn
                sanitizer.avoid(file_texts(source.read(), str(source.name), sanitizer.policy))


def _adjusted(policy: Policy, limits: Sequence[str], ocr: bool) -> Policy:
    """The policy with limits and text recognition from the command line laid over its own."""
    if not limits and not ocr:
        return policy
    raw = policy.model_dump(mode="json")
    raw["formats"]["limits"] |= {key.strip(): number for key, _, number in (each.partition("=") for each in limits)}
    raw["formats"]["pdf"]["recognise"] |= ocr
    return Policy.parse(raw, "--limit")


def _sources(paths: Sequence[str]) -> list[Source]:
    """Expand folders; every file named on its own must have a known format."""
    found: list[Source] = []
    known = {f".{suffix}" for suffix in io.suffixes()}
    for given in paths:
        path = Path(given)
        if given == "-":
            found.append(Source(None, Path("stdin.txt")))
        elif path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
            taken = [p for p in inside if p.suffix.lower() in known]
            if len(taken) < len(inside):
                note(f"{path}: {len(inside) - len(taken)} files of unknown format left out")
            found += (Source(p, p.relative_to(path)) for p in taken)
        elif path.is_file():
            io.reader(path.suffix)
            found.append(Source(path, Path(path.name)))
        else:
            raise InputError(f"{given}: no such file or folder")
    if not found:
        raise InputError("nothing to sanitise: no file of a known format there")
    return found


def _targets(sources: Sequence[Source], out_dir: Path, fmt: Format, policy: Policy) -> dict[Source, Path]:
    """Where each source is written. Refuses to write two to one place, or over an input."""
    inputs = {s.path.resolve() for s in sources if s.path}
    targets: dict[Source, Path] = {}
    taken: set[Path] = set()
    for source in sources:
        target = out_dir / _name(source, fmt, policy)
        if target.resolve() in inputs:
            raise OutputError(f"{target}: would overwrite an input; choose another --out")
        if target in taken:
            raise OutputError(f"{target}: two inputs have this name; sanitise them into different folders")
        taken.add(target)
        targets[source] = target
    return targets


def _name(source: Source, fmt: Format, policy: Policy) -> Path:
    """The name below `--out`: the input's own, with another ending where the output is of another format."""
    if fmt is not Format.text:
        return source.name.with_name(f"{source.name.name}.{fmt}")
    written = io.written_as(source.suffix, policy.formats.options)
    return source.name if written == source.suffix else source.name.with_name(source.name.name + written)


def _outcomes(sanitizer: Sanitizer, sources: Sequence[Source], people: tuple[Person, ...]) -> Iterator[Outcome]:
    for source in sources:
        try:
            done = sanitize_file(sanitizer, source.read(), str(source.name), people)
            yield Outcome(source, done.results, done.data, done.notes)
        except MaskwiseError as error:
            yield Outcome(source, error=str(error))


def _recorded(outcomes: Iterator[Outcome], log: AbstractContextManager[Log | None]) -> Iterator[Outcome]:
    """The outcomes, each in the audit log before it is written anywhere; the log ends when the last was."""
    with log as open_log:
        for outcome in outcomes:
            if open_log and outcome.error:
                open_log.fail()
            elif open_log:
                open_log.write(outcome.results)
            yield outcome


def _bytes(outcome: Outcome, fmt: Format, sanitizer: Sanitizer) -> bytes:
    if fmt is Format.text:
        return outcome.rendered
    if fmt is Format.html:
        return _page(outcome.results, sanitizer)
    return (json.dumps({"documents": outcome.to_json()}, indent=1) + "\n").encode()


def _page(results: Sequence[Result], sanitizer: Sanitizer) -> bytes:
    return page(results, sanitizer.policy.name, sanitizer.levels).encode("utf-8", "replace")


def _print(outcomes: Sequence[Outcome], fmt: Format, sanitizer: Sanitizer) -> None:
    if fmt is Format.json:
        print(json.dumps({"documents": [d for outcome in outcomes for d in outcome.to_json()]}, indent=1))
        return
    if fmt is Format.html:
        results = [r for outcome in outcomes for r in outcome.results]
        sys.stdout.buffer.write(_page(results, sanitizer))
        return
    for outcome in outcomes:
        if outcome.error:
            continue
        if len(outcomes) > 1:
            sys.stdout.buffer.write(f"==> {outcome.source.name} <==\n".encode())
        sys.stdout.buffer.write(outcome.rendered)
        if len(outcomes) > 1 and not outcome.rendered.endswith(b"\n"):
            sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def _show(outcome: Outcome, only_masked: bool, console: Any) -> None:
    """A table of the entities: what each is, what happens to it and why."""
    from rich.markup import escape
    from rich.table import Table

    for result in outcome.results:
        table = Table(title=escape(str(outcome.source.name)), title_justify="left", expand=True)
        for column, share in (("text", 3), ("type", 2), ("decision", 2), ("reason", 5)):
            table.add_column(column, overflow="fold", ratio=share)
        for entity in result.entities:
            decision = result.plan.by_entity[entity.id]
            if only_masked and not decision.masked:
                continue
            times = f" ({len(entity.mentions)} times)" if len(entity.mentions) > 1 else ""
            row = (
                " ".join(entity.longest.text.split()) + times,
                f"{entity.type}\n{decision.identifier.lower()}",
                f"{decision.action}\n{result.rendering.replacements.get(entity.id, '')}".strip(),
                "; ".join(decision.reasons),
            )
            table.add_row(*(escape(cell) for cell in row))
        console.print(table)
        console.print(escape(_summary(result)))


def _summary(result: Result) -> str:
    """Document risk and what the plan costs, in one line."""
    plan, risk = result.plan, result.risk
    whole = sum(d.information for d in plan.decisions)
    proof = "; no plan loses less" if plan.optimal else f"; at most {plan.gap:.1%} of it needless" if plan.gap else ""
    return (
        f"Estimated risk that the person is found: {risk.before:.2f} before, {risk.after:.2f} after. "
        f"Information lost: {plan.objective:g} of {whole:g}{proof}."
    )
