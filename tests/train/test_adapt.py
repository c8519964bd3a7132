"""A model learns from a few documents only as far as documents held out gain."""

from __future__ import annotations

import torch

from maskwise.train.adapt import adapt_network, blend_networks, split_folds
from maskwise.train.data import Example
from maskwise.train.model import Network, NetworkConfig

EXAMPLES = [Example(f"letter {number}", "Ada sang.") for number in range(10)]


def build_network() -> Network:
    torch.manual_seed(0)
    return Network(NetworkConfig(vocab=20, hidden=8, layers=1, heads=2, inner=8, positions=16))


def read_bias(model: Network) -> float:
    return float(next(model.parameters()).flatten()[0])


def learn(model: Network, examples: object) -> None:
    with torch.no_grad():
        next(model.parameters()).add_(1.0)


def test_a_model_that_would_be_worse_stays_as_it_was():
    start = build_network()
    model, choice = adapt_network(start, EXAMPLES, learn, lambda m, _: -read_bias(m))
    assert model is start
    assert choice.share == 0


def test_a_model_that_gains_takes_the_whole_step():
    start = build_network()
    model, choice = adapt_network(start, EXAMPLES, learn, lambda m, _: read_bias(m))
    assert choice.share == 1
    assert read_bias(model) == read_bias(start) + 1
    assert choice.after > choice.before


def test_one_document_teaches_nothing():
    start = build_network()
    model, choice = adapt_network(start, EXAMPLES[:1], learn, lambda m, _: read_bias(m))
    assert model is start
    assert choice.folds == 1


def test_passages_of_one_document_are_held_out_together():
    folds = split_folds(EXAMPLES, 5, lambda one: str(int(one.id.split()[1]) % 2))
    assert sorted(map(len, folds)) == [5, 5]


def test_weights_lie_between_start_and_what_was_learnt():
    start, learnt = build_network(), build_network()
    learn(learnt, ())
    middle = read_bias(blend_networks(start, learnt, 0.5))
    assert abs(middle - read_bias(start) - 0.5) < 1e-6
