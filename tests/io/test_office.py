"""Word, Excel, OpenDocument and PDF: nothing planted is left, the rest is as it was, and the check notices when not."""

from __future__ import annotations

import dataclasses
import re
import zipfile
from collections.abc import Callable, Iterable
from functools import cache
from io import BytesIO
from pathlib import PurePath

import docx as python_docx
import openpyxl
import pytest
from hiding import BODY, PARTS, SECRETS, Place, fold, holds, views
from hiding import docx as docx_places
from hiding import xlsx as xlsx_places
from lxml import etree
from office import MAKERS, Plants, R, Sample, long_letter, long_sheet, nested_tags, zipped
from office import WORD as WORDML
from openpyxl.formatting.rule import DataBarRule
from openpyxl.styles import Border, PatternFill, Side
from openpyxl.worksheet.table import Table

from maskwise import io
from maskwise.errors import LeakError
from maskwise.files import sanitize_file
from maskwise.io import cells, docx, images, leaks, nodes, odf_tree, odt, ooxml, opc, workbook
from maskwise.io.fields import clean_code
from maskwise.io.formats import Loaded
from maskwise.io.leaks import checker
from maskwise.io.ooxml_values import is_safe, is_usual_style, read_format_words
from maskwise.mask import apply_replacements
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

LABEL = "[PERSON 1]"


@cache
def sample(name: str) -> Sample:
    return MAKERS[name](Plants())


def mask(name: str, raw: bytes, plants: tuple[str, ...]) -> tuple[bytes, str]:
    """Read, replace every planted name in the text, write: the bytes and the masked text."""
    suffix = PurePath(name).suffix
    loaded: Loaded = io.build_reader(suffix).read(raw, name)
    (text,) = loaded.texts
    found = re.finditer("|".join(map(re.escape, plants)), text)
    masked, alignment = apply_replacements(text, [(m.start(), m.end(), LABEL) for m in found])
    return io.build_writer(suffix).write(loaded, (masked,), (alignment,)), masked


def leaking(name: str, raw: bytes, places: Iterable[str] = ()) -> list[str]:
    """Of these places, or of all, those whose person the leak check finds in a file."""
    found = []
    pieces = list(leaks.read_pieces(raw, PurePath(name).suffix))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            checker, "read_pieces", lambda *_: pieces
        )  # read once, searched for each person
        for place in places or sample(name).plants:
            try:
                leaks.check_file(raw, PurePath(name).suffix, name, [sample(name).plants[place]], [])
            except LeakError:
                found.append(place)
    return found


@cache
def readable(name: str) -> tuple[str, ...]:
    """The people whom the format's reader reads. The others are left to its cleaners alone."""
    (text,) = io.build_reader(PurePath(name).suffix).read(sample(name).raw, name).texts
    return tuple(who for who in sample(name).plants.values() if who in text)


def cleaned(name: str) -> tuple[bytes, str]:
    return mask(name, sample(name).raw, readable(name))


@pytest.mark.parametrize("name", MAKERS)
def test_the_check_sees_every_place_in_the_original(name: str) -> None:
    assert leaking(name, sample(name).raw) == list(sample(name).plants)


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_planted_is_left(name: str) -> None:
    data, _ = cleaned(name)
    leaks.check_file(data, PurePath(name).suffix, name, sample(name).plants.values(), [])
    assert cleaned(name)[0] == data, "the same input gives the same bytes"


# One cleaner off at a time: (format, what is switched off, the places that must then be found).
Switch = Callable[[pytest.MonkeyPatch], None]


def without(module: object, cleaner: Callable[..., None]) -> Switch:
    kept = tuple(c for c in module.CLEANERS if c is not cleaner)  # type: ignore[attr-defined]
    return lambda patch: patch.setattr(module, "CLEANERS", kept)


