"""Leak reader of HTML. No parser is asked."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from maskwise.io.leaks.piece import Piece, read_text

_INSIDE = re.compile(r"<[^>]*>?")
# A style sheet without a `<`, so that no parser can take it for anything else.
_STYLE = re.compile(r"<style\b[^<>]*>([^<]*)</style>", re.IGNORECASE)
_VALUE = re.compile(r"""=\s*("[^"]*"|'[^']*'|[^\s>]+)""")


class HtmlLeaks:
    """The page with its tags taken away and its escapes undone, and what stands inside the tags."""

    def list_pieces(self, raw: bytes) -> Iterator[Piece]:
        text = read_text(raw)
        for found in _STYLE.finditer(text):
            yield Piece("styles", found[1], markup=True)
        text = _STYLE.sub(" ", text)
        said = html.unescape(text)
        yield Piece("text", _INSIDE.sub("", said))
        yield Piece("text", _INSIDE.sub(" ", said))
        for tag in dict.fromkeys(_INSIDE.findall(text)):
            if tag.startswith(("<!", "<?")):
                yield Piece("comments", html.unescape(tag))
            else:
                yield from _read_tag(tag)


def _read_tag(tag: str) -> Iterator[Piece]:
    for value in _VALUE.findall(tag):
        said = html.unescape(value.strip("\"'"))
        yield Piece("attributes", unquote(said, errors="replace"))
    yield Piece("tags", html.unescape(tag), markup=True)
