"""No place of a page, a message, a text or a JSON file keeps a planted secret."""

import hiding
import pytest
from hiding import eml, htm, js, md, txt

KINDS = sorted(hiding.SECRETS)


@pytest.mark.parametrize("place", [p for m in (htm, eml, js, md, txt) for p in m.PLACES], ids=lambda place: place.name)
def test_nothing_leaks(sanitizer, place):
    ends = {(kind, beside): hiding.judge(sanitizer, place, kind, beside) for kind in KINDS for beside in (False, True)}
    assert "leaked" not in ends.values(), ends


@pytest.mark.parametrize(("module", "count"), [(htm, 240), (eml, 60), (js, 30), (md, 20), (txt, 30)])
def test_places_are_many_and_of_different_names(module, count):
    assert len({place.name for place in module.PLACES}) == len(module.PLACES) >= count


def test_nearly_all_are_cleaned_rather_than_refused(sanitizer):
    """A refusal is for what no reader can be sure of."""
    places = [place for module in (htm, eml, js, md, txt) for place in module.PLACES]
    refused = [place.name for place in places if hiding.judge(sanitizer, place, "name", False) == "refused"]
    assert len(refused) <= 0.06 * len(places), refused
