"""Annotation: layers that only their annotator writes, TAB without loss, differences and agreement."""

import json

import pytest

from maskwise.evaluate.agreement import measure_agreement
from maskwise.server.review.annotation import AnnotationProject
from maskwise.server.review.people import ReviewRole
from maskwise.server.review.store import ReviewStore
from maskwise.text.tab import dump_corpus, parse_corpus

from .conftest import LETTER

TEXT = "Zoë 👩‍⚕️ مريم said: e\u0301tude 𝒳. Zoë left."
CORPUS = [
    {
        "doc_id": "d1",
        "text": TEXT,
        "task": "Task: Zoë",
        "meta": {"year": 2001},
        "annotations": {
            "annotator1": {
                "entity_mentions": [
                    {
                        "entity_type": "UNKNOWN",
                        "entity_mention_id": "d1_m1",
                        "start_offset": 0,
                        "end_offset": 3,
                        "span_text": "Zoë",
                        "edit_type": "check",
                        "identifier_type": "DIRECT",
                        "entity_id": "d1_e1",
                        "confidential_status": "NOT_CONFIDENTIAL",
                    }
                ],
                "note": 1,
            }
        },
    }
]


@pytest.fixture
def tab(sanitizer, tmp_path):
    project = AnnotationProject(ReviewStore(tmp_path / "t.sqlite"), sanitizer)
    project.take_in("corpus.json", json.dumps(CORPUS).encode())
    return project


def mark(client, layer, spans, version=0, **fields):
    body = {"do": "mark", "spans": spans, "type": "PERSON", **fields}
    headers = {"If-Match": str(version)}
    return client.post(f"/api/documents/1/layers/{layer}/edits", json=body, headers=headers)


def test_what_nobody_changed_is_exported_as_it_was_read(tab):
    assert json.loads(dump_corpus(tab.export())) == CORPUS


def test_a_changed_mention_keeps_what_the_format_does_not_know(tab):
    tab.edit(1, 0, {"do": "type", "type": "LOC", "entity": "d1_e1"}, "annotator1", "annotator1")
    (mention,) = json.loads(dump_corpus(tab.export()))[0]["annotations"]["annotator1"][
        "entity_mentions"
    ]
    assert mention["entity_type"] == "LOC"
    assert mention["edit_type"] == "check"


@pytest.mark.parametrize("word", ["👩‍⚕️", "مريم", "e\u0301tude", "𝒳", "Zoë"])
def test_the_exported_text_is_the_selected_one(tab, word):
    start = TEXT.index(word)
    request = {"do": "mark", "spans": [[start, start + len(word)]], "type": "MISC"}
    tab.edit(1, 0, {**request, "scope": "occurrence"}, "Ana", "Ana")
    (item,) = parse_corpus(json.loads(dump_corpus(tab.export())))
    assert item.layers[-1].annotations[0].mention.text == word


def test_equal_texts_link_by_themselves_and_can_be_split(annotation, open_desk):
    client = open_desk(annotation).enter("Ana", ReviewRole.ANNOTATOR)
    start = LETTER.index("Orla Vexley")
    told = mark(client, "Ana", [[start, start + 11]]).json()
    assert len(told["marks"]) == LETTER.count("Orla Vexley") == 2
    assert len({row[3] for row in told["marks"]}) == 1
    headers = {"If-Match": str(told["version"])}
    body = {"do": "split", "mark": told["marks"][1][0]}
    apart = client.post("/api/documents/1/layers/Ana/edits", json=body, headers=headers).json()
    assert len({row[3] for row in apart["marks"]}) == 2
    headers = {"If-Match": str(apart["version"])}
    body = {"kind": "undo"}
    back = client.post("/api/documents/1/layers/Ana/steps", json=body, headers=headers).json()
    assert back["marks"] == told["marks"]


