"""One server for all tests of this folder, called without a network. Its people are invented."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from maskwise.server.app import create_app
from maskwise.server.settings import ServerSettings

TOKEN = "desk-secret-for-tests"
KEEPER = "keeper-secret-for-tests"


def make_client(settings: ServerSettings, **options):
    """A client of a new server. Use it as a context, so that the server starts and stops."""
    app = create_app(settings, **options)
    return TestClient(app, base_url="http://localhost", raise_server_exceptions=False)


@pytest.fixture(scope="session")
def client(tmp_path_factory):
    state = tmp_path_factory.mktemp("state")
    with make_client(ServerSettings(state=str(state))) as found:
        yield found


@pytest.fixture
def tokens(monkeypatch):
    """Settings of tokens: one may sanitise, one may do everything."""
    monkeypatch.setenv("DESK_TOKEN", TOKEN)
    monkeypatch.setenv("KEEPER_TOKEN", KEEPER)
    return (
        {"name": "desk", "env": "DESK_TOKEN"},
        {"name": "keeper", "env": "KEEPER_TOKEN", "scopes": ["sanitise", "restore", "admin"]},
    )


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
