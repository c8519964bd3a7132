"""No place of a page, a message, a text or a JSON file keeps a planted secret."""

import email

import hiding
import pytest
from hiding import eml, htm, js, md, txt

from maskwise.errors import MaskwiseError
from maskwise.files import sanitize_file

WEB = [place for module in (htm, eml, js, md, txt) for place in module.PLACES]


@pytest.mark.parametrize("place", eml.PLACES, ids=lambda place: place.name)
def test_no_part_of_a_message_decodes_to_a_secret(sanitizer, place):
    """The bytes of a message show little of its parts: each is decoded as a mail program would."""
    kind, _ = hiding.choose_trial(place, 2)
    try:
        data = sanitize_file(
            sanitizer, place.build(hiding.SECRETS[kind][0], hiding.BODY), "file.eml"
        ).data
    except MaskwiseError:
        return
    for part in email.message_from_bytes(data).walk():
        payload = b"" if part.is_multipart() else part.get_payload(decode=True)
        assert not hiding.holds(payload, hiding.SECRETS[kind][0])


@pytest.mark.parametrize(
    ("module", "count"), [(htm, 240), (eml, 60), (js, 30), (md, 20), (txt, 30)]
)
def test_places_are_many_and_of_different_names(module, count):
    assert len({place.name for place in module.PLACES}) == len(module.PLACES) >= count


def test_nothing_leaks_and_nearly_all_are_cleaned_rather_than_refused(sanitizer):
    """A refusal is for what no reader can be sure of. `test_places` tries another secret in each place."""
    ends = {
        place.name: hiding.judge(sanitizer, place, *hiding.choose_trial(place, 1)) for place in WEB
    }
    assert not [name for name, end in ends.items() if end == "leaked"]
    refused = [name for name, end in ends.items() if end == "refused"]
    assert len(refused) <= 0.06 * len(WEB), refused
