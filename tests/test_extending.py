"""Extending a policy adds to it; what takes away from its parent's direct identifiers says so, or is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import PolicyError
from maskwise.extending import overlay_policy, settle_lists
from maskwise.policy import Policy, list_shipped, load_family
from maskwise.weakening import find_weakenings

WEB = {"kind": "web", "index": {"kind": "local", "path": "pages.index"}}


def parse(**keys):
    return Policy.parse({"name": "mine", "extends": "balanced", **keys}, "mine.yaml")


def kinds(parts):
    return [part.kind for part in parts]


# What each shipped policy names after everything it extends.
OPINIONS = {
    "balanced": ["sequence", "probability"],
    "court": ["sequence", "probability"],
    "gdpr": ["sequence", "probability"],
    "thorough": ["sequence", "span", "probability"],
}


@pytest.mark.parametrize("name", list_shipped())
def test_the_lists_of_the_shipped_policies(name):
    policy = Policy.load(name)
    assert kinds(policy.detectors)[:3] == ["neural", "patterns", "gazetteer"]
    assert kinds(policy.indicators) == OPINIONS.get(name, [])
    for part in policy.detectors:
        assert part.given.keys() <= {"split"}, "no detector is narrowed"
    if name == "thorough":
        assert not any(part.given for part in policy.indicators)


@pytest.mark.parametrize("name", list_shipped())
def test_no_shipped_policy_is_weaker_than_the_one_it_extends(name):
    family = load_family(name)
    assert family.parent is None or find_weakenings(family.policy, family.parent) == ()


def test_lists_extend():
    assert kinds(parse(indicators=[WEB]).indicators) == ["sequence", "probability", "web"]
    assert kinds(parse(indicators=["perturbation"]).indicators)[-1] == "perturbation"
    child = parse(protect=["Ana Souza"], decide={"must_keep": ["Norway"]})
    both = overlay_policy(
        child.model_dump(mode="json"), {"protect": ["Bo Berg"], "decide": {"must_keep": ["Oslo"]}}
    )
    assert Policy.parse(both).protect == ("Ana Souza", "Bo Berg")
    assert Policy.parse(both).decide.get("must_keep") == ("Norway", "Oslo")


def test_a_part_of_the_same_kind_is_laid_over_the_one_below():
    policy = parse(
        indicators=[{"kind": "probability", "optional": False}, {"kind": "sequence", "rare": 2}]
    )
    assert kinds(policy.indicators) == ["sequence", "probability"]
    assert (policy.indicators[1].get("context"), policy.indicators[1].get("optional")) == (
        32,
        False,
    )
    assert policy.indicators[0].get("rare") == 2
    taken_back = parse(indicators=[{"kind": "probability", "context": None}])
    assert taken_back.indicators[1].get("context") is None
    words = {"path": "wards.txt", "type": "LOC"}
    grown = parse(detectors=[{"kind": "gazetteer", "extra": [words], "without": ["sports"]}])
    assert kinds(grown.detectors) == ["neural", "patterns", "gazetteer"]
    assert grown.detectors[2].get("extra")[0].path == "wards.txt"


def test_the_second_of_a_kind_is_laid_over_the_second():
    two = {"indicators": [{"kind": "web", "k": 1}, {"kind": "web", "k": 2}]}
    assert overlay_policy(two, {"indicators": [{"kind": "web", "k": 3}]})["indicators"][1] == {
        "kind": "web",
        "k": 2,
    }
    assert [part["k"] for part in overlay_policy(two, two)["indicators"]] == [1, 2]


def test_replace_takes_the_place_of_a_list():
    assert kinds(parse(indicators={"replace": [WEB]}).indicators) == ["web"]
    assert parse(indicators={"replace": []}).indicators == ()
    alone = Policy.parse(
        {"name": "x", "indicators": {"replace": [WEB]}, "protect": {"replace": ["Ana"]}}
    )
    assert (kinds(alone.indicators), alone.protect) == (["web"], ("Ana",))
    with pytest.raises(PolicyError, match="indicators"):
        parse(indicators={"replaces": [WEB]})


def test_a_parent_that_names_no_detectors_is_extended_too(tmp_path):
    (tmp_path / "plain.yaml").write_text("name: plain\n", "utf-8")
    policy = parse(extends=str(tmp_path / "plain.yaml"), detectors=[{"kind": "neural"}])
    assert kinds(policy.detectors) == ["patterns", "gazetteer", "neural"]


VALUES = st.recursive(
    st.integers(0, 3) | st.text("ab", max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
        | st.fixed_dictionaries({"kind": st.sampled_from(["p", "q"]), "x": inner})
    ),
    max_leaves=8,
)
MAPPINGS = st.dictionaries(st.sampled_from("uvw"), VALUES, max_size=3)


@given(MAPPINGS, MAPPINGS)
def test_without_replace_or_null_no_item_of_a_list_disappears(base, own):
    merged = overlay_policy(base, own)
    assert merged.keys() == base.keys() | own.keys()
    for key, below in base.items():
        if isinstance(below, list) and isinstance(own.get(key, []), list):
            assert len(merged[key]) >= len(below)
            kept = [item for item in below if not isinstance(item, dict)]
            assert [
                item for item in kept if item not in merged[key] and not isinstance(item, list)
            ] == []


@given(MAPPINGS, MAPPINGS)
def test_laying_a_policy_over_itself_or_nothing_changes_nothing(base, own):
    assert overlay_policy(base, {}) == base
    assert overlay_policy({}, own) == settle_lists(own)
    assert overlay_policy(settle_lists(base), settle_lists(base)) == settle_lists(base)


# Weaker than the parent: (keys, the names by which it is allowed)
WEAKER = [
    ({"detectors": {"replace": [{"kind": "patterns"}]}}, ["neural"]),
    ({"detectors": {"replace": [{"kind": "gazetteer"}]}}, ["neural", "patterns"]),
    ({"detectors": None}, ["neural"]),
    ({"detectors": [{"kind": "patterns", "without": ["email"]}]}, ["patterns"]),
    ({"detectors": [{"kind": "patterns", "only": ["email"]}]}, ["patterns"]),
    ({"decide": {"thresholds": {"CODE": 2}}}, ["CODE"]),
    ({"decide": {"thresholds": {"PERSON": 0.6}}}, ["PERSON"]),
    ({"decide": {"default": 2}}, ["PERSON", "CODE"]),
    ({"decide": {"subtypes": {"email": 2}}}, ["email"]),
    ({"decide": {"subtypes": {"speaker": None}}}, ["speaker"]),
    ({"recall": "precision"}, ["recall"]),
    ({"recall": 0.4}, ["recall"]),
    ({"detectors": [{"kind": "neural", "recall": "precision"}]}, ["recall"]),
    ({"linker": {"kind": "rules", "propagate": False}}, ["propagate"]),
]


@pytest.mark.parametrize(("keys", "names"), WEAKER)
def test_a_weaker_policy_is_refused_unless_it_says_so(keys, names):
    with pytest.raises(PolicyError) as caught:
        parse(**keys)
    message = str(caught.value)
    assert message.startswith("mine.yaml: masks less than 'balanced': it ")
    assert message.endswith(f"; if that is meant, add `weakens: [{', '.join(names)}]`")
    assert "\n" not in message
    assert parse(**keys, weakens=names).name == "mine"
    if len(names) > 1:
        with pytest.raises(PolicyError, match="masks less"):
            parse(**keys, weakens=names[1:])


CUSTOM = [
    {"decide": {"subtypes": {"year": 2, "institution": 2, "age": 2}}},
    {"decide": {"thresholds": {"ORG": 2, "LOC": 0.9, "DEM": 0, "CODE": 0}}},
    {"lazy": False, "decide": {"must_keep": ["Norway"], "bound": 0.3}},
    {"detectors": [{"kind": "patterns", "without": ["percent", "count"]}]},
    {"detectors": [{"kind": "gazetteer", "without": ["sports"]}]},
    {"detectors": {"replace": [{"kind": "patterns"}, {"kind": "neural"}]}},
    {"indicators": {"replace": [WEB]}},
    {"recall": "recall"},
    {"model": "base"},
    {"operator": {"kind": "generalise"}},
    {"operators": {"CODE": {"kind": "suppress"}}},
    {"protect": {"replace": ["Ana Souza"]}},
    {"combine": {"kind": "k_of_n", "k": 2}, "combine_by": None},
    {"formats": {"html": {"scripts": "keep"}, "tables": {"columns": {"surname": "PERSON"}}}},
]


@pytest.mark.parametrize("keys", CUSTOM, ids=range(len(CUSTOM)))
def test_ordinary_customisation_is_not_refused(keys):
    assert parse(**keys).name == "mine"


def test_what_a_policy_of_the_user_names_is_not_dropped_either(tmp_path):
    (tmp_path / "house.yaml").write_text(
        "name: house\nextends: balanced\nprotect: [Ana Souza]\n"
        "detectors: [{kind: gazetteer, extra: [{path: staff.txt, type: PERSON}]}]\n"
        "decide: {must_mask: [Blue Heron]}\nformats: {tables: {columns: {surname: PERSON}}}\n",
        "utf-8",
    )
    house = {"extends": str(tmp_path / "house.yaml")}
    assert parse(**house, protect=["Bo Berg"]).protect == ("Ana Souza", "Bo Berg")
    for keys, name in [
        ({"protect": {"replace": ["Bo Berg"]}}, "protect"),
        ({"decide": {"must_mask": {"replace": []}}}, "must_mask"),
        ({"detectors": [{"kind": "gazetteer", "extra": {"replace": []}}]}, "extra"),
        ({"formats": {"tables": {"columns": None}}}, "columns"),
    ]:
        with pytest.raises(PolicyError, match=rf"weakens: \[{name}\]"):
            parse(**house, **keys)


def test_a_second_reader_is_not_dropped_in_silence(tmp_path):
    (tmp_path / "pair.yaml").write_text(
        "name: pair\nextends: court\nsecond_reader: true\n", "utf-8"
    )
    pair = str(tmp_path / "pair.yaml")
    assert parse(extends=pair).second_reader
    assert not parse(extends="court").second_reader
    with pytest.raises(PolicyError, match=r"weakens: \[second_reader\]"):
        parse(extends=pair, second_reader=False)


def test_what_a_parent_allows_itself_its_child_has_too_and_no_more(tmp_path):
    (tmp_path / "low.yaml").write_text(
        "name: low\nextends: balanced\nrecall: precision\nweakens: [recall]\n", "utf-8"
    )
    low = str(tmp_path / "low.yaml")
    assert parse(extends=low).recall == "precision"
    with pytest.raises(PolicyError, match="masks less than 'low'"):
        parse(extends=low, recall=0.0, decide={"thresholds": {"CODE": 2}})
    (tmp_path / "low.yaml").write_text("name: low\nextends: balanced\nrecall: precision\n", "utf-8")
    with pytest.raises(PolicyError, match=r"low\.yaml: masks less than 'balanced'"):
        parse(extends=low)
    with pytest.raises(PolicyError, match="'weakens' is a list of names"):
        parse(weakens=True)


def test_a_file_with_the_name_of_a_shipped_policy_is_checked_as_well(tmp_path):
    (tmp_path / "court").write_text(
        "name: court\nextends: balanced\ndecide: {thresholds: {CODE: 2}}\n", "utf-8"
    )
    with pytest.raises(PolicyError, match="masks less"):
        Policy.load(tmp_path / "court")
