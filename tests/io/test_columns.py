"""Columns are typed from header and values, types hold for all rows, and one person keeps one pseudonym in all rows."""

import csv
import io
import json
import sys
from email.utils import getaddresses
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.files import sanitize_file
from maskwise.io.column_typing import ColumnKind, type_column
from maskwise.io.column_words import list_title_cells
from maskwise.io.xlsx import Xlsx
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from table_bank import DEVELOPMENT, build_bank

RULES = [{"kind": "patterns"}]
DATES = ["2024-01-05", "2023-11-30", "2024-02-14"]
CASES = [
    ("dob", DATES, "birth"),
    ("joined", DATES, "date"),
    ("last", ["Kowal", "Brandt", "Moreau"], "name"),
    ("last", ["Kowal", "Brandt", "Moreau", "Yilmaz"] * 4, "name"),
    ("last", ["Kowal", "a@b.org", "2 May", "n/a"], "text"),
    ("line1", [f"{at} Mill Lane" for at in range(1, 10)], "place"),
    ("a", [f"Steinstraße {at}" for at in range(1, 10)], "place"),
    ("uid", ["1001", "1002", "1003"] * 4, "code"),
    ("id", ["1001.0", "1002.0", "1003.0"] * 4, "code"),
    ("amount", ["1001.0", "1002.0", "1003.0"] * 4, "number"),
    ("Empl. No", ["1001", "1002", "1003"] * 4, "code"),
    ("balance", ["1204.50", "88.00", "12.75"] * 3, "number"),
    ("account", ["90120450", "90120471", "90120452"] * 3, "code"),
    ("account", ["90120450", "90120471"], "code"),
    ("row_id", [str(number) for number in range(9001, 9021)], "number"),
    ("geo_lat", ["59.91", "60.39", "63.43"] * 3, "position"),
    ("where", ["59.91, 10.74", "60.39, 5.32"], "position"),
    ("contact", ["ana@example.org", "bo@example.org"], "code"),
    ("holder", ["Anna Berg", "Piotr Kowal", "Maria Dal"], "name"),
    ("x", ["Anna Berg", "Piotr Kowal", "Maria Dal"], "name"),
    ("agent", ["Elm Ltd", "North Group Ltd", "Dal & Sons"], "organisation"),
    ("nationality", ["Norwegian", "Polish"], "attribute"),
    ("remarks", ["She called twice and left no number.", "He wants to move to a flat."], "text"),
    ("status", ["open", "closed"] * 20, "category"),
    ("q7", ["4", "17", "4", "9", "11", "3", "28", "6"], "number"),
    ("q8", ["90412", "90777", "91230", "95518", "94406", "93321", "92875", "90038"], "code"),
    ("empty", ["", " "], "text"),
    ("Geb.-Dat.", ["14.02.1979", "03.07.1988"], "birth"),
    ("Betrag (€)", ["1.234,50", "89,90"], "number"),
    ("Straße", ["Lindenweg 4", "Am Markt 12"], "place"),
    ("EE Name", ["PETTERLY, SHANNE", "HALLORIN, BROOK"], "name"),
]


@pytest.mark.parametrize(("header", "values", "kind"), CASES)
def test_header_and_values_tell_the_kind(header, values, kind):
    assert type_column(header, values).kind.value == kind


def test_nearly_all_columns_of_the_development_bank_are_typed_right():
    found = [
        (kind, type_column(header, [row[at] for row in table.rows]).kind.value)
        for table in build_bank(rows=40)
        if table.domain in DEVELOPMENT
        for at, (header, kind) in enumerate(zip(table.headers, table.kinds, strict=True))
    ]
    wrong = [pair for pair in found if pair[0] != pair[1]]
    assert len(wrong) <= 0.03 * len(found)


def build(**tables):
    formats = {"tables": tables}
    return Sanitizer(Policy.parse({"name": "x", "detectors": RULES, "formats": formats}))


def mask(text, name="x.csv", **tables):
    return sanitize_file(build(**tables), text.encode(), name).data.decode()


CUSTOMERS = """customer_id,first_name,last_name,phone,amount,note
9001,Anna,Berg,44163296001,12.50,Anna Berg called
9002,Piotr,Kowal,44163296002,8.00,
9001,Anna,Berg,44163296001,3.25,
9003,Anna,Berg,44163296003,1.00,
"""


def read_names(masked):
    return [row["last_name"] for row in csv.DictReader(io.StringIO(masked))]


