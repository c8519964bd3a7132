"""Writes the audit log: a start with versions and hashes, a line a document and a decision, an end with their count."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from maskwise.audit.chain import END, FIRST, START, link, parse_line, read_lines
from maskwise.errors import InputError, OutputError
from maskwise.io.limits import MEGA, Limits
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.text import Entity, Evidence

# What a policy may quote of a text or a person; its hash does without, since short texts can be guessed from a hash.
_QUOTES = ("must_mask", "must_keep")  # options of a solver that hold text


def open_log(path: Path | None, policy: Policy, key_file: Path | None = None) -> AbstractContextManager[Log | None]:
    """The log of a command, or nothing where none was asked for."""
    if path is None:
        return nullcontext()
    return Log.open(path, policy, _read_key(key_file) if key_file else b"")


def _read_key(path: Path) -> bytes:
    """The key in a file. An empty one would leave the log without what the key is for, and say nothing."""
    key = Limits(file=MEGA).read_file(path, str(path)).strip()
    if not key:
        raise InputError(f"{path}: the key of the audit log is empty")
    return key


class Log:
    """An open log. Each line is on its way to the disk before the next is made, so an interruption costs half a line.

    Texts, names of files and replacements are left out. With a `key`, what was masked is recorded as HMAC-SHA-256,
    so that who has the key can look a string up.
    """

    def __init__(self, file: BinaryIO, previous: str, policy: Policy, key: bytes = b"") -> None:
        self._file, self._previous, self._policy, self._key = file, previous, policy, key
        self._lines = self._documents = self._decisions = self._failed = 0

    @classmethod
    @contextmanager
    def open(cls, path: Path, policy: Policy, key: bytes = b"") -> Iterator[Log]:
        """Begin a run at the end of a new or existing log; it ends with the block, unless that raises."""
        with _open_to_append(path) as file:
            _lock(file, path)
            previous, cut = _resume(file, path)
            log = cls(file, previous, policy, key)
            log._begin(cut)
            yield log
            log._end()

    def write(self, results: Iterable[Result]) -> None:
        """Record the results of one file, before its output is written."""
        for result in results:
            self._documents += 1
            self._append_line("document", **self._describe_document(result))
            about = _group_by_entity(result.evidence)
            for entity in result.entities:
                self._decisions += 1
                self._append_line("decision", **self._describe_decision(result, entity, about.get(entity.id, ())))

    def fail(self) -> None:
        """Record a file that could not be masked or written, and so has no output."""
        self._failed += 1
        self._append_line("failed")

    def _begin(self, cut: str) -> None:
        dumped = self._policy.model_dump(mode="json", exclude={"protect"})
        dumped["decide"] = {key: value for key, value in dumped["decide"].items() if key not in _QUOTES}
        self._append_line(
            START,
            maskwise=version("maskwise"),
            time=datetime.now(UTC).isoformat(timespec="seconds"),
            policy={"name": self._policy.name, "sha256": _sha256(json.dumps(dumped, sort_keys=True))},
            model=describe_model(self._policy),
            **({"cut": cut} if cut else {}),
        )

    def _end(self) -> None:
        counts = {"documents": self._documents, "decisions": self._decisions, "failed": self._failed}
        self._append_line(END, lines=self._lines + 1, **counts)
        with _report_failures(self._file.name):
            os.fsync(self._file.fileno())

    def _append_line(self, kind: str, **fields: Any) -> None:
        line, self._previous = link({"kind": kind, **fields}, self._previous)
        with _report_failures(self._file.name):
            _append(self._file, line)
        self._lines += 1

    def _describe_document(self, result: Result) -> dict[str, Any]:
        named = {"name_hmac": self._hash_text(result.document.id)} if self._key else {}
        return {
            "document": self._documents,
            **named,
            "masked_sha256": _sha256(result.text),
            "characters": result.coverage.characters,
            "read": dict(result.coverage.read),
            "risk": {"before": result.risk.before, "after": result.risk.after},
            "optimal": result.plan.optimal,
            "decisions": len(result.entities),
        }

    def _describe_decision(self, result: Result, entity: Entity, evidence: Iterable[Evidence]) -> dict[str, Any]:
        decision = result.plan.by_entity[entity.id]
        hashed = decision.masked and self._key
        return {
            "document": self._documents,
            "entity": entity.id,
            "type": entity.type.value,
            "subtypes": sorted(entity.subtypes),
            "identifier": decision.identifier.value,
            "protected": entity.protected,
            "mentions": [list(m.span) for m in entity.mentions],
            "sources": sorted({m.source for m in entity.mentions}),
            "confidence": entity.score,
            "action": decision.action.value,
            "operator": self._policy.operator_for(entity.type).kind if decision.masked else None,
            "surrogate": entity.id in result.rendering.surrogates,
            "coarser": entity.id in result.rendering.coarser,
            "level": decision.level,
            "information": decision.information,
            "lost": decision.lost,
            "evidence": [_describe_evidence(item) for item in evidence],
            **({"hmac": [self._hash_text(m.text) for m in entity.mentions]} if hashed else {}),
        }

    def _hash_text(self, text: str) -> str:
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), "sha256").hexdigest()


def _describe_evidence(item: Evidence) -> dict[str, Any]:
    """The numbers of a reason; its sentence may quote the text."""
    return {
        "indicator": item.indicator,
        "score": item.score,
        "threshold": item.threshold,
        "risky": item.risky,
        "together": len(item.entities),
    }


def _group_by_entity(evidence: Iterable[Evidence]) -> Mapping[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for item in evidence:
        for member in item.entities:
            found.setdefault(member, []).append(item)
    return found


def describe_model(policy: Policy) -> dict[str, str] | None:
    """Name, version and hash of the configuration (which has the hashes of all files) of the policy's model."""
    from maskwise.lm import folder

    if not any("model" in policy.options(part) for part in (*policy.detectors, *policy.indicators)):
        return None
    path = folder.find(policy.model)
    digest = hashlib.sha256((path / folder.CONFIG).read_bytes()).hexdigest()
    return {"name": path.name, "version": folder.read(path).version, "sha256": digest}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _lock(file: BinaryIO, path: Path) -> None:
    """One run at a time, where the system can say so: two would break each other's chain."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise OutputError(f"{path}: another run is writing this audit log; give each its own") from None


@contextmanager
def _report_failures(path: Path | str) -> Iterator[None]:
    """Failures of the system in one line that names the log."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None


