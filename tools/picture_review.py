"""Takes the pictures of docs/review.md: the review page on the sample letter, in Chromium.

python tools/picture_review.py
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ASSETS = ROOT / "docs" / "assets"
sys.path.insert(0, str(ROOT / "tests" / "browser"))


def main() -> None:
    from served import Served, open_chromium, sync_playwright, visit

    letter = ROOT / "examples" / "letter.txt"
    with tempfile.TemporaryDirectory() as made, sync_playwright() as play:
        folder = Path(made)
        browser = open_chromium(play)
        served = Served("review", letter, "--protect", "Ingrid Solberg Hansen", folder=folder)
        tab = visit(browser, served.links["Ana"], [])
        tab.wait_for_function(
            "() => document.getElementById('figures').innerText.includes('people')"
        )
        tab.wait_for_timeout(500)
        tab.screenshot(path=ASSETS / "review.png")
        wait_for_ranks(tab, "5", lambda: find(tab, "two women"))
        wait_for_ranks(tab, "x", lambda: tab.keyboard.press("u"))
        tab.screenshot(path=ASSETS / "review-flip.png")
        served.stop()
        people = ("Ana:annotator", "Mia:manager")
        served = Served("annotate", letter, "--policy", "court", folder=folder, people=people)
        tab = visit(browser, served.links["Ana"], [], color_scheme="dark")
        tab.keyboard.press("j")
        tab.wait_for_timeout(500)
        tab.screenshot(path=ASSETS / "review-annotate.png")
        served.stop()
        browser.close()


def wait_for_ranks(tab: Any, key: str, prepare: Callable[[], None]) -> None:
    """Press a key that writes, and wait until the page shows the people who remain after it."""
    before = tab.get_attribute("#figures", "data-measured")
    prepare()
    tab.keyboard.press(key)
    tab.wait_for_function(
        "old => document.getElementById('figures').dataset.measured !== old", arg=before
    )


def find(tab: Any, text: str) -> None:
    tab.keyboard.press("/")
    tab.fill("#answer", text)
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => CSS.highlights.get('cursor').size > 0")


if __name__ == "__main__":
    main()
