"""Compares two policies on the same texts: what does one stop masking that the other masks?

The texts are twelve short invented documents that ship with the package. What a policy writes in place of a mask does
not matter here, so neither a vault nor a secret is needed, and nothing is sent anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from maskwise.plugins import Part
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, EntityType
from maskwise.weakening import IDENTIFYING

_LOCAL = ("local", "population")  # indexes on this machine; any other may send text to another one


@dataclass(frozen=True)
class Loss:
    """A kind of text that a policy no longer masks, and how often."""

    type: str
    subtype: str
    direct: bool
    count: int


@dataclass(frozen=True)
class Comparison:
    """The mentions that a policy stops masking, of the `masked` mentions that another one masks in `documents` texts.

    `not_asked` names indicators that were left out because they ask a search engine, or a population about one person.
    """

    documents: int
    masked: int
    losses: tuple[Loss, ...]
    not_asked: tuple[str, ...] = ()

    @property
    def lost(self) -> int:
        return sum(loss.count for loss in self.losses)

    @property
    def lost_direct(self) -> int:
        """How many direct identifiers, among them all names of people and codes, are no longer masked."""
        return sum(loss.count for loss in self.losses if loss.direct)


def read_probes() -> dict[str, str]:
    """Read the invented documents, by name."""
    folder = files("maskwise.bundle").joinpath("probes")
    found = sorted((item.name, item) for item in folder.iterdir() if item.name.endswith(".txt"))
    return {name.removesuffix(".txt"): item.read_text("utf-8") for name, item in found}


def compare_policies(
    policy: Policy, other: Policy, texts: Mapping[str, str] | None = None
) -> Comparison:
    """Find what `policy` stops masking that `other` masks, in the invented documents or in texts of yours by name."""
    named = read_probes() if texts is None else texts
    documents = [Document(text, id=name) for name, text in named.items()]
    results = [list(Sanitizer(_make_runnable(each)).run(documents)) for each in (policy, other)]
    found: Counter[tuple[str, str, bool]] = Counter()
    masked = 0
    for mine, theirs in zip(*results, strict=True):
        covered = {at for start, end, _ in mine.masks for at in range(start, end)}
        for kind, subtype, direct, span in _list_masked_mentions(theirs):
            masked += 1
            text = mine.document.text
            left = "".join(text[at] for at in range(*span) if at not in covered).strip()
            if any(map(str.isalnum, left)):
                is_identifier = direct and not _is_label(kind, subtype, left, text[slice(*span)])
                found[kind, subtype, is_identifier] += 1
    losses = tuple(Loss(*what, count) for what, count in sorted(found.items(), key=_rank_loss))
    indicators = (*policy.assessed, *other.assessed)
    left_out = sorted({part.kind for part in indicators if _is_asked_outside(part)})
    return Comparison(len(documents), masked, losses, tuple(left_out))


def _is_label(kind: str, subtype: str, left: str, whole: str) -> bool:
    """Whether what stays of a code is a word beside it, such as the label of the next one."""
    return kind == EntityType.CODE and left.isalpha() and (not subtype or left != whole)


def _rank_loss(item: tuple[tuple[str, str, bool], int]) -> tuple[Any, ...]:
    """Return the order of losses: direct identifiers first, then what is lost most often."""
    (kind, subtype, direct), count = item
    return not direct, -count, kind, subtype


def _list_masked_mentions(result: Result) -> Iterable[tuple[str, str, bool, tuple[int, int]]]:
    for entity in result.entities:
        if result.plan.by_entity[entity.id].masked:
            for mention in entity.mentions:
                direct = entity.is_direct or entity.type in IDENTIFYING
                yield entity.type.value, mention.subtype, direct, mention.span


def _make_runnable(policy: Policy) -> Policy:
    """Return a policy with the same decisions that needs no vault, no secret and no search engine."""
    changed: dict[str, Any] = {
        "vault": None,
        "scope": "document",
        "indicators": tuple(part for part in policy.assessed if not _is_asked_outside(part)),
        "index": None,
        "operator": _write_plainly(policy.operator),
        "operators": {kind: _write_plainly(part) for kind, part in policy.operators.items()},
    }
    return policy.model_copy(update=changed)


def _write_plainly(operator: Part) -> Part:
    """Return a way to write masks that needs no secret. A generalisation stays, because it belongs to the decision."""
    return operator if operator.kind == "generalise" else Part("operators", "pseudonym")


def _is_asked_outside(part: Part) -> bool:
    is_online = part.kind == "web" and part.get("index").kind not in _LOCAL
    return is_online or part.kind == "reidentification"
