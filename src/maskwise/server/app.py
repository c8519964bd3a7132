"""`create_app`: the routes of the server behind its gate, as one ASGI app."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from maskwise.errors import MaskwiseError
from maskwise.server import job_routes, native
from maskwise.server.access import Authenticator, RateLimit, TokenTable
from maskwise.server.answers import JsonAnswer
from maskwise.server.gate import Gate
from maskwise.server.gateway import litellm
from maskwise.server.gateway import routes as gateway
from maskwise.server.presidio import routes as presidio
from maskwise.server.recorder import (
    NO_TELEMETRY,
    Recorder,
    answer_http_error,
    answer_invalid_request,
    answer_maskwise_error,
)
from maskwise.server.service import Service
from maskwise.server.settings import ServerSettings, read_secret_from

LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
PROBES = ("livez", "readyz", "metrics")  # also found where probes expect them


def create_app(
    settings: ServerSettings | None = None,
    service: Service | None = None,
    authenticators: Sequence[Authenticator] = (),
) -> FastAPI:
    """Build the app. `authenticators` come before the tokens of the settings."""
    settings = settings or ServerSettings()
    service = service or Service.build(settings)
    app = FastAPI(
        title="Maskwise",
        version=version("maskwise"),
        lifespan=_live,
        docs_url=None,  # its pages load scripts from elsewhere
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        default_response_class=JsonAnswer,
        redirect_slashes=False,  # a redirect would repeat what a client wrote in its address
        telemetry=NO_TELEMETRY,
    )
    app.state.service = service
    _add_routes(app)
    app.add_exception_handler(MaskwiseError, answer_maskwise_error)
    app.add_exception_handler(HTTPException, answer_http_error)
    app.add_exception_handler(RequestValidationError, answer_invalid_request)
    load = settings.load
    # The last middleware that is added comes first: everything is recorded, also what the gate refuses.
    app.add_middleware(
        Gate,
        load=service.load,
        hosts=list_hosts(settings),
        authenticators=(*authenticators, *_read_tokens(settings)),
        rate=RateLimit(load.rate, load.burst),
    )
    app.add_middleware(Recorder, metrics=service.metrics)
    return app


def _add_routes(app: FastAPI) -> None:
    app.include_router(native.router)
    app.include_router(job_routes.router)
    app.include_router(presidio.router)
    app.include_router(gateway.router)
    app.include_router(litellm.router)
    for name in PROBES:
        route: Any = getattr(native, name)
        app.add_api_route(f"/{name}", route, include_in_schema=False)


@asynccontextmanager
async def _live(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    await service.start()
    try:
        yield
    finally:
        await service.http.aclose()
        service.close()


def list_hosts(settings: ServerSettings) -> frozenset[str]:
    """The names under which clients may address the server. Another name is a trick of some web page."""
    own = {settings.host.casefold(), *(host.casefold() for host in settings.hosts)}
    return frozenset(own | LOOPBACK)


def _read_tokens(settings: ServerSettings) -> tuple[TokenTable, ...]:
    if not settings.tokens:
        return ()
    secrets = [
        (each.name, read_secret_from(each.file, each.env, "a token"), each.scopes)
        for each in settings.tokens
    ]
    return (TokenTable.build(secrets),)
