"""No command overwrites what it uses: every output against every input, vault, key, log, policy and index."""

import json
import os
from pathlib import Path

import pytest

from maskwise.cli import paths
from maskwise.cli.paths import refuse_clashes
from maskwise.errors import OutputError

POLICY = "name: sealed\nextends: balanced\noperator: {kind: encrypt}\n"
WORDS = "detectors: [{kind: gazetteer, extra: [{path: wards.txt, type: LOC}]}]\n"
CORPUS = [{"doc_id": "d", "text": "Mr Hugo Castell left.", "annotations": {}}]
SEALED = ("--vault", "v.txt", "--key-file", "k.txt")
USED = (
    *SEALED,
    "--policy",
    "p.yaml",
    "--index",
    "i.txt",
    "--audit",
    "log.txt",
    "--audit-key",
    "a.txt",
)

# A command, the option whose value is replaced, and what must not be given there.
COMMANDS = {
    "restore": (["restore", "in.txt", *SEALED, "-o", "X"], ["in.txt", "v.txt", "k.txt"]),
    "corpus": (["corpus", "c.json", *USED, "-o", "X"], ["c.json", *USED[1::2]]),
    "corpus --audit": (["corpus", "c.json", "-o", "out.json", "--audit", "X"], ["c.json", "out.json"]),
    "corpus --vault": (["corpus", "c.json", "-o", "o", "--key-file", "k.txt", "--vault", "X"], ["c.json", "k.txt"]),
    "sanitize --audit": (
        ["sanitize", "in.txt", "--policy", "p.yaml", *SEALED, "--audit", "X"],
        ["in.txt", "p.yaml", "v.txt", "k.txt"],
    ),
    "sanitize --vault": (["sanitize", "in.txt", "--key-file", "k.txt", "--vault", "X"], ["in.txt", "k.txt"]),
    "evaluate --report": (["evaluate", "c.json", "m.json", "--report", "X"], ["c.json", "m.json"]),
    "agreement --plot": (["agreement", "c.json", "--plot", "X"], ["c.json"]),
    "attack --report": (["attack", "s.json", "--utility", "u.json", "--report", "X"], ["s.json", "u.json"]),
    "attack --corpus": (
        ["attack", "--corpus", "c.json", "--masks", "a=m.json", "--background", "s.json", "--report", "X"],
        ["c.json", "m.json", "s.json"],
    ),
    "deidentify": (
        ["deidentify", "d.jsonl", "--population", "pop.jsonl", "-k", "1", "--policy", "p.yaml", "-o", "X"],
        ["d.jsonl", "pop.jsonl", "p.yaml"],
    ),
    "index build": (["index", "build", "d.jsonl", "-o", "X"], ["d.jsonl"]),
    "population from-text": (["population", "from-text", "d.jsonl", "-o", "X"], ["d.jsonl"]),
    "train silver": (["train", "silver", "d.jsonl", "-o", "X"], ["d.jsonl"]),
    "train mlm": (["train", "mlm", "checkpoint", "d.jsonl", "-o", "X"], ["checkpoint", "d.jsonl"]),
    "train --resume": (["train", "mlm", "checkpoint", "d.jsonl", "-o", "new", "--resume", "X"], ["checkpoint", "new"]),
    "train tagger": (["train", "tagger", "checkpoint", "c.json", "-o", "X"], ["checkpoint", "c.json"]),
    "train distill": (
        ["train", "distill", "d.jsonl", "--teacher", "teacher", "--student", "checkpoint", "-o", "X"],
        ["d.jsonl", "teacher", "checkpoint"],
    ),
    "train export": (["train", "export", "checkpoint", "--name", "n", "-o", "X"], ["checkpoint"]),
    "train import": (["train", "import", "checkpoint", "-o", "X"], ["checkpoint"]),
    "train reid": (["train", "reid", "checkpoint", "pop.jsonl", "-o", "X"], ["checkpoint", "pop.jsonl"]),
    "train risk": (["train", "risk", "c.json", "-o", "X"], ["c.json"]),
    "train gazetteer": (["train", "gazetteer", "s.json", "-o", "X"], ["s.json"]),
    "train emulator": (["train", "emulator", "d.jsonl", "--people", "i.txt", "-o", "X"], ["d.jsonl", "i.txt"]),
}  # fmt: skip
CASES = [
    (name, arguments, kept) for name, (arguments, all_kept) in COMMANDS.items() for kept in all_kept
]


def same(tmp_path, kept):
    return kept


def other_spelling(tmp_path, kept):
    return f"sub/../{kept}"


def symbolic_link(tmp_path, kept):
    (tmp_path / "link.txt").symlink_to(tmp_path / kept)
    return "link.txt"


