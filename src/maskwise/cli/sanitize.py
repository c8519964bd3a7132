"""`maskwise sanitize`: masks files, folders or standard input, as text, JSON or an HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from maskwise import io
from maskwise.audit import Log, open_log
from maskwise.cli.lists import (
    KeepOption,
    MaskOption,
    MustMaskOption,
    list_paths,
    list_texts,
    note_unseen,
    read_lists,
)
from maskwise.cli.options import (
    AuditKeyOption,
    AuditOption,
    CrowdSizeOption,
    DomainOption,
    ExtendOption,
    FailOverOption,
    FurtherOption,
    IndexOption,
    KeyFileOption,
    KnownOption,
    LimitOption,
    PolicyOption,
    PopulationOption,
    RiskOption,
    ScopeOption,
    VaultOption,
    choose_crowd,
    choose_domain,
    make_console,
    make_error_console,
    note,
    override_policy,
    set_limits,
    show_progress,
)
from maskwise.cli.outcomes import FileOutcome, Format, print_outcomes, render_outcome, show_outcome
from maskwise.cli.paths import collect_run_files, collect_uses, refuse_run_clashes
from maskwise.cli.sources import InputFile, describe_skipped, find_sources
from maskwise.errors import InputError, MaskwiseError, OutputError
from maskwise.files import TOLD, read_file_texts, sanitize_file
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.streaming import can_stream, sanitize_stream
from maskwise.text import Person

EXAMPLES = """[bold]Examples[/bold]

maskwise sanitize letter.docx --protect "Ana Souza" --out masked/

maskwise sanitize letter.txt --protect "Ana Souza" --policy anonymous --k 50 --fail-over

maskwise sanitize letter.txt --keep Norway --keep @public_names.txt --mask "re:INV-[0-9]+"