def test_all_steps_of_a_mention(annotation, open_desk):
    client = open_desk(annotation).enter("Ana", ReviewRole.ANNOTATOR)
    told = mark(client, "Ana", [[3, 14]], identifier="QUASI", scope="occurrence").json()
    for body in (
        {"do": "identifier", "identifier": "DIRECT"},
        {"do": "confidential", "confidential": "HEALTH"},
    ):
        body |= {"entity": told["entities"][0]["id"], "mark": told["marks"][0][0]}
        headers = {"If-Match": str(told["version"])}
        told = client.post("/api/documents/1/layers/Ana/edits", json=body, headers=headers).json()
    (row,) = told["marks"]
    assert row[4:] == ["PERSON", "DIRECT", "HEALTH"]
    assert told["edits"] == [[3, 14, "[PERSON]"]]
    answer = client.post("/api/documents/1/layers/Ana/status", json={"step": 5})
    assert answer.json()["step"] == 5
    assert client.post("/api/documents/1/layers/Ana/status", json={"step": 9}).status_code == 422


def test_a_layer_is_written_by_its_annotator_alone(annotation, open_desk):
    desk = open_desk(annotation)
    ana, ivo = desk.enter("Ana", ReviewRole.ANNOTATOR), desk.enter("Ivo", ReviewRole.ANNOTATOR)
    mia = desk.enter("Mia", ReviewRole.MANAGER)
    assert mark(ana, "Ana", [[3, 14]]).status_code == 200
    path = "/api/documents/1/layers/Ana"
    assert mark(ivo, "Ana", [[0, 2]]).status_code == 403
    assert mark(mia, "Ana", [[0, 2]]).status_code == 403
    assert mark(ivo, "adjudicated", [[0, 2]]).status_code == 403
    assert ivo.get(path).status_code == 403
    assert mia.get(path).status_code == 200
    for leading in ("/api/agreement", "/api/export", "/api/documents/1/difference"):
        assert ivo.get(leading).status_code == 403
    assert ana.post(f"{path}/status", json={"status": "done"}).status_code == 403
    assert ivo.post(f"{path}/status", json={"status": "done"}).status_code == 403
    assert ana.post(f"{path}/status", json={"status": "to be confirmed"}).status_code == 200
    assert ivo.get(path).status_code == 200
    assert ivo.post(f"{path}/status", json={"status": "done"}).json()["status"] == "done"


def test_differences_agreement_and_adjudication(annotation, open_desk):
    desk = open_desk(annotation)
    ana, ivo = desk.enter("Ana", ReviewRole.ANNOTATOR), desk.enter("Ivo", ReviewRole.ANNOTATOR)
    mia = desk.enter("Mia", ReviewRole.MANAGER)
    first = mark(ana, "Ana", [[3, 14]], scope="occurrence").json()
    mark(ana, "Ana", [[18, 23]], first["version"], type="LOC", scope="occurrence")
    mark(ivo, "Ivo", [[3, 14]], scope="occurrence")
    rows = mia.get("/api/documents/1/difference").json()
    assert [(row["start"], row["same"]) for row in rows] == [(3, True), (18, False)]
    assert rows[1]["labels"].keys() == {"Ana"}
    told = mia.get("/api/agreement").json()
    expected = measure_agreement(annotation.export(), resamples=200)
    assert told[0]["fleiss"][0] == round(expected[0].scores["fleiss"].value, 4)
    mark(mia, "adjudicated", [[18, 23]], type="LOC", scope="occurrence")
    layers = mia.get("/api/export").json()[0]["annotations"]
    assert {name: len(one["entity_mentions"]) for name, one in layers.items()} == {
        "Ana": 2,
        "Ivo": 1,
        "adjudicated": 1,
    }
    assert mia.get("/api/documents/1/difference").json() == rows


@pytest.mark.parametrize("shown", [True, False])
def test_what_a_policy_found_is_hidden_or_shown_and_recorded(sanitizer, tmp_path, shown):
    store = ReviewStore(tmp_path / "d.sqlite")
    project = AnnotationProject(store, sanitizer, drafts=True, shows_draft=shown)
    project.take_in("letter.txt", LETTER.encode())
    assert bool(project.describe(1, "Ana")["marks"]) is shown
    if not shown:
        told = project.edit(1, 0, {"do": "draft"}, "Ana", "Ana")
        assert told["marks"]
    else:
        project.edit(1, 0, {"do": "mark", "spans": [[0, 2]], "type": "MISC"}, "Ana", "Ana")
    layer = json.loads(dump_corpus(project.export()))[0]["annotations"]["Ana"]
    assert layer["pre_annotation"] == "court"


