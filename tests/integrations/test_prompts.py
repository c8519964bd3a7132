"""Prompts: masked on the way out, written out again on the way back."""

from maskwise.integrations.prompts import redact, restore


def test_a_conversation_keeps_its_placeholders():
    known = {}
    assert redact("Mr Lee left.", known) == "[PERSON 1] left."
    assert redact("Dr Ana Souza met Mr Lee.", known) == "[PERSON 2] met [PERSON 1]."
    assert restore("[PERSON 1] and [PERSON 2]", known) == "Mr Lee and Dr Ana Souza"


def test_without_a_mapping_it_only_masks():
    assert redact("Mr Lee left.") == "[PERSON 1] left."
    assert restore("[PERSON 1]", {}) == "[PERSON 1]"
