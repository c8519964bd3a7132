"""Fifteen texts of kinds that users paste: nothing identifying is left, nothing absurd is masked.

In `data/pasted`, `⟦PERSON:Ana Souza⟧` must be masked and `⟦?DEM:a nurse⟧` may be. `STAYS` lists what must stay.
`data/golden/pasted` has the whole outputs; `tools/write_golden.py` writes them again.
"""

import re
from pathlib import Path

import pytest

from maskwise import Sanitizer

DATA = Path(__file__).parent / "data"
MARK = re.compile(r"⟦(?P<open>\??)[A-Z|]*:(?P<text>[^⟧]*)⟧")
TITLES = {"dr", "mr", "ms", "pc", "corner", "of", "and", "the"}
NAMES = sorted(path.stem for path in (DATA / "pasted").glob("*.txt"))
STAYS = {
    "addresses": "Please send the samples",
    "bank": "Account holder|IBAN|Statement period|Description|Card payment|ATM withdrawal|Direct debit",
    "chat": "omg|lol no|billing queue|Kafka|Gold plan|brb|from support|thx",
    "clinical_question": "Crohn's disease|Humira|Entyvio|Lasix|heart failure|creatinine|Phalen test|EMG|Graves disease"
    "|34 year old|methimazole|warfarin|colonoscopy|INR|CBC",
    "code": "import requests|DB_HOST|DB_USER|DB_PASSWORD|AWS_SECRET_ACCESS_KEY|localhost|nightly report",
    "cv": "PROFILE|Python|Kafka|Terraform|Jenkins|Tableau|EDUCATION|REFERENCES",
    "discharge": "MRN|DOB|Admitted|Attending|Community-acquired pneumonia|Parkinson's disease|Hashimoto thyroiditis"
    "|Gram stain|Rocephin|Glasgow coma scale|Foley catheter|Babinski sign|Lisinopril 10 mg|Sinemet|71-year-old",
    "form": "Phone|Email|Sex: Female|Relationship: Brother|Penicillin|Sertraline 50 mg|GP|Signature|Timestamp",
    "log": "INFO|WARN|kafka consumer|topic=orders|currency=EUR|status=DECLINED|GET /health",
    "mail": "X-To|Cc|FW|Sent|Accounts Payable|Phone|Fax|Original Message|Invoice|by Friday",
    "police": "Incident no.|Date/Time|Reporting officer|Narrative|handbag|towards the river|No arrest",
    "sms": "mums phone|blue folder|Reply STOP|flu jab",
    "table": "Employee|Department|Finance|Human Resources|Engineering|Manager",
    "ticket": "Priority: High|Kafka connector|Plan: Gold|Docker|Java|Postgres|Nginx|Agent notes|administrator",
    "transcript": "Interviewer|Witness|Um, so|Yeah. It was|Tuesday morning|waiting at the crossing",
}


def read_marked(name):
    """The text without marks, and the spans that must be masked."""
    raw = (DATA / "pasted" / f"{name}.txt").read_text("utf-8")
    text, spans, cursor = "", [], 0
    for mark in MARK.finditer(raw):
        text += raw[cursor : mark.start()]
        if not mark["open"]:
            spans.append((len(text), len(text) + len(mark["text"])))
        text += mark["text"]
        cursor = mark.end()
    return text + raw[cursor:], spans


@pytest.fixture(scope="module")
def results():
    sanitizer = Sanitizer()
    texts = {name: read_marked(name)[0] for name in NAMES}
    return dict(zip(NAMES, sanitizer.run(texts.values()), strict=True))


def test_there_are_fifteen_kinds():
    assert len(NAMES) == 15
    assert set(STAYS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_identifying_is_left(name, results):
    text, spans = read_marked(name)
    masked = [(start, end) for start, end, _ in results[name].masks]
    for start, end in spans:
        shown = [
            word.group()
            for word in re.finditer(r"\w+", text)
            if start <= word.start() and word.end() <= end
            if not any(low < word.end() and word.start() < high for low, high in masked)
        ]
        assert [word for word in shown if word.lower() not in TITLES] == []


@pytest.mark.parametrize("name", NAMES)
def test_what_names_nobody_stays(name, results):
    lost = [phrase for phrase in STAYS[name].split("|") if phrase not in results[name].text]
    assert lost == []


@pytest.mark.parametrize("name", NAMES)
def test_no_mask_crosses_a_line(name, results):
    result = results[name]
    assert result.text.count("\n") == result.document.text.count("\n")


@pytest.mark.parametrize("name", NAMES)
def test_the_output_is_the_golden_one(name, results):
    golden = (DATA / "golden" / "pasted" / f"{name}.txt").read_text("utf-8")
    assert results[name].text == golden
