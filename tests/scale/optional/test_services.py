"""A PostgreSQL server that restarts, and a local S3 server that throttles: the same bytes, or one clear line."""

import os
import pwd
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from batch_letters import RULES, list_outputs, write_letter

from maskwise.errors import OutputError, VaultError
from maskwise.files import restore_file
from maskwise.mask import shared_vault
from maskwise.mask.shared_vault import SharedVault
from maskwise.policy import Policy
from maskwise.scale import store
from maskwise.scale.batch import BatchRun, make_engine, run_batch

COUNT = 60
SECRET = "an invented key of many letters"


@pytest.fixture(scope="session")
def letters(tmp_path_factory):
    folder = tmp_path_factory.mktemp("letters")
    for number in range(COUNT):
        (folder / f"{number}.txt").write_text(write_letter(number))
    return folder


class Server:
    """A PostgreSQL server of its own, on a socket in a folder. It does not run as root."""

    def __init__(self, folder):
        self.folder = Path("/tmp") / f"maskwise-pg-{os.getpid()}"
        self.folder.mkdir(mode=0o777)
        self.user = {}
        if os.getuid() == 0:
            name = next(n for n in ("postgres", "nobody") if _has_user(n))
            shutil.chown(self.folder, name)
            self.user = {"user": name}
        self._run("initdb", "-D", self.data, "-U", "maskwise", "-A", "trust")
        self.url = f"postgresql://maskwise@/postgres?host={self.folder}&port=54329"
        self.start()

    @property
    def data(self):
        return str(self.folder / "data")

    def start(self):
        options = f"-c listen_addresses= -k {self.folder} -p 54329 -c fsync=off"
        self._run(
            "pg_ctl", "-D", self.data, "-w", "-l", f"{self.folder}/log", "-o", options, "start"
        )

    def stop(self):
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")

    def _run(self, *command):
        subprocess.run(
            command,
            check=True,
            cwd="/tmp",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self.user,
        )


def _has_user(name):
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    made = Server(tmp_path_factory.mktemp("pg"))
    yield made
    made.stop()
    shutil.rmtree(made.folder)


@pytest.fixture
def reversible(server, monkeypatch):
    monkeypatch.setenv("MASKWISE_VAULT_KEY", SECRET)
    raw = {**RULES, "operator": {"kind": "encrypt"}, "vault": {"path": server.url}}
    return Policy.parse(raw)


def run(source, out, policy, workers=2, manifest=None):
    batch = BatchRun(str(source), str(out), policy, manifest=manifest)
    with batch.open(True) as opened:
        run_batch(opened, make_engine("local", batch.job, workers))
        assert list(opened.list_errors()) == []
        assert opened.count()["done"][0] == COUNT


def test_workers_share_a_vault_in_postgresql(letters, reversible, server, tmp_path):
    for name, workers in (("a", 1), ("b", 3)):
        run(letters, tmp_path / name, reversible, workers)
    found = list_outputs(tmp_path / "a")
    assert found == list_outputs(tmp_path / "b")
    vault = SharedVault(server.url, SECRET.encode(), exist=True)
    for name, data in found.items():
        assert restore_file(data, name, vault).data == (letters / name).read_bytes()


def test_a_server_that_restarts_costs_nothing(letters, reversible, server, tmp_path):
    run(letters, tmp_path / "calm", reversible)

    def restart():
        server.stop()
        time.sleep(0.5)
        server.start()

    thread = threading.Timer(0.3, restart)
    thread.start()
    run(letters, tmp_path / "restarted", reversible)
    thread.join()
    assert list_outputs(tmp_path / "calm") == list_outputs(tmp_path / "restarted")


def test_a_server_that_stays_away_stops_the_run(letters, reversible, server, tmp_path, monkeypatch):
    batch = BatchRun(str(letters), str(tmp_path / "out"), reversible)
    monkeypatch.setattr(shared_vault, "PAUSE", 0.01)
    with batch.open(True) as manifest:
        engine = make_engine("local", batch.job, 1)
        server.stop()
        try:
            with pytest.raises((OutputError, VaultError), match="does not answer"):
                run_batch(manifest, engine)
        finally:
            server.start()
    assert list_outputs(tmp_path / "out") == {}
    run(letters, tmp_path / "out", reversible)


@pytest.fixture(scope="session")
def s3():
    import boto3
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer(port=0)
    running.start()
    _, port = running.get_host_and_port()
    os.environ.update(
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}",
        AWS_DEFAULT_REGION="us-east-1",
    )
    client = boto3.client("s3")
    client.create_bucket(Bucket="letters")
    yield client
    running.stop()


def fetch(s3, prefix):
    found = s3.list_objects_v2(Bucket="letters", Prefix=prefix).get("Contents", [])
    return {
        one["Key"].removeprefix(prefix): s3.get_object(Bucket="letters", Key=one["Key"])[
            "Body"
        ].read()
        for one in found
        if "/_maskwise/" not in one["Key"]
    }


def test_a_bucket_is_masked_as_a_folder(letters, s3, tmp_path):
    policy = Policy.parse(RULES)
    for path in letters.iterdir():
        s3.upload_file(str(path), "letters", f"in/{path.name}")
    run(letters, tmp_path / "out", policy)
    run("s3://letters/in", "s3://letters/out", policy, manifest=tmp_path / "run.sqlite")
    assert fetch(s3, "out/") == list_outputs(tmp_path / "out")


def test_a_store_that_throttles_is_tried_again_and_then_stops(letters, s3, tmp_path, monkeypatch):
    policy = Policy.parse(RULES)
    import s3fs

    real = s3fs.S3FileSystem._pipe_file
    calls = []

    async def throttle(self, path, data, **more):
        calls.append(path)
        if len(calls) % 3 == 1 or len(calls) > 50:
            raise OSError("SlowDown")
        return await real(self, path, data, **more)

    monkeypatch.setattr(s3fs.S3FileSystem, "_pipe_file", throttle)
    s3fs.S3FileSystem.clear_instance_cache()
    monkeypatch.setattr(store, "PAUSE", 0.001)
    batch = BatchRun(str(letters), "s3://letters/slow", policy, manifest=tmp_path / "run.sqlite")
    with batch.open(True) as manifest, pytest.raises(OutputError, match=r"tried 5 times.*--resume"):
        run_batch(manifest, _Here(batch.job))
    half = fetch(s3, "slow/")
    assert 0 < len(half) < COUNT
    monkeypatch.undo()
    s3fs.S3FileSystem.clear_instance_cache()
    run(letters, "s3://letters/slow", policy, manifest=tmp_path / "run.sqlite")
    run(letters, tmp_path / "out", policy)
    assert fetch(s3, "slow/") == list_outputs(tmp_path / "out")


class _Here:
    def __init__(self, job):
        from maskwise.scale.worker import Worker

        self.worker = Worker(job)

    def run(self, tasks):
        return map(self.worker.run, tasks)
