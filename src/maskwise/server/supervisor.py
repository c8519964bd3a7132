"""Runs the server: in this process, or in several workers that share one socket and one copy of the models.

The first process loads the models and forks, so that workers share their memory where the system copies on write. It
starts a worker anew that dies, passes signals on, and ends when all workers have finished what they do.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from maskwise.errors import InputError
from maskwise.server.settings import ServerSettings, read_secret_from

FASTEST = 1.0  # seconds a worker must live; one that dies sooner is started again with a pause
FAILURES = 5  # workers in a row that cannot run, after which the server ends
BACKLOG = 2048
# Seconds. Clients and proxies give up idle connections sooner, so that none asks on a closed one.
KEEP_ALIVE = 75
SIGNALS = [signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGTERM)]


def serve(settings: ServerSettings) -> int:
    """Serve until a signal comes. Returns the exit code."""
    _raise_file_limit()
    check_files(settings)
    listening = _bind(settings)
    workers = settings.workers or 1
    if workers > 1 and hasattr(os, "fork"):
        return Supervisor(settings, listening, workers).run()
    run_worker(settings, listening)
    return 0


def check_files(settings: ServerSettings) -> None:
    """Read every secret and certificate once: what is missing is told at the start, not at a request."""
    for token in settings.tokens:
        read_secret_from(token.file, token.env, "a token")
    for upstream in (settings.openai, settings.anthropic):
        if upstream is not None and (upstream.key_file or upstream.key_env):
            read_secret_from(upstream.key_file, upstream.key_env, "a key")
    tls = settings.tls
    if tls is None:
        return
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(tls.certificate, tls.key)
        if tls.client_ca:
            context.load_verify_locations(tls.client_ca)
    except ssl.SSLError:
        raise InputError("tls: a file is no certificate, or its key is of another") from None
    except OSError as error:
        raise InputError(f"tls: a file cannot be read ({error.strerror})") from None


def run_worker(settings: ServerSettings, listening: socket.socket, shelf: Any = None) -> None:
    """Serve in this process."""
    import uvicorn

    from maskwise.server.app import create_app
    from maskwise.server.recorder import configure_logging
    from maskwise.server.service import Service
    from maskwise.server.wire import CarefulProtocol

    configure_logging()
    app = create_app(settings, Service.build(settings, shelf))
    with suppress(AttributeError, ValueError):  # no such signal, or not in the main thread
        signal.signal(signal.SIGHUP, lambda *_: app.state.service.shelf.reload())
        # Uvicorn ends gracefully, then raises the signal again: the exit code should say that all went well.
        for name in ("SIGTERM", "SIGINT"):
            signal.signal(getattr(signal, name), lambda *_: None)
    config = uvicorn.Config(
        app,
        http=CarefulProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        date_header=True,
        lifespan="on",
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=settings.load.shutdown_seconds,
        **_describe_tls(settings),
    )
    uvicorn.Server(config).run(sockets=[listening])


def _describe_tls(settings: ServerSettings) -> dict[str, Any]:
    if settings.tls is None:
        return {}
    found: dict[str, Any] = {
        "ssl_certfile": settings.tls.certificate,
        "ssl_keyfile": settings.tls.key,
    }
    if settings.tls.client_ca:
        found |= {"ssl_ca_certs": settings.tls.client_ca, "ssl_cert_reqs": ssl.CERT_REQUIRED}
    return found


def _end_without(parent: int) -> None:
    """End this worker when the process above it is gone: nobody could stop it, and it would keep the port."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(FASTEST)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="maskwise-parent", daemon=True).start()


class Supervisor:
    """The process above the workers."""

    def __init__(self, settings: ServerSettings, listening: socket.socket, workers: int) -> None:
        self._settings, self._socket, self._count = settings, listening, workers
        self._workers: dict[int, float] = {}
        self._is_ending = False
        self._failures = 0  # workers in a row that could not run
        self._counts = tempfile.mkdtemp(prefix="maskwise-metrics-")

    def run(self) -> int:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = self._counts
        shelf = self._prepare()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        signal.signal(signal.SIGHUP, self._pass_on)
        try:
            for _ in range(self._count):
                if not self._is_ending:
                    self._fork(shelf)
            while self._workers:
                self._wait(shelf)
        finally:
            shutil.rmtree(self._counts, ignore_errors=True)
        return 1 if self._failures >= FAILURES else 0

    def _prepare(self) -> Any:
        """Load policies and their models once for all workers.

        What reads ends its threads before it returns, so that none is lost in a fork. A vault is an open file, which
        every worker opens for itself.
        """
        from maskwise.server.engine import count_cpus
        from maskwise.server.jobs import JobStore
        from maskwise.server.service import keep_what_is_loaded
        from maskwise.server.shelf import WARMING, PolicyShelf

        settings = self._settings
        threads = settings.threads or max(1, count_cpus() // self._count)
        self._settings = settings.model_copy(update={"threads": threads})
        shelf = PolicyShelf(settings.served, threads, settings.reload_seconds)
        shelf.load_models()
        if shelf.default_policy.vault is None:
            shelf.find().sanitize(WARMING)
        keep_what_is_loaded()
        if settings.state:
            JobStore(Path(settings.state)).close()  # makes its key, once for all workers
        return shelf

    def _fork(self, shelf: Any) -> None:
        """Start a worker. A signal that comes meanwhile waits until the worker is known, so that it gets it too."""
        sys.stdout.flush()
        sys.stderr.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        parent = os.getpid()
        process = os.fork()
        if process:
            self._workers[process] = time.monotonic()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            return
        code = 1
        try:
            for number in SIGNALS:
                is_reload = number not in (signal.SIGTERM, signal.SIGINT)
                signal.signal(number, signal.SIG_IGN if is_reload else signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            _end_without(parent)
            run_worker(self._settings, self._socket, shelf)
            code = 0
        except BaseException as error:
            print(f"maskwise: error: a worker cannot run ({type(error).__name__})", file=sys.stderr)
        finally:
            os._exit(code)

    def _wait(self, shelf: Any) -> None:
        """Wait for the end of a worker, and start another in its place unless all end."""
        try:
            process, status = os.wait()
        except ChildProcessError:
            self._workers.clear()
            return
        began = self._workers.pop(process, 0.0)
        self._forget_counts(process)
        if self._is_ending:
            return
        self._failures = self._failures + 1 if os.waitstatus_to_exitcode(status) == 1 else 0
        if self._failures >= FAILURES:
            self._end()
            return
        if time.monotonic() - began < FASTEST:
            time.sleep(FASTEST)
        if not self._is_ending:  # a signal may have come in the pause
            self._fork(shelf)

    def _forget_counts(self, process: int) -> None:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(process, self._counts)  # type: ignore[no-untyped-call]

    def _end(self, *_: Any) -> None:
        self._is_ending = True
        self._pass_on(signal.SIGTERM)

    def _pass_on(self, number: int, *_: Any) -> None:
        for process in list(self._workers):
            with suppress(ProcessLookupError):
                os.kill(process, number)


def _bind(settings: ServerSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        raise InputError(
            f"{settings.host}:{settings.port} cannot be used ({error.strerror}); choose another --port"
        ) from None
    listening.listen(BACKLOG)
    listening.set_inheritable(True)
    return listening


def _raise_file_limit() -> None:
    """Allow as many open connections as the system lets this user have."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