cat chat.txt | maskwise sanitize - --policy strict --risk --format json"""


PathsArgument = Annotated[
    list[str],
    typer.Argument(help="Files and folders to read; - reads standard input.", metavar="PATH"),
]
ProtectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--protect", help="Protect the person of this name. Can be repeated.", metavar="NAME"
    ),
]
OutDirOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", help="Write into this folder, not to standard output.", metavar="DIR"
    ),
]
FmtOption = Annotated[Format, typer.Option("--format", "-f", help="Write this format.")]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="List what would be masked and write nothing.")
]
ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Print one reason per entity to standard error.")
]
OcrOption = Annotated[
    bool, typer.Option("--ocr", help="Read scanned pages of PDFs with Tesseract.")
]


def sanitize(
    paths: PathsArgument,
    protect: ProtectOption = None,
    policy: PolicyOption = "balanced",
    keep: KeepOption = None,
    mask: MaskOption = None,
    must_mask: MustMaskOption = None,
    out_dir: OutDirOption = None,
    fmt: FmtOption = Format.text,
    dry_run: DryRunOption = False,
    explain: ExplainOption = False,
    ocr: OcrOption = False,
    domain: DomainOption = None,
    k: CrowdSizeOption = None,
    risk: RiskOption = False,
    population: PopulationOption = None,
    extend: ExtendOption = False,
    known: KnownOption = None,
    further: FurtherOption = False,
    fail_over: FailOverOption = False,
    limit: LimitOption = None,
    scope: ScopeOption = None,
    vault: VaultOption = None,
    key_file: KeyFileOption = None,
    index: IndexOption = None,
    audit: AuditOption = None,
    audit_key: AuditKeyOption = None,
) -> None:
    """Mask the personal information in files, folders or standard input."""
    if audit and dry_run:
        raise InputError(
            "--audit records what is written, and --dry-run writes nothing; leave one out"
        )
    people = name_people(protect or ())
    limited = choose_domain(set_limits(Policy.load(policy), limit or ()), domain)
    adjusted = _turn_on_ocr(limited) if ocr else limited
    watched = choose_crowd(adjusted, k, risk, population, extend, known, further)
    if fail_over and (watched.crowd is None or watched.crowd.k is None):
        raise InputError(
            "--fail-over asks whether K was missed: give --k N, or a policy with a K such as anonymous"
        )
    lists = read_lists(mask, keep, must_mask)
    overridden = override_policy(watched, scope, vault, key_file, index)
    chosen = list_texts(overridden, lists)
    used = collect_run_files(policy, chosen, audit, audit_key) | {
        "a list of texts": list_paths(lists)
    }
    sources, skipped = find_sources(paths, [path for _, path in collect_uses(used)])
    targets: dict[InputFile, Path] = {}
    if out_dir and not dry_run:
        targets = {source: out_dir / _choose_name(source, fmt, chosen) for source in sources}
    inputs = [source.path for source in sources if source.path]
    refuse_run_clashes({"an output": targets.values()}, {"an input": inputs}, used, chosen)
    sanitizer = Sanitizer(chosen)
    for line in describe_skipped(skipped):
        note(line)
    if sanitizer.needs_words:
        _collect_words(sanitizer, sources)
    with open_log(audit, chosen, audit_key) as log:
        run = _FileRun(sanitizer, people, targets, fmt, explain, dry_run, log)
        for source in show_progress(sources, len(sources), "Sanitising"):
            run.mask_source(source)
    note_unseen(overridden, lists, sanitizer)
    if run.printed:
        print_outcomes(run.printed, skipped, fmt, sanitizer)
    if targets and run.failed < len(targets):
        written = len(targets) - run.failed
        note(f"{written} file{'s' if written != 1 else ''} written to {out_dir}")
    if run.failed:
        raise typer.Exit(2)
    if run.told or any(one.is_missed for one in skipped) or (run.missed and fail_over):
        raise typer.Exit(1)


@dataclass
class _FileRun:
    """Masks one file after the other.

    It counts those that fail, those whose K is missed, and those that are written under a name that tells a secret.
    """

    sanitizer: Sanitizer
    people: tuple[Person, ...]
    targets: Mapping[InputFile, Path]
    fmt: Format
    explain: bool
    dry_run: bool
    log: Log | None
    failed: int = 0
    missed: int = 0
    told: int = 0
    printed: list[FileOutcome] = field(default_factory=list)

    def mask_source(self, source: InputFile) -> None:
        """Masks a source and writes it to its target. Outcomes without a target are kept to be printed."""
        if _is_streamed(source, self.targets, self.fmt, self.explain, self.sanitizer):
            target = self.targets[source]
            outcome = _stream_source(self.sanitizer, source, target, self.people, self.log)
        else:
            outcome = self._mask_whole(source)
        _print_notes(outcome)
        self.failed += bool(outcome.error)
        self.missed += outcome.has_missed_k
        is_named = bool(self.targets) or self.fmt is not Format.text
        self.told += is_named and not self.dry_run and TOLD in outcome.notes
        if not self.dry_run and not self.targets:
            self.printed.append(outcome)

    def _mask_whole(self, source: InputFile) -> FileOutcome:
        outcome = _sanitize_source(self.sanitizer, source, self.people, self.log)
        _show_entities(outcome, self.explain, self.dry_run)
        if source not in self.targets:
            return outcome
        return _write_outcome(outcome, self.targets[source], self.fmt, self.sanitizer, self.log)


def name_people(names: Sequence[str]) -> tuple[Person, ...]:
    """The people to protect. A name without a letter would protect nobody in silence, so it is refused."""
    for name in names:
        has_letter = any(map(str.isalnum, name))
        if not has_letter:
            raise InputError(
                "--protect: a name has at least one letter; give one or leave the option out"
            )
    return tuple(map(Person, names))


def _collect_words(sanitizer: Sanitizer, sources: Sequence[InputFile]) -> None:
    """Collect the words of all files, so that no surrogate is the name of somebody in a later file."""
    for source in show_progress(sources, len(sources), "Reading"):
        if source.path is not None:
            with suppress(MaskwiseError):  # the file raises again when its turn comes
                raw = source.read(sanitizer.policy.formats.limits)
                texts = read_file_texts(raw, str(source.name), sanitizer.policy)
                sanitizer.avoid(texts)


def _turn_on_ocr(policy: Policy) -> Policy:
    """The policy with text recognition."""
    raw = policy.model_dump(mode="json")
    raw["formats"]["pdf"]["recognise"] = True
    return Policy.parse(raw, "--ocr")


def _choose_name(source: InputFile, fmt: Format, policy: Policy) -> Path:
    """The name below `--out`. An output of another format adds its ending to the name of the input."""
    if fmt is not Format.text:
        return source.name.with_name(f"{source.name.name}.{fmt}")
    written = io.find_output_suffix(source.suffix, policy.formats.options)
    if written == source.suffix:
        return source.name
    return source.name.with_name(source.name.name + written)


def _sanitize_source(
    sanitizer: Sanitizer, source: InputFile, people: tuple[Person, ...], log: Log | None
) -> FileOutcome:
    """Mask one source and record it in the audit log, before it is written anywhere."""
    try:
        raw = source.read(sanitizer.policy.formats.limits)
        done = sanitize_file(sanitizer, raw, str(source.name), people)
    except MaskwiseError as error:
        if log:
            log.fail()
        return FileOutcome(source, error=str(error))
    if log:
        log.write(done.results)
    return FileOutcome(source, done.results, done.data, done.notes)


def _is_streamed(
    source: InputFile,
    targets: Mapping[InputFile, Path],
    fmt: Format,
    explain: bool,
    sanitizer: Sanitizer,
) -> bool:
    """Whether a source is a table so large that it is masked block by block, from file to file."""
    if source.path is None or source not in targets or fmt is not Format.text or explain:
        return False
    with suppress(OSError):
        return can_stream(source.suffix, source.path.stat().st_size, sanitizer)
    return False


def _stream_source(
    sanitizer: Sanitizer,
    source: InputFile,
    target: Path,
    people: tuple[Person, ...],
    log: Log | None,
) -> FileOutcome:
    """Mask a large table into its place. Nothing is written where a block fails."""
    try:
        assert source.path is not None
        with source.path.open("rb") as opened, io.open_output(target) as sink:
            watch = log.write if log else lambda results: None
            done = sanitize_stream(sanitizer, opened, sink, str(source.name), people, watch)
    except MaskwiseError as error:
        if log:
            log.fail()
        return FileOutcome(source, error=str(error))
    except OSError as error:
        return FileOutcome(source, error=f"{source.name}: cannot be read ({error.strerror})")
    return FileOutcome(source, (), b"", (*done.notes, f"{done.rows:,} rows, in blocks"))


def _write_outcome(
    outcome: FileOutcome, target: Path, fmt: Format, sanitizer: Sanitizer, log: Log | None
) -> FileOutcome:
    """Write an outcome. A failure is the error of this file alone; the other files are written."""
    if outcome.error:
        return outcome
    try:
        io.write_file(target, render_outcome(outcome, fmt, sanitizer))
    except OutputError as error:
        if log:
            log.fail()
        return FileOutcome(outcome.source, error=str(error))
    return outcome


def _show_entities(outcome: FileOutcome, explain: bool, dry_run: bool) -> None:
    """Print the tables that `--explain` and `--dry-run` ask for."""
    if outcome.error:
        return
    if explain:
        show_outcome(outcome, only_masked=False, console=make_error_console())
    if dry_run:
        show_outcome(outcome, only_masked=True, console=make_console())


def _print_notes(outcome: FileOutcome) -> None:
    for text in outcome.notes:
        note(f"{outcome.source.name}: {text}")
    for result in outcome.results:
        if result.language_note:
            note(f"{outcome.source.name}: {result.language_note}")
        for line in result.risk.describe() if result.risk else ():
            note(f"{outcome.source.name}: {line}")
    if outcome.error:
        note(f"error: {outcome.error}")
