"""What each format keeps, what it masks, and what it refuses."""

import base64
import contextlib
import csv
import email
import io
import json
import time

import pytest
import samples
from hypothesis import given
from hypothesis import strategies as st
from samples import NAME, SAMPLES

from maskwise.errors import InputError, MaskwiseError, PolicyError
from maskwise.files import sanitize_file
from maskwise.io import leaks
from maskwise.io.columns import Columns
from maskwise.io.delimited import Delimited, sniff_delimiter, split_cells
from maskwise.io.eml import Eml
from maskwise.io.eml_headers import ADDRESS, find_declared
from maskwise.io.html import Html
from maskwise.io.jsons import Json, JsonLines
from maskwise.io.parquet import Parquet
from maskwise.mask import Alignment
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import EntityType


def same(reader, raw, name="x"):
    """What is written when nothing is masked."""
    loaded = reader.read(raw, name)
    return reader.write(loaded, loaded.texts, tuple(Alignment(()) for _ in loaded.texts))


# --- JSON ------------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_json_keeps_every_character(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    raw = text.encode("utf-8", "surrogatepass")
    try:
        raw.decode()
    except UnicodeDecodeError:
        return
    if text[:1] != "\ufeff":
        assert same(Json(), raw) == raw


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_json_strings_are_read_in_order(values):
    def strings(value):
        if isinstance(value, str):
            return [value] if value else []
        inner = (
            value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        )
        return [leaf for each in inner for leaf in strings(each)]

    text = json.dumps(values)
    loaded = Json(rows="together").read(text.encode(), "x")
    found = [item for row in loaded.layout.rows for item in row.items if not item.is_key]
    assert [item.text for item in found if text[item.start] == '"'] == strings(values)


def test_json_rows_are_documents_and_only_values_change(sanitizer):
    done = sanitize_file(sanitizer, SAMPLES["data.json"], "data.json")
    first, second = json.loads(done.data)
    assert len(done.results) == 2
    assert first["who"] == second["who"] == "[PERSON 1]"
    assert first["deep"][0]["note"] == "Asked [PERSON 1] again"
    assert (first["id"], first["ok"], first["none"]) == (7, True, None)
    assert done.data.count(b"\n") == SAMPLES["data.json"].count(b"\n")


def test_json_lines_keep_their_ends(sanitizer):
    done = sanitize_file(sanitizer, SAMPLES["rows.jsonl"], "rows.jsonl")
    assert (
        done.data
        == b'{"a": "[PERSON 1]"}\r\n\r\n  {"b": ["[CODE 1]", {"c": "[PERSON 1] came"}], "n": 1.50}\r\n'
    )


def test_declared_columns_are_masked_whole_and_numbers_become_text(with_formats):
    raw = b'[{"phone": 4791234567, "code": "abc", "deep": {"phone": "x"}}, {"n": 5}]'
    tables = {"columns": {"phone": "CODE", "$.code": "ORG"}}
    done = sanitize_file(with_formats(tables=tables), raw, "x.json")
    assert (
        done.data
        == b'[{"phone": "[CODE 1]", "code": "[ORG 1]", "deep": {"phone": "[CODE 2]"}}, {"n": 5}]'
    )


def test_fields_limit_what_is_read(with_formats):
    raw = json.dumps({"text": NAME, "left": NAME, "deep": {"text": [NAME]}}).encode()
    done = sanitize_file(with_formats(tables={"fields": ["text"]}), raw, "x.json")
    assert json.loads(done.data) == {
        "text": "[PERSON 1]",
        "left": NAME,
        "deep": {"text": ["[PERSON 1]"]},
    }