def test_one_person_keeps_a_pseudonym_in_all_rows_and_cells():
    masked = mask(CUSTOMERS, header="yes")
    first, second, third, fourth = read_names(masked)
    assert first == third == fourth != second
    rows = list(csv.DictReader(io.StringIO(masked)))
    assert [row["first_name"] for row in rows] == read_names(masked)
    assert rows[0]["note"] == f"{first} called"
    assert [row["amount"] for row in rows] == ["12.50", "8.00", "3.25", "1.00"]
    assert rows[0]["phone"] == rows[2]["phone"] != rows[1]["phone"]
    assert rows[0]["phone"].startswith("[CODE")


def test_a_key_holds_namesakes_apart():
    first, second, third, fourth = read_names(mask(CUSTOMERS, header="yes", key="customer_id"))
    assert first == third
    assert len({first, second, fourth}) == 3


def test_numbers_of_json_that_identify_are_masked_at_any_depth():
    rows = [
        {
            "who": {"phone": 48512345678 + at, "geo": {"lat": 59.9 + at, "lon": 10.7 + at}},
            "pages": at,
        }
        for at in range(3)
    ]
    masked = [
        json.loads(line) for line in mask("\n".join(map(json.dumps, rows)), "x.jsonl").splitlines()
    ]
    for old, new in zip(rows, masked, strict=True):
        assert new["pages"] == old["pages"]
        assert new["who"]["phone"].startswith("[CODE")
        assert all(str(value).startswith("[CODE") for value in new["who"]["geo"].values())
    assert len({row["who"]["phone"] for row in masked}) == 3


def test_the_policy_corrects_a_kind():
    raw = "badge,colour\n" + "".join(f"9{at}41{at},red\n" for at in range(9))
    assert "[CODE 1]" in mask(raw, header="yes")
    assert mask(raw, header="yes", columns={"badge": "number"}) == raw
    assert "red" not in mask(raw, header="yes", columns={"colour": "PERSON"})
    assert mask(raw, header="yes", infer=False, columns={"colour": "category"}).count("red") == 9


def test_a_value_that_does_not_fit_its_column_is_read():
    raw = "amount\n" + "".join(f"{at}.50\n" for at in range(9)) + "ask ana@example.org\n"
    masked = mask(raw, header="yes")
    assert "ana@" not in masked
    assert "7.50" in masked


def test_a_policy_that_masks_everything_masks_numbers_and_categories():
    policy = {"name": "x", "detectors": RULES, "decide": {"kind": "optimal", "default": 0.0}}
    raw = "amount,status\n" + "".join(f"{at}.50,open\n" for at in range(9))
    masked = sanitize_file(Sanitizer(Policy.parse(policy)), raw.encode(), "x.csv").data.decode()
    assert "7.50" not in masked
    assert "open" not in masked


def test_a_protected_name_in_a_category_is_masked():
    policy = {"name": "x", "detectors": RULES, "protect": ["Solveig Aune"]}
    raw = "shade,points\n" + "".join(f"{'Aune' if at % 2 else 'Elk'},{at}\n" for at in range(20))
    masked = sanitize_file(Sanitizer(Policy.parse(policy)), raw.encode(), "x.csv").data.decode()
    assert "Aune" not in masked
    assert "Elk" in masked


def test_kinds_have_names_that_a_policy_can_use():
    assert {kind.value for kind in ColumnKind} >= {"name", "text", "number", "code"}


def make_book(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    raw = io.BytesIO()
    book.save(raw)
    return raw.getvalue()


def mask_book(rows, **tables):
    done = sanitize_file(build(**tables), make_book(rows), "x.xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(done.data)).active
    return [list(row) for row in sheet.iter_rows(values_only=True)]


SHEET = [
    ["holder", "phone", "lat", "note", "amount"],
    ["Anna Berg", 48512345678, 52.2297, "Invoice 77-881 is open.", 120.5],
    ["Piotr Kowal", 48512345679, 50.0647, "Call Mrs Berg.", 99.0],
    ["Maria Dal", 48512345670, 59.9139, "Nothing.", 7.25],
]


def test_amounts_of_a_sheet_stay_and_numbers_that_identify_go():
    masked = mask_book(SHEET)
    assert [row[4] for row in masked] == [row[4] for row in SHEET]
    assert all(str(row[at]).startswith("[") for row in masked[1:] for at in (0, 1, 2))
    assert masked[1][3].startswith("Invoice ")
    assert masked[1][3].endswith(" is open.")


def test_the_policy_corrects_the_kind_of_a_column_of_a_sheet():
    masked = mask_book(SHEET, columns={"phone": "number", "amount": "CODE"})
    assert [row[1] for row in masked[1:]] != [row[1] for row in SHEET[1:]]  # its length tells
    assert all(str(row[4]).startswith("[CODE") for row in masked[1:])
    assert mask_book(SHEET, columns={"lat": "number"})[1][2] == 52.2297


def test_the_columns_of_a_sheet_are_told():
    types = Xlsx().list_types(make_book(SHEET), "x.xlsx")
    kinds = {path[-1]: verdict.kind.value for path, verdict in types.items()}
    assert kinds["phone"] == "code"
    assert kinds["lat"] == "position"
    assert kinds["amount"] == "number"
    assert kinds["holder"] == "name"


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(10**9, 10**14), min_size=1, max_size=4, unique=True),
    st.sampled_from(("phone", "account", "customer_no", "tel")),
)
def test_long_numbers_that_identify_never_pass(numbers, header):
    text = f"{header},pages\n" + "".join(f"{number},3\n" for number in numbers)
    lines = "\n".join(json.dumps({"who": [{header: number}], "pages": 3}) for number in numbers)
    book = mask_book([[header, "pages"], *([number, 3] for number in numbers)])
    shown = [mask(text, header="yes"), mask(lines, "x.jsonl"), str(book)]
    for number in numbers:
        assert all(str(number) not in one for one in shown)


