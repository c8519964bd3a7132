"""Finds which direct identifiers of its parent a policy stops masking, as far as the two tell without reading a text.

Names of people and codes are found by the model and the patterns, and masked by the thresholds of PERSON and CODE. A
policy that extends another and takes some of this away must name what it takes, so that nobody does it by mistake.
`maskwise policies check` compares two policies on texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from maskwise.detect.gazetteer import UserList
from maskwise.plugins import Part
from maskwise.text import EntityType, Provenance

if TYPE_CHECKING:
    from maskwise.policy import Policy

IDENTIFYING = (EntityType.PERSON, EntityType.CODE)
PATTERNS, GAZETTEER, NEURAL = Provenance.PATTERNS, Provenance.GAZETTEER, Provenance.NEURAL
PHRASES = Provenance.PHRASES  # finds no direct identifier
RULES = "rules"
SHOWN = 3  # names that a message lists
POINTS = {"precision": 0.0, "balanced": 0.5, "recall": 1.0}


class Weakening(NamedTuple):
    """One thing that a policy takes away: the name by which it may be allowed, and a phrase that says it."""

    name: str
    what: str


def find_weakenings(policy: Policy, parent: Policy) -> tuple[Weakening, ...]:
    """Find what `policy` takes away of all that finds or masks the direct identifiers of `parent`."""
    found = [
        *_find_dropped(policy, parent),
        *_find_unlinked(policy, parent),
        *_find_raised_thresholds(policy, parent),
        *_find_raised_domains(policy, parent),
        *_find_unnamed(policy, parent),
        *_find_alone(policy, parent),
    ]
    return tuple(dict.fromkeys(found))


def list_some(names: Sequence[str]) -> str:
    """Return the first names of a list, and how many more there are.

    >>> list_some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = [f"{len(names) - SHOWN} more"] if len(names) > SHOWN else []
    *front, last = [*names[:SHOWN], *more]
    return f"{', '.join(front)} and {last}" if front else last


def _find_dropped(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    """Yield detectors, families and lists that no longer look for them."""
    left = {part.kind for part in policy.detectors}
    for part in parent.detectors:
        if part.kind not in (GAZETTEER, PHRASES, *left):
            yield Weakening(part.kind, f"drops the detector {part.kind!r}")
    lost = sorted(_list_families(parent) - _list_families(policy))
    if PATTERNS in left and lost:
        yield Weakening("patterns", f"drops the patterns {list_some(lost)}")
    paths = {words.path for words in _list_word_lists(policy)}
    for words in _list_word_lists(parent):
        if words.type in IDENTIFYING and words.path not in paths:
            yield Weakening("extra", "drops a word list of people or codes")
    if NEURAL in left and _find_recall(policy) < _find_recall(parent):
        yield Weakening("recall", "lowers 'recall'")


def _find_unlinked(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    before = parent.linker
    after = policy.linker
    if not before.kind == after.kind == RULES:
        return
    if before.get("propagate") and not after.get("propagate"):
        yield Weakening("propagate", "no longer looks for further occurrences of names")


def _find_alone(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    if parent.second_reader and not policy.second_reader:
        yield Weakening("second_reader", "asks for no second reader")


def _find_raised_thresholds(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    """Yield types and subtypes that take more confidence to be masked."""
    if not (_has_thresholds(parent.decide) and _has_thresholds(policy.decide)):
        return  # a solver of a third party: only texts can tell
    before = _Thresholds.read(parent.decide)
    after = _Thresholds.read(policy.decide)
    for kind in IDENTIFYING:
        least = before.find(kind)
        now = after.find(kind)
        if now > least:
            yield Weakening(kind, f"raises the threshold of {kind} from {least:g} to {now:g}")
    if before.subtypes == after.subtypes:
        return
    for subtype, kind in sorted(_list_subtypes().items()):
        least = before.find(kind, subtype)
        now = after.find(kind, subtype)
        is_named = subtype in before.subtypes or subtype in after.subtypes
        if now > least and is_named:
            yield Weakening(
                subtype, f"raises the threshold of {subtype!r} from {least:g} to {now:g}"
            )


def _find_raised_domains(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    """Yield kinds of text in which a threshold of people or codes is higher than it was."""
    if not all(
        _has_thresholds(each.decide) and each.decide.has_option("domains")
        for each in (policy, parent)
    ):
        return
    before, after = _Thresholds.read(parent.decide), _Thresholds.read(policy.decide)
    old, new = parent.decide.get("domains"), policy.decide.get("domains")
    for domain in sorted({*old, *new}):
        for kind in IDENTIFYING:
            least = min(before.find(kind), old.get(domain, {}).get(kind, before.find(kind)))
            now = new.get(domain, {}).get(kind, after.find(kind))
            if now > least:
                said = f"raises the threshold of {kind} in {domain} texts from {least:g} to {now:g}"
                yield Weakening("domains", said)


def _find_unnamed(policy: Policy, parent: Policy) -> Iterator[Weakening]:
    """Yield names, texts and columns that the parent names and the policy does not."""
    if set(parent.protect) - set(policy.protect):
        yield Weakening("protect", "drops names from 'protect'")
    if set(parent.listed) - set(policy.listed):
        yield Weakening("must_mask", "drops texts from 'must_mask'")
    columns = policy.formats.tables.get("columns")
    if parent.formats.tables.get("columns").keys() - columns.keys():
        yield Weakening("columns", "drops columns from 'formats.tables.columns'")


class _Thresholds(NamedTuple):
    """The thresholds of a solver: by type, by subtype, and for the rest."""

    thresholds: Mapping[EntityType, float]
    subtypes: Mapping[str, float]
    default: float

    @classmethod
    def read(cls, part: Part) -> _Thresholds:
        return cls(*(part.get(name) for name in cls._fields))

    def find(self, kind: EntityType, subtype: str = "") -> float:
        """Return the threshold of a subtype, else of its type, else the default."""
        if subtype in self.subtypes:
            return self.subtypes[subtype]
        return self.thresholds.get(kind, self.default)


def _has_thresholds(part: Part) -> bool:
    return all(part.has_option(name) for name in _Thresholds._fields)


def _list_word_lists(policy: Policy) -> list[UserList]:
    gazetteers = [part for part in policy.detectors if part.kind == GAZETTEER]
    return [words for part in gazetteers for words in part.get("extra")]


def _find_recall(policy: Policy) -> float:
    """Return the highest point at which a model of the policy looks for names."""
    models = [part for part in policy.detectors if part.kind == NEURAL]
    points = [policy.collect_options(part)["recall"] for part in models]
    numbers = [POINTS[point] if isinstance(point, str) else point for point in points]
    return max(numbers, default=0.0)


def _list_families(policy: Policy) -> set[str]:
    """Return the families of people and codes that the patterns of a policy look for."""
    from maskwise.detect.patterns import list_families

    known = set()
    for family in list_families():
        if any(rule.type in IDENTIFYING for rule in family.rules):
            known.add(family.name)
    chosen: set[str] = set()
    for part in policy.detectors:
        if part.kind == PATTERNS:
            chosen |= set(part.get("only") or known) - set(part.get("without"))
    return known & chosen


def _list_subtypes() -> dict[str, EntityType]:
    """Return every subtype of people and codes that a pattern may give, with its type."""
    from maskwise.detect.patterns import list_families

    found = {}
    for family in list_families():
        for rule in family.rules:
            if rule.type in IDENTIFYING:
                names = (rule.name, *(variant for variant, _ in rule.variants))
                found.update(dict.fromkeys(names, rule.type))
    return found
