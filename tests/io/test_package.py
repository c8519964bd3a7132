"""Packages that ask too much or lie about themselves, and mutants of every format."""

from __future__ import annotations

import builtins
import io as streams
import zipfile

import pytest
from office import Plants, docx, odt, types, with_one, xlsx, zipped
from samples import NAME

import fuzz
from maskwise import io
from maskwise.errors import InputError, LeakError, PluginError
from maskwise.io import leaks
from maskwise.io.docx import Docx
from maskwise.io.limits import Limits
from maskwise.io.odt import Odt
from maskwise.io.package import parse_xml, unzip_parts
from maskwise.io.xlsx import Xlsx

FORMS = {
    "docx": (docx, Docx, "word/document.xml"),
    "xlsx": (xlsx, Xlsx, "xl/workbook.xml"),
    "odt": (odt, Odt, "content.xml"),
}
ONE = with_one(NAME)
COUNTS = {"letter.docx": 100, "book.xlsx": 100, "letter.odt": 100, "letter.pdf": 60}


def changed(raw: bytes, name: str, data: bytes) -> bytes:
    with zipfile.ZipFile(streams.BytesIO(raw)) as archive:
        return zipped(
            {
                i.filename: data if i.filename == name else archive.read(i)
                for i in archive.infolist()
            }
        )


@pytest.mark.parametrize("suffix", FORMS)
def test_a_zip_bomb_is_stopped_before_it_is_unpacked(suffix):
    make, form, main = FORMS[suffix]
    bomb = changed(make(Plants()).raw, main, b"<a>" + b" " * 60_000_000 + b"</a>")
    assert len(bomb) < 200_000
    with pytest.raises(InputError, match=r"ratio .* is over the limit of 200"):
        form().read(bomb, "x")
    with pytest.raises(InputError, match=r"unpacked .* is over the limit"):
        form(limits=Limits(unpacked=1_000_000)).read(bomb, "x")


@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize(
    ("xml", "message"),
    [
        (b"<a>" * 90 + b"</a>" * 90 + b"x", "not well-formed"),
        (b"<a>" * 120 + b"</a>" * 120, "depth 101 is over the limit of 100"),
        (b"<a>" * 5000 + b"</a>" * 5000, "not well-formed"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "document type"),
        (
            b'<!DOCTYPE a [<!ENTITY x "' + b"y" * 999 + b'"><!ENTITY z "&x;&x;&x;">]><a>&z;</a>',
            "document type",
        ),
    ],
)
def test_deep_and_declared_xml_is_refused(suffix, xml, message):
    make, form, main = FORMS[suffix]
    with pytest.raises(InputError, match=message):
        form().read(changed(make(Plants()).raw, main, xml), "x")


@pytest.mark.parametrize("suffix", FORMS)
def test_foreign_files_are_one_line(suffix):
    _, form, _ = FORMS[suffix]
    for raw in (
        b"",
        b"hello",
        zipped({}),
        zipped({"a.txt": "x"}),
        zipped({"[Content_Types].xml": types({})}),
    ):
        with pytest.raises(InputError) as caught:
            form().read(raw, "x")
        assert str(caught.value).startswith("x: ")
        assert "\n" not in str(caught.value)


def test_encrypted_and_lying_zips():
    raw = bytearray(zipped({"a": "text " * 50}))
    at = raw.index(b"PK\1\2")
    locked = raw.copy()
    locked[at + 8] |= 1
    with pytest.raises(InputError, match="encrypted"):
        unzip_parts(bytes(locked), "x", Limits())
    for size in (3, 9_999):
        lying = raw.copy()
        lying[at + 24 : at + 28] = size.to_bytes(4, "little")
        with pytest.raises(InputError, match="a part of the package"):
            unzip_parts(bytes(lying), "x", Limits())
    twice = zipped({"a": "1", "b": "2"}).replace(b"b", b"a")
    with pytest.raises(InputError, match="same name"):
        unzip_parts(twice, "x", Limits())


def test_an_encrypted_open_document():
    raw = changed(odt(Plants()).raw, "META-INF/manifest.xml", b"<m><encryption-data/></m>")
    with pytest.raises(InputError, match="encrypted"):
        Odt().read(raw, "x.odt")


def test_errors_name_no_part_by_its_own_name():
    with pytest.raises(InputError) as caught:
        parse_xml(b"<a", "x.docx", f"word/{NAME}.xml", Limits())
    assert NAME not in str(caught.value)


@pytest.mark.parametrize(
    ("suffix", "module", "extra"),
    [
        ("docx", "lxml", "office"),
        ("rtf", "striprtf.striprtf", "office"),
        ("pdf", "pypdfium2", "pdf"),
    ],
)
def test_a_missing_extra_is_named(suffix, module, extra, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == module:
            raise ImportError
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(PluginError, match=rf"pip install 'maskwise\[{extra}\]'"):
        io.build_reader(suffix).read(
            zipped({"[Content_Types].xml": types({})}) if suffix == "docx" else b"%PDF-{\\rtf", "x"
        )


def test_a_written_file_that_cannot_be_read_again_is_a_leak():
    for suffix in ("docx", "pdf"):
        with pytest.raises(LeakError, match="cannot be read again"):
            leaks.check_file(b"PK nothing", suffix, "x", [NAME], [])


@pytest.mark.parametrize("name", COUNTS)
def test_mutants(with_formats, tmp_path, name):
    ends = fuzz.run(with_formats(pdf={"dpi": 36}), ONE[name], name, COUNTS[name], tmp_path)
    assert ends["written"]
    assert ends["InputError"]
    assert not ends["of more than one line"]
    assert len(list(tmp_path.iterdir())) == ends["written"]
