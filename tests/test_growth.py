"""Time grows no faster than the text or the file. `benchmarks/growth.py` measures all units at larger sizes."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from maskwise.detect.phrases import PhraseDetector
from maskwise.link.candidates import add_candidates

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))
growth, growth_files, growth_units = map(
    importlib.import_module, ("growth", "growth_files", "growth_units")
)
sys.path.remove(str(ROOT / "benchmarks"))

UNITS = {unit.name: unit for unit in growth_units.list_units()}
# Those that once took the square of their length, and some of every kind.
KNOWN = (
    "A. ",
    "  ",
    "\t",
    "Mr ",
    "Mrs A ",
    "J. Smith ",
    "Anne-Marie ",
    "1 EUR ",
    "1.234, ",
    "John Smith ",
    "\x1b[1m",
    "-----BEGIN ",
)
PHRASED = (
    "salmon ",
    "first ",
    "one of the ",
    "county's ",
    "one of two women who held that licence in the county ",
    "keeper of the village in Oslo, ",
    "named after him\n",
)
CHOSEN = dict.fromkeys([*map(repr, KNOWN), *list(UNITS)[::40]])
FACTOR = 4
BOUND = 9  # four times the text may take so many times as long; square time takes sixteen times
FLOOR = 0.03  # seconds under which nothing is told


@pytest.fixture(scope="module")
def sanitizer():
    return growth.build_rules_only()


def ratio(small, large) -> float:
    """How many times as long the larger run takes, at best of several tries."""
    small()
    found = float("inf")
    for _ in range(4):
        found = min(found, growth._time_run(large) / max(growth._time_run(small), FLOOR))
        if found < BOUND:
            break
    return found


@pytest.mark.parametrize("name", CHOSEN)
def test_time_is_linear_in_the_text(sanitizer, name):
    def run(size):
        document = growth.Document(
            growth_units.write_text(UNITS[name], size), protected=growth.PROTECTED
        )
        return lambda: sanitizer.sanitize(document)

    assert ratio(run(4_000), run(4_000 * FACTOR)) < BOUND


@pytest.mark.parametrize("unit", PHRASED)
def test_time_is_linear_in_the_phrases(sanitizer, unit):
    detector = PhraseDetector()
    sanitizer.entities("Oslo")

    def run(size):
        document = growth.Document((unit * size)[:size])

        def link():
            [found] = detector.detect([document])
            return add_candidates(sanitizer.entities(document), found.mentions)

        return link

    assert ratio(run(30_000), run(30_000 * FACTOR)) < BOUND


@pytest.mark.parametrize(
    "shape", growth_files.SHAPES, ids=lambda shape: f"{shape.suffix}-{shape.name}"
)
def test_time_is_linear_in_the_file(sanitizer, shape):
    def run(count):
        raw = shape.build(count)
        return lambda: growth.sanitize_file(sanitizer, raw, f"file.{shape.suffix}")

    rows = min(100, shape.most // FACTOR)
    assert ratio(run(rows), run(rows * FACTOR)) < BOUND


def test_every_unit_is_there_once_and_makes_a_text_of_any_size():
    assert len(UNITS) >= 620
    for unit in UNITS.values():
        assert len(growth_units.write_text(unit, 100)) == 100


def test_a_slope_tells_the_power_of_growth():
    sizes = [1000, 2000, 4000, 8000]
    for power in (1, 2, 3):
        seconds = [(size / 1000) ** power for size in sizes]
        assert growth.fit_slope(sizes, seconds) == pytest.approx(power)
    assert growth.fit_slope(sizes, [1e-6, 2e-6, 1e-3, 2e-3]) == 0
