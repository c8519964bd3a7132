"""The people who review: their roles, links that work once, and the cookies they are exchanged for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from maskwise.server.access import AccessScope, Caller

COOKIE = "maskwise_review"  # with the port: cookies know none, and two projects may be open at once


class ReviewRole(StrEnum):
    """The role of a person: may edit, may approve as well, or may also assign documents."""

    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    MANAGER = "manager"


@dataclass(frozen=True)
class Reviewer(Caller):
    """A person who entered by a link."""

    role: ReviewRole = ReviewRole.REVIEWER


@dataclass
class ReviewSessions:
    """Links that were given out and sessions that began. It keeps hashes alone, and forgets them with the process."""

    _links: dict[bytes, Reviewer] = field(default_factory=dict, repr=False)
    _sessions: dict[bytes, Reviewer] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def invite(self, name: str, role: ReviewRole) -> str:
        """The secret of a link that works once."""
        secret = secrets.token_urlsafe(32)
        person = Reviewer(name, frozenset((AccessScope.SANITISE,)), role)
        with self._lock:
            self._links[_hash(secret)] = person
        return secret

    def enter(self, secret: str) -> str | None:
        """Exchange the secret of a link for that of a session; None if it was used or is unknown."""
        with self._lock:
            person = self._links.pop(_hash(secret), None)
            if person is None:
                return None
            session = secrets.token_urlsafe(32)
            self._sessions[_hash(session)] = person
        return session

    def identify(self, headers: Mapping[str, str]) -> Caller | None:
        """The person who sent a request, by its cookie."""
        given = _read_cookies(headers.get("cookie", "")).get(name_cookie(headers.get("host", "")))
        if not given:
            return None
        digest = _hash(given)
        for known, person in list(self._sessions.items()):
            if hmac.compare_digest(known, digest):
                return person
        return None


def name_cookie(host: str) -> str:
    """The name of the cookie of the project at an address.

    >>> name_cookie("127.0.0.1:8392"), name_cookie("[::1]")
    ('maskwise_review_8392', 'maskwise_review')
    """
    port = host.rpartition("]")[2].rpartition(":")[2] if ":" in host.rpartition("]")[2] else ""
    return f"{COOKIE}_{port}" if port else COOKIE


def _read_cookies(header: str) -> dict[str, str]:
    """The cookies of a request. Other programs on this machine may have set odd ones, which are no reason to stop."""
    pairs = (each.partition("=") for each in header.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
