"""Approval: the file is written by the writer of its format, checked for leaks, and certified."""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path, PurePath
from typing import Any

from maskwise import io
from maskwise.audit import Log, verify_log
from maskwise.audit.log import describe_model, hash_policy
from maskwise.crowd.measured import CrowdRisk
from maskwise.errors import InputError
from maskwise.files import MaskedFile, write_masked
from maskwise.long import MaskedDocument
from maskwise.server.review.project import REVIEW, OpenDocument, ReviewProject, describe_risk
from maskwise.server.review.shown import find_told, refuse_shown, refuse_told
from maskwise.server.review.status import TO_CONFIRM
from maskwise.server.review.store import StaleVersionError
from maskwise.server.review.turns import SupersededError

AUDIT = "audit.jsonl"
CERTIFICATE = ".certificate.json"  # the name of a certificate is that of its file and this


def approve_document(
    project: ReviewProject, number: int, version: int, author: str, folder: Path
) -> Path:
    """Write the approved file and its certificate into a folder. A leak refuses both.

    `version` is what the author saw; `StaleVersionError` where it is not the last.
    """
    opened = project.open(number)
    try:
        measured, change, risk = project.measure_risk(number)
    except SupersededError:
        raise StaleVersionError from None
    with opened.lock:
        if change is not None or not measured == version == opened.version:
            raise StaleVersionError
        refuse_shown(opened.outlook.shown)
        refuse_told(opened.outlook.state, opened.outlook.entities, opened.outlook.decisions)
        _expect_second_reader(project, number, author)
        target = _write_approval(project, number, author, risk, folder)
        project.book.write(number, author, status="done", output=target.name)
    return target


def _expect_second_reader(project: ReviewProject, number: int, author: str) -> None:
    """Who sent a document to be confirmed does not approve it, nor who edited it since the sending before that.

    Two people who correct each other are enough so: each edit is seen by the other, who sends or approves it.
    """
    if not project.needs_second:
        return
    told = project.book.read(number)
    since = project.book.find_sending(number, back=2)
    edits = project.store.list_events(number, REVIEW, after=since)
    authors = {event.author for event in edits}
    if told["status"] != TO_CONFIRM or author in {*authors, told["sender"]}:
        raise InputError("another person than the one who reviewed it must confirm this")


def _write_approval(
    project: ReviewProject, number: int, author: str, risk: CrowdRisk | None, folder: Path
) -> Path:
    """Write the file, its certificate and the lines of the audit log. Returns the path of the file."""
    opened = project.open(number)
    policy = project.reviser.sanitizer.policy
    masked = tuple(map(MaskedDocument.wrap, opened.outlook.results))
    name = opened.stored.name
    done = write_masked(policy, opened.whole.loaded, name, project.people, masked)
    target = folder / name_output(number, opened)
    if done.suffix != target.suffix:
        target = target.with_name(target.name + done.suffix)
    refuse_original(target, done.data, opened.stored.sha256)
    log = folder / AUDIT
    with Log.open(log, policy) as chain:
        chain.write(opened.outlook.results)
    certificate = certify(project, number, opened, done, author, risk)
    certificate["shown"] = [one.certify() for one in opened.outlook.shown if one.override]
    certificate["audit"] = {"log": log.name, "hash": verify_log(log).hash}
    told = json.dumps(certificate, indent=1, ensure_ascii=False)
    write_both(target, done.data, told.encode())
    return target


def name_output(number: int, opened: OpenDocument) -> str:
    """The name of a document outside of the page: its number, where its own name tells whom it masks."""
    outlook, name = opened.outlook, opened.stored.name
    if find_told([name], outlook.entities, outlook.decisions):
        return f"document-{number}{PurePath(name).suffix}"
    return name


def refuse_original(target: Path, data: bytes, sha256: str) -> None:
    """Refuse to write over the document itself, where the folder of its original is the one of approved files."""
    there = target.read_bytes() if target.is_file() else data
    if there != data and hashlib.sha256(there).hexdigest() == sha256:
        raise InputError(
            "the approved file would overwrite the document; start again with another --out"
        )


def write_both(target: Path, data: bytes, certificate: bytes) -> None:
    """Write a file and its certificate beside it, or neither."""
    beside = target.with_name(target.name + CERTIFICATE)
    with io.open_output(target) as file, io.open_output(beside) as paper:
        for stream, raw in ((file, data), (paper, certificate)):
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())


def certify(
    project: ReviewProject,
    number: int,
    opened: OpenDocument,
    done: MaskedFile,
    author: str,
    risk: CrowdRisk | None,
) -> dict[str, Any]:
    """The record of an approval: its content, author, policy and model. It holds no text of the document."""
    policy = project.reviser.sanitizer.policy
    decisions = opened.outlook.decisions.values()
    return {
        "maskwise": version("maskwise"),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "document": name_output(number, opened),
        "original_sha256": opened.stored.sha256,
        "approved_sha256": hashlib.sha256(done.data).hexdigest(),
        "approved_by": author,
        "policy": {"name": policy.name, "sha256": hash_policy(policy)},
        "model": describe_model(policy),
        "leak_check": policy.formats.leak_check,
        "entities": len(opened.outlook.decisions),
        "masked": sum(decision.masked for decision in decisions),
        "information_kept": round(opened.outlook.kept, 4),
        "risk": describe_risk(risk),
        "overrides": list_overrides(opened),
        "events": len(project.store.list_events(number, REVIEW)),
        "events_sha256": hash_events(project, number),
    }


def list_overrides(opened: OpenDocument) -> list[dict[str, Any]]:
    """The decisions of people that differ from the policy's, with their names and reasons."""
    found = []
    for decision in opened.outlook.decisions.values():
        if decision.override is None:
            continue
        entity = opened.outlook.entities[decision.entity]
        found.append(
            {
                "entity": decision.entity,
                "type": entity.type.value,
                "action": decision.action.value,
                "level": decision.level,
                "mentions": [list(mention.span) for mention in entity.mentions],
                "author": decision.override.author,
                "reason": decision.override.reason,
            }
        )
    return found


def hash_events(project: ReviewProject, number: int) -> str:
    """One hash over all events of a review, each chained to the one before."""
    digest = ""
    for event in project.store.list_events(number, REVIEW):
        body = json.dumps([event.seq, event.kind, event.author, event.time, event.body])
        digest = hashlib.sha256((digest + body).encode()).hexdigest()
    return digest
