"""Attackers of a population by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from maskwise.errors import InputError
from maskwise.reid.lexical import ANALYSERS, Lexical
from maskwise.reid.population import Population
from maskwise.reid.ranker import Ranker

DENSE = "dense"
NAMES = (*ANALYSERS, DENSE)


def rankers(names: Sequence[str], population: Population, model: str | Path | None = None) -> dict[str, Ranker]:
    """The named attackers, fitted to a population. `dense` needs a model, a folder of `maskwise train reid`."""
    if unknown := [name for name in names if name not in NAMES]:
        raise InputError(f"no attacker {unknown[0]!r}; there are {', '.join(NAMES)}")
    if not names or len(set(names)) < len(names):
        raise InputError(f"name each attacker once, of {', '.join(NAMES)}")
    if DENSE in names and model is None:
        raise InputError("the dense attacker needs a model: a folder of `maskwise train reid`")
    return {
        name: _dense(population, Path(model or "")) if name == DENSE else Lexical.fit(population, name)
        for name in names
    }


def _dense(population: Population, folder: Path) -> Ranker:
    from maskwise.reid.biencoder import BiEncoder

    return BiEncoder.load(folder, population)
