"""Labels, headings, heads of tables and keys are labels; lines that were not wrapped and cells are edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.text.layout import is_label, is_label_of_kind, read_layout


def find_labels(text):
    return [text[start:end] for start, end in read_layout(text).labels]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Phone: 12\nTimestamp: 3", ["Phone", "Timestamp"]),
        ("X-To: Ana Souza\nCc: Bo Berg", ["X-To", "Cc"]),
        ("Subject: FW: RE: lunch", ["Subject", "FW: RE: "]),
        ("Admitted: 3 May   Discharged: 5 May", ["Admitted", "Discharged"]),
        ("HOSPITAL COURSE\nShe slept.", ["HOSPITAL COURSE"]),
        ("Name\tPhone\tCity\nAna\t12\tPorto", ["Name\tPhone\tCity"]),
        ('DB_USER = "ana"', ["DB_USER"]),
        ("12:01 INFO user=ana", ["INFO", "user"]),
        ("RT @ana: hello", ["RT "]),
        ("Ana: hello\nBo: hi", []),
        ("Souza: no\nWill: yes", []),
    ],
)
def test_labels(text, labels):
    assert find_labels(text) == labels


def test_names_are_no_labels():
    assert not any(map(is_label, ("Ana", "Will", "Ana Souza", "", "of the")))


def test_a_label_of_a_kind_tells_no_name():
    assert is_label_of_kind("Insurance plan")
    assert not is_label_of_kind("Owner")


def test_wrapped_prose_has_no_edges_inside():
    text = "The nurse who was on duty that night told that\nMs Ana Souza had left the ward before the bell."
    assert read_layout(text).edges == ()


def test_lines_of_an_address_and_cells_are_edges():
    text = "Ana Souza\n12 Elm Road\nPorto\n\nAna\tBo"
    assert [text[at:].split()[0] for at in read_layout(text).edges] == ["12", "Porto", "Ana", "Bo"]


@given(st.text(alphabet="aA:=\t|\n 1.>-_", max_size=80))
def test_labels_are_sorted_and_apart_and_edges_inside(text):
    layout = read_layout(text)
    spans = [at for span in layout.labels for at in span]
    assert spans == sorted(spans)
    assert all(0 < at < len(text) for at in layout.edges)
    assert list(layout.edges) == sorted(set(layout.edges))
