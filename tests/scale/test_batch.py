"""Batches: the same bytes as the command for one file, whatever the workers, and after any stop."""

import gc
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from batch_letters import list_outputs, write_letter

from maskwise.errors import InputError, OutputError, PolicyError
from maskwise.files import sanitize_file
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.scale.batch import BatchRun, make_engine, run_batch
from maskwise.scale.spark import PARTITIONS, WAVE, WAVE_BYTES, take_wave
from maskwise.scale.summary import describe_run, has_missed, summarise_run, write_report
from maskwise.scale.tasks import DONE, FAILED, FILE, Task, TaskOutcome, TextColumns
from maskwise.scale.worker import Worker, start_worker


class InProcess:
    """An engine without processes, which can stop after some tasks."""

    def __init__(self, job, stop_after=None, shuffle=None):
        self.worker, self.stop_after, self.shuffle = Worker(job), stop_after, shuffle

    def run(self, tasks):
        tasks = list(tasks)
        if self.shuffle is not None:
            random.Random(self.shuffle).shuffle(tasks)
        for done, task in enumerate(tasks):
            if done == self.stop_after:
                return
            yield self.worker.run(task)


def run(batch, resume=False, **engine):
    with batch.open(resume) as manifest:
        seconds = run_batch(manifest, InProcess(batch.job, **engine))
        return summarise_run(manifest, seconds)


def test_files_are_those_of_sanitize(letters, tmp_path, rules):
    report = run(BatchRun(str(letters), str(tmp_path / "out"), rules))
    sanitizer = Sanitizer(rules)
    expected = {
        path.relative_to(letters).as_posix(): sanitize_file(
            sanitizer, path.read_bytes(), path.relative_to(letters).as_posix()
        ).data
        for path in letters.rglob("*.txt")
    }
    assert list_outputs(tmp_path / "out") == expected
    assert report["documents"] == {"masked": 12, "failed": 0, "left_out": 0}
    assert not has_missed(report)
    assert report["entities"]["PERSON suppress"] >= 12


def test_workers_and_order_change_nothing(letters, tmp_path, rules):
    batches = [BatchRun(str(letters), str(tmp_path / name), rules) for name in "abc"]
    with batches[0].open(False) as manifest:
        run_batch(manifest, make_engine("local", batches[0].job, 2))
    run(batches[1])
    run(batches[2], shuffle=5)
    first, *others = (list_outputs(tmp_path / name) for name in "abc")
    assert len(first) == 12
    assert all(other == first for other in others)


@pytest.mark.parametrize("stop_after", [0, 1, 7, 11])
def test_a_run_goes_on_where_it_stopped(letters, tmp_path, rules, stop_after):
    whole, broken = (BatchRun(str(letters), str(tmp_path / name), rules) for name in ("a", "b"))
    run(whole)
    assert run(broken, stop_after=stop_after)["tasks"]["pending"] == 12 - stop_after
    with broken.open(True) as manifest:
        assert sum(1 for _ in manifest.list_pending()) == 12 - stop_after
    assert run(broken, resume=True)["documents"]["masked"] == 12
    assert list_outputs(tmp_path / "a") == list_outputs(tmp_path / "b")


def test_the_time_of_a_run_is_that_of_all_its_parts(letters, tmp_path, rules):
    """And a run with nothing left starts no worker."""
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    first = run(batch, stop_after=5)["seconds"]
    whole = run(batch, resume=True)["seconds"]
    assert whole > first > 0
    with batch.open(True) as manifest:
        assert round(run_batch(manifest, None), 3) == whole


def test_a_changed_or_missing_output_is_written_again(letters, tmp_path, rules):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    run(batch)
    expected = list_outputs(tmp_path / "out")
    (tmp_path / "out/box0/letter0.txt").write_text("changed")
    (tmp_path / "out/box1/letter1.txt").unlink()
    (tmp_path / "out/box1/.left.part").write_text("half")
    run(batch, resume=True)
    assert list_outputs(tmp_path / "out") == expected


