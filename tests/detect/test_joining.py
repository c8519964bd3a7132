"""The groups of one code, and a place with its side, are one mention."""

import pytest

from maskwise.detect.joining import join_parts
from maskwise.text import Document, EntityType, Provenance
from maskwise.text.subtypes import DIGITS


def join(text, *parts):
    document = Document(text)
    mentions = []
    for part, kind, subtype in parts:
        start = text.index(part)
        mentions.append(
            document.mention(
                start, start + len(part), kind, source=Provenance.NEURAL, subtype=subtype
            )
        )
    return [m.text for m in join_parts(document, mentions)]


def test_the_letters_of_the_country_belong_to_the_account():
    assert join("to GB53 EDIW 2281 8736", ("EDIW 2281 8736", EntityType.CODE, "")) == [
        "GB53 EDIW 2281 8736"
    ]


def test_groups_of_digits_are_one_number():
    parts = ("07700", EntityType.CODE, "numbered"), ("900114", EntityType.CODE, DIGITS)
    assert join("number 0770 9001", *(("0770", *parts[0][1:]), ("9001", *parts[1][1:]))) == [
        "0770 9001"
    ]


def test_codes_apart_stay_apart():
    parts = ("E-99", EntityType.CODE, ""), ("7741", EntityType.CODE, DIGITS)
    assert join("E-99, 7741", *parts) == ["E-99", "7741"]
    assert join("E-99 7741", *parts) == ["E-99", "7741"]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("dowód osobisty ABC 123456", "ABC 123456"),
        ("loyalty MB 7741 2209 3", "MB 7741 2209 3"),
        ("MRN 7741 2209", "7741 2209"),
        ("TEL 7741 2209", "7741 2209"),
        ("EUR 774122", "774122"),
    ],
)
def test_the_letters_of_a_series_belong_to_the_code_and_labels_do_not(text, whole):
    figures = text[next(at for at, sign in enumerate(text) if sign.isdecimal()) :]
    assert join(text, (figures, EntityType.CODE, DIGITS)) == [whole]


def test_a_side_belongs_to_its_place():
    assert join("in eastern Ukraine", ("Ukraine", EntityType.LOC, "")) == ["eastern Ukraine"]
    assert join("the feast Ukraine", ("Ukraine", EntityType.LOC, "")) == ["Ukraine"]
