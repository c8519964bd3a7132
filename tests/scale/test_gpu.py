"""The encoder of many workers, here on a CPU in single precision: close to the int8 graph, in whatever batch."""

import multiprocessing
import threading

import numpy as np
import pytest

from maskwise.lm import load_model
from maskwise.scale.gpu import RemoteEncoder, TorchEncoder, group_rows, serve_encoder

TEXTS = [
    "Mr Bruno Keller was born in Graz on 3 May 1971.",
    "The office answered. " * 120 + "Ms Ana Souza signed it.",
    "Nothing.",
    "",
]
OUTPUTS = ("tags", "mask", "direct")


@pytest.fixture(scope="module")
def model():
    return load_model("small")


@pytest.fixture(scope="module")
def remote(model):
    here, there = multiprocessing.Pipe()
    encoder = TorchEncoder(model.path, "cpu", half=False)
    thread = threading.Thread(target=serve_encoder, args=(encoder, [there]), daemon=True)
    thread.start()
    yield RemoteEncoder(model.path, here, model.config)
    here.close()
    thread.join(60)
    assert not thread.is_alive()


def test_probabilities_are_close_to_those_of_the_int8_graph(model, remote):
    expected = model.encoder.encode(TEXTS, OUTPUTS)
    for one, other in zip(remote.encode(TEXTS, OUTPUTS), expected, strict=True):
        assert np.array_equal(one.pieces.ids, other.pieces.ids)
        for name in OUTPUTS:
            assert one.values[name].shape == other.values[name].shape
            assert _average(one.values[name], other.values[name]) < 0.05


def test_a_batch_changes_no_row_by_more_than_rounding(remote):
    together = remote.encode(TEXTS, OUTPUTS)
    for text, one in zip(TEXTS, together, strict=True):
        [alone] = remote.encode([text], OUTPUTS)
        for name in OUTPUTS:
            assert np.allclose(one.values[name], alone.values[name], atol=2e-3)


def test_gaps_are_filled_as_the_graph_fills_them(model, remote):
    from maskwise.lm.masked import MaskedLM

    text = TEXTS[0]
    spans = [(text.index("Graz"), text.index("Graz") + 4)]
    expected = model.masked.measure_information(text, spans, [[0]])
    assert np.allclose(MaskedLM(remote).measure_information(text, spans, [[0]]), expected, atol=1.5)


def test_rows_are_grouped_by_length_and_none_is_lost():
    lengths = [3, 250, 17, 254, 254, 90, 1, 30] * 40
    groups = list(group_rows(lengths, 2048))
    assert sorted(row for group in groups for row in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) * (max(lengths[row] for row in group) + 33) <= 2048 + 33 * len(group)


def test_a_failure_names_no_text(model):
    class Broken:
        def read(self, rows, outputs):
            raise ValueError("Keller")

    here, there = multiprocessing.Pipe()
    threading.Thread(target=serve_encoder, args=(Broken(), [there]), daemon=True).start()
    with pytest.raises(Exception, match="ValueError") as caught:
        RemoteEncoder(model.path, here, model.config).encode(["Keller left."], OUTPUTS)
    assert "Keller" not in str(caught.value)
    here.close()


def _average(one, other):
    """The mean difference; none for a text without pieces."""
    return np.abs(one - other).mean() if one.size else 0.0