def test_other_settings_are_refused_by_name(letters, tmp_path, rules, monkeypatch):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    run(batch, stop_after=3)
    with pytest.raises(InputError, match="a run has been here"):
        batch.open(False)
    other = Policy.parse({**rules.model_dump(mode="json"), "operator": {"kind": "label"}})
    with pytest.raises(InputError, match="began: policy;"):
        replace(batch, policy=other).open(True)
    with pytest.raises(InputError, match="began: names to protect"):
        replace(batch, protect=("Ana Souza",)).open(True)
    monkeypatch.setattr("maskwise.scale.fingerprints.fingerprint_code", lambda: "another")
    with pytest.raises(InputError, match="began: code;"):
        batch.open(True)


def test_a_report_takes_no_place_of_another(letters, tmp_path, rules):
    """Manifests may lie side by side, among files of the user."""
    (tmp_path / "report.json").write_text("a report of somebody else")
    written = set()
    for name in ("first", "second"):
        path = tmp_path / f"{name}.sqlite"
        with BatchRun(str(letters), str(tmp_path / name), rules, manifest=path).open(False) as run:
            written.add(write_report(run, summarise_run(run, 1.0)).name)
    assert written == {"first.report.json", "second.report.json"}
    assert (tmp_path / "report.json").read_text() == "a report of somebody else"


def test_the_manifest_holds_no_name(letters, tmp_path, rules):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules, protect=("Ana Souza",))
    with batch.open(False) as manifest:
        run_batch(manifest, InProcess(batch.job))
        write_report(manifest, summarise_run(manifest, 1.0))
    for path in (tmp_path / "out/_maskwise").iterdir():
        assert b"Souza" not in path.read_bytes()
        assert b"Keller" not in path.read_bytes()


def test_a_poison_document_is_an_error_without_text(letters, tmp_path, rules):
    (letters / "secret.docx").write_bytes(b"Ana Souza is no package")
    (letters / "notes.unknown").write_text("Ana Souza")
    report = run(BatchRun(str(letters), str(tmp_path / "out"), rules))
    assert report["documents"] == {"masked": 12, "failed": 1, "left_out": 1}
    assert has_missed(report)
    [error] = report["errors"]
    assert error["name"] == "secret.docx"
    assert "Souza" not in describe_run(report) + json.dumps(report)
    assert "secret.docx" not in list_outputs(tmp_path / "out")


def test_a_worker_that_dies_costs_its_task_alone(letters, tmp_path, rules, monkeypatch):
    real = Worker.run

    def die(self, task):
        if task.name.endswith("letter3.txt"):
            (tmp_path / "out/box0").mkdir(exist_ok=True)
            (tmp_path / "out/box0/.letter3.txt.part").write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, task)

    monkeypatch.setattr(Worker, "run", die)
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    with batch.open(False) as manifest:
        run_batch(manifest, make_engine("local", batch.job, 2))
        [error] = manifest.list_errors()
    assert error["name"] == "box0/letter3.txt"
    assert "signal 9" in error["reason"]
    assert len(list_outputs(tmp_path / "out")) == 11


def test_a_store_that_fails_stops_the_run(letters, tmp_path, rules, monkeypatch):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)

    def refuse(self, name, data):
        raise OutputError(f"{name}: cannot be written (No space left on device)")

    with monkeypatch.context() as patched:
        patched.setattr("maskwise.scale.store.StorePlace.write", refuse)
        with pytest.raises(OutputError, match=r"No space left on device.*--resume"):
            run(batch)
    assert list_outputs(tmp_path / "out") == {}
    assert run(batch, resume=True)["documents"]["masked"] == 12


def test_large_documents_begin_first(letters, tmp_path, rules):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    with batch.open(False) as manifest:
        sizes = [task.size for task in manifest.list_pending()]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_a_second_run_at_the_same_time_is_refused(letters, tmp_path, rules):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    with batch.open(False):
        code = (
            "import sys; from pathlib import Path; from maskwise.scale.manifest import Manifest; "
            "Manifest(Path(sys.argv[1]))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(batch.manifest_path)], capture_output=True, text=True
        )
    assert "another run is writing here" in done.stderr


def test_changed_inputs_are_refused(letters, tmp_path, rules):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    run(batch, stop_after=2)
    (letters / "box0/letter0.txt").write_text("Somebody else.")
    with pytest.raises(InputError, match=r"letter0.txt: changed since"):
        batch.open(True)


def test_an_output_inside_the_source_is_refused(letters, rules):
    with pytest.raises(InputError, match="lies in the source"):
        BatchRun(str(letters), str(letters / "out"), rules).open(False)


