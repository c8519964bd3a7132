"""`maskwise sanitize`: files, folders or standard input to masked text, JSON or an HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from maskwise import io
from maskwise.audit import Log, opened
from maskwise.cli.options import (
    AuditKeyOption,
    AuditOption,
    IndexOption,
    KeyFileOption,
    LimitOption,
    PolicyOption,
    ScopeOption,
    VaultOption,
    err,
    note,
    out,
    progress,
    scoped,
    set_limits,
)
from maskwise.cli.outcomes import Format, Outcome, print_outcomes, render_outcome, show_outcome
from maskwise.cli.paths import collect_run_files, collect_uses, refuse_run_clashes
from maskwise.cli.sources import Source, describe_skipped, find_sources
from maskwise.errors import InputError, MaskwiseError, OutputError
from maskwise.files import file_texts, sanitize_file
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Person

EXAMPLES = """[bold]Examples[/bold]

maskwise sanitize letter.txt

maskwise sanitize cases/ --policy court --out masked/

maskwise sanitize cases/ --policy reversible.yaml --vault cases.vault --key-file cases.key --out masked/

maskwise sanitize note.md --protect "Ana Souza" --index people.index --explain

cat chat.txt | maskwise sanitize - --format json"""


def sanitize(
    paths: Annotated[list[str], typer.Argument(help="Files, folders, or - for standard input.", metavar="PATH")],
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
    limit: LimitOption = None,
    scope: ScopeOption = None,
    vault: VaultOption = None,
    key_file: KeyFileOption = None,
    index: IndexOption = None,
    audit: AuditOption = None,
    audit_key: AuditKeyOption = None,
) -> None:
    """Mask the personal information in files."""
    if audit and dry_run:
        raise InputError("--audit records what is written, and --dry-run writes nothing; leave one out")
    people = _name_people(protect or ())
    adjusted = _recognise(set_limits(Policy.load(policy), limit or ()), ocr)
    chosen = scoped(adjusted, scope, vault, key_file, index)
    used = collect_run_files(policy, chosen, audit, audit_key)
    sources, skipped = find_sources(paths, [path for _, path in collect_uses(used)])
    targets = _choose_targets(sources, out_dir, fmt, chosen) if out_dir and not dry_run else {}
    inputs = [source.path for source in sources if source.path]
    refuse_run_clashes({"an output": targets.values()}, {"an input": inputs}, used, chosen)
    sanitizer = Sanitizer(chosen)
    for line in describe_skipped(skipped):
        note(line)
    if sanitizer.needs_words:
        _read_ahead(sanitizer, sources)
    failed = 0
    printed: list[Outcome] = []
    with opened(audit, chosen, audit_key) as log:
        for outcome in progress(_sanitize_all(sanitizer, sources, people, log), len(sources), "Sanitising"):
            if explain and not outcome.error:
                show_outcome(outcome, only_masked=False, console=err())
            if dry_run and not outcome.error:
                show_outcome(outcome, only_masked=True, console=out())
            if outcome.source in targets:
                outcome = _write(outcome, targets[outcome.source], fmt, sanitizer, log)
            _tell(outcome)
            failed += bool(outcome.error)
            if not dry_run and not targets:
                printed.append(outcome)
    if printed:
        print_outcomes(printed, skipped, fmt, sanitizer)
    if targets and failed < len(targets):
        written = len(targets) - failed
        note(f"{written} file{'s' if written != 1 else ''} written to {out_dir}")
    if failed:
        raise typer.Exit(2)
    if any(one.missed for one in skipped):
        raise typer.Exit(1)


def _name_people(names: Sequence[str]) -> tuple[Person, ...]:
    """The people to protect. A name without a letter is nobody's, and would protect nobody in silence."""
    for name in names:
        if not any(map(str.isalnum, name)):
            raise InputError("--protect: a name has at least one letter; give one or leave the option out")
    return tuple(map(Person, names))


def _read_ahead(sanitizer: Sanitizer, sources: Sequence[Source]) -> None:
    """Tell the sanitiser the words of all files, so that no surrogate is the name of somebody further on."""
    for source in progress(sources, len(sources), "Reading"):
        if source.path is not None:
            with suppress(MaskwiseError):  # what cannot be read is an error in its turn
                raw = source.read(sanitizer.policy.formats.limits)
                sanitizer.avoid(file_texts(raw, str(source.name), sanitizer.policy))


def _recognise(policy: Policy, ocr: bool) -> Policy:
    """The policy with text recognition, where the command line asks for it."""
    if not ocr:
        return policy
    raw = policy.model_dump(mode="json")
    raw["formats"]["pdf"]["recognise"] = True
    return Policy.parse(raw, "--ocr")


def _choose_targets(sources: Sequence[Source], out_dir: Path, fmt: Format, policy: Policy) -> dict[Source, Path]:
    """Where each source is written."""
    return {source: out_dir / _choose_name(source, fmt, policy) for source in sources}


def _choose_name(source: Source, fmt: Format, policy: Policy) -> Path:
    """The name below `--out`: the input's own, with another ending where the output is of another format."""
    if fmt is not Format.text:
        return source.name.with_name(f"{source.name.name}.{fmt}")
    written = io.written_as(source.suffix, policy.formats.options)
    return source.name if written == source.suffix else source.name.with_name(source.name.name + written)


def _sanitize_all(
    sanitizer: Sanitizer, sources: Sequence[Source], people: tuple[Person, ...], log: Log | None
) -> Iterator[Outcome]:
    """What became of each source, in the audit log before it is written anywhere."""
    for source in sources:
        try:
            raw = source.read(sanitizer.policy.formats.limits)
            done = sanitize_file(sanitizer, raw, str(source.name), people)
        except MaskwiseError as error:
            if log:
                log.fail()
            yield Outcome(source, error=str(error))
            continue
        if log:
            log.write(done.results)
        yield Outcome(source, done.results, done.data, done.notes)


def _write(outcome: Outcome, target: Path, fmt: Format, sanitizer: Sanitizer, log: Log | None) -> Outcome:
    """Write an outcome. A target that cannot be written is that file's error; the others are written."""
    if outcome.error:
        return outcome
    try:
        io.write_file(target, render_outcome(outcome, fmt, sanitizer))
    except OutputError as error:
        if log:
            log.fail()
        return Outcome(outcome.source, error=str(error))
    return outcome


def _tell(outcome: Outcome) -> None:
    for text in outcome.notes:
        note(f"{outcome.source.name}: {text}")
    if outcome.error:
        note(f"error: {outcome.error}")
