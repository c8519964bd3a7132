"""The Pareto page in a real browser: `make test-browser`. Needs playwright and a Chromium."""

import os
import shutil

import pytest

from maskwise.evaluate.tab import Score
from maskwise.evaluate.tradeoff import TradeOff, VersionKind
from maskwise.report.pareto import build_pareto_page

pytestmark = pytest.mark.browser


def make_point(name, kind, kept, found, rank):
    around = [Score(value, max(value - 0.1, 0), min(value + 0.1, 1)) for value in (kept, found)]
    place = Score(rank, max(rank / 2, 1), rank * 2)
    return TradeOff(name, kind, 20, 20, around[0], Score(0.3, 0.2, 0.4), around[1], place, 0.4)


POINTS = [
    make_point("clear text", VersionKind.CLEAR, 1.0, 0.9, 1),
    make_point("balanced", VersionKind.POLICY, 0.6, 0.5, 3),
    make_point("recall 1", VersionKind.RECALL, 0.5, 0.4, 9),
    make_point("K = 20", VersionKind.CROWD, 0.55, 0.05, 60),
]


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "no Chromium found: install one, or name it in CHROMIUM"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_point_shows_its_figures_and_the_browser_does_not_complain(chromium, tmp_path, scheme):
    (tmp_path / "page.html").write_text(build_pareto_page(POINTS, {"seed": "0"}), "utf-8")
    page = chromium.new_page(color_scheme=scheme)
    complaints, requests = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / "page.html").as_uri())
    tip = page.locator("#tip-a1")
    assert tip.evaluate("tip => getComputedStyle(tip).visibility") == "hidden"
    page.locator("#a1 .mark").hover()
    assert tip.evaluate("tip => getComputedStyle(tip).visibility") == "visible"
    inside = "tip => { const a = tip.getBBox(); return a.x >= 0 && a.x + a.width <= 760; }"
    assert tip.evaluate(inside)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    page.keyboard.press("Tab")
    assert page.locator("#tip-a0").evaluate("tip => getComputedStyle(tip).visibility") == "visible"
    assert complaints == []
    assert len(requests) == 1
    page.close()
