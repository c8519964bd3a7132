"""Workers share the models of the process above them, however many threads each has."""

from pathlib import Path

import httpx
import pytest
from tests.server.optional.processes import start_server

from maskwise.mask.keys import Cost
from maskwise.mask.vault import Vault

TEXT = "Ms Orla Vexley met Tom Reed in Porto."
KEY = "a key that is long enough"
WORKERS = 2


def list_workers(server):
    path = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    return [int(each) for each in path.read_text().split()]


def read_memory(process):
    """Bytes of a process that were written to: those that others have as well, and those that are its own."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    found = {name: int(rest.split()[0]) << 10 for name, rest in (row.split(":") for row in lines)}
    return found["Shared_Dirty"], found["Private_Dirty"]


def use_vault(folder):
    policy = folder / "sealed.yaml"
    Vault(folder / "v", KEY.encode(), cost=Cost(n=1024)).count_entities()
    policy.write_text(
        f"name: sealed\nextends: balanced\noperator: {{kind: encrypt}}\nvault: {{path: {folder / 'v'}}}\n"
    )
    return f"policy: {policy}"


@pytest.mark.parametrize("settings", ["threads: 1", "threads: 3", use_vault])
def test_a_worker_shares_more_memory_than_it_has_alone(tmp_path, monkeypatch, settings):
    monkeypatch.setenv("MASKWISE_VAULT_KEY", KEY)
    settings = settings if isinstance(settings, str) else settings(tmp_path)
    server = start_server(tmp_path, settings, "--workers", str(WORKERS))
    try:
        for _ in range(WORKERS * 10):
            answer = httpx.post(f"{server.url}/v1/sanitize", json={"text": TEXT}, timeout=60)
            assert answer.status_code == 200
        memory = [read_memory(worker) for worker in list_workers(server)]
    finally:
        assert server.stop() == 0
    assert len(memory) == WORKERS
    assert all(shared > own for shared, own in memory), memory
