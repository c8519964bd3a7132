"""What is masked in one place and readable in another: the person is told, and approval asks for a reason."""

import json

import pytest

from maskwise.revising import Reviser
from maskwise.server.review.marks import EntityFacts, Mark, MarkState, make_entity
from maskwise.server.review.project import ReviewProject
from maskwise.server.review.shown import WordIndex, find_shown
from maskwise.server.review.store import ReviewStore
from maskwise.text import Action, Decision, Document, EntityType, IdentifierType, Override

from .conftest import LETTER, edit, find_entity

TWICE = (
    "Ms Orla Vexley wrote to Dr Ivo Brandt on 3 May 1998.\n"
    "Dr Ivo Brandt answered her. Later Quillon Dask came, and Quillon Dask stayed.\n"
)


@pytest.fixture
def letter(sanitizer, tmp_path, open_desk):
    """A client, and the folder of approved files, for a letter that says a name twice."""
    project = ReviewProject(ReviewStore(tmp_path / "twice.sqlite"), Reviser(sanitizer))
    project.take_in("twice.txt", TWICE.encode())
    return open_desk(project).enter("Ana"), tmp_path / "approved"


def approve(client, version):
    return client.post("/api/documents/1/approval", headers={"If-Match": str(version)})


def unmask_second(client, **more):
    """Unmask the second mention of the doctor alone."""
    told = client.get("/api/documents/1").json()
    assert told["shown"] == []
    entity, _ = find_entity(told, "Dr Ivo Brandt")
    mark = [row for row in told["marks"] if row[3] == entity][1]
    body = {"do": "unmask", "entity": entity, "mark": mark[0], "scope": "occurrence", **more}
    return edit(client, 1, told["version"], **body).json(), mark, entity


def test_an_occurrence_unmasked_without_a_reason_is_told_and_refused(letter):
    client, folder = letter
    answer, (_, start, end, _), entity = unmask_second(client)
    assert answer["shown"] == [[start, end, entity, "reason"]]
    refused = approve(client, answer["version"])
    assert refused.status_code == 422
    assert "1 places" in refused.json()["error"]
    assert "Brandt" not in refused.text
    assert not folder.exists()
    assert client.get("/api/documents/1").json()["status"] != "done"


def test_an_occurrence_unmasked_with_a_reason_is_certified(letter):
    client, folder = letter
    answer, (_, start, end, _), entity = unmask_second(client, reason="signs in public office")
    assert answer["shown"] == [[start, end, entity, "decided"]]
    assert approve(client, answer["version"]).status_code == 200
    written = (folder / "twice.txt").read_text("utf-8")
    assert written.count("Brandt") == 1
    raw = (folder / "twice.txt.certificate.json").read_text("utf-8")
    assert "Brandt" not in raw
    (line,) = json.loads(raw)["shown"]
    assert line["place"] == [start, end]
    assert (line["author"], line["reason"]) == ("Ana", "signs in public office")


def test_a_name_marked_in_one_place_is_refused_where_nobody_marked_it(letter):
    client, folder = letter
    told = client.get("/api/documents/1").json()
    version = told["version"]
    if any(TWICE[start:end] == "Quillon Dask" for _, start, end, _ in told["marks"]):
        for row in [r for r in told["marks"] if TWICE[r[1] : r[2]] == "Quillon Dask"][1:]:
            body = {"do": "unmask", "entity": row[3], "mark": row[0], "scope": "occurrence"}
            version = edit(client, 1, version, **body).json()["version"]
    else:
        at = TWICE.index("Quillon")
        body = {"do": "mark", "spans": [[at, at + 12]], "type": "PERSON", "scope": "occurrence"}
        version = edit(client, 1, version, **body).json()["version"]
    assert approve(client, version).status_code == 422
    assert not folder.exists()


def test_words_that_nobody_marked_are_shown_on_purpose(letter):
    client, _ = letter
    at = TWICE.index("answered")
    body = {"do": "show", "spans": [[at, at + 8]], "reason": "a plain word"}
    answer = edit(client, 1, 0, **body).json()
    (mark,) = [row for row in answer["marks"] if row[1] == at]
    made = next(one for one in answer["entities"] if one["id"] == mark[3])
    assert (made["action"], made["because"]) == ("keep", "a plain word")
    again = edit(client, 1, answer["version"], **body)
    assert again.status_code == 422


def look(text, masked, kept=(), kind=EntityType.PERSON, **options):
    """The places found in a text in which the first occurrence of some strings is masked, and others are kept."""
    document = Document(text)
    marks, entities, decisions = [], {}, {}
    for number, (what, override) in enumerate([(masked, None), *kept]):
        start = text.index(what) if not number else text.rindex(what)
        name = f"e{number}"
        mark = Mark(name, start, start + len(what), kind, name)
        state = MarkState({name: mark}, {name: EntityFacts(kind, **options)})
        marks.append(mark)
        entities[name] = make_entity(name, state.facts[name], [mark], document, 0)
        action = Action.KEEP if number else Action.SUPPRESS
        decisions[name] = Decision(name, action, (), override=override)
    found = find_shown(WordIndex(text), marks, entities, decisions)
    return [(text[one.start : one.end], one.is_refused) for one in found]


