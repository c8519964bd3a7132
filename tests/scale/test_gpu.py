"""The encoder of many workers, here on a CPU in single precision: close to the int8 graph, in whatever batch."""

import multiprocessing
import os
import sys
import threading

import numpy as np
import pytest

from maskwise.errors import BundleError, DeviceError
from maskwise.lm import load_model
from maskwise.lm.masked import MaskedLM
from maskwise.scale import device as device_module
from maskwise.scale.device import (
    DevicePool,
    DeviceReader,
    PipeReader,
    WindowEncoder,
    open_pipe,
    serve_windows,
)
from maskwise.scale.gpu import TORCH_CPU, TorchEncoder, find_device, group_rows

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
    """An encoder whose windows another process reads."""
    process = DevicePool(TORCH_CPU)
    pipe = PipeReader()
    pipe.take(process.connect())
    yield WindowEncoder(model.path, model.config, pipe)
    process.close()


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


def test_windows_that_are_asked_for_in_turns_change_nothing(remote, monkeypatch):
    together = remote.encode(TEXTS, OUTPUTS)
    monkeypatch.setattr(device_module, "MOST", 1)
    for one, other in zip(remote.encode(TEXTS, OUTPUTS), together, strict=True):
        for name in OUTPUTS:
            assert np.allclose(one.values[name], other.values[name], atol=2e-3)


def test_gaps_are_filled_as_the_graph_fills_them(model, remote):
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


def test_workers_that_ask_together_get_each_their_own(model):
    """Also where one of them has died with a question on its way."""
    here, there = multiprocessing.Pipe()
    pipes = [open_pipe(here, os.getpid()) for _ in range(3)]
    rows = [[number] * number for number in (1, 2, 3)]
    for pipe, row in zip(pipes, rows, strict=True):
        pipe.send(("small", OUTPUTS, row))
    pipes[1].close()

    class Echo:
        def read(self, path, question, rows):
            return rows

    thread = threading.Thread(target=serve_windows, args=(Echo(), there), daemon=True)
    thread.start()
    assert pipes[0].recv() == [1]
    assert pipes[2].recv() == [3, 3, 3]
    here.close()
    thread.join(60)
    assert not thread.is_alive()


def test_a_failure_names_no_text(model, monkeypatch):
    def fail(self, rows, outputs):
        raise ValueError("Keller")

    monkeypatch.setattr(TorchEncoder, "read", fail)
    encoder = WindowEncoder(model.path, model.config, DeviceReader(TORCH_CPU))
    with pytest.raises(DeviceError, match=r"reading on the GPU failed \(ValueError\)") as caught:
        encoder.encode(["Keller left."], OUTPUTS)
    assert "Keller" not in str(caught.value)


@pytest.mark.parametrize("part", ["tags", "lm_dense"])
def test_values_that_are_no_numbers_are_refused(model, part):
    """They would be below every threshold, and the text would stay."""
    import torch

    reader = DeviceReader(TORCH_CPU)
    encoder = WindowEncoder(model.path, model.config, reader)
    encoder.encode(TEXTS[:1], OUTPUTS)
    with torch.no_grad():
        getattr(reader._networks[str(model.path)]._network, part).bias.fill_(float("nan"))
    with pytest.raises(DeviceError, match="no numbers"):  # noqa: PT012 - either is refused
        encoder.encode(TEXTS[:1], OUTPUTS)
        MaskedLM(encoder).measure_information(TEXTS[0], [(3, 8)], [[0]])


def test_half_an_answer_is_never_taken_for_the_next(model):
    class Interrupted:
        def __init__(self):
            self.is_closed = False

        def send(self, question):
            if self.is_closed:
                raise OSError

        def recv(self):
            raise MemoryError

        def close(self):
            self.is_closed = True

    pipe = PipeReader()
    pipe.take(Interrupted())
    encoder = WindowEncoder(model.path, model.config, pipe)
    with pytest.raises(MemoryError):
        encoder.encode(TEXTS[:1], OUTPUTS)
    with pytest.raises(DeviceError, match="died"):
        encoder.encode(TEXTS[:1], OUTPUTS)


def test_a_model_that_only_onnx_runtime_reads_is_named(tmp_path):
    with pytest.raises(BundleError, match="no GPU can read this model"):
        TorchEncoder(tmp_path, "cpu")
    with pytest.raises(DeviceError, match="no GPU can read this model"):
        DeviceReader(TORCH_CPU).read(str(tmp_path), OUTPUTS, [])


def test_a_device_without_pytorch_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(DeviceError, match="needs PyTorch"):
        find_device("cuda")


@pytest.mark.parametrize(
    ("count", "name", "problem"),
    [
        (0, "cuda", "finds no GPU"),
        (2, "cuda:2", "the last GPU here is cuda:1"),
        (2, "cuda:1", r"cannot be used \(RuntimeError\)"),
    ],
)
def test_a_gpu_that_is_not_there_is_told(monkeypatch, count, name, problem):
    import torch

    def refuse(*_, **__):
        raise RuntimeError

    monkeypatch.setattr(torch.cuda, "is_available", lambda: count > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: count)
    monkeypatch.setattr(torch, "zeros", refuse)
    with pytest.raises(DeviceError, match=problem):
        find_device(name)


def _average(one, other):
    """The mean difference; none for a text without pieces."""
    return np.abs(one - other).mean() if one.size else 0.0
