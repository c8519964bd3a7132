"""What a policy stops masking of its parent's direct identifiers, as far as the two say so without reading a text.

Names of people and codes are found by the model and the patterns, and masked by the thresholds of PERSON and CODE. A
policy that extends another and takes some of this away must name what it takes, so that nobody does it by mistake.
`maskwise policies check` compares two policies on texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from maskwise.detect.gazetteer import UserList
from maskwise.plugins import Part
from maskwise.text import EntityType

if TYPE_CHECKING:
    from maskwise.policy import Policy

IDENTIFYING = (EntityType.PERSON, EntityType.CODE)
PATTERNS, GAZETTEER, NEURAL, RULES = "patterns", "gazetteer", "neural", "rules"
SHOWN = 3  # names that a message lists
POINTS = {"precision": 0.0, "balanced": 0.5, "recall": 1.0}


class Weakening(NamedTuple):
    """What a policy takes away: the name by which it may be allowed, and a phrase that says it."""

    name: str
    what: str


def find_weakenings(policy: Policy, parent: Policy) -> tuple[Weakening, ...]:
    """What `policy` takes away of what finds or masks the direct identifiers of `parent`."""
    found = (
        *_find_dropped(policy, parent),
        *_find_unlinked(policy, parent),
        *_find_raised_thresholds(policy, parent),
        *_find_unnamed(policy, parent),
    )
    return tuple(dict.fromkeys(found))


def list_some(names: Sequence[str]) -> str:
    """The first names of a list, and how many more there are.

    >>> list_some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = [f"{len(names) - SHOWN} more"] if len(names) > SHOWN else []
    *front, last = [*names[:SHOWN], *more]
    return f"{', '.join(front)} and {last}" if front else last


def _find_dropped(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    """Detectors, families and lists that no longer look for them."""
    left = {part.kind for part in policy.detectors}
    for part in parent.detectors:
        if part.kind != GAZETTEER and part.kind not in left:
            yield Weakening(part.kind, f"drops the detector {part.kind!r}")
    if PATTERNS in left and (lost := sorted(_list_families(parent) - _list_families(policy))):
        yield Weakening("patterns", f"drops the patterns {list_some(lost)}")
    for words in _list_word_lists(parent):
        if words.type in IDENTIFYING and words.path not in {other.path for other in _list_word_lists(policy)}:
            yield Weakening("extra", "drops a word list of people or codes")
    if NEURAL in left and _find_recall(policy) < _find_recall(parent):
        yield Weakening("recall", "lowers 'recall'")


def _find_unlinked(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    before, after = parent.linker, policy.linker
    if before.kind == after.kind == RULES and before.get("propagate") and not after.get("propagate"):
        yield Weakening("propagate", "no longer looks for further occurrences of names")


def _find_raised_thresholds(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    """Types and subtypes that take more confidence to be masked."""
    if not (_has_thresholds(parent.decide) and _has_thresholds(policy.decide)):
        return  # a solver of somebody else: only texts can tell
    before, after = _Thresholds.of(parent.decide), _Thresholds.of(policy.decide)
    for kind in IDENTIFYING:
        least, now = before.thresholds.get(kind, before.default), after.thresholds.get(kind, after.default)
        if now > least:
            yield Weakening(kind, f"raises the threshold of {kind} from {least:g} to {now:g}")
    if before.subtypes == after.subtypes:
        return
    for subtype, kind in sorted(_list_subtypes().items()):
        least = before.subtypes.get(subtype, before.thresholds.get(kind, before.default))
        now = after.subtypes.get(subtype, after.thresholds.get(kind, after.default))
        if now > least and (subtype in before.subtypes or subtype in after.subtypes):
            yield Weakening(subtype, f"raises the threshold of {subtype!r} from {least:g} to {now:g}")


def _find_unnamed(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    """Names, texts and columns that the parent names and the policy does not."""
    if set(parent.protect) - set(policy.protect):
        yield Weakening("protect", "drops names from 'protect'")
    if set(_list_must_mask(parent)) - set(_list_must_mask(policy)):
        yield Weakening("must_mask", "drops texts from 'must_mask'")
    if parent.formats.tables.columns.keys() - policy.formats.tables.columns.keys():
        yield Weakening("columns", "drops columns from 'formats.tables.columns'")


def _list_must_mask(policy: Policy) -> tuple[str, ...]:
    return policy.decide.get("must_mask") if policy.decide.has("must_mask") else ()


class _Thresholds(NamedTuple):
    """The thresholds of a solver: by type, by subtype, and for the rest."""

    thresholds: Mapping[EntityType, float]
    subtypes: Mapping[str, float]
    default: float

    @classmethod
    def of(cls, part: Part) -> _Thresholds:
        return cls(*(part.get(name) for name in cls._fields))


def _has_thresholds(part: Part) -> bool:
    return all(part.has(name) for name in _Thresholds._fields)


def _list_word_lists(policy: Policy) -> list[UserList]:
    return [words for part in policy.detectors if part.kind == GAZETTEER for words in part.get("extra")]


def _find_recall(policy: Policy) -> float:
    """The highest point at which a model of the policy looks for names."""
    said = [policy.options(part)["recall"] for part in policy.detectors if part.kind == NEURAL]
    return max((POINTS[point] if isinstance(point, str) else point for point in said), default=0.0)


def _list_families(policy: Policy) -> set[str]:
    """The families of people and codes that the patterns of a policy look for."""
    from maskwise.detect.patterns import families

    parts = [part for part in policy.detectors if part.kind == PATTERNS]
    known = {family.name for family in families() if any(rule.type in IDENTIFYING for rule in family.rules)}
    chosen = {name for part in parts for name in part.get("only") or known if name not in part.get("without")}
    return known & chosen


def _list_subtypes() -> dict[str, EntityType]:
    """Every subtype of people and codes that a pattern may give, with its type."""
    from maskwise.detect.patterns import families

    rules = [rule for family in families() for rule in family.rules if rule.type in IDENTIFYING]
    named = [(name, rule.type) for rule in rules for name in (rule.name, *(variant for variant, _ in rule.variants))]
    return dict(named)
