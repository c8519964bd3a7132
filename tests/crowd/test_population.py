"""Registers are read whole or refused with a line that quotes nothing, and people keep their place."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from maskwise.crowd.population import Population, Profile, linearise
from maskwise.crowd.registers import read_profiles, write_profiles
from maskwise.crowd.uniqueness import measure_uniqueness
from maskwise.errors import CorpusError, InputError, MaskwiseError, OutputError

ROWS = [
    {
        "id": "p1",
        "profile": {"occupation": ["cellist", "teacher"], "born": 1921, "died": None},
        "text": "A cellist.",
    },
    {"id": 2, "profile": {"born": "1921-05-03", "nationality": "Dutch"}},
    {"id": "p3", "profile": {}},
]
LINES = ["born: 1921 | occupation: cellist, teacher", "born: 1921-05-03 | nationality: Dutch", ""]
SECRET = "Quillfeather"


def jsonl(path: Path, rows: list[object]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", "utf-8")
    return path


def test_jsonl(tmp_path: Path) -> None:
    people = Population.load(jsonl(tmp_path / "people.jsonl", ROWS))
    assert people.ids == ["p1", "2", "p3"]
    assert list(people.list_lines()) == LINES
    assert people[0].text == "A cellist."
    assert [people.index_of(id) for id in people.ids] == [0, 1, 2]
    assert people[1].get("nationality") == ("Dutch",)
    assert people[1].get("occupation") == ()


@pytest.mark.parametrize(("ending", "opener"), [(".gz", gzip.open), (".xz", lzma.open)])
def test_packed_files_read_the_same(tmp_path: Path, ending: str, opener) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / f"people.jsonl{ending}"
    with opener(path, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in ROWS)
    assert list(Population.load(path).list_lines()) == LINES


def test_tables(tmp_path: Path) -> None:
    csv, table = tmp_path / "people.csv", tmp_path / "people.parquet"
    csv.write_text(
        'id,born,occupation,text\np1,1921,cellist;teacher,"A ""cellist"", they say."\np2,,,\n',
        "utf-8",
    )
    columns = {
        "id": ["p1", "p2"],
        "born": [1921, None],
        "occupation": [["cellist", "teacher"], None],
    }
    parquet.write_table(pyarrow.table(columns), table)
    expected = [LINES[0], ""]
    people = Population.load(csv, separator=";")
    assert list(people.list_lines()) == expected
    assert people[0].text == 'A "cellist", they say.'
    assert list(Population.load(csv).list_lines()) == [
        "born: 1921 | occupation: cellist;teacher",
        "",
    ]
    assert list(Population.load(table).list_lines()) == expected


def test_nested_profiles_of_parquet(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    rows = [
        {"id": row["id"], "profile": row["profile"], "text": row.get("text")} for row in ROWS[:1]
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    [person] = Population.load(path)
    assert (linearise(person), person.text) == (LINES[0], "A cellist.")
    path.write_bytes(b"no table")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        Population.load(path)


def test_other_separators_of_columns_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "people.tsv"
    path.write_text("id\tborn\np1\t1921\n", "utf-8")
    assert list(Population.load(path).list_lines()) == ["born: 1921"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("[1]", "row 2 is not an object"),
        (f'{{"id": "{SECRET}"', "row 2 is not JSON"),
        (f'{{"profile": {{"name": "{SECRET}"}}}}', "row 2 has no `id`"),
        (f'{{"id": true, "profile": {{"name": "{SECRET}"}}}}', "row 2 has no `id`"),
        (f'{{"id": "x", "profile": "{SECRET}"}}', "row 2: `profile` is not an object"),
        (
            f'{{"id": "x", "profile": {{"name": {{"first": "{SECRET}"}}}}}}',
            "neither a value nor a list",
        ),
        (f'{{"id": "x", "profile": {{"": "{SECRET}"}}}}', "an attribute without a name"),
        (f'{{"id": "x", "profile": {{}}, "text": ["{SECRET}"]}}', "`text` is not text"),
    ],
)
def test_errors_name_the_row_and_quote_nothing(tmp_path: Path, row: str, said: str) -> None:
    path = tmp_path / "people.jsonl"
    path.write_text('{"id": "p1", "profile": {}}\n' + row + "\n", "utf-8")
    with pytest.raises(MaskwiseError, match=said) as caught:
        Population.load(path)
    assert path.name in str(caught.value)
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_ragged_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("id,born\np1,1921\np2\n", "utf-8")
    with pytest.raises(CorpusError, match="row 2 has not as many cells"):
        Population.load(path)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Population.load(tmp_path / "nobody.jsonl")
    broken = tmp_path / "people.jsonl.xz"
    broken.write_bytes(b"not packed")
    with pytest.raises(InputError, match="cannot be read"):
        Population.load(broken)
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(CorpusError, match="no profile"):
        Population.load(tmp_path / "empty.jsonl")


def test_repeated_ids() -> None:
    rows = [
        Profile.of("p1", {"born": 1921}),
        Profile.of("p2", {"born": 1930}),
        Profile.of("p1", {"born": 1922, "died": 1990}, "A text."),
    ]
    with pytest.raises(CorpusError, match="profile 3 has the id of profile 1"):
        Population(rows)
    first, both = Population(rows, "first"), Population(rows, "merge")
    assert (len(first), len(both), first.repeated, both.repeated) == (2, 2, 1, 1)
    assert linearise(first[0]) == "born: 1921"
    assert linearise(both[0]) == "born: 1921, 1922 | died: 1990"
    assert both[0].text == "A text."


def test_identical_profiles_are_counted_whatever_the_order_of_keys() -> None:
    same = [
        Profile.of("a", {"x": 1, "y": 2}),
        Profile.of("b", {"y": 2, "x": 1}),
        Profile.of("c", {"x": 1}),
    ]
    assert Population(same).identical == 2


def test_unknown_people() -> None:
    people = Population([Profile.of("p1", {})])
    assert SECRET not in people
    with pytest.raises(CorpusError) as caught:
        people.index_of(SECRET)
    assert SECRET not in str(caught.value)


def test_nothing_of_a_profile_is_in_its_repr() -> None:
    profile = Profile.of("p1", {"name": SECRET}, SECRET)
    assert SECRET not in repr(profile) + repr(Population([profile]))


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
profiles = st.builds(
    Profile.of,
    st.uuids().map(str),
    st.dictionaries(words.filter(str.strip), st.lists(words, max_size=3), max_size=4),
    words,
)


@given(st.lists(profiles, max_size=6, unique_by=lambda p: p.id))
def test_packing_loses_nothing(people: list[Profile]) -> None:
    population = Population(people)
    assert list(population) == people
    assert [population[population.index_of(p.id)] for p in people] == people


@given(st.lists(profiles, min_size=1, max_size=4, unique_by=lambda p: p.id))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, people: list[Profile]
) -> None:
    path = tmp_path_factory.mktemp("people") / "people.jsonl.gz"
    assert write_profiles(path, people) == len(people)
    assert list(read_profiles(path)) == people


def test_a_failed_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    path.write_text("old")

    def broken():  # type: ignore[no-untyped-def]
        yield Profile.of("p1", {})
        raise CorpusError("row 2 is not JSON")

    with pytest.raises(CorpusError):
        write_profiles(path, broken())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OutputError):
        write_profiles(path / "below" / "people.jsonl", [])


def test_uniqueness() -> None:
    facts = [
        {"born": "1921-05-03", "job": ["cellist", "teacher"], "code": 1000},
        {"born": "1921-06-01", "job": ["teacher", "cellist"], "code": 2000},
        {"born": "1921", "job": "nurse"},
        {"job": "nurse"},
    ]
    alone, together = measure_uniqueness(
        Population(Profile.of(str(at), fact) for at, fact in enumerate(facts))
    )
    crowds = {row.attributes: row for row in (*alone, *together)}
    assert ("code (year)",) not in crowds  # four digits alone are no year
    assert (crowds["born",].people, crowds["born",].alone) == (3, 1.0)
    assert (crowds["born (year)",].people, crowds["born (year)",].alone) == (3, 0.0)
    assert (crowds["job",].classes, crowds["job",].median) == (2, 2)
    assert crowds["born (year)", "job"].alone == pytest.approx(1 / 3)
    assert ("born", "born (year)") not in crowds
