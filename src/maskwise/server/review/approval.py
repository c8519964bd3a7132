"""Approval: the file is written by the writer of its format, checked for leaks, and certified."""

from __future__ import annotations

import hashlib
import json
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
from maskwise.server.review.shown import refuse_shown
from maskwise.server.review.store import StaleVersionError
from maskwise.server.review.turns import SupersededError


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
        places = opened.outlook.shown
        refuse_shown(places)
        authors = {event.author for event in project.store.list_events(number, REVIEW)}
        sender = project.book.read(number).get("sender")
        authors.add(str(sender))
        if project.second and (author in authors or not sender):
            raise InputError("another person than the one who reviewed it must confirm this")
        policy = project.reviser.sanitizer.policy
        masked = tuple(map(MaskedDocument.wrap, opened.outlook.results))
        name = opened.stored.name
        done = write_masked(policy, opened.whole.loaded, name, project.people, masked)
        log = folder / "audit.jsonl"
        with Log.open(log, policy) as chain:
            chain.write(opened.outlook.results)
        certificate = certify(project, number, opened, done, author, risk)
        certificate["shown"] = [one.certify() for one in places if one.override]
        certificate["audit"] = {"log": log.name, "hash": verify_log(log).hash}
        suffix = PurePath(name).suffix
        target = folder / (name if done.suffix == suffix else name + done.suffix)
        io.write_file(target, done.data)
        told = json.dumps(certificate, indent=1, ensure_ascii=False)
        io.write_file(target.with_name(target.name + ".certificate.json"), told.encode())
        project.book.write(number, author, status="done", output=target.name)
    return target


def certify(
    project: ReviewProject,
    number: int,
    opened: OpenDocument,
    done: MaskedFile,
    author: str,
    risk: CrowdRisk | None,
) -> dict[str, Any]:
    """What was approved, by whom, under which policy and model. It holds no text of the document."""
    policy = project.reviser.sanitizer.policy
    decisions = opened.outlook.decisions.values()
    overrides = []
    for decision in decisions:
        if decision.override:
            entity = opened.outlook.entities[decision.entity]
            overrides.append(
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
    return {
        "maskwise": version("maskwise"),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "document": opened.stored.name,
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
        "overrides": overrides,
        "events": len(project.store.list_events(number, REVIEW)),
        "events_sha256": hash_events(project, number),
    }


def hash_events(project: ReviewProject, number: int) -> str:
    """One hash over all events of a review, each chained to the one before."""
    digest = ""
    for event in project.store.list_events(number, REVIEW):
        body = json.dumps([event.seq, event.kind, event.author, event.time, event.body])
        digest = hashlib.sha256((digest + body).encode()).hexdigest()
    return digest
