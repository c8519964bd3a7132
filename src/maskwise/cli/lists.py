"""Lists of texts that a user gives in files: one text per line, or the JSON that `maskwise attack --top` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from maskwise.cli.options import note
from maskwise.errors import InputError
from maskwise.inputs import read_small
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

MustMaskOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--must-mask",
        help="Mask the texts in this file wherever they stand: lines, or JSON of `attack --top`. Can be repeated.",
        metavar="FILE",
    ),
]
Lists = Mapping[Path, Sequence[str]]

KEY = "must_mask"
_LARGEST = 1 << 26  # bytes of a list


def read_lists(paths: Sequence[Path] | None) -> dict[Path, tuple[str, ...]]:
    """The texts of each file, each once."""
    return {path: read_list(path) for path in paths or ()}


def read_list(path: Path) -> tuple[str, ...]:
    """The texts of one file. Its first sign tells JSON from lines."""
    try:
        text = read_small(path, _LARGEST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name}: not UTF-8 at byte {error.start}") from None
    if text.lstrip()[:1] in ("{", "["):
        found = _parse_json(text, path.name)
    else:
        found = [line.strip() for line in text.splitlines()]
    texts = tuple(dict.fromkeys(one for one in found if one))
    for number, one in enumerate(texts, start=1):
        if not any(map(str.isalnum, one)):
            raise InputError(f"{path.name}: text {number} has neither a letter nor a digit")
    return texts


def list_texts(policy: Policy, lists: Lists) -> Policy:
    """The policy with the texts of the lists in its `must_mask`."""
    if not lists:
        return policy
    raw = policy.model_dump(mode="json")
    raw[KEY] = [*raw[KEY], *(text for texts in lists.values() for text in texts)]
    return Policy.parse(raw, "--must-mask")


def note_unseen(lists: Lists, sanitizer: Sanitizer) -> None:
    """Say how many texts of each list stood in no document."""
    unseen = set(sanitizer.unseen)
    for path, texts in lists.items():
        missed = sum(text in unseen for text in texts)
        if not texts:
            note(f"{path.name} lists no text")
        elif missed:
            verb = "is" if missed == 1 else "are"
            note(f"{missed} of {len(texts)} texts of {path.name} {verb} not in any document")


def _parse_json(text: str, source: str) -> list[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{source}: not JSON{line}; write one text per line") from None
    found = value if isinstance(value, list) else list(_collect_texts(value))
    if not all(isinstance(one, str) for one in found):
        raise InputError(f"{source}: a list of texts holds something that is no text")
    if not isinstance(value, list) and not _has_list(value):
        raise InputError(
            f"{source}: no list {KEY!r} in it; write it with `maskwise attack --top N --json`"
        )
    return [one.strip() for one in found]


def _collect_texts(value: Any) -> Iterator[Any]:
    """Every text under a key `must_mask`, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == KEY and isinstance(inner, list):
                yield from inner
            else:
                yield from _collect_texts(inner)


def _has_list(value: Any) -> bool:
    """Whether the JSON is of an attack that listed what gave people away, or holds a list itself."""
    return isinstance(value, dict) and ("clues" in value or isinstance(value.get(KEY), list))