def test_known_titles_stay_and_a_line_without_them_is_read():
    titled = mask("Nachname;Vorname;Ort;Kd-Nr\nKowal;Ewa;Kiel;4711").split("\n")
    assert titled[0] == "Nachname;Vorname;Ort;Kd-Nr"
    assert "4711" not in titled[1]
    open_line = mask("Case;ewa@example.org;12\nKowal;jan@example.org;14").split("\n")
    assert "ewa@example.org" not in open_line[0]


def test_telephone_numbers_that_decode_to_the_same_letters_stay_two():
    # In pairs of hexadecimal digits both spell printable signs, which differ only by a capital.
    first, second = mask("name;mobile\nA;353871234567\nB;353851234567").split("\n")[1:]
    assert first.split(";")[1] != second.split(";")[1]
    assert "3538" not in first + second


def test_a_date_under_the_key_of_a_person_is_no_code():
    rows = [{"customer": {"no": 5512001, "since": "2019-05-01", "born": "1991-02-11"}}] * 9
    masked = json.loads(mask("\n".join(map(json.dumps, rows)), "x.jsonl").splitlines()[0])
    assert masked["customer"]["born"].startswith("[DATETIME")
    assert masked["customer"]["no"].startswith("[CODE")
    assert "CODE" not in masked["customer"]["since"]


def test_a_name_with_accents_leaves_the_address_beside_it_readable():
    policy = {"name": "x", "detectors": RULES, "operator": {"kind": "surrogate", "seed": 1}}
    mail = "From: Tomasz Nowak <tnowak@example.org>\nSubject: x\n\nTomasz Nowak came.\n"
    for seed in range(8):
        policy["operator"]["seed"] = seed
        masked = sanitize_file(Sanitizer(Policy.parse(policy)), mail.encode(), "x.eml").data
        [address] = getaddresses([masked.decode().split("\n")[0].removeprefix("From: ")])
        assert address[1].endswith("@example.org")


def test_titles_with_small_words_and_numbered_titles_stay():
    titles = ["N° client", "Nom", "Prénom", "Date de naissance", "Courriel", "Montant"]
    assert list_title_cells(titles) == frozenset(titles)
    numbered = ["name", *(f"item{at}" for at in range(9))]
    assert list_title_cells(numbered) == frozenset(numbered)
    assert not list_title_cells(["K47", "K48", "Anna", "Hugo", "Clara", "Greta", "Elif"])


def test_titles_of_a_sheet_may_stand_below_its_name(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Report of Greta Varga"])
    sheet.append(["Empl. No", "Region", "Salary", "Badge"])
    for at in range(12):
        sheet.append([1000 + at % 4, "North", 40000 + at * 1000, f"00{at % 4}7"])
    book.save(tmp_path / "t.xlsx")
    policy = Policy.parse({"name": "t", "detectors": RULES, "must_mask": ["Greta Varga"]})
    done = sanitize_file(Sanitizer(policy), (tmp_path / "t.xlsx").read_bytes(), "t.xlsx")
    shown = list(openpyxl.load_workbook(io.BytesIO(done.data)).active.iter_rows(values_only=True))
    assert "Varga" not in shown[0][0]
    assert shown[1] == ("Empl. No", "Region", "Salary", "Badge")
    assert shown[2][2] == 40000
    assert all(str(row[0]).startswith("[CODE") for row in shown[2:])
    assert len({row[0] for row in shown[2:]}) == 4