def test_a_name_in_a_key_is_masked_and_no_two_keys_become_one(sanitizer):
    raw = json.dumps({NAME: 1, "who": NAME, NAME.upper(): 2, "deep": [{NAME: 3}]}).encode()
    done = sanitize_file(sanitizer, raw, "x.json")
    assert (
        done.data
        == b'{"[PERSON 1]": 1, "who": "[PERSON 1]", "[PERSON 1] 2": 2, "deep": [{"[PERSON 1]": 3}]}'
    )


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ({"phone": 48512345678}, True),
        ({"phoneNumber": 5123456}, True),
        ({"lat": 59.91}, True),
        ({"geometry": {"coordinates": [10.75, 59.91]}}, True),
        ({"account_no": 12345}, True),
        ({"n": 123456789}, True),
        ({"bytes": 1234567890}, False),
        ({"pages": 12, "pi": 3.14159265358979}, False),
        ({"n": 1e300, "small": -5}, False),
    ],
)
def test_numbers_that_are_somebodys_become_strings(sanitizer, value, masked):
    raw = json.dumps(value).encode()
    done = sanitize_file(sanitizer, raw, "x.json").data
    assert (done != raw) is masked
    assert masked is (b'"[CODE 1]"' in done)


def test_a_moment_counted_from_1970_is_a_date(sanitizer):
    done = sanitize_file(sanitizer, b'{"created_at": 1620000000}', "x.json").data
    assert done == b'{"created_at": "[DATETIME 1]"}'


@pytest.mark.parametrize(
    ("name", "raw", "message"),
    [
        ("x.json", b'{"a": ', "x.json: not JSON at character 6"),
        ("x.json", b"[" * 90_000, "x.json: "),
        ("x.json", b"[" * 120 + b"]" * 120, "depth 101 is over the limit of 100"),
        ("x.json", b"", "not JSON"),
        ("x.json", b"9" * 5000, "too long"),
        ("x.jsonl", b'{"a": 1}\n{', "x.jsonl, line 2: not JSON"),
        ("x.parquet", b"PAR1", "not a Parquet file"),
        ("x.eml", b"no header here", "not an e-mail message"),
    ],
)
def test_broken_files_are_one_line(sanitizer, name, raw, message):
    with pytest.raises(InputError) as caught:
        sanitize_file(sanitizer, raw, name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_paths():
    columns = Columns({"$['odd key'].x": EntityType.CODE}, ("$.a[*].b", "note"))
    assert columns.find_type(("odd key", "x")) is EntityType.CODE
    assert columns.is_read(("a", "*", "b", "c"))
    assert columns.is_read(("z", "note"))
    assert not columns.is_read(("a", "*", "c"))
    with pytest.raises(PolicyError, match="is no path"):
        Columns({}, ("$.a[",)).is_read(("a",))


# --- tables ----------------------------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.text('ab"; \n'), min_size=2, max_size=4), min_size=1, max_size=6))
def test_cells_are_those_of_the_standard_library(rows):
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=";").writerows(rows)
    text = stream.getvalue()
    found = {}
    for cell in split_cells(text, ";"):
        found.setdefault(cell.row, []).append(cell.text)
    assert list(found.values()) == list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))


@given(st.text('ab",;\t|\r\n '))
def test_odd_tables_read_as_the_standard_library_reads_them(text):
    delimiter = sniff_delimiter(text)
    found = {}
    for cell in split_cells(text, delimiter):
        found.setdefault(cell.row, []).append(cell.text)
    expected = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    assert [row for row in found.values() if any(row)] == [row for row in expected if any(row)]
    raw = text.encode()
    assert same(Delimited(), raw) == raw


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter):
    assert (
        sniff_delimiter(f'a{delimiter}"b, c; d"{delimiter}e\n1{delimiter}2{delimiter}3\n')
        == delimiter
    )


def test_quotes_and_ends_are_kept(sanitizer):
    done = sanitize_file(sanitizer, SAMPLES["table.csv"], "table.csv")
    assert done.data == (
        b'id;name;"note";last\r\n1;[PERSON 1];"said ""[PERSON 1]"" did; then left";x\r\n'
        b'2;"[PERSON 1]";"two\r\nlines";[CODE 1]\r\n'
    )


