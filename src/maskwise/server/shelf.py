"""`PolicyShelf`: the policies that clients can name, each built once, and built again when its file changes."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from maskwise.errors import MaskwiseError, PolicyError
from maskwise.plugins import suggest_nearest
from maskwise.policy import Policy, list_shipped
from maskwise.sanitizer import Sanitizer

WARMING = "Mr John Smith was born on 3 May 1971."
BUILT = 16  # sanitisers that are kept: a policy with another crowd size is another sanitiser
PHRASES = "phrases"  # the detector that offers what only a crowd asks to mask


class PolicyVariant(NamedTuple):
    """A policy by name, and what a request asks of its crowd."""

    policy: str
    k: int | None = None
    risk: bool = False


@dataclass
class ShelvedPolicy:
    """A policy, where it comes from, and how its file looked when it was read. `problem` says why a reload failed."""

    source: str
    policy: Policy
    stamp: tuple[int, int] | None = None
    problem: str = ""


@dataclass
class PolicyShelf:
    """The policies of a server. `sources` are names and files; the first is the default.

    A file that changes is read again. If the new one is wrong, the old one stays in force and `problem` says why.
    """

    sources: Sequence[str]
    threads: int | None = None
    every: float = 2.0  # seconds between two looks at the files
    clock: Callable[[], float] = time.monotonic
    _policies: dict[str, ShelvedPolicy] = field(default_factory=dict, init=False)
    _built: OrderedDict[PolicyVariant, Sanitizer] = field(default_factory=OrderedDict, init=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)
    _looked: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        for source in self.sources:
            policy = self._load(source)
            if policy.name in self._policies:
                raise PolicyError(f"two policies have the name {policy.name!r}; rename one")
            self._policies[policy.name] = ShelvedPolicy(source, policy, _read_stamp(source))
        self._looked = self.clock()

    @property
    def default(self) -> str:
        return next(iter(self._policies))

    @property
    def default_policy(self) -> Policy:
        return self._policies[self.default].policy

    def load_models(self) -> None:
        """Load all models that policies name, and the lists that every line reads."""
        policies = [shelved.policy for shelved in self.list_policies()]
        usual = Policy.load("balanced")  # has no vault
        for model, threads in {(policy.model, policy.threads) for policy in policies}:
            chosen = usual.model_copy(update={"model": model, "threads": threads})
            Sanitizer(chosen).sanitize(WARMING)

    def list_policies(self) -> list[ShelvedPolicy]:
        return list(self._policies.values())

    def find(self, name: str | None = None, k: int | None = None, risk: bool = False) -> Sanitizer:
        """The sanitiser of a policy. It loads its models when the first document comes."""
        with self._lock:
            if self.clock() - self._looked >= self.every:
                self.reload()
            chosen = name or self.default
            if chosen not in self._policies:
                guess = suggest_nearest(chosen, self._policies) if len(chosen) <= 64 else ""
                raise PolicyError(
                    f"no such policy{guess}; this server has: {', '.join(self._policies)}"
                )
            return self._build(PolicyVariant(chosen, k, risk))

    def reload(self) -> int:
        """Read the files that changed again. Returns how many policies are new."""
        changed = 0
        with self._lock:
            self._looked = self.clock()
            for name, shelved in self._policies.items():
                stamp = _read_stamp(shelved.source)
                if stamp is not None and stamp != shelved.stamp:
                    changed += self._reload_one(name, shelved, stamp)
        return changed

    def _reload_one(self, name: str, shelved: ShelvedPolicy, stamp: tuple[int, int]) -> bool:
        shelved.stamp = stamp
        try:
            policy = self._load(shelved.source)
            if policy.name != name:
                raise PolicyError(f"its name is {policy.name!r} now; restart the server")
            fresh = Sanitizer(policy)
        except MaskwiseError as error:
            shelved.problem = str(error)
            return False
        for variant in [each for each in self._built if each.policy == name]:
            del self._built[variant]
        self._built[PolicyVariant(name)] = fresh
        shelved.policy = policy
        shelved.problem = ""
        return True

    def _build(self, variant: PolicyVariant) -> Sanitizer:
        found = self._built.get(variant)
        if found is None:
            policy = self._policies[variant.policy].policy
            found = Sanitizer(_vary_policy(policy, variant))
            self._built[variant] = found
            while len(self._built) > BUILT:
                self._built.popitem(last=False)
        self._built.move_to_end(variant)
        return found

    def _load(self, source: str) -> Policy:
        policy = Policy.load(source)
        if policy.scope == "corpus":
            raise PolicyError(
                f"{policy.name}: scope 'corpus' would join documents of all clients; use 'document' or a vault"
            )
        threads = policy.threads or self.threads
        return policy.model_copy(update={"threads": threads})


def _vary_policy(policy: Policy, variant: PolicyVariant) -> Policy:
    """The policy with the crowd that a request asks for."""
    if variant.k is None and not variant.risk:
        return policy
    raw = policy.model_dump(mode="json")
    crowd = raw["crowd"] or {}
    raw["crowd"] = crowd if variant.k is None else {**crowd, "k": variant.k}
    has_phrases = any(part["kind"] == PHRASES for part in raw["detectors"])
    if variant.k is not None and not has_phrases:
        raw["detectors"].append({"kind": PHRASES})
    return Policy.parse(raw, policy.name)


def _read_stamp(source: str) -> tuple[int, int] | None:
    """Time and size of a policy's file; None for a shipped one and for a file that is gone."""
    if source in list_shipped():
        return None
    try:
        found = Path(source).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
