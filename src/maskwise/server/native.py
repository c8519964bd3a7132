"""The native API under `/v1`: sanitise, analyse, measure the risk, restore, and say how the server is."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from maskwise.files import restore_file
from maskwise.lm import folder
from maskwise.mask.shared_vault import AnyVault
from maskwise.result import Result
from maskwise.server.answers import JsonAnswer
from maskwise.server.engine import LONG
from maskwise.server.job_runner import describe_result
from maskwise.server.restoring import RestoreLog, restore_texts
from maskwise.server.schemas import (
    AnalysedAnswer,
    HealthAnswer,
    RestoreBody,
    RestoredAnswer,
    ResultsAnswer,
    TextsBody,
)
from maskwise.server.service import Service, get_caller, get_service
from maskwise.server.settings import LoadSettings
from maskwise.server.uploads import Upload, answer_file, mask_upload, read_upload
from maskwise.text import Evidence

FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "policy": {"type": "string"},
                        "protect": {"type": "array", "items": {"type": "string"}},
                    },
                }
            }
        },
    }
}
FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The masked file.", "content": {"application/octet-stream": {}}}
}
router = APIRouter(prefix="/v1", tags=["maskwise"])


@router.post("/sanitize", response_model=ResultsAnswer)
async def sanitize(request: Request, body: TextsBody) -> JsonAnswer:
    """Mask one text or several. A text that cannot be masked is an error for the whole request."""
    return await _answer(request, body, lambda result: describe_result(result.to_json()))


@router.post("/sanitize/file", response_class=Response, responses=FILE, openapi_extra=FORM)
async def sanitize_upload(request: Request) -> Response:
    """Mask a file of any format that `maskwise sanitize` reads. The output was checked for leaks."""
    service = get_service(request)
    upload = await read_upload(request)
    sanitizer = service.shelf.find(upload.policy)

    def count(results: tuple[Result, ...]) -> None:
        service.metrics.count_results(sanitizer.policy.name, results)

    done = await service.limit(service.engine.call(lambda: mask_upload(sanitizer, upload, count)))
    return answer_file(done.data, done.suffix, done.notes)


@router.post("/analyze", response_model=AnalysedAnswer)
async def analyze(request: Request, body: TextsBody) -> JsonAnswer:
    """Find entities and say why each would be masked or not. No masked text is made."""
    return await _answer(request, body, _describe_analysis)


@router.post("/risk", response_model=AnalysedAnswer)
async def risk(request: Request, body: TextsBody) -> JsonAnswer:
    """Measure where each person ranks in the crowd after masking."""
    asked = body.model_copy(update={"risk": True})
    return await _answer(request, asked, lambda result: {"risk": result.to_json()["risk"]})


@router.post("/restore")
async def restore(request: Request, body: RestoreBody) -> RestoredAnswer:
    """Turn tokens of the server's vault back. Needs the scope `restore`; who restores is recorded."""
    service = get_service(request)
    vault, log = _get_vault(service)
    texts = _check_count(body.texts, service.settings.load)
    done = await service.limit(service.engine.call(lambda: restore_texts(vault, texts)))
    tokens, unknown = sum(each.tokens for each in done), sum(each.unknown for each in done)
    await run_in_threadpool(log.record, get_caller(request).name, tokens, unknown)
    service.metrics.restored.inc(tokens)
    return RestoredAnswer(texts=[each.text for each in done], tokens=tokens, unknown=unknown)


@router.post("/restore/file", response_class=Response, responses=FILE, openapi_extra=FORM)
async def restore_upload(request: Request) -> Response:
    """Turn tokens of the server's vault in a file back. Needs the scope `restore`; who restores is recorded."""
    service = get_service(request)
    vault, log = _get_vault(service)
    upload: Upload = await read_upload(request)
    formats = service.shelf.find().policy.formats

    def turn_back() -> tuple[bytes, int]:
        done = restore_file(upload.data, f"upload{upload.suffix}", vault, formats)
        return done.data, done.tokens

    data, tokens = await service.limit(service.engine.call(turn_back))
    await run_in_threadpool(log.record, get_caller(request).name, tokens, 0, "file")
    service.metrics.restored.inc(tokens)
    return answer_file(data, upload.suffix)


