"""Where texts grow in the events of three protocols, and where they end. What is held back goes out before the end."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from maskwise.server.gateway.streams import StreamPlace, StreamRestorer


def read_chat(
    stream: StreamRestorer, name: str, event: dict[str, Any] | None
) -> Iterator[tuple[str, Any]]:
    """Events of `chat/completions`: a choice has a growing content, and tool calls with growing arguments."""
    if event is None:
        for at in dict.fromkeys(place[0] for place in stream.list_open()):
            delta: dict[str, Any] = {}
            _end_choice(stream, at, delta)
            if delta:
                yield name, {"choices": [{"index": at, "delta": delta, "finish_reason": None}]}
        return
    event = deepcopy(event)
    if "error" in event:
        event["error"] = stream.restore_all(event["error"])
    for choice in event.get("choices") or ():
        at = choice.get("index", 0)
        whole = {key: each for key, each in choice.items() if key != "delta"}
        choice.update(stream.restore_all(whole))
        delta = choice.get("delta") or {}
        _grow_delta(stream, at, delta)
        if choice.get("finish_reason") is not None:
            _end_choice(stream, at, delta)
            choice["delta"] = delta
    yield name, event


# Where the text of a call grows: the object that holds it, its key, and whether it is JSON.
_CALLS = (("function", "arguments", True), ("custom", "input", False))


def _grow_delta(stream: StreamRestorer, at: Any, delta: dict[str, Any]) -> None:
    """Each string of a choice but its role grows on its own, and so does each call, and what is said aloud."""
    for key, value in delta.items():
        if isinstance(value, str) and key != "role":
            delta[key] = stream.grow((at, key), value, key in stream.json_keys)
        elif key not in ("tool_calls", "function_call", "audio"):
            delta[key] = stream.restore_all(value)
    spoken = delta.get("audio") or {}
    if isinstance(spoken.get("transcript"), str):
        spoken["transcript"] = stream.grow((at, "audio"), spoken["transcript"])
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
        elif place[1] == "audio":
            spoken = delta.get("audio") or {}
            delta["audio"] = {**spoken, "transcript": (spoken.get("transcript") or "") + left}
        else:
            delta[place[1]] = (delta.get(place[1]) or "") + left


_DELTAS = {
    "text_delta": "text",
    "input_json_delta": "partial_json",
    "thinking_delta": "thinking",
    "citations_delta": "",
}


def read_anthropic(
    stream: StreamRestorer, name: str, event: dict[str, Any] | None
) -> Iterator[tuple[str, Any]]:
    """Events of `messages`: blocks that start, grow and stop."""
    if event is None:
        yield from _end_blocks(stream, ())
        return
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
        yield from _end_blocks(stream, (at,))
        yield name, event
        return
    if kind == "message_stop":
        yield from _end_blocks(stream, ())
    yield name, stream.restore_all(event)


def _end_blocks(stream: StreamRestorer, head: StreamPlace) -> Iterator[tuple[str, Any]]:
    """The rests of blocks that were held back, in events of their own."""
    kind = "content_block_delta"
    for place in stream.list_open(head):
        if left := stream.end(place):
            delta = {"type": place[1], place[2]: left}
            yield kind, {"type": kind, "index": place[0], "delta": delta}


_PLACE = ("item_id", "output_index", "content_index", "summary_index")


def read_responses(
    stream: StreamRestorer, name: str, event: dict[str, Any] | None
) -> Iterator[tuple[str, Any]]:
    """Events of `responses`: `….delta` grows a text, `….done` and all others hold whole texts."""
    if event is None:
        for place in stream.list_open():
            if left := stream.end(place):
                held = {
                    key: each for key, each in zip(_PLACE, place, strict=False) if each is not None
                }
                kind = f"{place[-1]}.delta"
                yield kind, {**held, "type": kind, "delta": left}
        return
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
