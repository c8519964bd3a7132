"""The page about integrations says what the libraries do."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from maskwise.integrations.presidio import SUBTYPES, TYPES

PAGE = (Path(__file__).parents[3] / "docs" / "integrations.md").read_text("utf-8")
EXAMPLES = re.findall(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_an_example_prints_what_the_page_says(code, printed):
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard):
        exec(code, {})
    assert heard.getvalue() == printed


def test_every_example_is_run():
    assert len(EXAMPLES) == PAGE.count("```python") == 4


def test_the_list_is_the_mapping():
    rows = re.findall(r"^- (type )?(`.+`): ([A-Z_]+)$", PAGE, re.MULTILINE)
    types = {name.strip("`"): theirs for kind, name, theirs in rows if kind}
    subtypes = {
        name: theirs
        for kind, names, theirs in rows
        if not kind
        for name in re.findall(r"`(\w+)`", names)
    }
    assert types == {kind.value: theirs for kind, theirs in TYPES.items()}
    assert subtypes == SUBTYPES
