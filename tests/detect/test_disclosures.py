"""Confidential attributes are found where they are told of somebody, and nowhere else."""

from collections import Counter
from pathlib import Path

import pytest

from maskwise import Document, Sanitizer
from maskwise.detect.disclosures import find_disclosures
from maskwise.errors import ConfidentialError
from maskwise.policy import Policy
from maskwise.text import EntityType
from maskwise.text.confidential import Confidential, Holder

SENTENCES = Path(__file__).parent.parent / "data" / "confidential"


def read_sentences(name):
    for line in (SENTENCES / f"{name}.tsv").read_text("utf-8").splitlines():
        label, _, sentence = line.partition("\t")
        yield sentence, set() if label == "-" else set(label.split(","))


def test_there_are_three_hundred_sentences():
    assert sum(1 for name in ("development", "heldout") for _ in read_sentences(name)) >= 300


@pytest.mark.parametrize("name", ["development", "heldout"])
def test_precision_and_recall_of_every_category(name):
    good, wrong, missed = Counter(), Counter(), Counter()
    for sentence, wanted in read_sentences(name):
        found = {one.category.value for one in find_disclosures(Document(sentence))}
        good.update(wanted & found)
        wrong.update(found - wanted)
        missed.update(wanted - found)
    for category in map(str, Confidential):
        assert good[category] >= 0.9 * (good[category] + wrong[category]), category
        assert good[category] >= 0.8 * (good[category] + missed[category]), category


@pytest.mark.parametrize(
    ("text", "holder"),
    [
        ("I have asthma.", Holder.AUTHOR),
        ("Her brother has asthma.", Holder.RELATIVE),
        ("The tenant has asthma.", Holder.PERSON),
        ("Mr Lee has asthma.", 0),
        ("Mr Lee came late. He has asthma.", 0),
    ],
)
def test_whose_attribute_it_is(text, holder):
    document = Document(text)
    people = [document.mention(0, 6, EntityType.PERSON)] if "Lee" in text else []
    [found] = find_disclosures(document, people)
    assert found.holder == holder


TEXT = "Mr Lee was convicted of theft. He suffers from epilepsy."


def adjust(**confidential):
    return Policy.load("balanced").model_copy(update={"confidential": confidential})


def test_a_report_flags_and_masks_nothing_more():
    result = Sanitizer().sanitize(TEXT)
    statuses = {each["confidential_status"] for each in result.to_json()["entities"]}
    assert "HEALTH" in statuses
    mentions = result.to_tab()["annotations"]["maskwise"]["entity_mentions"]
    [health] = [one for one in mentions if one["confidential_status"] == "HEALTH"]
    assert health["span_text"] == "epilepsy"


def test_a_policy_masks_a_category():
    result = Sanitizer(adjust(HEALTH="mask", CRIME="mask")).sanitize(TEXT)
    assert "epilepsy" not in result.text
    assert "theft" not in result.text


def test_a_policy_refuses_a_category_without_telling_the_text():
    with pytest.raises(ConfidentialError, match="1 of HEALTH") as error:
        Sanitizer(adjust(HEALTH="refuse")).sanitize(TEXT)
    assert "epilepsy" not in str(error.value)


def test_a_denied_attribute_is_none():
    assert find_disclosures(Document("She has no diabetes and he denies epilepsy.")) == []
