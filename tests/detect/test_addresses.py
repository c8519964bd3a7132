"""An address that a pattern reads in part and a model sees whole is one mention."""

from maskwise.detect.addresses import widen_addresses
from maskwise.text import Document, EntityType, Provenance
from maskwise.text.subtypes import ADDRESS, DIGITS

TEXT = "Sent to 12 Elm Rd, London - 423480, India today"
DOCUMENT = Document(TEXT)


def make(text, kind, source, subtype=""):
    start = TEXT.index(text)
    return DOCUMENT.mention(start, start + len(text), kind, source=source, subtype=subtype)


def test_the_street_takes_the_postcode_and_the_country():
    found = widen_addresses(
        [
            make("12 Elm Rd, London - 423480, India", EntityType.LOC, Provenance.NEURAL),
            make("12 Elm Rd", EntityType.LOC, Provenance.PATTERNS, ADDRESS),
            make("423480", EntityType.CODE, Provenance.PATTERNS, DIGITS),
            make("today", EntityType.DATETIME, Provenance.NEURAL),
        ]
    )
    texts = {(m.text, m.subtype) for m in found}
    assert ("12 Elm Rd, London - 423480, India", ADDRESS) in texts
    assert not any(subtype == DIGITS for _, subtype in texts)
    assert ("today", "") in texts


def test_without_a_street_nothing_changes():
    given = [make("London", EntityType.LOC, Provenance.NEURAL)]
    assert widen_addresses(given) == given
