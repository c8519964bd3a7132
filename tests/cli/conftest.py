"""Runs the command as users do: a process, its output, its exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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
