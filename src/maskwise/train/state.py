"""Keeps the state of a training run in one file: tensors, and a record of everything else. It is replaced whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

FILE = "state.safetensors"


def write_state(
    folder: str | Path, tensors: Mapping[str, Tensor], record: Mapping[str, Any]
) -> None:
    """Replaces the state in a run's folder. A run that is stopped meanwhile leaves the previous one."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    # The tensors are cloned, because no two tensors of a file may share their memory.
    plain = {name: value.detach().cpu().clone() for name, value in tensors.items()}
    save_file(plain, target / "state.part", metadata={"record": json.dumps(record)})
    (target / "state.part").replace(target / FILE)


def read_state(folder: str | Path) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
    """Returns the tensors and the record of a run that was stopped; None if none has begun."""
    path = Path(folder) / FILE
    if not path.exists():
        return None
    with safe_open(path, "pt") as file:
        record: dict[str, Any] = json.loads(file.metadata()["record"])
        names = list(file.keys())
        tensors = {name: file.get_tensor(name) for name in names}
    return tensors, record


def select_prefix(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Returns the tensors whose names begin with a prefix, without it."""
    found: dict[str, Tensor] = {}
    for name, value in tensors.items():
        if name.startswith(prefix):
            found[name.removeprefix(prefix)] = value
    return found


def add_prefix(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {prefix + name: value for name, value in tensors.items()}


def collect_optimiser(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Returns the optimiser's state of every parameter, by name."""
    found: dict[str, Tensor] = {}
    for index, values in optimiser.state_dict()["state"].items():
        found |= add_prefix(f"{index}.", values)
    return found


def load_optimiser(optimiser: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        index, part = name.split(".")
        state.setdefault(int(index), {})[part] = value
    optimiser.load_state_dict({**optimiser.state_dict(), "state": state})
