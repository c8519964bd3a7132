"""The review page in a real browser: `make test-browser`. Needs playwright, axe-core-python and a Chromium."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
pytestmark = pytest.mark.browser
LETTER = (
    "Ms Orla Vexley of Leeds wrote on 3 May 1998.\n"
    "Orla Vexley had worked as a welder for Marl Foundry since 1991.\n"
    "Her doctor, Ivo Brandt, called 0161 496 0123.\n"
)
ODD = "Zoë and 👩‍⚕️ Lin met مريم حداد; she played e\u0301tude 𝒳𝒴.\nA second line, 🦊 too."
STATE = "() => document.getElementById('masked').innerText"


@pytest.fixture(scope="module")
def chromium():
    from served import open_chromium, sync_playwright

    with sync_playwright() as play:
        browser = open_chromium(play)
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path):
    """Starts the page on a text. All that was started ends with the test."""
    from served import Served

    started = []

    def start(command="review", text=LETTER, name="letter.txt", people=("Ana:manager",), more=()):
        path = tmp_path / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, "utf-8")
        arguments = [path, "--state", tmp_path / f"{command}.sqlite", *more]
        started.append(Served(command, *arguments, folder=tmp_path, people=people))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.stop()


@pytest.fixture
def enter(chromium):
    """Visits a link. At the end the browser must have had nothing to complain of, and asked nobody else."""
    from served import visit

    complaints, tabs = [], []

    def go(link, **settings):
        tabs.append(visit(chromium, link, complaints, **settings))
        return tabs[-1]

    yield go
    for tab in tabs:
        tab.context.close()
    refused = "status of 412"  # the browser itself tells of an answer that comes too late
    assert [one for one in complaints if refused not in one] == []


def press(tab, key):
    """Press a key that writes, and wait until the page shows the answer."""
    before = tab.get_attribute("#figures", "data-version")
    tab.keyboard.press(key)
    tab.wait_for_function(
        "old => document.getElementById('figures').dataset.version !== old", arg=before
    )


def find(tab, text):
    tab.keyboard.press("/")
    tab.fill("#answer", text)
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => CSS.highlights.get('cursor').size > 0")


def go_to(tab, text):
    """Walk with the keys until the current mention has a text."""
    for _ in range(40):
        tab.keyboard.press("k")
    for _ in range(40):
        tab.wait_for_timeout(30)
        if tab.locator("#detail dd").first.inner_text() == text:
            return
        tab.keyboard.press("j")
    raise AssertionError(f"no mention {text}")


SELECT = """word => {
  const node = [...document.querySelectorAll('#original .paragraph')]
    .map(one => one.firstChild).find(one => one.data.includes(word));
  const at = node.data.indexOf(word);
  getSelection().setBaseAndExtent(node, at, node, at + word.length);
  document.getElementById('original').dispatchEvent(new MouseEvent('mouseup', {bubbles: true}));
}"""
TOP = """name => {
  const [light] = CSS.highlights.get(name === 'original' ? 'current' : 'twin');
  return light.startContainer.parentElement.getBoundingClientRect().top;
}"""


def place_caret(tab, pane, text):
    """Click a text of a pane."""
    spot = tab.evaluate(
        """([pane, text]) => {
          const node = [...document.querySelectorAll(`#${pane} .paragraph`)]
            .map(one => one.firstChild).find(one => one.data.includes(text));
          const range = document.createRange();
          range.setStart(node, node.data.indexOf(text) + 1);
          range.setEnd(node, node.data.indexOf(text) + 2);
          const box = range.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        [pane, text],
    )
    tab.mouse.click(*spot)


def click(tab, action):
    """Click a button that writes, and wait until the page shows the answer."""
    before = tab.get_attribute("#figures", "data-version")
    tab.click(f"[data-action={action}]")
    tab.wait_for_function(
        "old => document.getElementById('figures').dataset.version !== old", arg=before
    )


def wait_for_status(tab, status):
    tab.wait_for_function(
        "told => document.getElementById('documents').innerText.includes(told)", arg=status
    )


def test_a_flip_shows_the_new_plan_and_undo_takes_it_back(serve, enter):
    tab = enter(serve().links["Ana"])
    before = tab.evaluate(STATE)
    assert "Ivo Brandt" not in before
    go_to(tab, "Ivo Brandt")
    press(tab, "x")
    assert "Ivo Brandt" in tab.evaluate(STATE)
    assert "Saved" in tab.inner_text("#news")
    press(tab, "z")
    assert tab.evaluate(STATE) == before
    press(tab, "y")
    assert "Ivo Brandt" in tab.evaluate(STATE)