@contextmanager
def _open_to_append(path: Path) -> Iterator[BinaryIO]:
    """The log, without a buffer: one that could not be written would fail again when the file is closed."""
    with _report_failures(path):
        if path.exists() and not path.is_file():
            raise OutputError(f"{path}: is no audit log; choose another file")
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b", buffering=0)  # noqa: SIM115 - closed below
    with file:
        yield file


def _resume(file: BinaryIO, path: Path) -> tuple[str, str]:
    """Hash of the last whole line, and of a half line after it, which is ended so that the next begins anew."""
    previous, cut, ended = FIRST, "", True
    with _report_failures(path), open(path, "rb") as lines:
        for number, raw in enumerate(read_lines(lines), 1):
            ended = raw.endswith(b"\n")
            found = parse_line(raw).get("hash") if ended else None
            if isinstance(found, str):
                previous, cut = found, ""
            elif number == 1:
                raise OutputError(f"{path}: is no audit log; choose another file")
            else:
                cut = hashlib.sha256(raw.rstrip(b"\n")).hexdigest()
        if not ended:
            _append(file, b"\n")
    return previous, cut


def _append(file: BinaryIO, data: bytes) -> None:
    """Write all of it; a file without a buffer may take a part at a time."""
    while data:
        data = data[file.write(data) :]
