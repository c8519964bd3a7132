"""Documents in which there is nobody to measure, or too many: a clear statement each, and never a false rank."""

import pytest

from maskwise import Document, Sanitizer
from maskwise.policy import Policy
from maskwise.settings import CrowdSettings

TOWNS = ("Leeds", "Porto", "Graz", "Cork")
JOBS = ("baker", "nurse", "teacher", "carpenter", "pilot")
FIRST = ("Ada", "Bo", "Cara", "Dirk", "Elin", "Frode", "Gerd", "Hal")
LAST = ("Brandvold", "Fennimore", "Solheim", "Tarnwick", "Oxley")
NO_FACTS = "Marta Quendale called. She will call again."
NOBODY = (
    "The boiler in the cellar of the town hall leaked. The valve was rusty and the pipes were old."
)
FOREIGN = (
    "Frau Petra Lindemann wurde 1961 in Graz geboren und arbeitet seit 1990 als Lehrerin an der Volksschule in Weiz. "
    "Sie hat drei Kinder und wohnt mit ihrem Mann in einem alten Haus am Fluss."
)
STATEMENTS = {
    "  \n": "the document is empty",
    NO_FACTS: "tells no facts about a person",
    NOBODY: "speaks of no person",
    FOREIGN: "does not read as English",
}


def name_forty():
    return [f"{FIRST[at % 8]} {LAST[at // 8]}" for at in range(40)]


def describe_forty():
    told = []
    for at, name in enumerate(name_forty()):
        town, job = TOWNS[at % 4], JOBS[at % 5]
        told.append(f"{name} was born in {town} in {1940 + at} and works as a {job}.")
    return " ".join(told)


@pytest.fixture(scope="module")
def lines():
    measured = Policy.load("balanced").model_copy(update={"crowd": CrowdSettings()})
    return {"--risk": Sanitizer(measured), "anonymous": Sanitizer("anonymous")}


@pytest.mark.parametrize("line", ["--risk", "anonymous"])
@pytest.mark.parametrize(("text", "said"), STATEMENTS.items())
def test_a_document_without_anybody_to_measure_has_no_rank(lines, line, text, said):
    risk = lines[line].sanitize(text).risk
    assert not risk.is_measured
    assert risk.to_json()["persons"] == []
    assert risk.describe()[0] == "risk in the crowd: not measured"
    assert said in risk.describe()[1]


def test_what_cannot_be_measured_is_masked_as_far_as_it_was_found(lines):
    result = lines["anonymous"].sanitize(FOREIGN)
    found = [m.text for e in result.entities for m in e.mentions if not e.is_candidate]
    assert "Petra Lindemann" in " ".join(found)
    assert not [text for text in found if text in result.text]
    assert result.risk.has_missed
    assert "all that was found is masked" in result.risk.note


def test_of_forty_people_the_result_says_whom_it_measured(lines):
    text = describe_forty()
    told = lines["--risk"].sanitize(text).risk
    assert len(told.persons) == 8
    assert "facts about 40 people, and 8 of them are measured" in told.note
    assert not told.has_missed  # K was not asked for
    hidden = lines["anonymous"].sanitize(text)
    assert hidden.risk.has_missed
    assert hidden.risk.to_json()["partial"]
    assert not [year for year in range(1940, 1980) if str(year) in hidden.text]
    assert not [name for name in name_forty() if name in hidden.text]


def test_a_gender_and_a_single_word_are_no_facts(lines):
    risk = lines["--risk"].sanitize(Document("Oda Fennimore sang. She sang well.")).risk
    assert not risk.is_measured
