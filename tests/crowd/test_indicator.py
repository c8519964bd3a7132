"""Re-identification as an indicator: what a policy that demands k gets."""

import json

import numpy as np
import pytest

from maskwise.crowd.lexical import Lexical
from maskwise.crowd.population import Population, Profile
from maskwise.crowd.ranks import rank_profile
from maskwise.crowd.words import Words
from maskwise.errors import MaskingError
from maskwise.policy import Policy
from maskwise.risk.crowd import ReidentificationIndicator
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, EntityType, Person

ROWS = [
    ("p1", "Ana Souza", "cellist", "Porto"),
    ("p2", "Bo Berg", "cellist", "Oslo"),
    ("p3", "Ines Lindqvale", "baker", "Porto"),
    ("p4", "Pavel Dvorsky", "surveyor", "Oslo"),
    ("p5", "Ana Marchetti", "baker", "Lisbon"),
    ("p6", "Ana Marchetti", "poet", "Lisbon"),
    ("p7", "Lise Pemberly", "surveyor", "Porto"),
]
PEOPLE = Population(Profile.of(i, {"name": n, "job": j, "place": p}) for i, n, j, p in ROWS)
TEXT = "Ana Souza is a cellist from Porto who likes tea."


def entity(document, id, text, kind, **about):
    start = document.text.index(text)
    return Entity(id, kind, (document.mention(start, start + len(text), kind),), **about)


def entities(document):
    named = entity(document, "e1", "Ana Souza", EntityType.PERSON, protected=True)
    return [
        named,
        *(
            entity(document, f"e{at}", text, EntityType.DEM)
            for at, text in ((2, "cellist"), (3, "Porto"))
        ),
    ]


def test_what_had_to_be_masked_is_risky_alone_and_together():
    document = Document(TEXT, id="p1")
    found = ReidentificationIndicator(PEOPLE, k=2).assess(document, entities(document))
    risky = {e.entities for e in found if e.risky}
    assert risky == {("e2",), ("e3",), ("e2", "e3")}
    [together] = [e.reason for e in found if len(e.entities) > 1]
    assert together == "together these 2 leave the person at rank 1 of 7"
    assert all(e.indicator == "reidentification" for e in found)
    assert not any("e1" in e.entities for e in found)  # the protected name is masked in any case


def test_what_may_stay_says_so():
    document = Document(TEXT, id="p1")
    found = {
        e.entities: e
        for e in ReidentificationIndicator(PEOPLE, k=1).assess(document, entities(document))
    }
    assert [e.risky for e in found.values()].count(True) == 1
    [kept] = [e for e in found.values() if not e.risky]
    assert "still at rank" in kept.reason


def test_a_person_is_known_by_a_protected_name():
    document = Document("The cellist from Porto left.", protected=(Person("Dr Ana SOUZA"),))
    parts = [
        entity(document, f"e{at}", text, EntityType.DEM)
        for at, text in ((1, "cellist"), (2, "Porto"))
    ]
    assert any(e.risky for e in ReidentificationIndicator(PEOPLE, k=2).assess(document, parts))


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (Document(TEXT, id="p9"), "no profile has its id"),
        (Document(TEXT, id="p9", protected=(Person("Ana Marchetti"),)), "2 profiles have the name"),
        (Document("The poet of Lisbon.", id="p6"), "cannot be reached by masking its entities"),
    ],
)
def test_a_demand_that_cannot_be_met_is_an_error_without_text(document, said):
    with pytest.raises(MaskingError, match=said) as error:
        ReidentificationIndicator(PEOPLE, k=1).assess(document, [])
    assert "Marchetti" not in str(error.value)


def test_errors_can_be_accepted():
    accept = ReidentificationIndicator(PEOPLE, k=5, unknown="accept", unreached="accept")
    assert accept.assess(Document(TEXT, id="p9"), []) == []
    document = Document("The poet of Lisbon.", id="p6")
    [found] = accept.assess(document, [entity(document, "e1", "Lisbon", EntityType.LOC)])
    assert found.risky
    assert "even with all entities masked" in found.reason


def test_a_policy_that_demands_k_gets_it(tmp_path):
    register = tmp_path / "people.jsonl"
    rows = [{"id": p.id, "profile": dict(p.attributes)} for p in PEOPLE]
    register.write_text("".join(json.dumps(row) + "\n" for row in rows))
    indicator = {"kind": "reidentification", "population": str(register), "k": 2}
    raw = {
        "name": "crowd",
        "detectors": [{"kind": "gazetteer"}, {"kind": "patterns"}],
        "indicators": [indicator],
    }
    document = Document(
        "Ana Souza is a cellist from Porto.", id="p1", protected=(Person("Ana Souza"),)
    )
    result = Sanitizer(Policy.parse(raw)).sanitize(document)
    words = Words(document.text)
    mask = np.zeros(len(words), dtype=bool)
    mask[words.find_touched((start, end) for start, end, _ in result.masks)] = True
    ranker = Lexical.fit(PEOPLE)
    clear = np.zeros(len(words), dtype=bool)
    before, after = rank_profile(ranker.read(words.texts).score(np.array([clear, mask])), 0)
    assert before.rank == 1
    assert after.rank > 2