def test_nothing_is_lost_at_reload_or_when_the_server_is_killed(serve, enter):
    served = serve()
    tab = enter(served.links["Ana"])
    go_to(tab, "Ivo Brandt")
    press(tab, "x")
    shown = tab.evaluate(STATE)
    tab.reload()
    tab.wait_for_selector("html[data-ready]")
    assert tab.evaluate(STATE) == shown
    tab.close()
    served.kill()
    again = enter(serve().links["Ana"])
    assert again.evaluate(STATE) == shown


def test_a_missed_span_is_marked_by_keyboard(serve, enter):
    tab = enter(serve().links["Ana"])
    find(tab, "welder")
    press(tab, "5")
    assert "welder" not in tab.evaluate(STATE)
    assert tab.locator("#detail dd").first.inner_text() == "welder"


def test_save_and_next_writes_the_approved_file(serve, enter, tmp_path):
    tab = enter(serve(more=["--protect", "Orla Vexley"]).links["Ana"])
    tab.keyboard.press("Shift+Enter")
    tab.wait_for_function("() => document.getElementById('documents').innerText.includes('done')")
    assert "Vexley" not in (tmp_path / "approved" / "letter.txt").read_text("utf-8")
    told = json.loads((tmp_path / "approved" / "letter.txt.certificate.json").read_text("utf-8"))
    assert told["approved_by"] == "Ana"


def test_a_name_readable_in_one_place_alone_needs_a_reason(serve, enter, tmp_path):
    twice = "Dr Ivo Brandt came.\nThen Dr Ivo Brandt left.\n"
    tab = enter(serve(text=twice).links["Ana"])
    go_to(tab, "Dr Ivo Brandt")
    tab.keyboard.press("o")
    press(tab, "x")
    assert "without a reason" in tab.inner_text("#change")
    tab.keyboard.press("Shift+Enter")
    tab.wait_for_function(
        "() => document.getElementById('news').innerText.includes('Not approved')"
    )
    assert not (tmp_path / "approved").exists()
    tab.keyboard.press("e")
    tab.fill("#answer", "he signs in public office")
    press(tab, "Enter")  # the reason of the decision that was taken
    assert "with a reason" in tab.inner_text("#change")
    press(tab, "x")  # the same decision again keeps its reason
    assert "with a reason" in tab.inner_text("#change")
    tab.keyboard.press("Shift+Enter")
    tab.wait_for_function("() => document.getElementById('documents').innerText.includes('done')")
    assert (tmp_path / "approved" / "letter.txt").read_text("utf-8").count("Brandt") == 1


def test_a_reason_that_comes_first_is_that_of_the_next_decision_alone(serve, enter):
    tab = enter(serve().links["Ana"])
    go_to(tab, "Ivo Brandt")
    tab.keyboard.press("e")
    tab.fill("#answer", "a public officer")
    tab.keyboard.press("Enter")
    press(tab, "x")
    assert "Ana: a public officer" in tab.inner_text("#detail")
    tab.keyboard.press("j")
    press(tab, "x")
    tab.wait_for_function(
        "() => document.getElementById('detail').innerText.includes('Decided by')"
    )
    assert "public officer" not in tab.inner_text("#detail")


def test_a_key_right_after_a_dialog_is_not_lost(serve, enter):
    tab = enter(serve().links["Ana"])
    go_to(tab, "Ivo Brandt")
    for at in range(12):
        before = tab.get_attribute("#figures", "data-version")
        tab.keyboard.press("e")
        tab.keyboard.type(f"public office {at}")
        tab.keyboard.press("Enter")
        tab.keyboard.press("x")
        tab.wait_for_function(
            "old => document.getElementById('figures').dataset.version !== old", arg=before
        )
        tab.wait_for_function(
            "told => document.getElementById('detail').innerText.includes(told)",
            arg=f"public office {at}",
        )
        press(tab, "p")


def test_all_that_is_decided_can_be_clicked(serve, enter):
    """No key is pressed: a mention of the masked text, words of the original, and buttons."""
    tab = enter(serve().links["Ana"])
    place_caret(tab, "masked", "[PERSON")
    tab.wait_for_function("() => document.querySelector('#detail dd').innerText.includes('Vexley')")
    assert tab.evaluate("() => CSS.highlights.get('twin').size") == 1
    tab.evaluate(SELECT, "welder")
    tab.wait_for_function("() => document.querySelector('#detail dd').innerText === 'welder'")
    click(tab, "type5")
    assert "welder" not in tab.evaluate(STATE)
    tab.click("[data-scope=occurrence]")
    click(tab, "unmask")
    assert "welder" in tab.evaluate(STATE)
    for name in ("follow", "accept", "undo", "redo", "quasi"):
        click(tab, name)


