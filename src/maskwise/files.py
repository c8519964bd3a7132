"""Takes one file through the line: reads it, sanitises its texts, writes them back, and looks for leaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from maskwise import io
from maskwise.errors import InputError, MaskwiseError, OutputError
from maskwise.io import leaks
from maskwise.link.embedded import find_inside, list_embedded
from maskwise.long import LONG, MaskedDocument, mask_document
from maskwise.mask.identity import Ledger, MemoryLedger
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.settings import FormatSettings
from maskwise.text import Document, EntityType, Person
from maskwise.text.folding import fold_words

if TYPE_CHECKING:
    from maskwise.mask.shared_vault import AnyVault


TOLD = "its name tells what is masked in it: rename what is written"
_NAME_PART = re.compile(r"[^\W_]{3,}")


@dataclass(frozen=True)
class MaskedFile:
    """The bytes to write in the format `suffix`, the results of the file's texts, and notes on what was left out."""

    data: bytes = field(repr=False)
    suffix: str
    results: tuple[Result, ...] = field(repr=False)
    notes: tuple[str, ...] = ()


def sanitize_file(
    sanitizer: Sanitizer,
    raw: bytes,
    name: str,
    people: tuple[Person, ...] = (),
    ledger: Ledger | None = None,
    reader: io.Reader | None = None,
) -> MaskedFile:
    """Mask the bytes of a file. The ending of `name` gives the format. A leak in the output raises `LeakError`.

    A part of a larger table brings the `ledger` and the `reader` of the whole.

    >>> sanitize_file(Sanitizer(), b"Mr Lee left.", "note.txt").data
    b'[PERSON 1] left.'
    """
    formats = sanitizer.policy.formats
    suffix = PurePath(name).suffix
    reader = reader or io.build_reader(suffix, formats.options)
    formats.limits.allow(name, "file", len(raw))
    with _hide_cause(f"{name}: cannot be read as {suffix}", InputError):
        loaded = reader.read(raw, name)
    documents = make_documents(loaded, name, people)
    shared = ledger or open_table(sanitizer, loaded)
    if any(len(document) >= LONG for document in documents):
        masked = tuple(mask_document(sanitizer, document) for document in documents)
    else:
        masked = tuple(map(MaskedDocument.wrap, sanitizer.run(documents, shared)))
    return write_masked(sanitizer.policy, loaded, name, people, masked)


def read_file(raw: bytes, name: str, policy: Policy) -> io.Loaded:
    """Read the bytes of a file with the reader of its ending."""
    suffix = PurePath(name).suffix
    reader = io.build_reader(suffix, policy.formats.options)
    policy.formats.limits.allow(name, "file", len(raw))
    with _hide_cause(f"{name}: cannot be read as {suffix}", InputError):
        return reader.read(raw, name)


def write_masked(
    policy: Policy,
    loaded: io.Loaded,
    name: str,
    people: tuple[Person, ...],
    masked: tuple[MaskedDocument, ...],
) -> MaskedFile:
    """Write masked texts into the layout of their file. A leak in the output raises `LeakError`."""
    formats = policy.formats
    suffix = PurePath(name).suffix
    writer = io.build_writer(suffix, formats.options)
    results = tuple(result for one in masked for result in one.results)
    texts = tuple(one.text for one in masked)
    alignments = tuple(one.alignment for one in masked)
    with _hide_cause(f"{name}: cannot be written as {suffix}", OutputError):
        data = writer.write(loaded, texts, alignments)
    written = io.find_output_suffix(suffix, formats.options)
    if formats.leak_check:
        leaks.check_file(
            data,
            written,
            name,
            masked=collect_masked_strings(results),
            visible=texts,
            people=(*people, *map(Person, policy.protect)),
            names=collect_masked_strings(results, EntityType.PERSON),
            kept=loaded.kept,
        )
    notes = (*loaded.notes, TOLD) if has_telling_name(name, results, people) else loaded.notes
    return MaskedFile(data, written, results, notes)


def has_telling_name(name: str, results: tuple[Result, ...], people: tuple[Person, ...]) -> bool:
    """Whether the name of a file tells a person to protect, or a name or direct identifier that is masked in it."""
    folded = leaks.fold_text(name)
    shared = {text for text in _collect_told(results) if _shares_part(text, folded)}
    names = shared & collect_masked_strings(results, EntityType.PERSON)
    search = leaks.NeedleSearch(leaks.build_needles(people, shared, names))
    if next(search.find(name), None) is not None:
        return True
    inside = [one for text in names for one in list_embedded(text, EntityType.PERSON)]
    return bool(find_inside(name, inside))


