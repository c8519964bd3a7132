"""Runs the command as users do: its arguments, its input, its output, its exit code."""

import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import pytest

from maskwise.cli import main

ROOT = Path(__file__).parents[2]
TERMINAL = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
STREAMS = ("stdin", "stdout", "stderr")
Output = TypeVar("Output", bytes, str)


@dataclass(frozen=True)
class Done(Generic[Output]):
    returncode: int
    stdout: Output
    stderr: Output


@contextmanager
def point_stream(number, file):
    """Points a standard stream, and its descriptor, to a file."""
    name = STREAMS[number]
    old, kept = getattr(sys, name), os.dup(number)
    os.dup2(file.fileno(), number)
    errors = "backslashreplace" if name == "stderr" else "strict"
    mode = "w" if number else "r"
    stream = open(  # noqa: SIM115 - closed below, where the old one comes back
        number, mode, encoding="utf-8", errors=errors, newline="", closefd=False
    )
    setattr(sys, name, stream)
    try:
        yield
    finally:
        stream.close()
        setattr(sys, name, old)
        os.dup2(kept, number)
        os.close(kept)


def run_here(arguments, stdin=None):
    """Runs the command in this process. What it prints is what a process would print, byte for byte."""
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in STREAMS]
        files[0].write(stdin or b"")
        files[0].seek(0)
        with ExitStack() as streams, pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["maskwise", *map(str, arguments)])
            for number, file in enumerate(files):
                streams.enter_context(point_stream(number, file))
            with pytest.raises(SystemExit) as ended:
                main()
        printed = []
        for file in files[1:]:
            file.seek(0)
            printed.append(file.read())
        return Done(ended.value.code or 0, *printed)


@pytest.fixture
def maskwise(tmp_path, monkeypatch):
    """Runs the command in this process, which takes no second for a fresh one to start."""
    monkeypatch.chdir(tmp_path)
    for name, value in TERMINAL.items():
        monkeypatch.setenv(name, value)

    def run(*arguments, stdin=None):
        return run_here(arguments, stdin)

    return run


@pytest.fixture
def call(maskwise):
    """The same, with output as text."""

    def run(*arguments):
        done = maskwise(*arguments)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def process(tmp_path):
    """Runs the command as a process of its own, for what only a fresh one shows."""

    def run(*arguments, stdin=None):
        return subprocess.run(
            [Path(sys.executable).parent / "maskwise", *map(str, arguments)],
            input=stdin,
            cwd=tmp_path,
            capture_output=True,
            check=False,
            env={**os.environ, **TERMINAL},
        )

    return run
