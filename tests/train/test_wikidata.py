from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from maskwise.errors import InputError
from maskwise.text import EntityType
from maskwise.train import gazetteer
from maskwise.train.gazetteer import collect_phrases, read_properties

DEM = next(name for name, type in read_properties().items() if type is EntityType.DEM)
MISC = next(name for name, type in read_properties().items() if type is EntityType.MISC)


def statement(value: Any) -> dict[str, Any]:
    return {"mainsnak": {"datavalue": {"value": value}}}


def item(id: str, label: str, aliases: tuple[str, ...] = (), **claims: list[Any]) -> dict[str, Any]:
    return {
        "type": "item",
        "id": id,
        "labels": {
            "en": {"language": "en", "value": label},
            "de": {"language": "de", "value": f"{label} (de)"},
        },
        "aliases": {"en": [{"language": "en", "value": alias} for alias in aliases]},
        "claims": {name: [statement(value) for value in values] for name, values in claims.items()},
    }


HUMAN = {"id": "Q5", "entity-type": "item"}
ITEMS = [
    item("Q900", "lamplighter", ("street lighter",)),
    item(
        "Q1",
        "Ada Brandvold",
        P31=[HUMAN],
        **{DEM: [{"id": "Q900"}], MISC: ["The Long Road", {"id": "Q902"}]},
    ),
    item("Q2", "Tomas Quillfeather", P31=[HUMAN], **{DEM: [{"id": "Q900"}, {"id": "Q901"}]}),
    item("Q3", "Larkby", P31=[{"id": "Q515"}], P6=[{"id": "Q5"}], **{DEM: [{"id": "Q903"}]}),
    item("Q901", "weaver"),
    item("Q902", "Order of the Kite", P31=[{"id": "Q618779"}]),
    item("Q903", "not of a person"),
]


def write(path: Path, opener: Callable[..., Any] = open) -> Path:
    with opener(path, "wt", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(i, separators=(",", ":")) for i in ITEMS) + "\n]\n")
    return path


@pytest.mark.parametrize(
    ("name", "opener"), [("d.json", open), ("d.json.gz", gzip.open), ("d.json.bz2", bz2.open)]
)
def test_values_of_people_become_phrases(
    tmp_path: Path, name: str, opener: Callable[..., Any]
) -> None:
    lists = collect_phrases(write(tmp_path / name, opener), tmp_path / "out", progress=False)
    assert lists[EntityType.DEM].read_text().splitlines() == [
        "lamplighter",
        "street lighter",
        "weaver",
    ]
    assert lists[EntityType.MISC].read_text().splitlines() == ["Order of the Kite", "The Long Road"]


def test_rare_values_can_be_left_out(tmp_path: Path) -> None:
    lists = collect_phrases(
        write(tmp_path / "d.json"), tmp_path / "out", minimum=2, aliases=False, progress=False
    )
    assert lists[EntityType.DEM].read_text().splitlines() == ["lamplighter"]


def test_a_stopped_run_goes_on_and_counts_nobody_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = write(tmp_path / "d.json")
    seen: list[str] = []
    whole = gazetteer._store_person

    def person(base: Any, found: Any, known: Any) -> None:
        if found["id"] == "Q2" and "stopped" not in seen:
            seen.append("stopped")
            raise KeyboardInterrupt
        seen.append(found["id"])
        whole(base, found, known)

    monkeypatch.setattr(gazetteer, "_store_person", person)
    with pytest.raises(KeyboardInterrupt):
        collect_phrases(dump, tmp_path / "out", every=2, progress=False)
    seen[:] = ["stopped"]
    lists = collect_phrases(
        dump, tmp_path / "out", every=2, minimum=2, aliases=False, progress=False
    )
    assert "Q1" not in seen
    assert lists[EntityType.DEM].read_text().splitlines() == ["lamplighter"]


def test_a_damaged_dump_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "d.json.gz", gzip.open)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="broken off"):
        collect_phrases(path, tmp_path / "out", progress=False)


def test_all_properties_are_there() -> None:
    kinds = list(read_properties().values())
    assert (kinds.count(EntityType.DEM), kinds.count(EntityType.MISC)) == (44, 194)
