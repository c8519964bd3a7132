"""A run whose models read on a device, which one process owns: here PyTorch on a CPU, the way of a GPU."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from difflib import SequenceMatcher

import pytest
from batch_letters import NAMES, list_outputs
from test_batch import InProcess

from maskwise.errors import BundleError, DeviceError, InputError, OutputError
from maskwise.lm import load_model
from maskwise.lm.encoder import OnnxEncoder
from maskwise.lm.model import use_encoder
from maskwise.policy import Policy
from maskwise.scale.batch import BatchRun, count_workers, make_engine, run_batch
from maskwise.scale.device import refuse_device
from maskwise.scale.gpu import TORCH_CPU
from maskwise.scale.local import LocalEngine
from maskwise.scale.summary import summarise_run


@pytest.fixture
def batch(letters, tmp_path):
    return BatchRun(str(letters), str(tmp_path / "out"), Policy.load("balanced"), device=TORCH_CPU)


def run(batch, resume=False, watch=None):
    engine = make_engine("local", batch.job, 2)
    with batch.open(resume) as manifest:
        seconds = run_batch(manifest, engine, watch and (lambda *_: watch(engine)))
        return summarise_run(manifest, seconds)


def test_workers_read_on_the_device_and_mask_as_on_cores(batch, tmp_path, monkeypatch):
    on_cores = replace(batch, target=str(tmp_path / "cores"), device="cpu")
    with on_cores.open(False) as manifest:
        run_batch(manifest, InProcess(on_cores.job))

    def refuse(*_):
        raise BundleError("nobody reads here")

    with monkeypatch.context() as patched:
        patched.setattr(OnnxEncoder, "__init__", refuse)
        report = run(batch)
    assert report["documents"] == {"masked": 12, "failed": 0, "left_out": 0}
    assert report["device"].startswith(TORCH_CPU)
    expected, found = list_outputs(tmp_path / "cores"), list_outputs(tmp_path / "out")
    assert found.keys() == expected.keys()
    for name, data in found.items():
        text = data.decode()
        assert not any(part in text for one in NAMES for part in one.split())
        assert "example.org" not in text
        assert SequenceMatcher(None, text, expected[name].decode()).ratio() > 0.9
    assert isinstance(load_model("small").encoder, OnnxEncoder)


def test_a_worker_that_dies_is_replaced_and_reads_on_the_device(batch, monkeypatch):
    real, killed = LocalEngine._receive, []

    def kill_after(self, hand, *more):
        outcome = real(self, hand, *more)
        if len(killed) < 3 and hand.process is not None:
            os.kill(hand.process.pid, signal.SIGKILL)
            hand.process.join()
            killed.append(hand.process.pid)
        return outcome

    monkeypatch.setattr(LocalEngine, "_receive", kill_after)
    assert run(batch)["documents"]["masked"] == 12
    assert len(killed) == 3


def test_a_worker_that_dies_while_it_waits_costs_no_other(batch, monkeypatch):
    """Its question is read, and the answer finds nobody."""
    engine = make_engine("local", batch.job, 2)
    with batch.open(False) as manifest:
        real = LocalEngine._give

        def kill_after(self, hand, *more):
            real(self, hand, *more)
            if not killed and hand.task is not None:
                os.kill(hand.process.pid, signal.SIGKILL)
                killed.append(hand.task.name)

        killed = []
        monkeypatch.setattr(LocalEngine, "_give", kill_after)
        run_batch(manifest, engine)
        assert list(manifest.list_errors()) == []
    assert killed


def test_a_device_process_that_dies_stops_the_run_which_can_go_on(batch, tmp_path):
    def kill(engine):
        os.kill(engine.device.pids[0], signal.SIGKILL)

    with pytest.raises(OutputError, match=r"^the process with the GPU died; .*--resume$"):
        run(batch, watch=kill)
    before = list_outputs(tmp_path / "out")
    assert 0 < len(before) < 12
    assert isinstance(load_model("small").encoder, OnnxEncoder)
    assert run(batch, resume=True)["documents"] == {"masked": 12, "failed": 0, "left_out": 0}
    after = list_outputs(tmp_path / "out")
    assert {name: after[name] for name in before} == before


def test_another_device_is_refused_by_name(batch):
    def stop(engine):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(batch, watch=stop)
    with pytest.raises(InputError, match="began: device;"):
        replace(batch, device="cpu").open(True)
    assert run(batch, resume=True)["documents"]["masked"] == 12


def test_the_process_of_a_device_ends_with_its_parent():
    code = (
        "import time; from maskwise.scale.device import DeviceProcess; "
        "one = DeviceProcess('torch-cpu'); one.expect(); print(one.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    pid = int(parent.stdout.readline())
    watched = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
    parent.kill()
    parent.wait()
    if watched is not None:
        import select

        assert select.select([watched], [], [], 60)[0]
        os.close(watched)


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:x", "cuda:-1", "CUDA", "torch-cpu:1", ""])
def test_a_device_without_a_meaning_is_refused(device):
    with pytest.raises(InputError, match="name cpu, cuda or cuda:NUMBER"):
        refuse_device(device, "local")


def test_an_engine_refuses_a_device_that_it_cannot_use(batch):
    with pytest.raises(InputError, match="--engine spark reads on a CPU"):
        make_engine("spark", replace(batch, device="cuda").job)
    with pytest.raises(InputError, match="--engine ray gives each worker its GPU"):
        make_engine("ray", replace(batch, device="cuda:1").job)


def test_workers_wait_for_a_device_so_there_are_more_of_them():
    assert count_workers("local", "cuda") == 3 * count_workers("local", "cpu")
    assert count_workers("ray", "cuda") == count_workers("ray", "cpu")


def test_a_device_that_is_gone_refuses_new_workers(batch):
    engine = make_engine("local", batch.job, 1)
    os.kill(engine.device.pids[0], signal.SIGKILL)
    engine.device._processes[0]._process.wait()
    with pytest.raises(DeviceError, match="the process with the GPU died"):
        engine.device.connect()
    engine.device.close()


def test_models_that_were_loaded_read_by_another_encoder():
    before = load_model("small")
    chosen = object()

    def choose(path, config):
        assert (path, config.name) == (before.path, before.config.name)
        return chosen

    try:
        use_encoder(choose)
        after = load_model("small")
        assert after.encoder is chosen
        use_encoder(choose)
        assert load_model("small") is after
    finally:
        use_encoder(None)
    assert isinstance(load_model("small").encoder, OnnxEncoder)
