"""Attacks whose outcome is known, on invented people."""

import json
from dataclasses import replace

import numpy as np
import pytest

from maskwise.attack.attacker import Background
from maskwise.attack.bm25 import BM25, Cosine
from maskwise.attack.clues import find_clues, remove_spans
from maskwise.attack.development import make_development_set
from maskwise.attack.scenario import (
    Target,
    apply_masks,
    assemble_scenario,
    read_corpus,
    read_scenario,
)
from maskwise.attack.trir import attack_scenario, compute_f1, estimate_rate, find_hits
from maskwise.crowd.curate import extract_terms
from maskwise.errors import CorpusError

TRADES = "glassblower tram-driver surveyor baker botanist clockmaker falconer printer weaver cooper".split()
HABITS = "bees barometers chess sauna orchids pendulums kestrels linotype looms barrels".split()
PLACES = "Larkby Hexwick Tarn Westerloo Dunmere Pellmere Morrow Osthaven Vann Kessel".split()


def life(at):
    trade, habit, place = TRADES[at], HABITS[at], PLACES[at]
    return (
        f"Person{at} Surname{at} was born in {place} and learned the work of a {trade} there. "
        f"Everyone in {place} knew about the {habit} in the garden of the house. "
        f"The {trade} wrote letters about {habit} to a cousin abroad for many years. "
        f"A small museum of {habit} opened in {place} after the {trade} retired. "
        f"The work of a {trade} was hard and paid little in those days."
    )


PEOPLE = [(f"Person{at} Surname{at}", life(at)) for at in range(10)]
CLEAR = [(name, f"A {TRADES[at]} with {HABITS[at]}.") for at, (name, _) in enumerate(PEOPLE)]
HALF = [
    (name, f"A {TRADES[at]}." if at < 5 else "A *** with PERSON.")
    for at, (name, _) in enumerate(PEOPLE)
]
BLANK = [(name, "*** with ***.") for name, _ in PEOPLE]


def plain(texts, names):
    """An anonymiser that hides the name alone."""
    hidden = []
    for text, name in zip(texts, names, strict=True):
        for word in name.split():
            text = text.replace(word, "***")
        hidden.append(text)
    return hidden


@pytest.fixture(scope="module")
def scenario():
    return assemble_scenario(PEOPLE, {"clear": CLEAR, "half": HALF, "blank": BLANK})


@pytest.fixture(scope="module")
def report(scenario):
    return attack_scenario(scenario, [BM25(), Cosine()], plain, people=6)


def test_trir_of_known_outcomes(report):
    found = {label: column.ensemble.value for label, column in report.columns.items()}
    assert found == {"clear": 1.0, "half": 0.5, "blank": 0.0}
    assert report.columns["half"].hits["bm25"].tolist() == [[True] * 5 + [False] * 5]
    assert set(report.development) == {"bm25", "tfidf", "fusion"}
    assert report.guess == pytest.approx(0.1)
    assert report.guesses == pytest.approx(1 - 0.9**3)


def test_the_ensemble_is_as_strong_as_each_attacker(report):
    for column in report.columns.values():
        assert column.ensemble.value >= max(rate.value for rate in column.attackers.values())


def test_same_seed_same_report(scenario, report):
    again = attack_scenario(scenario, [BM25(), Cosine()], plain, people=6)
    assert again.development == report.development
    assert {k: c.attackers for k, c in again.columns.items()} == {
        k: c.attackers for k, c in report.columns.items()
    }
    several = attack_scenario(scenario, [BM25()], plain, people=3, seeds=(1, 2))
    assert several.columns["half"].hits["bm25"].shape == (2, 10)
    assert several.columns["half"].ensemble == estimate_rate(5, 10)


def test_the_choice_never_sees_the_texts_under_attack(scenario, report):
    other = replace(scenario, columns={"blank": scenario.columns["blank"]})
    alone = attack_scenario(other, [BM25(), Cosine()], plain, people=6)
    assert (alone.best, alone.development) == (report.best, report.development)


def test_people_the_background_lacks_count_as_protected():
    scenario = assemble_scenario(PEOPLE[:5], {"clear": CLEAR})
    column = attack_scenario(scenario, [BM25()], plain, people=2).columns["clear"]
    assert column.present == 0.5
    assert column.ensemble.value == 0.5


def test_a_tie_is_not_a_re_identification():
    targets = [Target(0, "", ""), Target(0, "", ""), Target(None, "", "")]
    assert find_hits(np.array([[1.0, 1.0], [2.0, 1.0], [5.0, 1.0]]), targets).tolist() == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (0, 50, 0.0, 0.0713),
        (7, 50, 0.0695, 0.2619),
        (50, 50, 0.9287, 1.0),
        (10, 20, 0.2993, 0.7007),
    ],
)
def test_wilson(right, n, low, high):
    rate = estimate_rate(right, n)
    assert (rate.value, rate.low, rate.high) == pytest.approx((right / n, low, high), abs=5e-5)


