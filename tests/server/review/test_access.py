"""Who may do what: every route by every role, on a document of one's own and on one assigned to somebody else."""

import json

import pytest

from maskwise.server.review.people import ReviewRole

from .conftest import OTHER, edit, find_entity

ANNOTATOR, REVIEWER, MANAGER = ReviewRole.ANNOTATOR, ReviewRole.REVIEWER, ReviewRole.MANAGER
EVERYBODY = {"own": ANNOTATOR, "other": ANNOTATOR, "reviewer": REVIEWER, "manager": MANAGER}
ALL = {"own", "other", "reviewer", "manager"}
HAVING = ALL - {"other"}  # whoever has the document
LEADING = {"reviewer", "manager"}
MARK = {"do": "mark", "spans": [[0, 2]], "type": "MISC", "scope": "occurrence"}
LAYER = "/api/documents/{number}/layers/{layer}"

# Who is let in, the body of a request that writes, and the layer that it is about.
REVIEW_ROUTES = {
    "GET /": (ALL, None),
    "GET /page/{name}": (ALL, None),
    "GET /api/me": (ALL, None),
    "GET /api/documents": (ALL, None),
    "GET /api/progress": (ALL, None),
    "GET /api/export": (LEADING, None),
    "GET /api/documents/{number}": (HAVING, None),
    "GET /api/documents/{number}/risk": (HAVING, None),
    "GET /api/documents/{number}/pages/{page}": (HAVING, None),
    "POST /api/documents/{number}/edits": (HAVING, MARK),
    "POST /api/documents/{number}/steps": (HAVING, {"kind": "undo"}),
    "POST /api/documents/{number}/status": (HAVING, {"status": "in work"}),
    "POST /api/documents/{number}/assignment": ({"manager"}, {"names": ["own"]}),
    "POST /api/documents/{number}/approval": (LEADING, {}),
}
ANNOTATION_ROUTES = {
    "GET /": (ALL, None),
    "GET /page/{name}": (ALL, None),
    "GET /api/me": (ALL, None),
    "GET /api/documents": (ALL, None),
    "GET /api/progress": (ALL, None),
    "GET /api/agreement": (LEADING, None),
    "GET /api/export": (LEADING, None),
    "GET /api/documents/{number}/difference": (LEADING, None),
    f"GET {LAYER}": (HAVING, None),
    f"POST {LAYER}/edits": (HAVING, MARK),
    f"POST {LAYER}/steps": (HAVING, {"kind": "undo"}),
    f"POST {LAYER}/status": (HAVING, {"step": 2}),
    "POST /api/documents/{number}/assignment": ({"manager"}, {"names": ["own"]}),
}
KINDS = {"review": REVIEW_ROUTES, "annotation": ANNOTATION_ROUTES}
CASES = [
    (kind, route, name) for kind, routes in KINDS.items() for route in routes for name in EVERYBODY
]


@pytest.fixture
def open_assigned(project, annotation, open_desk):
    """A desk whose first document is assigned to the annotator `own`."""

    def open_one(kind):
        chosen = project if kind == "review" else annotation
        chosen.book.assign(1, "manager", ["own"])
        return open_desk(chosen)

    return open_one


def call(client, route, body, layer="own"):
    method, _, path = route.partition(" ")
    address = path.format(name="app.js", number=1, page=0, layer=layer)
    return client.request(method, address, json=body, headers={"If-Match": "0"})


@pytest.mark.parametrize("kind", KINDS)
def test_the_tables_name_every_route(open_assigned, kind):
    schema = open_assigned(kind).app.openapi()
    known = {f"{method.upper()} {path}" for path, one in schema["paths"].items() for method in one}
    assert known - {"GET /enter"} == set(KINDS[kind])


@pytest.mark.parametrize(("kind", "route", "name"), CASES)
def test_a_route_lets_in_whom_the_table_names(open_assigned, kind, route, name):
    allowed, body = KINDS[kind][route]
    client = open_assigned(kind).enter(name, EVERYBODY[name])
    answer = call(client, route, body, layer=name)
    assert answer.status_code < 500
    assert (answer.status_code != 403) == (name in allowed)
    if name not in allowed:
        assert answer.json().keys() == {"error"}
        assert "Vexley" not in answer.text


@pytest.mark.parametrize("number", ["1", "+1", "01", " 1", "1.0", "%31", "1_"])
def test_no_other_way_to_write_a_number_opens_a_document(open_assigned, number):
    client = open_assigned("review").enter("other", ANNOTATOR)
    answer = client.get(f"/api/documents/{number}")
    assert answer.status_code in (403, 404, 422)
    assert "Vexley" not in answer.text


@pytest.mark.parametrize("kind", KINDS)
def test_the_queue_names_no_document_of_others(open_assigned, kind):
    desk = open_assigned(kind)
    shown = {
        name: [one["id"] for one in desk.enter(name, role).get("/api/documents").json()]
        for name, role in EVERYBODY.items()
    }
    assert {name for name, numbers in shown.items() if 1 in numbers} == HAVING


def test_what_is_done_to_all_documents_stops_at_those_of_others(open_assigned, project):
    desk = open_assigned("review")
    client = desk.enter("other", ANNOTATOR)
    told = client.get("/api/documents/2").json()
    assert told["text"] == OTHER
    entity, mark = find_entity(told, "Ivo Brandt")
    answer = edit(client, 2, 0, do="unmask", entity=entity, mark=mark, scope="batch")
    assert (answer.status_code, answer.json()["documents"]) == (200, 0)
    assert project.store.list_events(1, "review") == []


def test_a_layer_to_be_confirmed_stays_closed_to_whoever_lacks_its_document(open_assigned):
    desk = open_assigned("annotation")
    own, other = desk.enter("own", ANNOTATOR), desk.enter("other", ANNOTATOR)
    path = LAYER.format(number=1, layer="own")
    assert own.post(f"{path}/status", json={"status": "to be confirmed"}).status_code == 200
    assert other.get(path).status_code == 403
    assert other.post(f"{path}/status", json={"status": "done"}).status_code == 403
    reviewer = desk.enter("reviewer", REVIEWER)
    assert reviewer.post(f"{path}/status", json={"status": "done"}).json()["status"] == "done"


def test_a_status_is_never_nothing(open_assigned):
    client = open_assigned("annotation").enter("own", ANNOTATOR)
    path = LAYER.format(number=1, layer="own")
    client.post(f"{path}/status", json={"status": None, "step": None})
    assert client.get("/api/progress").status_code == 200
    assert json.loads(client.get(path).text)["status"] == "free"
