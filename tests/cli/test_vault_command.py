"""`--vault`, `restore` and `vault`: masked files come back, and only with the vault and its key."""

import json
import re
import shutil
import sqlite3

import pytest
from tests.cli.conftest import run_here

from maskwise import io

TEXT = "Mr Hugo Castell was born on 3 May 1971. Castell met Mrs Ines Varga.\n"
POLICY = "name: sealed\nextends: balanced\noperator: {kind: encrypt}\n"
OPEN = ("--vault", "cases.vault", "--key-file", "cases.key")


@pytest.fixture(scope="module")
def masked_cases(tmp_path_factory):
    """Two files masked into `out` with the vault `cases.vault`."""
    folder = tmp_path_factory.mktemp("cases")
    (folder / "sealed.yaml").write_text(POLICY)
    for name, key in (("cases.key", "k" * 32), ("other.key", "o" * 32), ("short.key", "abc")):
        (folder / name).write_text(key + "\n")
    (folder / "in").mkdir()
    (folder / "in" / "a.txt").write_text(TEXT, "utf-8")
    (folder / "in" / "b.csv").write_text("who,note\nMr Hugo Castell,came\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = run_here(["sanitize", "in", "--policy", "sealed.yaml", *OPEN, "--out", "out"])
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def cases(masked_cases, tmp_path):
    """A copy of the cases for one test: deriving the keys of a vault takes a second."""
    shutil.copytree(masked_cases, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_files_share_tokens_and_come_back_byte_for_byte(process, cases):
    masked = (cases / "out" / "a.txt").read_text("utf-8")
    tag = re.match(r"\[PERSON [0-9A-F]{8}", masked)
    assert tag
    assert tag[0] in (cases / "out" / "b.csv").read_text("utf-8")
    assert "Castell" not in masked
    for name in ("a.txt", "b.csv"):
        done = process("restore", cases / "out" / name, *OPEN)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == (cases / "in" / name).read_bytes()


def test_restore_to_a_file_says_how_many(maskwise, cases):
    done = maskwise("restore", "out/a.txt", *OPEN, "-o", "back.txt")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"maskwise: 4 pseudonyms restored in back.txt\n"
    assert (cases / "back.txt").read_text("utf-8") == TEXT


def test_another_run_gives_the_same_tokens_and_a_stranger_among_them_is_an_error(
    process, maskwise, cases
):
    again = process("sanitize", "in/a.txt", "--policy", "sealed.yaml", *OPEN).stdout
    assert again == (cases / "out" / "a.txt").read_bytes()
    (cases / "c.txt").write_bytes(b"[PERSON 0123ABCD] and " + again)
    for out in ((), ("-o", "back.txt")):
        done = maskwise("restore", "c.txt", *OPEN, *out)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(b"maskwise: error: c.txt: 1 pseudonyms are not of this vault")
    assert not (cases / "back.txt").exists()


def test_a_token_that_a_writer_leaves_is_an_error_and_no_half_restored_file(
    cases, call, monkeypatch
):
    class Careless:
        def write(self, loaded, masked, alignments):
            return (cases / "out" / "a.txt").read_bytes()

    monkeypatch.setattr(io, "build_writer", lambda *_: Careless())
    done = call("restore", "out/a.txt", *OPEN, "-o", "back.txt")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "cannot be restored" in done.stderr
    assert not (cases / "back.txt").exists()


def test_info_counts_and_shows_no_name(maskwise, cases):
    done = maskwise("vault", "info", "cases.vault", "--key-file", "cases.key", "--json")
    found = json.loads(done.stdout)
    assert found["entities"] == {"DATETIME": 1, "PERSON": 2}
    assert found["bytes"] == (cases / "cases.vault").stat().st_size
    shown = maskwise("vault", "info", "cases.vault", "--key-file", "cases.key").stdout.decode()
    assert shown == f"DATETIME: 1\nPERSON: 2\nwordings: {found['wordings']}\n"
    assert b"Castell" not in (cases / "cases.vault").read_bytes()


def test_rotate_locks_the_old_key_out_and_keeps_the_tokens(maskwise, cases):
    rotate = (
        "vault",
        "rotate",
        "cases.vault",
        "--old-key-file",
        "cases.key",
        "--new-key-file",
        "other.key",
    )
    done = maskwise(*rotate)
    assert (done.returncode, done.stdout) == (0, b"")
    assert (
        done.stderr == b"maskwise: cases.vault: encrypted again; the old key no longer opens it\n"
    )
    assert maskwise("restore", "out/a.txt", *OPEN).returncode == 2
    back = maskwise("restore", "out/a.txt", "--vault", "cases.vault", "--key-file", "other.key")
    assert back.stdout.decode() == TEXT
    assert maskwise(*rotate).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["restore", "out/a.txt", "--vault", "cases.vault", "--key-file", "other.key"],
            "cases.vault: ",
        ),
        (
            ["restore", "out/a.txt", "--vault", "nowhere.vault", "--key-file", "cases.key"],
            "nowhere.vault: ",
        ),
        (
            ["restore", "out/a.txt", "--vault", "cases.vault", "--key-file", "short.key"],
            "at least 16",
        ),
        (["restore", "out/a.txt", "--vault", "cases.vault"], "--key-file"),
        (["restore", "nowhere.txt", *OPEN], "nowhere.txt: no such file"),
        (["restore", "out/a.txt", *OPEN, "-o", "out/a.txt"], "would overwrite the masked file"),
        (["restore", "x.pdf", *OPEN], "cannot be restored in place"),
        (["vault", "info", "in/a.txt", "--key-file", "cases.key"], "in/a.txt: "),
        (["sanitize", "in/a.txt", "--policy", "sealed.yaml"], "needs a vault"),
        (["sanitize", "in/a.txt", "--scope", "vault"], "needs a vault"),
        (["sanitize", "in/a.txt", "--key-file", "cases.key"], "name one with --vault"),
        (["sanitize", "out/a.txt", "--policy", "sealed.yaml", *OPEN], "restore it first"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_2(
    maskwise, cases, monkeypatch, arguments, message
):
    monkeypatch.delenv("MASKWISE_VAULT_KEY", raising=False)
    (cases / "x.pdf").write_bytes(b"%PDF-1.4")
    kept = {path: path.read_bytes() for path in cases.rglob("*") if path.is_file()}
    done = maskwise(*arguments)
    error = done.stderr.decode()
    assert done.returncode == 2
    assert message in error
    assert len(error.splitlines()) == 1
    assert "Castell" not in error
    assert done.stdout == b""
    assert not (cases / "nowhere.vault").exists()
    assert {path: path.read_bytes() for path in kept} == kept


def test_scope_corpus_gives_one_pseudonym_without_a_vault(maskwise, tmp_path):
    for name, text in (
        ("a", "Mrs Ines Varga left. Mr Hugo Castell came."),
        ("b", "Mr Hugo Castell left."),
    ):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    apart = maskwise("sanitize", "a.txt", "b.txt").stdout.decode()
    shared = maskwise("sanitize", "a.txt", "b.txt", "--scope", "corpus").stdout.decode()
    assert apart.endswith("==> b.txt <==\n[PERSON 1] left.\n")
    assert shared.endswith("==> b.txt <==\n[PERSON 2] left.\n")


def test_two_people_exchanged_are_noticed_by_verify_and_restore(maskwise, cases):
    verify = ("vault", "verify", "cases.vault", "--key-file", "cases.key")
    intact = maskwise(*verify)
    assert (intact.returncode, intact.stderr) == (0, b"")
    assert (
        intact.stdout.decode()
        == f"{json.loads(maskwise(*verify, '--json').stdout)['rows']} rows, all intact\n"
    )
    with sqlite3.connect(cases / "cases.vault") as connection:
        (one, first), (other, second) = connection.execute(
            "SELECT id, tag FROM identity WHERE type = 'PERSON'"
        )
        for at, tag in ((one, "0"), (other, first), (one, second)):
            connection.execute("UPDATE identity SET tag = ? WHERE id = ?", (tag, at))
    connection.close()
    done = maskwise("restore", "out/a.txt", *OPEN, "-o", "back.txt")
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.splitlines()) == 1
    assert b"cases.vault: damaged or forged" in done.stderr
    assert not (cases / "back.txt").exists()
    found = maskwise(*verify, "--json")
    assert found.returncode == 1
    report = json.loads(found.stdout)
    assert report["damaged"]["identity"] == 2
    assert not report["intact"]
    shown = maskwise(*verify)
    assert shown.returncode == 1
    assert b"damaged or forged" in shown.stdout
    assert maskwise("vault", "verify", "cases.vault", "--key-file", "other.key").returncode == 2