def hard_link(tmp_path, kept):
    os.link(tmp_path / kept, tmp_path / "link.txt")
    return "link.txt"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "sub").mkdir()
    for folder in ("checkpoint", "teacher", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "config.json").write_text("{}")
    contents = {
        "p.yaml": POLICY,
        "k.txt": "k" * 32,
        "a.txt": "a" * 32,
        "c.json": json.dumps(CORPUS),
    }
    contents |= {
        "d.jsonl": '{"id": "p", "title": "Ada Holm", "text": "Ada Holm left."}\n',
        "s.json": "[]",
    }
    for name in (
        "in.txt",
        "v.txt",
        "i.txt",
        "log.txt",
        "m.json",
        "u.json",
        "pop.jsonl",
        "out.json",
    ):
        contents.setdefault(name, "x")
    for name, content in contents.items():
        (tmp_path / name).write_text(content, "utf-8")
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("alias", [same, other_spelling, symbolic_link, hard_link])
@pytest.mark.parametrize(
    ("name", "arguments", "kept"), CASES, ids=[f"{name} onto {kept}" for name, _, kept in CASES]
)
def test_an_output_never_overwrites_what_the_command_uses(
    call, files, name, arguments, kept, alias
):
    if alias is hard_link and (files / kept).is_dir():
        alias = same
    given = alias(files, kept)
    before = contents(files)
    done = call(*(given if argument == "X" else argument for argument in arguments))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "would overwrite" in done.stderr or "two outputs have this name" in done.stderr
    assert contents(files) == before


USES = {
    "--vault": "v.db",
    "--key-file": "k.txt",
    "--audit": "l.jsonl",
    "--audit-key": "a.txt",
    "--policy": "p.yaml",
}


@pytest.mark.parametrize("at", ["out/in.txt", "out/../out/in.txt"])
@pytest.mark.parametrize("option", [*USES, "--index"])
def test_an_output_in_the_out_folder_never_overwrites_what_the_run_uses(call, files, option, at):
    (files / "out").mkdir()
    if (source := files / USES.get(option, "i.txt")).exists():
        source.rename(files / "out" / "in.txt")
    options = [part for pair in {**USES, option: at}.items() for part in pair]
    before = contents(files)
    done = call("sanitize", "in.txt", "--out", "out", *options)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "would overwrite" in done.stderr
    assert contents(files) == before


def test_a_list_of_the_policy_is_not_overwritten(call, files):
    (files / "wards.txt").write_text("Foxglove ward\n")
    (files / "words.yaml").write_text(f"name: words\n{WORDS}")
    (files / "sub" / "wards.txt").write_text("Mr Hugo Castell\n")
    done = call("sanitize", "sub/wards.txt", "--policy", "words.yaml", "--out", ".")
    assert done.returncode == 2
    assert "would overwrite a file of the policy" in done.stderr
    assert (files / "wards.txt").read_text() == "Foxglove ward\n"


def test_what_the_database_of_a_vault_puts_beside_it_is_not_overwritten(call, files):
    journal = files / "v.txt-journal"
    journal.write_text("half a transaction")
    done = call("restore", "in.txt", "--vault", "v.txt", "--key-file", "k.txt", "-o", journal)
    assert done.returncode == 2
    assert journal.read_text() == "half a transaction"


def test_files_that_have_another_use_are_no_inputs(call, files):
    folder = files / "cases"
    folder.mkdir()
    (folder / "a.txt").write_text("Mr Hugo Castell left.\n")
    for name in ("p.yaml", "k.txt"):
        (files / name).rename(folder / name)
    use = (
        "--policy",
        "cases/p.yaml",
        "--vault",
        "cases/v.db",
        "--key-file",
        "cases/k.txt",
        "--audit",
        "cases/log.jsonl",
    )
    for _ in range(2):
        done = call("sanitize", "cases", *use, "--out", "masked")
        assert done.returncode == 0, done.stderr
        assert [path.name for path in (files / "masked").iterdir()] == ["a.txt"]


@pytest.mark.parametrize("folds", [True, False])
def test_names_that_differ_in_case_clash_where_the_disk_does_not_tell_them_apart(
    monkeypatch, tmp_path, folds
):
    monkeypatch.setattr(paths, "_is_case_blind", lambda path: folds)
    written, read = {"an output": tmp_path / "Letter.txt"}, {"an input": tmp_path / "LETTER.TXT"}
    if folds:
        with pytest.raises(OutputError, match="would overwrite an input"):
            refuse_clashes(written, read)
    else:
        refuse_clashes(written, read)


def test_the_disk_is_asked_whether_it_folds_case(tmp_path):
    folder = tmp_path / "Folder"
    folder.mkdir()
    told_apart = not Path(str(folder).replace("Folder", "fOLDER")).exists()
    assert paths._is_case_blind(folder / "new" / "file.txt") is not told_apart
