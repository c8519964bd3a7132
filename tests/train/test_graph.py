from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest
import torch

from maskwise.train import graph
from maskwise.train.model import Network, NetworkConfig

NAMES = ("tags", "mask", "direct", "states")


@pytest.mark.parametrize("buckets", [0, 8])
@pytest.mark.parametrize(("int8", "tolerance"), [(False, 1e-5), (True, 0.12)])
def test_the_graphs_compute_what_the_network_computes(
    tmp_path: Path, buckets: int, int8: bool, tolerance: float
) -> None:
    torch.manual_seed(1)
    model = Network(
        NetworkConfig(
            vocab=50, hidden=32, layers=2, heads=4, inner=64, positions=20, buckets=buckets
        )
    ).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    weights = {name: value.numpy() for name, value in model.state_dict().items()}
    distance = model.encoder.distance.numpy() if buckets else None
    files = graph.write_graphs(weights, tmp_path, heads=4, int8=int8, distance=distance)
    assert {path.name for path in tmp_path.iterdir()} == set(files)

    ids, shapes = torch.randint(0, 50, (2, 12)), torch.randint(0, 8, (2, 12))
    with torch.no_grad():
        expected = model(ids, shapes)
        logits = model.score_vocabulary(expected.states[0])
    feed = {"input_ids": ids.numpy(), "shapes": shapes.numpy()}
    outputs = ort.InferenceSession(tmp_path / graph.MODEL).run(NAMES, feed)
    for name, want, got in zip(NAMES, expected, outputs, strict=True):
        spread = max(1.0, float(want.std()))
        assert np.abs(want.numpy() - got).max() < tolerance * spread, name
    got = ort.InferenceSession(tmp_path / graph.MLM).run(
        ["logits"], {"states": expected.states[0].numpy()}
    )[0]
    assert np.abs(logits.numpy() - got).max() < tolerance * max(1.0, float(logits.std()))


def test_seven_bits_cannot_overflow_sixteen() -> None:
    assert np.iinfo(np.int16).max >= 2 * 255 * graph.STEPS
    assert np.iinfo(np.int16).max >= 2 * 2 * graph.ROW_STEPS * 127


def test_the_int8_vocabulary_head_reads_each_row_alone_and_is_close(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    torch.manual_seed(1)
    model = Network(
        NetworkConfig(vocab=500, hidden=64, layers=1, heads=4, inner=64, positions=20)
    ).eval()
    weights = {name: value.numpy() for name, value in model.state_dict().items()}
    weights["encoder.word.weight"] = rng.normal(size=(500, 64)).astype(np.float32)
    weights["lm_bias"] = rng.normal(size=500).astype(np.float32)
    states = (
        rng.normal(size=(16, 64)).astype(np.float32)
        * np.geomspace(0.1, 100, 16, dtype=np.float32)[:, None]
    )
    states[3] = 0
    logits = []
    for int8 in (False, True):
        graph.write_graphs(weights, tmp_path / str(int8), heads=4, int8=int8)
        session = ort.InferenceSession(tmp_path / str(int8) / graph.MLM)
        logits.append(session.run(["logits"], {"states": states})[0])
        for row in range(len(states)):
            others = np.where(np.arange(16)[:, None] == row, states, 9 * states)
            assert np.array_equal(
                session.run(["logits"], {"states": others})[0][row], logits[-1][row]
            )
    error = logits[1] - logits[0]
    assert error.std() < 0.02 * logits[0].std()
    assert np.abs(error).max() < 0.1 * logits[0].std()
