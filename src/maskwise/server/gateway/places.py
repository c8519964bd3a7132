"""Where text stands in a request: each string is text, a name of the protocol, or the id of a person, by its place.

What no place is known for is text. Objects that a tool, a client or a schema fills with values of its own are free:
there keys and long numbers are text as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any

from maskwise.detect.gazetteer.lists import is_given_name
from maskwise.errors import InputError
from maskwise.text.usual_words import is_usual

DEPTH = 60
# Keys whose strings are names of the protocol where they are one word; a sentence is text in any place.
IDS = frozenset(
    """id call_id tool_call_id tool_use_id previous_response_id item_id response_id encrypted_content
    signature model approval_request_id""".split()
)
NAMES = IDS | frozenset(
    """role type object status finish_reason stop_reason detail format media_type encoding_format
    effort verbosity summary service_tier tool_choice truncation include modalities cache_control
    ttl strict betas reasoning_effort index""".split()
)
SCHEMA_NAMES = IDS | frozenset(
    """$ref $schema $id type format required name strict syntax server_url server_label
    authorization connector_id allowed_tools vector_store_ids search_context_size""".split()
)
SCHEMAS = frozenset(
    """tools functions response_format text_format output_format output_config tool_choice
    text""".split()
)  # at the top, and where they are objects: `text` is a string elsewhere
INNER_SCHEMAS = frozenset(("input_schema", "parameters", "json_schema", "schema"))
VALUES = frozenset(("enum", "const", "default", "example", "examples", "headers"))
FREE = frozenset(("arguments", "metadata", "variables", "env", "attributes"))
PEOPLE = frozenset(("user", "safety_identifier", "prompt_cache_key"))  # ids of whoever asks
# Parts that hold what nobody here can read, by their type or by the key of their bytes.
UNREADABLE = frozenset(
    """image image_url input_image file input_file input_audio audio video video_url
    computer_screenshot container_upload image_generation_call image_file""".split()
)
PACKED = frozenset(("image_url", "file_data", "file_url", "input_audio", "b64_json"))
# Keys whose numbers are settings and times. A long number anywhere else may be a phone or a person's id.
COUNTS = frozenset(
    """seed temperature top_p top_k min_p presence_penalty frequency_penalty repetition_penalty n
    top_logprobs logprob score max_tokens max_completion_tokens max_output_tokens budget_tokens
    thinking_budget created created_at completed_at expires_at""".split()
)
LIMITS = frozenset(
    """minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems
    maxItems minProperties maxProperties""".split()
)  # keys of a schema that hold numbers
KEY = re.compile(r"[A-Za-z0-9_.$-]{1,64}")
PROTOCOL_KEY = re.compile(r"[a-z_$][A-Za-z0-9_.$-]{0,63}|[0-9]{1,6}")  # the latter are tokens
CHOICE = re.compile(r"[a-z0-9][a-z0-9_.:/+-]*")  # a value that a protocol lists, such as a role
PLAIN_KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")  # a word of a programmer, also in a free object
NAME = re.compile(r"[!-~]*")  # no space, no letter beyond ASCII
ENCODED = re.compile(
    r"data:[\w/+.-]*;base64,|\bdata:[a-z]+/[\w.+-]+[;,]|\A[A-Za-z0-9+/_-]{256,}={0,2}\Z"
    r"|\A(?:[A-Za-z0-9+/_-]{60,}\r?\n){3,}[A-Za-z0-9+/_-]*={0,2}\s*\Z",
    re.ASCII | re.IGNORECASE,
)
_NAME_PART = re.compile(r"[^\W\d_]+")
LONG = 7  # digits of a number that may be a phone, a card or a person's id


class PlaceKind(Enum):
    """How the strings of an object are read."""

    PROTOCOL = auto()
    SCHEMA = auto()
    FREE = auto()


class LeafKind(Enum):
    """The role of a string in a request."""

    TEXT = auto()
    NAME = auto()
    PERSON = auto()  # the id of whoever asks


@dataclass(frozen=True)
class Leaf:
    """A string of a request. The label is the key that says what it is, where a client chose the key."""

    text: str = field(repr=False)
    kind: LeafKind
    label: str = field(default="", repr=False)
    is_id: bool = False


@dataclass(frozen=True)
class RequestPlace:
    """Where the walk of a request stands."""

    keys: tuple[str, ...] = ()
    kind: PlaceKind = PlaceKind.PROTOCOL
    depth: int = 0

    @property
    def last(self) -> str:
        return self.keys[-1] if self.keys else ""

    def enter(self, key: str, value: Any) -> RequestPlace:
        kind = self.kind
        if kind is not PlaceKind.FREE:
            if (
                key in FREE
                or (key == "input" and self.keys)
                or (kind is PlaceKind.SCHEMA and key in VALUES)
            ):
                kind = PlaceKind.FREE
            elif not isinstance(value, str) and (
                key in INNER_SCHEMAS or (key in SCHEMAS and not self.keys)
            ):
                kind = PlaceKind.SCHEMA
        return RequestPlace((*self.keys, key), kind, self.depth + 1)

    def read_kind(self, text: str) -> LeafKind:
        """The role of a string that stands here."""
        if (len(self.keys) == 1 and self.last in PEOPLE) or self.keys == ("metadata", "user_id"):
            return LeafKind.PERSON
        if self.kind is PlaceKind.FREE or not NAME.fullmatch(text):
            return LeafKind.TEXT
        if self.kind is PlaceKind.SCHEMA:
            is_name = self.last in SCHEMA_NAMES
        else:
            is_choice = self.last in NAMES and CHOICE.fullmatch(text) is not None
            is_name = self.last in IDS or is_choice
        is_name = is_name or (self.last == "name" and self._has_tool_name())
        return LeafKind.NAME if is_name else LeafKind.TEXT

    def has_counts(self) -> bool:
        """Whether a long number that stands here is a setting, or the limit of a value in a schema."""
        if self.kind is PlaceKind.SCHEMA:
            return self.last in LIMITS
        return self.kind is PlaceKind.PROTOCOL and self.last in COUNTS

    def _has_tool_name(self) -> bool:
        keys = self.keys
        return "function" in keys or "content" in keys or keys[:1] == ("input",)


Visit = Callable[[Leaf], str]


def rewrite(value: Any, visit: Visit, place: RequestPlace | None = None) -> Any:
    """A copy of a request in which `visit` chose each string. It meets them in the same order each time."""
    place = place or RequestPlace()
    if place.depth > DEPTH:
        raise InputError("the request is nested too deeply")
    if isinstance(value, str):
        return _rewrite_string(value, visit, place)
    if isinstance(value, list):
        inner = replace(place, depth=place.depth + 1)
        return [rewrite(each, visit, inner) for each in value]
    if isinstance(value, dict):
        return _rewrite_object(value, visit, place)
    if is_long_number(value) and not place.has_counts():
        text = str(value)
        kind = place.read_kind(text)
        found = visit(Leaf(text, kind if kind is LeafKind.PERSON else LeafKind.TEXT, place.last))
        return value if found == text else found
    return value


def is_long_number(value: Any) -> bool:
    """Whether a number has as many digits as a phone or an id has."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and sum(map(str.isdecimal, str(value))) >= LONG


