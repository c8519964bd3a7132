"""Teaches a model that already knows much from a few documents, only as far as documents held out gain by it.

A few documents may make a good model worse. So the documents are cut into folds, each fold is scored by a model that
learnt from the others, and the weights go a share of the way from the start to what was learnt (Wortsman et al. 2022,
"Robust fine-tuning of zero-shot models"). The share with the best mean gain is taken if the gain is larger than its
standard error. Otherwise the model stays what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch

from maskwise.train.data import Example, draw_share
from maskwise.train.model import Network

SHARES = (0.3, 0.6, 1.0)  # of the way from the start to what was learnt
FOLDS = 5

Learn = Callable[[Network, Sequence[Example]], object]
Score = Callable[[Network, Sequence[Example]], float]
Group = Callable[[Example], str]


@dataclass(frozen=True, slots=True)
class Adaptation:
    """How far the weights go, and the mean score of the held-out folds at the start and there."""

    share: float
    before: float
    after: float
    folds: int


def adapt_network(
    start: Network,
    examples: Sequence[Example],
    learn: Learn,
    score: Score,
    *,
    folds: int = FOLDS,
    group: Group = lambda example: example.id,
) -> tuple[Network, Adaptation]:
    """Returns the model after it learnt from the examples, or as it was, and what held-out folds said.

    `learn` trains a model in place. `score` tells how well a model does on examples, the higher the better. Examples
    of one `group` are of one document and are held out together.
    """
    choice = choose_share(start, split_folds(examples, folds, group), learn, score)
    if not choice.share:
        return start, choice
    model = deepcopy(start)
    learn(model, examples)
    return blend_networks(start, model, choice.share), choice


def choose_share(
    start: Network, folds: Sequence[Sequence[Example]], learn: Learn, score: Score
) -> Adaptation:
    """Chooses how far the weights go. 0 where no share is sure to gain, or nothing can be held out."""
    if len(folds) < 2:
        return Adaptation(0.0, 0.0, 0.0, len(folds))
    before = np.array([score(start, fold) for fold in folds])
    after = np.array([_score_shares(start, folds, at, learn, score) for at in range(len(folds))])
    gains = after - before[:, None]
    best = int(gains.mean(0).argmax())
    error = gains[:, best].std(ddof=1) / len(folds) ** 0.5
    is_sure = gains[:, best].mean() > error
    share = SHARES[best] if is_sure else 0.0
    reached = after[:, best] if is_sure else before
    return Adaptation(share, float(before.mean()), float(reached.mean()), len(folds))


def split_folds(
    examples: Sequence[Example], count: int, group: Group = lambda example: example.id
) -> list[list[Example]]:
    """Splits the examples into at most `count` folds. A document alone chooses its place, in every run the same."""
    documents = sorted({group(one) for one in examples}, key=lambda name: (draw_share(name), name))
    place = {name: at % count for at, name in enumerate(documents)}
    found: list[list[Example]] = [[] for _ in range(min(count, len(documents)))]
    for example in examples:
        found[place[group(example)]].append(example)
    return found


def blend_networks(start: Network, learnt: Network, share: float) -> Network:
    """Returns a model whose weights lie a share of the way from `start` to `learnt`."""
    model = deepcopy(start)
    first, last = start.state_dict(), learnt.state_dict()
    mixed = {
        name: torch.lerp(value, last[name], share) if value.is_floating_point() else value
        for name, value in first.items()
    }
    model.load_state_dict(mixed)
    return model.eval()


def _score_shares(
    start: Network, folds: Sequence[Sequence[Example]], held: int, learn: Learn, score: Score
) -> list[float]:
    """Returns the score of each share on one fold, after learning from the others."""
    model = deepcopy(start)
    learn(model, [one for at, fold in enumerate(folds) if at != held for one in fold])
    return [score(blend_networks(start, model, share), folds[held]) for share in SHARES]