def _collect_told(results: tuple[Result, ...]) -> set[str]:
    """The texts of masked people and direct identifiers."""
    found: set[str] = set()
    for result in results:
        for entity in result.entities:
            is_told = entity.type is EntityType.PERSON or entity.is_direct
            if is_told and result.plan.by_entity[entity.id].masked:
                found.update(mention.text for mention in entity.mentions)
    return found


def _shares_part(text: str, folded: str) -> bool:
    """Whether some part of a text stands in a folded one; most texts are sorted out so, which is cheap."""
    return any(leaks.fold_text(part) in folded for part in _NAME_PART.findall(text))


def make_documents(loaded: io.Loaded, name: str, people: tuple[Person, ...]) -> list[Document]:
    """The texts of a file as documents, with what the file tells about them."""
    documents = []
    for at, text in enumerate(loaded.texts):
        metadata: dict[str, object] = {"given": loaded.get_given(at)}
        if loaded.rows:
            facts = loaded.rows[at]
            subject = (facts.key, facts.subjects)
            metadata |= {"columns": facts.spans, "subject": subject, "typed": facts.is_typed}
        documents.append(Document(text, id=name, protected=people, metadata=metadata))
    return documents


def open_table(sanitizer: Sanitizer, loaded: io.Loaded) -> Ledger | None:
    """The ledger that numbers the entities of all rows of a table; None where a file is no table."""
    if len(loaded.rows) < 2:
        return None
    ledger = MemoryLedger()
    if sanitizer.collects_words:
        for text in loaded.texts:
            ledger.get_avoided_words().update(fold_words(text))
    return ledger


def read_file_texts(raw: bytes, name: str, policy: Policy) -> tuple[str, ...]:
    """Return the texts of a file as `sanitize_file` reads them."""
    return read_file(raw, name, policy).texts


@dataclass(frozen=True)
class RestoredFile:
    """The bytes of a restored file, and the number of tokens in it that were replaced."""

    data: bytes = field(repr=False)
    tokens: int


def restore_file(
    raw: bytes, name: str, vault: AnyVault, formats: FormatSettings | None = None
) -> RestoredFile:
    """Replace the tokens of a vault in a file by what they stand for. The layout stays.

    A file is refused if a token would stay: one of another vault, or one in a place that nobody reads.
    """
    from maskwise.mask.encrypt import restore_tokens

    suffix = PurePath(name).suffix
    options = formats.options if formats else None
    if io.find_output_suffix(suffix) != suffix or suffix.lower() == ".pdf":
        raise InputError(f"{name}: a {suffix} file cannot be restored in place; restore its text")
    with _hide_cause(f"{name}: cannot be read as {suffix}", InputError):
        loaded = io.build_reader(suffix, options).read(raw, name)
    done = [restore_tokens(text, vault) for text in loaded.texts]
    if unknown := sum(r.unknown for r in done):
        raise InputError(
            f"{name}: {unknown} pseudonyms are not of this vault; use the one that it was masked with"
        )
    with _hide_cause(f"{name}: cannot be written as {suffix}", OutputError):
        texts = tuple(restored.text for restored in done)
        alignments = tuple(restored.alignment for restored in done)
        data = io.build_writer(suffix, options).write(loaded, texts, alignments)
        left = _count_tokens(data, suffix)
    if left:
        raise OutputError(
            f"{name}: pseudonyms stand in {left} places that cannot be restored; nothing is written"
        )
    return RestoredFile(data, sum(r.tokens for r in done))


def _count_tokens(data: bytes, suffix: str) -> int:
    """Count the strings that hold a token. The readers of the leak check also read what other readers skip."""
    from maskwise.mask.token import TOKEN

    pieces = leaks.read_pieces(data, suffix)
    return sum(TOKEN.search(piece.text) is not None for piece in pieces)


@contextmanager
def _hide_cause(what: str, kind: type[MaskwiseError]) -> Iterator[None]:
    """Turn any failure into one line without the message of its cause, which may quote the text."""
    try:
        yield
    except MaskwiseError:
        raise
    except Exception as error:
        raise kind(f"{what} ({type(error).__name__})") from None


def collect_masked_strings(results: tuple[Result, ...], kind: EntityType | None = None) -> set[str]:
    """Return the texts of all mentions that were masked, or of those of one type."""
    found: set[str] = set()
    for result in results:
        for entity in result.entities:
            is_masked = result.plan.by_entity[entity.id].masked
            if is_masked and kind in (None, entity.type):
                found.update(mention.text for mention in entity.mentions)
    return found
