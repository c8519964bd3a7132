"""`must_keep`: what a user keeps stays wherever it stands, but never a protected person or a part of a name or code."""

import pytest

from maskwise.errors import PlanError, PolicyError
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

TEXT = (
    "Ms Ana Souza, of the Bank of Norway, left Norway. She met John Smith. Smith (j.smith@example.org) and J. Smith "
    "called +47 22 85 50 50 about INV-20311."
)
DETECTORS = [{"kind": "patterns"}, {"kind": "gazetteer"}]


def build(**keys):
    decide = {"kind": "optimal", "default": 0.0}
    return Sanitizer(Policy.parse({"name": "x", "detectors": DETECTORS, "decide": decide, **keys}))


def keep(*texts, **keys):
    sanitizer = build(must_keep=list(texts), **keys)
    return sanitizer.sanitize(TEXT), sanitizer


def test_a_text_stays_wherever_it_stands_and_the_rest_of_a_longer_mention_is_masked():
    result, sanitizer = keep("norway")
    assert result.text.count("Norway") == 2
    assert "Bank" not in result.text
    assert sanitizer.unseen == ()


def test_a_name_stays_in_all_its_variants_without_its_addresses():
    result, _ = keep("John Smith")
    assert "met John Smith. Smith (" in result.text
    assert "J. Smith called" in result.text
    assert "example.org" not in result.text
    assert "Souza" not in result.text


def test_a_code_stays_as_a_whole_and_by_a_pattern():
    result, sanitizer = keep("+47 22 85 50 50", "j.smith@example.org", "re:INV-[0-9]+")
    for text in ("+47 22 85 50 50", "j.smith@example.org", "INV-20311"):
        assert text in result.text
    assert sanitizer.unseen == ()


@pytest.mark.parametrize("part", ["Souza", "smith@example", "re:22 85"])
def test_a_part_of_a_name_or_code_does_not_stay_and_that_is_reported(part):
    result, sanitizer = keep(part)
    plain, _ = keep()
    assert result.text == plain.text
    assert sanitizer.unseen == (part,)


def test_what_is_to_be_masked_is_masked():
    result, _ = keep("Bank of Norway", must_mask=["Norway"])
    assert "Norway" not in result.text


@pytest.mark.parametrize("text", ["Souza", "Ana Souza", "re:.+Norway", "Ms Ana Souza, of the Bank"])
def test_a_protected_person_never_stays(text):
    with pytest.raises(PlanError) as caught:
        keep("elk", text, protect=["Ana Souza"])
    assert str(caught.value).startswith(
        "must_keep: text 2 stands in the name of a person to protect"
    )
    assert "Souza" not in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"must_keep": ["re:("]}, "must_keep: text 1 is no regular expression"),
        (
            {"must_keep": ["re:x*"]},
            "must_keep: text 1 is a regular expression that matches nothing",
        ),
        ({"must_keep": ["elk"], "must_mask": ["elk"]}, "must_keep: text 1 is also in must_mask"),
        ({"must_keep": ["--"]}, "must_keep: text 1 has neither a letter nor a digit"),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused(keys, message):
    with pytest.raises(PolicyError, match="policy: ") as caught:
        build(**keys)
    assert message in str(caught.value)


def test_a_candidate_gives_way_to_a_kept_text():
    keys = {"detectors": [*DETECTORS, {"kind": "phrases"}], "must_keep": ["salmon farm"]}
    result = build(**keys).sanitize("He ran a small salmon farm.")
    [kept] = [entity for entity in result.entities if entity.is_kept]
    assert kept.first.text == "salmon farm"
    assert not any(
        "salmon" in m.text for e in result.entities if e.is_candidate for m in e.mentions
    )


def test_a_name_to_mask_is_masked_in_all_its_variants():
    sanitizer = Sanitizer(Policy.parse({"name": "x", "detectors": [], "must_mask": ["Ingrid Dal"]}))
    text = "Dal, Ingrid came. I. Dal left, and Ms Dal wrote from ingrid.dal@example.org."
    masked = sanitizer.sanitize(text).text
    assert "Dal" not in masked
    assert "ingrid" not in masked.lower()


def test_a_pattern_masks_what_it_matches():
    sanitizer = build(must_mask=["re:pa[rt]+ot"], detectors=[])
    assert sanitizer.sanitize("A parrot and a patot.").text == "A [MISC 1] and a [MISC 2]."
