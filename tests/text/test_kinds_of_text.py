"""The invented domain documents: up to date with their sources, exact offsets, valid and consistent labels."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from maskwise.text import EntityType

FOLDER = Path(__file__).parents[1] / "data" / "domains"
PERSON = "Ana Souza"


def _load_builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("domains_build", FOLDER / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


builder = _load_builder()


def _documents(domain: str) -> list[dict[str, Any]]:
    documents: list[dict[str, Any]] = json.loads(
        (FOLDER / f"{domain}.json").read_text(encoding="utf-8")
    )
    return documents


def _mentions(document: dict[str, Any]) -> list[dict[str, Any]]:
    mentions: list[dict[str, Any]] = document["annotations"]["gold"]["entity_mentions"]
    return mentions


def _all() -> Iterator[dict[str, Any]]:
    for domain in builder.DOMAINS:
        yield from _documents(domain)


@pytest.fixture(params=list(_all()), ids=lambda d: d["doc_id"])
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    chosen: dict[str, Any] = request.param
    return chosen


@pytest.mark.parametrize("domain", builder.DOMAINS)
def test_json_is_up_to_date_with_its_source(domain: str) -> None:
    assert (FOLDER / f"{domain}.json").read_text(encoding="utf-8") == builder.render(domain)


@pytest.mark.parametrize("domain", builder.DOMAINS)
def test_ten_documents_a_domain(domain: str) -> None:
    documents = _documents(domain)
    assert [d["doc_id"] for d in documents] == [f"{domain}-{n:02}" for n in range(1, 11)]
    assert all(
        d["meta"] == {"domain": domain} and d["dataset_type"] == "domains" for d in documents
    )


def test_length(document: dict[str, Any]) -> None:
    assert 80 <= len(document["text"].split()) <= 250


def test_offsets_are_exact_ordered_and_disjoint(document: dict[str, Any]) -> None:
    end = 0
    for mention in _mentions(document):
        assert mention["start_offset"] >= end
        end = mention["end_offset"]
        assert document["text"][mention["start_offset"] : end] == mention["span_text"] != ""


def test_labels_are_valid(document: dict[str, Any]) -> None:
    for mention in _mentions(document):
        assert mention["entity_type"] in set(EntityType)
        assert mention["identifier_type"] in ("DIRECT", "QUASI", "NO_MASK")
        assert mention["confidential_status"] in builder.CONFIDENTIAL


def test_mentions_of_an_entity_agree(document: dict[str, Any]) -> None:
    labels: dict[str, set[tuple[str, str, str]]] = {}
    for m in _mentions(document):
        label = (m["entity_type"], m["identifier_type"], m["confidential_status"])
        labels.setdefault(m["entity_id"], set()).add(label)
    assert all(len(found) == 1 for found in labels.values())
    ids = [m["entity_mention_id"] for m in _mentions(document)]
    assert len(set(ids)) == len(ids)


def test_the_person_is_named_and_only_names_and_codes_are_direct(document: dict[str, Any]) -> None:
    direct = [m for m in _mentions(document) if m["identifier_type"] == "DIRECT"]
    assert len({m["entity_id"] for m in direct if m["entity_type"] == "PERSON"}) == 1
    assert {m["entity_type"] for m in direct} <= {"PERSON", "CODE"}


def test_the_counts_in_the_readme_are_those_of_the_data() -> None:
    assert builder.table(list(_all())) in (FOLDER / "README.md").read_text(encoding="utf-8")


def _source(body: str, head: str = "") -> str:
    return f"=== x-01\nperson: {PERSON}\n{head}\n{body}\n"


def test_markup_computes_offsets_and_shares_entities() -> None:
    body = "{{Ana Souza|PERSON|DIRECT|ana}} has {{asthma|DEM|QUASI|HEALTH}}. {{Ana|ana}}'s {{asthma}} is mild."
    (document,) = builder.build("x", _source(body))
    assert document["text"] == "Ana Souza has asthma. Ana's asthma is mild."
    found = [
        (m["start_offset"], m["end_offset"], m["entity_id"], m["confidential_status"])
        for m in _mentions(document)
    ]
    assert found == [
        (0, 9, "x-01_e1", "NOT_CONFIDENTIAL"),
        (14, 20, "x-01_e2", "HEALTH"),
        (22, 25, "x-01_e1", "NOT_CONFIDENTIAL"),
        (28, 34, "x-01_e2", "HEALTH"),
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("{{Porto|LOC|QUASI}} is not porto.", "unmarked elsewhere: porto"),
        ("{{Ana Souza|PERSON|DIRECT}} and Mr Souza.", "unmarked elsewhere: souza"),
        ("{{Porto|LOK|QUASI}}", "unknown label"),
        ("{{Porto|LOC}}", "one type and one identifier type"),
        ("{{Porto}}", "not described before"),
        ("{{Porto|LOC|QUASI}}, {{Porto|ORG|QUASI}}", "described already"),
        ("{{Porto|LOC|QUASI|a}}, {{Faro|LOC|QUASI|b}}, {{Porto|b}}", "two entities"),
        ("{{Porto |LOC|QUASI}}", "white space"),
        ("{{Porto|LOC|QUASI}", "not closed"),
    ],
)
def test_builder_refuses(body: str, message: str) -> None:
    with pytest.raises(builder.MarkupError, match=message):
        builder.build("x", _source(body))


def test_listed_exceptions_may_stand_unmarked() -> None:
    body = "{{May|DATETIME|QUASI}} was cold; may it end."
    (document,) = builder.build("x", _source(body, "allow: may\n"))
    assert len(_mentions(document)) == 1
