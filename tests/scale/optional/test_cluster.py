"""`maskwise batch --engine spark` on local masters and on a cluster of two workers; one executor is killed."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark
import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent.parent))
from batch_letters import RULES, list_outputs, write_letter

COUNT = 60
HOME = Path(pyspark.__file__).parent
PATIENCE = 300.0


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    folder = tmp_path_factory.mktemp("letters")
    for number in range(COUNT):
        (folder / f"{number}.txt").write_text(write_letter(number) * 40)
    return folder


@pytest.fixture(scope="module")
def policy(tmp_path_factory):
    path = tmp_path_factory.mktemp("policy") / "rules.yaml"
    path.write_text(yaml.safe_dump(RULES))
    return path


@pytest.fixture(scope="module")
def expected(letters, policy, tmp_path_factory):
    out = tmp_path_factory.mktemp("local") / "out"
    assert start(letters, policy, out, "local").wait(PATIENCE) == 0
    return list_outputs(out)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a master on loopback, and its two workers, of one core each."""
    folder = tmp_path_factory.mktemp("cluster")
    port = find_port()
    master = f"spark://127.0.0.1:{port}"
    ports = ["--host", "127.0.0.1", "--webui-port", "0"]
    kind = "org.apache.spark.deploy"
    lead = launch(folder / "master.log", f"{kind}.master.Master", *ports, "--port", str(port))
    wait_for(lambda: "Starting Spark master" in (folder / "master.log").read_text())
    size = ["--cores", "1", "--memory", "1g"]
    hands = []
    for name in ("one", "two"):
        place = ["-d", str(folder / name)]
        work = [f"{kind}.worker.Worker", *ports, *size, *place, master]
        hands.append(launch(folder / f"{name}.log", *work))
    wait_for(lambda: (folder / "master.log").read_text().count("Registering worker") == 2)
    yield master, [hand.pid for hand in hands]
    for process in (*hands, lead):
        process.terminate()
        process.wait(60)


def launch(log, *command):
    with log.open("wb") as file:
        return subprocess.Popen(
            [HOME / "bin" / "spark-class", *command],
            stdout=file,
            stderr=file,
            env={**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1"},
        )


def start(letters, policy, out, engine, master=None, workers=2, resume=False):
    env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    if master:
        memory = "--executor-memory 512m"
        env["PYSPARK_SUBMIT_ARGS"] = f"--master {master} {memory} pyspark-shell"
    command = [sys.executable, "-m", "maskwise", "batch", letters, "-o", out, "-p", policy]
    command += ["--resume"] if resume else []
    return subprocess.Popen([*command, "--engine", engine, "--workers", str(workers)], env=env)


@pytest.mark.parametrize("cores", [1, 2])
def test_local_masters_write_the_same_bytes(letters, policy, expected, tmp_path, cores):
    run = start(letters, policy, tmp_path / "out", "spark", workers=cores)
    assert run.wait(PATIENCE) == 0
    assert list_outputs(tmp_path / "out") == expected


def test_a_run_on_spark_that_is_stopped_leaves_no_temporary_file(
    letters, policy, expected, tmp_path
):
    """Its workers end before it does."""
    out = tmp_path / "out"
    run = start(letters, policy, out, "spark")
    wait_for(lambda: len(list(out.glob("*.txt"))) > 3 or run.poll() is not None)
    run.terminate()
    assert run.wait(PATIENCE) == 130
    written = list_outputs(out)
    assert 3 < len(written) < COUNT
    assert written.items() < expected.items()  # no temporary file is among them
    assert start(letters, policy, out, "spark", resume=True).wait(PATIENCE) == 0
    assert list_outputs(out) == expected


def test_a_cluster_writes_the_same_bytes(letters, policy, expected, tmp_path, cluster):
    run = start(letters, policy, tmp_path / "out", "spark", cluster[0])
    assert run.wait(PATIENCE) == 0
    assert list_outputs(tmp_path / "out") == expected


def test_a_killed_executor_costs_nothing(letters, policy, expected, tmp_path, cluster):
    out = tmp_path / "out"
    run = start(letters, policy, out, "spark", cluster[0])
    wait_for(lambda: len(list(out.glob("*.txt"))) > 3 or run.poll() is not None)
    victims = list_executors(cluster[1])
    assert run.poll() is None
    os.kill(victims[0], signal.SIGKILL)
    assert run.wait(PATIENCE) == 0
    assert list_outputs(out) == expected


def list_executors(workers):
    """The processes of executors that these workers started."""
    found = []
    for worker in workers:
        for path in Path(f"/proc/{worker}/task").glob("*/children"):
            for child in path.read_text().split():
                command = Path(f"/proc/{child}/cmdline").read_bytes()
                if re.search(b"ExecutorBackend", command):
                    found.append(int(child))
    return found


def find_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(is_done):
    until = time.monotonic() + PATIENCE
    while not is_done():
        assert time.monotonic() < until
        time.sleep(0.1)
