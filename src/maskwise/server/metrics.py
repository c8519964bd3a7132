"""Metrics for Prometheus: counts and times by route, policy and type. No label ever comes from a request's text."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from maskwise.result import Result

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where several workers add up their counts
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The counters of one worker. With several workers, `render` adds up those of all."""

    content_type = "text/plain; version=0.0.4; charset=utf-8"

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = self._count("requests", "Requests.", "method", "route", "status")
        self.seconds = Histogram(
            "maskwise_request_seconds",
            "Time of a request.",
            ["route"],
            buckets=BUCKETS,
            registry=self._registry,
        )
        self.running = self._measure("requests_running", "Requests that wait or run.")
        self.documents = self._count("documents", "Documents that were masked.", "policy")
        self.characters = self._count("characters", "Characters that were read.", "policy")
        self.mentions = self._count("mentions", "Mentions that were masked.", "type")
        self.failures = self._count("failures", "Errors.", "kind")
        self.jobs = self._count("jobs", "Jobs that ended.", "state")
        self.restored = self._count("restored_tokens", "Tokens of the vault that were restored.")
        self.placeholders = self._count("gateway_placeholders", "Placeholders of answers.", "kind")
        build = self._measure("build_info", "The version.", "version")
        build.labels(version("maskwise")).set(1)

    def count_results(self, policy: str, results: Iterable[Result]) -> None:
        """Count what was masked."""
        for result in results:
            self.documents.labels(policy).inc()
            self.characters.labels(policy).inc(result.coverage.characters)
            for entity in result.entities:
                if result.plan.by_entity[entity.id].masked:
                    self.mentions.labels(entity.type.value).inc(len(entity.mentions))

    def render(self) -> bytes:
        """All counts in the format of Prometheus."""
        if os.environ.get(FOLDER):
            merged = CollectorRegistry()
            MultiProcessCollector(merged)  # type: ignore[no-untyped-call]
            return generate_latest(merged)
        return generate_latest(self._registry)

    def _count(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"maskwise_{name}", what, labels, registry=self._registry)

    def _measure(self, name: str, what: str, *labels: str) -> Gauge:
        return Gauge(
            f"maskwise_{name}",
            what,
            labels,
            registry=self._registry,
            multiprocess_mode="livesum" if not labels else "livemostrecent",
        )