def unread(module: object, attribute: str) -> Switch:
    """The format's own reader no longer reads this attribute."""
    rules = module.RULES  # type: ignore[attr-defined]
    assert attribute in rules.attributes
    fewer = dataclasses.replace(
        rules, attributes=tuple(a for a in rules.attributes if a != attribute)
    )

    def switch(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(module, "RULES", fewer)
        patch.setattr(nodes.Sweep, "rename_attributes", lambda *_: None)

    return switch


def following(module: object, kind: str) -> Switch:
    """A kind of part that should be left behind is taken along."""
    known = module.KNOWN | {kind}  # type: ignore[attr-defined]
    return lambda patch: patch.setattr(module, "KNOWN", known)


def no_op(target: object, name: str, result: object = None) -> Switch:
    return lambda patch: patch.setattr(target, name, lambda *_: result)


def raw_pictures(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(images, "clean_picture", lambda data: data)


class Everything(frozenset[str]):
    """A list on which every name stands."""

    def __contains__(self, _: object) -> bool:
        return True


def any_element(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ooxml, "ELEMENTS", Everything())
    any_value(patch)


def any_value(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ooxml, "ATTRIBUTES", Everything())
    patch.setattr(ooxml, "is_safe", lambda _: True)


def any_text(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ooxml._TreeBuilder, "_clean_text", lambda _, __, element: element.text)


def old_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ooxml.OoxmlNames, "rename", lambda _, __, old, ___="": old)


def any_formula(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(workbook, "translate_formula", lambda text, _: text)


def listing(*names: str) -> Switch:
    """Elements of OpenDocument that should be left out are copied."""
    return lambda patch: patch.setattr(odf_tree, "ELEMENTS", odf_tree.ELEMENTS | set(names))


def keep_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(odf_tree.OdfNames, "rename", lambda self, name: name)


def keep_values(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        odf_tree, "ELEMENTS", odf_tree.ELEMENTS | {"text:user-field-decls", "text:user-field-decl"}
    )
    patch.setattr(odf_tree.Copier, "_clean_value", lambda self, element, attribute, value: value)
    patch.setattr(odt, "RULES", dataclasses.replace(odt.RULES, attributes=()))


def copy_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(odt, "TREES", (*odt.TREES, "meta.xml", "settings.xml"))
    patch.setattr(odf_tree.Copier, "copy", lambda self, root: root)


MUTATIONS: list[tuple[str, str, Switch, set[str]]] = [
    (
        "letter.docx",
        "elements",
        any_element,
        {"document variable", "mail merge", "permission", "binding"},
    ),
    ("letter.docx", "values", any_value, {"initials"}),
    ("letter.docx", "deleted rows", without(docx, docx.drop_deleted), {"deleted row"}),
    ("letter.docx", "names", old_names, {"comment author", "picture name"}),
    ("letter.docx", "fields", no_op(docx, "clean_fields"), {"field code", "simple field"}),
    ("letter.docx", "pictures", raw_pictures, {"picture metadata", "vector picture"}),
    ("letter.docx", "links", no_op(opc.Opc, "add_links"), {"link target"}),
    ("letter.docx", "alt text", unread(docx, "@descr"), {"alt text"}),
    ("letter.docx", "content controls", unread(docx, "alias@val"), {"control title"}),
    ("letter.docx", "watermark", unread(docx, "textpath@string"), {"watermark"}),
    ("book.xlsx", "elements", any_element, {"scenario user", "protected range"}),
    ("book.xlsx", "values", any_value, {"code name"}),
    ("book.xlsx", "texts", any_text, {"comment author"}),
    ("book.xlsx", "names", old_names, {"comment author", "shape name"}),
    ("book.xlsx", "formulas", any_formula, {"other file"}),
    (
        "book.xlsx",
        "shared strings",
        no_op(cells.Strings, "settle"),
        {"shared string", "unused string"},
    ),
    ("book.xlsx", "validation", unread(workbook, "@prompt"), {"prompt"}),
    ("book.xlsx", "headers", no_op(workbook, "add_headings"), {"header", "footer"}),
    (
        "book.xlsx",
        "literals",
        no_op(workbook.formulas, "add_literals", []),
        {"validation list", "named constant"},
    ),
    ("book.xlsx", "sheet names", no_op(workbook.Workbook, "_rename_in_formulas"), {"sheet name"}),
    (
        "letter.odt",
        "elements",
        listing("text:tracked-changes", "text:changed-region", "text:deletion"),
        {"deletion"},
    ),
    ("letter.odt", "people", no_op(odf_tree.Copier, "_finish"), {"annotation author"}),
    ("letter.odt", "pictures", raw_pictures, {"picture metadata"}),
    ("letter.odt", "names", keep_names, {"table name", "frame name"}),
    ("letter.odt", "attributes", keep_values, {"cell value", "user field", "form value"}),
    ("letter.odt", "links", no_op(odt, "find_elements", []), {"link"}),
    (
        "letter.odt",
        "parts",
        copy_all,
        {"creator", "title", "printer", "initials", "script", "change author"},
    ),
]


@pytest.mark.parametrize(
    ("name", "what", "switch", "places"), MUTATIONS, ids=[f"{m[0]}: {m[1]}" for m in MUTATIONS]
)
def test_the_check_notices_a_cleaner_that_is_off(
    name: str, what: str, switch: Switch, places: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    readable(name)  # with all cleaners on
    switch(monkeypatch)
    data, _ = cleaned(name)
    assert set(leaking(name, data, places)) == places


ALL = " ".join(secret for secret, _ in SECRETS.values())


@pytest.fixture(scope="module")
def protecting() -> Sanitizer:
    return Sanitizer(Policy.parse({"name": "test", "protect": [SECRETS["name"][0]]}))


def told(raw: bytes) -> set[str]:
    """Which secrets a file holds, and whether it holds its body: as `holds`, with one look at the file."""
    needles = {kind: PARTS.get(secret, fold(secret)) for kind, (secret, _) in SECRETS.items()} | {
        "body": fold(BODY)
    }
    texts = list(views(raw))
    return {kind for kind, needle in needles.items() if any(needle in text for text in texts)}


@pytest.mark.parametrize(
    "place", [*docx_places.PLACES, *xlsx_places.PLACES], ids=lambda place: place.name
)
def test_no_place_keeps_what_is_planted_in_it(protecting: Sanitizer, place: Place) -> None:
    """All secrets at once; `benchmarks/places.py` plants them one by one, alone and beside a masked one."""
    raw = place.build(ALL, BODY)
    done = sanitize_file(protecting, raw, f"file.{place.suffix}")
    assert told(raw) == {*SECRETS, "body"}
    assert told(done.data) == {"body"}


def test_the_places_are_many() -> None:
    assert len({place.name for place in docx_places.PLACES}) >= 110
    assert len({place.name for place in xlsx_places.PLACES}) >= 90


# What people see though the letters do not stand side by side in the file.
PIECES = docx_places.split("Zbigniew Kowalczyk", 4)
SEEN = {
    "over hidden text": docx_places.p(
        docx_places.r("zz", "<w:vanish/>").join(map(docx_places.r, PIECES))
    ),
    "as symbols": docx_places.p(
        "<w:r>"
        + "".join(f'<w:sym w:font="Calibri" w:char="{ord(c):04X}"/>' for c in "Zbigniew")
        + '<w:t xml:space="preserve"> </w:t>'
        + "".join(f'<w:sym w:font="Calibri" w:char="{0xF000 + ord(c):04X}"/>' for c in "Kowalczyk")
        + "</w:r>"
    ),
    "under readings": docx_places.p(
        "".join(
            f"<w:r><w:ruby><w:rt>{docx_places.X}</w:rt><w:rubyBase>{docx_places.r(piece)}</w:rubyBase></w:ruby></w:r>"
            for piece in PIECES
        )
    ),
}


@pytest.mark.parametrize("how", SEEN)
def test_names_are_read_as_they_are_seen(how: str) -> None:
    (text,) = io.build_reader("docx").read(docx_places.document(BODY, SEEN[how]), "x.docx").texts
    assert "Zbigniew Kowalczyk" in text


def test_a_section_of_a_header_is_read_in_one_piece() -> None:
    header = "&amp;L" + "&amp;B".join(PIECES) + "&amp;RPage &amp;P"
    raw = xlsx_places.book(
        BODY, after=f"<headerFooter><oddHeader>{header}</oddHeader></headerFooter>"
    )
    assert "Zbigniew Kowalczyk" in io.build_reader("xlsx").read(raw, "x.xlsx").texts[0]


WORD = "Quirinalia"


@pytest.mark.parametrize("name", ["letter.docx", "book.xlsx"])
def test_no_attribute_passes_but_those_that_are_read(name: str) -> None:
    """A word in every attribute, in a name of its own on every element, and beside every element."""
    module = docx if name == "letter.docx" else workbook
    read = {spot.partition("@")[2] for spot in module.RULES.attributes}
    read |= {spot.partition("@")[2] for spot in module.FONTED} | {"name", "location", "textlink"}
    with zipfile.ZipFile(BytesIO(sample(name).raw)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    for part in parts:
        if part.endswith((".xml", ".vml")) and part.startswith(("word/", "xl/")):
            parts[part] = _spoil(parts[part], read)
    loaded = io.build_reader(name[-4:]).read(zipped(parts), name)
    assert WORD not in loaded.texts[0]
    data = io.build_writer(name[-4:]).write(
        loaded, loaded.texts, (apply_replacements(loaded.texts[0], [])[1],)
    )
    assert not holds(data, WORD)


def _spoil(data: bytes, read: set[str]) -> bytes:
    root = etree.fromstring(data)
    for element in root.iter("{*}*"):
        for key in list(element.attrib):
            if "relationships" not in key and key.rpartition("}")[2] not in read:
                element.set(key, WORD)
        element.set(WORD, "1")
        element.set(f"{{urn:{WORD}}}x", "1")
        if element.getparent() is not None and element.getparent().tag.startswith("{"):
            element.tail = WORD
    return etree.tostring(root)


def rename(kind: str, old: str) -> str:
    return f"{kind}:{old}"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (" PAGE \\* MERGEFORMAT", " PAGE \\* MERGEFORMAT "),
        ('DATE \\@ "d MMMM yyyy"', ' DATE \\@ "d MMMM yyyy" '),
        ("DATE \\@ \"d 'of' MMMM\"", None),
        ("PAGEREF _Toc12 \\h", " PAGEREF bookmark:_Toc12 \\h "),
        ('hyperlink \\l "here"', ' HYPERLINK \\l "bookmark:here" '),
        ('HYPERLINK "https://example.org" \\l "here"', None),
        ('TOC \\o "1-3" \\h \\z \\u', ' TOC \\o "1-3" \\h \\z \\u '),
        (
            'TOC \\t "Mine,1,Yours,2" \\c "Figure"',
            ' TOC \\t "style:Mine,1,style:Yours,2" \\c "Figure" ',
        ),
        ("SEQ Table \\* ARABIC", " SEQ Table \\* ARABIC "),
        ("SEQ Roofs", " SEQ sequence:Roofs "),
        ('STYLEREF "heading 1"', ' STYLEREF "style:heading 1" '),
        ("AUTHOR", None),
        ("REF", None),
        ("", None),
        ("PAGE someone", None),
        ("PAGE \\* someone", None),
        ('TOC \\o "someone"', None),
        ("TOC \\t", None),
    ],
)
def test_field_codes(code: str, expected: str | None) -> None:
    assert clean_code(code, rename) == expected


@pytest.mark.parametrize(
    ("code", "literal"),
    [
        ("General", ""),
        ("#,##0.00", ""),
        ("d. mmmm yyyy", ""),
        ("[Red]-0;0", ""),
        ('_-* #,##0.00 [$€-407]_-;-"x"', "x"),
        ('0" kg"', " kg"),
        ('0"Ann Lee"', "Ann Lee"),
        ("Ann", None),
        ("\\A\\n\\n\\L", None),
        ("[$Ann Lee-409]0", None),
        ("m" * 250 + "!", None),
    ],
)
def test_words_of_number_formats(code: str, literal: str | None) -> None:
    assert read_format_words(code) == literal


def test_ordinary_values_pass() -> None:
    for value in (
        "12",
        "-0.25",
        "1.5E-05",
        "4.5pt",
        "FF00B050",
        "#fff",
        "center",
        "0,0,21600,21600",
        "red [3]",
        "",
    ):
        assert is_safe(value), value
    for value in ("Kowalczyk", "7700900413", "+44 7700 900413", "2025550143", "GB33", "a b"):
        assert not is_safe(value), value


def test_names_of_styles() -> None:
    for name in (
        "heading 1",
        "List Paragraph",
        "ListBullet2",
        "Light Grid Accent 1",
        "20% - Accent1",
        "Heading 1 Char",
    ):
        assert is_usual_style(name), name
    for name in ("Kowalczyk", "Heading Kowalczyk", "heading 123", "\u0130stanbul", ""):
        assert not is_usual_style(name), name


def test_numbers_that_identify_are_masked_and_others_stay(protecting: Sanitizer) -> None:
    cells = [("B1", "Phone"), ("C1", "Sum"), ("D1", "Inhabitants")]
    rows = xlsx_places.row(
        2, *(xlsx_places.text(at.replace("1", "2"), title) for at, title in cells)
    )
    values = ("447700900", "447700901", "12000")
    rows += xlsx_places.row(
        3, *(xlsx_places.number(f"{c}3", v) for c, v in zip("BCD", values, strict=True))
    )
    rows += xlsx_places.row(
        4,
        *(
            xlsx_places.number(f"{c}4", v)
            for c, v in zip("BCD", ("12345", "54321", "7"), strict=True)
        ),
    )
    done = sanitize_file(protecting, xlsx_places.book(BODY, rows), "x.xlsx")
    sheet = openpyxl.load_workbook(BytesIO(done.data)).worksheets[0]
    assert [isinstance(sheet[f"{c}3"].value, str) for c in "BCD"] == [True, True, False]
    assert [isinstance(sheet[f"{c}4"].value, str) for c in "BCD"] == [True, False, False]


@pytest.mark.parametrize(("name", "count"), [("letter.docx", 3), ("book.xlsx", 0)])
def test_notes_say_what_was_left_out(name: str, count: int) -> None:
    assert len(io.build_reader(name[-4:]).read(sample(name).raw, name).notes) == count


def test_a_spreadsheet_says_what_it_did_not_read() -> None:
    raw = xlsx_places.with_picture(BODY, xlsx_places.png())
    assert io.build_reader("xlsx").read(raw, "x.xlsx").notes == (
        "pictures kept, whose text is not read: 1",
    )
    ole = next(place for place in xlsx_places.PLACES if place.name == "xlsx: OLE object").build(
        "x", BODY
    )
    assert io.build_reader("xlsx").read(ole, "x.xlsx").notes == (
        "embedded objects and macros left out: 1",
    )


def unmasked(raw: bytes, suffix: str) -> bytes:
    loaded = io.build_reader(suffix).read(raw, f"x.{suffix}")
    return io.build_writer(suffix).write(
        loaded, loaded.texts, (apply_replacements(loaded.texts[0], [])[1],)
    )


def shape_of(raw: bytes, part: str) -> list[tuple[str, dict[str, str], str]]:
    """The elements of a part with their attributes and text, less marks of editing."""
    with zipfile.ZipFile(BytesIO(raw)) as archive:
        root = etree.fromstring(archive.read(part))
    return [
        (
            e.tag,
            {k: v for k, v in e.items() if "rsid" not in k and "Ignorable" not in k},
            (e.text or "").strip(),
        )
        for e in root.iter("{*}*")
    ]


def test_an_ordinary_document_stays_as_it_is() -> None:
    document = python_docx.Document()
    document.add_heading("Roofs", 1)
    paragraph = document.add_paragraph("Plain and ", style="List Bullet")
    paragraph.add_run("bold").bold = True
    document.add_table(2, 2, style="Light Grid Accent 1").cell(0, 0).text = "cell"
    document.add_page_break()
    document.sections[0].header.paragraphs[0].text = "Header"
    buffer = BytesIO()
    document.save(buffer)
    data = unmasked(buffer.getvalue(), "docx")
    assert shape_of(data, "word/document.xml") == [
        (
            tag,
            attributes | ({f"{{{R}}}id": "rId7"} if tag.endswith("headerReference") else {}),
            text,
        )
        for tag, attributes, text in shape_of(buffer.getvalue(), "word/document.xml")
    ]
    kept = {tag for tag, _, _ in shape_of(data, "word/styles.xml")}
    assert {tag for tag, _, _ in shape_of(buffer.getvalue(), "word/styles.xml")} - kept == {
        f"{{{WORDML}}}rsid"
    }


def test_an_ordinary_workbook_stays_as_it_is() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Kind", "Sum"], ["tile", 1234.5], ["slate", 7]):
        sheet.append(row)
    sheet["B2"].number_format = '#,##0.00 "EUR"'
    sheet["A1"].border = Border(bottom=Side("medium", color="FF0000"))
    sheet["A1"].fill = PatternFill("solid", fgColor="4F81BD")
    sheet["B4"] = '=IF(SUM(B2:B3)>5,"many","few")'
    sheet["C4"] = "=SUM(Tiles[Sum])"
    sheet.add_table(Table(displayName="Tiles", ref="A1:B3"))
    sheet.conditional_formatting.add("B2:B3", DataBarRule("min", 0, "max", 0, color="FF638EC6"))
    sheet.freeze_panes, sheet.column_dimensions["A"].width = "B2", 25
    sheet.merge_cells("D1:E2")
    buffer = BytesIO()
    book.save(buffer)
    data = unmasked(buffer.getvalue(), "xlsx")
    again = openpyxl.load_workbook(BytesIO(data)).active
    assert [[c.value for c in row] for row in again.iter_rows()][:3] == [
        [c.value for c in row] for row in sheet.iter_rows()
    ][:3]
    assert again["B4"].value == sheet["B4"].value
    assert again["C4"].value == "=SUM(Table1[Sum])"
    assert again["B2"].number_format == '#,##0.00 "EUR"'
    assert again["A1"].border.bottom.style == "medium"
    assert shape_of(data, "xl/styles.xml") == shape_of(buffer.getvalue(), "xl/styles.xml")
    assert (again.freeze_panes, again.column_dimensions["A"].width) == ("B2", 25)
    assert "D1:E2" in again.merged_cells


def test_header_cells_and_columns_of_a_table_have_the_same_names() -> None:
    """Also where masks make several of them alike."""
    names = ("Zbigniew Kowalczyk", "Ines Varga", "Sum")
    book = openpyxl.Workbook()
    book.active.append([*names, "Kind"])
    book.active.append([1, 2, 3, 4])
    book.active.add_table(Table(displayName="Tiles", ref="A1:D2"))
    book.active["F1"] = "=SUM(Tiles[Ines Varga])"
    buffer = BytesIO()
    book.save(buffer)
    data, _ = mask("x.xlsx", buffer.getvalue(), names)
    sheet = openpyxl.load_workbook(BytesIO(data)).active
    (table,) = sheet.tables.values()
    header = [cell.value for cell in sheet[1][:4]]
    assert header == [LABEL, f"{LABEL} 2", f"{LABEL} 3", "Kind"]
    assert [column.name for column in table.tableColumns] == header
    assert "PERSON 1" in sheet["F1"].value


def test_nested_tags_and_long_files_are_read_whole() -> None:
    (text,) = io.build_reader("docx").read(nested_tags(4000), "x.docx").texts
    assert text == "x" * 100
    assert (
        io.build_reader("xlsx").read(long_sheet(50), "x.xlsx").texts[0].count("asked about roof")
        == 50
    )
    assert (
        io.build_reader("docx").read(long_letter(50), "x.docx").texts[0].count("Paragraph") == 100
    )


def test_a_name_that_needs_an_unknown_name_goes_with_the_formulas_that_use_it() -> None:
    names = "".join(
        f'<definedName name="{name}">{code}</definedName>'
        for name, code in (
            ("tax", "0.2"),
            ("gross", "net*2"),
            ("net", "unknown+tax"),
            ("twice", "tax*2"),
        )
    )
    rows = xlsx_places.row(
        2,
        xlsx_places.formula("B2", "gross+1", "9", "n"),
        xlsx_places.formula("C2", "twice", "8", "n"),
    )
    book = openpyxl.load_workbook(
        BytesIO(unmasked(xlsx_places.book(BODY, rows, names=names), "xlsx"))
    )
    assert [book.worksheets[0][at].value for at in ("B2", "C2")] == [9, "=name4"]
    assert {name: item.value for name, item in book.defined_names.items()} == {
        "name1": "0.2",
        "name4": "name1*2",
    }


def test_a_field_is_replaced_by_what_it_shows() -> None:
    body = docx_places.field('AUTHOR "someone"', "shown") + docx_places.field("PAGE", "7")
    document = python_docx.Document(BytesIO(unmasked(docx_places.document(BODY, body), "docx")))
    assert [p.text for p in document.paragraphs] == [BODY, "shown", "7"]
    codes = [node.text for node in document.element.iter("{*}instrText")]
    assert codes == [" PAGE "]
