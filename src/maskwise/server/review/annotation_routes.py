"""The routes of annotation: layers, their difference, agreement, and the corpus.

An annotator reads and writes one layer, their own. Another's layer is shown to whoever checks it in pairs once it is
to be confirmed, and to reviewers and managers.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI, Header, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from maskwise.server.review.annotation import STEP, AnnotationProject
from maskwise.server.review.asking import (
    LEADING,
    answer_corpus,
    can_open,
    expect_role,
    get_person,
    read_body,
    read_names,
    read_version,
    route_documents,
    run_edit,
)
from maskwise.server.review.layers import ADJUDICATED
from maskwise.server.review.people import Reviewer, ReviewRole
from maskwise.server.review.status import DONE, TO_CONFIRM

STEPS = 6  # read, mark, identifier, confidential, link, masked text


def add_annotation_routes(app: FastAPI, project: AnnotationProject) -> None:
    _add_overview(app, project)
    documents = route_documents(project.book)
    _add_leading(documents, project)
    _add_layers(documents, project)
    app.include_router(documents)


def _add_overview(app: FastAPI, project: AnnotationProject) -> None:
    @app.get("/api/me")
    def tell_me(request: Request) -> dict[str, Any]:
        person = get_person(request)
        policy = project.sanitizer.policy.name if project.drafts else ""
        told = {"name": person.name, "role": person.role.value, "policy": policy}
        hidden = project.drafts and not project.shows_draft
        return {**told, "mode": "annotate", "second": True, "hidden_draft": hidden}

    @app.get("/api/documents")
    def list_documents(request: Request) -> list[dict[str, Any]]:
        person = get_person(request)
        queue = project.list_queue(person.name, person.role in LEADING)
        return [one for one in queue if can_open(project.book, person, one["id"])]

    @app.get("/api/progress")
    def read_progress() -> dict[str, Any]:
        return project.book.count_progress()

    @app.get("/api/agreement")
    def read_agreement(request: Request) -> list[dict[str, Any]]:
        expect_role(get_person(request), *LEADING)
        return project.measure()

    @app.get("/api/export")
    def read_export(request: Request) -> Response:
        expect_role(get_person(request), *LEADING)
        return answer_corpus(project.export())


def _add_leading(documents: APIRouter, project: AnnotationProject) -> None:
    @documents.get("/difference")
    def read_difference(number: int, request: Request) -> list[dict[str, Any]]:
        expect_role(get_person(request), *LEADING)
        return project.compare(number)

    @documents.post("/assignment")
    async def assign(number: int, request: Request) -> Any:
        person = get_person(request)
        expect_role(person, ReviewRole.MANAGER)
        project.read_item(number)
        project.book.assign(number, person.name, read_names(await read_body(request)))
        return {"assigned": project.book.read_assigned(number)}


def _add_layers(documents: APIRouter, project: AnnotationProject) -> None:
    @documents.get("/layers/{layer}")
    def read_layer(number: int, layer: str, request: Request) -> dict[str, Any]:
        _expect_reader(project, get_person(request), number, layer)
        return project.describe(number, layer)

    @documents.post("/layers/{layer}/edits")
    async def edit(number: int, layer: str, request: Request, if_match: str = Header("")) -> Any:
        body = await read_body(request)
        name = _expect_writer(get_person(request), layer)
        seen = read_version(if_match)
        show = lambda: project.describe(number, layer)  # noqa: E731
        return await run_edit(project.edit, number, seen, body, name, layer, show=show)

    @documents.post("/layers/{layer}/steps")
    async def step(number: int, layer: str, request: Request, if_match: str = Header("")) -> Any:
        kind = str((await read_body(request)).get("kind"))
        name = _expect_writer(get_person(request), layer)
        seen = read_version(if_match)
        show = lambda: project.describe(number, layer)  # noqa: E731
        return await run_edit(project.step, number, seen, kind, name, layer, show=show)

    @documents.post("/layers/{layer}/status")
    async def set_status(number: int, layer: str, request: Request) -> Any:
        body = await read_body(request)
        person = get_person(request)
        project.read_item(number)
        fields = {key: body[key] for key in ("status", "step") if body.get(key) is not None}
        if fields.get("step", 1) not in range(1, STEPS + 1):
            raise HTTPException(422, f"a step is a number from 1 to {STEPS}")
        _expect_confirmer(project, person, number, layer, fields.get("status"))
        project.book.write(number, person.name, STEP + layer, **fields)
        return project.book.read(number, STEP + layer)


def _expect_writer(person: Reviewer, layer: str) -> str:
    is_own = layer == person.name and layer != ADJUDICATED
    if not is_own and not (layer == ADJUDICATED and person.role in LEADING):
        raise HTTPException(403, "a layer is written by its annotator alone")
    return person.name


def _expect_reader(project: AnnotationProject, person: Reviewer, number: int, layer: str) -> None:
    is_own = layer == person.name
    told = project.book.read(number, STEP + layer)["status"]
    if not is_own and person.role not in LEADING and told not in (TO_CONFIRM, DONE):
        raise HTTPException(403, "this layer is shown when its annotator asks for a second reader")


def _expect_confirmer(
    project: AnnotationProject, person: Reviewer, number: int, layer: str, status: str | None
) -> None:
    """The masked text is reviewed in pairs: its annotator sends it, another person is done with it."""
    now = project.book.read(number, STEP + layer)
    if layer == ADJUDICATED:
        expect_role(person, *LEADING)
        return
    if status == DONE and (person.name == layer or now["status"] != TO_CONFIRM):
        raise HTTPException(403, "another person than its annotator confirms a layer")
    is_writer = person.name == layer
    is_sent_back = now["status"] == TO_CONFIRM and status == "in work"
    if status != DONE and not is_writer and not is_sent_back:
        raise HTTPException(403, "a layer is written by its annotator alone")
