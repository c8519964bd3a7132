"""Ends a run in order when the system asks for it: SIGTERM is taken as Ctrl-C, and other libraries leave both alone."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Raise `KeyboardInterrupt` on SIGTERM, as Python does on Ctrl-C, so that what is done is written down."""
    with keep_signals():
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, _interrupt)
        yield


@contextmanager
def keep_signals() -> Iterator[None]:
    """Put back the handlers that a library replaces inside the block. Only the main thread has any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def die_with_parent() -> None:
    """Ask the system to end this process when its parent dies, so that a killed run leaves nobody behind."""
    if sys.platform != "linux":
        return
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
