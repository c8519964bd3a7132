"""The routes of the gateway. A request is masked, checked and sent on; its answer is restored. It fails closed."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from starlette.exceptions import HTTPException

from maskwise.server.answers import JsonAnswer
from maskwise.server.gateway.dialects import read_anthropic, read_chat, read_responses
from maskwise.server.gateway.placeholders import PlaceholderCount, PlaceholderTable
from maskwise.server.gateway.prompts import MaskedPrompt, mask_prompt
from maskwise.server.gateway.streams import (
    LARGEST,
    StreamRestorer,
    list_json_keys,
    restore_value,
)
from maskwise.server.recorder import log_event, log_failure
from maskwise.server.service import Service, get_caller, get_service
from maskwise.server.settings import UpstreamSettings, read_secret_from

PASSED = (
    "anthropic-version",
    "anthropic-beta",
    "openai-beta",
    "openai-organization",
    "openai-project",
)
VERSIONS = re.compile(r"[A-Za-z0-9_.=:/-]+(?:[,;] ?[A-Za-z0-9_.=:/-]+)*")  # values of these headers
WAIT = re.compile(r"[0-9]{1,6}", re.ASCII)  # seconds, as a provider asks for them
COUNTS = "X-Maskwise-Placeholders"
router = APIRouter(tags=["gateway"])


@dataclass(frozen=True)
class Exchange:
    """One request on its way: where to, as whom, with what, and how its answer reads."""

    upstream: UpstreamSettings
    path: str
    headers: dict[str, str] = field(repr=False)
    prompt: MaskedPrompt = field(repr=False)
    dialect: Callable[..., Any]
    remember: Callable[[Any], None] = field(repr=False)
    json_keys: frozenset[str]


@router.post("/openai/v1/chat/completions")
async def chat(request: Request) -> Response:
    """OpenAI's chat completions."""
    return await _pass_on(request, "openai", "/chat/completions", read_chat)


@router.post("/openai/v1/responses")
async def responses(request: Request) -> Response:
    """OpenAI's responses."""
    return await _pass_on(request, "openai", "/responses", read_responses)


@router.post("/anthropic/v1/messages")
async def messages(request: Request) -> Response:
    """Anthropic's messages."""
    return await _pass_on(request, "anthropic", "/messages", read_anthropic)


async def _pass_on(request: Request, name: str, path: str, dialect: Callable[..., Any]) -> Response:
    service = get_service(request)
    upstream: UpstreamSettings | None = getattr(service.settings, name)
    if upstream is None:
        raise HTTPException(404, f"this gateway has no upstream; name `{name}` in its settings")
    body = await read_object(request)
    caller = get_caller(request).name
    table = _find_table(service, caller, body)
    sanitizer = service.shelf.find()
    hide = service.conversations.hide
    headers = _choose_headers(request, upstream, name, bool(service.settings.tokens))
    prompt = await service.limit(
        service.engine.call(lambda: mask_prompt(sanitizer, body, table, hide))
    )
    if prompt.result:
        service.metrics.count_results(sanitizer.policy.name, [prompt.result])

    def remember(answer: Any) -> None:
        if isinstance(answer, str) and path == "/responses":
            service.conversations.keep(caller, answer, table)

    json_keys = list_json_keys(body)
    exchange = Exchange(upstream, path, headers, prompt, dialect, remember, json_keys)
    try:
        async with asyncio.timeout(upstream.seconds):  # of a stream: until it begins
            found = await _send(service, exchange)
            if body.get("stream") is True and found.status_code < 400:
                return await _stream(service, exchange, found)
            return await _answer(service, exchange, found)
    except TimeoutError:
        raise HTTPException(504, "the upstream does not answer") from None


async def read_object(request: Request) -> dict[str, Any]:
    """The JSON object of a request. Half a character, which some clients cut off, becomes U+FFFD."""
    data = await request.body()
    try:
        body = json.loads(data, parse_constant=_refuse_constant)
        if b"\\u" in data:
            text = json.dumps(body, ensure_ascii=False).encode("utf-16", "surrogatepass")
            body = json.loads(text.decode("utf-16", "replace"))
    except (ValueError, RecursionError):
        raise HTTPException(400, "the body is not valid JSON") from None
    if not isinstance(body, dict):
        raise HTTPException(400, "the body is a JSON object")
    return body


def _refuse_constant(_: str) -> None:
    raise ValueError("NaN and infinity are no JSON")


