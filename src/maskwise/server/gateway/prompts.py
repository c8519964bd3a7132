"""Masks requests: every string is masked unless its place says that it is no text, and the whole is checked again.

All texts of a request are one document, so that a surname in one message is known from the full name in another.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from maskwise.detect.patterns import PatternDetector
from maskwise.errors import InputError, LeakError
from maskwise.io import leaks
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.server.gateway.placeholders import PlaceholderTable, list_edits
from maskwise.server.gateway.places import KEY, Leaf, LeafKind, rewrite
from maskwise.text import Document, Entity, EntityType, Person
from maskwise.text.plain_words import is_plain
from maskwise.text.word_lists import read_words

BREAK = "\n\n"  # between texts: no mention reaches over it
WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")  # of names such as send_mail and SendMail
BARE_NAME = re.compile(r"[^\W\d_a-z][\w'’.-]*(?: [^\W\d_a-z][\w'’.-]*){1,3}")
# Words of names that programmers give, beside plain English ones.
PROGRAM_WORDS = frozenset(read_words("program_words"))
DANGEROUS = frozenset(
    ("email", "card", "iban", "us_ssn", "phone_international", "secret_key", "secret_private_key")
)


@dataclass
class MaskedPrompt:
    """A request that may leave, and what its placeholders stand for."""

    body: Any = field(repr=False)
    data: bytes = field(repr=False)
    table: PlaceholderTable = field(repr=False)
    result: Result | None = field(default=None, repr=False)


def mask_prompt(
    sanitizer: Sanitizer,
    body: Any,
    table: PlaceholderTable,
    hide: Callable[[str], str] | None = None,
) -> MaskedPrompt:
    """Mask a request. Any failure is an error, and then nothing is sent. `hide` replaces the ids of callers."""
    leaves = collect_leaves(body)
    texts = [leaf for leaf in leaves if _is_masked(leaf, hide)]
    names = list(dict.fromkeys(leaf.text for leaf in leaves if leaf.kind is LeafKind.NAME))
    spelled = _spell_names(leaf for leaf in leaves if not leaf.is_id)
    pieces = [_label(leaf) + leaf.text for leaf in texts]
    result = sanitizer.sanitize(Document(BREAK.join((*pieces, *spelled))))
    end = sum(len(piece) + len(BREAK) for piece in pieces)  # of texts; names follow
    secret = [entity for entity in result.entities if result.plan.by_entity[entity.id].masked]
    if any(_is_named(entity, end) for entity in secret):
        raise InputError(
            "a name or a key of the request seems to name a person, and those are not masked; "
            "rename it"
        )
    secret = [entity for entity in secret if entity.first.start < end]
    with table.lock:
        for leaf in leaves:
            table.reserve(leaf.text)
        masked = _write_leaves(texts, list_edits(secret, table, end), table)
    written = iter(masked)

    def write(leaf: Leaf) -> str:
        if _is_masked(leaf, hide):
            return next(written)
        return hide(leaf.text) if leaf.kind is LeafKind.PERSON and hide else leaf.text

    done = rewrite(body, write)
    data = json.dumps(done, ensure_ascii=False).encode()
    check_prompt(data, masked, secret, sanitizer)
    _check_names(names)
    return MaskedPrompt(done, data, table, result)


def collect_leaves(body: Any) -> list[Leaf]:
    """All strings of a request, in order. JSON inside tool arguments is looked into."""
    found: list[Leaf] = []

    def keep(leaf: Leaf) -> str:
        found.append(leaf)
        return leaf.text

    rewrite(body, keep)
    return found


def _is_masked(leaf: Leaf, hide: Callable[[str], str] | None) -> bool:
    is_text = leaf.kind is LeafKind.TEXT or (leaf.kind is LeafKind.PERSON and hide is None)
    return is_text and bool(leaf.text.strip())


def _label(leaf: Leaf) -> str:
    return f"{leaf.label}: " if leaf.label else ""


def _write_leaves(
    leaves: list[Leaf], edits: list[tuple[int, int, str]], table: PlaceholderTable
) -> list[str]:
    """The texts with placeholders. A mention that reaches over a break is replaced on both sides of it."""
    starts: list[int] = []
    at = 0
    for leaf in leaves:
        starts.append(at + len(_label(leaf)))
        at = starts[-1] + len(leaf.text) + len(BREAK)
    by_leaf: list[list[tuple[int, int, str]]] = [[] for _ in leaves]
    for start, end, token in edits:
        for index in range(max(0, bisect_right(starts, start) - 1), len(leaves)):
            low = max(start - starts[index], 0)
            high = min(end - starts[index], len(leaves[index].text))
            if starts[index] >= end:
                break
            if low < high:
                by_leaf[index].append((low, high, token))
    return [
        _write(leaf.text, _widen_edits(leaf.text, own, table))
        for leaf, own in zip(leaves, by_leaf, strict=True)
    ]


def _widen_edits(
    text: str, edits: list[tuple[int, int, str]], table: PlaceholderTable
) -> list[tuple[int, int, str]]:
    """A value that is only a name, such as a choice of a schema, goes whole if a part of it names a person."""
    people = [token for _, _, token in edits if token.startswith(f"[{EntityType.PERSON}_")]
    if not people or not BARE_NAME.fullmatch(text):
        return edits
    return [(0, len(text), table.rename(people[0], text))]


def _write(text: str, edits: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, token in edits:
        parts += (text[at:start], token)
        at = end
    return "".join((*parts, text[at:]))


def check_prompt(
    data: bytes, visible: list[str], entities: Iterable[Entity], sanitizer: Sanitizer
) -> None:
    """Search the bytes that leave for everything that was masked, with readers of their own. A hit is an error."""
    masked: dict[EntityType, set[str]] = {}
    for entity in entities:
        masked.setdefault(entity.type, set()).update(m.text for m in entity.mentions)
    leaks.check_file(
        data,
        ".json",
        "the prompt",
        masked=set().union(*masked.values()),
        visible=visible,
        people=tuple(map(Person, sanitizer.policy.protect)),
        names=masked.get(EntityType.PERSON, set()),
    )


# --- names of the protocol --------------------------------------------------------------------------------------------


def _spell_names(leaves: Iterable[Leaf]) -> list[str]:
    """Names of several words as the line reads them: `Orla_Vexley` is a person to it only as two words."""
    spelled: dict[str, None] = {}
    for leaf in leaves:
        words = WORD.findall(leaf.text) if KEY.fullmatch(leaf.text) else leaf.text.split()
        if leaf.kind is LeafKind.NAME and len(words) > 1:
            spelled["to: " + " ".join(words)] = None
    return list(spelled)


def _is_named(entity: Entity, start: int) -> bool:
    return entity.type is EntityType.PERSON and any(
        mention.start >= start and _is_full_name(mention.text.split())
        for mention in entity.mentions
    )


def _is_full_name(words: list[str]) -> bool:
    """Whether words hold a whole name beside words of programs: `ask_Tom_Reed`, not `julia_run`."""
    names = [w for w in words if not is_plain(w) and w.casefold() not in PROGRAM_WORDS]
    return len(names) > 1


@cache
def _get_patterns() -> PatternDetector:
    return PatternDetector()


def _check_names(names: list[str]) -> None:
    """Refuse a request whose names of the protocol hold an address, a card or a key: somebody put text there."""
    text = BREAK.join(names)
    [found] = _get_patterns().detect([Document(text)])
    bad = [m for m in found.mentions if m.certain or m.subtype in DANGEROUS]
    if bad:
        raise LeakError(
            f"{len(bad)} names or ids of the request hold personal information; nothing is sent"
        )
