"""What a policy keeps by name stands where a model took it for something else, and nobody's name does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise import Document, Sanitizer
from maskwise.detect.gazetteer import GazetteerDetector
from maskwise.detect.merge import merge_mentions
from maskwise.text import EntityType

ORDER = ("neural", "patterns", "gazetteer")
P, C, G, D, L, M, Q, X = (
    EntityType.PERSON,
    EntityType.CODE,
    EntityType.ORG,
    EntityType.DATETIME,
    EntityType.LOC,
    EntityType.MISC,
    EntityType.QUANTITY,
    EntityType.DEM,
)
KEPT = {
    "age",
    "country",
    "drug",
    "disease",
    "year",
    "legal_reference",
    "legal_reference_order",
    "measure",
}


def is_kept(kind, subtype):
    return subtype in KEPT


def mention(document, text, kind, subtype="", source="neural"):
    start = document.text.index(text)
    return document.mention(start, start + len(text), kind, subtype=subtype, source=source)


def resolve(text, guess, known, hint=False):
    """Texts and subtypes after a model's guess and a list's knowledge have met."""
    document = Document(text)
    model = mention(document, *guess)
    other = mention(document, *known, source="gazetteer")
    found, hints = ([model], [other]) if hint else ([model, other], [])
    return [(m.text, m.type, m.subtype) for m in merge_mentions(found, ORDER, hints, is_kept)]


@pytest.mark.parametrize(
    ("text", "guess", "known", "left"),
    [
        ("SHE TAKES METFORMIN TWICE", ("METFORMIN TWICE", G), ("METFORMIN", M, "drug"), []),
        ("since 2011 status", ("2011 status", D), ("2011", D, "year"), [("status", D, "")]),
        ("Oslo, Norway", ("Oslo, Norway", M), ("Norway", L, "country"), [("Oslo", M, "")]),
        ("they gave me morphine", ("morphine", P, "direct"), ("morphine", M, "drug"), []),
        ("against Portugal now", ("Portugal", P), ("Portugal", L, "country"), []),
        ("took 10 mg", ("10 mg", C), ("10 mg", Q, "measure"), []),
        ("TOOK LASIX 75 MCG", ("LASIX 75", C), ("LASIX", M, "drug"), []),
        ("TOOK LASIX 75 MCG", ("LASIX 75 MCG", C), ("LASIX", M, "drug"), []),
        ("TOOK LASIX 7512", ("LASIX 7512", C), ("LASIX", M, "drug"), [("7512", C, "")]),
        ("| 83-year-old |", ("83-year-old", X, "direct"), ("83-year-old", X, "age"), []),
        ("Year: 1963", ("1963", C), ("1963", D, "year"), []),
        ("name | year | z\nx | 1963 | y", ("1963", C), ("1963", D, "year"), []),
        ("db since=1963", ("1963", C), ("1963", D, "year"), []),
        ("yes, in Portugal", ("in Portugal", P), ("Portugal", L, "country"), []),
        ("Law no. 4483", ("4483", C), ("Law no. 4483", M, "legal_reference"), []),
    ],
)
def test_what_is_kept_stands(text, guess, known, left):
    assert sorted(resolve(text, guess, known)) == sorted([known, *left])


@pytest.mark.parametrize(
    ("text", "guess", "known"),
    [
        ("Allegra came", ("Allegra", P), ("Allegra", M, "drug")),
        ("this is burns", ("burns", P), ("burns", M, "disease")),
        ("Chad told the judge", ("Chad", P), ("Chad", L, "country")),
        ("the Bank of Norway", ("Bank of Norway", G), ("Norway", L, "country")),
        ("third of may 2011, 3", ("third of may 2011, 3", D), ("2011", D, "year")),
        ("fpt-2009-pu", ("fpt-2009-pu", M), ("2009", D, "year")),
        ("Order no. 4483", ("4483", C), ("Order no. 4483", M, "legal_reference_order")),
    ],
)
def test_what_may_name_somebody_is_masked(text, guess, known):
    """Every word of the guess belongs to a mention that the policy does not keep."""
    masked = " ".join(t for t, _, subtype in resolve(text, guess, known) if subtype not in KEPT)
    assert masked == guess[0]


@pytest.mark.parametrize("text", ["Case number: 1963", "Year code: 1963", "1963 | year\n\n1963"])
def test_figures_that_no_label_calls_a_year_stay_a_code(text):
    [found] = resolve(text, ("1963", C), ("1963", D, "year"))
    assert found[1] is C


def test_a_part_of_a_word_is_never_spared():
    """Beside a part of a word, the letters that are left look small: the "A" of "Ana" is no article."""
    document = Document("Ana")
    guess = document.mention(0, 2, C, source="neural")
    known = document.mention(1, 2, L, subtype="country", source="gazetteer")
    masked = {
        at
        for m in merge_mentions([guess, known], ORDER, (), is_kept)
        for at in range(m.start, m.end)
    }
    assert masked == {0, 1}


def test_a_namesake_in_the_text_makes_a_country_a_name():
    document = Document("Anatole France wrote. France died.")
    author = mention(document, "Anatole France", P)
    start = document.text.rindex("France")
    again = document.mention(start, start + 6, P, source="neural")
    country = document.mention(start, start + 6, L, subtype="country", source="gazetteer")
    found = merge_mentions([author, again, country], ORDER, (), is_kept)
    assert [(m.text, m.type) for m in found] == [("Anatole France", P), ("France", P)]


def test_a_hint_counts_only_beside_a_guess_and_for_a_policy_that_keeps_it():
    text, guess, known = "against norway", ("norway", G), ("norway", L, "country")
    assert resolve(text, guess, known, hint=True) == [known]
    document = Document(text)
    hint = mention(document, *known, source="gazetteer")
    assert merge_mentions([], ORDER, [hint], is_kept) == []
    model = mention(document, *guess)
    assert merge_mentions([model], ORDER, [hint]) == [model]
    assert merge_mentions([model], ORDER, [hint], lambda kind, subtype: False) == [model]


def test_names_in_small_letters_are_hints():
    [detection] = GazetteerDetector(lists=("countries",)).detect([Document("Norway and norway")])
    assert [m.text for m in detection.mentions] == ["Norway"]
    assert [m.text for m in detection.hints] == ["norway"]


WORDS = st.sampled_from("Ana SOUZA norway of 12 2011 the Law x- mg , morphine third may".split())
TYPES = st.sampled_from(list(EntityType))
SUBTYPES = st.sampled_from([*sorted(KEPT), "", "direct", "city", "iban"])


@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
def test_sparing_hides_no_character_but_small_words(words, data):
    """Whatever a model saw stays covered, or is shown by a mention that the policy keeps."""
    document = Document(" ".join(words))
    size = len(document.text)
    found = []
    for source in ("neural", "gazetteer"):
        start = data.draw(st.integers(0, size - 1))
        end = data.draw(st.integers(start + 1, size))
        kind, subtype = data.draw(TYPES), data.draw(SUBTYPES) if source == "gazetteer" else ""
        found.append(document.mention(start, end, kind, subtype=subtype, source=source))
    plain = {i for m in merge_mentions(found, ORDER) for i in range(m.start, m.end)}
    spared = {i for m in merge_mentions(found, ORDER, (), is_kept) for i in range(m.start, m.end)}
    small = {"of", "the", "third", "12", "mg"}
    lost = "".join(document.text[i] if i in plain - spared else " " for i in range(size))
    telling = [w for w in lost.split() if any(c.isupper() for c in w) and w.lower() not in small]
    assert telling == []


@pytest.mark.parametrize("policy", ["court", "hipaa-safe-harbor", "research"])
@pytest.mark.parametrize(
    "text",
    [
        "Ms Chad Jordan left. Chad told the judge. He came back with Chad Jordan.",
        "THE NURSE CALLED INGRID HAKIMI AT ONCE.",
        "Mr France and Ms Georgia Novak signed. Georgia was late, and so was France.",
    ],
)
def test_no_policy_keeps_a_person_for_her_namesakes(policy, text):
    result = Sanitizer(policy).sanitize(text)
    for name in ("Jordan", "Novak", "INGRID", "HAKIMI", "Mr France", "Ms Chad"):
        assert name not in result.text
