"""A server talks to nobody and writes where its settings say, whatever the libraries that it loads would do."""

import os
import re
import signal
from pathlib import Path

import httpx
from tests.server.optional.processes import start_server

TEXT = "Ms Orla Vexley met Tom Reed in Porto."
POLICIES = ("balanced", "anonymous", "thorough", "court")
CALLS = "socket,connect,bind,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,execve"
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|^\d+ +(?:creat|mkdir|rename)\w*\(")
LOOPBACK = 'inet_addr("127.0.0.1")'


def make_home(folder, monkeypatch):
    """Homes, caches and temporary files of their own, so that all that is written is seen."""
    for name, own in (("HOME", "home"), ("TMPDIR", "tmp"), ("XDG_CACHE_HOME", "cache")):
        (folder / own).mkdir()
        monkeypatch.setenv(name, str(folder / own))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")


def ask_everything(server):
    for policy in POLICIES:
        body = {"text": TEXT, "policy": policy}
        answer = httpx.post(f"{server.url}/v1/sanitize", json=body, timeout=300)
        assert answer.status_code == 200
    for path in ("/v1/risk", "/v1/analyze", "/v1/jobs"):
        assert httpx.post(f"{server.url}{path}", json={"text": TEXT}, timeout=300).is_success
    file = {"file": ("a.html", b"<p>Ms Orla Vexley left.</p>")}
    assert httpx.post(f"{server.url}/v1/sanitize/file", files=file, timeout=300).is_success


def trace(folder):
    """What a server asks of the system, one call per line, each with what it was asked."""
    log = folder / "calls"
    before = ("strace", "-f", "-qq", "-e", f"trace={CALLS}", "-o", str(log))
    state = folder / "state"
    server = start_server(folder, f"state: {state}\nthreads: 2", "--workers", "2", before=before)
    ask_everything(server)
    # A signal for strace itself would end it and leave the server alone.
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    os.kill(int(children.read_text().split()[0]), signal.SIGTERM)
    assert server.process.wait(60) == 0
    return log.read_text(errors="replace").splitlines()


def test_nothing_is_sent_started_or_written_elsewhere(tmp_path, monkeypatch):
    make_home(tmp_path, monkeypatch)
    calls = trace(tmp_path)
    assert [line for line in calls if "execve(" in line and "maskwise" not in line] == []
    assert not any("connect(" in line for line in calls)
    bound = [line for line in calls if "bind(" in line]
    assert len(bound) == 1
    assert LOOPBACK in bound[0]
    written = {line.split('"')[1] for line in calls if WRITES.search(line) and '"' in line}
    assert f"{tmp_path}/state" in written
    allowed = (f"{tmp_path}/state", f"{tmp_path}/tmp/", "/dev/null")
    assert {path for path in written if not path.startswith(allowed)} == set()
    for name in ("home", "cache", "tmp"):
        assert list((tmp_path / name).iterdir()) == []
