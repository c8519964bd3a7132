"""`maskwise review` and `annotate` from the command line: what they read, and what they never write over."""

import json

import pytest

from maskwise.server.review.store import ReviewStore

LETTER = "Mr Hugo Castell left.\n"


@pytest.fixture
def folder(tmp_path):
    found = tmp_path / "letters"
    found.mkdir()
    (found / "a.txt").write_text(LETTER)
    (found / "b.jsonl").write_text('{"note": "Mr Hugo Castell left."}\n')
    return found


@pytest.mark.parametrize(
    "more",
    [
        ("--out", "letters"),
        ("--out", "letters/../letters"),
        ("--export", "letters/a.txt"),
        ("--export", "review.sqlite"),
        ("--person", "Ana:judge"),
        ("--person", "Ana:reviewer", "--person", "Ana:manager"),
    ],
)
def test_what_would_overwrite_a_document_is_refused_before_it_begins(call, folder, more):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = call("review", "letters", *more)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("command", ["review", "annotate"])
def test_a_project_needs_documents(call, tmp_path, command):
    done = call(command, "--export", "done.json")
    assert done.returncode == 2
    assert "no such project; name documents" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_was_approved_before_is_no_document(call, folder, tmp_path):
    approved = folder / "approved"
    approved.mkdir()
    (approved / "a.txt").write_text("[PERSON 1] left.\n")
    done = call("review", "letters", "--out", "letters/approved", "--export", "done.json")
    assert (done.returncode, json.loads((tmp_path / "done.json").read_text())) == (0, [])
    names = [name for _, name, _ in ReviewStore(tmp_path / "review.sqlite").list_documents()]
    assert names == ["a.txt", "b.jsonl"]
