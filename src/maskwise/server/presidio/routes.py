"""The routes of Presidio's two services, on one server. Bodies, statuses and messages are theirs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from starlette.exceptions import HTTPException

from maskwise.server.answers import JsonAnswer
from maskwise.server.presidio.adhoc import PatternError
from maskwise.server.presidio.analyzer import (
    LANGUAGE,
    AnalyzeRequest,
    RequestError,
    describe_results,
    is_read,
    list_entities,
    list_recognizers,
)
from maskwise.server.presidio.anonymizer import OutputRoom, anonymize, deanonymize
from maskwise.server.presidio.operators import ANONYMIZERS, DEANONYMIZERS, parse_choices
from maskwise.server.presidio.parameters import ParameterError
from maskwise.server.recorder import log_failure
from maskwise.server.service import get_service

NOT_JSON = (
    "Did not attempt to load JSON data because the request Content-Type was not 'application/json'."
)
BROKEN_JSON = "The browser (or proxy) sent a request that this server could not understand."
INTERNAL = (
    "The server encountered an internal error and was unable to complete your request. Either the server is overloaded "
    "or there is an error in the application."
)
WARNING = "X-Maskwise-Warning"
router = APIRouter(tags=["presidio"])


@router.get("/health", response_class=PlainTextResponse)
async def health() -> str:
    return "Presidio Analyzer service is up"


@router.post("/analyze")
async def analyze(request: Request) -> Response:
    """Find what the server's policy masks, under Presidio's names."""
    service = get_service(request)
    try:
        raw = await _read_json(request)
        parsed = await service.limit(service.engine.call(lambda: AnalyzeRequest.parse(raw)))
    except HTTPException as error:
        if error.status_code in (400, 415):
            raise HTTPException(500, INTERNAL) from None
        raise
    except PatternError as error:
        return JsonAnswer({"error": str(error)}, error.status)
    except RequestError as error:
        return JsonAnswer({"error": str(error)}, 500)
    except TypeError:
        message = "Failed to parse /analyze request for AnalyzerEngine.analyze()."
        return JsonAnswer({"error": message}, 400)
    except (AttributeError, LookupError, ValueError, OverflowError) as error:
        return JsonAnswer({"error": f"the request cannot be read ({type(error).__name__})"}, 500)
    if len(parsed.texts) > service.settings.load.texts:
        raise HTTPException(413, f"a request has at most {service.settings.load.texts:,} texts")
    results = await service.sanitize(service.shelf.find(), parsed.texts)
    try:
        described = await service.limit(
            service.engine.call(lambda: describe_results(parsed, results))
        )
    except PatternError as error:
        return JsonAnswer({"error": str(error)}, error.status)
    return JsonAnswer(described if parsed.is_list else described[0], headers=_warn(parsed.language))


@router.post("/anonymize")
async def anonymize_text(request: Request) -> Response:
    """Apply operators to the results of an analyser."""

    def work(content: Any) -> Any:
        room = OutputRoom()
        choices = parse_choices(content.get("anonymizers"))
        if any(choice.name == "custom" for choice in choices.values()):
            raise HTTPException(400, "Custom type anonymizer is not supported")
        text = content.get("text", "")
        if isinstance(text, list):
            pairs = _pair_up("analyzer_results", content, text)
            return [anonymize(each, results, choices, room) for each, results in pairs]
        return anonymize(text, content.get("analyzer_results"), choices, room)

    return await _answer(request, work)


@router.post("/deanonymize")
async def deanonymize_text(request: Request) -> Response:
    """Turn texts back that the operator `encrypt` wrote, with the key of the client."""

    def work(content: Any) -> Any:
        text = content.get("text", "")
        room = OutputRoom()
        choices = parse_choices(content.get("deanonymizers"))
        if isinstance(text, list):
            pairs = _pair_up("anonymizer_results", content, text)
            return [deanonymize(each, results, choices, room) for each, results in pairs]
        return deanonymize(text, content.get("anonymizer_results"), choices, room)

    return await _answer(request, work)


@router.get("/anonymizers")
async def anonymizers() -> list[str]:
    return list(ANONYMIZERS)


@router.get("/deanonymizers")
async def deanonymizers() -> list[str]:
    return list(DEANONYMIZERS)


@router.get("/recognizers")
async def recognizers(request: Request, language: str = LANGUAGE) -> JsonAnswer:
    parts = get_service(request).shelf.find().policy.detectors
    return JsonAnswer(list_recognizers(part.kind for part in parts), headers=_warn(language))


@router.get("/supportedentities")
async def supported_entities(language: str = LANGUAGE) -> JsonAnswer:
    return JsonAnswer(list_entities(), headers=_warn(language))


def _warn(language: str) -> dict[str, str]:
    """A header for a language that the policy does not read. An error would make clients send texts in clear."""
    if is_read(language):
        return {}
    return {
        WARNING: "language not supported; only codes, dates and amounts with a known shape are found"
    }


async def _read_json(request: Request) -> Any:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind != "application/json" and not kind.endswith("+json"):
        raise HTTPException(415, NOT_JSON)
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, BROKEN_JSON) from None


async def _answer(request: Request, work: Callable[[Any], Any]) -> Response:
    content = await _read_json(request)
    if not content:
        raise HTTPException(400, "Invalid request json")
    service = get_service(request)
    try:
        answer = await service.limit(service.engine.call(lambda: work(content)))
        return JsonAnswer(answer)
    except ParameterError as error:
        return JsonAnswer({"error": str(error)}, 422)
    except HTTPException:
        raise
    except Exception as error:
        log_failure(error)
        return JsonAnswer({"error": "Internal server error"}, 500)


def _pair_up(name: str, content: Any, texts: Sequence[str]) -> list[tuple[str, Any]]:
    """Each text of a list with its own results."""
    found = content.get(name)
    if found is None:
        return [(text, []) for text in texts]
    if len(found) != len(texts):
        raise ParameterError(
            f"Invalid input, '{name}' must contain one list of results per item in 'text' when 'text' is a list "
            f"({len(texts)} text items, {len(found)} '{name}' items)"
        )
    return list(zip(texts, found, strict=True))
