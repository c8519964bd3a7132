"""`maskwise deidentify`: masks documents until their people hide in the crowd of a population."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from maskwise import io
from maskwise.cli.options import (
    JsonOption,
    PolicyOption,
    error_console,
    note,
    output_console,
    progress,
    split_list,
)
from maskwise.cli.paths import Paths, refuse_clashes
from maskwise.cli.terminal import plain_text
from maskwise.errors import InputError, MaskwiseError, OutputError

if TYPE_CHECKING:
    from maskwise.crowd.deidentify import Deidentifier
    from maskwise.result import Result
    from maskwise.sanitizer import Sanitizer

EXAMPLES = """[bold]Examples[/bold]

maskwise deidentify letters.jsonl --population register.jsonl -k 10 -o hidden.jsonl

maskwise deidentify letters.jsonl --population register.csv -k 10 -o hidden.jsonl --model reid --units words"""

BATCH = 16  # documents whose entities are found together
Row = dict[str, Any]


class Way(StrEnum):
    """How the search looks for masks."""

    MASK = "mask"
    SHOW = "show"


class Units(StrEnum):
    """What the search masks as one."""

    ENTITIES = "entities"
    WORDS = "words"


def deidentify(
    documents: Annotated[
        Path,
        typer.Argument(
            help="JSONL with one `text` and the `id` of a profile per row.", metavar="DOCS"
        ),
    ],
    population: Annotated[
        Path,
        typer.Option(
            help="JSONL, CSV or Parquet with the profiles to hide among.",
            metavar="PROFILES",
            show_default=False,
        ),
    ],
    k: Annotated[
        int,
        typer.Option(
            "-k", help="Require K other profiles that are likelier than the true one.", min=1
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--out", "-o", help="Write this JSONL, whole or not at all.", metavar="OUT"),
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Attack with this bi-encoder of `maskwise train reid`. Can be repeated. The default names are "
            "dense, dense-2, and so on.",
            metavar="[NAME=]FOLDER",
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            help="Keep the embeddings of the population in this folder.", metavar="FOLDER"
        ),
    ] = None,
    attackers: Annotated[
        str,
        typer.Option(
            help="Attack with these: bm25, pieces, names of models. The default is bm25 and every model.",
            metavar="A,B",
        ),
    ] = "",
    against: Annotated[
        str,
        typer.Option(
            help="Hide from these attackers, by default from all; the others only judge.",
            metavar="A,B",
        ),
    ] = "",
    units: Annotated[Units, typer.Option(help="Mask whole entities or single words.")] = (
        Units.ENTITIES
    ),
    policy: PolicyOption = "balanced",
    margin: Annotated[
        float, typer.Option(help="Require this distance to the others, in log-odds.", min=0)
    ] = 0.0,
    max_share: Annotated[
        float, typer.Option(help="Mask at most this share of a document's words.", min=0, max=1)
    ] = 1.0,
    way: Annotated[
        Way, typer.Option(help="Mask units one by one, or mask all and show what is harmless.")
    ] = Way.MASK,
    beam: Annotated[
        int,
        typer.Option(help="Keep so many partial solutions with --way mask; 1 is greedy.", min=1),
    ] = 1,
    exchange: Annotated[
        int,
        typer.Option(help="Try so many units that may replace two masks each; slower.", min=0),
    ] = 0,
    id_key: Annotated[
        str, typer.Option(help="Read the profile's id from this key.", metavar="KEY")
    ] = "id",
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a stopped run of the same settings.")
    ] = False,
    fail_over: Annotated[
        bool, typer.Option("--fail-over", help="Exit with code 1 if a document misses K.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Mask each document until K other people of the population are likelier than the true one.

    One row of the output has the masked text, the masks, and the person's rank and probability per attacker, before and
    after. A row says so if its document misses K. An id without a profile is an error, and the exit code is then 2.
    """
    from maskwise.crowd.deidentify import Deidentifier, summarise_rows
    from maskwise.crowd.population import Population
    from maskwise.crowd.rankers import parse_folders, rankers
    from maskwise.crowd.search import Effort, Goal

    if not documents.is_file():
        raise InputError(f"{documents}: no such file")
    names, chosen, models = (
        split_list(attackers),
        tuple(split_list(against)),
        parse_folders(model or []),
    )
    used: dict[str, Paths] = {
        "the documents": documents,
        "the population": population,
        "a model": models.values(),
        "the cache": cache,
    }
    used["the policy"] = _find_policy_file(policy)
    refuse_clashes({"the output": [output, _choose_journal(output)]}, used)
    with error_console().status("reading the population") as status:
        people = Population.load(population, texts=False)

        def show_progress(done: int, of: int) -> None:
            status.update(f"reading the population: {done:,} of {of:,} profiles")

        built = rankers(names, people, models, cache, show_progress)
        goal = Goal(k, margin, max_share)
        effort = Effort(way.value, beam=beam, exchange=exchange)
        hide = Deidentifier(people, built, chosen, goal, effort)
    settings = [
        list(built),
        chosen,
        k,
        margin,
        max_share,
        way,
        beam,
        exchange,
        units,
        policy,
        id_key,
        [[name, str(folder)] for name, folder in models.items()],
        *map(_describe_file, (documents, population)),
    ]
    count = sum(1 for _ in _read_rows(documents, id_key))
    with _Journal(output, settings, resume) as journal:
        left = islice(_read_rows(documents, id_key), len(journal.rows), None)
        work = _hide_documents(hide, left, policy if units is Units.ENTITIES else None)
        for row in progress(work, count - len(journal.rows), "Hiding"):
            journal.add(row)
        journal.finish()
    totals = {"k": k, **summarise_rows(journal.rows)}
    print(json.dumps(totals)) if as_json else _print_totals(totals)
    note(f"{totals['documents']} documents written to {output}")
    if totals["errors"]:
        unknown = sum(row["id"] not in people for row in journal.rows)
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
                yield {"id": id, "error": f"hiding failed: {type(error).__name__}"}


