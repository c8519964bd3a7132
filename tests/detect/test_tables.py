"""The head of a column announces what stands below it, and nothing runs over the edge of a cell."""

import pytest

from maskwise.detect.patterns import PatternDetector
from maskwise.detect.patterns._tables import Cells, find_cells
from maskwise.text import Document, EntityType

HEADS, ROWS = (
    ("Name", "Plate no.", "Note"),
    (("ana souza", "ku74 wxk", "came late"), ("bo berg", "r-eb 5051", "left")),
)


def table(sign):
    return "\n".join(sign.join(row) for row in (HEADS, *ROWS)) + "\nThat was all.\n"


@pytest.mark.parametrize("sign", ["\t", "|", " | ", ";", " , ", ","])
def test_cells_carry_their_heads_and_places(sign):
    text = table(sign)
    cells = list(find_cells(text))
    assert [(c.head, c.text) for c in cells] == [
        pair for row in ROWS for pair in zip(HEADS, row, strict=True)
    ]
    assert all(text[c.start :].startswith(c.text) for c in cells)


@pytest.mark.parametrize("sign", ["\t", "|", " | ", ";", " , ", ","])
def test_a_head_gives_its_column_away(sign):
    document = Document(table(sign))
    found = {m.text for m in PatternDetector().detect([document])[0].mentions}
    assert found >= {"ana souza", "bo berg", "ku74 wxk", "r-eb 5051"}


def test_a_find_stays_in_its_cell():
    document = Document("Link;Charge\nhttps://example.org/x;$450\n")
    found = {m.text for m in PatternDetector().detect([document])[0].mentions}
    assert {"https://example.org/x", "$450"} <= found


@pytest.mark.parametrize(
    "text", ["", "no table; at all", "1;2\n3;4\n", "a | b\nno row", "He came, saw, and\nleft."]
)
def test_what_is_no_table(text):
    assert Cells(text).text == ""


@pytest.mark.parametrize("value", ["type 2 diabetes", "EUR 704.90", "62"])
@pytest.mark.parametrize("sign", ["\t", ";", " | "])
def test_the_last_head_announces_nothing_in_the_first_cell(sign, value):
    document = Document(f"Note{sign}Name{sign}Acct no.\n{value}{sign}ana souza{sign}22334455\n")
    found = PatternDetector().detect([document])[0].mentions
    codes = {m.text for m in found if m.type is EntityType.CODE}
    assert codes == {"22334455"}


def test_a_head_of_one_word_says_which_name_stands_below():
    document = Document("id,given,family,mrn\n1,zuqo,tolm,440021\n2,brisca,vantu,440022\n")
    found = {m.text for m in PatternDetector().detect([document])[0].mentions}
    assert found >= {"zuqo", "tolm", "brisca", "vantu", "440021", "440022"}


def test_the_columns_of_an_insert_announce_its_values():
    document = Document(
        "INSERT INTO people (id, first_name, last_name, age) VALUES"
        " (1, 'zuqo', 'tolm', 4), (2, 'brisca', 'van''tu', 5);"
    )
    found = {m.text for m in PatternDetector().detect([document])[0].mentions}
    assert found >= {"zuqo", "tolm", "brisca"}
    assert PatternDetector().detect([Document("INSERT INTO t (a, b) VALUES (1")])