def _find_table(service: Service, caller: str, body: dict[str, Any]) -> PlaceholderTable:
    """The table of a conversation that goes on, or a new one.

    If the provider holds texts whose placeholders are not known here, an answer could name the wrong person.
    """
    if body.get("conversation") is not None:
        raise HTTPException(
            422, "conversations by name are not known here; use previous_response_id"
        )
    before = body.get("previous_response_id")
    if before is None:
        return PlaceholderTable()
    found = service.conversations.find(caller, str(before))
    if found is None:
        raise HTTPException(
            409, "the gateway does not know this conversation; send its messages again"
        )
    return found


def _choose_headers(
    request: Request, upstream: UpstreamSettings, name: str, has_tokens: bool
) -> dict[str, str]:
    """Headers for the provider: the protocol's, and a key. A token of this server never leaves."""
    given = request.headers
    headers = {key: given[key] for key in PASSED if key in given}
    if not all(map(VERSIONS.fullmatch, headers.values())):
        raise HTTPException(400, "a header for the provider holds more than versions and ids")
    headers["content-type"] = "application/json"
    headers["accept-encoding"] = "identity"
    if upstream.key_file or upstream.key_env:
        key = read_secret_from(upstream.key_file, upstream.key_env, "a key")
        own = {"x-api-key": key} if name == "anthropic" else {"authorization": f"Bearer {key}"}
        return headers | own
    if has_tokens and "x-maskwise-token" not in given:
        return headers
    return headers | {key: given[key] for key in ("authorization", "x-api-key") if key in given}


async def _send(service: Service, exchange: Exchange) -> httpx.Response:
    """Send a masked request. The address is the one of the settings; nothing is followed elsewhere."""
    url = exchange.upstream.url.rstrip("/") + exchange.path
    wait = httpx.Timeout(exchange.upstream.seconds)
    request = service.http.build_request(
        "POST", url, content=exchange.prompt.data, headers=exchange.headers, timeout=wait
    )
    try:
        return await service.http.send(request, stream=True)
    except httpx.TimeoutException:
        raise HTTPException(504, "the upstream does not answer") from None
    except (httpx.HTTPError, httpx.InvalidURL):
        raise HTTPException(502, "the upstream cannot be reached") from None


async def _read_whole(found: httpx.Response) -> bytes:
    """The bytes of an answer, no more than the gateway holds."""
    data = bytearray()
    try:
        async for piece in found.aiter_bytes():
            data += piece
            if len(data) > LARGEST:
                raise HTTPException(502, "the answer of the upstream is too large")
    except httpx.TimeoutException:
        raise HTTPException(504, "the upstream does not answer") from None
    except httpx.HTTPError:
        raise HTTPException(502, "the upstream broke off") from None
    finally:
        await found.aclose()
    return bytes(data)


async def _answer(service: Service, exchange: Exchange, found: httpx.Response) -> Response:
    count = PlaceholderCount()
    data = await _read_whole(found)
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        raise HTTPException(
            502, f"the upstream answered {found.status_code} without JSON"
        ) from None
    if isinstance(answer, dict):
        exchange.remember(answer.get("id"))
    restored = restore_value(answer, exchange.prompt.table, count, exchange.json_keys)
    report_count(service, count)
    headers = {COUNTS: count.describe()}
    if WAIT.fullmatch(wait := found.headers.get("retry-after", "")):
        headers["Retry-After"] = wait
    return JsonAnswer(restored, found.status_code, headers)


async def _stream(service: Service, exchange: Exchange, found: httpx.Response) -> Response:
    if "event-stream" not in found.headers.get("content-type", ""):
        await found.aclose()
        raise HTTPException(502, f"the upstream answered {found.status_code} without a stream")
    restorer = StreamRestorer(exchange.dialect, exchange.prompt.table, exchange.json_keys)

    async def restore() -> AsyncIterator[bytes]:
        try:
            async for data in found.aiter_bytes():
                if ready := restorer.feed(data):
                    yield ready
            if ready := restorer.finish():
                yield ready
        except Exception as error:  # the answer has begun: only an event can say that it fails
            log_failure(error)
            yield b'event: error\ndata: {"error": "the upstream broke off"}\n\n'
        finally:
            await found.aclose()
            exchange.remember(restorer.answer)
            report_count(service, restorer.count)

    return StreamingResponse(restore(), media_type="text/event-stream")


def report_count(service: Service, count: PlaceholderCount) -> None:
    for kind in ("restored", "unknown", "damaged"):
        number = getattr(count, kind)
        service.metrics.placeholders.labels(kind).inc(number)
    if count.unknown or count.damaged:
        log_event("placeholders", unknown=count.unknown, damaged=count.damaged)