def test_columns_of_a_table(with_formats):
    raw = b"who,shade\nabc def,Xyz\nghi,Xyz\n"
    tables = {"columns": {"who": "PERSON", "2": "LOC"}}
    assert (
        sanitize_file(with_formats(tables=tables), raw, "x.csv").data
        == b"who,shade\n[PERSON 1],Xyz\n[PERSON 2],Xyz\n"
    )
    together = {"columns": {"who": "PERSON"}, "rows": "together"}
    done = sanitize_file(with_formats(tables=together), raw, "x.csv")
    assert done.data == b"who,shade\n[PERSON 1],Xyz\n[PERSON 2],Xyz\n"
    bare = {"columns": {"1": "PERSON"}, "header": "no"}
    done = sanitize_file(with_formats(tables=bare), b"abc def,Xyz\n", "x.csv")
    assert done.data == b"[PERSON 1],Xyz\n"


def test_a_first_line_of_data_is_masked_unless_vouched_for(sanitizer, with_formats):
    raw = f"{NAME},5\nx,6\n".encode()
    assert sanitize_file(sanitizer, raw, "x.csv").data == b"[PERSON 1],5\nx,6\n"
    assert sanitize_file(with_formats(tables={"header": "yes"}), raw, "x.csv").data == raw


def test_parquet_keeps_schema_and_packing(sanitizer):
    import pyarrow.parquet as pq

    done = sanitize_file(sanitizer, SAMPLES["table.parquet"], "table.parquet")
    before, after = (
        pq.ParquetFile(io.BytesIO(raw)) for raw in (SAMPLES["table.parquet"], done.data)
    )
    assert after.schema_arrow.remove_metadata().equals(before.schema_arrow.remove_metadata())
    assert after.metadata.row_group(0).column(0).compression == "GZIP"
    rows = after.read().to_pylist()
    assert rows[0]["nested"] == {"who": "[PERSON 1]", "tags": ["x", "[PERSON 1]"]}
    assert rows[0]["phone"] is None, "ten digits under such a header are somebody's"
    assert rows[1]["name"] == "nothing"
    assert set(after.schema_arrow.metadata) == {b"pandas"}


def test_parquet_numbers_of_a_declared_column_become_null(with_formats):
    import pyarrow.parquet as pq

    done = sanitize_file(
        with_formats(tables={"columns": {"phone": "CODE"}}), SAMPLES["table.parquet"], "t.parquet"
    )
    assert pq.read_table(io.BytesIO(done.data)).column("phone").to_pylist() == [None, None]
    assert "numbers and dates that identify, left out where masked: 1" in done.notes


def test_parquet_numbers_beside_texts_stay_and_the_texts_are_masked(sanitizer):
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(pa.table({"visit": [{"number": 7, "who": "Mr John Smith", "seen": True}]}), sink)
    done = sanitize_file(sanitizer, sink.getvalue(), "t.parquet")
    assert pq.read_table(io.BytesIO(done.data)).to_pylist() == [
        {"visit": {"number": 7, "who": "[PERSON 1]", "seen": True}}
    ]


@pytest.fixture(scope="module")
def by_rules():
    """The default policy without the model."""
    raw = Policy.load("balanced").model_dump(mode="json")
    raw["detectors"] = [part for part in raw["detectors"] if part["kind"] != "neural"]
    return Sanitizer(Policy.parse({**raw, "indicators": []}))


TEXT_WITH_NUMBERS = "Mr Zbigniew Kowalczyk came in 2001 (MRN 105013)."


@pytest.mark.parametrize("number", [2001, -2001, 2001.0, 2001.5, 105013, 105013.25])
@pytest.mark.parametrize("suffix", ["json", "jsonl", "parquet"])
def test_numbers_that_are_masked_elsewhere_do_not_stay(by_rules, suffix, number):
    """They are too short to be read, and the file is cleaned of them rather than refused."""
    rows = [{"n": number, "note": "x"}, {"n": 4711, "note": TEXT_WITH_NUMBERS}]
    done = sanitize_file(by_rules, write_rows(rows, suffix), f"x.{suffix}")
    first, second = read_rows(done.data, suffix)
    assert first["n"] is None or "[" in first["n"]
    assert second["n"] == 4711


