"""The files of the page: both languages say the same, everything that is said has a text, every module is named."""

import json
import re
from importlib.resources import files

PAGE = files("maskwise.server.review") / "page"
NAMES = sorted(each.name for each in PAGE.iterdir())
TEXTS = {
    name.partition(".")[0]: json.loads((PAGE / name).read_text("utf-8"))
    for name in NAMES
    if name.endswith(".json")
}
MODULES = {name: (PAGE / name).read_text("utf-8") for name in NAMES if name.endswith(".js")}
HTML = (PAGE / "index.html").read_text("utf-8")
SCRIPT = "\n".join(MODULES.values())


def list_marks(text):
    return sorted(re.findall(r"\{\w+\}", text))


def test_the_languages_have_the_same_texts_with_the_same_values():
    assert len(TEXTS) >= 2
    for other in TEXTS.values():
        assert list(other) == list(TEXTS["en"])
        assert {key: list_marks(text) for key, text in other.items()} == {
            key: list_marks(text) for key, text in TEXTS["en"].items()
        }
        assert all(text.strip() for text in other.values())


def test_the_page_offers_each_language():
    (told,) = re.findall(r"LANGUAGES = \{(.*)\}", MODULES["texts.js"])
    assert set(re.findall(r"(\w+):", told)) == set(TEXTS)


def test_whatever_the_page_says_has_a_text():
    said = set(re.findall(r'\b(?:say|tell|makeGroup|figure|row)\("(\w+)"', SCRIPT))
    said |= set(re.findall(r'data-(?:text|label)="(\w+)"', HTML))
    assert said
    assert said <= set(TEXTS["en"])


def test_each_action_has_a_key_a_text_and_something_it_does():
    (told,) = re.findall(r"DEFAULTS = \{(.*?)\};", MODULES["keys.js"], re.DOTALL)
    keys = dict(re.findall(r'(\w+): "([^"]+)"', told))
    assert len(set(keys.values())) == len(keys)
    (told,) = re.findall(r"ACTIONS = \{(.*?)^\};", MODULES["app.js"], re.DOTALL | re.MULTILINE)
    actions = set(re.findall(r"^  (\w+):", told, re.MULTILINE))
    actions |= {f"type{at}" for at in range(1, 9)}
    assert actions == set(keys)
    assert {f"do_{action}" for action in actions} <= set(TEXTS["en"])


def test_every_module_is_loaded_at_once():
    named = set(
        re.findall(r'(?:modulepreload" href|script type="module" src)="/page/(\w+\.js)"', HTML)
    )
    assert named == set(MODULES)
