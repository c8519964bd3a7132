"""Files that come in a request: read while they arrive, within the limit of the gate, and kept in memory alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from pathlib import PurePath

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import Response

from maskwise import io
from maskwise.errors import InputError
from maskwise.files import MaskedFile, sanitize_file
from maskwise.sanitizer import Sanitizer
from maskwise.server.schemas import NAME_LENGTH
from maskwise.streaming import Watch, can_stream, sanitize_stream
from maskwise.text import Person

FIELDS = 110  # fields beside the file: the policy and names to protect
TYPES = {
    "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "htm": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "pdf": "application/pdf",
    "eml": "message/rfc822",
}


@dataclass(frozen=True)
class Upload:
    """The bytes of a file, its ending, and the fields that came with it. Its name is dropped: it may name a person."""

    data: bytes = field(repr=False)
    suffix: str
    policy: str | None = None
    protect: tuple[str, ...] = field(default=(), repr=False)


async def read_upload(request: Request) -> Upload:
    """Read a form with one `file`, an optional `policy` and any number of `protect`."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise HTTPException(415, "send a form (multipart/form-data) with a field `file`")
    parser = MultiPartParser(
        request.headers, request.stream(), max_files=1, max_fields=FIELDS, max_part_size=1 << 20
    )
    parser.spool_max_size = 1 << 62  # larger files would go to the disk in clear
    try:
        form = await parser.parse()
    except MultiPartException as error:
        raise HTTPException(400, _explain_form(error)) from None
    except (KeyError, ValueError, UnicodeError):
        raise HTTPException(400, "the form cannot be read") from None
    return await _read_form(form)


async def _read_form(form: FormData) -> Upload:
    file = form.get("file")
    if not isinstance(file, UploadFile):
        raise HTTPException(422, "the form has no field `file` with the name of a file")
    data = await file.read()
    await form.close()
    protect = tuple(str(each) for each in form.getlist("protect"))
    if not all(any(map(str.isalnum, name)) for name in protect):
        raise HTTPException(422, "a name to protect has at least one letter")
    if any(len(name) > NAME_LENGTH for name in protect):
        raise HTTPException(422, f"a name to protect has at most {NAME_LENGTH} characters")
    policy = form.get("policy")
    return Upload(data, _read_suffix(file.filename or ""), str(policy) if policy else None, protect)


def _read_suffix(name: str) -> str:
    """The ending of a file that can be read. An unknown one is not repeated: it may be part of a name."""
    suffix = PurePath(name).suffix.casefold()
    if suffix.lstrip(".") not in io.list_suffixes():
        known = ", ".join(io.list_suffixes())
        raise InputError(f"no reader for a file with this ending; known: {known}")
    return suffix


def mask_upload(sanitizer: Sanitizer, upload: Upload, watch: Watch) -> MaskedFile:
    """Mask a file as `maskwise sanitize` does: a large table block by block. `watch` sees the results."""
    people = tuple(map(Person, upload.protect))
    name = f"upload{upload.suffix}"
    if not can_stream(upload.suffix, len(upload.data), sanitizer):
        done = sanitize_file(sanitizer, upload.data, name, people)
        watch(done.results)
        return done
    sink = BytesIO()
    notes = sanitize_stream(sanitizer, BytesIO(upload.data), sink, name, people, watch).notes
    return MaskedFile(sink.getvalue(), upload.suffix, (), notes)


def answer_file(data: bytes, suffix: str, notes: tuple[str, ...] = ()) -> Response:
    """The answer with a file. Notes say what the output leaves out."""
    kind = TYPES.get(suffix.lstrip("."), "application/octet-stream")
    headers = {"Content-Disposition": f'attachment; filename="masked{suffix}"'}
    if notes:
        headers["X-Maskwise-Notes"] = str(len(notes))
    return Response(data, media_type=kind, headers=headers)


def _explain_form(error: MultiPartException) -> str:
    """The error of a form. The parser's own message may quote it."""
    is_count = error.message.startswith("Too many")
    return "the form has too many parts" if is_count else "the form is broken (multipart)"
