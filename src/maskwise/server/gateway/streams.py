"""Answers that come back: whole ones, and streams of server-sent events of three protocols.

Each place where a text grows has a restorer of its own: a choice, a tool call, a block, an item. What a restorer holds
back when its place ends is sent before the end, in an event like the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from maskwise.server.answers import dump_json
from maskwise.server.gateway.placeholders import PlaceholderCount, PlaceholderTable, Restorer

DONE = "[DONE]"
LARGEST = 1 << 24  # bytes of an answer, or of an event of a stream
PLACES = 1000  # of one stream, in which texts grow at the same time
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

    _buffer: bytearray = field(default_factory=bytearray, repr=False)
    _searched: int = 0  # bytes of the buffer in which no event ends
    _has_return: bool = False  # the last byte was \r, which may be the first half of a break

    def feed(self, data: bytes) -> Iterator[tuple[str, str]]:
        """Yields the name and the data of each whole event."""
        self._buffer += self._normalise_breaks(data)
        while (end := self._buffer.find(b"\n\n", self._searched)) >= 0:
            head = bytes(self._buffer[:end])
            del self._buffer[: end + 2]
            self._searched = 0
            if event := _parse_event(head):
                yield event
        self._searched = max(0, len(self._buffer) - 1)
        if len(self._buffer) > LARGEST:
            raise ValueError("an event is too large")

    def finish(self) -> Iterator[tuple[str, str]]:
        """Yields an event that the end of the stream cut short of its empty line."""
        left, self._buffer = bytes(self._buffer), bytearray()
        if event := _parse_event(left):
            yield event

    def _normalise_breaks(self, data: bytes) -> bytes:
        """Line breaks of all kinds as one."""
        if self._has_return:
            data = b"\r" + data
        self._has_return = data.endswith(b"\r")
        if b"\r" not in data:
            return data
        return data.removesuffix(b"\r").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


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


# Reads an event by name and value; None is the end of the stream.
Dialect = Callable[["StreamRestorer", str, dict[str, Any] | None], Iterator[tuple[str, Any]]]


@dataclass
class StreamRestorer:
    """Restores one stream. `dialect` knows where texts grow in its events, and where they end."""

    dialect: Dialect
    table: PlaceholderTable = field(repr=False)
    json_keys: frozenset[str] = IN_JSON
    count: PlaceholderCount = field(default_factory=PlaceholderCount)
    answer: str | None = None  # the id of the answer, once an event says it
    _reader: EventReader = field(default_factory=EventReader, repr=False)
    _restorers: dict[StreamPlace, Restorer] = field(default_factory=dict, repr=False)

    def feed(self, data: bytes) -> bytes:
        return b"".join(self._restore(name, text) for name, text in self._reader.feed(data))

    def finish(self) -> bytes:
        """The last event, if the stream stopped inside it, and what is held back of texts that never ended."""
        last = b"".join(self._restore(name, text) for name, text in self._reader.finish())
        return last + self._write("", None)

    def _restore(self, name: str, text: str) -> bytes:
        if text == DONE:
            return self._write("", None) + write_event(name, DONE)
        try:
            event = json.loads(text)
        except ValueError:
            return b""  # no part of any protocol, so nobody knows what it holds
        if not isinstance(event, dict):
            return b""
        whole = event.get("response")
        if isinstance(whole, dict) and isinstance(whole.get("id"), str):
            self.answer = whole["id"]
        return self._write(name, event)

    def _write(self, name: str, event: dict[str, Any] | None) -> bytes:
        return b"".join(write_event(each, data) for each, data in self.dialect(self, name, event))

    def grow(self, place: StreamPlace, text: str, in_json: bool = False) -> str:
        """The text that can be shown of a piece of a growing text."""
        restorer = self._restorers.setdefault(place, Restorer(self.table, self.count, in_json))
        if len(self._restorers) > PLACES:
            raise ValueError("too many texts grow at once")
        return restorer.feed(text)

    def end(self, place: StreamPlace) -> str:
        """The rest of a text that ends, which was held back."""
        restorer = self._restorers.pop(place, None)
        return restorer.finish() if restorer else ""

    def list_open(self, head: StreamPlace = ()) -> list[StreamPlace]:
        return [place for place in self._restorers if place[: len(head)] == head]

    def restore_all(self, value: Any) -> Any:
        return restore_value(value, self.table, self.count, self.json_keys)
