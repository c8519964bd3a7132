"""One file through the line: read, sanitise its texts, write them back, and look for leaks in what was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath

from maskwise import io
from maskwise.errors import InputError, MaskwiseError, OutputError
from maskwise.io import leaks
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person


@dataclass(frozen=True)
class MaskedFile:
    """The bytes to write, of the format `suffix`; the results of the file's texts; and what was left out."""

    data: bytes = field(repr=False)
    suffix: str
    results: tuple[Result, ...] = field(repr=False)
    notes: tuple[str, ...] = ()


def sanitize_file(sanitizer: Sanitizer, raw: bytes, name: str, people: tuple[Person, ...] = ()) -> MaskedFile:
    """Mask the bytes of a file; the ending of `name` says their format. A leak in the output raises `LeakError`.

    >>> sanitize_file(Sanitizer(), b"Mr Lee left.", "note.txt").data
    b'[PERSON 1] left.'
    """
    formats = sanitizer.policy.formats
    suffix = PurePath(name).suffix
    reader, writer = io.reader(suffix, formats.options), io.writer(suffix, formats.options)
    formats.ceilings.allow(name, "file", len(raw))
    with _secret(f"{name}: cannot be read as {suffix}", InputError):
        loaded = reader.read(raw, name)
    documents = [
        Document(text, id=name, protected=people, metadata={"given": loaded.given_in(at)})
        for at, text in enumerate(loaded.texts)
    ]
    results = tuple(sanitizer.run(documents))
    alignments = tuple(r.rendering.alignment for r in results)
    with _secret(f"{name}: cannot be written as {suffix}", OutputError):
        data = writer.write(loaded, tuple(r.text for r in results), alignments)
    written = io.written_as(suffix, formats.options)
    if formats.leak_check:
        leaks.check(data, written, name, masked_strings(results), (*loaded.kept, *(r.text for r in results)))
    return MaskedFile(data, written, results, loaded.notes)


@contextmanager
def _secret(what: str, kind: type[MaskwiseError]) -> Iterator[None]:
    """Turns any failure into one line without the message of its cause, which may quote the text."""
    try:
        yield
    except MaskwiseError:
        raise
    except Exception as error:
        raise kind(f"{what} ({type(error).__name__})") from None


def masked_strings(results: tuple[Result, ...]) -> set[str]:
    """The texts of all mentions that were masked."""
    return {edit.original for result in results for edit in result.rendering.alignment.edits}
