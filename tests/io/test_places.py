"""No secret leaks from any place of any format that can hide text."""

import zlib

import hiding
import pytest

# Of these one place in so many runs: test_office and test_hiding_odf run them all, as does benchmarks/places.py.
SHARES = {"pdf": 6, "docx": 6, "xlsx": 4, "odt": 4}


def is_chosen(place):
    return zlib.crc32(place.name.encode()) // 6 % SHARES.get(place.suffix, 1) == 0


PLACES = {f"{place.suffix}: {place.name}": place for place in hiding.all_places()}


@pytest.mark.parametrize("name", [name for name, place in PLACES.items() if is_chosen(place)])
def test_nothing_leaks(sanitizer, name):
    trial = hiding.choose_trial(PLACES[name])
    assert hiding.judge(sanitizer, PLACES[name], *trial) != "leaked", trial


def test_places_are_many_and_have_names_of_their_own():
    assert len(PLACES) == len(hiding.all_places())
    assert len(PLACES) >= 400


def test_the_oracle_sees_what_nobody_cleans():
    """A judge that finds nothing would call every place clean."""
    blind = [name for name, place in PLACES.items() if is_chosen(place) and not _is_seen(place)]
    assert len(blind) <= len(PLACES) // 50, blind


def _is_seen(place):
    secret, _ = hiding.SECRETS["name"]
    return hiding.holds(place.build(secret, hiding.BODY), secret)