def test_numbers_in_order_of_documents_are_refused(letters, tmp_path, rules):
    policy = Policy.parse({**rules.model_dump(mode="json"), "scope": "corpus"})
    with pytest.raises(PolicyError, match="keyed"):
        BatchRun(str(letters), str(tmp_path / "out"), policy).open(False)


def test_keyed_numbers_are_the_same_in_all_documents(letters, tmp_path, rules, monkeypatch):
    monkeypatch.setenv("MASKWISE_SCOPE_KEY", "an invented key of many letters")
    policy = Policy.parse({**rules.model_dump(mode="json"), "scope": "keyed"})
    run(BatchRun(str(letters), str(tmp_path / "a"), policy))
    run(BatchRun(str(letters), str(tmp_path / "b"), policy), shuffle=1)
    outputs = list_outputs(tmp_path / "a")
    assert outputs == list_outputs(tmp_path / "b")
    first, again = outputs["box0/letter0.txt"].split()[1], outputs["box1/letter4.txt"].split()[1]
    assert first == again
    assert first != outputs["box1/letter1.txt"].split()[1]
    monkeypatch.setenv("MASKWISE_SCOPE_KEY", "another invented key of many letters")
    with pytest.raises(InputError, match="began: names to protect"):
        BatchRun(str(letters), str(tmp_path / "a"), policy).open(True)


def test_a_vault_holds_what_documents_hold_alone(tmp_path, rules, monkeypatch):
    """Workers warm up on a text of their own."""
    monkeypatch.setenv("MASKWISE_VAULT_KEY", "an invented key of many letters")
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.txt").write_text("Mr Otto Weber came.")
    vault = {"path": f"sqlite:///{tmp_path}/cases.vault"}
    raw = {**rules.model_dump(mode="json"), "operator": {"kind": "encrypt"}, "vault": vault}
    batch = BatchRun(str(tmp_path / "in"), str(tmp_path / "out"), Policy.parse(raw))
    with batch.open(False) as manifest:
        run_batch(manifest, make_engine("local", batch.job, 1))
    with sqlite3.connect(tmp_path / "cases.vault") as rows:
        assert rows.execute("SELECT count(*) FROM token").fetchone() == (1,)


def test_a_killed_command_goes_on_to_the_same_bytes(tmp_path, rules_file):
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(150):
        (folder / f"{number}.txt").write_text(write_letter(number) * 20)

    def command(out, *more):
        options = ["--policy", str(rules_file), "--workers", "2", *more]
        return [sys.executable, "-m", "maskwise", "batch", str(folder), "-o", str(out), *options]

    subprocess.run(command(tmp_path / "a"), check=True, capture_output=True)
    victim = subprocess.Popen(
        command(tmp_path / "b"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and len(list_outputs(tmp_path / "b")) < 10:
        time.sleep(0.01)
    victim.kill()
    victim.wait()
    done = subprocess.run(
        command(tmp_path / "b", "--resume", "--json"), check=True, capture_output=True
    )
    assert json.loads(done.stdout)["documents"]["masked"] == 150
    assert list_outputs(tmp_path / "a") == list_outputs(tmp_path / "b")


def test_what_a_worker_loads_is_not_walked_by_the_collector(letters, tmp_path, rules):
    gc.unfreeze()
    start_worker(BatchRun(str(letters), str(tmp_path / "out"), rules).job.to_json())
    assert gc.get_freeze_count() > 10_000
    gc.unfreeze()


@pytest.mark.parametrize(
    ("size", "workers", "length"),
    [(1000, 1, WAVE), (1000, 3, 3 * WAVE), (WAVE_BYTES, 2, 2 * PARTITIONS), (1 << 20, 2, 32)],
)
def test_a_job_of_spark_has_work_for_all_and_an_end(size, workers, length):
    tasks = iter([Task(at, FILE, f"{at}", f"{at}", size) for at in range(1000)])
    wave = take_wave(tasks, workers)
    assert [task.number for task in wave] == list(range(length))
    assert next(tasks).number == length


def test_outcomes_travel_as_json():
    outcome = TaskOutcome(3, FAILED, "why", counts={"PERSON suppress": 2}, errors=((1, "no text"),))
    assert TaskOutcome.from_json(json.loads(json.dumps(outcome.to_json()))) == outcome
    assert outcome.status != DONE
    assert TextColumns("text", ("id", "text"), "id").written == ("id",)
