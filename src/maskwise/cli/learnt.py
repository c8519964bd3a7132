"""Tells the user that a corpus is one that a model learnt from: scores there say nothing of new texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from maskwise.cli.options import note
from maskwise.errors import BundleError
from maskwise.lm.folder import find_model, list_models, read_config
from maskwise.lm.learnt import is_trained_on


def find_learners(corpus: Path, models: Iterable[str]) -> list[str]:
    """Returns the models, by name and version, that learnt from the corpus."""
    found = []
    for name in dict.fromkeys(models):
        try:
            config = read_config(find_model(name))
        except BundleError:
            continue  # whoever needs the model says what is wrong with it
        if is_trained_on(config, corpus):
            found.append(f"{config.name} {config.version}")
    return found


def warn_of_learners(corpus: Path, models: Iterable[str] | None = None) -> Sequence[str]:
    """Notes which models learnt from the corpus, of those given or of all, and returns them."""
    found = find_learners(corpus, list_models() if models is None else models)
    for name in found:
        note(
            f"warning: model {name} learnt from {corpus.name}; scores of its masks there flatter it"
        )
    return found
