"""Encodings are found, kept, and refused where nobody can be sure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import InputError, OutputError
from maskwise.io.encoding import Encoding, decode_text, encode_text

GERMAN = "Frau Müller wohnt seit fünf Jahren in Köln und grüßt ihre Großmutter in Düsseldorf, die über achtzig ist.\r\n"


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
)
def test_marks_are_kept(text, name):
    raw = text.encode(name)
    if text[:1] in ("\ufeff", "\0") or (name == "utf-8" and "\0" in text):
        return  # these read as another mark, or as another encoding
    found, encoding = decode_text(raw, "x")
    assert encode_text(found, encoding) == raw
    assert found == text


@pytest.mark.parametrize("name", ["latin-1", "cp1252", "iso-8859-15"])
def test_western_code_pages(name):
    raw = GERMAN.encode(name)
    text, encoding = decode_text(raw, "x")
    assert text == GERMAN
    assert encode_text(text, encoding) == raw


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
def test_wide_text_without_a_mark(name):
    text, encoding = decode_text(GERMAN.encode(name), "x")
    assert (text, encoding) == (GERMAN, Encoding(name))


def test_zeros_alone_do_not_make_text_wide():
    assert decode_text(b"a\0b, and more words", "x") == ("a\0b, and more words", Encoding())


@pytest.mark.parametrize(
    "raw",
    [
        "né".encode("latin-1"),  # too short to be sure
        "Müller, Jörg und Günther".encode() + b"\xff",  # UTF-8 with a broken byte
        b"\xff\xfea\x00b",  # half a character
        bytes(range(128, 256)) * 3,
    ],
)
def test_in_doubt_a_file_is_refused(raw):
    with pytest.raises(InputError, match="x: not utf-"):
        decode_text(raw, "x")


def test_what_a_code_page_lacks():
    narrow = Encoding("latin-1")
    assert encode_text("5–10 …", narrow) == b"5-10 ..."
    assert encode_text("Łódź–", narrow, escape=True) == b"&#321;\xf3d&#378;&#8211;"
    with pytest.raises(OutputError, match="cannot hold"):
        encode_text("Łódź", narrow)


def test_what_the_file_says_of_itself():
    raw = "Zażółć gęślą jaźń".encode("cp1250")
    assert decode_text(raw, "x", "windows-1250")[0] == "Zażółć gęślą jaźń"
