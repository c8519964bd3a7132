"""Markdown, masked in its source. Marks of emphasis, code, headings, lists, tables and links are not read, so that they
cut no name apart, and stay where they are. Targets, titles, definitions, attributes and tags are read like text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from maskwise.io.atoms import Atom, cut_text
from maskwise.io.html_names import INLINE
from maskwise.io.plain import PlainText
from maskwise.io.segments import BREAK, Change
from maskwise.mask.token import TOKEN
from maskwise.text import possessive

_EMPHASIS = ("***", "___", "**", "__", "~~", "*", "_", "`")
_TAG = "|".join(sorted(INLINE))
# Headings, items, cells and the address of a link stand apart. All other marks stand inside a sentence.
_MARK = possessive.compile(
    rf"""(?P<token>(?-ix:{TOKEN.pattern}))
    |(?P<block>^[^\S\r\n]*+(?:(?:\#{{1,6}}|[-*+]|\d{{1,3}}[.)])[^\S\r\n]++|>[^\S\r\n]?+)++)  # heading, item, quotation
    |(?<!\\)(?:\*{{1,3}}(?=\S)|(?<=\S)\*{{1,3}}|`++|~~|(?<!\w)_{{1,3}}(?=\S)|(?<=\S)_{{1,3}}(?!\w))
    |</?+(?:{_TAG})[ ]?+>|<!--[ ]*+-->                                              # a tag inside a word
    |\\(?=[!-/:-@\[-`{{-~])                                                         # an escaped sign
    |!?+\[(?=[^\[\]\r\n]*+\]\()
    |(?P<apart>[^\S\r\n]*+(?<!\\)\|[^\S\r\n]*+|\]\((?=[^()\s]*+[\s)]))""",
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)


class Markdown(PlainText):
    """Text with marks, of which only the text is read."""

    def _cut_atoms(self, text: str) -> Iterable[Atom]:
        return _cut_between_marks(text)

    def _adjust_edits(self, text: str, edits: list[Change]) -> list[Change]:
        return _drop_empty_marks(text, edits)


def _cut_between_marks(text: str) -> Iterator[Atom]:
    """The texts between the marks; echoes at the end."""
    glue = ""
    echoes: list[Atom] = []
    for atom in cut_text(text):
        if not atom.plain and atom.glue:
            echoes.append(atom)
            continue
        if not atom.plain:
            yield atom._replace(glue=glue)
            glue = ""
            continue
        cursor = atom.start
        for mark in _MARK.finditer(text, atom.start, atom.end):
            if mark["token"]:
                continue
            if cursor < mark.start():
                yield Atom(cursor, mark.start(), text[cursor : mark.start()], glue)
                glue = ""
            apart = mark["apart"] or (mark["block"] and mark["block"].strip(" \t>"))
            glue = BREAK if apart else glue
            cursor = mark.end()
        if cursor < atom.end:
            yield Atom(cursor, atom.end, text[cursor : atom.end], glue)
            glue = ""
    yield from echoes


def _drop_empty_marks(text: str, edits: list[Change]) -> list[Change]:
    """The changes, and the marks of emphasis between which nothing is left to stress."""
    done: list[Change] = []
    for start, end, new in edits:
        left, right = text[max(0, start - 3) : start], text[end : end + 3]
        mark = next((mark for mark in _EMPHASIS if left.endswith(mark)), "")
        is_free = not done or done[-1][1] <= start - len(mark)
        if not new and mark and right.startswith(mark) and is_free:
            start, end = start - len(mark), end + len(mark)
        done.append((start, end, new))
    return done
