"""The HTML report in a real browser: `make test-browser`. Needs playwright and a Chromium."""

import os
import shutil
import time
from pathlib import Path

import pytest

from maskwise import Document, Sanitizer
from maskwise.policy import Policy
from maskwise.serve.report import page

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
LETTER = (ROOT / "examples" / "letter.txt").read_text("utf-8")
LINES = "In May 1998 Mr John Smith of Bristol paid EUR 5,000 to Dr Ana Souza.\n"


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "no Chromium found: install one, or name it in CHROMIUM"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens the report of a text. At the end of the test the browser must have had nothing to complain of."""
    complaints = []

    def visit(text, policy="court", **settings):
        sanitizer = Sanitizer(Policy.load(policy))
        result = sanitizer.sanitize(Document(text, id="letter.txt"))
        file = tmp_path / "report.html"
        file.write_text(page([result], sanitizer.policy.name, sanitizer.levels), "utf-8")
        tab = chromium.new_page(viewport={"width": 1280, "height": 800}, **settings)
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append("dialog"))
        tab.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        tab.goto(file.as_uri())
        return tab

    yield visit
    assert complaints == []


def test_hover_shows_evidence_and_escape_closes(opened):
    tab = opened(LETTER)
    panel = tab.locator("#evidence")
    assert not panel.is_visible()
    tab.locator(".text a.DATETIME.masked").first.hover()
    assert panel.is_visible()
    assert "sequence score" in panel.inner_text()
    assert "loses" in panel.inner_text()
    tab.keyboard.press("Escape")
    assert not panel.is_visible()


def test_spans_are_reached_with_the_keyboard_in_order(opened):
    tab = opened(LETTER)
    tab.locator(".text").first.focus()
    hrefs = tab.locator(".text").first.locator("a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    for href in hrefs[:5]:
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.getAttribute('href')") == href
        assert tab.locator("#evidence").is_visible()
    tab.keyboard.press("Escape")
    assert not tab.locator("#evidence").is_visible()
    tab.keyboard.press("Enter")
    assert tab.locator(f"{hrefs[4]}").is_visible()


def test_filters_by_type_and_by_indicator(opened):
    tab = opened(LETTER)
    shown = tab.locator(".text a:not(.off)")
    everything, dates = shown.count(), tab.locator(".text a.DATETIME").count()
    assert everything > dates > 0
    tab.get_by_label("DATETIME").uncheck()
    assert shown.count() == everything - dates
    assert tab.locator(".text a.DATETIME:not(.off)").count() == 0
    assert tab.locator(".text a.DATETIME").first.get_attribute("tabindex") == "-1"
    tab.get_by_label("DATETIME").check()
    tab.get_by_label("Indicator").select_option("sequence")
    judged = shown.count()
    tab.get_by_label("Indicator").select_option("-")
    assert judged + shown.count() == everything


def test_the_texts_scroll_together(opened):
    tab = opened(LINES * 400, "strict")
    left, right = tab.locator(".text").first, tab.locator(".text").last
    left.hover()
    tab.mouse.wheel(0, 6000)
    tab.wait_for_timeout(400)
    first = "box => [...box.children].findIndex(b => b.offsetTop + b.offsetHeight > box.scrollTop + 2)"
    assert left.evaluate("box => box.scrollTop") > 1000
    assert left.evaluate(first) == right.evaluate(first) > 0


def test_hostile_text_does_nothing(opened):
    tab = opened("</script><img src=x onerror=alert(1)><script>alert(2)</script> Mr John Smith <svg onload=alert(3)>")
    assert "<img src=x onerror=alert(1)>" in tab.locator(".text").first.inner_text()
    assert tab.locator("img, svg").count() == 0


def test_print_shows_all_of_the_text_and_the_cards(opened):
    tab = opened(LINES * 60)
    tab.emulate_media(media="print")
    assert (
        tab.evaluate(
            "(() => { const box = document.querySelector('.text'); return box.scrollHeight - box.clientHeight })()"
        )
        <= 1
    )
    assert not tab.locator(".filters").is_visible()
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator(".card").first.is_visible()
    assert tab.pdf().startswith(b"%PDF")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(opened, scheme):
    tab = opened(LETTER, color_scheme=scheme)
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 31)"}[scheme]


def test_a_megabyte_is_still_usable(opened):
    text = LINES * (1_000_000 // len(LINES))
    started = time.perf_counter()
    tab = opened(text, ROOT / "tests" / "data" / "rules.yaml")
    loaded = time.perf_counter()
    tab.locator(".text a.PERSON").first.hover()
    assert tab.locator("#evidence").is_visible()
    tab.get_by_label("PERSON").uncheck()
    assert tab.locator(".text a.PERSON:not(.off)").count() == 0
    used = time.perf_counter() - loaded
    print(f"1 MB: masked, written and opened in {loaded - started:.1f} s; hover and filter in {used:.1f} s")
    assert used < 20
