"""The routes of a review: documents, edits, risk, statuses and approval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Header, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from maskwise.server.review.approval import approve_document
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
from maskwise.server.review.exporting import export_review
from maskwise.server.review.pages import draw_page
from maskwise.server.review.people import ReviewRole
from maskwise.server.review.project import ReviewProject
from maskwise.server.review.status import STATUSES


def add_review_routes(app: FastAPI, project: ReviewProject, folder: Path) -> None:
    _add_overview(app, project)
    documents = route_documents(project.book)
    _add_reading(documents, project)
    _add_writing(documents, project)
    _add_deciding(documents, project, folder)
    app.include_router(documents)


def _add_overview(app: FastAPI, project: ReviewProject) -> None:
    @app.get("/api/me")
    def tell_me(request: Request) -> dict[str, Any]:
        person = get_person(request)
        policy = project.reviser.sanitizer.policy
        told = {"name": person.name, "role": person.role.value, "policy": policy.name}
        return {**told, "mode": "review", "second": project.needs_second}

    @app.get("/api/documents")
    def list_documents(request: Request) -> list[dict[str, Any]]:
        person = get_person(request)
        return [one for one in project.list_queue() if can_open(project.book, person, one["id"])]

    @app.get("/api/progress")
    def read_progress() -> dict[str, Any]:
        return project.book.count_progress()

    @app.get("/api/export")
    def read_export(request: Request) -> Response:
        expect_role(get_person(request), *LEADING)
        return answer_corpus(export_review(project))


def _add_reading(documents: APIRouter, project: ReviewProject) -> None:
    @documents.get("")
    def read_document(number: int) -> dict[str, Any]:
        return project.describe(number)

    @documents.get("/risk")
    def read_risk(number: int) -> dict[str, Any]:
        return project.measure(number)

    @documents.get("/pages/{page}")
    def read_page(number: int, page: int) -> Response:
        stored = project.store.read_document(number)
        return Response(draw_page(stored.name, stored.raw, page), media_type="image/png")


def _add_writing(documents: APIRouter, project: ReviewProject) -> None:
    @documents.post("/edits")
    async def edit(number: int, request: Request, if_match: str = Header("")) -> Any:
        body = await read_body(request)
        person = get_person(request)
        seen = read_version(if_match)
        show = lambda: project.describe(number)  # noqa: E731
        can_edit = lambda other: can_open(project.book, person, other)  # noqa: E731
        return await run_edit(project.edit, number, seen, body, person.name, can_edit, show=show)

    @documents.post("/steps")
    async def step(number: int, request: Request, if_match: str = Header("")) -> Any:
        kind = str((await read_body(request)).get("kind"))
        person = get_person(request)
        seen = read_version(if_match)
        show = lambda: project.describe(number)  # noqa: E731
        can_edit = lambda other: can_open(project.book, person, other)  # noqa: E731
        return await run_edit(project.step, number, seen, kind, person.name, can_edit, show=show)


def _add_deciding(documents: APIRouter, project: ReviewProject, folder: Path) -> None:
    @documents.post("/status")
    async def set_status(number: int, request: Request) -> Any:
        status = (await read_body(request)).get("status")
        if status not in STATUSES[:3]:
            raise HTTPException(422, f"a status is one of {', '.join(STATUSES[:3])}")
        project.store.read_document(number)
        name = get_person(request).name
        project.book.write(number, name, status=status)
        return project.book.read(number)

    @documents.post("/assignment")
    async def assign(number: int, request: Request) -> Any:
        person = get_person(request)
        expect_role(person, ReviewRole.MANAGER)
        project.store.read_document(number)
        project.book.assign(number, person.name, read_names(await read_body(request)))
        return {"assigned": project.book.read_assigned(number)}

    @documents.post("/approval")
    async def approve(number: int, request: Request, if_match: str = Header("")) -> Any:
        person = get_person(request)
        expect_role(person, *LEADING)
        seen = read_version(if_match)

        def work() -> Any:
            target = approve_document(project, number, seen, person.name, folder)
            return {"output": target.name, **project.book.read(number)}

        return await run_edit(work, show=lambda: project.describe(number))
