"""A PostgreSQL server that restarts, and a local S3 server that throttles: the same bytes, or one clear line."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from zlib import crc32

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
AT = 10  # the outcome after which a service fails
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
    batch, seen = BatchRun(str(letters), str(tmp_path / "restarted"), reversible), []

    def restart(outcome, task):
        seen.append(task)
        if len(seen) == AT:
            server.stop()
            threading.Timer(0.5, server.start).start()

    with batch.open(False) as manifest:
        run_batch(manifest, make_engine("local", batch.job, 2), restart)
        assert manifest.count()["done"][0] == COUNT
    assert list_outputs(tmp_path / "calm") == list_outputs(tmp_path / "restarted")


def test_a_server_that_stays_away_stops_the_run(letters, reversible, server, tmp_path, monkeypatch):
    run(letters, tmp_path / "calm", reversible)
    batch, seen = BatchRun(str(letters), str(tmp_path / "out"), reversible), []
    monkeypatch.setattr(shared_vault, "PAUSE", 0.01)

    def leave(outcome, task):
        seen.append(task)
        if len(seen) == AT:
            server.stop()

    with batch.open(False) as manifest:
        engine = make_engine("local", batch.job, 2)
        try:
            with pytest.raises((OutputError, VaultError), match="does not answer"):
                run_batch(manifest, engine, leave)
        finally:
            server.start()
        assert AT <= manifest.count()["done"][0] < COUNT
    assert list_outputs(tmp_path / "out").items() < list_outputs(tmp_path / "calm").items()
    run(letters, tmp_path / "out", reversible)
    assert list_outputs(tmp_path / "out") == list_outputs(tmp_path / "calm")


class FaultyStore:
    """Stands before an S3 server, and does to a request what `faults` says of its method, path and try."""

    def __init__(self, app):
        self._app, self._lock = app, threading.Lock()
        self.heal()

    def heal(self):
        self.faults, self.tries, self.done = {}, Counter(), Counter()

    def __call__(self, environ, start_response):
        with self._lock:
            method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
            self.tries[method, path] += 1
            choose = self.faults.get(method)
            fault = choose(path, self.tries[method, path]) if choose else None
            self.done[method, fault] += 1
        if fault == "throttle":
            start_response("503 Slow Down", [("Content-Type", "application/xml")])
            return [b"<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>"]
        if fault == "fail":
            start_response("500 Internal Server Error", [("Content-Type", "application/xml")])
            return [b"<Error><Code>InternalError</Code><Message>Try again.</Message></Error>"]
        if fault == "cut":  # in the middle of what the client sends
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0) // 2)
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        if fault == "truncate":  # in the middle of what the client reads
            body = b"".join(self._app(environ, start_response))
            return [body[: len(body) // 2]]
        return self._app(environ, start_response)


@pytest.fixture(scope="session")
def store_server():
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    faulty = FaultyStore(DomainDispatcherApplication(create_backend_app))
    serving = make_server("127.0.0.1", 0, faulty, threaded=True)
    thread = threading.Thread(target=serving.serve_forever, daemon=True)
    thread.start()
    os.environ.update(
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_ENDPOINT_URL=f"http://127.0.0.1:{serving.server_port}",
        AWS_DEFAULT_REGION="us-east-1",
        AWS_MAX_ATTEMPTS="1",  # what is tried again is tried by us
    )
    yield faulty
    serving.shutdown()


@pytest.fixture
def faulty(store_server, s3, monkeypatch):
    """The store with faults, whose client tries once."""
    import s3fs

    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    monkeypatch.setattr(store, "PAUSE", 0.001)
    s3fs.S3FileSystem.clear_instance_cache()
    yield store_server
    store_server.heal()
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture(scope="session")
def s3(store_server):
    import boto3

    client = boto3.client("s3")
    client.create_bucket(Bucket="letters")
    return client


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


def test_a_bucket_that_is_not_there_is_not_made(letters, s3, tmp_path):
    """Its name may be mistyped."""
    batch = BatchRun(
        str(letters), "s3://leters/out", Policy.parse(RULES), manifest=tmp_path / "run.sqlite"
    )
    with pytest.raises(OutputError, match="cannot be written"):
        batch.open(False)
    assert [one["Name"] for one in s3.list_buckets()["Buckets"]] == ["letters"]


def always(fault):
    return lambda path, tries: fault


def at_first(*faults):
    """One of the faults for the first request of each path, whatever the order of requests."""
    return lambda path, tries: faults[crc32(path.encode()) % len(faults)] if tries == 1 else None


@pytest.fixture
def stored(letters, s3, tmp_path):
    """Letters in a bucket, and their masks."""
    for path in letters.iterdir():
        s3.upload_file(str(path), "letters", f"in/{path.name}")
    run(letters, tmp_path / "calm", Policy.parse(RULES))
    return list_outputs(tmp_path / "calm")


def test_a_store_that_fails_now_and_then_costs_nothing(stored, s3, faulty, tmp_path):
    """It throttles, breaks off what is written, and sends half of what is read."""
    faulty.faults = {
        "PUT": at_first("throttle", "cut", "fail"),
        "GET": at_first("truncate", "throttle"),
    }
    target = "s3://letters/rough"
    run("s3://letters/in", target, Policy.parse(RULES), manifest=tmp_path / "run.sqlite")
    told = {fault: count for (_, fault), count in faulty.done.items() if fault}
    assert set(told) == {"throttle", "cut", "fail", "truncate"}
    faulty.heal()
    assert fetch(s3, "rough/") == stored


@pytest.mark.parametrize("fault", ["throttle", "cut", "fail"])
def test_a_store_that_stays_broken_stops_the_run(stored, s3, faulty, tmp_path, fault):
    target = f"s3://letters/{fault}"
    batch = BatchRun(
        "s3://letters/in", target, Policy.parse(RULES), manifest=tmp_path / "run.sqlite"
    )
    seen = []

    def fail_from_here(outcome, task):
        seen.append(task)
        if len(seen) == AT:
            faulty.faults = {"PUT": always(fault)}

    with batch.open(False) as manifest:
        engine = make_engine("local", batch.job, 2)
        with pytest.raises(OutputError, match=r"tried 5 times.*--resume") as caught:
            run_batch(manifest, engine, fail_from_here)
    assert "\n" not in str(caught.value)
    faulty.heal()
    assert AT <= len(half := fetch(s3, f"{fault}/")) < COUNT
    assert half.items() < stored.items()  # nothing is half-written
    run("s3://letters/in", target, Policy.parse(RULES), manifest=tmp_path / "run.sqlite")
    assert fetch(s3, f"{fault}/") == stored


def test_documents_that_a_store_keeps_back_are_errors(stored, s3, faulty, tmp_path):
    """Half of a document is never masked for all of it."""
    policy = Policy.parse(RULES)
    batch = BatchRun("s3://letters/in", str(tmp_path / "out"), policy)
    with batch.open(False) as manifest:
        engine = make_engine("local", batch.job, 2)
        faulty.faults = {"GET": always("truncate")}
        run_batch(manifest, engine)
        reasons = [error["reason"] for error in manifest.list_errors()]
    assert len(reasons) == COUNT
    assert all("cannot be read" in reason and "tried 5 times" in reason for reason in reasons)
    assert list_outputs(tmp_path / "out") == {}
    faulty.heal()
    run("s3://letters/in", tmp_path / "out", policy)
    assert list_outputs(tmp_path / "out") == stored