@pytest.mark.parametrize(
    "other",
    ["Ivo Brandt", "IVO BRANDT", "Ívo Brandt", "Ivo\nBrandt", "Ivo-Brandt", "ivo brandt"],
)
def test_a_name_is_found_in_every_writing(other):
    assert look(f"Ivo Brandt came. Then {other} left.", "Ivo Brandt") == [(other, True)]


@pytest.mark.parametrize(
    ("masked", "other"),
    [
        ("Dr Ivo Brandt", "ivo brandt"),
        ("Dr Ivo Brandt", "ivo.brandt"),
        ("Ivo Brandt", "ivobrandt"),
        ("Ivo Brandt", "ibrandt"),
        ("Ivo Brandt", "Brandts"),
        ("Ivo Brandt", "Bran\u00addt"),
        ("Ivo Brandt", "Bran\u200bdt"),
        ("Ivo Brandt", "Bran-\ndt"),
        ("Ivo Brandt", "Bran-\r\n  dt"),
    ],
)
def test_a_name_is_found_in_addresses_and_at_the_ends_of_lines(masked, other):
    text = f"{masked} came. Then {other}@example.org left."
    assert look(text, masked) == [(other, True)]


@pytest.mark.parametrize(
    ("other", "shown"),
    [
        ("BrandtCorp", "Brandt"),
        ("getBrandtData", "Brandt"),
        ("case_brandt_final", "brandt"),
        ("#freeivobrandtnow", "ivobrandt"),
        ("Brandtesque", "Brandt"),
        ("B R A N D T", "B R A N D T"),
        ("Вrаndt", "Вrаndt"),
        ("ʙʀᴀɴᴅᴛ", "ʙʀᴀɴᴅᴛ"),
        ("𝐁𝐫𝐚𝐧𝐝𝐭", "𝐁𝐫𝐚𝐧𝐝𝐭"),
        ("Ｂｒａｎｄｔ", "Ｂｒａｎｄｔ"),
        ("Ⓑⓡⓐⓝⓓⓣ", "Ⓑⓡⓐⓝⓓⓣ"),
    ],
)
def test_a_name_is_found_inside_of_words_and_in_letters_that_look_like_its_own(other, shown):
    assert look(f"Ivo Brandt came. Then {other} left.", "Ivo Brandt") == [(shown, True)]


@pytest.mark.parametrize("other", ["VexleyCorp", "Vexleys", "db_vexley_prod", "Vехlеу"])
def test_an_organisation_that_is_a_direct_identifier_is_found_inside_of_words(other):
    options = {"kind": EntityType.ORG, "identifier": IdentifierType.DIRECT}
    found = look(f"Vexley Ltd sank. Now {other} swims.", "Vexley Ltd", **options)
    assert [refused for _, refused in found] == [True]


def test_a_name_in_small_letters_needs_a_reason_where_a_person_unmasked_it():
    """Where nobody decided anything it may be a word of its own."""
    text = "Ivo Brandt came. Then brandt left."
    assert look(text, "Ivo Brandt") == []
    silent = [("brandt", Override("e1", Action.KEEP, author="Ana"))]
    assert look(text, "Ivo Brandt", silent) == [("brandt", True)]


@pytest.mark.parametrize("other", ["Brandt", "Mr Brandt's", "Brandt-Lowe", "Brandt-\nLowe"])
def test_a_telling_part_of_a_name_is_found(other):
    assert look(f"Ivo Brandt came. Then {other} left.", "Ivo Brandt") == [("Brandt", True)]


@pytest.mark.parametrize(
    "text",
    [
        "Ivo Brandt came. The brandtly colour stayed.",
        "Rose May came. In May a rose grew.",
        "Ivo Brandt came, and nobody else.",
    ],
)
def test_other_words_are_not_taken_for_a_name(text):
    assert look(text, text[: text.index(" came")]) == []


def test_a_name_of_everyday_words_is_found_as_a_whole():
    text = "Rose May came. In May a rose grew. Rose May left."
    assert look(text, "Rose May") == [("Rose May", True)]


def test_a_name_without_spaces_is_found_inside_a_line():
    assert look("王小明来了。后来王小明走了。", "王小明") == [("王小明", True)]


def test_a_decision_with_a_reason_excuses_its_place_alone():
    text = "Ivo Brandt came. Brandt sat. Then Ivo Brandt left."
    decided = Override("e1", Action.KEEP, author="Ana", reason="public")
    kept = [("Ivo Brandt", decided)]
    assert look(text, "Ivo Brandt", kept) == [("Brandt", True), ("Ivo Brandt", False)]
    silent = [("Ivo Brandt", Override("e1", Action.KEEP, author="Ana"))]
    assert look(text, "Ivo Brandt", silent) == [("Brandt", True), ("Ivo Brandt", True)]


