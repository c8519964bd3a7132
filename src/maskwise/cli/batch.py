"""`maskwise batch`: masks many documents on the cores of a machine, on Ray or on Spark, and can go on after a stop."""

from __future__ import annotations

import json
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.lists import KeepOption, MaskOption, list_paths, list_texts, read_lists
from maskwise.cli.options import (
    JsonOption,
    KeyFileOption,
    LimitOption,
    PolicyOption,
    ScopeOption,
    VaultOption,
    note,
    override_policy,
    set_limits,
)
from maskwise.cli.paths import collect_run_files, collect_uses
from maskwise.cli.sanitize import name_people
from maskwise.errors import InputError
from maskwise.policy import Policy
from maskwise.scale.batch import PART, BatchRun, TaskEngine, make_engine, run_batch
from maskwise.scale.manifest import PENDING, Manifest
from maskwise.scale.stopping import stop_on_signals
from maskwise.scale.summary import (
    SAMPLE,
    describe_run,
    has_missed,
    summarise_run,
    write_report,
)
from maskwise.scale.tasks import CPU, Task, TaskOutcome, TextColumns

EXAMPLES = """[bold]Examples[/bold]

maskwise batch letters/ -o masked/ --workers 8

maskwise batch 's3://archive/2024/*.jsonl' -o s3://masked/2024 --text body --id key --manifest run.sqlite

maskwise batch letters/ -o masked/ --resume"""
EVERY = 30.0  # seconds between two lines of progress where nobody watches


class EngineChoice(StrEnum):
    local = "local"
    ray = "ray"
    spark = "spark"


SourceArgument = Annotated[
    str, typer.Argument(help="Folder, pattern, file or URL to read.", metavar="SOURCE")
]
TargetOption = Annotated[
    str, typer.Option("--out", "-o", help="Write into this folder or URL.", metavar="DEST")
]
ProtectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--protect", help="Protect the person of this name. Can be repeated.", metavar="NAME"
    ),
]
TextOption = Annotated[
    str | None,
    typer.Option(
        "--text",
        help="Mask this column of tables, row by row.",
        metavar="COLUMN",
    ),
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        help="Write this column as it is. Can be repeated.",
        metavar="COLUMN",
    ),
]
IdColumnOption = Annotated[
    str | None,
    typer.Option("--id", help="Name rows by this column.", metavar="COLUMN"),
]
EngineOption = Annotated[EngineChoice, typer.Option(help="Run here, on Ray or on Spark.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        help="Run N processes; by default one per core, three with a GPU.",
        metavar="N",
        min=1,
        max=4096,
    ),
]
DeviceOption = Annotated[
    str, typer.Option(help="Let models read on cpu, cuda or cuda:NUMBER.", metavar="DEVICE")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with a run that stopped.")]
ManifestOption = Annotated[
    Path | None,
    typer.Option(help="Keep the state in this file, not below DEST.", metavar="FILE"),
]
PartOption = Annotated[
    int,
    typer.Option(
        help="Cut tables into parts of this size.", metavar="BYTES", min=1024, max=1 << 32
    ),
]
SampleOption = Annotated[
    int,
    typer.Option(
        help="Name N documents, drawn at random, for a person to read.",
        metavar="N",
        min=0,
        max=10_000,
    ),
]


def batch(
    source: SourceArgument,
    target: TargetOption,
    policy: PolicyOption = "balanced",
    protect: ProtectOption = None,
    keep: KeepOption = None,
    mask: MaskOption = None,
    text: TextOption = None,
    columns: ColumnsOption = None,
    id_column: IdColumnOption = None,
    engine: EngineOption = EngineChoice.local,
    workers: WorkersOption = None,
    device: DeviceOption = CPU,
    resume: ResumeOption = False,
    manifest: ManifestOption = None,
    part: PartOption = PART,
    sample: SampleOption = SAMPLE,
    scope: ScopeOption = None,
    vault: VaultOption = None,
    key_file: KeyFileOption = None,
    limit: LimitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Mask many documents: folders, patterns, tables and URLs, side by side, with a report at the end."""
    table = _choose_columns(text, columns, id_column)
    limited = set_limits(Policy.load(policy), limit or ())
    lists = read_lists(mask, keep)
    chosen = list_texts(override_policy(limited, scope, vault, key_file, None), lists)
    used = collect_run_files(policy, chosen, None, None) | {"a list of texts": list_paths(lists)}
    aside = [path for _, path in collect_uses(used)]
    names = tuple(person.name for person in name_people(protect or ()))
    asked = BatchRun(source, target, chosen, names, table, part, manifest, tuple(aside), device)
    with stop_on_signals():
        running = make_engine(engine.value, asked.job, workers)
        with asked.open(resume) as opened:
            seconds = _run_opened(opened, running)
            report = summarise_run(opened, seconds, sample)
            written = write_report(opened, report)
    print(json.dumps(report) if as_json else describe_run(report), end="\n" if as_json else "")
    note(f"report written to {written}")
    if has_missed(report):
        raise typer.Exit(1)


def _run_opened(opened: Manifest, engine: TaskEngine) -> float:
    """Runs what is left of a run, and shows how far it is. Returns its seconds."""
    progress = BatchProgress(opened)
    try:
        return run_batch(opened, engine, progress.advance)
    except KeyboardInterrupt:
        note("stopped; nothing is half-written, go on with --resume")
        raise


def _choose_columns(
    text: str | None, columns: list[str] | None, id_column: str | None
) -> TextColumns | None:
    if text is None:
        if columns or id_column:
            raise InputError(
                "--column and --id name columns of tables: name the one with text by --text"
            )
        return None
    return TextColumns(text, tuple(columns or ()), id_column)


class BatchProgress:
    """Lines on standard error: what is done, how fast, and how long the rest will take."""

    def __init__(self, manifest: Manifest) -> None:
        counts = manifest.count()
        self._left, self._bytes = counts.get(PENDING, (0, 0))
        self._documents = self._failed = self._read = 0
        self._begun = self._last = time.perf_counter()
        self._is_watched = sys.stderr.isatty()
        done = sum(count for status, (count, _) in counts.items() if status != PENDING)
        if done:
            note(f"{done:,} tasks are done already, {self._left:,} are left")

    def advance(self, outcome: TaskOutcome, task: Task) -> None:
        self._left -= 1
        self._documents += outcome.documents
        self._failed += len(outcome.errors) + (outcome.status == "failed")
        self._read += task.size
        now = time.perf_counter()
        if now - self._last < (0.5 if self._is_watched else EVERY) and self._left:
            return
        self._last = now
        line = self.describe(now - self._begun)
        if self._is_watched:
            end = "\n" if not self._left else ""
            print(f"\r\x1b[Kmaskwise: {line}", end=end, file=sys.stderr, flush=True)
        elif self._left:
            note(line)

    def describe(self, seconds: float) -> str:
        rate = self._read / max(seconds, 1e-9)
        left = (self._bytes - self._read) / rate if rate else 0.0
        clock = f"{int(left // 3600)}:{int(left % 3600 // 60):02d}:{int(left % 60):02d}"
        share = self._read / self._bytes if self._bytes else 1.0
        failed = f", {self._failed:,} failed" if self._failed else ""
        return f"{self._documents:,} documents{failed}, {share:.0%}, {rate / 1e3:,.1f} kB/s, {clock} left"
