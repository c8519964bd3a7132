"""`maskwise deidentify`: masks documents until their people hide in the crowd of a population."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import typer
from rich.table import Table

from maskwise import io
from maskwise.cli.deidentify_options import (
    AgainstOption,
    AttackersOption,
    BeamOption,
    CacheOption,
    CrowdOption,
    DocumentsArgument,
    ExchangeOption,
    FailOption,
    IdOption,
    MarginOption,
    ModelOption,
    OutOption,
    PopulationOption,
    ResumeOption,
    ShareOption,
    Units,
    UnitsOption,
    Way,
    WayOption,
)
from maskwise.cli.options import (
    JsonOption,
    PolicyOption,
    make_console,
    make_error_console,
    note,
    show_progress,
    split_list,
)
from maskwise.cli.paths import Paths, refuse_clashes
from maskwise.cli.terminal import make_plain
from maskwise.errors import InputError, MaskwiseError, OutputError, describe_cause

if TYPE_CHECKING:
    from maskwise.crowd.deidentify import Deidentifier
    from maskwise.sanitizer import Sanitizer
    from maskwise.text import Entity

EXAMPLES = """[bold]Examples[/bold]

maskwise deidentify letters.jsonl --population register.jsonl -k 10 -o hidden.jsonl

maskwise deidentify letters.jsonl --population register.csv -k 10 -o hidden.jsonl --model reid --units words"""

BATCH = 16  # documents whose entities are found together
Row = dict[str, Any]


def deidentify(
    documents: DocumentsArgument,
    population: PopulationOption,
    k: CrowdOption,
    output: OutOption,
    model: ModelOption = None,
    cache: CacheOption = None,
    attackers: AttackersOption = "",
    against: AgainstOption = "",
    units: UnitsOption = Units.ENTITIES,
    policy: PolicyOption = "balanced",
    margin: MarginOption = 0.0,
    max_share: ShareOption = 1.0,
    way: WayOption = Way.MASK,
    beam: BeamOption = 1,
    exchange: ExchangeOption = 0,
    id_key: IdOption = "id",
    resume: ResumeOption = False,
    fail_over: FailOption = False,
    as_json: JsonOption = False,
) -> None:
    """Mask each document until K other people of the population are likelier than the true one.

    One row of the output has the masked text, the masks, and the person's rank and probability per attacker, before and
    after. A row says so if its document misses K. An id without a profile is an error, and the exit code is then 2.
    """
    from maskwise.crowd.rankers import parse_folders

    models = parse_folders(model or [])
    _check_files(documents, population, models, cache, policy, output)
    search = (k, margin, max_share, way, beam, exchange)
    hide = _build_deidentifier(population, attackers, models, cache, against, *search)
    folders = [[name, str(folder)] for name, folder in models.items()]
    about = [_describe_file(path) for path in (documents, population)]
    settings = [list(hide.attackers), hide.against, *search, units, policy, id_key, folders, *about]
    with _Journal(output, settings, resume) as journal:
        _fill_journal(journal, hide, documents, id_key, None if units is Units.WORDS else policy)
    _report_outcome(journal.rows, hide, output, fail_over, as_json)


def _check_files(
    documents: Path,
    population: Path,
    models: Mapping[str, Path],
    cache: Path | None,
    policy: str,
    output: Path,
) -> None:
    """Refuse missing documents, and an output that would overwrite a file that the run reads."""
    if not documents.is_file():
        raise InputError(f"{documents}: no such file")
    used: dict[str, Paths] = {
        "the documents": documents,
        "the population": population,
        "a model": models.values(),
        "the cache": cache,
        "the policy": _find_policy_file(policy),
    }
    refuse_clashes({"the output": [output, _choose_journal(output)]}, used)


def _build_deidentifier(
    population: Path,
    attackers: str,
    models: Mapping[str, Path],
    cache: Path | None,
    against: str,
    k: int,
    margin: float,
    max_share: float,
    way: Way,
    beam: int,
    exchange: int,
) -> Deidentifier:
    """Read the population and fit the attackers to it."""
    from maskwise.crowd.deidentify import Deidentifier
    from maskwise.crowd.population import Population
    from maskwise.crowd.rankers import fit_rankers
    from maskwise.crowd.search import Effort, Goal

    with make_error_console().status("reading the population") as status:
        people = Population.load(population, texts=False)

        def update_status(done: int, of: int) -> None:
            status.update(f"reading the population: {done:,} of {of:,} profiles")

        built = fit_rankers(split_list(attackers), people, models, cache, update_status)
        goal = Goal(k, margin, max_share)
        effort = Effort(way.value, beam=beam, exchange=exchange)
        return Deidentifier(people, built, tuple(split_list(against)), goal, effort)


def _fill_journal(
    journal: _Journal, hide: Deidentifier, documents: Path, id_key: str, policy: str | None
) -> None:
    """Hide the documents that the journal does not have yet, then write the output."""
    count = sum(1 for _ in _read_rows(documents, id_key))
    done = len(journal.rows)
    left = islice(_read_rows(documents, id_key), done, None)
    for row in show_progress(_hide_documents(hide, left, policy), count - done, "Hiding"):
        journal.add(row)
    journal.finish()


def _report_outcome(
    rows: list[Row], hide: Deidentifier, output: Path, fail_over: bool, as_json: bool
) -> None:
    """Print the totals. Exit with 2 if a document could not be hidden, with 1 if one misses K and that counts."""
    from maskwise.crowd.deidentify import summarise_rows

    totals = {"k": hide.goal.k, **summarise_rows(rows)}
    if as_json:
        print(json.dumps(totals))
    else:
        _print_totals(totals)
    note(f"{totals['documents']} documents written to {output}")
    if totals["errors"]:
        unknown = sum(row["id"] not in hide.population for row in rows)
        failed = f"{totals['errors']} documents could not be hidden"
        note(f"error: {failed}; {unknown} of them have an id that no profile has")
        raise typer.Exit(2)
    if fail_over and totals["reached"] < totals["documents"]:
        raise typer.Exit(1)


def _hide_documents(
    hide: Deidentifier, rows: Iterator[tuple[str, str]], policy: str | None
) -> Iterator[Row]:
    """Yields one row of output per document, in order."""
    while batch := list(islice(rows, BATCH)):
        spans = _find_entities([text for _, text in batch], policy)
        for (id, text), entities in zip(batch, spans, strict=True):
            try:
                yield hide(id, text, entities).to_json()
            except MaskwiseError as error:
                yield {"id": id, "error": str(error)}
            except Exception as error:  # its message may quote the text
                yield {"id": id, "error": f"hiding failed: {describe_cause(error)}"}


def _find_entities(
    texts: list[str], policy: str | None
) -> Iterable[list[list[tuple[int, int]]] | None]:
    """Return the spans of each entity's mentions, by the detectors and the linker of a policy."""
    if policy is None:
        return [None] * len(texts)
    results = _load_sanitizer(policy).run(texts)
    return ([_list_spans(entity) for entity in result.entities] for result in results)


