"""What leaves: every string of a request is masked unless its place says that it is no text, and all is checked again.

All texts of a request are one document, so that a surname in one message is known from the full name in another.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from maskwise.detect.patterns import PatternDetector
from maskwise.errors import InputError, LeakError
from maskwise.io import leaks
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.server.gateway.placeholders import PlaceholderTable, list_edits
from maskwise.text import Document, EntityType, Person

BREAK = "\n\n"  # between texts: no mention reaches over it
DEPTH = 60
# Keys whose strings are names of the protocol, not text of a person.
NAMES = frozenset(
    """model role type id object status call_id tool_call_id tool_use_id previous_response_id finish_reason stop_reason
    detail format media_type encoding_format effort verbosity summary service_tier tool_choice truncation include
    modalities cache_control ttl strict betas reasoning_effort index item_id encrypted_content signature
    prompt_cache_key""".split()
)
SCHEMAS = frozenset(
    ("tools", "functions", "response_format", "text_format", "output_format", "tool_choice", "text")
)  # below these, only descriptions are text; `text` is a schema where it is an object
DESCRIPTIONS = frozenset(("description", "title", "default", "examples"))
# Parts that hold what nobody here can read.
UNREADABLE = frozenset(
    """image image_url input_image file input_file input_audio audio video video_url computer_screenshot
    container_upload image_generation_call""".split()
)
KEY = re.compile(r"[A-Za-z0-9_.$-]{1,64}")
ARGUMENTS = frozenset(("arguments",))  # JSON inside a string
DANGEROUS = frozenset(
    ("email", "card", "iban", "us_ssn", "phone_international", "secret_key", "secret_private_key")
)


@dataclass(frozen=True)
class Leaf:
    """A string of a request: where it stands, and whether it is text or a name of the protocol."""

    path: tuple[str | int, ...]
    text: str = field(repr=False)
    is_text: bool


@dataclass
class MaskedPrompt:
    """A request that may leave, and what its placeholders stand for."""

    body: Any = field(repr=False)
    data: bytes = field(repr=False)
    table: PlaceholderTable = field(repr=False)
    result: Result | None = field(default=None, repr=False)


def collect_leaves(body: Any) -> list[Leaf]:
    """All strings of a request, in order. JSON inside tool arguments is looked into."""
    return list(_walk(body, (), False))


def _walk(value: Any, path: tuple[str | int, ...], in_schema: bool) -> Iterator[Leaf]:
    if len(path) > DEPTH:
        raise InputError("the request is nested too deeply")
    if isinstance(value, str):
        yield Leaf(path, value, _is_text(path, in_schema))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _walk(each, (*path, at), in_schema)
    elif isinstance(value, dict):
        kind = value.get("type")
        if isinstance(kind, str) and kind in UNREADABLE and not in_schema:
            raise InputError(
                f"parts of the type {kind!r} cannot be masked, so they are refused; send text"
            )
        _refuse_packed(value)
        for key, each in value.items():
            if path and not in_schema and not KEY.fullmatch(key):
                raise InputError(
                    "a key of the request is no name, and keys are not masked; rename it"
                )
            below = in_schema or (key in SCHEMAS and not isinstance(each, str) and len(path) < 1)
            yield Leaf((*path, key), str(key), False)
            yield from _walk(each, (*path, key), below)


def _refuse_packed(value: dict[str, Any]) -> None:
    """Documents are read where they are text; packed ones cannot be masked in place."""
    source = value.get("source")
    if isinstance(source, dict) and source.get("type") in ("base64", "url", "file"):
        raise InputError(
            "documents that are packed or behind an address are refused; send their text"
        )


def _is_text(path: tuple[str | int, ...], in_schema: bool) -> bool:
    keys = [part for part in path if isinstance(part, str)]
    last = keys[-1] if keys else ""
    if in_schema:
        return last in DESCRIPTIONS
    if "arguments" in keys or "input" in keys[1:]:  # of a tool: its keys are the tool's own
        return True
    return last not in NAMES and not (last == "name" and _names_a_tool(keys))


def _names_a_tool(keys: list[str]) -> bool:
    return "function" in keys or "tool_choice" in keys or "content" in keys or keys[:1] == ["input"]


def mask_prompt(sanitizer: Sanitizer, body: Any, table: PlaceholderTable) -> MaskedPrompt:
    """Mask a request. Whatever goes wrong is an error: nothing leaves."""
    unpacked, packed = _unpack_arguments(body)
    leaves = collect_leaves(unpacked)
    texts = [leaf for leaf in leaves if leaf.is_text and leaf.text.strip()]
    for leaf in leaves:
        table.reserve(leaf.text)
    result = sanitizer.sanitize(Document(BREAK.join(leaf.text for leaf in texts)))
    masked = _write_leaves(texts, list_edits(result, table))
    for leaf, text in zip(texts, masked, strict=True):
        _set(unpacked, leaf.path, text)
    _pack_arguments(unpacked, packed)
    data = json.dumps(unpacked, ensure_ascii=False).encode("utf-8", "surrogatepass")
    check_prompt(data, masked, result, sanitizer)
    _check_names([leaf.text for leaf in leaves if not leaf.is_text])
    return MaskedPrompt(unpacked, data, table, result)


def _write_leaves(leaves: list[Leaf], edits: list[tuple[int, int, str]]) -> list[str]:
    """The texts with placeholders. A mention that reaches over a break is replaced on both sides of it."""
    starts: list[int] = []
    at = 0
    for leaf in leaves:
        starts.append(at)
        at += len(leaf.text) + len(BREAK)
    by_leaf: list[list[tuple[int, int, str]]] = [[] for _ in leaves]
    for start, end, token in edits:
        for index in range(bisect_right(starts, start) - 1, len(leaves)):
            low = max(start - starts[index], 0)
            high = min(end - starts[index], len(leaves[index].text))
            if starts[index] >= end:
                break
            if low < high:
                by_leaf[index].append((low, high, token))
    return [_write(leaf.text, own) for leaf, own in zip(leaves, by_leaf, strict=True)]


def _write(text: str, edits: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, token in edits:
        parts += (text[at:start], token)
        at = end
    return "".join((*parts, text[at:]))


def _unpack_arguments(body: Any) -> tuple[Any, list[tuple[str | int, ...]]]:
    """A copy of the request in which tool arguments are values, and where they stood. What is no JSON stays text."""
    copy = json.loads(json.dumps(body))
    places: list[tuple[str | int, ...]] = []
    for leaf in list(_walk(copy, (), False)):
        if leaf.path and leaf.path[-1] in ARGUMENTS and _get(copy, leaf.path) is not None:
            value = _get(copy, leaf.path)
            try:
                found = json.loads(value) if isinstance(value, str) else None
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict | list):
                _set(copy, leaf.path, found)
                places.append(leaf.path)
    return copy, places


def _pack_arguments(body: Any, places: list[tuple[str | int, ...]]) -> None:
    for path in places:
        _set(body, path, json.dumps(_get(body, path), ensure_ascii=False))


def _get(body: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        body = body[part]
    return body


def _set(body: Any, path: tuple[str | int, ...], value: Any) -> None:
    _get(body, path[:-1])[path[-1]] = value


def check_prompt(data: bytes, visible: list[str], result: Result, sanitizer: Sanitizer) -> None:
    """Search the bytes that leave for everything that was masked, with readers of their own. A hit is an error."""
    masked: dict[EntityType, set[str]] = {}
    for entity in result.entities:
        if result.plan.by_entity[entity.id].masked:
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


def _check_names(names: list[str]) -> None:
    """Refuse a request whose names of the protocol hold an address, a card or a key: somebody put text there."""
    text = BREAK.join(names)
    [found] = PatternDetector().detect([Document(text)])
    bad = [m for m in found.mentions if m.certain or m.subtype in DANGEROUS]
    if bad:
        raise LeakError(
            f"{len(bad)} names or ids of the request hold personal information; nothing is sent"
        )
