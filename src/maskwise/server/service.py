"""`Service`: what all routes share: settings, policies, threads, counts, jobs and the vault."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import httpx
from starlette.exceptions import HTTPException
from starlette.requests import Request

from maskwise.line import open_vault
from maskwise.mask.shared_vault import AnyVault
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.server.access import Caller
from maskwise.server.engine import LineThreads, count_cpus
from maskwise.server.gate import Load
from maskwise.server.gateway.memory import ConversationMemory
from maskwise.server.job_runner import JobRunner
from maskwise.server.jobs import JobStore
from maskwise.server.metrics import Metrics
from maskwise.server.recorder import log_event
from maskwise.server.settings import ServerSettings
from maskwise.server.shelf import WARMING, PolicyShelf
from maskwise.text import Document, Person

T = TypeVar("T")


@dataclass
class Service:
    """The working parts of one server process."""

    settings: ServerSettings
    shelf: PolicyShelf
    engine: LineThreads
    metrics: Metrics
    load: Load
    vault: AnyVault | None = None
    store: JobStore | None = None
    runner: JobRunner | None = None
    is_ready: bool = False
    conversations: ConversationMemory = field(default_factory=ConversationMemory)
    # No proxy of the environment, no redirect: requests go where the settings say.
    http: httpx.AsyncClient = field(
        default_factory=lambda: httpx.AsyncClient(trust_env=False, follow_redirects=False)
    )

    @classmethod
    def build(cls, settings: ServerSettings, shelf: PolicyShelf | None = None) -> Service:
        """Build all parts. A `shelf` that was filled before is shared between workers."""
        threads = settings.threads or count_cpus()
        shelf = shelf or PolicyShelf(settings.served, threads, settings.reload_seconds)
        metrics = Metrics()
        store = JobStore(Path(settings.state)) if settings.state else None
        runner = JobRunner(store, shelf, metrics, settings.keep_hours) if store else None
        engine = LineThreads(threads)
        load = Load(settings.load)
        return cls(
            settings, shelf, engine, metrics, load, open_vault(settings.vault), store, runner
        )

    async def start(self) -> None:
        """Load the models of the default policy, then take jobs and say that the server is ready."""
        await self.engine.sanitize(self.shelf.find(), [Document(WARMING)])
        keep_what_is_loaded()
        if self.runner:
            self.runner.start()
        self.is_ready = True
        log_event("ready", policies=len(self.shelf.list_policies()), threads=self.engine.threads)

    def close(self) -> None:
        """Finish what runs."""
        self.is_ready = False
        seconds = self.settings.load.shutdown_seconds
        if self.runner:
            self.runner.close(seconds)
        self.engine.close(seconds)
        if self.store:
            self.store.close()
        log_event("stopped")

    async def sanitize(
        self, sanitizer: Sanitizer, texts: Sequence[str], protect: Sequence[str] = ()
    ) -> list[Result]:
        """Sanitise texts within the time limit, and count them."""
        people = tuple(map(Person, protect))
        documents = [Document(text, protected=people) for text in texts]
        results = await self.limit(self.engine.sanitize(sanitizer, documents))
        self.metrics.count_results(sanitizer.policy.name, results)
        return results

    async def limit(self, work: Awaitable[T]) -> T:
        """Wait for some work as long as a request may take. What still waits then is dropped."""
        try:
            return await asyncio.wait_for(work, self.settings.load.seconds)
        except TimeoutError:
            raise HTTPException(504, "the request took longer than the server allows") from None


def keep_what_is_loaded() -> None:
    """Take the objects of models and lists from the garbage collector: to walk them costs a request 50 ms."""
    gc.collect()
    gc.freeze()


def get_service(request: Request) -> Service:
    """The service of the app that got a request."""
    found: Service = request.app.state.service
    return found


def get_caller(request: Request) -> Caller:
    """The caller of a request, as the gate wrote it there."""
    found: Caller = request.state.caller
    return found
