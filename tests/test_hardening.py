"""Texts made ready for hardening: units, costs, and the way back through masks that were given."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.attack.scenario import Target
from maskwise.errors import CorpusError
from maskwise.hardening import GivenText, draft_texts
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

TEXT = "Ana Souza moved to the old harbour of Larkby in 1984. Souza wrote to ana@example.org."


@pytest.fixture(scope="module")
def sanitizer():
    return Sanitizer(Policy.parse({"name": "rules", "must_mask": ["harbour"]}))


def cut(spans):
    return [TEXT[start:end] for start, end in spans]


def test_names_direct_identifiers_and_listed_texts_stay_masked(sanitizer):
    [draft] = draft_texts([Target(0, "Ana Souza", TEXT)], sanitizer)
    assert sorted(cut(draft.masked)) == ["Ana Souza", "Souza", "ana@example.org", "harbour"]
    [whole] = draft_texts([Target(0, "Ana Souza", TEXT)], sanitizer, whole=True)
    assert set(draft.masked) < set(whole.masked)
    assert "1984" in cut(whole.masked)


def test_each_word_is_in_a_unit_or_masked_and_each_unit_has_a_cost(sanitizer):
    [draft] = draft_texts([Target(0, "Ana Souza", TEXT)], sanitizer)
    covered = set()
    for spans in (draft.masked, *draft.units):
        covered.update(at for start, end in spans for at in range(start, end))
    assert [TEXT[at] for at in range(len(TEXT)) if at not in covered and TEXT[at].isalnum()] == []
    assert len(draft.costs) == len(draft.units)
    assert min(draft.costs) >= 0
    units = {cut(unit)[-1]: cost for unit, cost in zip(draft.units, draft.costs, strict=True)}
    assert units["Larkby"] > units["the"]


def write(text, masks):
    for start, end, replacement in reversed(masks):
        text = text[:start] + replacement + text[end:]
    return text


@settings(deadline=None)
@given(st.data())
def test_masks_of_a_masked_text_lead_back_to_the_original(data):
    text = data.draw(st.text("ab cd", min_size=1, max_size=30))
    edges = data.draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True).map(sorted))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    masks = [(start, end, data.draw(st.text("XY", max_size=4))) for start, end in pairs]
    given_text = GivenText.apply(text, masks, "masks")
    assert given_text.text == write(text, masks)
    assert given_text.restore([]) == masks
    size = len(given_text.text)
    edges = data.draw(st.lists(st.integers(0, size), max_size=6, unique=True).map(sorted))
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    restored = given_text.restore(spans)
    ends = [edge for start, end, _ in restored for edge in (start, end)]
    assert ends == sorted(ends)
    # What no span touches stays as it was: the replacements given, and the letters between them.
    hidden = {at for start, end in spans for at in range(start, end)}
    kept = [char for at, char in enumerate(given_text.text) if at not in hidden]
    left = write(text, restored).replace("***", "")
    assert set(left) <= set(kept)
    assert len(left) <= len(kept)


@pytest.mark.parametrize("masks", [[(0, 0, None)], [(0, 3, None), (2, 4, None)], [(2, 99, None)]])
def test_masks_that_do_not_fit_are_refused(masks):
    with pytest.raises(CorpusError, match="m.json: 3: a mask is empty, outside the text"):
        GivenText.apply("Ana Souza", masks, "m.json: 3")
