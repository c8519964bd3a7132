"""The routes of a review: who is let in, what an edit changes, and what is approved."""

import hashlib
import json
import logging
import os

import pytest

from maskwise.audit import verify_log
from maskwise.errors import PlanError
from maskwise.io.plain import PlainText
from maskwise.policy import Policy
from maskwise.server.review.people import ReviewRole

from .conftest import LETTER, edit, find_entity, get_entity

VAGUE = (
    "The applicant, a keen swimmer, trained with Marl Rovers and had been to Lyme twice.\n"
    "Her sister Thea ran the Blue Heron in 1998 with two women from a nearby farm.\n"
)


def approve(client, number):
    version = str(client.get(f"/api/documents/{number}").json()["version"])
    return client.post(f"/api/documents/{number}/approval", headers={"If-Match": version})


def test_a_link_works_once_and_its_cookie_is_kept_from_scripts(desk):
    secret = desk.sessions.invite("Ana", ReviewRole.REVIEWER)
    first = desk.visit().get("/enter", params={"key": secret})
    assert first.status_code == 303
    assert "HttpOnly" in first.headers["set-cookie"]
    assert "SameSite=strict" in first.headers["set-cookie"]
    assert secret not in first.headers["set-cookie"]
    again = desk.visit().get("/enter", params={"key": secret})
    assert again.status_code == 403
    assert "set-cookie" not in again.headers


@pytest.mark.parametrize("path", ["/", "/page/app.js", "/api/documents", "/api/documents/1"])
@pytest.mark.parametrize("cookie", [None, "wrong", "", "x" * 5000])
def test_nobody_reads_without_a_session(desk, path, cookie):
    client = desk.visit()
    if cookie is not None:
        client.cookies.set("maskwise_review_8392", cookie)
    answer = client.get(path)
    assert answer.status_code == 401
    assert "Vexley" not in answer.text


def test_other_hosts_and_origins_are_refused(desk):
    client = desk.enter("Ana")
    assert client.get("/api/documents", headers={"Host": "evil.example"}).status_code == 421
    for origin in ("http://evil.example", "null", "http://localhost:1"):
        answer = client.post(
            "/api/documents/1/status", json={"status": "free"}, headers={"Origin": origin}
        )
        assert answer.status_code == 403
    del client.headers["Origin"]
    answer = client.post("/api/documents/1/status", json={"status": "free"})
    assert answer.status_code == 403


def test_the_page_is_served_with_a_strict_policy(desk):
    answer = desk.enter("Ana").get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert desk.enter("Ana").get("/page/..%2Fapp.py").status_code == 404


def test_a_flip_is_an_override_with_author_and_reason(desk, project):
    client = desk.enter("Ana")
    told = client.get("/api/documents/1").json()
    assert told["text"] == LETTER
    entity, mark = find_entity(told, "Ivo Brandt")
    assert get_entity(told, entity)["action"] == "suppress"
    answer = edit(
        client, 1, 0, do="unmask", entity=entity, mark=mark, scope="document", reason="a doctor"
    )
    assert answer.status_code == 200
    changed = get_entity(answer.json(), entity)
    assert (changed["action"], changed["by"], changed["because"]) == ("keep", "Ana", "a doctor")
    assert answer.json()["kept"] > told["kept"]
    override = project.open(1).outlook.decisions[entity].override
    assert (override.author, override.reason) == ("Ana", "a doctor")
    assert client.get("/api/documents/1").json()["status"] == "in work"


def test_a_late_writer_gets_the_version_of_the_other(desk):
    ana, ivo = desk.enter("Ana"), desk.enter("Ivo")
    entity, mark = find_entity(ana.get("/api/documents/1").json(), "Ivo Brandt")
    assert edit(ana, 1, 0, do="unmask", entity=entity, mark=mark).status_code == 200
    late = edit(ivo, 1, 0, do="accept", entity=entity, mark=mark)
    assert late.status_code == 412
    assert get_entity(late.json()["now"], entity)["action"] == "keep"
    assert not get_entity(late.json()["now"], entity)["accepted"]


