"""`sanitize`: what it writes, where, and what it refuses."""

import io
import json
import re
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "data" / "golden"
TEXT = "Mr John Smith was born on 3 May 1971. Smith paid EUR 5,000.\n"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
MASKED = "[PERSON 1] was born on [DATETIME 1]. [PERSON 1] paid [QUANTITY 1].\n"


@pytest.fixture
def letter(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text(TEXT, "utf-8")
    return path


def test_the_sample_is_masked_as_recorded(process):
    done = process(
        "sanitize", ROOT / "examples" / "letter.txt", "--protect", "Ingrid Solberg Hansen"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == (GOLDEN / "letter.txt").read_text("utf-8")


def test_text_to_standard_output_and_nothing_else(process, maskwise, letter):
    for run in (process, maskwise):
        done = run("sanitize", letter)
        assert (done.returncode, done.stdout.decode(), done.stderr) == (0, MASKED, b"")


def test_standard_input(process, maskwise):
    for run in (process, maskwise):
        assert run("sanitize", "-", stdin=TEXT.encode()).stdout.decode() == MASKED


def test_json_is_the_contract(maskwise, letter):
    done = maskwise("sanitize", letter, "--format", "json")
    (document,) = json.loads(done.stdout)["documents"]
    fixed = {"path", "masked", "entities", "objective", "optimal", "coverage"}
    assert set(document) == fixed | {"bound", "gap", "solver", "risk", "domain", "language"}
    assert document["masked"] == MASKED
    assert document["risk"] == {"measured": False}
    assert document["coverage"]["characters"] == len(TEXT)
    assert all(n == len(TEXT) for n in document["coverage"]["read"].values())
    smith = document["entities"][0]
    keys = {
        "id",
        "type",
        "identifier",
        "mentions",
        "decision",
        "replacement",
        "surrogate",
        "reasons",
        "information",
        "confidential_status",
        "confidential_holder",
    }
    assert set(smith) == keys
    assert smith["surrogate"] is False
    assert smith["mentions"] == [[0, 13], [38, 43]]
    assert (smith["type"], smith["decision"], smith["replacement"]) == (
        "PERSON",
        "suppress",
        "[PERSON 1]",
    )
    assert smith["identifier"] in {"DIRECT", "QUASI"}
    assert smith["reasons"]
    assert smith["information"] > 0


def test_a_folder_keeps_its_shape(maskwise, tmp_path):
    source = tmp_path / "in" / "deep"
    source.mkdir(parents=True)
    (source / "a.txt").write_text(TEXT, "utf-8")
    (source.parent / "b.md").write_bytes(b"\xef\xbb\xbf# Mr John Smith\r\n")
    (source.parent / "c.xyz").write_text("unknown", "utf-8")
    done = maskwise("sanitize", "in", "--out", "masked")
    assert done.returncode == 1, done.stderr
    assert (tmp_path / "masked" / "deep" / "a.txt").read_text("utf-8") == MASKED
    assert (tmp_path / "masked" / "b.md").read_bytes() == b"\xef\xbb\xbf# [PERSON 1]\r\n"
    assert b"1 file or folder left out (unknown format), in/c.xyz" in done.stderr
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize(
    "name",
    [
        "John_Smith.txt",
        "letter-smith.txt",
        "Re Smith's case.txt",
        "SmithCase.txt",
        "j.smith/letter.txt",
    ],
)
@pytest.mark.parametrize(
    "arguments", [("--out", "masked"), ("--format", "json"), ("--format", "html")]
)
def test_a_file_whose_name_tells_who_is_masked_is_said(maskwise, tmp_path, name, arguments):
    (tmp_path / "in" / name).parent.mkdir(parents=True)
    (tmp_path / "in" / name).write_text(TEXT, "utf-8")
    done = maskwise("sanitize", "in", *arguments)
    assert done.returncode == 1
    assert b"its name tells what is masked in it" in done.stderr


@pytest.mark.parametrize("name", ["letter.txt", "blacksmith.txt", "report_1998.txt"])
def test_other_names_of_files_are_no_reason_to_warn(maskwise, tmp_path, name):
    (tmp_path / name).write_text(TEXT, "utf-8")
    done = maskwise("sanitize", name, "--out", "masked")
    assert done.returncode == 0
    assert b"its name" not in done.stderr


def test_a_name_of_a_file_that_tells_a_protected_person_or_a_code_is_said(maskwise, tmp_path):
    (tmp_path / "orla-vexley.txt").write_text("Nothing happened.\n", "utf-8")
    done = maskwise("sanitize", "orla-vexley.txt", "--protect", "Orla Vexley", "--out", "masked")
    assert (done.returncode, b"its name tells" in done.stderr) == (1, True)
    (tmp_path / "case 536-22-8726.txt").write_text("SSN: 536-22-8726\n", "utf-8")
    done = maskwise("sanitize", "case 536-22-8726.txt", "--out", "masked")
    assert (done.returncode, b"its name tells" in done.stderr) == (1, True)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_encodings_with_a_mark_are_kept(maskwise, tmp_path, encoding):
    path = tmp_path / "x.txt"
    path.write_bytes("Mr Jörg Müller".encode(encoding))
    done = maskwise("sanitize", path)
    assert done.stdout == "[PERSON 1]".encode(encoding)


def test_html_is_one_page_that_asks_for_nothing(maskwise, letter):
    done = maskwise("sanitize", letter, "--format", "html")
    page = done.stdout.decode()
    assert page.startswith("<!doctype html>")
    assert 'class="PERSON masked"' in page
    assert page.count("<script") == 1
    assert not re.search(r"https?://", page)


def test_html_escapes_the_text(maskwise, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("<script>alert(1)</script> Mr John <b>Smith</b> & co", "utf-8")
    assert b"<script>alert" not in maskwise("sanitize", path, "--format", "html").stdout


def test_dry_run_writes_nothing(maskwise, letter, tmp_path):
    done = maskwise("sanitize", letter, "--dry-run", "--out", "masked")
    assert done.returncode == 0
    assert b"John Smith" in done.stdout
    assert not (tmp_path / "masked").exists()


def test_explain_gives_reasons_on_standard_error(maskwise, letter):
    done = maskwise("sanitize", letter, "--explain")
    assert done.stdout.decode() == MASKED
    assert b"suppress" in done.stderr
    assert (
        done.stderr.count(b"Risk in the crowd: not measured; the option --risk measures it.") == 1
    )


@pytest.mark.parametrize("ending", [[], ["--explain"], ["--dry-run"]])
def test_measured_risk_is_said_once_per_person(call, tmp_path, ending):
    (tmp_path / "note.txt").write_text(
        "Ana Souza, born on 3 May 1971 in Porto, is a nurse. She won the Lark Prize in 1999.\n"
    )
    told = json.loads(call("sanitize", "note.txt", "--risk", "--format", "json").stdout)
    [document] = told["documents"]
    assert document["risk"]["measured"]
    done = call("sanitize", "note.txt", "--risk", *ending)
    for person in document["risk"]["persons"]:
        assert f"{done.stderr}{done.stdout}".count(f"{person['person']}: rank among") == 1
    assert "not measured" not in done.stderr + done.stdout


def test_protect_finds_what_no_detector_knows(maskwise, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("we met zeynep arslanoglu; mail zeynep.arslanoglu@example.org", "utf-8")
    done = maskwise("sanitize", path, "--protect", "Zeynep Arslanoğlu")
    assert b"arslanoglu" not in done.stdout


BAD = [
    (["sanitize", "nowhere.txt"], None, "nowhere.txt: no such file or folder"),
    (["sanitize", "latin.txt"], None, "latin.txt: not utf-8 at byte 1"),
    (["sanitize", "half.txt"], None, "half.txt: not utf-16-le at byte"),
    (["sanitize", "pic.png"], None, "no reader for .png"),
    (["sanitize", "a.txt", "--policy", "balenced"], None, "did you mean 'balanced'?"),
    (["sanitize", "a.txt", "--policy", "bad.yaml"], None, "unknown key 'operater'"),
    (["sanitize", "a.txt", "--out", "."], None, "would overwrite an input"),
    (["sanitize", "a.txt", "sub/a.txt", "--out", "o"], None, "two outputs have this name"),
    (["sanitize", "empty"], None, "nothing to sanitise"),
    (["sanitize", "a.txt", "--out", "a.txt/x"], None, "cannot be written"),
    (["corpus", "broken.json", "-o", "m.json"], None, "broken.json: not JSON at line 1"),
    (
        ["corpus", "outside.json", "-o", "m.json"],
        None,
        "document 0 (d), annotator a, mention 0: span [0, 99)",
    ),
]


@pytest.mark.parametrize(("arguments", "stdin", "message"), BAD)
def test_bad_input_is_one_clear_line_and_exit_2(maskwise, tmp_path, arguments, stdin, message):
    (tmp_path / "a.txt").write_text("Mr John Smith", "utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("x", "utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "latin.txt").write_bytes("né".encode("latin-1"))
    (tmp_path / "half.txt").write_bytes(b"\xff\xfea\x00b")
    (tmp_path / "pic.png").write_bytes(b"\x89PNG")
    (tmp_path / "bad.yaml").write_text("name: x\noperater: {}\n", "utf-8")
    (tmp_path / "broken.json").write_text("[{", "utf-8")
    mention = {
        "start_offset": 0,
        "end_offset": 99,
        "span_text": "x",
        "entity_type": "PERSON",
        "identifier_type": "DIRECT",
    }
    corpus = [{"doc_id": "d", "text": "x", "annotations": {"a": {"entity_mentions": [mention]}}}]
    (tmp_path / "outside.json").write_text(json.dumps(corpus), "utf-8")
    done = maskwise(*arguments, stdin=stdin)
    error = done.stderr.decode()
    assert done.returncode == 2
    assert message in error
    assert len(error.strip().splitlines()) == 1
    assert "Traceback" not in error
    assert done.stdout == b""
    assert not (tmp_path / "m.json").exists()


def test_one_bad_file_does_not_stop_the_others_and_is_never_shown(maskwise, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text(TEXT, "utf-8")
    (folder / "b.txt").write_bytes("Mr René Smith".encode("latin-1"))
    done = maskwise("sanitize", folder, "--out", "o")
    assert done.returncode == 2
    assert (tmp_path / "o" / "a.txt").read_text("utf-8") == MASKED
    assert not (tmp_path / "o" / "b.txt").exists()
    assert b"b.txt: not utf-8" in done.stderr


ODD = {
    "empty": "",
    "spaces": " \n\t ",
    "nul": "Mr John Smith\x00 left\x00",
    "scripts": "Г-н Иванов и 王小明 met Mr José Núñez عند 5 مايو in Αθήνα 👩‍👩‍👧 é",
    "controls": "\u202eMr John Smith\u202c \ufeff \u2028 x\u0000y",
    "long word": "a" * 200_000,
    "no spaces": "Mr.John.Smith," * 5_000,
}


@pytest.mark.parametrize("name", ODD)
def test_odd_texts_are_handled(maskwise, tmp_path, name):
    path = tmp_path / "x.txt"
    path.write_bytes(ODD[name].encode())
    done = maskwise("sanitize", path, "--format", "json")
    assert done.returncode == 0, done.stderr
    (document,) = json.loads(done.stdout)["documents"]
    read = document["coverage"]["characters"]
    assert read <= len(ODD[name])  # control sequences are left out, and said
    assert set(document["coverage"]["read"].values()) == {read}


def test_lone_surrogates_in_a_corpus_are_handled(maskwise, tmp_path):
    corpus = [{"doc_id": "d", "text": "Mr John \ud800 Smith, 3 May 1971", "annotations": {}}]
    (tmp_path / "c.json").write_text(json.dumps(corpus), "utf-8")
    done = maskwise("corpus", "c.json", "-o", "m.json")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "m.json").read_text())["d"]


PAGE = "<p>Mr John Smith</p><script>'Mr John Smith'</script>"


def test_a_leak_withdraws_the_file_and_spares_the_others(maskwise, tmp_path):
    (tmp_path / "p.yaml").write_text(
        "extends: balanced\nname: p\nformats: {html: {scripts: keep}}\n", "utf-8"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bad.html").write_text(PAGE, "utf-8")
    (tmp_path / "in" / "good.csv").write_text("who\nMr John Smith\n", "utf-8")
    done = maskwise("sanitize", "in", "--out", "masked", "--policy", "p.yaml")
    assert done.returncode == 2
    assert b"bad.html: 1 strings that must not be seen still stand in the output" in done.stderr
    assert b"Smith" not in done.stderr + done.stdout
    assert [path.name for path in (tmp_path / "masked").iterdir()] == ["good.csv"]
    assert (tmp_path / "masked" / "good.csv").read_bytes() == b"who\n[PERSON 1]\n"
    assert maskwise("sanitize", "in/bad.html", "--policy", "p.yaml").stdout == b""


def test_scripts_are_left_out_by_default(maskwise, tmp_path):
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    assert maskwise("sanitize", "page.html").stdout == b"<p>[PERSON 1]</p>"


def test_what_is_left_out_is_said(maskwise, tmp_path):
    (tmp_path / "x.eml").write_text("Received: from a\nSubject: Mr John Smith\n\nbye\n", "utf-8")
    done = maskwise("sanitize", "x.eml")
    assert done.stdout == b"Subject: [PERSON 1]\n\nbye\n"
    assert done.stderr == b"maskwise: x.eml: 1 header left out\n"


WORKBOOK = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Default Extension="bin" ContentType="application/octet-stream"/><Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r" Type="{OFFICE}/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets>'
    f'<sheet name="a" sheetId="1" xmlns:r="{OFFICE}" r:id="s"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="s" Type="{OFFICE}/worksheet" '
    'Target="sheet.xml"/></Relationships>',
    "xl/sheet.xml": '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Mr John Smith</t></is></c></row></sheetData></worksheet>',
    "xl/_rels/sheet.xml.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="o" Type="{OFFICE}/oleObject" '
    'Target="object.bin"/></Relationships>',
    "xl/object.bin": "Mr John Smith",
}


def workbook():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in WORKBOOK.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def mail():
    message = EmailMessage()
    message["Subject"] = "Mr John Smith"
    message["X-Mailer"] = "x"
    message.set_content("bye")
    message.add_attachment(
        workbook(), maintype="application", subtype="vnd.ms-excel", filename="a.xlsx"
    )
    message.add_attachment(b"secret", maintype="application", subtype="x-unknown", filename="a.xyz")
    return message.as_bytes()


OBJECT = "embedded objects and macros left out: 1"
LEFT_OUT = {
    "x.xlsx": (workbook, [OBJECT]),
    "x.eml": (mail, ["1 header left out", "1 attachment left out", f"in an attachment: {OBJECT}"]),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_left_out_of_a_file_is_said_in_every_output(call, tmp_path, name):
    make, notes = LEFT_OUT[name]
    (tmp_path / name).write_bytes(make())
    for ending in (["--format", "json"], ["--format", "html"], ["--dry-run"], ["--out", "o"]):
        done = call("sanitize", name, *ending)
        assert done.returncode == 0, done.stderr
        assert all(f"maskwise: {name}: {note}\n" in done.stderr for note in notes), done.stderr
        if "json" in ending:
            assert json.loads(done.stdout)["notes"] == [
                {"path": name, "note": note} for note in notes
            ]
        if "html" in ending:
            assert "".join(f"<li>{note}</li>" for note in notes) in done.stdout
    call("sanitize", name, "--out", "o", "--format", "json")
    assert [
        one["note"] for one in json.loads((tmp_path / "o" / f"{name}.json").read_text())["notes"]
    ] == notes


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("file=5", "over the limit of 5"),
        ("pagse=5", "did you mean 'pages'?"),
        ("file=x", "--limit: formats.limits.file"),
    ],
)
def test_limits_of_the_command_line(maskwise, letter, limit, message):
    done = maskwise("sanitize", letter, "--limit", limit)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert len(done.stderr.decode().splitlines()) == 1


def test_explain_prints_what_the_document_tells_about_each_person(maskwise, tmp_path):
    text = "My name is Ana Souza. I was born in Porto in 1971 and work as a glassblower."
    (tmp_path / "own.txt").write_text(text, "utf-8")
    done = maskwise("sanitize", "own.txt", "--risk", "--explain")
    said = done.stderr.decode()
    assert "What an attacker can know about" in said
    for row in (("birth_place", "Porto"), ("born", "1971"), ("occupation", "glassblower")):
        assert [line for line in said.splitlines() if all(part in line for part in row)]
    assert "glassblower" not in maskwise("sanitize", "own.txt", "--risk").stderr.decode()
    printed = maskwise("sanitize", "own.txt", "--risk", "--format", "json").stdout.decode()
    assert "birth_place" not in printed


def test_fail_over_asks_for_a_k(call, letter):
    done = call("sanitize", "letter.txt", "--risk", "--fail-over")
    assert done.returncode == 2
    assert "give --k N" in done.stderr
    assert done.stdout == ""


def test_a_register_without_ids_and_too_few_people(call, letter, tmp_path):
    (tmp_path / "people.csv").write_text(
        "name,born,occupation\nJohn Smith,1971,baker\nOla Vik,1980,teacher\n", "utf-8"
    )
    asked = ("--protect", "John Smith", "--population", "people.csv", "--k", "5")
    done = call("sanitize", "letter.txt", *asked, "--fail-over")
    assert done.returncode == 1, done.stderr
    assert "K = 5 was missed for [PERSON 1]: there are only 2 people" in done.stderr


def test_further_facts_are_hidden_too(call, tmp_path):
    """An attacker who holds a biography knows more than the facts of a profile."""
    text = (
        "Ana Souza (3 May 1921 – 7 June 1999) was a Portuguese cellist. She won two sailing prizes "
        "and wrote letters about beekeeping to her three cousins in Tarn.\n"
    )
    (tmp_path / "life.txt").write_text(text, "utf-8")
    asked = ("sanitize", "life.txt", "--protect", "Ana Souza", "--policy", "anonymous")
    fewer, more = call(*asked), call(*asked, "--further")
    assert fewer.returncode == more.returncode == 0
    assert more.stdout.count("[") > fewer.stdout.count("[")
