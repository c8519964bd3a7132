"""Model folders: a `config.json` names the files with their SHA-256, which are checked before anything is loaded.

The bundle holds `small`. Models that the user imports live below `MASKWISE_HOME`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from maskwise.errors import BundleError, describe_cause
from maskwise.lm.calibration import Calibration, Match
from maskwise.text import EntityType

FORMAT = 1
CONFIG = "config.json"
TOKENIZER = "tokenizer.json"
MODEL = "model.onnx"
MLM = "mlm.onnx"
LABELS = ("O", *(f"{prefix}-{kind}" for kind in EntityType for prefix in "BI"))
POINTS = ("precision", "balanced", "recall")
MATCHES = ("mean", "partial", "full")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the precision-recall curve: from which probability a span is found, and from which it is masked."""

    detect: float
    mask: float


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The content of `config.json`. `window` and `overlap` count pieces, without the two special ones."""

    name: str
    version: str
    hidden: int
    window: int
    overlap: int
    points: Mapping[str, Point]
    mask: Calibration = field(default_factory=Calibration)
    direct: Calibration = field(default_factory=Calibration)
    entity: Calibration = field(default_factory=Calibration)
    matches: Mapping[str, Match] = field(default_factory=lambda: dict.fromkeys(MATCHES, Match()))
    files: Mapping[str, str] = field(default_factory=dict)
    trained_on: Mapping[str, str] = field(default_factory=dict)

    def find_point(self, recall: str | float) -> Point:
        """Returns a named point, or one between them: 0 is `precision`, .5 is `balanced`, 1 is `recall`."""
        if isinstance(recall, str):
            if recall not in self.points:
                raise BundleError(
                    f"model {self.name}: no point {recall!r}; it has {', '.join(self.points)}, or 0..1"
                )
            return self.points[recall]
        if not 0 <= recall <= 1:
            raise BundleError(f"model {self.name}: recall {recall} is outside 0..1")
        low, middle, high = (self.points[name] for name in POINTS)
        if recall <= 0.5:
            left, right, share = low, middle, recall * 2
        else:
            left, right, share = middle, high, recall * 2 - 1
        return Point(
            left.detect + share * (right.detect - left.detect),
            left.mask + share * (right.mask - left.mask),
        )


def read_config(folder: str | Path) -> ModelConfig:
    """Checks a model folder, every hash included, and returns its configuration."""
    path = Path(folder)
    try:
        raw = json.loads((path / CONFIG).read_text("utf-8"))
        if raw["format"] != FORMAT:
            raise BundleError(f"{path}: model format {raw['format']}, this version reads {FORMAT}")
        if tuple(raw["labels"]) != LABELS:
            raise BundleError(f"{path}: its labels are not the 17 of this version; export it again")
        config = _parse_config(raw)
    except BundleError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(
            f"{path / CONFIG}: no readable model configuration ({describe_cause(error)})"
        ) from error
    _check_files(path, config)
    return config


def _check_files(path: Path, config: ModelConfig) -> None:
    """Raises an error that names the first file without a hash, or whose hash differs."""
    for name in dict.fromkeys((TOKENIZER, MODEL, *config.files)):
        if name not in config.files:
            raise BundleError(
                f"{path}: config.json records no hash of {name}; export the model again"
            )
        if _hash_file(path / name) != config.files[name]:
            raise BundleError(
                f"{path / name}: differs from the recorded SHA-256; import or install the model again"
            )


def _parse_config(raw: Mapping[str, Any]) -> ModelConfig:
    points = {
        name: Point(float(p["detect"]), float(p["mask"])) for name, p in raw["points"].items()
    }
    if missing := [name for name in POINTS if name not in points]:
        raise BundleError(f"model {raw['name']}: points lack {', '.join(missing)}")
    if any(Path(name).name != name for name in raw["files"]):
        raise BundleError(f"model {raw['name']}: files must lie in the model's folder")
    values = raw.get("calibration", {})
    names = ("mask", "direct", "entity")
    calibration = {name: Calibration.parse(values.get(name, {})) for name in names}
    mean = Match.parse({"types": values.get("types", {})})
    own = {name: Match.parse(values[name]) for name in MATCHES if name in values}
    return ModelConfig(
        name=str(raw["name"]),
        version=str(raw["version"]),
        hidden=int(raw["hidden"]),
        window=int(raw["window"]),
        overlap=int(raw["overlap"]),
        points=MappingProxyType(points),
        files=MappingProxyType(dict(raw["files"])),
        trained_on=MappingProxyType(dict(raw.get("trained_on", {}))),
        matches=MappingProxyType(dict.fromkeys(MATCHES, mean) | own),
        **calibration,
    )


def write_config(
    folder: str | Path,
    *,
    name: str,
    version: str,
    hidden: int,
    window: int,
    overlap: int,
    points: Mapping[str, Mapping[str, float]],
    calibration: Mapping[str, Mapping[str, Any]] | None = None,
    notes: Mapping[str, Any] | None = None,
) -> ModelConfig:
    """Writes `config.json` with the hash of every other file of `folder`, and reads it back."""
    path = Path(folder)
    others = [p for p in sorted(path.iterdir()) if p.is_file() and p.name != CONFIG]
    files = {p.name: _hash_file(p) for p in others}
    config = {
        "format": FORMAT,
        "name": name,
        "version": version,
        "labels": list(LABELS),
        "hidden": hidden,
        "window": window,
        "overlap": overlap,
        "calibration": dict(calibration or {}),
        "points": dict(points),
        "files": files,
        **(notes or {}),
    }
    (path / CONFIG).write_text(json.dumps(config, indent=1) + "\n", "utf-8")
    return read_config(path)


def find_home() -> Path:
    """Returns the folder of the user's own models: `MASKWISE_HOME`, else `~/.local/share/maskwise`."""
    return Path(os.environ.get("MASKWISE_HOME") or Path.home() / ".local" / "share" / "maskwise")


def find_bundled() -> Path:
    return Path(__file__).parent.parent / "bundle" / "models"


def list_models() -> dict[str, Path]:
    """Returns the models that can be loaded, with their folders. The user's go before the bundled ones."""
    found: dict[str, Path] = {}
    for root in (find_bundled(), find_home() / "models"):
        for config in sorted(root.glob(f"*/{CONFIG}")):
            found[config.parent.name] = config.parent
    return found


def find_model(name_or_path: str | Path) -> Path:
    """Returns the folder of a model by name, or the path itself if it holds one."""
    known = list_models()
    if str(name_or_path) in known:
        return known[str(name_or_path)].resolve()
    path = Path(name_or_path)
    if (path / CONFIG).is_file():
        return path.resolve()
    names = ", ".join(known) or "none"
    raise BundleError(
        f"no model {str(name_or_path)!r}; installed: {names}; `maskwise models import PATH` adds one"
    )


def install_model(source: str | Path) -> ModelConfig:
    """Copies a checked model folder to the user's models. It replaces a model of the same name."""
    config = read_config(source)
    if not _NAME.fullmatch(config.name):
        raise BundleError(
            f"{source}: model name {config.name!r}; use lower-case letters, digits, '.', '_' and '-'"
        )
    target = find_home() / "models" / config.name
    if target.resolve() == Path(source).resolve():
        return config
    fresh = target.with_name(f".{config.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name in (CONFIG, *config.files):
        shutil.copyfile(Path(source) / name, fresh / name)
    read_config(fresh)
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)
    return config


def _hash_file(path: Path) -> str:
    """Reads the file at once, because each of several blocks would wait for other Python threads."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BundleError(
            f"{path}: cannot be read ({describe_cause(error)}); install the model again"
        ) from error