def write_rows(rows, suffix):
    import pyarrow as pa
    import pyarrow.parquet as pq

    if suffix == "json":
        return json.dumps(rows).encode()
    if suffix == "jsonl":
        return "\n".join(map(json.dumps, rows)).encode()
    sink = io.BytesIO()
    pq.write_table(pa.table({key: [row[key] for row in rows] for key in rows[0]}), sink)
    return sink.getvalue()


def read_rows(data, suffix):
    import pyarrow.parquet as pq

    if suffix == "json":
        return json.loads(data)
    return (
        list(map(json.loads, data.splitlines()))
        if suffix == "jsonl"
        else pq.read_table(io.BytesIO(data)).to_pylist()
    )


def test_as_many_rows_as_there_are_years_are_not_refused(by_rules):
    """A number of a row is equal to a masked year sooner or later."""
    rows = [
        {"id": at, "who": "x", "note": f"Mr Lee was born in {1900 + at % 100}."}
        for at in range(1850, 2100)
    ]
    found = read_rows(sanitize_file(by_rules, write_rows(rows, "json"), "x.json").data, "json")
    assert [row["id"] for row in found[:50]] == list(range(1850, 1900))
    assert all(isinstance(row["id"], str) for row in found[50:150])


def test_a_parquet_bomb_is_stopped():
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(
        pa.table({"a": ["x" * 1000] * 200_000}), sink, use_dictionary=False, compression="zstd"
    )
    with pytest.raises(InputError, match="ratio"):
        Parquet().read(sink.getvalue(), "bomb.parquet")


# --- HTML ------------------------------------------------------------------------------------------------------------


def test_html_text_runs_through_inline_elements_and_stops_at_blocks():
    (text,) = Html().read(b"<td>Jo<b>hn</b></td><td>Smith &amp;\n  Co.</td><p>x", "x").texts
    assert text == "John;\n\nSmith & Co.\nx"


def test_html_escapes_what_it_writes(sanitizer):
    raw = f"<p title='{NAME}'>a &lt; {NAME} &gt; b".encode()
    assert (
        sanitize_file(sanitizer, raw, "x.html").data
        == b"<p title='[PERSON 1]'>a &lt; [PERSON 1] &gt; b"
    )


def test_html_in_a_narrow_encoding():
    page = Html()
    loaded = page.read("<meta charset='iso-8859-2'><p>Łódź".encode("iso-8859-2"), "x")
    assert "Łódź" in loaded.texts[0]
    assert same(page, "<meta charset='iso-8859-2'><p>Łódź".encode("iso-8859-2")).endswith(
        "Łódź".encode("iso-8859-2")
    )


def test_kept_scripts_are_kept(with_formats):
    raw = b"<script>let a = 5</script><style>p {}</style><p onclick='f()'>x"
    assert sanitize_file(with_formats(html={"scripts": "keep"}), raw, "x.html").data == raw
    dropped = sanitize_file(with_formats(html={"styles": "drop"}), raw, "x.html").data
    assert dropped == b"<p>x"


# --- e-mail ----------------------------------------------------------------------------------------------------------


def test_a_sender_is_one_person_everywhere(sanitizer):
    done = sanitize_file(sanitizer, SAMPLES["mail.eml"], "mail.eml")
    message = email.message_from_bytes(done.data)
    assert message["From"] == "[PERSON 1] <[CODE 1]>"
    assert message["Subject"] == "About [PERSON 1]"
    bodies = {
        p.get_content_type(): p.get_payload(decode=True)
        for p in message.walk()
        if not p.is_multipart()
    }
    assert b"[PERSON 1]" in bodies["text/html"]
    assert json.loads(bodies["application/json"]) == {"who": "[PERSON 1]"}
    assert bodies["text/csv"].startswith(b"who,when\n[PERSON 1],")
    names = [p.get_filename() for p in message.walk() if p.get_filename()]
    assert names == ["attachment-1.csv", "attachment-2.json"]
    assert done.notes == ("6 headers left out", "1 attachment left out")
    plain = next(p for p in message.walk() if p.get_content_type() == "text/plain")
    assert plain.get_payload(decode=True).decode("iso-8859-1").startswith("Déjà vu, [PERSON 1]")


