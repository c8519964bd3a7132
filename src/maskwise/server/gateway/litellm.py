"""The endpoint that LiteLLM's generic guardrail calls: masks a request's texts, restores those of its answer."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from maskwise.errors import MaskwiseError
from maskwise.server.gateway.placeholders import (
    BEGINNING,
    LONGEST,
    PlaceholderCount,
    PlaceholderTable,
    restore_whole,
)
from maskwise.server.gateway.prompts import mask_prompt
from maskwise.server.gateway.routes import read_object, report_count
from maskwise.server.service import Service, get_caller, get_service

router = APIRouter(tags=["gateway"])


@router.post("/beta/litellm_basic_guardrail_api")
async def guard(request: Request) -> JSONResponse:
    """Mask the texts of a call, or restore those of its answer. What cannot be masked is blocked."""
    body = await read_object(request)
    service = get_service(request)
    texts = body.get("texts") or []
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise HTTPException(422, "texts: a list of texts")
    caller, call = get_caller(request).name, f"litellm {body.get('litellm_call_id')}"
    if body.get("input_type") == "response":
        return _restore(service, texts, service.conversations.find(caller, call))
    if body.get("images"):
        return _block("images cannot be masked, so they are refused")
    table = service.conversations.find(caller, call) or PlaceholderTable()
    sanitizer = service.shelf.find()
    parts = {"texts": texts, "structured_messages": body.get("structured_messages")}
    try:
        prompt = await service.limit(
            service.engine.call(lambda: mask_prompt(sanitizer, parts, table))
        )
    except MaskwiseError as error:
        return _block(str(error))
    if prompt.result:
        service.metrics.count_results(sanitizer.policy.name, [prompt.result])
    service.conversations.keep(caller, call, table)
    answer: dict[str, Any] = {"action": "GUARDRAIL_INTERVENED", "texts": prompt.body["texts"]}
    if prompt.body["structured_messages"]:
        answer["structured_messages"] = prompt.body["structured_messages"]
    return JSONResponse(answer)


def _restore(service: Service, texts: list[str], table: PlaceholderTable | None) -> JSONResponse:
    """Restored texts, and how much at the end of each may be the beginning of a placeholder."""
    if (
        table is None
    ):  # another worker masked it, or too long ago: placeholders stay, and nothing is given away
        return JSONResponse({"action": "NONE"})
    count = PlaceholderCount()
    restored = restore_whole(texts, table, count)
    begun = [BEGINNING.search(text, max(0, len(text) - LONGEST)) for text in texts]
    held = [len(found[0]) if found else 0 for found in begun]
    report_count(service, count)
    return JSONResponse(
        {"action": "GUARDRAIL_INTERVENED", "texts": restored, "stream_holdback_chars": held}
    )


def _block(why: str) -> JSONResponse:
    return JSONResponse({"action": "BLOCKED", "blocked_reason": why})
