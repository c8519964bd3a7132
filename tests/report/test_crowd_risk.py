"""Measured risk in the page, in JSON and in the audit log: what was measured, and that nothing was."""

import json
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise import Document, Sanitizer
from maskwise.audit import Log
from maskwise.crowd.measured import CrowdRisk, PersonRisk, Standing
from maskwise.policy import Policy
from maskwise.report.document import build_document_page
from maskwise.report.summary import PEOPLE, build_summary

HOSTILE = "</table><script>alert(1)</script> \"'><img src=x onerror=alert(2)>"
RULES = Policy.parse(
    {"name": "rules", "detectors": [{"kind": "patterns"}], "decide": {"kind": "thresholds"}}
)
RESULT = Sanitizer(RULES).sanitize(Document("Mr Lee left on 3 May 1971.", id="note.txt"))
NOBODY = "the document speaks of no person"


class Section(HTMLParser):
    """The tables, meters, headings and sentences of "Risk in the crowd"."""

    def __init__(self, results):
        super().__init__()
        self.tags = []
        self.texts = []
        head = build_summary(results)
        self.html = re.search(r"<div><h3>Risk in the crowd</h3>(.*?)</div>", head, re.DOTALL)[1]
        self.feed(self.html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.texts.append((tag, ""))

    def handle_data(self, data):
        if self.texts:
            tag, text = self.texts[-1]
            self.texts[-1] = (tag, text + data)

    def read(self, tag):
        return [text.strip() for name, text in self.texts if name == tag]

    @property
    def meters(self):
        return [attrs for name, attrs in self.tags if name == "meter"]


def person(label="person 1", before=0.9, after=0.1, rank=50, attackers=("bm25",)):
    return PersonRisk(
        label,
        3,
        {name: Standing(1, before) for name in attackers},
        {name: Standing(rank, after) for name in attackers},
    )


def measured(*people, note="", k=None):
    return replace(RESULT, risk=CrowdRisk("invented", 12_345, people, note, k))


def test_without_a_measurement_it_says_so():
    section = Section([RESULT])
    assert section.read("p")[0] == "Not measured; the option --risk measures it."
    assert not section.meters
    assert RESULT.to_json()["risk"] == {"measured": False}


def test_a_crowd_that_could_measure_nothing_says_why():
    result = measured(note=NOBODY)
    section = Section([result])
    assert section.read("p")[:2] == ["Not measured.", NOBODY]
    assert not section.meters
    assert "Rank among" not in section.html
    told = result.to_json()["risk"]
    assert (told["measured"], told["persons"], told["note"]) == (False, [], NOBODY)


def test_ranks_and_probabilities_before_and_after_stand_with_each_attacker():
    result = measured(person(after=0.25, rank=1_204, attackers=("bm25", "dense")))
    section = Section([result])
    rows = re.findall(
        r'<th scope="row">(.*?)</th><td>(.*?)</td><td>.*?</meter> (.*?)</td>', section.html
    )
    assert rows == [
        ("bm25, before", "1", "0.90"),
        ("bm25, after", "1,204", "0.25"),
        ("dense, before", "1", "0.90"),
        ("dense, after", "1,204", "0.25"),
    ]
    assert "Rank among 12,345 people" in section.html
    assert "Not measured" not in section.html
    [told] = result.to_json()["risk"]["persons"]
    assert told["attackers"]["dense"]["after"] == {"rank": 1_204, "probability": 0.25}


@given(st.floats(0, 1))
def test_a_meter_is_green_near_0_and_red_near_1(value):
    for meter in Section([measured(person(before=value, after=value))]).meters:
        low, high, optimum, drawn = (
            float(meter[key]) for key in ("low", "high", "optimum", "value")
        )
        assert (float(meter["min"]), float(meter["max"])) == (0, 1)
        assert (
            optimum <= low < high
        )  # a browser then draws the lowest part green and the highest red
        assert drawn == pytest.approx(value, abs=5e-5)
        assert drawn <= low or value > 0.09
        assert drawn > high or value < 0.51


def test_every_person_is_listed_and_the_likeliest_to_be_found_is_first():
    people = [person(f"person {n}", after=n / 10) for n in range(1, 6)]
    section = Section([measured(*people)])
    assert section.read("h4") == [f"person {n}" for n in (5, 4, 3, 2, 1)]
    assert len(section.meters) == 2 * len(people)


def test_a_crowded_document_shows_the_likeliest_and_counts_the_others():
    people = [person(f"person {n}", after=n / 1000) for n in range(PEOPLE + 3)]
    section = Section([measured(*people)])
    assert section.read("h4")[0] == f"person {PEOPLE + 2}"
    assert len(section.read("h4")) == PEOPLE
    assert "and 3 more, who are not likelier to be found" in section.read("p")


def test_only_people_who_are_still_among_the_first_k_are_said_to_be_missed():
    section = Section([measured(person("person 1", rank=20), person("person 2", rank=21), k=20)])
    first, second = section.html.split("<h4>")[1:]
    assert ("person 1" in first, "K = 20 was missed" in first) == (True, True)
    assert ("person 2" in second, "was missed" in second) == (True, False)
    assert "was missed" not in Section([measured(person(rank=1))]).html


def test_the_texts_of_a_file_are_told_apart_and_say_the_same_thing_once():
    texts = [measured(person()), measured(note=NOBODY), measured(note=NOBODY), measured(person())]
    section = Section(texts)
    assert section.read("h4") == ["text 1, person 1", "text 4, person 1"]
    assert "Not measured in 2 of 4 texts." in section.read("p")
    assert section.html.count(NOBODY) == section.html.count("Rank among") == 1


def test_labels_attackers_and_notes_stay_text():
    page = build_document_page([measured(person(HOSTILE, attackers=(HOSTILE,)), note=HOSTILE)], "p")
    assert page.count(escape(HOSTILE)) == 4  # one label, two rows, one note
    assert HOSTILE not in page


def test_the_audit_log_has_what_was_measured(tmp_path):
    path = tmp_path / "audit.jsonl"
    results = [RESULT, measured(person(), k=20)]
    with Log.open(path, RULES) as log:
        log.write(results)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    risks = [record["risk"] for record in records if record["kind"] == "document"]
    assert risks[0] == {"measured": False}
    assert {**risks[1], "crowd": "invented"} == results[1].to_json()["risk"]
    assert "invented" not in path.read_text()  # the crowd may have the name of a file