def test_a_second_reader_gives_a_document_back_or_approves_it(serve, enter, tmp_path):
    people = ("Ana:reviewer", "Ivo:reviewer")
    served = serve(people=people, more=["--second-reader"])
    ana, ivo = enter(served.links["Ana"]), enter(served.links["Ivo"])
    for key, told in (("R", "in work"), ("Shift+Enter", "done")):
        ana.keyboard.press("Shift+Enter")
        wait_for_status(ana, "to be confirmed")
        ivo.reload()
        ivo.wait_for_selector("html[data-ready]")
        wait_for_status(ivo, "to be confirmed")
        ivo.keyboard.press(key)
        wait_for_status(ivo, told)
    ivo.keyboard.press("R")  # what is done stays done
    ivo.wait_for_function("() => document.getElementById('news').innerText === 'Status: done'")
    assert "done" in ivo.inner_text("#documents")
    assert (tmp_path / "approved" / "letter.txt.certificate.json").exists()


@pytest.mark.parametrize("width", [900, 1400])
def test_text_decisions_and_news_are_in_sight(serve, enter, width):
    tab = enter(serve(text=LETTER * 30).links["Ana"])
    tab.set_viewport_size({"width": width, "height": 850})
    tab.wait_for_timeout(200)
    for part in ("#original", "#masked", "#detail h2", "#documents button", "#news", "#tools"):
        box = tab.locator(part).first.bounding_box()
        assert 0 <= box["y"] < 850, part
        assert box["x"] + box["width"] <= width, part
    assert tab.evaluate("() => document.documentElement.scrollHeight") <= 850
    for _ in range(40):
        tab.keyboard.press("j")
    tab.wait_for_timeout(300)
    tops = [tab.evaluate(TOP, name) for name in ("original", "masked")]
    assert abs(tops[0] - tops[1]) < 60  # the same lines stand beside each other


def test_words_that_stay_are_no_work_for_anybody(serve, enter):
    """A policy that hides people in a crowd offers every word; those that stay are neither listed nor walked to."""
    tab = enter(serve(more=("--policy", "anonymous")).links["Ana"])
    tab.wait_for_function("() => document.querySelectorAll('#entities li').length > 1")
    listed = tab.inner_text("#entities").casefold().split("\n")
    assert "ivo brandt" in listed
    assert {"had", "for", "her", "since"}.isdisjoint(listed)
    walked = set()
    for key in "k" * 15 + "j" * 15:
        tab.keyboard.press(key)
        tab.wait_for_timeout(20)
        walked.add(tab.locator("#detail dd").first.inner_text().casefold())
    assert "ivo brandt" in walked
    assert {"had", "for", "her", "since"}.isdisjoint(walked)
    assert tab.evaluate("() => CSS.highlights.get('idle').size") > 3


def test_who_comes_late_sees_the_difference(serve, enter):
    served = serve(people=("Ana:manager", "Ivo:reviewer"))
    ana, ivo = enter(served.links["Ana"]), enter(served.links["Ivo"])
    for tab in (ana, ivo):
        go_to(tab, "Ivo Brandt")
    press(ana, "x")
    before = ivo.get_attribute("#figures", "data-version")
    ivo.keyboard.press("m")
    ivo.wait_for_function(
        "old => document.getElementById('figures').dataset.version !== old", arg=before
    )
    assert "Somebody else" in ivo.inner_text("#news")
    assert "Ivo Brandt" in ivo.evaluate(STATE)


