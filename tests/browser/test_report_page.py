"""The HTML report in a real browser: `make test-browser`. Needs playwright and a Chromium."""

import os
import shutil
import time
from pathlib import Path

import pytest

from maskwise import Document, Sanitizer
from maskwise.policy import Policy
from maskwise.report.document import build_document_page

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
LETTER = (ROOT / "examples" / "letter.txt").read_text("utf-8")
LINES = "In May 1998 Mr John Smith of Bristol paid EUR 5,000 to Dr Ana Souza.\n"
FIRST = "box => [...box.children].findIndex(b => b.offsetTop + b.offsetHeight > box.scrollTop + 2)"  # block in view


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
        file.write_text(
            build_document_page([result], sanitizer.policy.name, sanitizer.levels), "utf-8"
        )
        tab = chromium.new_page(viewport={"width": 1280, "height": 800}, **settings)
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append("dialog"))
        tab.on(
            "request",
            lambda request: request.url.startswith("file:") or complaints.append(request.url),
        )
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
    hrefs = (
        tab.locator(".text")
        .first.locator("a")
        .evaluate_all("all => all.map(a => a.getAttribute('href'))")
    )
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
    assert left.evaluate("box => box.scrollTop") > 1000
    assert left.evaluate(FIRST) == right.evaluate(FIRST) > 0


def test_the_masked_text_leads_too(opened):
    tab = opened(LINES * 400, "strict")
    left, right = tab.locator(".text").first, tab.locator(".text").last
    right.hover()
    tab.mouse.wheel(0, 5000)
    tab.wait_for_timeout(400)
    assert right.evaluate("box => box.scrollTop") > 1000
    assert left.evaluate(FIRST) == right.evaluate(FIRST) > 0
    tab.mouse.wheel(0, -1_000_000)
    tab.wait_for_timeout(400)
    assert left.evaluate("box => box.scrollTop") == right.evaluate("box => box.scrollTop") == 0


def test_every_control_is_reached_with_tab_and_shows_it(opened):
    tab = opened(LETTER)
    boxes = tab.locator(".filters input, .filters select").count()
    reached = []
    for _ in range(boxes):
        tab.keyboard.press("Tab")
        reached.append(tab.evaluate("document.activeElement.name"))
        assert tab.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "3px"
    assert reached == ["type"] * (boxes - 1) + ["by"]
    everything = tab.locator(".text a:not(.off)").count()
    tab.keyboard.press("End")  # what no indicator judged
    assert tab.locator(".text a:not(.off)").count() < everything
    tab.keyboard.press("Home")
    assert tab.locator(".text a:not(.off)").count() == everything
    for _ in range(boxes - 1):
        tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("Space")  # the first type
    kind = tab.evaluate("document.activeElement.value")
    assert (
        tab.locator(".text a:not(.off)").count()
        == everything - tab.locator(f".text a.{kind}").count()
        < everything
    )
    tab.locator("summary").first.focus()
    tab.keyboard.press("Enter")
    assert tab.locator(".card").first.is_visible()


def test_type_and_indicator_filter_together_and_the_count_is_told(opened):
    tab = opened(LETTER)
    tab.get_by_label("Indicator").select_option("sequence")
    judged = tab.locator(".text a[data-by~=sequence]").count()
    people = tab.locator(".text a.PERSON[data-by~=sequence]").count()
    assert 0 < people < judged
    tab.get_by_label("PERSON").uncheck()
    shown = tab.locator(".text a:not(.off)").count()
    assert shown == judged - people
    everything = tab.locator(".text a").count()
    assert tab.locator("output").inner_text() == f"{shown // 2} of {everything // 2} spans shown"
    off = tab.locator(".text a.PERSON").first
    off.hover()
    assert not tab.locator("#evidence").is_visible()


def test_hostile_text_does_nothing(opened):
    tab = opened(
        "</script><img src=x onerror=alert(1)><script>alert(2)</script> Mr John Smith <svg onload=alert(3)>"
    )
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


# Contrast (WCAG 2.1) of every visible text with what is painted behind it, and of every outline of a kept span.
CONTRAST = """() => {
  const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const found = { text: 21, outline: 21, seen: 0 };
  for (const element of document.querySelectorAll("body *")) {
    const says = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!says || !element.checkVisibility() || element.closest("script")) continue;
    found.seen += 1;
    found.text = Math.min(found.text, ratio(rgba(getComputedStyle(element).color), behind(element)));
    if (element.matches(".text a:not(.masked)")) {
      const edge = rgba(getComputedStyle(element).borderTopColor);
      found.outline = Math.min(found.outline, ratio(edge, behind(element.parentElement)));
    }
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_where_it_is_painted(opened, scheme):
    tab = opened(LETTER + LINES, color_scheme=scheme)
    tab.locator("summary").first.click()
    tab.locator(".text a.masked").first.hover()
    found = tab.evaluate(CONTRAST)
    assert found["seen"] > 50
    assert found["text"] >= 4.5
    assert found["outline"] >= 3


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
    print(
        f"1 MB: masked, written and opened in {loaded - started:.1f} s; hover and filter in {used:.1f} s"
    )
    assert used < 20
    assert loaded - started < 180
