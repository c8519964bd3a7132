"""Runs many ways to mask over the same documents: policies, the recall knob, and K in the crowd.

The people of a document are found once, and the same attackers look for them in every masked version, so versions can
be compared. A version with K hides from attackers; those that are named as judges are kept from it and only judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from maskwise.crowd.measured import CrowdRisk, Watchers
from maskwise.errors import InputError
from maskwise.evaluate.tradeoff import MaskedOutcome, PersonStanding, VersionKind
from maskwise.evaluate.utility import Information, compute_information, measure_utility
from maskwise.evaluate.weights import load_language_model
from maskwise.lm import Reading
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.settings import CrowdSettings
from maskwise.text import Document
from maskwise.text.masks import Mask
from maskwise.watching import CrowdWatch

CLEAR = "clear text"
HIDING = "anonymous"  # the policy that K belongs to
KNOB = "balanced"  # the policy whose recall knob is turned
EVERY = 6  # terms hidden at once to measure information (N-TA)


@dataclass(frozen=True, slots=True)
class Version:
    """One way to mask. Without a policy the text stays as it is."""

    name: str
    kind: VersionKind
    policy: Policy | None


@dataclass(frozen=True, slots=True)
class VersionOutcome:
    """One document under one version. `text` is what a reader sees."""

    version: Version
    document: Document
    outcome: MaskedOutcome
    text: str = field(repr=False)
    masks: tuple[Mask, ...] = field(default=(), repr=False)


def list_versions(
    policies: Sequence[str], recalls: Sequence[float], ks: Sequence[int], asked: CrowdSettings
) -> list[Version]:
    """The clear text, shipped policies as they are, points of the knob, and K, hidden from the attackers `asked`."""
    found = [Version(CLEAR, VersionKind.CLEAR, None)]
    for name in policies:
        policy = Policy.load(name)
        # What is measured is measured by the judges, for all versions alike.
        own = policy.crowd if policy.crowd and policy.crowd.k else None
        hiding = own and asked.model_copy(update={"k": own.k})
        found.append(Version(name, VersionKind.POLICY, policy.model_copy(update={"crowd": hiding})))
    for recall in recalls:
        turned = Policy.load(KNOB).model_copy(update={"recall": recall})
        found.append(Version(f"recall {recall:g}", VersionKind.RECALL, turned))
    for k in ks:
        hiding = asked.model_copy(update={"k": k})
        policy = Policy.load(HIDING).model_copy(update={"crowd": hiding})
        found.append(Version(f"K = {k}", VersionKind.CROWD, policy))
    return found


class VersionTrial:
    """Documents under all versions, judged by the same attackers of one crowd."""

    def __init__(self, versions: Sequence[Version], judges: CrowdSettings) -> None:
        self.versions = versions
        self._judge = CrowdWatch(judges)
        self._sanitizers = {
            version.name: Sanitizer(version.policy) for version in versions if version.policy
        }
        self._reader = Sanitizer(Policy.load(HIDING).model_copy(update={"crowd": None}))
        self._model = load_language_model("lm")

    def run(self, documents: Sequence[Document]) -> Iterator[VersionOutcome]:
        """Yields every document under every version, document by document."""
        for given in documents:
            # The versions share what the model says of the text.
            document = replace(given, reading=Reading())
            known = compute_information(document.text, self._model, EVERY)
            watchers = self._judge.find_watchers(document, self._reader.entities(document))
            for version in self.versions:
                if version.policy is None:
                    yield self._keep(version, document, known, watchers)
                else:
                    yield self._mask(version, document, known, watchers)

    def _keep(
        self, version: Version, document: Document, known: Information, watchers: Watchers
    ) -> VersionOutcome:
        standings = []
        if watchers.subjects:
            risk = watchers.measure(np.zeros(len(watchers.words), dtype=bool))
            standings = list_standings(risk)
        utility = measure_utility(document.text, (), known)
        return VersionOutcome(
            version, document, MaskedOutcome(utility, tuple(standings)), document.text
        )

    def _mask(
        self, version: Version, document: Document, known: Information, watchers: Watchers
    ) -> VersionOutcome:
        sanitizer = self._sanitizers[version.name]
        result: Result = sanitizer.sanitize(document)
        standings = []
        if watchers.subjects:
            levels = {entity.id: sanitizer.levels(entity) for entity in result.entities}
            risk = self._judge.measure(watchers, document, result.entities, result.plan, levels, "")
            standings = list_standings(risk)
        utility = measure_utility(document.text, result.masks, known)
        return VersionOutcome(
            version,
            document,
            MaskedOutcome(utility, tuple(standings)),
            result.text,
            tuple(result.masks),
        )


def list_standings(risk: CrowdRisk) -> list[PersonStanding]:
    """Where each person of a measured document stands after masking."""
    return [PersonStanding(person.rank, person.probability) for person in risk.persons]


def split_attackers(names: Sequence[str], judges: Sequence[str]) -> tuple[str, ...]:
    """The attackers from whom K hides: all that do not judge, or all where no judge is named."""
    if unknown := [name for name in judges if name not in names]:
        raise InputError(f"--judges: no attacker {unknown[0]!r}; there are {', '.join(names)}")
    asked = tuple(name for name in names if name not in judges)
    if not asked:
        raise InputError("--judges: leave at least one attacker to hide from")
    return asked
