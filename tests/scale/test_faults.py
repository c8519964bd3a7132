"""What goes wrong around a run: inputs that move, names that lead astray, two runs at once, signals, dead workers."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from functools import partial

import pytest
from batch_letters import RULES, list_outputs, write_letter
from test_batch import InProcess, run

from maskwise.errors import InputError, OutputError, PolicyError, VaultError
from maskwise.io.formats import Loaded
from maskwise.io.plain import PlainText
from maskwise.policy import Policy
from maskwise.scale.batch import BatchRun, make_engine, run_batch
from maskwise.scale.local import LocalEngine
from maskwise.scale.manifest import PORTION, Manifest
from maskwise.scale.sources import judge_name, list_source
from maskwise.scale.summary import describe_run, has_missed
from maskwise.scale.tasks import FILE, Task
from maskwise.scale.worker import Worker


def errors_of(report):
    return {error["name"]: error["reason"] for error in report["errors"]}


def left_out_of(source):
    listing = list_source(str(source))
    names = [file.name for file in listing.files]
    return names, listing.left_out


# --- inputs that change ----------------------------------------------------------------------------------------------


def test_an_input_that_changes_after_the_plan_is_an_error(letters, tmp_path, rules):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    with batch.open(False) as manifest:
        (letters / "box0/letter0.txt").write_text("Mr Otto Weber came.")
        (letters / "box1/letter1.txt").unlink()
        run_batch(manifest, InProcess(batch.job))
        found = {error["name"]: error["reason"] for error in manifest.list_errors()}
    assert "changed since the run began" in found["box0/letter0.txt"]
    assert "no such file" in found["box1/letter1.txt"]
    assert len(list_outputs(tmp_path / "out")) == 10


def test_what_comes_after_the_plan_is_named(letters, tmp_path, rules):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    run(batch, stop_after=3)
    (letters / "late.txt").write_text("Mr Otto Weber came.")
    report = run(batch, resume=True)
    assert report["left_out"] == {"came after the run began": ["late.txt"]}
    assert has_missed(report)


# --- names -----------------------------------------------------------------------------------------------------------


def test_names_that_are_no_documents_are_told(letters, tmp_path, rules):
    (letters / "_draft.txt").write_text("Mr Lee")
    (letters / ".hidden.txt").write_text("Mr Lee")
    (letters / "archive.txt.gz").write_bytes(b"\x1f\x8b")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "other.txt").write_text("Mr Lee")
    (letters / "link").symlink_to(elsewhere)
    (letters / "nowhere.txt").symlink_to(tmp_path / "nowhere")
    with open(os.fsencode(letters) + b"/caf\xe9.txt", "wb") as stream:
        stream.write(b"Mr Lee")
    names, left_out = left_out_of(letters)
    assert len(names) == 12
    assert left_out == {
        "hidden": [".hidden.txt", "_draft.txt"],
        "unknown format": ["archive.txt.gz"],
        "link to a folder": ["link"],
        "no regular file": ["nowhere.txt"],
        "a name that is not UTF-8": ["caf\\udce9.txt"],
    }
    report = run(BatchRun(str(letters), str(tmp_path / "out"), rules))
    assert report["documents"]["left_out"] == 6
    assert has_missed(report)
    assert "caf\\udce9.txt" in describe_run(report)


def test_a_name_begins_no_line_of_the_report(letters, tmp_path, rules):
    """Nor does it colour a terminal."""
    for end in ("txt", "docx", "zzz"):
        (letters / f"a\nfailed: b\x1b[31m\u202e.{end}").write_text("Mr Lee")
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    lines = describe_run(run(batch)).split("\n")
    told = r"a\nfailed: b\x1b[31m\u202e"
    assert sum(told in line for line in lines) == 3
    assert sum(line.startswith("failed: ") for line in lines) == 1
    assert "\x1b" not in "".join(lines)


def test_a_pattern_follows_no_link_to_a_folder(letters, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "other.txt").write_text("Mr Lee")
    (letters / "box0/link").symlink_to(elsewhere)
    (letters / "box0/around").symlink_to(letters)
    names, left_out = left_out_of(letters / "**/*.txt")
    assert len(names) == 12
    assert left_out["link to a folder"] == ["box0/around", "box0/link"]
    assert left_out_of(letters / "box[01]/letter?.txt")[0] == [
        *(f"box0/letter{n}.txt" for n in (0, 3, 6, 9)),
        *(f"box1/letter{n}.txt" for n in (1, 4, 7)),
    ]
    assert len(left_out_of(letters / "box[!0]/*.txt")[0]) == 8
    assert left_out_of(letters / "*.txt")[0] == []


def test_a_name_that_the_output_cannot_have_is_one_error(letters, tmp_path, rules):
    """Stores hold names that a disk cannot: too long ones, or a file with the name of a folder."""
    import fsspec

    system = fsspec.filesystem("memory")
    long = "x" * 300 + ".txt"
    for name in (long, "d.txt"):
        system.pipe_file(f"/odd/{name}", write_letter(1).encode())
    report = run(BatchRun("memory://odd", str(tmp_path / "odd"), rules))
    system.store.clear()
    assert list(list_outputs(tmp_path / "odd")) == ["d.txt"]
    assert "too long" in errors_of(report)[long]
    (tmp_path / "out/box0/letter0.txt").mkdir(parents=True)
    (tmp_path / "out/box1").write_text("in the way")
    report = run(BatchRun(str(letters), str(tmp_path / "out"), rules))
    assert report["documents"] == {"masked": 7, "failed": 5, "left_out": 0}


@pytest.mark.parametrize("name", ["../a.txt", "b/../../a.txt", "b//a.txt", "./a.txt"])
def test_a_name_that_leads_elsewhere_is_told(name):
    assert judge_name(name, {".txt"}, False) == "a name that leads to another folder"


def test_a_link_in_the_output_is_not_followed(letters, tmp_path, rules):
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    (out / "box0").symlink_to(elsewhere)
    (out / "box1").symlink_to(letters / "box1")
    before = list_outputs(letters)
    report = run(BatchRun(str(letters), str(out), rules))
    assert report["documents"]["failed"] == 8
    assert all("link leads out" in reason for reason in errors_of(report).values())
    assert list(elsewhere.iterdir()) == []
    assert list_outputs(letters) == before


# --- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("letters", "letters"),
        ("letters", "letters/masked"),
        ("letters/box0/letter0.txt", "letters/box0"),
        ("letters/box0/*.txt", "letters/box0"),
        ("letters/**/*.txt", "letters/masked"),
        ("letters", "."),
        ("letters", "link"),
    ],
)
def test_no_output_takes_the_place_of_an_input(letters, tmp_path, rules, source, target):
    (tmp_path / "link").symlink_to(letters)
    before = list_outputs(letters)
    with pytest.raises(InputError, match=r"(lies in|holds) the source"):
        BatchRun(str(tmp_path / source), str(tmp_path / target), rules).open(False)
    assert list_outputs(letters) == before


@pytest.mark.parametrize(
    ("source", "target"),
    [("s3://b/in", "s3://b/in"), ("s3://b/in/", "s3://b/in/out"), ("s3://b/in", "s3://b")],
)
def test_urls_inside_each_other_are_refused(tmp_path, rules, source, target):
    batch = BatchRun(source, target, rules, manifest=tmp_path / "m.sqlite")
    with pytest.raises(InputError, match="the source"):
        batch._refuse_inside()
    BatchRun("s3://b/in", "s3://b/in-masked", rules)._refuse_inside()


def test_one_file_may_be_masked_into_a_folder_beside_it(letters, rules):
    batch = BatchRun(str(letters / "box0/letter0.txt"), str(letters / "box0/masked"), rules)
    assert run(batch)["documents"]["masked"] == 1


def test_an_output_belongs_to_one_run(letters, tmp_path, rules):
    """Also where the manifests lie in different places, and one run is over."""
    first, second = (
        BatchRun(str(letters), str(tmp_path / "out"), rules, manifest=tmp_path / f"{name}.sqlite")
        for name in "ab"
    )
    run(first, stop_after=3)
    with pytest.raises(InputError, match="another run has written there"):
        second.open(False)
    assert not (tmp_path / "b.sqlite").exists()
    assert run(first, resume=True)["documents"]["masked"] == 12


def test_an_empty_source_is_refused_and_leaves_no_run(tmp_path, rules, letters):
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="nothing to mask"):
        BatchRun(str(empty), str(tmp_path / "out"), rules).open(False)
    assert not (tmp_path / "out").exists()
    assert run(BatchRun(str(letters), str(tmp_path / "out"), rules))["documents"]["masked"] == 12


@pytest.mark.parametrize("scope", ["keyed", "vault"])
def test_a_missing_key_is_told_before_anything_is_written(letters, tmp_path, rules, scope):
    """A run with its later key could not go on with one without."""
    vault = {"vault": {"path": f"sqlite:///{tmp_path}/cases.vault"}} if scope == "vault" else {}
    policy = Policy.parse({**rules.model_dump(mode="json"), "scope": scope, **vault})
    with pytest.raises(VaultError, match="no key: "):
        BatchRun(str(letters), str(tmp_path / "out"), policy).open(False)
    assert {path.name for path in tmp_path.iterdir()} == {"letters"}


# --- manifests -------------------------------------------------------------------------------------------------------


def test_a_manifest_of_another_version_or_kind_is_refused(letters, tmp_path, rules):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules, manifest=tmp_path / "m.sqlite")
    with batch.open(False) as manifest:
        manifest.set("format", "99")
    with pytest.raises(InputError, match="a manifest of another version"):
        batch.open(True)
    for name in ("text", "other"):
        path = tmp_path / f"{name}.sqlite"
        if name == "text":
            path.write_text("Ana Souza wrote this, and it is no manifest at all." * 40)
        else:
            with sqlite3.connect(path) as rows:
                rows.execute("CREATE TABLE run (name TEXT)")
        data = path.read_bytes()
        with pytest.raises(OutputError, match="not the manifest of a batch"):
            BatchRun(str(letters), str(tmp_path / name), rules, manifest=path).open(True)
        assert path.read_bytes() == data


def test_pending_tasks_come_in_order_over_portions(tmp_path):
    sizes = [7] * (PORTION + 3) + list(range(2 * PORTION))
    with Manifest(tmp_path / "m.sqlite") as manifest:
        manifest.plan(Task(n, FILE, f"{n}", f"{n}", size) for n, size in enumerate(sizes))
        found = [(-task.size, task.number) for task in manifest.list_pending()]
    assert found == sorted(found)
    assert len(found) == len(sizes)


# --- documents and workers -------------------------------------------------------------------------------------------


def test_a_document_that_cannot_be_written_stops_no_other(letters, tmp_path, rules, monkeypatch):
    real = PlainText.write

    def fail(self, loaded: Loaded, texts, alignments=()):
        if "post3@" in loaded.texts[0]:
            raise OverflowError(loaded.texts[0])
        return real(self, loaded, texts, alignments)

    monkeypatch.setattr(PlainText, "write", fail)
    report = run(BatchRun(str(letters), str(tmp_path / "out"), rules))
    assert errors_of(report) == {
        "box0/letter3.txt": "box0/letter3.txt: cannot be written as .txt (OverflowError)"
    }
    assert len(list_outputs(tmp_path / "out")) == 11


def test_a_worker_that_dies_between_two_tasks_is_replaced(letters, tmp_path, rules, monkeypatch):
    batch = BatchRun(str(letters), str(tmp_path / "out"), rules)
    real, killed = LocalEngine._receive, []

    def kill_after(self, hand, *more):
        outcome = real(self, hand, *more)
        if len(killed) < 3 and hand.process is not None:
            os.kill(hand.process.pid, signal.SIGKILL)
            hand.process.join()
            killed.append(hand.process.pid)
        return outcome

    monkeypatch.setattr(LocalEngine, "_receive", kill_after)
    with batch.open(False) as manifest:
        run_batch(manifest, make_engine("local", batch.job, 2))
        assert list(manifest.list_errors()) == []
    assert len(killed) == 3
    assert len(list_outputs(tmp_path / "out")) == 12


def test_a_document_that_needs_too_much_memory_is_an_error(letters, tmp_path, rules, monkeypatch):
    real = Worker._mask

    def eat(self, task, counted):
        if task.name.endswith("letter5.txt"):
            raise MemoryError
        return real(self, task, counted)

    monkeypatch.setattr(Worker, "_mask", eat)
    report = run(BatchRun(str(letters), str(tmp_path / "out"), rules))
    assert errors_of(report) == {"box2/letter5.txt": "box2/letter5.txt: not enough memory"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_in_one_line_and_it_goes_on(tmp_path, number):
    folder, out, policy = tmp_path / "many", tmp_path / "out", tmp_path / "rules.yaml"
    folder.mkdir()
    policy.write_text(json.dumps(RULES))
    for at in range(200):
        (folder / f"{at}.txt").write_text(write_letter(at) * 20)
    command = [sys.executable, "-m", "maskwise", "batch", folder, "-o", out, "-p", policy]
    # A shell that runs the tests in the background lets its children ignore Ctrl-C.
    hear = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    victim = subprocess.Popen(
        [*command, "--workers", "2"], stderr=subprocess.PIPE, text=True, preexec_fn=hear
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and len(list_outputs(out)) < 10:
        time.sleep(0.01)
    victim.send_signal(number)
    _, told = victim.communicate(timeout=60)
    assert victim.returncode == 130
    assert told.splitlines() == [
        "maskwise: stopped; nothing is half-written, go on with --resume",
        "maskwise: error: interrupted",
    ]
    with sqlite3.connect(out / "_maskwise/manifest.sqlite") as rows:
        [(done,)] = rows.execute("SELECT count(*) FROM task WHERE status = 'done'")
    # Three may be on the disk alone: one that was just received, and what each of the two workers did since.
    assert done >= 7
    subprocess.run([*command, "--resume"], check=True, capture_output=True)
    assert len(list_outputs(out)) == 200


def test_dates_of_rows_without_names_are_not_moved(letters, tmp_path, monkeypatch):
    from maskwise.scale.arrow import make_row_job
    from maskwise.scale.tasks import TextColumns

    monkeypatch.setenv("MASKWISE_SHIFT_KEY", "an invented key of many letters")
    operators = {"DATETIME": {"kind": "shift", "key": "MASKWISE_SHIFT_KEY"}}
    policy = Policy.parse({**RULES, "operators": operators})
    with pytest.raises(PolicyError, match="name rows by their id"):
        make_row_job(policy, "text", (), None, ())
    with pytest.raises(PolicyError, match="name rows by their id"):
        BatchRun(str(letters), str(tmp_path / "out"), policy, table=TextColumns("a")).open(False)
    assert make_row_job(policy, "text", (), "key", ()).table.id == "key"
