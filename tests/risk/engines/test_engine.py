from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.risk.engines.engine import SearchEngine, quote_terms

ROOT = Path(__file__).parents[3]
ENGINES = ("bing", "brave", "google", "searxng")


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_is_an_index_that_a_policy_can_name(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, kind = project["entry-points"]["maskwise.indexes"][name].partition(":")
    assert module == f"maskwise.risk.engines.{name}"
    found = getattr(importlib.import_module(module), kind)
    assert issubclass(found, SearchEngine)
    assert found.exact is False


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_stands_in_the_documentation(name: str) -> None:
    for page in ("background.md", "policies.md"):
        assert f"`{name}`" in (ROOT / "docs" / page).read_text("utf-8").replace("kind: ", "")


TERMS = st.lists(st.text(min_size=1).filter(str.split), min_size=1, max_size=4)


@given(TERMS, st.integers(4, 80), st.integers(40, 400))
def test_a_question_has_one_phrase_per_term_and_keeps_its_limits(
    terms: list[str], words: int, characters: int
) -> None:
    question = quote_terms(terms, words, characters)
    assert question.count('"') == 2 * len(terms)
    assert len(question) <= characters
    assert len(question.replace('"', " ").split()) <= words


@given(TERMS)
def test_short_terms_are_asked_for_whole(terms: list[str]) -> None:
    phrases = quote_terms(terms, 10**6, 10**6).split('"')[1::2]
    assert phrases == [" ".join(term.replace('"', " ").split()) for term in terms]
