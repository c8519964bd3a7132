"""Answers that come back: whole ones, and streams of server-sent events of three protocols.

Each place where a text grows has a restorer of its own: a choice, a tool call, a block, an item. What a restorer holds
back when its place ends is sent before the end, in an event like the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from maskwise.server.answers import dump_json
from maskwise.server.gateway.placeholders import PlaceholderCount, PlaceholderTable, Restorer

DONE = "[DONE]"
IN_JSON = frozenset(("arguments", "partial_json"))
SAID = frozenset(("content", "text"))  # what a model says: JSON too, where the request asks for it
StreamPlace = tuple[Any, ...]


def list_json_keys(body: Any) -> frozenset[str]:
    """The keys under which the answer to a request has JSON in a string: there, originals are escaped.

    >>> sorted(list_json_keys({"response_format": {"type": "json_object"}}))
    ['arguments', 'content', 'partial_json', 'text']
    """
    holders = [body] + [body.get(key) for key in ("text", "output_config")]
    formats = [
        holder.get(key)
        for holder in holders
        if isinstance(holder, dict)
        for key in ("response_format", "format", "output_format")
    ]
    kinds = [str(each.get("type")) for each in formats if isinstance(each, dict)]
    return IN_JSON | SAID if any(kind.startswith("json") for kind in kinds) else IN_JSON


def restore_value(
    value: Any,
    table: PlaceholderTable,
    count: PlaceholderCount,
    json_keys: frozenset[str] = IN_JSON,
    key: str = "",
) -> Any:
    """An answer with the placeholders of all its strings turned back."""
    if isinstance(value, str):
        restorer = Restorer(table, count, key in json_keys)
        return restorer.feed(value) + restorer.finish()
    if isinstance(value, list):
        return [restore_value(each, table, count, json_keys, key) for each in value]
    if isinstance(value, dict):
        return {
            restore_value(name, table, count): restore_value(each, table, count, json_keys, name)
            for name, each in value.items()
        }
    return value


@dataclass
class EventReader:
    """Cuts a stream of bytes into events, wherever the network cut it."""

    _buffer: bytes = field(default=b"", repr=False)

    def feed(self, data: bytes) -> Iterator[tuple[str, str]]:
        """Yields the name and the data of each whole event."""
        self._buffer += data
        while True:
            normal = self._buffer.replace(b"\r\n", b"\n") if b"\r" in self._buffer else self._buffer
            head, sign, rest = normal.partition(b"\n\n")
            if not sign:
                return
            self._buffer = rest
            if event := _parse_event(head):
                yield event

    def finish(self) -> Iterator[tuple[str, str]]:
        """Yields an event that the end of the stream cut short of its empty line."""
        left, self._buffer = self._buffer.replace(b"\r\n", b"\n"), b""
        if event := _parse_event(left):
            yield event


def _parse_event(block: bytes) -> tuple[str, str] | None:
    name = ""
    lines: list[str] = []
    for line in block.decode("utf-8", "replace").split("\n"):
        field_name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field_name == "event":
            name = value
        elif field_name == "data":
            lines.append(value)
    return (name, "\n".join(lines)) if lines else None


def write_event(name: str, data: Any) -> bytes:
    told = data.encode() if isinstance(data, str) else dump_json(data)
    head = f"event: {name}\n".encode("utf-8", "replace") if name else b""
    return head + b"data: " + told + b"\n\n"


@dataclass
class StreamRestorer:
    """Restores one stream. `dialect` knows where texts grow in its events, and where they end."""

    dialect: Callable[[StreamRestorer, str, dict[str, Any]], Iterator[tuple[str, Any]]]
    table: PlaceholderTable = field(repr=False)
    json_keys: frozenset[str] = IN_JSON
    count: PlaceholderCount = field(default_factory=PlaceholderCount)
    answer: str | None = None  # the id of the answer, once an event says it
    _reader: EventReader = field(default_factory=EventReader, repr=False)
    _restorers: dict[StreamPlace, Restorer] = field(default_factory=dict, repr=False)

    def feed(self, data: bytes) -> bytes:
        return b"".join(self._restore(name, text) for name, text in self._reader.feed(data))

    def finish(self) -> bytes:
        """The last event, if the stream stopped inside it."""
        return b"".join(self._restore(name, text) for name, text in self._reader.finish())

    def _restore(self, name: str, text: str) -> bytes:
        if text == DONE:
            return write_event(name, DONE)
        try:
            event = json.loads(text)
        except ValueError:
            return b""  # no part of any protocol, so nobody knows what it holds
        if not isinstance(event, dict):
            return b""
        whole = event.get("response")
        if isinstance(whole, dict) and isinstance(whole.get("id"), str):
            self.answer = whole["id"]
        return b"".join(write_event(each, data) for each, data in self.dialect(self, name, event))

    def grow(self, place: StreamPlace, text: str, in_json: bool = False) -> str:
        """The text that can be shown of a piece of a growing text."""
        restorer = self._restorers.setdefault(place, Restorer(self.table, self.count, in_json))
        return restorer.feed(text)

    def end(self, place: StreamPlace) -> str:
        """What was held back of a text that ends."""
        restorer = self._restorers.pop(place, None)
        return restorer.finish() if restorer else ""

    def list_open(self, head: StreamPlace) -> list[StreamPlace]:
        return [place for place in self._restorers if place[: len(head)] == head]

    def restore_all(self, value: Any) -> Any:
        return restore_value(value, self.table, self.count, self.json_keys)


def read_chat(
    stream: StreamRestorer, name: str, event: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Events of `chat/completions`: a choice has a growing content, and tool calls with growing arguments."""
    event = deepcopy(event)
    if "error" in event:
        event["error"] = stream.restore_all(event["error"])
    for choice in event.get("choices") or ():
        at = choice.get("index", 0)
        delta = choice.get("delta") or {}
        _grow_delta(stream, at, delta)
        if choice.get("finish_reason") is not None:
            _end_choice(stream, at, delta)
            choice["delta"] = delta
    yield name, event


