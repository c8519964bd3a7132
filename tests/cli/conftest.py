"""Runs the command as users do: a process, its output, its exit code."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from maskwise.cli import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Runs the command in this process, which takes no second for a fresh one to start."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "dumb")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["maskwise", *map(str, arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        return Done(ended.value.code or 0, *capfd.readouterr())

    return run


@pytest.fixture
def maskwise(tmp_path):
    def run(*arguments, stdin=None):
        return subprocess.run(
            [Path(sys.executable).parent / "maskwise", *map(str, arguments)],
            input=stdin,
            cwd=tmp_path,
            capture_output=True,
            check=False,
            env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"},
        )

    return run
