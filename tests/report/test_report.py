"""The HTML page: nothing escapes into it, it asks for nothing, its colours can be read, it says what was decided."""

import base64
import hashlib
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise import Document, Evidence, Sanitizer, sanitize
from maskwise.policy import Policy
from maskwise.report.document import build_document_page
from maskwise.report.texts import AnchoredResult, build_columns
from maskwise.result import Coverage

LETTER = "Mr John Smith was born on 3 May 1971 in Bristol. Smith paid EUR 5,000.\n"
HOSTILE = "</script><img src=x onerror=alert(1)> Mr John \"'><b>Smith</b> & co --> ]]> </style><svg onload=alert(2)>"
RULES = Policy.parse(
    {"name": "rules", "detectors": [{"kind": "patterns"}], "decide": {"kind": "thresholds"}}
)
CSS = files("maskwise.report").joinpath("document.css").read_text("utf-8")


class Page(HTMLParser):
    """Elements, their attributes, and the text of the two columns."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.columns: list[str] = []
        self.depth = 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if dict(attrs).get("class") == "text":
            self.columns.append("")
            self.depth = 0
        if tag == "div":
            self.depth += 1

    def handle_endtag(self, tag):
        if tag == "div":
            self.depth -= 1

    def handle_data(self, data):
        if self.columns and self.depth > 0 and len(self.columns) <= 2:
            self.columns[-1] += data

    def named(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def run(text, policy=RULES):
    sanitizer = Sanitizer(policy)
    result = sanitizer.sanitize(Document(text, id="letter.txt"))
    return result, build_document_page([result], "p", sanitizer.levels)


def test_both_texts_are_there_word_for_word():
    result, html = run(LETTER * 30)
    assert Page(html).columns == [result.document.text, result.text]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["Mr Lee", "\n", "<b>", "&amp;", "é👩‍👧", " on 3 May 1971 ", "x" * 300, "\n\n", '"']
        ),
        max_size=40,
    )
)
def test_any_text_comes_out_as_it_went_in(parts):
    result = Sanitizer(RULES).sanitize("".join(parts))
    left, right = build_columns([AnchoredResult(result, "d0-0")])
    assert left.count('<div class="block">') == right.count('<div class="block">')
    for html, text in ((left, result.document.text), (right, result.text)):
        parsed = Page(f'<div class="text">{html}</div>')
        assert parsed.columns == [text]
        assert {tag for tag, _ in parsed.tags} <= {"div", "a"}


def test_hostile_text_stays_text():
    text = f"{HOSTILE} {HOSTILE}"
    result = replace_reasons(sanitize(text, protect="John Smith"), HOSTILE)
    html = build_document_page([result], HOSTILE)
    parsed = Page(html)
    assert len(parsed.named("script")) == len(parsed.named("style")) == 1
    assert not parsed.named("img")
    assert not parsed.named("svg")
    assert not [attrs for _, attrs in parsed.tags if any(name.startswith("on") for name in attrs)]
    assert parsed.columns[0] == text


def replace_reasons(result, text):
    """The same result, with words in every place where a plug-in may put its own."""
    decisions = tuple(replace(d, reasons=(text,)) for d in result.plan.decisions)
    said = (Evidence((result.entities[0].id,), 0.9, 0.5, True, text, text),)
    read = Coverage(len(result.document), {text: 1})
    document = replace(result.document, id=text)
    return replace(
        result,
        document=document,
        plan=replace(result.plan, decisions=decisions),
        evidence=said,
        coverage=read,
    )


def test_it_asks_for_nothing_and_runs_nothing_but_its_own_script():
    _, html = run(LETTER)
    assert not re.search(r"https?://|\bsrc=|url\(|@import", html)
    policy = next(
        a["content"]
        for a in Page(html).named("meta")
        if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        inside = re.search(rf"<{tag}>(.*)</{tag}>", html, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not [attrs for _, attrs in Page(html).tags if "style" in attrs]


def test_the_same_result_gives_the_same_bytes():
    assert run(LETTER)[1] == run(LETTER)[1]


def test_every_span_leads_to_a_card_with_evidence_and_alternatives():
    court = Sanitizer("court")
    result = court.sanitize(Document(LETTER, id="letter.txt"))
    html = build_document_page([result], "court", court.levels)
    parsed = Page(html)
    cards = {a["id"] for a in parsed.named("li") if (a.get("class") or "").startswith("card")}
    links = [a for a in parsed.named("a") if (a["href"] or "").startswith("#")]
    assert {a["href"][1:] for a in links} == cards
    assert len(links) == 2 * sum(len(e.mentions) for e in result.entities)
    born = next(e for e in result.entities if e.longest.text == "3 May 1971")
    levels, decision = court.levels(born), result.plan.by_entity[born.id]
    assert all(f"{level.text} <small>loses {level.loss:.0%}</small>" in html for level in levels)
    assert f"<b>{levels[decision.level - 1].text} " in html
    evidence = next(e for e in result.evidence if e.entities == (born.id,))
    assert (
        f"<b>sequence</b> score {evidence.score:.2f}, threshold {evidence.threshold:.2f}: risky"
        in html
    )


def test_the_head_tells_reasons_and_coverage():
    result, html = run(LETTER)
    assert re.search(r"PERSON found with confidence 0\.\d+, which reaches 0\.\d+", html)
    assert f"{len(LETTER)} of {len(LETTER)} characters" in html
    assert "Every detector read every character." in html
    short = replace(result, coverage=Coverage(len(LETTER), {"patterns": 3}))
    assert "INCOMPLETE" in build_document_page([short], "p")


@pytest.mark.parametrize(
    "sentences",
    [
        ["fewer than 5 in 1,200,000 people"],
        [
            "fewer than 5 in 1,200,000 people",
            "fewer than 7 in 900 people",
            "fewer than 12.5 in 3 people",
        ],
        ["rank 3, probability 0.25, bound 0.09", "a direct identifier"],
    ],
)
def test_reasons_in_the_head_are_whole_sentences(sentences):
    result, _ = run(LETTER)
    decisions = [
        replace(d, reasons=(sentences[at % len(sentences)],))
        for at, d in enumerate(result.plan.decisions)
    ]
    html = build_document_page(
        [replace(result, plan=replace(result.plan, decisions=tuple(decisions)))], "p"
    )
    head = html[html.index('<div class="summary">') : html.index('<div class="columns">')]
    assert "…" not in head
    shapes = {re.sub(r"[\d.,]+", "", sentence) for sentence in sentences}
    assert sum(sentence in head for sentence in sentences) == len(shapes)


def test_what_was_left_out_and_what_is_missing_is_said():
    result, _ = run(LETTER)
    html = build_document_page(
        [result], "p", notes={"letter.txt": [HOSTILE]}, missing=["b.xyz: left out", HOSTILE]
    )
    assert html.count(escape(HOSTILE)) == 2
    assert "<li>b.xyz: left out</li>" in html
    assert "Left out" not in build_document_page([result], "p")


def test_what_stays_is_named_with_its_reason():
    decide = {"kind": "thresholds", "thresholds": {"DATETIME": 2}}
    keep = Policy.parse({"name": "keep", "detectors": [{"kind": "patterns"}], "decide": decide})
    _, html = run(LETTER, keep)
    kept = re.search(r"Kept, and why</h3>(.*?)</div>", html)[1]
    assert "the policy keeps DATETIME of this kind<br><small>3 May 1971</small>" in kept


def test_texts_of_one_file_share_a_section():
    sanitizer = Sanitizer(RULES)
    results = list(
        sanitizer.run(
            [Document("Mr Lee", id="a.csv"), Document("none", id="a.csv"), Document("x", id="b")]
        )
    )
    html = build_document_page(results, "p")
    assert re.findall(r'<h2 id="d\d">(.*?)</h2>', html) == ["a.csv", "b"]


# --- colours (WCAG 2.1, contrast of text 4.5 and of outlines 3) -------------------------------------------------------


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def variables(css):
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", css))


LIGHT = variables(CSS[: CSS.index("@media")])
DARK = LIGHT | variables(CSS[CSS.index("prefers-color-scheme: dark") : CSS.index(".PERSON {")])
PRINT = LIGHT | variables(CSS[CSS.index("@media print") :])
TINTS = dict(re.findall(r"\.(\w+) \{ --tint: (#[0-9a-f]{6})", CSS))


def test_contrast_of_known_colours():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, DARK, PRINT], ids=["light", "dark", "print"])
def test_colours_can_be_read(scheme):
    for ink in ("ink", "soft"):
        for ground in ("paper", "panel"):
            assert contrast(scheme[ink], scheme[ground]) >= 4.5
    assert len(TINTS) == 8
    for kind, tint in TINTS.items():
        assert contrast(scheme["fill-ink"], tint) >= 4.5
        assert contrast(scheme[kind], scheme["paper"]) >= 3
