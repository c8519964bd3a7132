from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from playback import PlaybackServer

from maskwise.risk.engines import client


@pytest.fixture
def server() -> Iterator[PlaybackServer]:
    found = PlaybackServer()
    thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    found.release.set()
    found.shutdown()
    thread.join()
    found.server_close()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses that were taken, without taking them."""
    taken: list[float] = []
    monkeypatch.setattr(client.time, "sleep", taken.append)
    return taken