# Where the text of a call grows: the object that holds it, its key, and whether it is JSON.
_CALLS = (("function", "arguments", True), ("custom", "input", False))


def _grow_delta(stream: StreamRestorer, at: Any, delta: dict[str, Any]) -> None:
    """Each string of a choice but its role grows on its own, and so does each call."""
    for key, value in delta.items():
        if isinstance(value, str) and key != "role":
            delta[key] = stream.grow((at, key), value, key in stream.json_keys)
    for call in delta.get("tool_calls") or ():
        for kind, key, in_json in _CALLS:
            held = call.get(kind) or {}
            if isinstance(held.get(key), str):
                place = (at, "tool", call.get("index", 0), kind, key)
                held[key] = stream.grow(place, held[key], in_json)
    legacy = delta.get("function_call") or {}
    if isinstance(legacy.get("arguments"), str):
        legacy["arguments"] = stream.grow((at, "call"), legacy["arguments"], in_json=True)


def _end_choice(stream: StreamRestorer, at: Any, delta: dict[str, Any]) -> None:
    """Put what is held back of a choice into its last event."""
    for place in stream.list_open((at,)):
        left = stream.end(place)
        if not left:
            continue
        if place[1] == "tool":
            calls = delta.setdefault("tool_calls", [])
            calls.append({"index": place[2], place[3]: {place[4]: left}})
        elif place[1] == "call":
            legacy = delta.get("function_call") or {}
            delta["function_call"] = {
                **legacy,
                "arguments": (legacy.get("arguments") or "") + left,
            }
        else:
            delta[place[1]] = (delta.get(place[1]) or "") + left


_DELTAS = {
    "text_delta": "text",
    "input_json_delta": "partial_json",
    "thinking_delta": "thinking",
    "citations_delta": "",
}


def read_anthropic(
    stream: StreamRestorer, name: str, event: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Events of `messages`: blocks that start, grow and stop."""
    kind = event.get("type")
    at = event.get("index", 0)
    if kind == "content_block_delta":
        delta = dict(event.get("delta") or {})
        key = _DELTAS.get(str(delta.get("type")), "")
        if isinstance(delta.get(key), str):
            in_json = key in stream.json_keys
            delta[key] = stream.grow((at, delta["type"], key), delta[key], in_json)
            yield name, {**event, "delta": delta}
        else:
            yield name, stream.restore_all(event)
        return
    if kind == "content_block_stop":
        for place in stream.list_open((at,)):
            if left := stream.end(place):
                delta = {"type": place[1], place[2]: left}
                yield (
                    "content_block_delta",
                    {"type": "content_block_delta", "index": at, "delta": delta},
                )
        yield name, event
        return
    yield name, stream.restore_all(event)


_PLACE = ("item_id", "output_index", "content_index", "summary_index")


def read_responses(
    stream: StreamRestorer, name: str, event: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Events of `responses`: `….delta` grows a text, `….done` and all others hold whole texts."""
    kind = str(event.get("type", ""))
    head = tuple(event.get(key) for key in _PLACE)
    base = kind.rpartition(".")[0]
    is_said = "output_text" in base and "text" in stream.json_keys
    in_json = "arguments" in base or is_said
    if kind.endswith(".delta") and isinstance(event.get("delta"), str):
        yield name, {**event, "delta": stream.grow((*head, base), event["delta"], in_json)}
        return
    if kind.endswith(".done") and (left := stream.end((*head, base))):
        grown = {key: event[key] for key in _PLACE if key in event}
        yield f"{base}.delta" if name else "", {**grown, "type": f"{base}.delta", "delta": left}
    yield name, stream.restore_all(event)
