"""Sizes, streams and names: what is too large, full, closed or undecodable ends in one line."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise import cli, io
from maskwise.audit import chain, verify_log
from maskwise.cli import sources
from maskwise.cli.sources import find_sources
from maskwise.cli.terminal import make_plain
from maskwise.errors import InputError, OutputError
from maskwise.text.escapes import escape_controls

COMMAND = Path(sys.executable).parent / "maskwise"
TEXT = "Mr Hugo Castell left.\n"


def run(script, folder):
    """A shell line; `maskwise` is the command."""
    line = script.replace("maskwise", f'"{COMMAND}"')
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "script",
    [
        "maskwise sanitize a.txt >/dev/full",
        "maskwise sanitize a.txt --format json >/dev/full",
        "maskwise sanitize a.txt --format html >/dev/full",
        "maskwise sanitize a.txt --dry-run >/dev/full",
        "maskwise policies >/dev/full",
        "maskwise policies balanced >/dev/full",
        "maskwise --version >/dev/full",
        "maskwise sanitize a.txt >&-",
        "maskwise sanitize - <&-",
    ],
)
def test_an_output_that_cannot_be_written_is_one_line(tmp_path, script):
    (tmp_path / "a.txt").write_text(TEXT)
    done = run(script, tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("maskwise: error: ")
    assert "internal" not in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "maskwise sanitize a.txt",
        "maskwise sanitize a.txt --format json",
        "maskwise sanitize a.txt --explain 2>&1 >/dev/null",
        "maskwise policies",
        "maskwise policies court",
        "maskwise --help",
        "maskwise sanitize --help",
        "maskwise --version",
    ],
)
def test_a_pipe_that_nobody_reads_any_more_ends_the_command_quietly(tmp_path, command):
    (tmp_path / "a.txt").write_text(TEXT)
    wait = "until [ -e gone ]; do :; done"
    done = run(f"({wait}; {command}; echo $? >code) | touch gone; exit $(cat code)", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (141, "", "")


def test_an_error_that_nobody_reads_keeps_its_exit_code(tmp_path):
    wait = "until [ -e gone ]; do :; done"
    command = "maskwise sanitize missing.txt 2>&1; echo $? >code"
    assert run(f"({wait}; {command}) | touch gone; exit $(cat code)", tmp_path).returncode == 2


def test_a_broken_pipe_other_than_the_output_is_an_error(monkeypatch, capsys):
    def lose_worker(_):
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    monkeypatch.setattr(cli, "_run_command", lose_worker)
    monkeypatch.setattr(cli, "_discard_output", lambda _: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert "Broken pipe" in capsys.readouterr().err


def test_messages_that_nobody_can_read_do_not_reach_the_output(tmp_path):
    (tmp_path / "x.eml").write_text("Received: from a\nSubject: Mr John Smith\n\nbye\n", "utf-8")
    done = run("maskwise sanitize x.eml 2>&-", tmp_path)
    assert (done.returncode, done.stdout) == (0, "Subject: [PERSON 1]\n\nbye\n")


def test_a_sparse_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(6 << 30)
    monkeypatch.setattr(io.Limits, "read_stream", lambda *_: pytest.fail("it was read"))
    with pytest.raises(InputError, match="file 6,442,450,944 is over the limit"):
        io.Limits().read_file(tmp_path / "large.txt", "large.txt")


def test_no_more_of_a_stream_is_read_than_the_limit():
    class Endless:
        read_so_far = 0

        def read(self, size):
            self.read_so_far += size
            return b"x" * size

    stream = Endless()
    with pytest.raises(InputError, match="over the limit of 1,000 bytes"):
        io.Limits(file=1000).read_stream(stream, "stdin.txt")
    assert stream.read_so_far == 1001


@pytest.mark.parametrize("source", ["/dev/zero", "/dev/tty", "pipe.txt", "."])
def test_what_is_no_file_is_refused_without_waiting(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.txt")
    with pytest.raises(InputError):
        io.Limits().read_file(Path(source), source)


def test_standard_input_is_read_up_to_the_limit(tmp_path):
    done = run("yes | maskwise sanitize - --limit file=1000", tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "maskwise: error: stdin.txt: over the limit of 1,000 bytes; raise `formats.limits.file` to read it\n"
    )


@pytest.mark.parametrize(
    "name",
    ["a\nb.txt", "\x1b[31mred.txt", "[bold]x:heart:[red].txt", "\udcff\udcfe.txt", "‮txt.a.txt"],
)
@pytest.mark.parametrize(
    "ending", [[], ["--dry-run"], ["--explain"], ["--format", "json"], ["--format", "html"]]
)
def test_names_of_files_are_shown_harmless(call, tmp_path, name, ending):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / name).write_bytes(b"Mr Hugo Castell left.\n")
    (folder / f"broken {name}").write_bytes(b"\xe9\xe9 left")
    done = call("sanitize", "in", *ending)
    assert done.returncode == 2
    assert not any(bad in done.stderr for bad in ("\x1b", "\u202e", "Traceback", "internal"))
    assert [line for line in done.stderr.splitlines() if "not utf-8" in line]
    if ending == ["--dry-run"]:
        assert escape_controls(name) in done.stdout
    if "html" not in ending:  # which is for a browser
        assert "\x1b" not in done.stdout
    if ending == ["--format", "json"]:
        assert {document["path"] for document in json.loads(done.stdout)["documents"]} == {
            name,
            f"broken {name}",
        }


@given(st.text())
@settings(max_examples=300, deadline=None)
def test_any_text_comes_out_on_one_line_and_unmarked(text):
    shown = escape_controls(text)
    assert len(shown.splitlines()) <= 1
    assert all(character.isprintable() or character.isspace() for character in shown)
    shown.encode()
    assert make_plain(text).plain == shown


LONGEST_NAME = "n" * 251 + ".txt"  # 255 bytes


def test_a_target_that_cannot_be_written_is_that_files_error(call, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.txt", "b.txt", "c.txt", LONGEST_NAME):
        (tmp_path / "in" / name).write_text(TEXT)
    (tmp_path / "out" / "b.txt").mkdir(parents=True)
    done = call("sanitize", "in", "--out", "out", "--audit", "log.jsonl")
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if "error" in line] == [
        "maskwise: error: out/b.txt: cannot be written (a folder or a device has this name)"
    ]
    assert "3 files written to out" in done.stderr
    for name in ("a.txt", "c.txt", LONGEST_NAME):
        assert (tmp_path / "out" / name).read_text() == "[PERSON 1] left.\n"
    assert verify_log(tmp_path / "log.jsonl").is_whole
    assert json.loads((tmp_path / "log.jsonl").read_text().splitlines()[-1])["failed"] == 1


def test_a_name_that_is_too_long_with_its_new_ending_is_that_files_error(call, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.txt", LONGEST_NAME):
        (tmp_path / "in" / name).write_text(TEXT)
    done = call("sanitize", "in", "--out", "out", "--format", "json")
    assert done.returncode == 2
    assert "File name too long" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt.json"]


@pytest.mark.parametrize("name", ["x", "n" * 255])
def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch, name):
    io.write_file(tmp_path / name, b"old")
    monkeypatch.setattr(
        os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    with pytest.raises(OutputError, match="No space left"):
        io.write_file(tmp_path / name, b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


# --- what of a folder is left out ------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """A folder with one file that can be read, and one of each kind that cannot."""
    top = tmp_path / "in"
    (top / ".git").mkdir(parents=True)
    (top / "a.txt").write_text(TEXT)
    (top / ".git" / "config.txt").write_text(TEXT)
    (top / ".hidden.txt").write_text(TEXT)
    return top


LEFT_OUT = {
    "unknown format": lambda top: (top / "x.xyz").write_text("x"),
    "no ending": lambda top: (top / "README").write_text("x"),
    "pipe": lambda top: os.mkfifo(top / "pipe.txt"),
    "link to a folder": lambda top: (top / "loop").symlink_to(top),
    "link in a circle": lambda top: (top / "circle.txt").symlink_to("circle.txt"),
    "broken link": lambda top: (top / "gone.txt").symlink_to("nowhere.txt"),
}


@pytest.mark.parametrize("kind", LEFT_OUT)
@pytest.mark.parametrize("ending", ["text", "json", "html"])
def test_what_is_left_out_of_a_folder_is_said_and_exit_code_1(call, folder, kind, ending):
    LEFT_OUT[kind](folder)
    done = call("sanitize", "in", "--format", ending)
    assert done.returncode == 1
    assert "1 file or folder left out" in done.stderr
    assert "2 files or folders left out (hidden)" in done.stderr
    assert "[PERSON 1]" in done.stdout
    if ending == "json":
        skipped = json.loads(done.stdout)["skipped"]
        assert sorted(one["path"] for one in skipped)[:2] == ["in/.git", "in/.hidden.txt"]
        assert len(skipped) == 3
    if ending == "html":
        assert "Asked for, and not on this page" in done.stdout
    assert call("sanitize", "in", "--dry-run").returncode == 1


def test_hidden_files_alone_are_no_miss(call, folder):
    done = call("sanitize", "in")
    assert (done.returncode, done.stdout) == (0, "[PERSON 1] left.\n")
    assert done.stderr == "maskwise: 2 files or folders left out (hidden)\n"


def test_a_folder_that_cannot_be_opened_is_said(monkeypatch, folder):
    (folder / "locked").mkdir()
    real = os.scandir

    def scan(path):
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(sources.os, "scandir", scan)
    found, skipped = find_sources([str(folder)])
    assert [source.name for source in found] == [Path("a.txt")]
    assert [(one.path.name, one.reason) for one in skipped if one.is_missed] == [
        ("locked", "folder cannot be opened: Permission denied")
    ]


def test_a_file_that_cannot_be_read_is_its_error(call, folder, monkeypatch):
    (folder / "b.txt").write_text(TEXT)
    real = os.open

    def refuse(path, *rest):
        if Path(os.fsdecode(path)).name == "b.txt" if not isinstance(path, int) else False:
            raise PermissionError(13, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    done = call("sanitize", "in")
    assert done.returncode == 2
    assert "error: b.txt: cannot be read (Permission denied)" in done.stderr


# --- audit logs that somebody made up --------------------------------------------------------------------------------


def linked(*bodies):
    """Lines with right hashes, whatever they hold."""
    lines, previous = b"", chain.FIRST
    for body in bodies:
        line, previous = chain.link_line(body, previous)
        lines += line
    return lines


def raw_line(body):
    import hashlib

    return body + f',"hash":"{hashlib.sha256(body).hexdigest()}"}}\n'.encode()


START = {"kind": "start"}
CRAFTED = {
    "nothing": b"",
    "no JSON": b"hello\n" * 3,
    "bytes": bytes(range(256)) * 10,
    "zeros": bytes(1 << 20),
    "a list": b"[1, 2]\n",
    "deep": raw_line(b"[" * 50_000),
    "deep object": raw_line(b'{"a":' * 50_000),
    "long number": raw_line(b'{"kind":"start","n":' + b"9" * 10_000),
    "hash is no text": b'{"hash": 5}\n' * 2,
    "not UTF-8": raw_line(b'{"kind":"\xff\xfe'),
    "count is text": linked(START, {"kind": "end", "lines": "Wilhelmina Quarrington " * 1000}),
    "count is an object": linked(START, {"kind": "end", "lines": {"a": [1]}}),
    "kind is a list": linked({"kind": [1]}),
    "no start": linked({"kind": "end", "lines": 1}),
    "two keys": raw_line(b'{"hash":"x","kind":"start","previous":"' + b"0" * 64 + b'"'),
}


@pytest.mark.parametrize("crafted", CRAFTED)
def test_a_crafted_log_is_broken_and_nothing_worse(call, tmp_path, crafted):
    (tmp_path / "log.jsonl").write_bytes(CRAFTED[crafted])
    done = call("audit", "verify", "log.jsonl")
    assert done.returncode == 1
    assert done.stdout.startswith("log.jsonl: line ")
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
    assert "Quarrington" not in done.stdout
    assert len(done.stdout) < 200
    (tmp_path / "a.txt").write_text(TEXT)
    before = (tmp_path / "log.jsonl").read_bytes()
    done = call("sanitize", "a.txt", "--audit", "log.jsonl")
    assert done.returncode in (0, 2)
    assert "internal" not in done.stderr
    if done.returncode == 2:
        assert done.stdout == ""
        assert (tmp_path / "log.jsonl").read_bytes() == before


def test_a_line_without_end_is_read_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(chain, "LONGEST", 100)
    (tmp_path / "log").write_bytes(b"x" * 1000)
    with (tmp_path / "log").open("rb") as file:
        assert max(map(len, chain.read_lines(file))) == 100
    assert not verify_log(tmp_path / "log").is_whole


def test_a_log_on_a_full_disk_is_one_line_and_no_output(call, tmp_path, monkeypatch):
    from maskwise.audit import log

    def fail(file, data):
        raise OSError(28, "No space left on device")

    (tmp_path / "a.txt").write_text(TEXT)
    monkeypatch.setattr(log, "_append_bytes", fail)
    done = call("sanitize", "a.txt", "--audit", "log.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("maskwise: error: ")
    assert "No space left on device" in done.stderr


def test_files_are_written_with_the_usual_rights(tmp_path):
    io.write_file(tmp_path / "x", b"x")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o666 & ~umask
