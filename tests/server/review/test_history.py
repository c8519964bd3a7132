"""Events: undo and redo without end, nothing lost at a crash, many writers at once."""

import random
import threading

import pytest

from maskwise.errors import InputError
from maskwise.server.review.annotation import AnnotationProject, assign_documents
from maskwise.server.review.history import EDIT, UNDO, History, ReviewEvent
from maskwise.server.review.marks import MarkState
from maskwise.server.review.store import ReviewStore, StaleVersionError

from .conftest import edit, find_entity
from .random_edits import TEXT, dump, make_edit, run_and_kill


@pytest.mark.parametrize("seed", [0, 1])
def test_a_thousand_random_edits_undone_leave_the_same_bytes(seed):
    rng = random.Random(seed)
    history = History(MarkState())
    seen = [dump(history.state)]
    for _ in range(1000):
        event = ReviewEvent(EDIT, "Ana", make_edit(rng, history.state))
        history.add(event, history.preview(event))
        seen.append(dump(history.state))
    for before in reversed(seen[:-1]):
        event = ReviewEvent(UNDO, "Ana")
        history.add(event, history.preview(event))
        assert dump(history.state) == before
    with pytest.raises(InputError):
        history.preview(ReviewEvent(UNDO, "Ana"))


def test_replayed_events_lead_to_the_same_state(project, make_project):
    first = find_entity(project.describe(1), "Ivo Brandt")[0]
    for at in range(30):
        version = project.open(1).version
        do = "unmask" if at % 2 else "mask"
        project.edit(1, version, {"do": do, "entity": first}, "Ana")
        if at % 3 == 0:
            project.step(1, project.open(1).version, UNDO, "Ana")
    again = make_project()
    assert dump(again.open(1).history.state) == dump(project.open(1).history.state)
    assert again.describe(1) == project.describe(1)


def test_events_cannot_be_changed(tmp_path):
    store = ReviewStore(tmp_path / "p.sqlite")
    number = store.add_document("a", "0", b"", None)
    store.append(number, "review", ReviewEvent(EDIT, "Ana"))
    for statement in ("DELETE FROM event", "UPDATE event SET author = 'Ivo'"):
        with pytest.raises(Exception, match="events stay"):
            store._writer.execute(statement)
    assert (tmp_path / "p.sqlite").stat().st_mode & 0o077 == 0


def test_two_writers_with_one_version(tmp_path):
    store = ReviewStore(tmp_path / "p.sqlite")
    number = store.add_document("a", "0", b"", None)
    store.append(number, "review", ReviewEvent(EDIT, "Ana"), 0)
    with pytest.raises(StaleVersionError):
        store.append(number, "review", ReviewEvent(EDIT, "Ivo"), 0)


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "p.sqlite").write_text("no project " * 1000)
    with pytest.raises(InputError):
        ReviewStore(tmp_path / "p.sqlite")


def test_killed_at_five_moments_no_acknowledged_edit_is_lost(tmp_path):
    path = tmp_path / "p.sqlite"
    rng = random.Random(0)
    told = set()
    for _ in range(5):
        told |= run_and_kill(path, rng.randint(1, 40))
    kept = {event.seq for event in ReviewStore(path).list_events(1, "review")}
    assert told <= kept


def test_twenty_annotators_at_once_lose_nothing(sanitizer, tmp_path):
    project = AnnotationProject(ReviewStore(tmp_path / "p.sqlite"), sanitizer)
    (number,) = project.take_in("letter.txt", TEXT.encode())
    failures = []

    def work(name):
        try:
            for at in range(10):
                request = {
                    "do": "mark",
                    "spans": [[at, at + 1]],
                    "type": "ORG",
                    "scope": "occurrence",
                }
                version = project.open(number, name).version
                project.edit(number, version, request, name, name)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"a{at}",)) for at in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    again = AnnotationProject(ReviewStore(tmp_path / "p.sqlite"), sanitizer)
    (corpus,) = again.export()
    assert {layer.annotator: len(layer.annotations) for layer in corpus.layers} == {
        f"a{at}": 10 for at in range(20)
    }


def test_a_share_is_given_to_two_people():
    given = assign_documents(list(range(100)), ["Ana", "Ivo", "Mia"], 0.2)
    assert sum(len(names) == 2 for names in given.values()) == 20
    assert all(len(set(names)) == len(names) for names in given.values())


def test_a_full_disk_refuses_an_edit_and_the_next_one_goes_through(project, desk):
    client = desk.enter("Ana")
    told = client.get("/api/documents/1").json()
    entity, mark = find_entity(told, "Ivo Brandt")
    [[pages]] = project.store._writer.execute("PRAGMA page_count")
    project.store._writer.execute(f"PRAGMA max_page_count = {pages}")
    statuses = []
    version, full = 0, 0
    for at in range(400):
        answer = edit(client, 1, version, do="accept", entity=entity, mark=mark, reason="a" * 1000)
        statuses.append(answer.status_code)
        if answer.status_code == 200:
            version = answer.json()["version"]
            continue
        assert set(answer.json()) == {"error"}
        assert client.get("/api/documents/1").json()["version"] == version
        full = at
        break
    assert full
    assert set(statuses[:-1]) <= {200}
    assert statuses[-1] == 507
    project.store._writer.execute("PRAGMA max_page_count = 1000000")
    assert edit(client, 1, version, do="accept", entity=entity, mark=mark).status_code == 200
    events = project.store.list_events(1, "review")
    assert len(events) == full + 1