def _find_entities(
    texts: list[str], policy: str | None
) -> Iterable[list[list[tuple[int, int]]] | None]:
    """The spans of each entity's mentions, by the detectors and the linker of a policy."""
    if policy is None:
        return [None] * len(texts)
    return map(_list_spans, _load_sanitizer(policy).run(texts))


def _list_spans(result: Result) -> list[list[tuple[int, int]]]:
    return [[mention.span for mention in entity.mentions] for entity in result.entities]


@lru_cache(maxsize=1)
def _load_sanitizer(policy: str) -> Sanitizer:
    """A sanitiser without indicators: only its detectors and its linker are asked."""
    from maskwise.policy import Policy
    from maskwise.sanitizer import Sanitizer

    bare = Policy.load(policy).model_copy(update={"indicators": ()})
    return Sanitizer(bare)


def _read_rows(path: Path, id_key: str) -> Iterator[tuple[str, str]]:
    from maskwise.crowd.registers import open_text, read_json_rows

    try:
        with open_text(path) as stream:
            for number, row in read_json_rows(path, stream):
                id, text = (
                    (row.get(id_key), row.get("text")) if isinstance(row, Mapping) else (None, None)
                )
                if (
                    isinstance(id, bool)
                    or not isinstance(id, str | int)
                    or not isinstance(text, str)
                ):
                    raise InputError(
                        f"{path}: row {number} needs `{id_key}`, text or a whole number, and `text`"
                    )
                yield str(id).strip(), text
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({type(error).__name__}); expected JSONL in UTF-8"
        ) from None


def _choose_journal(output: Path) -> Path:
    """The file that keeps finished rows. Its name is short, because the name of the output may be very long."""
    return output.with_name(f".{hashlib.sha256(os.fsencode(output.name)).hexdigest()[:16]}.rows")


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
        return [
            json.loads(line) for line in lines[1:] if line.endswith("\n")
        ]  # the last may be half a line


def _format_row(row: Row) -> str:
    return json.dumps(row) + "\n"


def _describe_file(path: Path) -> list[Any]:
    about = path.stat()
    return [path.name, about.st_size, about.st_mtime_ns]


def _print_totals(totals: Mapping[str, Any]) -> None:
    table = Table("attacker", "rank 1 before", "rank 1 after", "median rank after")
    for name, one in totals["attackers"].items():
        ranks = (one["rank_1_before"], one["rank_1_after"])
        table.add_row(plain_text(name), *map(str, ranks), f"{one['median_rank_after']:,.0f}")
    output_console().print(table)
    share = totals["words_masked"] / totals["words"] if totals["words"] else 0.0
    output_console().print(
        f"k = {totals['k']} reached for {totals['reached']} of {totals['documents']} documents, "
        f"{totals['errors']} errors; "
        f"{share:.1%} of the words masked."
    )
