"""Writes the audit log: a start with versions and hashes, one line per document and per decision, and an end."""

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

from maskwise.audit.chain import END, FIRST, START, link_line, parse_line, read_lines
from maskwise.errors import InputError, OutputError
from maskwise.io.limits import MEGA, Limits
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.text import Entity, Evidence

# Keys of a policy and of its solver that hold texts. The hash of the policy leaves them out, as it does names to
# protect: short texts can be guessed from a hash.
_QUOTES = ("must_mask", "must_keep")


def open_log(
    path: Path | None, policy: Policy, key_file: Path | None = None
) -> AbstractContextManager[Log | None]:
    """Opens the log of a command; yields None if the command has no log."""
    if path is None:
        return nullcontext()
    key = _read_key(key_file) if key_file else b""
    return Log.open(path, policy, key)


def _read_key(path: Path) -> bytes:
    """The key in a file. An empty key would leave the HMACs out in silence, so it is refused."""
    key = Limits(file=MEGA).read_file(path, str(path)).strip()
    if not key:
        raise InputError(f"{path}: the key of the audit log is empty")
    return key


class Log:
    """An open log. It writes each line before it makes the next, so an interruption costs half a line.

    It holds no text, no name of a file and no replacement. With a `key` it holds the HMAC-SHA-256 of each masked text,
    so that whoever has the key can look a string up.
    """

    def __init__(self, file: BinaryIO, previous: str, policy: Policy, key: bytes = b"") -> None:
        self._file, self._previous, self._policy, self._key = file, previous, policy, key
        self._lines = self._documents = self._decisions = self._failed = 0

    @classmethod
    @contextmanager
    def open(cls, path: Path, policy: Policy, key: bytes = b"") -> Iterator[Log]:
        """Begin a run at the end of a new or existing log. The run ends with the block, unless the block raises."""
        with _open_to_append(path) as file:
            _lock_file(file, path)
            previous, cut = _resume_chain(file, path)
            log = cls(file, previous, policy, key)
            log._begin_run(cut)
            yield log
            log._end_run()

    def write(self, results: Iterable[Result]) -> None:
        """Record the results of one file, before its output is written."""
        for result in results:
            self._documents += 1
            self._append_line("document", **self._describe_document(result))
            about = _group_by_entity(result.evidence)
            for entity in result.findings:
                self._decisions += 1
                described = self._describe_decision(result, entity, about.get(entity.id, ()))
                self._append_line("decision", **described)

    def fail(self) -> None:
        """Record a file that has no output because it could not be masked or written."""
        self._failed += 1
        self._append_line("failed")

    def _begin_run(self, cut: str) -> None:
        fields: dict[str, Any] = {
            "maskwise": version("maskwise"),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "policy": {"name": self._policy.name, "sha256": hash_policy(self._policy)},
            "model": describe_model(self._policy),
        }
        if cut:
            fields["cut"] = cut
        self._append_line(START, **fields)

    def _end_run(self) -> None:
        counts = {
            "documents": self._documents,
            "decisions": self._decisions,
            "failed": self._failed,
        }
        self._append_line(END, lines=self._lines + 1, **counts)
        with _report_failures(self._file.name):
            os.fsync(self._file.fileno())

    def _append_line(self, kind: str, **fields: Any) -> None:
        line, self._previous = link_line({"kind": kind, **fields}, self._previous)
        with _report_failures(self._file.name):
            _append_bytes(self._file, line)
        self._lines += 1

    def _describe_document(self, result: Result) -> dict[str, Any]:
        named = {"name_hmac": self._hash_text(result.document.id)} if self._key else {}
        return {
            "document": self._documents,
            **named,
            "masked_sha256": _compute_sha256(result.text),
            "characters": result.coverage.characters,
            "read": dict(result.coverage.read),
            "risk": _describe_risk(result),
            "optimal": result.plan.optimal,
            "decisions": len(result.findings),
        }

    def _describe_decision(
        self, result: Result, entity: Entity, evidence: Iterable[Evidence]
    ) -> dict[str, Any]:
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
            "operator": self._policy.find_operator(entity.type).kind if decision.masked else None,
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


def _describe_risk(result: Result) -> dict[str, Any]:
    """The measured risk without the name of the crowd, which may be the name of a file."""
    told: dict[str, Any] = result.to_json()["risk"]
    return {key: value for key, value in told.items() if key != "crowd"}


def _describe_evidence(item: Evidence) -> dict[str, Any]:
    """The numbers of a piece of evidence, without its sentence, which may quote the text."""
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
    """Name and version of the policy's model, and the hash of its configuration, which has the hashes of all files."""
    from maskwise.lm import folder

    if not any(
        "model" in policy.collect_options(part) for part in (*policy.detectors, *policy.indicators)
    ):
        return None
    path = folder.find_model(policy.model)
    digest = hashlib.sha256((path / folder.CONFIG).read_bytes()).hexdigest()
    return {"name": path.name, "version": folder.read_config(path).version, "sha256": digest}


def hash_policy(policy: Policy) -> str:
    """The hash of the policy without names of people and quotations."""
    dumped = policy.model_dump(mode="json", exclude={"protect", *_QUOTES})
    for key in _QUOTES:
        dumped["decide"].pop(key, None)
    return _compute_sha256(json.dumps(dumped, sort_keys=True))


def _compute_sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _lock_file(file: BinaryIO, path: Path) -> None:
    """Lock the log, where the system can: two runs at a time would break the chain."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise OutputError(
            f"{path}: another run is writing this audit log; give each its own"
        ) from None


@contextmanager
def _report_failures(path: Path | str) -> Iterator[None]:
    """Turn a failure of the system into one line that names the log."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None


@contextmanager
def _open_to_append(path: Path) -> Iterator[BinaryIO]:
    """Open the log without a buffer: a buffer that cannot be written fails again when the file is closed."""
    with _report_failures(path):
        if path.exists() and not path.is_file():
            raise OutputError(f"{path}: is no audit log; choose another file")
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b", buffering=0)  # noqa: SIM115 - closed below
    with file:
        yield file


def _resume_chain(file: BinaryIO, path: Path) -> tuple[str, str]:
    """Returns the hash of the last whole line and of a half line after it. Ends the half line."""
    previous = FIRST
    cut = ""
    ended = True
    with _report_failures(path), open(path, "rb") as lines:
        for number, raw in enumerate(read_lines(lines), 1):
            ended = raw.endswith(b"\n")
            found = parse_line(raw).get("hash") if ended else None
            if isinstance(found, str):
                previous = found
                cut = ""
            elif number == 1:
                raise OutputError(f"{path}: is no audit log; choose another file")
            else:
                cut = hashlib.sha256(raw.rstrip(b"\n")).hexdigest()
        if not ended:
            _append_bytes(file, b"\n")
    return previous, cut


def _append_bytes(file: BinaryIO, data: bytes) -> None:
    """Write all of the data. A file without a buffer may take one part at a time."""
    while data:
        data = data[file.write(data) :]
