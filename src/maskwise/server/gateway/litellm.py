"""The endpoint that LiteLLM's generic guardrail calls: masks a request's texts, restores those of its answer."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException

from maskwise.errors import MaskwiseError
from maskwise.server.answers import JsonAnswer
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

RETURNED = ("structured_messages", "tools")  # what LiteLLM takes back masked, beside texts
router = APIRouter(tags=["gateway"])


@router.post("/beta/litellm_basic_guardrail_api")
async def guard(request: Request) -> JsonAnswer:
    """Mask the texts of a call, or restore those of its answer. What cannot be masked is blocked."""
    body = await read_object(request)
    service = get_service(request)
    texts = body.get("texts") or []
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise HTTPException(422, "texts: a list of texts")
    # Without an id nobody can tell whose answer comes back, so nothing is remembered.
    given = body.get("litellm_call_id")
    caller, call = get_caller(request).name, f"litellm {given}" if given else ""
    known = service.conversations.find(caller, call) if call else None
    if body.get("input_type") == "response":
        return _restore(service, texts, known)
    if body.get("images"):
        return _block("images cannot be masked, so they are refused")
    table = known or PlaceholderTable()
    sanitizer = service.shelf.find()
    parts = {"texts": texts, **{key: body.get(key) for key in RETURNED}}
    calls = body.get("tool_calls") if not parts["structured_messages"] else None
    parts["tool_calls"] = calls
    try:
        prompt = await service.limit(
            service.engine.call(lambda: mask_prompt(sanitizer, parts, table))
        )
    except MaskwiseError as error:
        return _block(str(error))
    if prompt.result:
        service.metrics.count_results(sanitizer.policy.name, [prompt.result])
    if prompt.body["tool_calls"] != calls:
        return _block("tool arguments hold names, and this call takes no masked ones back")
    if call:
        service.conversations.keep(caller, call, table)
    answer: dict[str, Any] = {"action": "GUARDRAIL_INTERVENED", "texts": prompt.body["texts"]}
    answer |= {key: prompt.body[key] for key in RETURNED if prompt.body[key]}
    return JsonAnswer(answer)


def _restore(service: Service, texts: list[str], table: PlaceholderTable | None) -> JsonAnswer:
    """Restored texts, and how much at the end of each may be the beginning of a placeholder."""
    if (
        table is None
    ):  # another worker masked it, or too long ago: placeholders stay, and nothing is given away
        return JsonAnswer({"action": "NONE"})
    count = PlaceholderCount()
    restored = restore_whole(texts, table, count)
    begun = [BEGINNING.search(text, max(0, len(text) - LONGEST)) for text in texts]
    held = [len(found[0]) if found else 0 for found in begun]
    report_count(service, count)
    return JsonAnswer(
        {"action": "GUARDRAIL_INTERVENED", "texts": restored, "stream_holdback_chars": held}
    )


def _block(why: str) -> JsonAnswer:
    return JsonAnswer({"action": "BLOCKED", "blocked_reason": why})
