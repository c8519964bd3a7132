from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from maskwise.errors import BundleError
from maskwise.risk import rarity
from maskwise.text import Document, Entity, EntityType


def entity(*texts: str, kind: EntityType = EntityType.DEM, subtype: str = "") -> Entity:
    document = Document(". ".join(texts))
    starts = [document.text.index(text) for text in texts]
    spans = zip(starts, texts, strict=True)
    return Entity(
        "e",
        kind,
        tuple(document.mention(at, at + len(t), kind, subtype=subtype) for at, t in spans),
    )


@pytest.mark.parametrize(
    ("attribute", "is_rare"),
    [
        ("actor", False),
        ("Actors", False),
        ("film  director", False),
        ("Politicians", False),
        ("beekeeper", True),
        ("lighthouse keeper", True),
        ("Bermuda-born", True),
    ],
)
def test_what_few_people_share_is_rare(attribute: str, is_rare: bool) -> None:
    assert rarity.is_rare(entity(attribute)) is is_rare


def test_one_common_writing_makes_an_attribute_common() -> None:
    assert rarity.is_rare(entity("glass harmonica player"))
    assert not rarity.is_rare(entity("glass harmonica player", "musician"))


def test_only_demographic_attributes_are_rare_and_crowds_are_not() -> None:
    assert not rarity.is_rare(entity("beekeeper", kind=EntityType.MISC))
    assert not rarity.is_rare(entity("Tuvaluan", subtype="nationality"))
    assert rarity.is_rare(entity("Tuvaluan-born"))


def test_the_table_holds_what_at_least_one_in_a_thousand_share() -> None:
    head, *rows = (rarity.files("maskwise.bundle") / rarity.FILE).read_text("utf-8").splitlines()
    people = int(head.split(" of ")[-1].split()[0])
    numbers = [int(row.split("\t")[1]) for row in rows]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] * rarity.ONE_IN >= people
    assert (
        len(rarity.read_common_attributes())
        == len(rows)
        == len({row.split("\t")[0] for row in rows})
    )


def test_a_missing_table_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rarity, "FILE", "risk/none.tsv")
    rarity.read_common_attributes.cache_clear()
    try:
        with pytest.raises(BundleError, match="install"):
            rarity.read_common_attributes()
    finally:
        rarity.read_common_attributes.cache_clear()


def test_a_person_counts_once_for_an_attribute_wherever_its_words_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "tools")
    build = importlib.import_module("build_attributes")
    texts = [
        "A Deep-Sea diver, once a deep-sea diver.",
        "The deep-sea\ndiver sang.",
        "A diver in the deep sea.",
    ] * 500
    wanted = {("deep-sea", "diver"), ("diver",), ("singer",)}
    found = build.count([*texts, "A singer."], wanted)
    assert found == {("deep-sea", "diver"): 1000, ("diver",): 1500, ("singer",): 1}
    head, *rows = build.write_lines(found, 1501, "0123")
    assert rows == ["diver\t1500", "deep-sea diver\t1000"]  # one singer of 1,501 people is rare
    assert " of 1501 people" in head
