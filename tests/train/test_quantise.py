"""Training with rounded weights: what is learnt is what int8 can write."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from maskwise.train.graph import STEPS  # noqa: E402
from maskwise.train.model import Network, NetworkConfig  # noqa: E402
from maskwise.train.quantise import quantise_weights, round_weights  # noqa: E402


def model() -> Network:
    torch.manual_seed(3)
    return Network(
        NetworkConfig(vocab=40, hidden=16, layers=2, heads=2, inner=32, positions=20), dropout=0.0
    )


def test_rounded_weights_have_few_steps_and_stay_near():
    weight = torch.randn(8, 50)
    near = round_weights(weight)
    scale = weight.abs().amax(dim=1, keepdim=True) / STEPS
    assert torch.allclose(near / scale, torch.round(near / scale), atol=1e-4)
    assert float(((near - weight).abs() / scale).max()) <= 0.5001
    assert torch.allclose(round_weights(near), near, atol=1e-6)


def test_a_row_of_zeros_stays():
    assert torch.equal(round_weights(torch.zeros(2, 3)), torch.zeros(2, 3))


def test_training_moves_weights_through_the_rounding_and_leaves_them_rounded():
    net = model()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    ids, shapes = torch.randint(0, 40, (2, 9)), torch.zeros(2, 9, dtype=torch.long)
    with quantise_weights(net):
        optimiser = torch.optim.SGD(net.parameters(), lr=0.5)
        for _ in range(3):
            net(ids, shapes).tags.square().sum().backward()
            optimiser.step()
            optimiser.zero_grad()
        inside = net(ids, shapes).tags.detach()
    assert set(net.state_dict()) == set(before)
    weight = net.state_dict()["encoder.layers.0.inner.weight"]
    assert not torch.allclose(weight, before["encoder.layers.0.inner.weight"])
    assert torch.allclose(round_weights(weight), weight, atol=1e-6)
    assert np.allclose(net(ids, shapes).tags.detach(), inside, atol=1e-5)
