"""Who edits never waits for a measuring, and a measuring that an edit overtook ends."""

import threading
import time

import pytest

from maskwise.crowd.measured import CrowdRisk
from maskwise.server.review.turns import SupersededError, Turns

from .conftest import edit, find_entity

LONG = 30  # seconds after which a thread that should have ended has failed


def test_a_measuring_waits_for_edits_and_then_goes_on():
    turns, steps = Turns(), []
    begun, stepped = threading.Event(), threading.Event()

    def measure():
        with turns.measure(lambda: False):
            begun.set()
            turns.give_way()
            steps.append("measured")
            stepped.set()

    with turns.edit():
        thread = threading.Thread(target=measure)
        thread.start()
        assert begun.wait(LONG)
        assert not stepped.wait(0.05)
        steps.append("edited")
    thread.join(LONG)
    assert steps == ["edited", "measured"]


def test_who_edits_does_not_wait_for_itself():
    turns = Turns()
    with turns.edit():
        turns.give_way()


def test_an_overtaken_measuring_ends():
    turns = Turns()
    with pytest.raises(SupersededError), turns.measure(lambda: True):
        turns.give_way()
    with turns.measure(lambda: False):
        turns.give_way()


def test_what_somebody_waits_for_is_measured_first():
    turns, steps = Turns(), []
    begun = threading.Event()

    def measure_queue():
        try:
            with turns.measure(lambda: False, is_wanted=False):
                begun.set()
                while True:
                    turns.give_way()
                    time.sleep(0.001)
        except SupersededError:
            steps.append("ended")
        with turns.measure(lambda: False, is_wanted=False):
            steps.append("begun again")

    thread = threading.Thread(target=measure_queue)
    thread.start()
    assert begun.wait(LONG)
    with turns.measure(lambda: False):
        steps.append("measured")
        turns.give_way()
        assert steps == ["ended", "measured"]
    thread.join(LONG)
    assert steps == ["ended", "measured", "begun again"]


def test_a_version_is_measured_once_however_many_ask(project, monkeypatch):
    calls = []
    opened = project.open(1)
    monkeypatch.setattr(opened.planner, "measure", lambda outlook: calls.append(outlook))
    told = []
    threads = [threading.Thread(target=lambda: told.append(project.measure(1))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert len(told) == 5
    assert len(calls) == 1
    entity = find_entity(project.describe(1), "Ivo Brandt")[0]
    project.edit(1, 0, {"do": "unmask", "entity": entity}, "Ana")
    assert project.measure(1)["version"] == opened.version
    assert calls == [calls[0], opened.outlook]


def test_an_edit_is_answered_while_the_crowd_is_asked(project, desk, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()
    told = []
    opened = project.open(1)

    def measure(outlook):
        begun.set()
        assert go_on.wait(LONG)
        project._turns.give_way()
        return CrowdRisk("none", 0)

    monkeypatch.setattr(opened.planner, "measure", measure)
    thread = threading.Thread(target=lambda: told.append(project.measure(1)))
    thread.start()
    assert begun.wait(LONG)
    client = desk.enter("Ana")
    entity, mark = find_entity(client.get("/api/documents/1").json(), "Ivo Brandt")
    assert edit(client, 1, 0, do="accept", entity=entity, mark=mark).status_code == 200
    go_on.set()
    thread.join(LONG)
    assert told == [{"stale": True}]
