"""Fingerprints of a policy, a model and the code: two runs with the same ones write the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import maskwise
from maskwise.audit.log import describe_model
from maskwise.line import SCOPE_KEY
from maskwise.policy import Policy
from maskwise.scale.tasks import CPU

# Libraries whose version can change a number, and with it a mask.
LIBRARIES = ("maskwise", "numpy", "onnxruntime", "ortools", "phonenumbers", "tokenizers")
_QUOTES = ("protect", "must_mask", "must_keep")  # keys of a policy that quote texts
_SOLVER_QUOTES = ("must_mask", "must_keep")
_LONGEST = 4096
_COST = 1 << 14  # of a guess at a quoted text: about 40 ms


def fingerprint_run(policy: Policy, salt: bytes, protect: tuple[str, ...] = ()) -> dict[str, str]:
    """The fingerprints that `--resume` compares. Names are hashed apart, so that each guess at one costs time."""
    raw = policy.model_dump(mode="json")
    quotes: list[Any] = [list(protect), *(raw.pop(key, []) for key in _QUOTES)]
    quotes += [raw["decide"].pop(key, []) for key in _SOLVER_QUOTES]
    quotes += [os.environ.get(name, "") for name in sorted({SCOPE_KEY, *_list_key_names(raw)})]
    raw.pop("threads")
    files = sorted(_hash_named_files(raw))
    told = json.dumps([raw, files], sort_keys=True)
    secret = json.dumps([quote for quote in quotes if quote]).encode()
    return {
        "policy": hashlib.sha256(told.encode()).hexdigest(),
        "names to protect, texts to mask or secret keys": hashlib.scrypt(
            secret, salt=salt, n=_COST, r=8, p=1, dklen=32
        ).hex(),
        "model": (describe_model(policy) or {}).get("sha256", "none"),
        "code": fingerprint_code(),
    }


@cache
def fingerprint_code() -> str:
    """A hash of every module and data file of the package, and the versions of the libraries that compute."""
    root = Path(maskwise.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    digest.update((root / "bundle" / "manifest.json").read_bytes())
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\n".encode())
    return digest.hexdigest()


def fingerprint_device(device: str) -> str:
    """The device on which models read, with the library that computes there, if this machine has it."""
    if device == CPU:
        return device
    try:
        return f"{device}, torch {version('torch')}"
    except PackageNotFoundError:
        return device


def _list_key_names(value: Any) -> Iterator[str]:
    """The environment variables whose secrets change masks: the options `key` of operators."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "key" and isinstance(inner, str):
                yield inner
            elif name != "vault":
                yield from _list_key_names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_key_names(inner)


def _hash_named_files(raw: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The files and folders that the policy names, with the hash of their content. A vault grows, so it is left out."""
    for text in _list_strings({key: value for key, value in raw.items() if key != "vault"}):
        path = Path(text)
        if len(text) >= _LONGEST or not _is_there(path):
            continue
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        for file in files:
            yield str(file), _hash_file(file)


def _hash_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _is_there(path: Path) -> bool:
    """Whether a text is a path with a folder or an ending: `small` alone is a name of ours, not a file."""
    try:
        return (len(path.parts) > 1 or bool(path.suffix)) and path.exists()
    except (OSError, ValueError):
        return False


def _list_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _list_strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_strings(inner)
