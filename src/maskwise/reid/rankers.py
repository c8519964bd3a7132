"""Attackers of a population by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from maskwise.errors import InputError
from maskwise.reid.lexical import ANALYSERS, Lexical
from maskwise.reid.population import Population
from maskwise.reid.ranker import Ranker

DENSE = "dense"
NAMES = (*ANALYSERS, DENSE)


def rankers(
    names: Sequence[str],
    population: Population,
    model: str | Path | None = None,
    cache: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Ranker]:
    """The named attackers, fitted to a population; by default `bm25`, and `dense` where there is a model.

    `dense` needs a model, a folder of `maskwise train reid`. It reads every profile once, which `progress` hears of and
    `cache`, a folder, remembers.
    """
    chosen = list(names) or ["bm25", *([DENSE] if model else [])]
    if unknown := [name for name in chosen if name not in NAMES]:
        raise InputError(f"no attacker {unknown[0]!r}; there are {', '.join(NAMES)}")
    if len(set(chosen)) < len(chosen):
        raise InputError(f"name each attacker once, of {', '.join(NAMES)}")
    if DENSE in chosen and model is None:
        raise InputError("the dense attacker needs a model: a folder of `maskwise train reid`")
    found: dict[str, Ranker] = {name: Lexical.fit(population, name) for name in chosen if name != DENSE}
    if DENSE in chosen and model is not None:
        from maskwise.reid.biencoder import BiEncoder

        found[DENSE] = BiEncoder.load(model).fit(population, cache=cache, progress=progress)
    return found