def test_f1_of_protection_and_utility():
    assert compute_f1(0.2, 0.8) == pytest.approx(0.8)
    assert compute_f1(0.5, 1.0) == pytest.approx(2 / 3)
    assert compute_f1(1.0, 0.0) == 0.0


def test_the_development_set_is_cut_out_of_the_background():
    whole = Background(tuple(text for _, text in PEOPLE))
    names = [name for name, _ in PEOPLE]
    made = make_development_set(names, whole, plain, seed=4, people=4)
    assert made == make_development_set(names, whole, plain, seed=4, people=4)
    assert made.people != make_development_set(names, whole, plain, seed=5, people=4).people
    for person, text in zip(made.people, made.texts, strict=True):
        assert text
        assert names[person] not in text
        assert text not in made.background[person]
        held, rest = len(extract_terms(text)), len(extract_terms(made.background[person]))
        assert held + rest <= len(extract_terms(whole.texts[person]))
    untouched = set(range(10)) - set(made.people)
    assert all(made.background[at] == whole.texts[at] for at in untouched)


def test_clues_name_what_gave_a_person_away(scenario):
    scorer = BM25().fit(Background(scenario.background))
    text = "Someone in the house kept bees and orchids, a glassblower of Larkby."
    found = find_clues(Target(0, "", text), text, scorer)
    listed = [clue.text for clue in found.clues]
    assert set(listed[:3]) == {"bees", "glassblower", "Larkby"}
    assert "orchids" not in listed
    hidden = remove_spans(text, listed[: found.enough])
    assert find_hits(scorer([hidden]), [Target(0, "", "")]).tolist() == [False]
    assert find_clues(Target(3, "", text), text, scorer) is None
    assert find_clues(Target(None, "", text), text, scorer) is None


def test_reads_records_and_csv_alike(tmp_path):
    rows = [
        {"who": "Ada", "life": "Bees.", "ours": "[X]", "n": None},
        {"who": "Bo", "life": "Tram.", "ours": ""},
    ]
    (tmp_path / "a.json").write_text(json.dumps(rows), "utf-8")
    (tmp_path / "a.csv").write_text('who,life,ours\nAda,Bees.,[X]\nBo,"Tram.",\n', "utf-8")
    one = read_scenario(tmp_path / "a.json", name="who", background="life", columns=["ours"])
    assert one == read_scenario(tmp_path / "a.csv", name="who", background="life")
    assert one.columns["ours"] == (Target(0, "Ada", "[X]"),)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"name": "Ada", "life": "Bees."}], "no column 'public_knowledge'"),
        ([{"name": "Ada", "public_knowledge": "Bees.", "m": "x"}], "at least two"),
        ([{"name": "Ada", "public_knowledge": "Bees.", "m": 3}], "holds int"),
        ({"name": "Ada"}, "expected a list of records"),
        ([{"name": "Ada", "public_knowledge": "Bees."}], "no masked text"),
    ],
)
def test_broken_scenarios_are_refused(tmp_path, rows, message):
    (tmp_path / "a.json").write_text(json.dumps(rows), "utf-8")
    with pytest.raises(CorpusError, match=message):
        read_scenario(tmp_path / "a.json")


def test_reads_a_corpus_with_masks_and_background(tmp_path):
    text = "Ada kept bees."
    corpus = [
        {
            "doc_id": "1",
            "text": text,
            "task": "Task: Anonymise the person named: Ada",
            "annotations": {},
        }
    ]
    people = [
        {"name": "ADA", "public_knowledge": "Bees."},
        {"name": "Bo", "public_knowledge": "Tram."},
    ]
    for name, value in (
        ("c", corpus),
        ("b", people),
        ("m", {"1": [[0, 3, "[P]"], [9, 13]]}),
        ("t", {"1": "X."}),
    ):
        (tmp_path / f"{name}.json").write_text(json.dumps(value), "utf-8")
    versions = {"spans": tmp_path / "m.json", "text": tmp_path / "t.json"}
    scenario = read_corpus(tmp_path / "c.json", versions, tmp_path / "b.json")
    assert {label: column[0].text for label, column in scenario.columns.items()} == {
        "spans": "[P] kept ***.",
        "text": "X.",
    }
    assert scenario.columns["text"][0].person == 0
    with pytest.raises(CorpusError, match="outside the text"):
        apply_masks(text, [[5, 99]], "m")
