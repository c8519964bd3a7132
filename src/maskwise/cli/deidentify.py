"""`maskwise deidentify`: masks documents until their people are hidden in the crowd of a population."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from maskwise import io
from maskwise.cli.options import JsonOption, PolicyOption, err, note, out, progress
from maskwise.cli.paths import Paths, refuse_clashes
from maskwise.cli.terminal import plain_text
from maskwise.errors import InputError, MaskwiseError, OutputError

if TYPE_CHECKING:
    from maskwise.crowd.deidentify import Deidentifier

EXAMPLES = """[bold]Examples[/bold]

maskwise deidentify letters.jsonl --population register.jsonl -k 10 -o hidden.jsonl

maskwise deidentify letters.jsonl --population register.parquet -k 10 -o hidden.jsonl --model reid --fail-over

maskwise deidentify letters.jsonl --population register.jsonl -k 10 -o hidden.jsonl --model one=reid1 \\
--model two=reid2 --model judge=reid3 --against bm25,one,two

maskwise deidentify letters.jsonl --population register.csv -k 10 -o hidden.jsonl --units words --resume --json"""

BATCH = 16  # documents whose entities are found together
Row = dict[str, Any]


class Way(StrEnum):
    """How masks are looked for."""

    MASK = "mask"
    SHOW = "show"


class Units(StrEnum):
    """What is masked together."""

    ENTITIES = "entities"
    WORDS = "words"


def deidentify(
    documents: Annotated[
        Path, typer.Argument(help="JSONL with `id` and `text` a row; the id is that of a profile.", metavar="DOCS")
    ],
    population: Annotated[
        Path,
        typer.Option(help="Profiles to hide among: JSONL, CSV or Parquet.", metavar="PROFILES", show_default=False),
    ],
    k: Annotated[int, typer.Option("-k", help="Other profiles that must be likelier than the true one.", min=1)],
    output: Annotated[Path, typer.Option("--out", "-o", help="JSONL to write; whole or not at all.", metavar="OUT")],
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Bi-encoder of `maskwise train reid`, an attacker; may be repeated. Without NAME they are called "
            "dense, dense-2...",
            metavar="[NAME=]FOLDER",
        ),
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Where models keep what they read of the population.", metavar="FOLDER")
    ] = None,
    attackers: Annotated[
        str, typer.Option(help="bm25, pieces, names of models; bm25 and every model by default.", metavar="A,B")
    ] = "",
    against: Annotated[
        str, typer.Option(help="The attackers to hide from, all by default; the others only judge.", metavar="A,B")
    ] = "",
    units: Annotated[Units, typer.Option(help="Mask all mentions of an entity together, or word by word.")] = (
        Units.ENTITIES
    ),
    policy: PolicyOption = "balanced",
    margin: Annotated[float, typer.Option(help="By how much the others must be likelier, in log-odds.", min=0)] = 0.0,
    max_share: Annotated[float, typer.Option(help="Share of a document's words that may go.", min=0, max=1)] = 1.0,
    way: Annotated[Way, typer.Option(help="Mask one by one, or hide all and show what is harmless.")] = Way.MASK,
    beam: Annotated[int, typer.Option(help="Partial solutions to keep with --way mask; 1 is greedy.", min=1)] = 1,
    exchange: Annotated[
        int,
        typer.Option(help="Further units tried in turn, each to let two others be shown: fewer masks, slower.", min=0),
    ] = 0,
    id_key: Annotated[str, typer.Option(help="Key of the profile's id in DOCS.", metavar="KEY")] = "id",
    resume: Annotated[bool, typer.Option("--resume", help="Go on where a run of the same settings stopped.")] = False,
    fail_over: Annotated[
        bool, typer.Option("--fail-over", help="Exit with 1 when k was missed for a document.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Mask each document until at least K other people of the population are likelier to be meant than the true one.

    A row of the output has the masked text, the masks, and the person's rank and probability before and after with each
    attacker. A document that K cannot be reached for is masked as far as it goes and says so; one whose id no profile
    has becomes an error, and the exit code is 2. No row holds clear text that should be hidden.
    """
    from maskwise.crowd.deidentify import Deidentifier, summary
    from maskwise.crowd.population import Population
    from maskwise.crowd.rankers import named, rankers
    from maskwise.crowd.search import Effort, Goal

    if not documents.is_file():
        raise InputError(f"{documents}: no such file")
    names, chosen, models = _list(attackers), tuple(_list(against)), named(model or [])
    used: dict[str, Paths] = {
        "the documents": documents,
        "the population": population,
        "a model": models.values(),
        "the cache": cache,
    }
    refuse_clashes({"the output": [output, _journal_of(output)]}, {**used, "the policy": _policy_file(policy)})
    with err().status("reading the population") as status:
        people = Population.load(population, texts=False)

        def told_of(done: int, of: int) -> None:
            status.update(f"reading the population: {done:,} of {of:,} profiles")

        built = rankers(names, people, models, cache, told_of)
        hide = Deidentifier(
            people, built, chosen, Goal(k, margin, max_share), Effort(way.value, beam=beam, exchange=exchange)
        )
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
        *map(_sized, (documents, population)),
    ]
    count = sum(1 for _ in _rows(documents, id_key))
    with _Journal(output, settings, resume) as journal:
        left = islice(_rows(documents, id_key), len(journal.rows), None)
        work = _hidden(hide, left, policy if units is Units.ENTITIES else None)
        for row in progress(work, count - len(journal.rows), "Hiding"):
            journal.add(row)
        journal.finish()
    told = {"k": k, **summary(journal.rows)}
    print(json.dumps(told)) if as_json else _print(told)
    note(f"{told['documents']} documents written to {output}")
    if told["errors"]:
        unknown = sum(row["id"] not in people for row in journal.rows)
        note(f"error: {told['errors']} documents could not be hidden; {unknown} of them have an id that no profile has")
        raise typer.Exit(2)
    if fail_over and told["reached"] < told["documents"]:
        raise typer.Exit(1)