@router.get("/policies")
async def policies(request: Request) -> dict[str, Any]:
    """The policies that a request can name; the first is the default. `problem` says why a reload failed."""
    listed = [
        {
            "name": shelved.policy.name,
            "description": " ".join(shelved.policy.description.split()),
            "problem": shelved.problem,
        }
        for shelved in get_service(request).shelf.list_policies()
    ]
    return {"policies": listed}


@router.post("/policies/reload")
async def reload_policies(request: Request) -> dict[str, int]:
    """Read the files of policies that changed again. Needs the scope `admin`."""
    service = get_service(request)
    return {"reloaded": await service.engine.call(service.shelf.reload)}


@router.get("/models")
async def models(request: Request) -> dict[str, Any]:
    """The models that policies can name."""
    found = folder.list_models()
    rows = [
        {"name": name, "version": folder.read_config(path).version} for name, path in found.items()
    ]
    return {"models": rows}


@router.get("/health")
async def health(request: Request) -> HealthAnswer:
    """The version, and whether the server is ready."""
    ready = get_service(request).is_ready
    return HealthAnswer(status="ok", version=version("maskwise"), ready=ready)


@router.get("/livez")
async def livez() -> dict[str, str]:
    """Whether the process answers."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> JsonAnswer:
    """Whether the models are loaded and requests are taken."""
    is_ready = get_service(request).is_ready
    return JsonAnswer({"status": "ok" if is_ready else "starting"}, 200 if is_ready else 503)


@router.get("/metrics", response_class=Response)
def metrics(request: Request) -> Response:
    """Counts and times for Prometheus."""
    found = get_service(request).metrics
    return Response(found.render(), media_type=found.content_type)


async def _answer(
    request: Request, body: TextsBody, describe: Callable[[Result], dict[str, Any]]
) -> JsonAnswer:
    """Sanitise what a request holds and describe each result."""
    service = get_service(request)
    texts = _check_count(body.texts, service.settings.load)
    sanitizer = service.shelf.find(body.policy, body.k, body.risk)
    results = await service.sanitize(sanitizer, texts, body.protect)

    def write() -> JsonAnswer:
        # What is ours needs no check by the model of the answer, which only describes it.
        described = [describe(result) for result in results]
        return JsonAnswer({"policy": sanitizer.policy.name, "results": described})

    # A long answer takes seconds, and the loop goes on answering meanwhile.
    is_long = sum(map(len, texts)) >= LONG
    return await run_in_threadpool(write) if is_long else write()


def _check_count(texts: list[str], load: LoadSettings) -> list[str]:
    if len(texts) > load.texts:
        raise HTTPException(413, f"a request has at most {load.texts:,} texts; submit a job")
    return texts


def _get_vault(service: Service) -> tuple[AnyVault, RestoreLog]:
    if service.vault is None or service.settings.audit is None:
        raise HTTPException(404, "this server has no vault; name one in its settings")
    from pathlib import Path

    return service.vault, RestoreLog(Path(service.settings.audit))


def _describe_analysis(result: Result) -> dict[str, Any]:
    about: dict[str, list[Evidence]] = {}
    for item in result.evidence:
        for member in item.entities:
            about.setdefault(member, []).append(item)
    entities = []
    for entity in result.findings:
        decision = result.plan.by_entity[entity.id]
        entities.append(
            {
                "id": entity.id,
                "type": entity.type.value,
                "subtypes": sorted(entity.subtypes),
                "identifier": decision.identifier.value,
                "protected": entity.protected,
                "mentions": [
                    {"start": m.start, "end": m.end, "score": m.score, "source": m.source}
                    for m in entity.mentions
                ],
                "decision": decision.action.value,
                "reasons": list(decision.reasons),
                "information": decision.information,
                "evidence": [_describe_evidence(item) for item in about.get(entity.id, ())],
            }
        )
    risk = result.to_json()["risk"]
    return {"characters": result.coverage.characters, "entities": entities, "risk": risk}


def _describe_evidence(item: Evidence) -> dict[str, Any]:
    return {
        "indicator": item.indicator,
        "entities": list(item.entities),
        "score": item.score,
        "threshold": item.threshold,
        "risky": item.risky,
        "reason": item.reason,
    }
