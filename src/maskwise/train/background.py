"""Texts about people, and the background that is left when the texts themselves are taken out of it.

A page that is both the text and its own background makes nearly every pair of its entities lead to the person. A
public page about somebody is not the document that is being masked, so the first part of a page is the text, and the
background holds only the rest of it, whole pages of everybody else, and what a crowd knows of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from maskwise.crowd.lexical import join_values
from maskwise.crowd.population import Profile
from maskwise.errors import InputError
from maskwise.risk.pages import PublicPage, read_pages
from maskwise.text import Document, Person
from maskwise.train.data import draw_share

_BRACKETS = re.compile(r"\s*\(.*?\)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def split_page(text: str, characters: int) -> tuple[str, str]:
    """The first sentences of a page, at most half of it and `characters` of them, and the rest.

    >>> split_page("She sings. She lives in Oslo. She has a boat. She was born in 1971.", 40)
    ('She sings. She lives in Oslo.', 'She has a boat. She was born in 1971.')
    """
    most = min(characters, len(text) // 2)
    ends = [match for match in _SENTENCE.finditer(text, 0, most + 1) if match.start() <= most]
    if not ends:
        return text[:most], text[most:]
    return text[: ends[-1].start()], text[ends[-1].end() :]


def read_subjects(
    path: str | Path, limit: int, characters: int, *, held_out: bool, share: float = 0.2
) -> list[Document]:
    """Reads the first parts of the first pages, with the person of their title. The id chooses the side."""
    found: list[Document] = []
    for page in read_pages(path):
        if len(found) == limit:
            break
        name = _BRACKETS.sub("", page.title or "").strip()
        text, _ = split_page(page.text, characters)
        is_held_out = draw_share(page.url, "emulator") < share
        if name and text and is_held_out == held_out:
            found.append(Document(text, id=page.url, protected=(Person(name),)))
    if not found:
        raise InputError(f"{path}: no page there has a title to take the person from")
    return found


def list_background(
    path: str | Path,
    documents: Iterable[Document],
    characters: int,
    people: Iterable[Profile] = (),
) -> Iterator[PublicPage]:
    """Yields the pages of the background: of the documents' own pages only the rest, and a page per profile."""
    cut = {document.id for document in documents}
    for page in read_pages(path):
        if page.url in cut:
            _, rest = split_page(page.text, characters)
            yield PublicPage(page.url, page.title, rest)
        else:
            yield page
    for profile in people:
        name = next(iter(profile.get("name")), "")
        yield PublicPage(f"{profile.id}#profile", name, join_values(profile))