def test_assigned_documents_are_shown_to_their_people(annotation, open_desk):
    desk = open_desk(annotation)
    ana, ivo = desk.enter("Ana", ReviewRole.ANNOTATOR), desk.enter("Ivo", ReviewRole.ANNOTATOR)
    mia = desk.enter("Mia", ReviewRole.MANAGER)
    mia.post("/api/documents/1/assignment", json={"names": ["Ana"]})
    assert [len(one.get("/api/documents").json()) for one in (ana, ivo, mia)] == [1, 0, 1]


def span(start, end, text, **more):
    fields = {"entity_type": "PERSON", "entity_mention_id": f"m{start}", "entity_id": "e1"}
    fields |= {"start_offset": start, "end_offset": end, "span_text": text[start:end]}
    labels = {"identifier_type": "DIRECT", "confidential_status": "NOT_CONFIDENTIAL"}
    return {**fields, "edit_type": "correct", **labels, **more}


ODD = {
    "half of a character": ("Zo\ud83d left", {"a": {"entity_mentions": [span(0, 3, "Zo\ud83d")]}}),
    "control characters": ("a\x00b\r\nc\u2028d", {}),
    "no layer": ("Zo left", {}),
    "an empty layer": ("Zo left", {"a": {"entity_mentions": []}, "b": {"entity_mentions": []}}),
    "names of layers": ("Zo", {name: {"entity_mentions": []} for name in ("a/b", "", "adjudicated", "layer:x", "Ana")}),
    "overlapping mentions": ("Zo left", {"a": {"entity_mentions": [span(0, 7, "Zo left"), span(0, 2, "Zo")]}}),
    "equal mentions": ("Zo left", {"a": {"entity_mentions": [span(0, 2, "Zo"), span(0, 2, "Zo")]}}),
    "another order": ("Zo left", {"a": {"entity_mentions": [span(3, 7, "Zo left"), span(0, 2, "Zo")]}}),
    "unknown keys": ("Zo left", {"a": {"entity_mentions": [span(0, 2, "Zo", note={"b": [1.5, None]})], "c": 10**30}}),
    "an empty text": ("", {}),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_an_odd_corpus_is_shown_and_exported_as_it_was_read(sanitizer, tmp_path, open_desk, name):
    text, layers = ODD[name]
    corpus = [
        {"doc_id": "d", "text": text, "annotations": layers, "meta": {"b": 1e-7, "c": 10**40}}
    ]
    project = AnnotationProject(ReviewStore(tmp_path / "odd.sqlite"), sanitizer)
    project.take_in("corpus.json", json.dumps(corpus).encode())
    client = open_desk(project).enter("Mia", ReviewRole.MANAGER)
    assert client.get("/api/documents/1/layers/Mia").json()["text"] == text
    for path in ("", "/1/difference"):
        assert client.get(f"/api/documents{path}").status_code == 200
    assert client.get("/api/agreement").status_code == 200
    assert client.get("/api/export").json() == corpus


def lay(start, text, entity, whole=LETTER, **labels):
    """A mention of TAB for the first occurrence of a text after an offset."""
    at = whole.index(text, start)
    return span(at, at + len(text), whole, entity_id=entity, **labels)


SICK = {"identifier_type": "QUASI", "confidential_status": "HEALTH"}
LAYERS = {
    # Ana links a pronoun to the name and keeps the second name apart; Ivo links the two names.
    "Ana": [lay(0, "Orla Vexley", "a1"), lay(9, "Orla Vexley", "a2"), lay(0, "Her", "a1", **SICK)],
    "Ivo": [lay(0, "Orla Vexley", "i1"), lay(9, "Orla Vexley", "i1"), lay(0, "Leeds", "i2", entity_type="LOC", **SICK)],
}  # fmt: skip


@pytest.fixture
def adjudicated(sanitizer, tmp_path):
    project = AnnotationProject(ReviewStore(tmp_path / "adj.sqlite"), sanitizer)
    layers = {name: {"entity_mentions": mentions} for name, mentions in LAYERS.items()}
    entry = {"doc_id": "d", "text": LETTER, "annotations": layers}
    project.take_in("corpus.json", json.dumps([entry]).encode())
    return project


def take(project, chosen):
    """Take `(number of the mention, layer)` and return what the corpus then has."""
    rows = []
    for at, layer in chosen:
        mention = LAYERS[layer][at]
        rows.append([mention["start_offset"], mention["end_offset"], layer])
    version = project.open(1, "adjudicated").version
    project.edit(1, version, {"do": "take", "rows": rows}, "Mia", "adjudicated")
    (corpus,) = json.loads(dump_corpus(project.export()))
    return corpus["annotations"]["adjudicated"]["entity_mentions"]


def list_labels(mentions):
    keys = ("span_text", "entity_type", "identifier_type", "confidential_status")
    return [tuple(one[key] for key in keys) for one in mentions]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_that_is_taken_keeps_its_labels_and_links(adjudicated, layer, at_once):
    chosen = [(at, layer) for at in range(3)]
    if not at_once:
        for one in chosen[:-1]:
            take(adjudicated, [one])
    found = take(adjudicated, chosen if at_once else chosen[-1:])
    assert list_labels(found) == list_labels(LAYERS[layer])
    given = [one["entity_id"] for one in LAYERS[layer]]
    names = [one["entity_id"] for one in found]
    assert [names.index(name) for name in names] == [given.index(name) for name in given]


def test_a_span_taken_again_is_taken_in_place_of_the_first(adjudicated):
    take(adjudicated, [(at, "Ana") for at in range(3)])
    found = take(adjudicated, [(1, "Ivo"), (2, "Ivo")])
    linked = {one["span_text"] + str(one["start_offset"]): one["entity_id"] for one in found}
    names = [linked[key] for key in linked if key.startswith("Orla")]
    assert len(found) == 4
    assert len(set(names)) == 1
    adjudicated.step(1, adjudicated.open(1, "adjudicated").version, "undo", "Mia", "adjudicated")
    assert len(adjudicated.open(1, "adjudicated").state.marks) == 3


def test_layers_that_link_otherwise_differ(adjudicated):
    rows = {row["start"]: row for row in adjudicated.compare(1)}
    first, second = LETTER.index("Orla"), LETTER.index("Orla", 9)
    assert [rows[at]["same"] for at in (first, second)] == [False, False]
    assert rows[second]["labels"]["Ivo"][3] == [first, first + 11]


def test_only_the_adjudicated_layer_is_made_of_those_of_others(adjudicated, open_desk):
    client = open_desk(adjudicated).enter("Tom", ReviewRole.ANNOTATOR)
    body = {"do": "take", "rows": [[3, 14, "Ana"]]}
    path = "/api/documents/1/layers/{}/edits"
    own = client.post(path.format("Tom"), json=body, headers={"If-Match": "0"})
    assert own.status_code == 422
    other = client.post(path.format("adjudicated"), json=body, headers={"If-Match": "0"})
    assert other.status_code == 403


@pytest.mark.parametrize(
    "rows",
    [None, [], "x", [[3, 14]], [[3, 14, "Zoe"]], [[3, 13, "Ana"]], [[3, "x", "Ana"]], [[3, 14, []]]],
)  # fmt: skip
def test_odd_rows_are_refused(adjudicated, open_desk, rows):
    client = open_desk(adjudicated).enter("Mia", ReviewRole.MANAGER)
    path = "/api/documents/1/layers/adjudicated/edits"
    answer = client.post(path, json={"do": "take", "rows": rows}, headers={"If-Match": "0"})
    assert answer.status_code == 422
    assert "Vexley" not in answer.text
