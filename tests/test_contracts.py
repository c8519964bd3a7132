"""Every shipped policy keeps its promise on a seeded part of the table; `benchmarks/contracts.py` runs the whole."""

import sys
from pathlib import Path

import pytest

from maskwise import Document, Sanitizer
from maskwise.policy import Policy, list_shipped
from maskwise.text import Person

sys.path.insert(0, str(Path(__file__).parent))

from random import Random

from contracts.judge import judge, records, run
from contracts.kinds import IDENTIFIERS, KINDS
from contracts.layouts import CASES, LAYOUTS
from contracts.promises import HIPAA, PROMISES, holds
from contracts.values import draw

COUNT, SEED = 2, 16
CELLS = COUNT * len(LAYOUTS) * len(CASES)


def load_alone(name):
    """A policy without its crowd, which is slow and only masks more."""
    return Policy.load(name).model_copy(update={"crowd": None})


def test_every_shipped_policy_promises_something():
    assert set(PROMISES) == set(list_shipped())
    assert {kind.name for kind in IDENTIFIERS} == set(HIPAA)
    assert sum(len(p.masked) * CELLS for p in PROMISES.values()) >= 5000


@pytest.mark.parametrize("policy", sorted(PROMISES))
def test_a_policy_keeps_its_promise(policy):
    promise = PROMISES[policy]
    outcomes = list(run(Sanitizer(load_alone(policy)), promise, COUNT, SEED))
    counted = [one for one in outcomes if one.kind in promise.masked]
    assert len(counted) == len(promise.masked) * CELLS
    broken = [
        (one.kind, one.layout, one.case, one.value, one.output)
        for one in outcomes
        if not holds(promise, one)
    ]
    assert broken == []


@pytest.mark.parametrize("policy", sorted(PROMISES))
def test_a_protected_name_is_masked_in_every_layout_and_case(policy):
    sanitizer = Sanitizer(load_alone(policy))
    for layout, case, record in records(("name",), 6, Random(SEED)):
        people = tuple(Person(placed.item.value) for placed in record.placed)
        result = sanitizer.sanitize(Document(record.text, protected=people))
        for placed in record.placed:
            outcome = judge(layout, case, placed, result)
            assert outcome.is_masked, (layout, case, outcome.value, outcome.output)


def test_a_visible_value_is_a_broken_promise():
    sanitizer = Sanitizer(
        Policy.parse({"name": "none", "detectors": [{"kind": "patterns", "only": ["year"]}]})
    )
    outcomes = list(run(sanitizer, PROMISES["balanced"], 1, SEED))
    assert sum(not holds(PROMISES["balanced"], one) for one in outcomes) > len(outcomes) / 2


def test_values_differ_and_repeat_with_the_seed():
    for kind in KINDS.values():
        assert draw(kind.make, Random(3), 5) == draw(kind.make, Random(3), 5)
    assert all(len(set(draw(kind.make, Random(3), 20))) > 7 for kind in IDENTIFIERS)
