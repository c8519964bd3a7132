"""`create_review_app`: the review page and its routes behind the gate of the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Header, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from maskwise.errors import MaskwiseError
from maskwise.server.access import RateLimit
from maskwise.server.gate import Gate, Load
from maskwise.server.metrics import Metrics
from maskwise.server.recorder import Recorder, answer_http_error, answer_maskwise_error
from maskwise.server.review.approval import approve_document
from maskwise.server.review.people import COOKIE, Reviewer, ReviewRole, ReviewSessions
from maskwise.server.review.project import STATUSES, ReviewProject
from maskwise.server.review.store import StaleVersionError
from maskwise.server.settings import LoadSettings

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "json": "application/json"}
HOSTS = frozenset(("localhost", "127.0.0.1", "::1"))


@dataclass
class ReviewService:
    """What the routes share."""

    project: ReviewProject
    sessions: ReviewSessions
    folder: Path  # where approved files go
    metrics: Metrics


def create_review_app(project: ReviewProject, sessions: ReviewSessions, folder: Path) -> FastAPI:
    """Build the app of one project."""
    app = FastAPI(
        title="Maskwise review",
        version=version("maskwise"),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    service = ReviewService(project, sessions, folder, Metrics())
    app.state.service = service
    _add_page(app, service)
    _add_reading(app, service)
    _add_writing(app, service)
    app.add_exception_handler(MaskwiseError, answer_maskwise_error)
    app.add_exception_handler(HTTPException, answer_http_error)
    app.middleware("http")(_expect_own_origin)
    app.add_middleware(
        Gate,
        load=Load(LoadSettings()),
        hosts=HOSTS,
        authenticators=(sessions,),
        rate=RateLimit(None, 1),
        open_paths=frozenset(("/enter",)),
    )
    app.add_middleware(Recorder, metrics=service.metrics)
    return app


async def _expect_own_origin(
    request: Request, call: Callable[[Request], Awaitable[Response]]
) -> Response:
    """A request that writes says where it comes from; the gate has compared it with the host."""
    if request.method != "GET" and "origin" not in request.headers:
        return JSONResponse({"error": "a request that writes names its origin"}, 403)
    return await call(request)


def _add_page(app: FastAPI, service: ReviewService) -> None:
    page = files("maskwise.server.review") / "page"
    known = {each.name: each.read_bytes() for each in page.iterdir() if each.is_file()}

    def answer(name: str) -> Response:
        if name not in known:
            raise HTTPException(404, "there is no such page")
        kind = KINDS.get(name.rpartition(".")[2], "application/octet-stream")
        headers = {"Content-Security-Policy": PAGE_POLICY}
        return Response(known[name], media_type=f"{kind}; charset=utf-8", headers=headers)

    @app.get("/")
    def show_page() -> Response:
        return answer("index.html")

    @app.get("/page/{name}")
    def show_part(name: str) -> Response:
        return answer(name)

    @app.get("/enter")
    def enter(key: str = "") -> Response:
        session = service.sessions.enter(key)
        if session is None:
            raise HTTPException(403, "this link was used or is unknown; start the page again")
        response = RedirectResponse("/", 303)
        response.set_cookie(COOKIE, session, httponly=True, samesite="strict", path="/")
        return response


def _add_reading(app: FastAPI, service: ReviewService) -> None:
    project = service.project

    @app.get("/api/me")
    def tell_me(request: Request) -> dict[str, Any]:
        person = _get_person(request)
        policy = project.reviser.sanitizer.policy
        return {
            "name": person.name,
            "role": person.role.value,
            "policy": policy.name,
            "second": project.second,
        }

    @app.get("/api/documents")
    def list_documents() -> list[dict[str, Any]]:
        return project.list_queue()

    @app.get("/api/documents/{number}")
    def read_document(number: int) -> dict[str, Any]:
        return project.describe(number)

    @app.get("/api/documents/{number}/risk")
    def read_risk(number: int) -> dict[str, Any]:
        return project.measure(number)


def _add_writing(app: FastAPI, service: ReviewService) -> None:
    project = service.project

    @app.post("/api/documents/{number}/edits")
    async def edit(number: int, request: Request, if_match: str = Header("")) -> Any:
        body = await _read_body(request)
        author = _get_person(request).name
        expected = _read_version(if_match)
        return await _run(project, number, project.edit, number, expected, body, author)

    @app.post("/api/documents/{number}/steps")
    async def step(number: int, request: Request, if_match: str = Header("")) -> Any:
        kind = str((await _read_body(request)).get("kind"))
        author = _get_person(request).name
        expected = _read_version(if_match)
        return await _run(project, number, project.step, number, expected, kind, author)

    @app.post("/api/documents/{number}/status")
    async def set_status(number: int, request: Request) -> Any:
        body = await _read_body(request)
        person = _get_person(request)
        if body.get("status") not in STATUSES[:3]:
            raise HTTPException(422, f"a status is one of {', '.join(STATUSES[:3])}")
        fields = {"status": body["status"]}
        if fields["status"] == STATUSES[2]:
            fields["sender"] = person.name
        if "assigned" in body:
            _expect_role(person, ReviewRole.MANAGER)
            fields["assigned"] = str(body["assigned"])[:64]
        await run_in_threadpool(project.set_status, number, person.name, **fields)
        return project.find_status(number)

    @app.post("/api/documents/{number}/approval")
    async def approve(number: int, request: Request, if_match: str = Header("")) -> Any:
        person = _get_person(request)
        _expect_role(person, ReviewRole.REVIEWER, ReviewRole.MANAGER)
        if _read_version(if_match) != project.open(number).version:
            return _answer_stale(project, number)
        target = await run_in_threadpool(
            approve_document, project, number, person.name, service.folder
        )
        return {"output": target.name, **project.find_status(number)}


async def _run(project: ReviewProject, number: int, work: Callable[..., Any], *args: Any) -> Any:
    try:
        return await run_in_threadpool(work, *args)
    except StaleVersionError:
        return _answer_stale(project, number)


def _answer_stale(project: ReviewProject, number: int) -> JSONResponse:
    """Somebody else was quicker: the page gets the document as it is now and shows the difference."""
    return JSONResponse({"error": "somebody else changed this", **project.describe(number)}, 412)


def _get_person(request: Request) -> Reviewer:
    found = request.state.caller
    assert isinstance(found, Reviewer)
    return found


def _expect_role(person: Reviewer, *roles: ReviewRole) -> None:
    if person.role not in roles:
        raise HTTPException(403, f"this needs the role {' or '.join(roles)}")


async def _read_body(request: Request) -> dict[str, Any]:
    try:
        found = await request.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise HTTPException(422, "the body is a JSON object")
    return found


def _read_version(raw: str) -> int:
    if not raw.strip('"').isdecimal():
        raise HTTPException(428, "name the version that you saw in If-Match")
    return int(raw.strip('"'))
