"""Jobs of the native API: submit texts or a file, ask how far they are, fetch what came out, cancel.

The disk may be slow, so that all of this runs in threads: the loop goes on answering.
"""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from maskwise.server.answers import JsonAnswer
from maskwise.server.gate import build_refusal
from maskwise.server.job_runner import pack_request
from maskwise.server.jobs import ENDED, JobState, JobStore
from maskwise.server.native import FILE, FORM
from maskwise.server.schemas import JobAnswer, TextsBody
from maskwise.server.service import Service, get_caller, get_service
from maskwise.server.uploads import Upload, answer_file, read_upload

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])


@router.post("", status_code=202)
def submit(request: Request, body: TextsBody) -> JobAnswer:
    """Submit texts that may take long. The answer has the id of the job."""
    service, store = _get_store(request)
    sanitizer = service.shelf.find(body.policy, body.k, body.risk)
    head = {"protect": body.protect, "k": body.k, "risk": body.risk}
    packed = pack_request(head, json.dumps(body.texts).encode())
    job = store.add(get_caller(request).name, sanitizer.policy.name, "", len(body.texts), packed)
    return JobAnswer(**job.to_json())


@router.post("/file", status_code=202, openapi_extra=FORM)
async def submit_file(request: Request) -> JobAnswer:
    """Submit a file that may take long."""
    upload = await read_upload(request)
    return await run_in_threadpool(_add_file, request, upload)


def _add_file(request: Request, upload: Upload) -> JobAnswer:
    service, store = _get_store(request)
    sanitizer = service.shelf.find(upload.policy)
    packed = pack_request({"protect": list(upload.protect)}, upload.data)
    job = store.add(get_caller(request).name, sanitizer.policy.name, upload.suffix, 1, packed)
    return JobAnswer(**job.to_json())


@router.get("/{job}")
def progress(request: Request, job: str) -> JobAnswer:
    """How far a job is."""
    return JobAnswer(**_find(request, job).to_json())


@router.get("/{job}/result", response_class=Response, responses=FILE)
def fetch(request: Request, job: str) -> Response:
    """The results of a job that is done: JSON as of `/v1/sanitize`, or the masked file."""
    _, store = _get_store(request)
    found = _find(request, job)
    if found.state is not JobState.DONE:
        raise HTTPException(409, f"the job is {found.state.value}")
    items = store.read_items(found)
    if found.suffix:
        suffix, _, data = items[0].partition(b"\n")
        return answer_file(data, suffix.decode())
    results: list[Any] = [json.loads(item) for item in items]
    return JsonAnswer({"policy": found.policy, "results": results})


@router.delete("/{job}")
def cancel(request: Request, job: str) -> JobAnswer:
    """Cancel a job that has not ended. Its input and what is done of it are removed."""
    _, store = _get_store(request)
    found = _find(request, job)
    if found.state not in ENDED:
        store.end(found.id, JobState.CANCELLED)
    return JobAnswer(**_find(request, job).to_json())


def _find(request: Request, job: str) -> Any:
    _, store = _get_store(request, submits=False)
    return store.get(job, get_caller(request).name)


def _get_store(request: Request, submits: bool = True) -> tuple[Service, JobStore]:
    service = get_service(request)
    if service.store is None:
        raise HTTPException(404, "this server keeps no jobs; name a folder `state` in its settings")
    is_full = service.store.count_waiting() >= service.settings.load.waiting
    if submits and is_full and request.method == "POST":
        raise build_refusal("as many jobs wait as may")
    return service, service.store