def test_one_occurrence_the_document_and_the_batch(desk):
    client = desk.enter("Ana")
    told = client.get("/api/documents/1").json()
    entity, _ = find_entity(told, "Orla Vexley")
    marks = [row for row in told["marks"] if row[3] == entity]
    assert len(marks) >= 2
    alone = edit(
        client, 1, 0, do="type", type="MISC", entity=entity, mark=marks[1][0], scope="occurrence"
    ).json()
    assert len({row[3] for row in alone["marks"] if row[0] in {m[0] for m in marks}}) == 2
    doctor, mark = find_entity(told, "Ivo Brandt")
    every = edit(
        client, 1, alone["version"], do="unmask", entity=doctor, mark=mark, scope="batch"
    ).json()
    assert every["documents"] == 1
    other = client.get("/api/documents/2").json()
    assert get_entity(other, find_entity(other, "Ivo Brandt")[0])["action"] == "keep"


def test_a_missed_span_is_marked_wherever_it_stands(desk):
    client = desk.enter("Ana")
    start = LETTER.index("welder")
    answer = edit(client, 1, 0, do="mark", spans=[[start, start + 6]], type="DEM").json()
    assert [start, start + 6, "[DEM 1]"] in answer["edits"] or any(
        row[:2] == [start, start + 6] for row in answer["edits"]
    )


def test_merge_split_level_and_replacement(desk):
    client = desk.enter("Ana")
    told = client.get("/api/documents/1").json()
    one, other = find_entity(told, "Orla Vexley")[0], find_entity(told, "Ivo Brandt")[0]
    merged = edit(client, 1, 0, do="merge", entities=[one, other]).json()
    assert other in merged["gone"]
    mark = find_entity({**told, "marks": merged["marks"]}, "Ivo Brandt")[1]
    split = edit(client, 1, merged["version"], do="split", mark=mark).json()
    apart, _ = find_entity({**told, "marks": split["marks"]}, "Ivo Brandt")
    assert apart not in (one, other)
    written = edit(client, 1, split["version"], do="write", entity=apart, text="the doctor").json()
    assert get_entity(written, apart)["replacement"] == "the doctor"
    same = edit(client, 1, written["version"], do="write", entity=apart, text="Ivo Brandt")
    assert same.status_code == 422
    assert "Brandt" not in same.json()["error"]


@pytest.mark.parametrize(
    "body",
    [
        {"do": "nothing"},
        {},
        {"do": "mask", "entity": "e999"},
        {"do": "mark", "spans": [[5, 2]], "type": "ORG"},
        {"do": "mark", "spans": [[0, 10**9]], "type": "ORG"},
        {"do": "mark", "spans": "Vexley", "type": "ORG"},
        {"do": "mark", "spans": [[0, 2]], "type": "Vexley"},
        {"do": "level", "entity": "e1", "level": "Vexley"},
        {"do": "merge", "entities": ["e1"]},
        {"do": "split", "mark": None},
    ],
)
def test_a_bad_edit_is_refused_without_text_and_changes_nothing(desk, body):
    client = desk.enter("Ana")
    before = client.get("/api/documents/1").json()
    answer = edit(client, 1, 0, **body)
    assert answer.status_code == 422
    assert "Vexley" not in answer.text
    assert client.get("/api/documents/1").json() == before


def test_no_version_no_body_no_document(desk):
    client = desk.enter("Ana")
    assert client.post("/api/documents/1/edits", json={"do": "accept"}).status_code == 428
    headers = {"If-Match": "0"}
    for body in ("[1]", "{", ""):
        answer = client.post("/api/documents/1/edits", content=body, headers=headers)
        assert answer.status_code == 422
    assert client.get("/api/documents/99").status_code == 422


def test_reading_writes_nothing(desk, project):
    client = desk.enter("Ana")
    client.get("/api/documents/1")
    before = _count_rows(project)
    for path in ("/", "/api/documents", "/api/documents/1", "/api/progress", "/api/export"):
        assert client.get(path).status_code == 200
    assert client.get("/api/documents/1/risk").status_code == 200
    assert _count_rows(project) == before


def _count_rows(project):
    rows = project.store._reader.execute("SELECT COUNT(*) FROM event").fetchone()
    return rows, project.store._reader.execute("SELECT COUNT(*) FROM setting").fetchone()


