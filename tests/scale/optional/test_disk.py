"""A disk that fills up while a batch writes its plan or its outputs: one clear line, and then it goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from batch_letters import NAMES, RULES, list_outputs, write_letter

COUNT = 200

# Runs in a namespace of its own, where anybody may mount: a disk of some pages, which then grows.
ON_A_SMALL_DISK = """
import shutil, subprocess, sys
size, disk, kept, *command = sys.argv[1:]

def mount(options):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", disk], check=True)

def run(*more):
    return subprocess.run([*command, *more], stdout=subprocess.DEVNULL).returncode

mount(f"size={size}")
print(run(), flush=True)
shutil.copytree(disk, f"{kept}/full")
mount("remount,size=50m")
print(run("--resume"), flush=True)
shutil.copytree(disk, f"{kept}/done")
"""


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    folder = tmp_path_factory.mktemp("letters")
    for number in range(COUNT):
        (folder / f"{number}.txt").write_text(write_letter(number))
    return folder


@pytest.fixture(scope="module")
def command(letters, tmp_path_factory):
    policy = tmp_path_factory.mktemp("policy") / "rules.yaml"
    policy.write_text(json.dumps(RULES))
    start = [sys.executable, "-m", "maskwise", "batch", str(letters), "-p", str(policy)]
    return [*start, "--workers", "2", "-o"]


@pytest.fixture(scope="module")
def expected(command, tmp_path_factory):
    out = tmp_path_factory.mktemp("calm") / "out"
    subprocess.run([*command, out], check=True, capture_output=True)
    return list_outputs(out)


@pytest.mark.parametrize("size", ["16k", "64k", "200k", "400k", "900k"])
def test_a_run_stops_on_a_full_disk_and_goes_on(command, expected, tmp_path, size):
    disk = tmp_path / "disk"
    disk.mkdir()
    namespace = ["unshare", "--map-root-user", "--mount"]
    done = subprocess.run(
        [*namespace, sys.executable, "-c", ON_A_SMALL_DISK, size, disk, tmp_path, *command, disk],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.stdout.split() == ["2", "0"]
    [error] = [line for line in done.stderr.splitlines() if "error" in line]
    assert "No space left on device" in error or "the disk is full" in error
    assert "Traceback" not in done.stderr
    assert not any(name in done.stderr for name in NAMES)
    assert not list((tmp_path / "full").rglob("*.part"))
    full = list_outputs(tmp_path / "full")
    assert len(full) < COUNT
    assert full.items() <= expected.items()  # nothing is half-written
    assert list_outputs(tmp_path / "done") == expected