def test_what_the_policy_kept_is_no_decision_of_a_person():
    text = "Ivo Brandt came. Then Ivo Brandt left."
    assert look(text, "Ivo Brandt", [("Ivo Brandt", None)]) == [("Ivo Brandt", True)]


def test_a_code_is_found_whatever_stands_between_its_parts():
    text = "File 88-1204-K was closed, 88 1204 K was not; 1204 people came."
    role = {"identifier": IdentifierType.DIRECT}
    found = look(text, "88-1204-K", kind=EntityType.CODE, **role)
    assert found == [("88 1204 K", True)]


@pytest.mark.parametrize(
    "other",
    ["01614960123", "(0161) 4960123", "+44 161 496 0123", "016 1496 0123", "tel01614960123"],
)
def test_a_number_is_found_however_it_is_grouped(other):
    text = f"Call 0161 496 0123 by day, {other} by night, or 0161 496 0124."
    role = {"identifier": IdentifierType.DIRECT}
    ((found, is_refused),) = look(text, "0161 496 0123", kind=EntityType.CODE, **role)
    assert (found in other, is_refused) == (True, True)


def test_a_short_code_is_found_as_a_whole_alone():
    text = "Room A12 and room A-12, but not A123 or BA12."
    role = {"identifier": IdentifierType.DIRECT}
    assert look(text, "A12", kind=EntityType.CODE, **role) == []
    text = "File 4711 and file 47-11, but not 14711 or 47112."
    assert look(text, "4711", kind=EntityType.CODE, **role) == [("47-11", True)]


def test_the_type_of_a_fact_is_told_only_where_a_person_masked_it():
    text = "They met in Graz. Graz is old."
    assert look(text, "Graz", kind=EntityType.LOC) == []


# --- what people write themselves -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    ["brandt", "I. Brandt", "Brandt, Ivo", "IVO BRANDT", "Ivo\u200b Brandt", "see Vexley",
     "\uff22\uff52\uff41\uff4e\uff44\uff54", "Dr Ivo Brandt's", "Br\u00e1ndt", "file of 01614960123"],
)  # fmt: skip
def test_a_replacement_that_tells_a_masked_name_is_refused(desk, written):
    client = desk.enter("Ana")
    told = client.get("/api/documents/1").json()
    entity, mark = find_entity(told, "Ivo Brandt")
    answer = edit(client, 1, 0, do="write", entity=entity, mark=mark, text=written)
    assert answer.status_code == 422
    assert "Brandt" not in answer.text
    assert client.get("/api/documents/1").json() == told


def test_a_reason_that_tells_a_masked_name_is_refused(desk):
    """Reasons stand in the certificate, which is published beside the file."""
    client = desk.enter("Ana")
    entity, mark = find_entity(client.get("/api/documents/1").json(), "Leeds")
    body = {"do": "unmask", "entity": entity, "mark": mark}
    refused = edit(client, 1, 0, **body, reason="the home of orla vexley is known")
    assert refused.status_code == 422
    assert "reason" in refused.json()["error"]
    assert edit(client, 1, 0, **body, reason="a large town").status_code == 200


def test_what_was_written_before_a_name_was_masked_refuses_the_approval(desk, tmp_path):
    client = desk.enter("Ana")
    doctor, mark = find_entity(client.get("/api/documents/1").json(), "Ivo Brandt")
    version = edit(client, 1, 0, do="unmask", entity=doctor, mark=mark).json()["version"]
    town, mark = find_entity(client.get("/api/documents/1").json(), "Leeds")
    body = {"do": "unmask", "entity": town, "mark": mark, "reason": "Brandt works there"}
    version = edit(client, 1, version, **body).json()["version"]
    masked = edit(client, 1, version, do="mask", entity=doctor, mark=mark)
    assert masked.status_code == 200
    refused = approve(client, masked.json()["version"])
    assert refused.status_code == 422
    assert not (tmp_path / "approved").exists()


@pytest.mark.parametrize(
    "name", ["Orla Vexley.txt", "letters/vexley_orla.txt", "re-VEXLEY.txt", "ReVexleyMatter.txt"]
)
def test_the_name_of_a_file_that_tells_a_masked_name_is_left_out(
    make_project, open_desk, tmp_path, name
):
    project = make_project()
    number = project.take_in(name, LETTER.encode())
    client = open_desk(project).enter("Ana")
    headers = {"If-Match": "0"}
    answer = client.post(f"/api/documents/{number}/approval", headers=headers)
    assert answer.status_code == 200
    written = [path for path in (tmp_path / "approved").rglob("*") if path.is_file()]
    assert len(written) == 3
    for path in written:
        assert "vexley" not in str(path.relative_to(tmp_path)).casefold()
        assert "vexley" not in path.read_text("utf-8").casefold()