def test_unknown_attachments_are_kept_on_request(with_formats):
    raw = samples.EML.replace(
        base64.encodebytes(b"PNG tEXt Author " + NAME.encode()), b"iVBORw0KGgo=\n"
    )
    done = sanitize_file(with_formats(eml={"attachments": "keep"}), raw, "mail.eml")
    kept = [
        p for p in email.message_from_bytes(done.data).walk() if p.get_content_type() == "image/png"
    ]
    assert [p.get_payload(decode=True) for p in kept] == [base64.b64decode("iVBORw0KGgo=")]
    assert "attachments kept that are not read: 1" in done.notes


def test_what_readers_of_parts_say_is_said_of_the_message(sanitizer):
    raw = b"Subject: x\nContent-Type: text/html\n\n<p>y<iframe></iframe><a href='data:text/plain,z'>a</a>"
    assert sanitize_file(sanitizer, raw, "x.eml").notes == (
        "1 iframe left out",
        "1 embedded file left out",
    )


def test_an_address_begins_nowhere_inside_a_word():
    """So each sign of a header is looked at once, however long its words are."""
    text = "\\" * 50 + "a@example.org"
    assert list(find_declared("to", text)) == [(0, len(text), EntityType.CODE)]
    assert not any(ADDRESS.match(text, at) for at in range(1, len(text)))


def test_line_ends_of_a_message_are_kept(sanitizer):
    raw = f"Subject: x\r\n\r\nDear {NAME},\r\nbye\r\n".encode()
    assert (
        sanitize_file(sanitizer, raw, "x.eml").data
        == b"Subject: x\r\n\r\nDear [PERSON 1],\r\nbye\r\n"
    )


def test_messages_in_messages_have_an_end(sanitizer):
    raw = b"Subject: x\nContent-Type: message/rfc822\n\n" * 150 + b"Subject: y\n\nz"
    with pytest.raises(InputError):
        sanitize_file(sanitizer, raw, "x.eml")


def test_formats_are_options_of_the_reader():
    assert JsonLines(rows="together").read(b'"a"\n"b"', "x").texts == ("a;\n\nb",)
    assert Eml().read(b"Subject: a\n\nb", "x").texts == ("a;\n\nb",)


# --- limits ----------------------------------------------------------------------------------------------------------


def test_a_file_over_the_limit_is_refused(with_formats):
    with pytest.raises(
        InputError, match=r"x.txt: file 11 is over the limit of 10; raise `formats.limits.file`"
    ):
        sanitize_file(with_formats(limits={"file": 10}), b"12345678901", "x.txt")


HOSTILE = {
    "x.html": [
        "<",
        "<a ",
        "<a b=",
        '<a b="',
        "<a b='<!--",
        "<!doctype ",
        "<script ",
        "&#",
        " ",
        "</",
        "<a<",
        "<![CDATA",
    ],
    "x.eml": ["To: " + "a " * 9, "From: a (", "Subject: =?utf-8?b?"],
    "x.json": ['["', "[", '{"a":', "\\"],
    "x.csv": ['"', '",', ";", '""'],
    "x.txt": ["=", "%4", "&#x", "abcdefghijkl=", "\\u00"],
}


@pytest.mark.parametrize(
    ("name", "unit"), [(name, unit) for name, units in HOSTILE.items() for unit in units]
)
def test_no_source_takes_more_than_linear_time(name, unit):
    from maskwise import io as formats

    raw = (unit * 100_000)[:100_000].encode()
    raw = b"Subject: x\nTo: " + raw if name == "x.eml" else raw
    began = time.process_time()
    with contextlib.suppress(MaskwiseError):
        formats.build_reader(name[1:]).read(raw, name)
    with contextlib.suppress(MaskwiseError):
        leaks.check_file(raw, name[1:], name, [NAME], [])
    assert time.process_time() - began < 10
