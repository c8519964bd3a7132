"""The report of a run: what was masked, what failed, how long it took, and which documents a person should look at."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from maskwise import io
from maskwise.files import TOLD
from maskwise.scale.corpus import describe_bound, draw_lot
from maskwise.scale.manifest import PENDING, Manifest
from maskwise.scale.tasks import DONE, FAILED, FOLDER
from maskwise.text.escapes import escape_controls

SAMPLE = 20
SHOWN = 20  # errors in the report; all are in errors.jsonl


def summarise_run(manifest: Manifest, seconds: float, sample: int = SAMPLE) -> dict[str, Any]:
    """The report as JSON. It names files and rows, and holds no text."""
    counts = manifest.count()
    errors = list(_take(manifest.list_errors(), SHOWN))
    total = sum(1 for _ in manifest.list_errors())
    left_out = json.loads(manifest.get("left out") or "{}")
    told = manifest.sum_up()
    masked = told["documents"]
    return {
        "documents": {
            "masked": masked,
            "failed": total,
            "left_out": sum(map(len, left_out.values())),
        },
        "tasks": {status: counts.get(status, (0, 0))[0] for status in (DONE, FAILED, PENDING)},
        "characters": told["characters"],
        "output_bytes": told["output_bytes"],
        "entities": told["entities"],
        "seconds": round(seconds, 3),
        "worker_seconds": round(told["worker_seconds"], 3),
        "errors": errors,
        "left_out": {why: names[:SHOWN] for why, names in left_out.items()},
        "notes": _summarise_notes(manifest),
        "sample": draw_sample(manifest, sample),
        "policy": manifest.get("policy"),
        "model": manifest.get("model"),
        "code": manifest.get("code"),
        "device": manifest.get("device"),
    }


def _summarise_notes(manifest: Manifest) -> dict[str, dict[str, Any]]:
    """By note: the number of files, and the first of them."""
    found: dict[str, dict[str, Any]] = {}
    for name, note in manifest.list_notes():
        told = found.setdefault(note, {"files": 0, "names": []})
        told["files"] += 1
        if len(told["names"]) < SHOWN:
            told["names"].append(name)
    return found


def has_missed(report: dict[str, Any]) -> bool:
    """Whether a document that somebody asked for has no output, or one whose name tells what is masked in it."""
    documents, tasks = report["documents"], report["tasks"]
    is_missing = documents["failed"] or documents["left_out"] or tasks[PENDING]
    return bool(is_missing or TOLD in report["notes"])


def draw_sample(manifest: Manifest, size: int) -> list[dict[str, Any]]:
    """Documents for a person to look at, drawn by hashes: the same ones whatever the order of work."""
    documents = ({"output": target, "row": row} for target, row in manifest.list_documents())
    return heapq.nsmallest(size, documents, key=draw_lot)


def describe_run(report: dict[str, Any]) -> str:
    """The report in a few lines."""
    documents = report["documents"]
    seconds = max(report["seconds"], 1e-9)
    lines = [
        f"{documents['masked']:,} documents masked, {documents['failed']:,} failed, "
        f"{documents['left_out']:,} left out",
        f"{report['characters']:,} characters in {report['seconds']:,.1f} s "
        f"({report['characters'] / seconds:,.0f} per second)",
    ]
    lines += [f"{what}: {count:,}" for what, count in report["entities"].items()]
    for one in report["errors"]:
        where = one["name"] if one["row"] is None else f"{one['name']}, row {one['row']}"
        told = one["reason"].removeprefix(f"{one['name']}: ")
        lines.append(f"failed: {where}: {told}")
    for why, names in report["left_out"].items():
        lines.append(f"left out ({why}): {', '.join(names)}")
    for note, told in report["notes"].items():
        lines.append(f"{note} ({told['files']:,} files): {', '.join(told['names'])}")
    if report["sample"]:
        claim = describe_bound(len(report["sample"]), 0)
        lines.append(
            f"read these {len(report['sample'])}: if you find no missed direct identifier, {claim}:"
        )
    for one in report["sample"]:
        lines.append(f"  {one['output']}" + ("" if one["row"] is None else f", row {one['row']}"))
    return "\n".join(map(escape_controls, lines)) + "\n"


def write_report(manifest: Manifest, report: dict[str, Any]) -> Path:
    """Write the report beside the manifest, as JSON and as text, with all errors in a file of their own.

    In another folder than that of runs the names begin with that of the manifest: there may be other reports.
    """
    path = manifest.path
    start = "" if path.parent.name == FOLDER else f"{path.stem}."
    written = path.with_name(f"{start}report.json")
    io.write_file(written, (json.dumps(report, indent=1) + "\n").encode())
    io.write_file(path.with_name(f"{start}report.txt"), describe_run(report).encode())
    lines = (json.dumps(error) + "\n" for error in manifest.list_errors())
    io.write_file(path.with_name(f"{start}errors.jsonl"), "".join(lines).encode())
    return written


def _take(items: Iterator[Any], count: int) -> Iterator[Any]:
    for _, item in zip(range(count), items, strict=False):
        yield item
