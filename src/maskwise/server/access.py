"""Identifies callers by tokens with scopes, compared in constant time, and limits how often each caller may call."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

CALLERS = 10_000  # callers whose rate is remembered


class AccessScope(StrEnum):
    """A right of a caller. Nobody restores or administers without a token."""

    SANITISE = "sanitise"
    RESTORE = "restore"
    ADMIN = "admin"


@dataclass(frozen=True)
class Caller:
    """The sender of a request, by the name of its token, with its rights."""

    name: str
    scopes: frozenset[AccessScope]


LOCAL = Caller("local", frozenset((AccessScope.SANITISE,)))  # of a server without tokens


class Authenticator(Protocol):
    """Tells who sent a request from its headers; None if it cannot tell."""

    def identify(self, headers: Mapping[str, str]) -> Caller | None: ...


@dataclass(frozen=True)
class TokenTable:
    """Tokens by name. It keeps their hashes, and compares with all of them, so that time tells nothing.

    >>> table = TokenTable.build([("desk", "a-long-enough-secret", [AccessScope.SANITISE])])
    >>> table.identify({"authorization": "Bearer a-long-enough-secret"}).name
    'desk'
    """

    hashes: Mapping[str, tuple[bytes, Caller]] = field(repr=False)

    @classmethod
    def build(cls, tokens: Iterable[tuple[str, str, Iterable[AccessScope]]]) -> TokenTable:
        hashes = {}
        for name, secret, scopes in tokens:
            hashes[name] = (_hash_secret(secret), Caller(name, frozenset(scopes)))
        return cls(hashes)

    def identify(self, headers: Mapping[str, str]) -> Caller | None:
        given = _hash_secret(_read_token(headers))
        found = None
        for known, caller in self.hashes.values():
            if hmac.compare_digest(known, given):
                found = caller
        return found


def _hash_secret(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


def _read_token(headers: Mapping[str, str]) -> str:
    """The token of a request. Clients of language models can send theirs only where a key of a provider goes."""
    if own := headers.get("x-maskwise-token"):
        return own
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.casefold() == "bearer":
        return value.strip()
    return headers.get("x-api-key", "")


@dataclass
class RateLimit:
    """So many requests per second and caller, and a burst of some more (a token bucket).

    >>> limit = RateLimit(rate=1, burst=1, clock=lambda: 0.0)
    >>> limit.take("desk"), limit.take("desk")
    (0.0, 1.0)
    """

    rate: float | None
    burst: int
    clock: Callable[[], float] = time.monotonic
    _known: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict, repr=False)

    def take(self, caller: str) -> float:
        """Take one request. Returns the seconds to wait before the next try; 0 if it may go ahead."""
        if self.rate is None:
            return 0.0
        now = self.clock()
        left, then = self._known.pop(caller, (float(self.burst), now))
        left = min(self.burst, left + (now - then) * self.rate)
        wait = 0.0 if left >= 1 else (1 - left) / self.rate
        self._known[caller] = (left - 1 if left >= 1 else left, now)
        while len(self._known) > CALLERS:
            self._known.popitem(last=False)
        return wait
