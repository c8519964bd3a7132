"""Counting people: the index agrees with counting by hand, and masking more never makes a crowd smaller."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.crowd.index import PopulationIndex
from maskwise.crowd.population import Population, Profile
from maskwise.errors import InputError, PolicyError
from maskwise.policy import Policy
from maskwise.risk.population import PopulationIndicator
from maskwise.sanitizer import Sanitizer
from maskwise.text import (
    Document,
    Entity,
    EntityType,
    Evidence,
    IdentifierType,
    Indicator,
    Person,
    SearchIndex,
)

TEXT = "Ana Souza, a cellist from Porto, was born on 3 May 1921 and played 12 times."


def people(count: int = 60) -> PopulationIndex:
    """Ana, and a crowd in which every second is a cellist, every third from Porto and every fifth born in 1921."""
    rows = [
        Profile.of(
            "ana",
            {"name": "Ana Souza", "occupation": "cellist", "place": "Porto", "born": "1921-05-03"},
        )
    ]
    for at in range(1, count):
        facts = {
            "occupation": "cellist" if at % 2 else "nurse",
            "place": ["Porto", "Oslo"] if at % 3 == 0 else "Oslo",
            "born": "1921" if at % 5 == 0 else "1930-01-01",
        }
        rows.append(Profile.of(f"p{at}", facts))
    return PopulationIndex.of(Population(rows))


def entities() -> list[Entity]:
    document = Document(TEXT, id="d", protected=(Person("Ana Souza"),))

    def entity(
        text: str, kind: EntityType, subtype: str, value: str = "", **more: object
    ) -> Entity:
        start = TEXT.index(text)
        mention = document.mention(start, start + len(text), kind, subtype=subtype, value=value)
        return Entity(text, kind, (mention,), **more)  # type: ignore[arg-type]

    return [
        entity(
            "Ana Souza", EntityType.PERSON, "", identifier=IdentifierType.DIRECT, protected=True
        ),
        entity("cellist", EntityType.DEM, "occupation"),
        entity("Porto", EntityType.LOC, "city"),
        entity("3 May 1921", EntityType.DATETIME, "date", "1921-05-03"),
        entity("12 times", EntityType.QUANTITY, "count"),
    ]


def assess(at_least: int = 8, max_arity: int = 2) -> dict[tuple[str, ...], Evidence]:
    found = entities()
    indicator = PopulationIndicator(people(), at_least, max_arity)
    return {e.entities: e for e in indicator.assess(found[0].first.document, found)}


def test_it_is_an_indicator_and_the_crowd_an_index() -> None:
    assert isinstance(PopulationIndicator(people()), Indicator)
    assert isinstance(people(), SearchIndex)


def test_values_alone_and_together() -> None:
    evidence = assess()
    assert evidence["cellist",].score == 31
    assert not evidence["cellist",].risky
    assert (
        evidence["cellist",].reason
        == "this occupation alone matches 31 of 60 people; at least 8 are asked"
    )
    assert evidence["3 May 1921",].risky
    assert evidence["3 May 1921",].reason == (
        "this date alone matches 1 of 60 people (12 if only the year were told); at least 8 are asked"
    )
    assert ("12 times",) not in evidence  # the register knows nothing of it
    assert ("cellist", "Porto") not in evidence  # 11 people: safe
    stricter = assess(at_least=12)["cellist", "Porto"]
    assert (stricter.risky, stricter.score, stricter.threshold) == (True, 11, 12)
    assert stricter.reason == (
        "this occupation and this city together match 11 of 60 people; at least 12 are asked"
    )


def test_dates_without_a_year_are_not_looked_up() -> None:
    document = Document("Today")
    today = Entity(
        "e",
        EntityType.DATETIME,
        (document.mention(0, 5, EntityType.DATETIME, subtype="relative_date"),),
    )
    crowd = PopulationIndex.of([Profile.of("p", {"work": "Today"})])
    assert PopulationIndicator(crowd).assess(document, [today]) == []


def test_no_risky_combination_holds_a_smaller_one_or_a_name() -> None:
    for at_least in (2, 8, 12, 25, 40):
        risky = [set(ids) for ids, e in assess(at_least, 3).items() if e.risky]
        assert not any(left < right for left in risky for right in risky)
        assert not any(len(ids) > 1 and "Ana Souza" in ids for ids in risky)


def test_no_text_in_reasons() -> None:
    said = " ".join(e.reason for e in assess(at_least=25, max_arity=3).values())
    assert not any(entity.first.text in said for entity in entities())


@pytest.mark.parametrize(
    ("terms", "count"),
    [
        ([], 60),
        (["CELLIST"], 31),
        (["the Cellist"], 31),
        (["cellists"], 31),
        (["Pörto"], 20),
        (["Porto, Oslo"], 19),
        (["Porto/Oslo"], 19),
        (["1921"], 12),
        (["1921-05"], 1),
        (["192X"], 12),
        (["19XX"], 60),
        (["Lisbon"], 0),
        (["cellist", "Lisbon"], 0),
        (["cellist", "Porto", "1921"], 3),
    ],
)
def test_values_are_found_as_people_write_them(terms: list[str], count: int) -> None:
    crowd = people()
    assert crowd.hits(terms) == count
    assert len(crowd.search(terms, 5)) == min(count, 5)


VALUES = [f"v{at}" for at in range(6)]
registers = st.lists(st.sets(st.sampled_from(VALUES)), min_size=1, max_size=30)


@given(registers, st.sets(st.sampled_from(VALUES)))
def test_counts_equal_counting_by_hand(register: list[set[str]], asked: set[str]) -> None:
    crowd = PopulationIndex.of(
        Profile.of(str(at), {"has": sorted(values)}) for at, values in enumerate(register)
    )
    expected = [str(at) for at, values in enumerate(register) if asked <= values]
    assert crowd.hits(sorted(asked)) == len(expected)
    assert crowd.search(sorted(asked), 100) == expected


@given(registers, st.lists(st.sampled_from(VALUES), max_size=6))
def test_masking_more_never_makes_the_crowd_smaller(
    register: list[set[str]], visible: list[str]
) -> None:
    crowd = PopulationIndex.of(
        Profile.of(str(at), {"has": sorted(values)}) for at, values in enumerate(register)
    )
    counts = [crowd.hits(visible[at:]) for at in range(len(visible) + 1)]
    assert counts == sorted(counts)
    assert counts[-1] == len(register)


@given(registers, st.integers(2, 12), st.integers(1, 3))
def test_every_smallest_risky_combination_is_told(
    register: list[set[str]], at_least: int, arity: int
) -> None:
    text = " ".join(VALUES)
    document = Document(text)
    found = [
        Entity(
            v,
            EntityType.MISC,
            (document.mention(text.index(v), text.index(v) + 2, EntityType.MISC),),
        )
        for v in VALUES
    ]
    crowd = PopulationIndex.of(
        Profile.of(str(at), {"has": sorted(values)}) for at, values in enumerate(register)
    )
    told = PopulationIndicator(crowd, at_least, arity).assess(document, found)
    known = [v for v in VALUES if any(v in values for values in register)]
    small: list[set[str]] = []
    for size in range(1, arity + 1):
        for members in combinations(known, size):
            count = sum(set(members) <= values for values in register)
            if count < at_least and not any(s <= set(members) for s in small):
                small.append(set(members))
    assert [set(e.entities) for e in told if e.risky] == small


def register(path: Path, count: int = 40) -> Path:
    rows = [
        {"id": at, "profile": {"occupation": "plumber", "place": "Norway" if at < 30 else "Chile"}}
        for at in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_a_policy_that_asks_for_a_crowd(tmp_path: Path) -> None:
    path = register(tmp_path / "people.jsonl")
    policy = Policy.model_validate(
        {
            "name": "crowd",
            "detectors": [{"kind": "gazetteer"}],
            "indicators": [{"kind": "population", "path": str(path), "at_least": 20}],
            "decide": {"kind": "thresholds", "default": 2},
        }
    )
    assert Sanitizer(policy).sanitize("A plumber from Norway.").text == "A plumber from Norway."
    result = Sanitizer(policy).sanitize("A plumber from Chile.")
    assert [e.score for e in result.evidence if e.risky] == [10]
    assert "10 of 40 people" in " ".join(e.reason for e in result.evidence)


@pytest.mark.parametrize(
    ("key", "value"),
    [("at_least", 1), ("max_arity", 0), ("duplicates", "all"), ("bound", 3), ("path", None)],
)
def test_wrong_keys_of_the_policy(tmp_path: Path, key: str, value: object) -> None:
    def policy(**more: object) -> str:
        indicator = {"kind": "population", "path": "people.jsonl"} | more
        (tmp_path / "policy.yaml").write_text(
            json.dumps({"name": "crowd", "indicators": [indicator]})
        )
        return str(tmp_path / "policy.yaml")

    assert Policy.load(policy()).indicators[0].kind == "population"
    with pytest.raises(PolicyError, match=key):
        Policy.load(policy(**{key: value}))


def test_a_register_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"people\.jsonl"):
        PopulationIndicator(str(tmp_path / "people.jsonl"))