def test_roles(desk):
    annotator = desk.enter("Ana", ReviewRole.ANNOTATOR)
    reviewer = desk.enter("Ivo", ReviewRole.REVIEWER)
    manager = desk.enter("Mia", ReviewRole.MANAGER)
    headers = {"If-Match": "0"}
    path = "/api/documents/1/assignment"
    assert annotator.post("/api/documents/1/approval", headers=headers).status_code == 403
    assert reviewer.post(path, json={"names": ["Ana"]}).status_code == 403
    assert manager.post(path, json={"names": ["Ana"]}).json() == {"assigned": ["Ana"]}
    assert manager.post(path, json={"names": "Ana"}).status_code == 422


def test_approval_writes_the_file_and_a_certificate_without_text(desk, project, tmp_path):
    client = desk.enter("Ana")
    entity, mark = find_entity(client.get("/api/documents/1").json(), "Ivo Brandt")
    version = edit(client, 1, 0, do="unmask", entity=entity, mark=mark, reason="public").json()[
        "version"
    ]
    stale = client.post("/api/documents/1/approval", headers={"If-Match": "0"})
    assert stale.status_code == 412
    answer = client.post("/api/documents/1/approval", headers={"If-Match": str(version)})
    assert answer.json()["status"] == "done"
    data = (tmp_path / "approved" / "letter.txt").read_bytes()
    assert b"Ivo Brandt" in data
    assert b"Vexley" not in data
    raw = (tmp_path / "approved" / "letter.txt.certificate.json").read_text("utf-8")
    assert "Vexley" not in raw
    assert "Brandt" not in raw
    told = json.loads(raw)
    assert told["approved_sha256"] == hashlib.sha256(data).hexdigest()
    assert told["original_sha256"] == hashlib.sha256(LETTER.encode()).hexdigest()
    assert [one["reason"] for one in told["overrides"]] == ["public"]
    log = tmp_path / "approved" / "audit.jsonl"
    assert told["audit"]["hash"] == verify_log(log).hash
    corpus = client.get("/api/export").json()
    labels = {m["span_text"]: m["identifier_type"] for m in _list_mentions(corpus[0])}
    assert labels["Ivo Brandt"] == "NO_MASK"
    assert labels["Orla Vexley"] == "DIRECT"


def _list_mentions(document):
    return document["annotations"]["reviewed"]["entity_mentions"]


