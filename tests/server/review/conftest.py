"""A review and an annotation project on invented letters, called without a network."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from maskwise.policy import Policy
from maskwise.revising import Reviser
from maskwise.sanitizer import Sanitizer
from maskwise.server.review.annotation import AnnotationProject
from maskwise.server.review.app import create_review_app
from maskwise.server.review.people import ReviewRole, ReviewSessions
from maskwise.server.review.project import ReviewProject
from maskwise.server.review.store import ReviewStore
from maskwise.text import Person

LETTER = (
    "Ms Orla Vexley of Leeds wrote on 3 May 1998.\n"
    "Orla Vexley had worked as a welder for Marl Foundry since 1991.\n"
    "Her doctor, Ivo Brandt, called 0161 496 0123.\n"
)
OTHER = "Ivo Brandt met Tom Reed in Graz on 4 June 2001.\n"
PROTECTED = (Person("Orla Vexley"),)


@pytest.fixture(scope="session")
def sanitizer():
    return Sanitizer(Policy.load("court"))


@pytest.fixture
def make_project(sanitizer, tmp_path):
    """Opens the same project again each time it is called."""

    def make(second=False, people=PROTECTED, policy=None):
        chosen = Sanitizer(policy) if policy else sanitizer
        project = ReviewProject(
            ReviewStore(tmp_path / "review.sqlite"), Reviser(chosen), people, second
        )
        project.take_in("letter.txt", LETTER.encode())
        project.take_in("other.txt", OTHER.encode())
        return project

    return make


@pytest.fixture
def project(make_project):
    return make_project()


@pytest.fixture
def annotation(sanitizer, tmp_path):
    found = AnnotationProject(ReviewStore(tmp_path / "annotation.sqlite"), sanitizer)
    found.take_in("letter.txt", LETTER.encode())
    return found


class Desk:
    """The app of a project, and a client per person."""

    def __init__(self, project, folder):
        self.sessions = ReviewSessions()
        self.app = create_review_app(project, self.sessions, folder)

    def visit(self):
        return TestClient(self.app, base_url="http://localhost:8392", follow_redirects=False)

    def enter(self, name, role=ReviewRole.REVIEWER):
        client = self.visit()
        answer = client.get("/enter", params={"key": self.sessions.invite(name, role)})
        assert answer.status_code == 303
        client.headers["Origin"] = "http://localhost:8392"
        return client


@pytest.fixture
def open_desk(tmp_path):
    return lambda project: Desk(project, tmp_path / "approved")


@pytest.fixture
def desk(project, open_desk):
    return open_desk(project)


def find_entity(described, text):
    """The entity of the first mark with this text, and the mark."""
    for mark, start, end, entity, *_ in described["marks"]:
        if described["text"][start:end] == text:
            return entity, mark
    raise AssertionError(f"{text} is not marked")


def get_entity(described, name):
    return next(one for one in described["entities"] if one["id"] == name)


def edit(client, number, version, **body):
    headers = {"If-Match": f'"{version}"'}
    return client.post(f"/api/documents/{number}/edits", json=body, headers=headers)
