"""Two policies on the same texts: what one stops masking, and that what the pages document stops nothing."""

import re
from pathlib import Path

import pytest
import yaml

from maskwise.bundle import manifest
from maskwise.policy import Policy, list_shipped, load_family
from maskwise.probes import compare_policies, read_probes
from maskwise.risk.index import build_index
from maskwise.risk.pages import PublicPage
from maskwise.text import EntityType

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def parse(**keys):
    return Policy.parse({"name": "mine", "extends": "balanced", **keys})


def test_the_probes_ship_with_the_package():
    probes = read_probes()
    assert len(probes) == 12
    assert {f"probes/{name}.txt" for name in probes} <= manifest.read_recorded().keys()


def test_a_policy_masks_what_it_masks():
    found = compare_policies(Policy.load("balanced"), Policy.load("balanced"))
    assert (found.lost, found.lost_direct, found.documents) == (0, 0, 12)
    assert found.masked > 100


@pytest.mark.parametrize("name", sorted(set(list_shipped()) - {"balanced"}))
def test_no_shipped_policy_masks_fewer_direct_identifiers_than_the_one_it_extends(name):
    family = load_family(name)
    if family.parent is not None:
        assert compare_policies(family.policy, family.parent).lost_direct == 0


TEXTS = {
    "a": "Mr Hugo Castell, a Norwegian, was born in Oslo on 3 May 1971. Write to h.castell@example.org."
}


@pytest.mark.parametrize(
    ("keys", "lost"),
    [
        ({"decide": {"thresholds": {"LOC": 2}}, "indicators": {"replace": []}}, {"LOC": False}),
        (
            {"detectors": {"replace": [{"kind": "gazetteer"}]}},
            {"PERSON": True, "CODE": True, "DATETIME": False},
        ),
        (
            {
                "detectors": {
                    "replace": [{"kind": "patterns", "without": ["email"]}, {"kind": "gazetteer"}]
                }
            },
            {"CODE": True},
        ),
        ({"indicators": [{"kind": "emulator"}]}, {}),
        ({"operator": {"kind": "encrypt"}}, {}),
        ({"operator": {"kind": "surrogate"}, "operators": {"DATETIME": {"kind": "shift"}}}, {}),
    ],
)
def test_what_is_lost_is_told_by_type(keys, lost):
    raw = {"weakens": ["neural", "patterns"], **keys}
    found = compare_policies(parse(**raw), Policy.load("balanced"), TEXTS)
    assert {loss.type: loss.direct for loss in found.losses} == lost
    assert found.lost_direct == sum(lost.values())


def test_engines_and_populations_are_not_asked():
    asks = [
        {"kind": "web", "index": {"kind": "searxng", "url": "http://localhost:1"}},
        {"kind": "reidentification", "population": "nowhere.jsonl"},
    ]
    found = compare_policies(parse(indicators=asks), Policy.load("balanced"), TEXTS)
    assert (found.lost, found.not_asked) == (0, ("reidentification", "web"))


PAGES = {
    "none": [],
    "others": [
        PublicPage("town", "", "Northmoor is a town near Elmstad with a school in Willow Lane.")
    ],
    "person": [
        PublicPage("hugo", "", "Hugo Castell of Elmstad works for Brankt Widgets Ltd."),
        PublicPage("x", "", "Elmstad"),
    ],
}


@pytest.mark.parametrize("pages", PAGES)
def test_the_policies_of_the_background_page_mask_at_least_what_their_parent_masks(
    tmp_path, monkeypatch, pages
):
    """An index that knows nobody, others, or the person: none of them makes a word visible."""
    monkeypatch.chdir(tmp_path)
    build_index(PAGES[pages] or [PublicPage("empty", "", "nothing")], tmp_path / "people.index")
    policies = [
        yaml.safe_load(text)
        for text in BLOCK.findall((ROOT / "docs" / "background.md").read_text("utf-8"))
    ]
    named = [raw for raw in policies if raw.get("extends") == "balanced"]
    assert len(named) >= 3
    for raw in named:
        policy = Policy.parse({**raw, "protect": ["Hugo Castell"]})
        assert {part.kind for part in policy.assessed} >= {"sequence", "probability"}
        found = compare_policies(policy, parse(protect=["Hugo Castell"]))
        assert found.losses == (), raw["name"]


def test_an_index_masks_more_where_it_knows_the_person(tmp_path):
    build_index(PAGES["person"], tmp_path / "people.index")
    web = {"kind": "web", "index": {"kind": "local", "path": str(tmp_path / "people.index")}}
    keep_all = {"thresholds": {kind.value: 2 for kind in EntityType}}
    with_pages, without = (
        Policy.parse(
            {
                "name": "x",
                "protect": ["Hugo Castell"],
                "decide": {"kind": "optimal", **keep_all},
                **more,
            }
        )
        for more in ({"indicators": [web]}, {})
    )
    text = {"a": "Hugo Castell lives in Elmstad. He was in Oslo in 1999."}
    assert compare_policies(without, with_pages, text).losses != ()
    assert compare_policies(with_pages, without, text).losses == ()
