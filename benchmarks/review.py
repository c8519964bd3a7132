"""The review page in Chromium, and the events behind it.

    python benchmarks/review.py [--only speed large undo kill many tab keys] [--json FILE]

`speed` flips masks of the judgments with the most mentions of TAB dev and of TAB's training part, `large` opens a made
document of 1 MB with 10,000 spans, `undo` takes 10,000 random edits back, `kill` ends a writer 50 times with SIGKILL,
`many` has 20 annotators write to one server at once, `tab` imports and exports TAB, `keys` counts the keys for a
document with 40 masks of which 5 are wrong. A time is measured in the page, from the key to the frame after the one
that shows its answer. A flip has two answers: the new plan, and later the people's ranks in the crowd; every other
flip comes while ranks are measured.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
for folder in ("browser", "server/review"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

from figures import build_figure, build_parser, require_source, save_figure  # noqa: E402
from maskwise.server.review.history import EDIT, UNDO, History, ReviewEvent  # noqa: E402
from maskwise.server.review.marks import MarkState  # noqa: E402
from maskwise.server.review.store import ReviewStore  # noqa: E402

SEED = 0
WATCH = """() => {
  window.times = {key: [], plan: [], ranks: []};
  let began = 0;
  const figures = document.getElementById('figures');
  const add = (name) => window.times[name].push(
    name === 'ranks' ? [figures.dataset.measured, performance.now() - began] : performance.now() - began);
  const note = (name) => requestAnimationFrame(() => setTimeout(() => add(name)));
  addEventListener('keydown', () => { began = performance.now(); if (window.local) note('key'); }, true);
  const watch = (field, name) => {
    let last = figures.dataset[field];
    new MutationObserver(() => {
      if (figures.dataset[field] !== last && !window.local) note(name);
      last = figures.dataset[field];
    }).observe(figures, {attributeFilter: ['data-' + field]});
  };
  watch('version', 'plan');
  watch('measured', 'ranks');
}"""
Row = list[Any]


def find_percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def measure_speed(sources: list[Path], folder: Path) -> list[Row]:
    from served import Served, open_chromium, sync_playwright, visit

    rows: list[Row] = []
    for at, source in enumerate(sources):
        corpus = json.loads(gzip.decompress(source.read_bytes()))
        largest = max(corpus, key=count_mentions)
        name = f"judgment{at}.txt"
        (folder / name).write_text(largest["text"], "utf-8")
        served = Served("review", name, "--state", f"{at}.sqlite", folder=folder)
        try:
            with sync_playwright() as play:
                browser = open_chromium(play)
                tab = visit(browser, served.links["Ana"], [])
                tab.wait_for_selector("#figures[data-measured]", timeout=120_000)
                marks = int(tab.inner_text("#detail h2").split()[-1])
                alone, meanwhile, ranks = flip_masks(tab, 60)
                browser.close()
        finally:
            served.stop()
        part = (
            f"{source.name.partition('.')[0]}, {count_mentions(largest)} annotated, {marks} found"
        )
        rows += [
            list_times(f"flip to the new plan on screen ({part})", alone, "150 ms"),
            list_times(f"the same while ranks are measured ({part})", meanwhile, "150 ms"),
            list_times(f"flip to the ranks on screen ({part})", ranks, ""),
        ]
    return rows


def list_times(name: str, times: list[float], bar: str) -> Row:
    middle, worst = (find_percentile(times, share) for share in (0.5, 0.95))
    return [f"{name}: median, p95", len(times), f"{middle:.0f}, {worst:.0f} ms", bar]


def count_mentions(document: dict[str, Any]) -> int:
    return max(len(layer["entity_mentions"]) for layer in document["annotations"].values())


def flip_masks(tab: Any, count: int) -> tuple[list[float], list[float], list[float]]:
    """Unmask and mask mentions all over the document: times of plans alone, of plans during a measuring, of ranks.

    The measuring is under way when the page has asked for it; its answer for a version that is not the last is no rank.
    """
    tab.evaluate(WATCH)
    kinds: dict[str, list[float]] = {"alone": [], "meanwhile": [], "ranks": []}
    for at in range(0, count, 2):
        with tab.expect_request(lambda request: request.url.endswith("/risk")):
            kinds["alone"].append(flip_mask(tab, at))
        kinds["meanwhile"].append(flip_mask(tab, at + 1))
        tab.wait_for_function(
            "() => window.times.ranks.at(-1)?.[0] === document.getElementById('figures').dataset.version",
            timeout=120_000,
        )
        kinds["ranks"].append(tab.evaluate("() => window.times.ranks.at(-1)[1]"))
    return kinds["alone"], kinds["meanwhile"], kinds["ranks"]


def flip_mask(tab: Any, at: int) -> float:
    """Flip the third mention from here; returns the time to its plan."""
    for _ in range(3):
        tab.keyboard.press("j")
    tab.keyboard.press("m" if at % 4 > 1 else "x")
    tab.wait_for_function("n => window.times.plan.length > n", arg=at)
    return float(tab.evaluate("() => window.times.plan.at(-1)"))


def make_large(rng: random.Random) -> dict[str, Any]:
    """A made document of about 1 MB with 10,000 mentions."""
    words = [
        "amber",
        "bridge",
        "cedar",
        "delta",
        "ember",
        "fjord",
        "grove",
        "harbour",
        "inlet",
        "jetty",
    ]
    parts: list[str] = []
    mentions = []
    at = 0
    for number in range(10_000):
        name = f"Name{number % 4000}"
        filler = " ".join(rng.choice(words) for _ in range(14))
        piece = f"{filler} {name} came." + ("\n" if number % 3 == 0 else " ")
        start = at + len(filler) + 1
        mentions.append(
            {
                "entity_type": "PERSON",
                "entity_mention_id": f"m{number}",
                "start_offset": start,
                "end_offset": start + len(name),
                "span_text": name,
                "identifier_type": "QUASI",
                "entity_id": name,
                "confidential_status": "NOT_CONFIDENTIAL",
            }
        )
        parts.append(piece)
        at += len(piece)
    return {
        "doc_id": "large",
        "text": "".join(parts),
        "annotations": {"Ana": {"entity_mentions": mentions}},
    }


def measure_large(folder: Path) -> list[Row]:
    from served import Served, open_chromium, sync_playwright, visit

    (folder / "large.json").write_text(json.dumps([make_large(random.Random(SEED))]), "utf-8")
    served = Served("annotate", "large.json", folder=folder)
    try:
        with sync_playwright() as play:
            browser = open_chromium(play)
            tab = visit(browser, served.links["Ana"], [])
            paints = []
            for _ in range(5):
                tab.reload()
                tab.wait_for_selector("html[data-ready]", timeout=60_000)
                paints.append(tab.evaluate("() => performance.now()"))
            tab.evaluate(WATCH)
            tab.evaluate("() => { window.local = true; }")
            for _ in range(100):
                tab.keyboard.press("j")
                tab.wait_for_timeout(60)
            keys = tab.evaluate("() => window.times.key")
            tab.evaluate("() => { window.local = false; }")
            for at in range(10):
                tab.keyboard.press("x" if at % 2 else "d")
                tab.wait_for_function("n => window.times.plan.length > n", arg=at, timeout=60_000)
            flips = tab.evaluate("() => window.times.plan")
            browser.close()
    finally:
        served.stop()
    name = "1 MB with 10,000 spans"
    return [
        [f"{name}: opened and painted, worst", len(paints), f"{max(paints):.0f} ms", "1,000 ms"],
        [f"{name}: key to paint, p95", len(keys), f"{find_percentile(keys, 0.95):.0f} ms", "50 ms"],
        [
            f"{name}: label to the saved answer on screen, p95",
            len(flips),
            f"{find_percentile(flips, 0.95):.0f} ms",
            "",
        ],
    ]


def measure_undo(folder: Path) -> list[Row]:
    from random_edits import dump, make_edit

    rng = random.Random(SEED)
    store = ReviewStore(folder / "undo.sqlite")
    number = store.add_document("a", "0", b"", None)
    history = History(MarkState())
    before = dump(history.state)
    for _ in range(10_000):
        event = ReviewEvent(EDIT, "Ana", make_edit(rng, history.state))
        history.add(event, history.preview(event))
        store.append(number, "review", event)
    for _ in range(10_000):
        event = ReviewEvent(UNDO, "Ana")
        history.add(event, history.preview(event))
        store.append(number, "review", event)
    again = History.replay(MarkState(), store.list_events(number, "review"))
    is_same = dump(history.state) == before == dump(again.state)
    told = "same bytes" if is_same else "differ"
    return [["10,000 random edits undone, in memory and in the file", 20_000, told, "same bytes"]]


def measure_kill(folder: Path) -> list[Row]:
    from random_edits import run_and_kill

    rng = random.Random(SEED)
    told: set[int] = set()
    for _ in range(50):
        told |= run_and_kill(folder / "kill.sqlite", rng.randint(1, 60))
    kept = {event.seq for event in ReviewStore(folder / "kill.sqlite").list_events(1, "review")}
    lost = len(told - kept)
    return [["acknowledged edits lost in 50 kill -9", len(told), str(lost), "0"]]


def measure_many(folder: Path) -> list[Row]:
    import httpx
    from served import Served

    (folder / "many.txt").write_text("Orla Vexley met Ivo Brandt in Graz. " * 50, "utf-8")
    names = [f"a{at}" for at in range(20)]
    served = Served(
        "annotate", "many.txt", folder=folder, people=[f"{one}:manager" for one in names]
    )
    failures: list[str] = []

    def work(name: str) -> None:
        origin, _, _ = served.links[name].partition("/enter")
        with httpx.Client(headers={"Origin": origin}, timeout=60) as client:
            client.get(served.links[name])
            version = 0
            for at in range(50):
                body = {"do": "mark", "spans": [[at, at + 1]], "type": "ORG", "scope": "occurrence"}
                path = f"{origin}/api/documents/1/layers/{name}/edits"
                answer = client.post(path, json=body, headers={"If-Match": str(version)})
                if answer.status_code != 200:
                    failures.append(answer.text)
                    return
                version = answer.json()["version"]

    try:
        threads = [threading.Thread(target=work, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        served.kill()
    store = ReviewStore(folder / "annotation.sqlite")
    kept = sum(len(store.list_events(1, f"layer:{name}")) for name in names)
    name = "20 annotators at once, 50 edits each"
    return [
        [f"{name}: edits kept after kill -9", 1000, str(kept), "1000"],
        [f"{name}: refused or failed", 1000, str(len(failures)), "0"],
    ]


def measure_tab(source: Path, folder: Path) -> list[Row]:
    from maskwise.policy import Policy
    from maskwise.sanitizer import Sanitizer
    from maskwise.server.review.annotation import AnnotationProject
    from maskwise.text.tab import dump_corpus

    raw = gzip.decompress(source.read_bytes())
    project = AnnotationProject(
        ReviewStore(folder / "tab.sqlite"), Sanitizer(Policy.load("balanced"))
    )
    project.take_in("dev.json", raw)
    given = json.loads(raw)
    found = json.loads(dump_corpus(project.export()))
    same = sum(one == other for one, other in zip(given, found, strict=True))
    return [
        ["TAB dev imported and exported: equal documents", len(given), str(same), str(len(given))]
    ]


def measure_keys(folder: Path) -> list[Row]:
    """A reviewer who looks at each of 40 masks and unmasks 5, then saves."""
    from served import Served, open_chromium, sync_playwright, visit

    lines = [f"Mr {name} came." for name in make_names(40)]
    (folder / "forty.txt").write_text("\n".join(lines) + "\n", "utf-8")
    served = Served("review", "forty.txt", "--out", "kept", folder=folder)
    pressed = 0
    try:
        with sync_playwright() as play:
            browser = open_chromium(play)
            tab = visit(browser, served.links["Ana"], [])
            marks = int(tab.inner_text("#detail h2").split()[-1])
            while tab.inner_text("#detail h2").split()[1] != "1":
                tab.keyboard.press("k")
                pressed += 1
                tab.wait_for_timeout(50)
            for at in range(marks):
                if at % 8 == 4:
                    tab.keyboard.press("x")
                    pressed += 1
                    tab.wait_for_timeout(500)
                if at < marks - 1:
                    tab.keyboard.press("j")
                    pressed += 1
            tab.keyboard.press("Shift+Enter")
            pressed += 1
            tab.wait_for_function(
                "() => document.getElementById('documents').innerText.includes('done')",
                timeout=60_000,
            )
            browser.close()
    finally:
        served.stop()
    # Label Studio's documented keys: alt+. goes to the next region, backspace deletes it, ctrl+enter submits.
    theirs = marks + 5 + 1
    keys = pressed + 1  # Shift+Enter saves
    their_keys = 2 * marks + 5 + 2
    name = f"to look at {marks} masks of which 5 are wrong, and save: strokes, keys with modifiers"
    return [
        [name, marks, f"{pressed}, {keys}", ""],
        ["the same in Label Studio, by its documented keys", marks, f"{theirs}, {their_keys}", ""],
    ]


def make_names(count: int) -> list[str]:
    """Surnames without a common word: what is unmasked in one place may not be masked in another."""
    first = ["Vel", "Mar", "Tor", "Hal", "Bren", "Cor", "Dun", "Fen"]
    second = ["brook", "wick", "stead", "more", "gate"]
    return [one + other for one in first for other in second][:count]


def read_rows(path: Path | None, part: str) -> list[Row]:
    """The rows of a part in a file of figures; none where there is no file."""
    if path is None or not path.exists():
        return []
    rows: list[Row] = json.loads(path.read_text("utf-8"))["rows"]
    return [row for row in rows if row[0] == part]


def main() -> None:
    parser = build_parser(__doc__)
    parser.add_argument(
        "--only", nargs="*", help="parts to measure anew; the others stay as the file has them"
    )
    options = parser.parse_args()
    source = require_source(options.data, "tab/dev.json.gz")
    sources = [source, require_source(options.data, "tab/train_full.json.gz")]
    began = time.perf_counter()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        parts: dict[str, Callable[[], list[Row]]] = {
            "speed": lambda: measure_speed(sources, folder),
            "large": lambda: measure_large(folder),
            "undo": lambda: measure_undo(folder),
            "kill": lambda: measure_kill(folder),
            "many": lambda: measure_many(folder),
            "tab": lambda: measure_tab(source, folder),
            "keys": lambda: measure_keys(folder),
        }
        for name, measure in parts.items():
            if not options.only or name in options.only:
                for path in folder.glob("*.sqlite*"):
                    path.unlink()
                for row in measure():
                    rows.append([name, *row])
                    print(name, *row, sep="\t", flush=True)
            else:
                rows += read_rows(options.json, name)
    found = build_figure(
        "The review page",
        "python benchmarks/review.py",
        ["part", "measure", "n", "value", "bar"],
        rows,
        files=sources,
        seeds=[SEED],
        seconds=round(time.perf_counter() - began),
        note="Chromium without a window, on the machine of the server. The large document is made and opened for "
        "annotation, so that no model reads it.",
    )
    save_figure(options.json, found)


if __name__ == "__main__":
    main()
