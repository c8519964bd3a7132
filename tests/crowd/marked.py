"""Documents with their entities written into the text.

`[Porto|LOC:city]` has a type and a subtype, `[3 May 1961|DATETIME:date=1961-05-03]` a value too. A label after `#` ties
mentions to one entity: `[Ana Souza|PERSON#a]`. Without it, equal texts of a type are one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from maskwise.text import Document, Entity, EntityType, IdentifierType, Mention, Person

_MARK = re.compile(r"\[([^|\[\]]+)\|([A-Z]+)(?::(\w+))?(?:=([^\]#]+))?(?:#(\w+))?\]")


def read_marked(marked: str, protect: Sequence[str] = ()) -> tuple[Document, list[Entity]]:
    """The document and its entities. An entity of the label `p` is protected; codes identify directly."""
    parts: list[str] = []
    found: list[tuple[int, int, str, str, str, str]] = []
    cursor = length = 0
    for mark in _MARK.finditer(marked):
        before = marked[cursor : mark.start()]
        parts += [before, mark[1]]
        start = length + len(before)
        length = start + len(mark[1])
        key = mark[5] or f"{mark[2]} {mark[1]}"
        found.append((start, length, mark[2], mark[3] or "", mark[4] or "", key))
        cursor = mark.end()
    document = Document(
        "".join((*parts, marked[cursor:])), protected=tuple(Person(name) for name in protect)
    )
    groups: dict[str, list[Mention]] = {}
    for start, end, kind, subtype, value, key in found:
        mention = document.mention(start, end, EntityType(kind), subtype=subtype, value=value)
        groups.setdefault(key, []).append(mention)
    return document, [
        _make_entity(f"e{at}", key, tuple(mentions))
        for at, (key, mentions) in enumerate(groups.items(), 1)
    ]


def _make_entity(id: str, key: str, mentions: tuple[Mention, ...]) -> Entity:
    direct = mentions[0].type is EntityType.CODE or key == "p"
    identifier = IdentifierType.DIRECT if direct else IdentifierType.QUASI
    return Entity(id, mentions[0].type, mentions, identifier, protected=key == "p")
