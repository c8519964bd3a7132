"""Policies: shipped ones load, broken ones are refused in one line."""

import pytest

from maskwise.detect.gazetteer import BUNDLED
from maskwise.detect.given_names import GIVEN_NAME, SMALL_CITY
from maskwise.detect.patterns import list_families
from maskwise.errors import PolicyError
from maskwise.plugins import Part
from maskwise.policy import Policy, list_shipped
from maskwise.sanitizer import Sanitizer
from maskwise.text import EntityType
from maskwise.text.subtypes import CLINICAL

RULE_TIER = (Part("detectors", "patterns"), Part("detectors", "gazetteer"))


def test_the_shipped_policies():
    assert set(list_shipped()) == {
        "anonymous",
        "balanced",
        "thorough",
        "strict",
        "gdpr",
        "hipaa-safe-harbor",
        "court",
        "research",
        "hipaa-limited",
    }


@pytest.mark.parametrize("name", list_shipped())
def test_shipped_policies_load_and_say_what_they_are_for(name):
    policy = Policy.load(name)
    assert policy.name == name
    assert len(policy.description) > 40


def test_every_subtype_that_a_shipped_policy_names_exists():
    rules = [rule for family in list_families() for rule in family.rules]
    known = {rule.name for rule in rules} | {name for rule in rules for name, _ in rule.variants}
    known |= {source.subtype for source in BUNDLED} | {CLINICAL, GIVEN_NAME, SMALL_CITY}
    for name in list_shipped():
        assert set(Policy.load(name).decide.get("subtypes")) <= known, name


KEPT = [
    ("balanced", "It relied on Article 8 of the Convention.", "Article 8 of the Convention"),
    ("balanced", "It relied on the Housing Act 1989.", "Housing Act 1989"),
    ("balanced", "She left two days later.", "two days later"),
    (
        "court",
        "The Elmstad District Court and the Ministry of Works agreed.",
        "Elmstad District Court",
    ),
    ("court", "The Elmstad District Court and the Ministry of Works agreed.", "Ministry of Works"),
    ("balanced", "He was convicted of burglary.", "burglary"),
    ("research", "He worked for Brankt Widgets Ltd in Oslo.", "Brankt Widgets Ltd"),
]
MASKED = [
    ("court", "He sued Brankt Widgets Ltd in May.", "Brankt Widgets Ltd"),
    ("research", "He lives at 12 Elm Grove Road, Northmoor.", "12 Elm Grove Road"),
    ("gdpr", "He was convicted of burglary.", "burglary"),
    ("gdpr", "He was convicted of two armed robberies.", "robberies"),
    ("strict", "He was charged with deception.", "deception"),
]


@pytest.mark.parametrize(("name", "text", "words"), KEPT)
def test_what_policies_keep(name, text, words):
    assert words in by_rules(name).sanitize(text).text


@pytest.mark.parametrize(("name", "text", "words"), MASKED)
def test_what_policies_mask(name, text, words):
    assert words not in by_rules(name).sanitize(text).text


def by_rules(name):
    """A shipped policy without the model: what its subtypes say of what rules and lists find."""
    return Sanitizer(
        Policy.load(name).model_copy(update={"detectors": RULE_TIER, "indicators": ()})
    )


def write(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text, "utf-8")
    return path


def test_extends_merges_mappings(tmp_path):
    policy = Policy.load(
        write(tmp_path, "name: mine\nextends: court\ndecide:\n  subtypes: {duration: 0.5}\n")
    )
    assert policy.decide.get("subtypes")["duration"] == 0.5
    assert policy.decide.get("subtypes")["institution"] == 2
    assert policy.decide.get("thresholds")[EntityType.ORG] == 0.8


def test_the_default_asks_sequence_and_probability_and_with_an_index_the_web():
    balanced = Policy.load("balanced")
    assert [part.kind for part in balanced.assessed] == ["sequence", "probability"]
    assert [p.kind for p in balanced.model_copy(update={"index": "x"}).assessed] == [
        "sequence",
        "probability",
        "web",
    ]


def test_null_takes_back_what_the_extended_policy_says(tmp_path):
    policy = Policy.load(
        write(tmp_path, "name: mine\nextends: balanced\ncombine_by: null\nindex: null\n")
    )
    assert (policy.combine_by, policy.index) == ({}, None)
    assert policy.combine == Policy.load("balanced").combine
    with pytest.raises(PolicyError, match="combine_by"):
        Policy.load(write(tmp_path, "name: mine\ncombine_by: null\n"))


BROKEN = [
    ("name: x\noperater: {kind: label}", "unknown key 'operater'; did you mean 'operator'?"),
    ("name: x\ndetectors: [{kind: patterns, onli: [email]}]", "did you mean 'only'?"),
    ("name: x\noperator: {kind: stars}", "operator: unknown kind; expected 'encrypt'"),
    ("name: x\ndecide: {kind: thresholds, default: 7}", "less than or equal to 2"),
    ("name: x\ndecide: {kind: thresholds, thresholds: {PLACE: 1}}", "PLACE"),
    ("name: x\nprotect: ['']", "protect: a name to protect has at least one letter"),
    ("name: x\nprotect: [Ana, ' . ']", "a name to protect has at least one letter"),
    ("name: x\ndecide: {kind: optimal, must_mask: ['']}", "decide.optimal.must_mask.0"),
    ("1: x", "1"),
    ("name: x\ndecide: {kind: thresholds, thresholds: {1: 2}}", "decide"),
    ("name: x\nweakens: [a]\nextends: [b]", "'extends' must name another policy"),
    ("description: x", "name: Field required"),
    ("- a\n- b", "a policy is a mapping"),
    ("name: [", "not YAML at line 1"),
    ("name: x\nextends: nowhere", "no policy 'nowhere'"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_broken_policies_are_refused_in_one_line(tmp_path, text, message):
    with pytest.raises(PolicyError) as caught:
        Policy.load(write(tmp_path, text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_misspelt_name_is_guessed():
    with pytest.raises(PolicyError, match="did you mean 'balanced'"):
        Policy.load("balenced")


def test_extending_in_circles(tmp_path):
    path = write(tmp_path, "name: a\n")
    path.write_text(f"name: a\nextends: {path}\n", "utf-8")
    with pytest.raises(PolicyError, match="circles"):
        Policy.load(path)


def test_an_unknown_part_is_named(tmp_path):
    with pytest.raises(PolicyError, match=r"detectors\.0: unknown kind; did you mean 'patterns'"):
        Policy.load(write(tmp_path, "name: x\ndetectors: [{kind: pattern}]"))