def test_a_leak_refuses_the_approval(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(PlainText, "write", lambda *_: LETTER.encode())
    client = desk.enter("Ana")
    refused = client.post("/api/documents/1/approval", headers={"If-Match": "0"})
    assert refused.status_code == 500
    assert "Vexley" not in refused.text
    assert not (tmp_path / "approved").exists()
    assert client.get("/api/documents/1").json()["status"] != "done"


def test_the_name_of_a_protected_person_stays_masked(desk):
    client = desk.enter("Ana")
    told = client.get("/api/documents/1").json()
    entity, mark = find_entity(told, "Orla Vexley")
    assert edit(client, 1, 0, do="unmask", entity=entity, mark=mark).status_code == 422
    assert client.get("/api/documents/1").json() == told


@pytest.fixture(params=["option", "policy"])
def paired(request, make_project, open_desk):
    """A desk at which a second reader is asked for, by the option of the command or by the policy."""
    if request.param == "option":
        return open_desk(make_project(second=True))
    asking = Policy.parse({"name": "paired", "extends": "court", "second_reader": True})
    return open_desk(make_project(policy=asking))


def send(client, status="to be confirmed"):
    answer = client.post("/api/documents/1/status", json={"status": status})
    assert answer.json()["status"] == status


def test_a_second_reader_is_another_person(paired, tmp_path):
    ana, ivo = paired.enter("Ana"), paired.enter("Ivo")
    assert ana.get("/api/me").json()["second"] is True
    entity, mark = find_entity(ana.get("/api/documents/1").json(), "Ivo Brandt")
    edit(ana, 1, 0, do="accept", entity=entity, mark=mark)
    assert approve(ivo, 1).status_code == 422
    send(ana)
    assert approve(ana, 1).status_code == 422
    assert not (tmp_path / "approved").exists()
    assert approve(ivo, 1).status_code == 200


def test_who_sent_an_unchanged_document_does_not_approve_it(paired, tmp_path):
    ana, ivo = paired.enter("Ana"), paired.enter("Ivo")
    send(ana)
    assert approve(ana, 1).status_code == 422
    assert not (tmp_path / "approved").exists()
    assert approve(ivo, 1).status_code == 200


def test_a_document_sent_back_or_changed_is_sent_again_first(paired):
    ana, ivo, mia = (paired.enter(name) for name in ("Ana", "Ivo", "Mia"))
    send(ana)
    send(ivo, "in work")
    assert approve(ivo, 1).status_code == 422
    send(ana)
    entity, mark = find_entity(ivo.get("/api/documents/1").json(), "Ivo Brandt")
    edit(ivo, 1, 0, do="accept", entity=entity, mark=mark)
    assert approve(ivo, 1).status_code == 422  # who edits is no second reader
    assert approve(mia, 1).status_code == 200
    edit(ana, 1, 1, do="accept", entity=entity, mark=mark)
    assert approve(mia, 1).status_code == 422


def test_two_people_who_correct_each_other_are_enough(paired):
    """Each edit was seen by another person than its author, who sent it on or approves it."""
    ana, ivo = paired.enter("Ana"), paired.enter("Ivo")
    entity, mark = find_entity(ana.get("/api/documents/1").json(), "Ivo Brandt")
    edit(ana, 1, 0, do="accept", entity=entity, mark=mark)
    send(ana)
    version = ivo.get("/api/documents/1").json()["version"]
    edit(ivo, 1, version, do="mask", entity=entity, mark=mark)
    assert approve(ana, 1).status_code == 422  # who sent it has not seen what came after
    send(ivo)
    assert approve(ivo, 1).status_code == 422
    assert approve(ana, 1).status_code == 200


def test_logs_and_addresses_hold_no_text(desk, caplog):
    with caplog.at_level(logging.DEBUG, logger="maskwise.server"):
        client = desk.enter("Ana")
        told = client.get("/api/documents/1").json()
        entity, mark = find_entity(told, "Ivo Brandt")
        edit(client, 1, 0, do="write", entity=entity, mark=mark, text="Quillfeather")
        client.get("/api/Vexley")
    lines = " ".join(record.getMessage() for record in caplog.records)
    assert lines
    for word in ("Vexley", "Brandt", "Quillfeather", "key="):
        assert word not in lines


def test_the_queue_begins_with_the_highest_risk(project):
    project.store.write_setting("risk:2", "0.9000")
    project.store.write_setting("risk:1", "0.1000")
    assert [one["id"] for one in project.list_queue()] == [2, 1]


def test_of_documents_without_a_risk_those_with_most_doubtful_mentions_come_first(make_project):
    project = make_project()
    for name, number in (("clear", 3), ("doubtful", 4), ("measured", 5)):
        assert project.take_in(f"{name}.txt", f"Ivo Brandt is {name}.".encode()) == number
    for at, count in enumerate((4, 0, 1, 9, 2), 1):
        project.store.write_setting(f"doubtful:{at}", str(count))
    project.store.write_setting("risk:5", "0.0010")
    project.store.write_setting("risk:2", "-")  # measured, and nobody was there to look for
    queue = project.list_queue()
    assert [one["id"] for one in queue] == [5, 4, 1, 3, 2]
    assert [one["risk"] for one in queue] == [0.001, None, None, None, None]


def test_the_doubtful_mentions_of_the_queue_are_those_of_the_page(make_project):
    project = make_project()
    project.take_in("vague.txt", VAGUE.encode())
    assert any(line["doubtful"] for line in project.list_queue())
    for line in project.list_queue():
        told = project.describe(line["id"])
        doubt = {one["id"]: one["doubt"] for one in told["entities"]}
        assert line["doubtful"] == sum(doubt[row[3]] >= 0.5 for row in told["marks"])


def test_progress_counts_documents(desk):
    client = desk.enter("Ana")
    client.post("/api/documents/1/status", json={"status": "in work"})
    assert client.get("/api/progress").json()["statuses"] == {
        "free": 1,
        "in work": 1,
        "to be confirmed": 0,
        "done": 0,
    }


def test_progress_counts_the_day_of_the_status_that_holds(annotation):
    """A step that somebody reads again changes nothing."""
    annotation.book.write(1, "Ivo", "status:Ana", status="done")
    annotation.book.write(1, "Ana", "status:Ana", step=2)
    ((_, count),) = annotation.book.count_progress()["days"]
    assert count == 1


@pytest.mark.parametrize("number", ["abc", "-1", "1e3", "9" * 30, "1%00", "../1"])
def test_odd_numbers_of_documents_are_refused(desk, number):
    client = desk.enter("Ana", ReviewRole.MANAGER)
    headers = {"If-Match": "0"}
    for path in ("", "/risk", "/pages/1"):
        assert client.get(f"/api/documents/{number}{path}").status_code in (404, 422)
    for path in ("/edits", "/steps", "/status", "/assignment", "/approval"):
        body = {"do": "accept", "kind": "undo", "status": "free", "names": []}
        answer = client.post(f"/api/documents/{number}{path}", json=body, headers=headers)
        assert answer.status_code in (404, 405, 422)


@pytest.mark.parametrize(
    "body",
    [
        "[" * 100_000,
        '{"do": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"do": "write", "entity": "e1", "text": "\\ud83d"}',
        '{"do": "unmask", "entity": "e1", "reason": "\\udc4d"}',
        '{"do": "mark", "spans": [[0, 9], [3, 12]], "type": "ORG", "scope": "occurrence"}',
        '{"do": "mark", "spans": [[NaN, 1e999]], "type": "ORG"}',
        '{"do": "level", "entity": "e1", "level": ' + "9" * 40 + "}",
    ],
)
def test_an_odd_body_is_refused_and_leaves_the_document_readable(desk, body):
    client = desk.enter("Ana")
    before = client.get("/api/documents/1").json()
    headers = {"If-Match": "0"}
    answer = client.post("/api/documents/1/edits", content=body, headers=headers)
    assert answer.status_code == 422
    assert client.get("/api/documents/1").json() == before


@pytest.mark.parametrize("other", ['a={"b": 1}', "a[0]=1", "a=b c,d", "\u00e9=1", "=", ";;", 'a="'])
def test_cookies_of_other_programs_do_no_harm(desk, other):
    client = desk.visit()
    session = desk.sessions.enter(desk.sessions.invite("Ana", ReviewRole.REVIEWER))
    cookie = f"{other}; maskwise_review_8392={session}".encode("latin-1")
    assert client.get("/api/me", headers={"Cookie": cookie}).status_code == 200


def test_two_projects_at_two_ports_have_two_sessions(desk):
    client = desk.enter("Ana")
    other = {"Host": "localhost:8393", "Origin": "http://localhost:8393"}
    assert client.get("/api/me").status_code == 200
    assert client.get("/api/me", headers=other).status_code == 401
    key = desk.sessions.invite("Ivo", ReviewRole.ANNOTATOR)
    assert client.get("/enter", params={"key": key}, headers=other).status_code == 303
    assert client.get("/api/me").json()["name"] == "Ana"


def test_a_session_is_never_chosen_by_whoever_enters(desk):
    """A cookie that somebody planted before is worth nothing after."""
    client = desk.visit()
    client.cookies.set("maskwise_review_8392", "planted")
    key = desk.sessions.invite("Ana", ReviewRole.REVIEWER)
    answer = client.get("/enter", params={"key": key})
    assert "planted" not in answer.headers["set-cookie"]
    other = desk.visit()
    other.cookies.set("maskwise_review_8392", "planted")
    assert other.get("/api/me").status_code == 401


def test_whatever_changes_an_approved_document_opens_it_again(desk):
    """An edit, an undo, a redo, and what somebody did to all documents of the batch."""
    client = desk.enter("Ana")

    def read(number):
        return client.get(f"/api/documents/{number}").json()

    doctor, mark = find_entity(read(1), "Ivo Brandt")
    edit(client, 1, 0, do="accept", entity=doctor, mark=mark)
    for kind in ("undo", "redo"):
        assert approve(client, 1).json()["status"] == "done"
        headers = {"If-Match": str(read(1)["version"])}
        assert client.post("/api/documents/1/steps", json={"kind": kind}, headers=headers)
        assert read(1)["status"] == "in work"
    assert approve(client, 2).json()["status"] == "done"
    version = read(1)["version"]
    body = {"do": "unmask", "entity": doctor, "mark": mark, "scope": "batch"}
    assert edit(client, 1, version, **body).json()["documents"] == 1
    assert read(2)["status"] == "in work"


def test_a_step_over_the_batch_is_undone_and_redone_as_one(desk):
    client = desk.enter("Ana")

    def list_actions():
        told = [client.get(f"/api/documents/{number}").json() for number in (1, 2)]
        return [get_entity(one, find_entity(one, "Ivo Brandt")[0])["action"] for one in told]

    def step(kind):
        headers = {"If-Match": str(client.get("/api/documents/1").json()["version"])}
        return client.post("/api/documents/1/steps", json={"kind": kind}, headers=headers).json()

    before = list_actions()
    entity, mark = find_entity(client.get("/api/documents/1").json(), "Ivo Brandt")
    edit(client, 1, 0, do="unmask", entity=entity, mark=mark, scope="batch")
    assert list_actions() == ["keep", "keep"]
    assert step("undo")["documents"] == 1
    assert list_actions() == before
    assert step("redo")["documents"] == 1
    assert list_actions() == ["keep", "keep"]
    other, mark = find_entity(client.get("/api/documents/2").json(), "Tom Reed")
    version = client.get("/api/documents/2").json()["version"]
    assert edit(client, 2, version, do="accept", entity=other, mark=mark).status_code == 200
    assert step("undo")["documents"] == 0  # something came after it there
    assert list_actions() == [before[0], "keep"]


def test_all_that_nobody_decided_is_accepted_in_one_step(desk):
    client = desk.enter("Ana")
    told = client.get("/api/documents/1").json()
    entity, mark = find_entity(told, "Ivo Brandt")
    edit(client, 1, 0, do="mask", entity=entity, mark=mark)
    version = client.get("/api/documents/1").json()["version"]
    answer = edit(client, 1, version, do="acceptAll").json()
    assert answer["undo"] == 2
    told = client.get("/api/documents/1").json()
    assert {one["id"] for one in told["entities"] if not one["accepted"]} == {entity}
    assert edit(client, 1, answer["version"], do="acceptAll").status_code == 422


def test_a_batch_goes_on_past_a_document_that_forbids_it(desk, monkeypatch):
    client = desk.enter("Ana")
    told = client.get("/api/documents/2").json()
    entity, mark = find_entity(told, "Ivo Brandt")
    planner = desk.app.state.service.project.open(1).planner

    def refuse(*_):
        raise PlanError("no plan")

    monkeypatch.setattr(planner, "plan", refuse)
    answer = edit(client, 2, 0, do="unmask", entity=entity, mark=mark, scope="batch")
    assert (answer.status_code, answer.json()["documents"]) == (200, 0)


def test_the_document_itself_is_never_written_over(project, open_desk, tmp_path):
    desk = open_desk(project)
    original = tmp_path / "approved" / "letter.txt"
    original.parent.mkdir()
    original.write_text(LETTER)
    answer = approve(desk.enter("Ana"), 1)
    assert answer.status_code == 422
    assert original.read_text() == LETTER
    assert [path.name for path in original.parent.iterdir()] == ["letter.txt"]


def test_no_file_without_its_certificate(desk, tmp_path, monkeypatch):
    """A disk that is full when the certificate is written leaves neither."""
    client = desk.enter("Ana")
    real = os.fsync
    calls = []

    def fail_late(handle):
        calls.append(handle)
        if len(calls) == 3:  # after the audit log and the file
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", fail_late)
    answer = approve(client, 1)
    assert answer.status_code == 507
    assert {path.name for path in (tmp_path / "approved").iterdir()} == {"audit.jsonl"}
    assert client.get("/api/documents/1").json()["status"] != "done"
