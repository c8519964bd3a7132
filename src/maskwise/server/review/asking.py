"""Helpers that the routes of review and annotation share: the caller, the version, and the answer to a late writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from maskwise.server.answers import JsonAnswer
from maskwise.server.review.people import Reviewer, ReviewRole
from maskwise.server.review.status import StatusBook
from maskwise.server.review.store import StaleVersionError
from maskwise.text.tab import AnnotatedDocument, dump_corpus

LEADING = (ReviewRole.REVIEWER, ReviewRole.MANAGER)


def route_documents(book: StatusBook) -> APIRouter:
    """The router of all routes of one document. Each refuses people who may not see the document."""

    def check(number: int, request: Request) -> None:
        if not can_open(book, get_person(request), number):
            raise HTTPException(403, "this document is assigned to others")

    return APIRouter(prefix="/api/documents/{number}", dependencies=[Depends(check)])


def can_open(book: StatusBook, person: Reviewer, number: int) -> bool:
    """Reviewers and managers have every document, an annotator what is assigned to them or to nobody."""
    assigned = () if person.role in LEADING else book.read_assigned(number)
    return not assigned or person.name in assigned


async def run_edit(work: Callable[..., Any], *args: Any, show: Callable[[], Any]) -> Any:
    """Run what writes. Where somebody else was quicker, the page gets what is there now and shows the difference."""
    try:
        return await run_in_threadpool(work, *args)
    except StaleVersionError:
        return answer_stale(await run_in_threadpool(show))


def answer_corpus(corpus: Sequence[AnnotatedDocument]) -> Response:
    """A corpus in TAB's format. Half of a character is written as an escape, which JSON reads again."""
    data = dump_corpus(corpus).encode("utf-8", "backslashreplace")
    return Response(data, media_type="application/json")


def answer_stale(now: Any) -> JsonAnswer:
    return JsonAnswer({"error": "somebody else changed this", "now": now}, 412)


def get_person(request: Request) -> Reviewer:
    found = request.state.caller
    assert isinstance(found, Reviewer)
    return found


def expect_role(person: Reviewer, *roles: ReviewRole) -> None:
    if person.role not in roles:
        raise HTTPException(403, f"this needs the role {' or '.join(roles)}")


async def read_body(request: Request) -> dict[str, Any]:
    try:
        found = await request.json()
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise HTTPException(422, "the body is a JSON object")
    return found


def read_version(raw: str) -> int:
    """The version that `If-Match` names."""
    bare = raw.strip('"')
    if not bare.isdecimal() or len(bare) > 18:
        raise HTTPException(428, "name the version that you saw in If-Match")
    return int(bare)


def read_names(body: dict[str, Any]) -> list[str]:
    names = body.get("names")
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise HTTPException(422, "`names` is a list of names")
    return [one[:64] for one in names][:16]
