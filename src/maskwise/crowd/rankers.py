"""Attackers that are chosen by name and fitted to a population."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from maskwise.crowd.lexical import ANALYSERS, Lexical
from maskwise.crowd.population import Population
from maskwise.crowd.ranker import Ranker
from maskwise.errors import InputError

DENSE = "dense"
Folders = Mapping[str, str | Path]  # of bi-encoders, by the name of the attacker


def parse_folders(given: Sequence[str]) -> dict[str, Path]:
    """Folders of models by name, from `FOLDER` or `NAME=FOLDER`; without a name they are `dense`, `dense-2` and so on.

    >>> {name: folder.name for name, folder in parse_folders(["reid", "late=other", "third"]).items()}
    {'dense': 'reid', 'late': 'other', 'dense-3': 'third'}
    """
    found: dict[str, Path] = {}
    for number, one in enumerate(given, 1):
        name, sign, folder = one.partition("=")
        if not sign or Path(one).exists():  # a folder's own name may hold the sign
            name, folder = (DENSE if number == 1 else f"{DENSE}-{number}"), one
        name = name.strip()
        if not name or "," in name:
            raise InputError(
                f"--model: {name!r} is no name for an attacker; write NAME=FOLDER, NAME without commas"
            )
        if name in found or name in ANALYSERS:
            raise InputError(
                f"--model: two attackers are called {name!r}; give each its own name: NAME=FOLDER"
            )
        found[name] = Path(folder)
    return found


def fit_rankers(
    names: Sequence[str],
    population: Population,
    models: Folders | None = None,
    cache: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Ranker]:
    """The named attackers, fitted to a population; by default `bm25` and every one of `models`.

    Models are folders of `maskwise train reid`. Each reads every profile once, reports that to `progress` and keeps the
    result in the folder `cache`. Lexical attackers come first, because they are cheap to ask.
    """
    from maskwise.crowd.biencoder import BiEncoder

    folders = models or {}
    chosen = list(names) or ["bm25", *folders]
    _check_names(chosen, folders)
    # All models are loaded before anything is fitted, so that a broken one is refused early.
    loaded = {name: BiEncoder.load(folders[name]) for name in chosen if name in folders}
    found: dict[str, Ranker] = {}
    for name in chosen:
        if name in ANALYSERS:
            found[name] = Lexical.fit(population, name)
    for name, model in loaded.items():
        found[name] = model.fit(population, cache=cache, progress=progress)
    return found


def _check_names(chosen: Sequence[str], folders: Folders) -> None:
    """Refuses names that no attacker has, and names that occur twice."""
    known = [*ANALYSERS, *folders]
    for name in chosen:
        if name == DENSE and DENSE not in folders:
            raise InputError("the dense attacker needs a model: a folder of `maskwise train reid`")
        if name not in known:
            raise InputError(f"no attacker {name!r}; there are {', '.join(known)}")
    if len(set(chosen)) < len(chosen):
        raise InputError(f"name each attacker once, of {', '.join(known)}")