def _list_spans(entity: Entity) -> list[tuple[int, int]]:
    return [mention.span for mention in entity.mentions]


@lru_cache(maxsize=1)
def _load_sanitizer(policy: str) -> Sanitizer:
    """Load a sanitiser without indicators, because only its detectors and its linker are asked."""
    from maskwise.policy import Policy
    from maskwise.sanitizer import Sanitizer

    bare = Policy.load(policy).model_copy(update={"indicators": ()})
    return Sanitizer(bare)


def _read_rows(path: Path, id_key: str) -> Iterator[tuple[str, str]]:
    from maskwise.crowd.registers import open_text, read_json_rows

    try:
        with open_text(path) as stream:
            for number, row in read_json_rows(path, stream):
                found = row if isinstance(row, Mapping) else {}
                id, text = found.get(id_key), found.get("text")
                is_id = isinstance(id, str | int) and not isinstance(id, bool)
                if not is_id or not isinstance(text, str):
                    raise InputError(
                        f"{path}: row {number} needs `{id_key}`, text or a whole number, and `text`"
                    )
                yield str(id).strip(), text
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({describe_cause(error)}); expected JSONL in UTF-8"
        ) from None


def _choose_journal(output: Path) -> Path:
    """Return the file for finished rows. Its name is short, because the name of the output may be very long."""
    digest = hashlib.sha256(os.fsencode(output.name)).hexdigest()
    return output.with_name(f".{digest[:16]}.rows")


def _find_policy_file(policy: str) -> Path | None:
    from maskwise.policy import list_shipped

    return None if policy in list_shipped() else Path(policy)


class _Journal:
    """The finished rows, in a file beside the output, until all are there. Its first line identifies the settings."""

    def __init__(self, output: Path, settings: Iterable[Any], resume: bool) -> None:
        self.output, self.path = output, _choose_journal(output)
        self.key = hashlib.sha256(json.dumps(list(settings)).encode()).hexdigest()
        self.rows: list[Row] = self._read() if resume else []
        self._stream: IO[str] | None = None

    def __enter__(self) -> _Journal:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("w", encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written ({error.strerror})") from None
        print(json.dumps({"settings": self.key}), file=self._stream)
        for row in self.rows:
            self._write(row)
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream:
            self._stream.close()

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self._write(row)

    def finish(self) -> None:
        io.write_file(self.output, "".join(_format_row(row) for row in self.rows).encode())
        self.path.unlink()

    def _write(self, row: Row) -> None:
        assert self._stream
        self._stream.write(_format_row(row))
        self._stream.flush()

    def _read(self) -> list[Row]:
        if not self.path.exists():
            return []
        lines = self.path.read_text("utf-8").splitlines(keepends=True)
        if not lines or json.loads(lines[0]).get("settings") != self.key:
            raise InputError(
                f"{self.output}: a run with other settings or files stopped here; run without --resume"
            )
        whole = [line for line in lines[1:] if line.endswith("\n")]  # the last may be half a line
        return [json.loads(line) for line in whole]


def _format_row(row: Row) -> str:
    return json.dumps(row) + "\n"


def _describe_file(path: Path) -> list[Any]:
    about = path.stat()
    return [path.name, about.st_size, about.st_mtime_ns]


def _print_totals(totals: Mapping[str, Any]) -> None:
    table = Table("attacker", "rank 1 before", "rank 1 after", "median rank after")
    for name, one in totals["attackers"].items():
        ranks = (one["rank_1_before"], one["rank_1_after"])
        table.add_row(make_plain(name), *map(str, ranks), f"{one['median_rank_after']:,.0f}")
    make_console().print(table)
    share = totals["words_masked"] / totals["words"] if totals["words"] else 0.0
    make_console().print(
        f"k = {totals['k']} reached for {totals['reached']} of {totals['documents']} documents, "
        f"{totals['errors']} errors; "
        f"{share:.1%} of the words masked."
    )
