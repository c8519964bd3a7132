"""Training for int8: rounds the encoder's weights as the export does, so that the network learns to live with it.

Gradients pass through the rounding as if it were not there (Jacob et al. 2018).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from maskwise.train.graph import STEPS
from maskwise.train.model import Network


class Rounding(nn.Module):
    """A weight on the grid of its output channels."""

    def forward(self, weight: Tensor) -> Tensor:
        return weight + (round_weights(weight) - weight).detach()


def round_weights(weight: Tensor) -> Tensor:
    """Returns the nearest weights that int8 can write: each row has `STEPS` steps from 0 to its largest magnitude."""
    largest = weight.abs().amax(dim=1, keepdim=True)
    scale = largest.clamp(min=torch.finfo(weight.dtype).tiny) / STEPS
    return torch.round(weight / scale) * scale


@contextmanager
def quantise_weights(model: Network) -> Iterator[Network]:
    """Rounds the weights in every computation inside the block. Afterwards the model has the rounded weights."""
    layers = [module for module in model.encoder.layers.modules() if isinstance(module, nn.Linear)]
    for layer in layers:
        parametrize.register_parametrization(layer, "weight", Rounding())
    try:
        yield model
    finally:
        for layer in layers:
            parametrize.remove_parametrizations(layer, "weight", leave_parametrized=True)
