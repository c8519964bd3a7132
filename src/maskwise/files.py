"""One file through the line: read, sanitise its texts, write them back, and look for leaks in what was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from maskwise import io
from maskwise.errors import InputError, MaskwiseError, OutputError
from maskwise.io import leaks
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.settings import FormatSettings
from maskwise.text import Document, EntityType, Person

if TYPE_CHECKING:
    from maskwise.mask.vault import Vault


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
        leaks.check(
            data,
            written,
            name,
            masked=masked_strings(results),
            visible=(r.text for r in results),
            people=(*people, *map(Person, sanitizer.policy.protect)),
            names=masked_strings(results, EntityType.PERSON),
            kept=loaded.kept,
        )
    return MaskedFile(data, written, results, loaded.notes)


def file_texts(raw: bytes, name: str, policy: Policy) -> tuple[str, ...]:
    """The texts of a file as `sanitize_file` reads them."""
    suffix = PurePath(name).suffix
    reader = io.reader(suffix, policy.formats.options)
    policy.formats.ceilings.allow(name, "file", len(raw))
    with _secret(f"{name}: cannot be read as {suffix}", InputError):
        return reader.read(raw, name).texts


@dataclass(frozen=True)
class RestoredFile:
    """The bytes of a restored file, and how many tokens were turned back."""

    data: bytes = field(repr=False)
    tokens: int


def restore_file(raw: bytes, name: str, vault: Vault, formats: FormatSettings | None = None) -> RestoredFile:
    """Turn the tokens of a vault in a file back into what they stand for; the layout stays.

    A file of which a token would stay, since it is of another vault or stands where nobody reads, is an error.
    """
    from maskwise.mask.encrypt import restore

    suffix = PurePath(name).suffix
    options = formats.options if formats else None
    if io.written_as(suffix) != suffix or suffix.lower() == ".pdf":
        raise InputError(f"{name}: a {suffix} file cannot be restored in place; restore its text")
    with _secret(f"{name}: cannot be read as {suffix}", InputError):
        loaded = io.reader(suffix, options).read(raw, name)
    done = [restore(text, vault) for text in loaded.texts]
    if unknown := sum(r.unknown for r in done):
        raise InputError(f"{name}: {unknown} pseudonyms are not of this vault; use the one that it was masked with")
    with _secret(f"{name}: cannot be written as {suffix}", OutputError):
        data = io.writer(suffix, options).write(loaded, tuple(r.text for r in done), tuple(r.alignment for r in done))
        left = _count_tokens(data, suffix)
    if left:
        raise OutputError(f"{name}: pseudonyms stand in {left} places that cannot be restored; nothing is written")
    return RestoredFile(data, sum(r.tokens for r in done))


def _count_tokens(data: bytes, suffix: str) -> int:
    """Strings of a file that hold a token, found by the readers of the leak check, which read what others do not."""
    from maskwise.mask.token import TOKEN

    return sum(1 for piece in leaks.pieces(data, suffix) if TOKEN.search(piece.text))


@contextmanager
def _secret(what: str, kind: type[MaskwiseError]) -> Iterator[None]:
    """Turns any failure into one line without the message of its cause, which may quote the text."""
    try:
        yield
    except MaskwiseError:
        raise
    except Exception as error:
        raise kind(f"{what} ({type(error).__name__})") from None


def masked_strings(results: tuple[Result, ...], kind: EntityType | None = None) -> set[str]:
    """The texts of all mentions that were masked, or of those of one type."""
    return {
        mention.text
        for result in results
        for entity in result.entities
        if result.plan.by_entity[entity.id].masked and kind in (None, entity.type)
        for mention in entity.mentions
    }
