"""`create_review_app`: the review page and its routes behind the gate of the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from maskwise.errors import MaskwiseError
from maskwise.server.access import RateLimit
from maskwise.server.answers import JsonAnswer
from maskwise.server.gate import Gate, Load
from maskwise.server.metrics import Metrics
from maskwise.server.recorder import (
    NO_TELEMETRY,
    Recorder,
    answer_http_error,
    answer_invalid_request,
    answer_maskwise_error,
)
from maskwise.server.review.annotation import AnnotationProject
from maskwise.server.review.annotation_routes import add_annotation_routes
from maskwise.server.review.people import ReviewSessions, name_cookie
from maskwise.server.review.project import ReviewProject
from maskwise.server.review.review_routes import add_review_routes
from maskwise.server.settings import LoadSettings

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
}
HOSTS = frozenset(("localhost", "127.0.0.1", "::1"))


@dataclass
class ReviewService:
    """The state that the routes share."""

    project: ReviewProject | AnnotationProject
    sessions: ReviewSessions
    folder: Path  # where approved files go
    metrics: Metrics


def create_review_app(
    project: ReviewProject | AnnotationProject, sessions: ReviewSessions, folder: Path
) -> FastAPI:
    """Build the app of one project."""
    app = FastAPI(
        title="Maskwise review",
        version=version("maskwise"),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        default_response_class=JsonAnswer,
        redirect_slashes=False,
        telemetry=NO_TELEMETRY,
    )
    service = ReviewService(project, sessions, folder, Metrics())
    app.state.service = service
    add_page(app, service.sessions)
    if isinstance(project, ReviewProject):
        add_review_routes(app, project, folder)
    else:
        add_annotation_routes(app, project)
    app.add_exception_handler(MaskwiseError, answer_maskwise_error)
    app.add_exception_handler(HTTPException, answer_http_error)
    app.add_exception_handler(RequestValidationError, answer_invalid_request)
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
        return JsonAnswer({"error": "a request that writes names its origin"}, 403)
    return await call(request)


def add_page(app: FastAPI, sessions: ReviewSessions) -> None:
    """The files of the page, and the link by which a person enters."""
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
    def enter(request: Request, key: str = "") -> Response:
        session = sessions.enter(key)
        if session is None:
            raise HTTPException(403, "this link was used or is unknown; start the page again")
        response = RedirectResponse("/", 303)
        cookie = name_cookie(request.headers.get("host", ""))
        response.set_cookie(cookie, session, httponly=True, samesite="strict", path="/")
        return response