def test_all_steps_of_annotation_by_keyboard_alone(serve, enter):
    served = serve("annotate", people=("Ana:annotator", "Ivo:annotator", "Mia:manager"))
    tab = enter(served.links["Ana"])
    tab.keyboard.press(".")
    tab.wait_for_function(
        "() => document.querySelector('#steps [aria-current=true]').innerText[0] === '2'"
    )
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Shift+ArrowRight")
    press(tab, "1")
    assert tab.locator("#detail dd").first.inner_text() == "Orla Vexley"
    tab.keyboard.press(".")
    press(tab, "d")
    tab.keyboard.press(".")
    press(tab, "c")
    tab.keyboard.press(".")
    find(tab, "Her")
    press(tab, "1")
    tab.keyboard.press("l")
    tab.keyboard.press("k")
    press(tab, "l")
    tab.keyboard.press(".")
    tab.wait_for_selector("#masked:not([hidden])")
    assert "Vexley" not in tab.evaluate(STATE)
    tab.keyboard.press("Shift+Enter")
    tab.wait_for_function(
        "() => document.getElementById('documents').innerText.includes('confirmed')"
    )
    mia = enter(served.links["Mia"])
    corpus = mia.evaluate("() => fetch('/api/export').then(answer => answer.json())")
    mentions = corpus[0]["annotations"]["Ana"]["entity_mentions"]
    assert {one["span_text"] for one in mentions} == {"Orla Vexley", "Her"}
    assert len({one["entity_id"] for one in mentions}) == 1
    names = [one for one in mentions if one["span_text"] == "Orla Vexley"]
    assert {one["identifier_type"] for one in names} == {"DIRECT"}
    assert {one["confidential_status"] for one in names} == {"BELIEF"}


def test_a_hidden_draft_is_asked_for_and_a_leading_person_confirms_the_layer(serve, enter):
    people = ("Ana:annotator", "Mia:manager")
    served = serve("annotate", people=people, more=["--policy", "court", "--hide-draft"])
    ana = enter(served.links["Ana"])
    assert ana.inner_text("#entities") == ""
    press(ana, "w")
    assert ana.inner_text("#detail h2").startswith("Mention 1 of")
    ana.keyboard.press("Shift+Enter")
    wait_for_status(ana, "to be confirmed")
    mia = enter(served.links["Mia"])
    wait_for_status(mia, "to be confirmed")
    mia.keyboard.press("L")
    mia.wait_for_function(
        "() => document.getElementById('figures').innerText.includes('Layer: Ana')"
    )
    mia.keyboard.press("Shift+Enter")
    wait_for_status(mia, "done")
    (entry,) = mia.evaluate("() => fetch('/api/export').then(answer => answer.json())")
    assert entry["annotations"]["Ana"]["pre_annotation"] == "court"


def test_a_manager_assigns_a_document_and_takes_it_from_others(serve, enter):
    """The command gave the only document to Ana, the first annotator."""
    served = serve("annotate", people=("Ana:annotator", "Ivo:annotator", "Mia:manager"))
    ana = enter(served.links["Ana"])
    assert "Vexley" in ana.inner_text("#original")
    mia = enter(served.links["Mia"])
    mia.keyboard.press("N")
    mia.fill("#answer", "Ivo")
    mia.keyboard.press("Enter")
    mia.wait_for_function("() => document.getElementById('documents').innerText.includes('Ivo')")
    assert "Vexley" in enter(served.links["Ivo"]).inner_text("#original")
    ana.reload()
    ana.wait_for_selector("html[data-ready]")
    for key in ("j", "1", "z", "Shift+Enter"):
        ana.keyboard.press(key)
    ana.click("#original")
    assert "No document" in ana.inner_text("#news")
    assert "Vexley" not in ana.inner_text("body")


def test_what_is_taken_from_a_layer_keeps_its_labels_and_links(serve, enter):
    people = ("Ana:annotator", "Ivo:annotator", "Mia:manager")
    served = serve("annotate", people=people, more=["--double", "1"])
    ana, ivo = enter(served.links["Ana"]), enter(served.links["Ivo"])
    for tab in (ana, ivo):
        find(tab, "Leeds")
        press(tab, "3")
    find(ana, "Orla Vexley")
    press(ana, "1")
    press(ana, "d")
    press(ana, "c")
    mia = enter(served.links["Mia"])
    mia.click("[data-action=difference]")
    mia.wait_for_selector("#differences:not([hidden]) button")
    before = mia.get_attribute("#figures", "data-version")
    mia.click("#differences > button")
    mia.wait_for_function(
        "old => document.getElementById('figures').dataset.version !== old", arg=before
    )
    for at in range(mia.locator("#differences li button").count()):
        before = mia.get_attribute("#figures", "data-version")
        mia.locator("#differences li button").nth(at).click()
        mia.wait_for_function(
            "old => document.getElementById('figures').dataset.version !== old", arg=before
        )
    (entry,) = mia.evaluate("() => fetch('/api/export').then(answer => answer.json())")
    layers = {name: one["entity_mentions"] for name, one in entry["annotations"].items()}
    keys = ("span_text", "entity_type", "identifier_type", "confidential_status")
    list_labels = lambda name: sorted([str(one.get(key)) for key in keys] for one in layers[name])  # noqa: E731
    assert list_labels("adjudicated") == list_labels("Ana")
    names = {one["entity_id"] for one in layers["adjudicated"] if one["entity_type"] == "PERSON"}
    assert len(names) == 1


