"""Whatever is given on the command line: exit code 2, one line on standard error, no traceback, nothing written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from maskwise import errors
from maskwise.cli import COMMANDS, _load_command

SECRET = "Wilhelmina Quarrington"
LONG = "x" * 300
GROUPS = {
    "vault": ["info", "rotate"],
    "audit": ["verify"],
    "index": ["build", "query"],
    "models": ["import"],
}
GROUPS |= {
    "population": ["from-text", "info"],
    "crowd": ["build", "info"],
    "train": ["silver", "mlm", "tagger", "export", "import"],
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    texts = {
        "a.txt": f"Mr {SECRET} left.\n",
        "c.json": json.dumps([{"doc_id": "d", "text": SECRET, "annotations": {}}]),
    }
    texts |= {
        "folder/b.txt": SECRET,
        "m.json": '{"d": []}',
        "bad.json": f'["{SECRET}',
        "bad.yaml": "operater: {}\n",
    }
    texts |= {
        "k.txt": "k" * 32,
        "deep.json": "[" * 100_000,
        "d.jsonl": f'{{"id": "p", "text": "{SECRET}"}}\n',
    }
    texts |= {
        "no-header.csv": f"{SECRET},x\n{SECRET},y\n",
        "list.yaml": "- a\n",
        "loop.yaml": "extends: loop.yaml\n",
        "key.yaml": "operators: {default: {kind: label}}\n",
    }
    texts |= {
        "number.json": "9" * 10_000,
        "null.json": "null",
        "text.jsonl": f"{SECRET}\n",
        "empty.key": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "latin.txt").write_bytes("Mr René left".encode("latin-1"))
    (tmp_path / "latin.json").write_bytes('["René"]'.encode("latin-1"))
    (tmp_path / "latin.yaml").write_bytes("name: René".encode("latin-1"))
    (tmp_path / "zeros.gz").write_bytes(bytes(100))
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    return tmp_path


SANITIZE = ["sanitize", "a.txt"]
POLICIES = ("nowhere", "bad.yaml", "list.yaml", "loop.yaml", "latin.yaml", "key.yaml", "folder")
BAD = [
    # commands and options that do not exist, or lack a value
    [], ["nowhere"], ["--nowhere"], ["sanitize"], ["sanitize", "--nowhere"], [*SANITIZE, "--policy"], ["--version=3"],
    *([name, "--nowhere"] for name in COMMANDS),
    *([group, name, "--nowhere"] for group, names in GROUPS.items() for name in names),
    *([group, "nowhere"] for group in GROUPS),
    # nothing where something is needed
    [""], ["sanitize", ""], [*SANITIZE, ""], [*SANITIZE, "--protect", ""], [*SANITIZE, "--protect="],
    [*SANITIZE, "--protect", "  "], [*SANITIZE, "--protect", "-"],
    [*SANITIZE, "--protect", "Ada Holm", "--protect", "?"],
    [*SANITIZE, "--out", ""], [*SANITIZE, "--policy", ""], [*SANITIZE, "--vault", ""], [*SANITIZE, "--audit="],
    ["corpus", "", "-o", "o.json"], ["corpus", "c.json", "-o", ""], ["restore", "", "--vault", "v"],
    ["evaluate", "c.json", ""], ["index", "build", "", "-o", "i"], ["population", "info", ""], ["audit", "verify", ""],
    # names that are no files, or no names
    ["sanitize", "nowhere.txt"], ["sanitize", "a\0b.txt"], ["sanitize", LONG], ["sanitize", f"{LONG}.txt"],
    ["sanitize", "pipe.txt"], ["sanitize", "/dev/null"], ["sanitize", "/dev/zero"], ["sanitize", "empty"],
    ["sanitize", "loop.txt"], ["sanitize", "a.txt/b.txt"], ["sanitize", "-", "-"], ["sanitize", "\udcff.txt"],
    [*SANITIZE, "--out", "a.txt"], [*SANITIZE, "--out", LONG], [*SANITIZE, "--out", "/dev/null"],
    [*SANITIZE, "--audit", "folder"], [*SANITIZE, "--audit", "/dev/full"], [*SANITIZE, "--audit", "pipe.txt"],
    [*SANITIZE, "--audit", "a.txt/x"], [*SANITIZE, "--audit", "log", "--audit-key", "folder"],
    [*SANITIZE, "--audit", "log", "--audit-key", "empty.key"],
    [*SANITIZE, "--audit", "log", "--audit-key", "/dev/zero"],
    [*SANITIZE, "--vault", "folder", "--key-file", "k.txt", "--scope", "vault"],
    [*SANITIZE, "--vault", "v", "--key-file", "folder", "--scope", "vault"], [*SANITIZE, "--index", "folder"],
    [*SANITIZE, "--index", "a.txt"], [*SANITIZE, "--index", "nowhere"],
    ["restore", "folder", "--vault", "v", "--key-file", "k.txt"], ["restore", "a.txt", "--vault", "a.txt"],
    ["restore", "pipe.txt", "--vault", "v"],
    ["restore", "a.txt", "--vault", "v", "--key-file", "k.txt", "-o", "/dev/full"],
    ["corpus", "folder", "-o", "o.json"], ["corpus", "c.json", "-o", "folder"], ["corpus", "nowhere", "-o", "o.json"],
    ["corpus", "c.json", "-o", "/dev/null"], ["corpus", "c.json", "-o", f"{LONG}.json"],
    ["evaluate", "folder", "m.json"], ["evaluate", "c.json", "folder"], ["evaluate", "c.json", "nowhere"],
    ["agreement", "folder"], ["agreement", "c.json"], ["utility", "c.json", "folder"], ["utility", "folder", "m.json"],
    ["attack"], ["attack", "folder"], ["attack", "no-header.csv"], ["attack", "null.json"], ["attack", "c.json"],
    ["attack", "c.json", "--seeds", "x"], ["attack", "c.json", "--attackers", "x"], ["attack", "--corpus", "c.json"],
    ["audit", "verify", "folder"], ["audit", "verify", "nowhere"], ["audit", "verify", "pipe.txt"],
    ["audit", "verify", "/dev/zero"], ["index", "build", "nowhere", "-o", "i"], ["index", "build", "empty", "-o", "i"],
    ["index", "build", "text.jsonl", "-o", "i"], ["index", "build", "d.jsonl", "-o", "folder"],
    ["index", "query", "folder", "x"], ["index", "query", "a.txt", "x"], ["models", "import", "nowhere"],
    ["models", "import", "folder"], ["models", "import", "a.txt"], ["population", "info", "folder"],
    ["population", "info", "text.jsonl"], ["population", "info", "no-header.csv"],
    ["population", "from-text", "folder", "-o", "o"], ["population", "from-text", "text.jsonl", "-o", "o"],
    ["population", "from-text", "d.jsonl", "-o", "folder", "--name", "text"],
    ["deidentify", "folder", "--population", "d.jsonl", "-k", "1", "-o", "o"],
    ["deidentify", "d.jsonl", "--population", "folder", "-k", "1", "-o", "o"],
    ["vault", "info", "folder", "--key-file", "k.txt"], ["vault", "info", "a.txt", "--key-file", "k.txt"],
    ["vault", "info", "nowhere", "--key-file", "k.txt"],
    # contents that are not what they should be
    ["sanitize", "latin.txt"], ["sanitize", "bad.json"], ["sanitize", "deep.json"], ["sanitize", "a.txt", "c.xyz"],
    ["corpus", "bad.json", "-o", "o"], ["corpus", "deep.json", "-o", "o"], ["corpus", "latin.json", "-o", "o"],
    ["corpus", "null.json", "-o", "o"], ["corpus", "number.json", "-o", "o"], ["corpus", "zeros.gz", "-o", "o"],
    ["evaluate", "c.json", "bad.json"], ["evaluate", "c.json", "null.json"], ["evaluate", "bad.json", "m.json"],
    ["attack", "bad.json"], ["attack", "deep.json"], ["attack", "latin.json"], ["agreement", "deep.json"],
    *([*SANITIZE, "--policy", name] for name in POLICIES), *(["policies", name] for name in POLICIES),
    # numbers out of their range, and words that are no numbers
    *([*SANITIZE, "--limit", value] for value in ("file", "file=", "file=0", "file=-1", "file=x", "=5", "pagse=5")),
    *([*SANITIZE, "--limit", f"file={number}"] for number in ("1", "9" * 5000, "1e400", "nan", "0.5")),
    *([*SANITIZE, "--format", word] for word in ("xml", "TEXT", "0")), [*SANITIZE, "--scope", "world"],
    *(["evaluate", "c.json", "m.json", "--resamples", n] for n in ("0", "-1", "x", "1.5", "nan", "9" * 400)),
    *(["deidentify", "d.jsonl", "--population", "d.jsonl", "-o", "o", "-k", n] for n in ("0", "-1", "x", "1.5")),
    *(["deidentify", "d.jsonl", "--population", "d.jsonl", "-k", "1", "-o", "o", "--max-share", n] for n in ("2", "x")),
    *(["index", "query", "a.txt", "x", "-k", n] for n in ("0", "-1", "x")),
    *(["population", "from-text", "d.jsonl", "-o", "o", "--words", n] for n in ("-1", "x")),
    *(["batch", "folder", "-o", "out", "--device", name] for name in ("gpu", "cuda:x", "cuda:999", "cpu:1")),
    ["batch", "folder", "-o", "out", "--engine", "spark", "--device", "cuda"],
    ["batch", "folder", "-o", "out", "--engine", "ray", "--device", "cuda:1"],
    ["utility", "c.json", "m.json", "--every", "1"], ["population", "info", "d.jsonl", "--duplicates", "x"],
]  # fmt: skip


@pytest.mark.parametrize(
    "arguments", BAD, ids=lambda arguments: " ".join(arguments)[:60].replace("\0", "NUL") or "none"
)
def test_it_is_one_line_and_exit_code_2(call, files, arguments):
    before = sorted(path for path in files.rglob("*"))
    done = call(*arguments)
    assert done.returncode == 2, done
    if arguments:  # without any, the help is printed
        lines = done.stderr.splitlines()
        assert len(lines) == 1, lines
        assert lines[0].startswith("maskwise: error: ")
        assert done.stdout == ""
    assert "Traceback" not in done.stderr + done.stdout
    assert "internal error" not in done.stderr
    for jargon in ("Value error", "[key]", "FileNotFoundError", "IsADirectoryError"):
        assert jargon not in done.stderr
    assert not any(word in done.stderr for word in SECRET.split())
    assert [
        path for path in sorted(files.rglob("*")) if path.is_file() and path not in before
    ] == []


def every_error():
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.MaskwiseError)
    ]
    assert len(kinds) > 10
    return sorted(kinds, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_a_message_is_printed_as_it_is(call, monkeypatch, kind):
    import maskwise.cli as cli

    def fail(*_, **__):
        raise kind(
            "pip install 'maskwise[automl]' [bold]x[/bold] [/nowhere] \x1b[31mred\nline \ud800"
        )

    monkeypatch.setattr(cli, "app", fail)
    done = call("doctor")
    assert done.returncode == 2
    line = "pip install 'maskwise[automl]' [bold]x[/bold] [/nowhere] \\x1b[31mred\\nline \\ud800"
    assert done.stderr == f"maskwise: error: {line}\n"


def test_an_unforeseen_error_tells_its_kind_alone(call, monkeypatch):
    import maskwise.cli as cli

    def fail(*_, **__):
        raise KeyError(SECRET)

    monkeypatch.setattr(cli, "app", fail)
    done = call("doctor")
    assert done.returncode == 2
    assert "internal error (KeyError)" in done.stderr
    assert SECRET not in done.stderr


def test_a_traceback_that_was_asked_for_leaves_the_exit_code(call, monkeypatch):
    import maskwise.cli as cli

    def fail(*_, **__):
        raise KeyError("x")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setenv("MASKWISE_DEBUG", "1")
    done = call("doctor")
    assert done.returncode == 2
    assert "Traceback" in done.stderr
    assert done.stdout == ""


def all_commands():
    found = []

    def add(name, command):
        found.append((name, command))
        for inner, each in getattr(command, "commands", {}).items():
            add(f"{name} {inner}", each)

    for name in COMMANDS:
        add(name, _load_command(name))
    return found


@pytest.mark.parametrize(
    ("name", "command"), all_commands(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_help_says_what_its_source_says(call, name, command):
    """Brackets are not eaten as markup, flags take no value, no type of Python is named, examples are there."""
    done = call(*name.split(), "--help")
    assert done.returncode == 0
    assert "Examples" in done.stdout
    for word in ("<bool>", "<list[", "<path>", "<str>", "<int", "<float"):
        assert word not in done.stdout, word
    words = " ".join(done.stdout.replace("│", " ").split())
    for param in command.params:
        assert param.help, param.name
        shown = param.help.replace("\\[", "[")
        assert all(word in words for word in shown.split()), shown


def test_version_and_completion(call):
    from importlib.metadata import version

    assert call("--version").stdout == f"maskwise {version('maskwise')}\n"
    assert "--install-completion" in call("--help").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_and_options(tmp_path, shell):
    command = Path(sys.executable).parent / "maskwise"
    words = "maskwise san"
    environment = {
        **os.environ,
        "_MASKWISE_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": words,
        "COMP_CWORD": "1",
    }
    environment |= {"_TYPER_COMPLETE_ARGS": words, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run(
        [command], capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    assert "sanitize" in done.stdout
    assert "Traceback" not in done.stderr
