"""The data that a worker gets and gives back: a `MaskingJob` once, one `Task` at a time, one `TaskOutcome` per task.

All three are plain values without text of a document, so that any engine can carry them to any machine.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from maskwise.errors import InputError
from maskwise.policy import Policy

FOLDER = "_maskwise"  # engines and table readers skip names that begin with an underscore
ERROR = "error"  # the column that says why a row has no text
FILE, ROWS = "file", "rows"
CPU = "cpu"
DONE, FAILED, STOPPED = "done", "failed", "stopped"


@dataclass(frozen=True)
class TextColumns:
    """The columns of a table that are read: the one with the text, those that are kept, the one that names a row."""

    text: str
    keep: tuple[str, ...] = ()
    id: str | None = None

    def __post_init__(self) -> None:
        if ERROR in (self.text, self.id, *self.keep):
            raise InputError(
                f"the column {ERROR!r} of the output says why a row has no text; rename yours first"
            )

    @property
    def written(self) -> tuple[str, ...]:
        """The columns of the output before the text, each once."""
        named = (self.id, *self.keep) if self.id else self.keep
        return tuple(dict.fromkeys(name for name in named if name != self.text))

    def fit(self, name: str) -> TextColumns:
        """The columns of one file. Those that folders of a partitioned table name stay in its path.

        >>> TextColumns("text", ("year", "town")).fit("year=2024/part.parquet").keep
        ('town',)
        """
        folders = (folder.partition("=") for folder in name.split("/")[:-1])
        named = {unquote(key) for key, sign, _ in folders if sign}
        return replace(self, keep=tuple(each for each in self.keep if each not in named))


@dataclass(frozen=True)
class MaskingJob:
    """The settings that all workers of a run share: where to read, where to write, and how to mask."""

    source: str
    target: str
    policy: str = field(repr=False)  # as JSON
    protect: tuple[str, ...] = field(default=(), repr=False)
    table: TextColumns | None = None
    device: str = CPU  # on which models read

    def load_policy(self) -> Policy:
        """The policy on one thread: a run has a process per core."""
        raw = json.loads(self.policy)
        return Policy.parse({**raw, "threads": 1}, "batch")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> MaskingJob:
        raw = json.loads(text)
        table = raw.pop("table")
        if table:
            table = TextColumns(table["text"], tuple(table["keep"]), table["id"])
        return cls(**{**raw, "protect": tuple(raw["protect"]), "table": table})


@dataclass(frozen=True)
class Task:
    """One file, or the rows of a table from `start` to `stop`: bytes, or rows of the row group `group` of a Parquet.

    `version` is that of the input when the run was planned.
    """

    number: int
    kind: str
    name: str
    target: str
    size: int
    start: int = 0
    stop: int = 0
    group: int = -1
    version: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class TaskOutcome:
    """The outcome of a task. `errors` holds a row of the output and a reason; reasons hold no text."""

    number: int
    status: str
    reason: str = ""
    input_sha256: str = ""
    output_sha256: str = ""
    output_bytes: int = 0
    documents: int = 0
    characters: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)  # of entities, by "TYPE decision"
    errors: tuple[tuple[int, str], ...] = ()
    gaps: tuple[
        tuple[int, int], ...
    ] = ()  # rows without text: from the first to the one after the last
    notes: tuple[str, ...] = ()  # on what of a file was left out, or still tells somebody

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> TaskOutcome:
        pairs = {key: tuple(map(tuple, raw[key])) for key in ("errors", "gaps")}
        return cls(**{**raw, **pairs, "notes": tuple(raw["notes"])})