def _hidden(hide: Deidentifier, rows: Iterator[tuple[str, str]], policy: str | None) -> Iterator[Row]:
    """One row of output a document, in order."""
    while batch := list(islice(rows, BATCH)):
        spans = _entities([text for _, text in batch], policy)
        for (id, text), entities in zip(batch, spans, strict=True):
            try:
                yield hide(id, text, entities).to_json()
            except MaskwiseError as error:
                yield {"id": id, "error": str(error)}
            except Exception as error:  # its message may quote the text
                yield {"id": id, "error": f"hiding failed: {type(error).__name__}"}


def _entities(texts: list[str], policy: str | None) -> Iterable[list[list[tuple[int, int]]] | None]:
    """Spans of each entity's mentions, by the detectors and the linker of a policy."""
    if policy is None:
        return [None] * len(texts)
    found = _sanitizer(policy).run(texts)
    return ([[mention.span for mention in entity.mentions] for entity in result.entities] for result in found)


def _sanitizer(policy: str, known: dict[str, Any] = {}) -> Any:  # noqa: B006 - made once
    from maskwise.policy import Policy
    from maskwise.sanitizer import Sanitizer

    if policy not in known:
        known[policy] = Sanitizer(Policy.load(policy).model_copy(update={"indicators": ()}))
    return known[policy]


def _rows(path: Path, id_key: str) -> Iterator[tuple[str, str]]:
    from maskwise.crowd.registers import json_rows, open_text

    try:
        with open_text(path) as stream:
            for number, row in json_rows(path, stream):
                id, text = (row.get(id_key), row.get("text")) if isinstance(row, Mapping) else (None, None)
                if isinstance(id, bool) or not isinstance(id, str | int) or not isinstance(text, str):
                    raise InputError(f"{path}: row {number} needs `{id_key}`, text or a whole number, and `text`")
                yield str(id).strip(), text
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); expected JSONL in UTF-8") from None


def _journal_of(output: Path) -> Path:
    """Where rows wait: a short name, since the output's may be as long as names can be."""
    return output.with_name(f".{hashlib.sha256(os.fsencode(output.name)).hexdigest()[:16]}.rows")


def _policy_file(policy: str) -> Path | None:
    from maskwise.policy import list_shipped

    return None if policy in list_shipped() else Path(policy)


class _Journal:
    """Rows as they are made, beside the output, until all are there. Its first line says what they were made with."""

    def __init__(self, output: Path, settings: Iterable[Any], resume: bool) -> None:
        self.output, self.path = output, _journal_of(output)
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
        io.write_file(self.output, "".join(_line(row) for row in self.rows).encode())
        self.path.unlink()

    def _write(self, row: Row) -> None:
        assert self._stream
        self._stream.write(_line(row))
        self._stream.flush()

    def _read(self) -> list[Row]:
        if not self.path.exists():
            return []
        lines = self.path.read_text("utf-8").splitlines(keepends=True)
        if not lines or json.loads(lines[0]).get("settings") != self.key:
            raise InputError(f"{self.output}: a run with other settings or files stopped here; run without --resume")
        return [json.loads(line) for line in lines[1:] if line.endswith("\n")]  # the last may be half a line


def _line(row: Row) -> str:
    return json.dumps(row) + "\n"


def _sized(path: Path) -> list[Any]:
    about = path.stat()
    return [path.name, about.st_size, about.st_mtime_ns]


def _print(told: Mapping[str, Any]) -> None:
    table = Table("attacker", "rank 1 before", "rank 1 after", "median rank after")
    for name, one in told["attackers"].items():
        ranks = (one["rank_1_before"], one["rank_1_after"])
        table.add_row(plain_text(name), *map(str, ranks), f"{one['median_rank_after']:,.0f}")
    out().print(table)
    share = told["words_masked"] / told["words"] if told["words"] else 0.0
    out().print(
        f"k = {told['k']} reached for {told['reached']} of {told['documents']} documents, {told['errors']} errors; "
        f"{share:.1%} of the words masked."
    )


def _list(value: str) -> list[str]:
    return [one.strip() for one in value.split(",") if one.strip()]
