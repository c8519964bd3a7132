"""No secret leaks from any place of any format that can hide text.

Of the places, which are many, every sixth takes one of the six trials here, both by a stable hash of its name; of PDF,
which is slow, every twelfth. `benchmarks/places.py` runs them all.
"""

import zlib

import hiding
import pytest

SHARE = 6
PLACES = {f"{place.suffix}: {place.name}": place for place in hiding.all_places()}


def draw(place):
    return zlib.crc32(place.name.encode())


def is_chosen(place):
    return draw(place) // len(hiding.TRIALS) % (2 * SHARE if place.suffix == "pdf" else SHARE) == 0


CHOSEN = [name for name, place in PLACES.items() if is_chosen(place)]


@pytest.mark.parametrize("name", CHOSEN)
def test_nothing_leaks(sanitizer, name):
    place = PLACES[name]
    trial = hiding.TRIALS[draw(place) % len(hiding.TRIALS)]
    assert hiding.judge(sanitizer, place, *trial) != "leaked", trial


def test_places_are_many_and_have_names_of_their_own():
    assert len(PLACES) == len(hiding.all_places())
    assert len(PLACES) >= 400
    assert len(CHOSEN) >= 200


def test_the_oracle_sees_what_nobody_cleans():
    """A judge that finds nothing would call every place clean."""
    secret, _ = hiding.SECRETS["name"]
    blind = [name for name in CHOSEN if not hiding.holds(PLACES[name].build(secret, hiding.BODY), secret)]
    assert len(blind) <= len(CHOSEN) // 30, blind
