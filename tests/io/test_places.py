"""No secret leaks from any place of any format that can hide text."""

import zlib

import hiding
import pytest

PLACES = {f"{place.suffix}: {place.name}": place for place in hiding.all_places()}


def trials(name):
    """Two of the six trials of a place, by a stable hash; benchmarks/places.py runs them all."""
    at = zlib.crc32(name.encode())
    return hiding.TRIALS[at % 3], hiding.TRIALS[3 + at % 3]


@pytest.mark.parametrize("name", PLACES)
def test_nothing_leaks(sanitizer, name):
    place = PLACES[name]
    outcomes = {trial: hiding.judge(sanitizer, place, *trial) for trial in trials(name)}
    assert "leaked" not in outcomes.values(), outcomes


def test_places_have_names_of_their_own():
    assert len(PLACES) == len(hiding.all_places())