@pytest.mark.parametrize("word", ["👩‍⚕️", "مريم حداد", "e\u0301tude", "𝒳𝒴", "🦊", "second"])
def test_the_selected_text_is_what_is_marked(serve, enter, word):
    tab = enter(serve("annotate", ODD).links["Ana"])
    find(tab, word)
    press(tab, "8")
    corpus = tab.evaluate("() => fetch('/api/export').then(answer => answer.json())")
    (mention,) = corpus[0]["annotations"]["Ana"]["entity_mentions"]
    assert ODD[mention["start_offset"] : mention["end_offset"]] == word == mention["span_text"]


def test_the_mouse_selects_whole_code_points(serve, enter):
    tab = enter(serve("annotate", ODD).links["Ana"])
    tab.evaluate(
        """() => {
          const node = document.querySelector('#original .paragraph').firstChild;
          const at = node.data.indexOf('𝒳');
          getSelection().setBaseAndExtent(node, at, node, at + 2);
          document.getElementById('original').dispatchEvent(new MouseEvent('mouseup', {bubbles: true}));
        }"""
    )
    press(tab, "8")
    assert tab.locator("#detail dd").first.inner_text() == "𝒳"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("command", ["review", "annotate"])
def test_axe_finds_no_violation(serve, enter, scheme, command):
    from axe_core_python.sync_playwright import Axe

    tab = enter(serve(command).links["Ana"], color_scheme=scheme)
    tab.wait_for_timeout(500)
    found = Axe().run(tab)["violations"]
    tab.keyboard.press("?")
    tab.wait_for_selector("dialog[open]")
    found += Axe().run(tab)["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def test_a_key_can_be_changed_and_the_language_too(serve, enter):
    tab = enter(serve().links["Ana"], locale="de-DE")
    assert "Dokumente" in tab.inner_text("nav")
    tab.keyboard.press("?")
    field = tab.get_by_label("Taste für: Maske entfernen")
    field.focus()
    tab.keyboard.press("h")
    tab.keyboard.press("Escape")
    go_to(tab, "Ivo Brandt")
    press(tab, "h")
    assert "Ivo Brandt" in tab.evaluate(STATE)


HOSTILE = {
    "markup": "<script>alert(1)</script><img src=x onerror=alert(2)> Orla Vexley &amp; </p><b>x</b>",
    "directions": "\u202eOrla Vexley\u202c met مريم حداد \u2067and\u2069 \u200bZoë.",
    "controls": "Orla Vexley\x00 and \x07\x1b[31m Ivo\u0085Brandt\u2028x\u2029y\ufeff.",
    "marks": "Z" + "\u0301" * 200 + "oë met Orla Vexley 👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿 in Leeds.",
    "patterns": "$& $1 $` {text} {count} Orla Vexley \\0 __proto__ constructor",
    "long": "Orla Vexley" + " abcdefgh" * 3000 + "x" * 30_000,
    "lines": "\r\nOrla Vexley\r\n\r\rIvo Brandt\n\n\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_any_text_is_shown_as_text_alone(serve, enter, kind):
    """The fixture refuses whatever the browser complains of, such as a report of the page's policy."""
    text = HOSTILE[kind]
    tab = enter(serve(text=text.encode(), name="odd.txt").links["Ana"])
    told = tab.evaluate("() => fetch('/api/documents/1').then(answer => answer.json())")
    lines = tab.evaluate(
        "() => [...document.querySelectorAll('#original .paragraph')].map(one => one.textContent)"
    )
    assert "\n".join(lines) == told["text"]
    assert tab.evaluate("() => document.querySelectorAll('main script, main img').length") == 0
    find(tab, "Vexley")
    press(tab, "8")
    assert "Vexley" not in tab.evaluate("() => document.getElementById('masked').textContent")


def test_the_pages_of_a_pdf_stand_beside_its_text(serve, enter, tmp_path):
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "made.pdf"))
    for at, line in enumerate(LETTER.splitlines()):
        canvas.drawString(72, 720 - 20 * at, line)
    canvas.save()
    served = serve(text=(tmp_path / "made.pdf").read_bytes(), name="letter.pdf")
    tab = enter(served.links["Ana"])
    assert "Vexley" in tab.inner_text("#original")
    tab.wait_for_function("() => document.querySelector('#pictures img')?.naturalWidth > 100")