def is_name_of_person(text: str) -> bool:
    """Whether the name of who takes part is that of a person. Agents are called by what they do: "planner".

    >>> [is_name_of_person(one) for one in ("Orla_Quillfeather", "alice", "planner", "Critic")]
    [True, True, False, False]
    """
    parts = _NAME_PART.findall(text)
    capitals = [part for part in parts if part[0].isupper() and not is_usual(part.lower())]
    return len(capitals) > 1 or any(is_given_name(part.title()) for part in parts)


def _rewrite_string(text: str, visit: Visit, place: RequestPlace) -> Any:
    kind = place.read_kind(text)
    if kind is LeafKind.TEXT:
        packed = read_packed(text, place.last == "arguments")
        if packed is not None:
            value, is_exact = packed
            inner = RequestPlace(place.keys, PlaceKind.FREE, place.depth + 1)
            found = rewrite(value, visit, inner)
            return text if is_exact and found == value else json.dumps(found, ensure_ascii=False)
        if ENCODED.search(text):
            raise InputError("packed content cannot be masked, so it is refused; send its text")
    is_person = kind is LeafKind.TEXT and place.last == "name" and is_name_of_person(text)
    label = place.last if place.kind is PlaceKind.FREE or is_person else ""
    return visit(Leaf(text, kind, label, place.last in IDS))


def read_packed(text: str, always: bool = False) -> tuple[Any, bool] | None:
    """The JSON in a string, where its escapes could hide text, and whether all of the string is in it.

    >>> read_packed('{"a": "Zo\\\\u00eb"}')
    ({'a': 'Zoë'}, True)
    """
    if text.lstrip()[:1] not in ("{", "[") or not (always or "\\" in text):
        return None
    is_exact = True

    def keep_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal is_exact
        found = dict(pairs)
        is_exact = is_exact and len(found) == len(pairs)
        return found

    try:
        return json.loads(text, object_pairs_hook=keep_pairs), is_exact
    except (ValueError, RecursionError):
        return None


def _rewrite_object(value: dict[str, Any], visit: Visit, place: RequestPlace) -> dict[str, Any]:
    if place.kind is PlaceKind.PROTOCOL:
        _refuse_unreadable(value)
    found: dict[str, Any] = {}
    is_sealed = value.get("type") == "redacted_thinking"  # only its provider can read it
    for key, each in value.items():
        inner = place.enter("encrypted_content" if is_sealed and key == "data" else key, each)
        found[_rewrite_key(key, visit, place)] = rewrite(each, visit, inner)
    return found


def _rewrite_key(key: str, visit: Visit, place: RequestPlace) -> str:
    """A key is text where a client chose it, and a name elsewhere."""
    if place.kind is PlaceKind.FREE and not PLAIN_KEY.fullmatch(key):
        return visit(Leaf(key, LeafKind.TEXT))
    is_number = place.kind is not PlaceKind.FREE and sum(map(str.isdecimal, key)) >= LONG
    is_unknown = place.kind is PlaceKind.PROTOCOL and not PROTOCOL_KEY.fullmatch(key)
    if is_number or is_unknown:
        raise InputError("a key of the request is no name, and keys are not masked; rename it")
    return visit(Leaf(key, LeafKind.NAME))


def _refuse_unreadable(value: dict[str, Any]) -> None:
    """Refuse parts that hold no text, packed documents, and texts that only the provider has."""
    kind = value.get("type")
    if kind == "item_reference":
        raise InputError("items that the provider keeps are refused; send their text")
    if isinstance(kind, str) and kind in UNREADABLE:
        raise InputError(
            f"parts of the type {kind!r} cannot be masked, so they are refused; send text"
        )
    if any(value.get(key) for key in PACKED):
        raise InputError("images, audio and files cannot be masked, so they are refused; send text")
    source = value.get("source")
    if isinstance(source, dict) and source.get("type") in ("base64", "url", "file"):
        raise InputError(
            "documents that are packed or behind an address are refused; send their text"
        )
