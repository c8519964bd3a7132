"""Marks of Markdown part no name and stay where they are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.io.markdown import Markdown
from maskwise.mask import apply_replacements


def masked(source: str, *secrets: str) -> tuple[str, str]:
    """What is read of a source, and what is written for it."""
    form = Markdown()
    loaded = form.read(source.encode(), "file")
    (text,) = loaded.texts
    spans = [
        (m.start(), m.end(), "[PERSON 1]") for s in secrets for m in re.finditer(re.escape(s), text)
    ]
    new, alignment = apply_replacements(text, sorted(spans))
    return text, form.write(loaded, (new,), (alignment,)).decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# About Ana Souza\n", "# About [PERSON 1]\n"),
        (
            "- *Ana Souza* met **Bo Li** in `Oslo`\n",
            "- *[PERSON 1]* met **[PERSON 1]** in `Oslo`\n",
        ),
        ("**Ana** _Souza_ left", "**[PERSON 1]** left"),
        ("A**na So**uza left", "[PERSON 1] left"),
        (
            "| who | when |\n|---|---|\n| Ana Souza | May |\n",
            "| who | when |\n|---|---|\n| [PERSON 1] | May |\n",
        ),
        (
            "> 1. [Ana Souza](https://x.example/a) came\r\n",
            "> 1. [[PERSON 1]](https://x.example/a) came\r\n",
        ),
        ("snake_case and 2 * 3 stay, Ana Souza", "snake_case and 2 * 3 stay, [PERSON 1]"),
    ],
)
def test_marks_stay(source: str, expected: str) -> None:
    assert masked(source, "Ana Souza", "Bo Li")[1] == expected


def test_cells_and_links_are_apart() -> None:
    text, _ = masked("| Ana | Souza |\n[Ana](https://x.example/Souza)\n")
    assert "Ana Souza" not in text.replace(";\n\n", "|")
    assert "Ana;" in text


@given(st.text(alphabet="ab *_`#|[]()\n>-1.!\\~", max_size=60))
def test_without_masks_nothing_changes(source: str) -> None:
    assert masked(source)[1] == source
