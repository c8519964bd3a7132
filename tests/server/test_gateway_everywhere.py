"""Requests of three protocols, filled in every field that is known: a secret in any place is masked, or refused."""

import copy
import json

import pytest

from maskwise.errors import InputError, LeakError
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.server.gateway.placeholders import PlaceholderTable
from maskwise.server.gateway.places import COUNTS, LIMITS
from maskwise.server.gateway.prompts import mask_prompt

CANARY = "Quillfeather"
TEXT = f"Ms Orla {CANARY} left."
PHONE = 447911123456
SEALED = "QUJD" * 90  # what only a provider can read

CHAT = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief.", "name": "rules"},
        {"role": "developer", "content": [{"type": "text", "text": "Be kind."}]},
        {"role": "user", "content": [{"type": "text", "text": "Hello."}], "name": "guest"},
        {
            "role": "assistant",
            "content": "Yes.",
            "refusal": "no",
            "reasoning_content": "hm",
            "audio": {"id": "audio_1", "transcript": "aha"},
            "annotations": [
                {"type": "url_citation", "url_citation": {"title": "a", "url": "b", "end_index": 3}}
            ],
            "tool_calls": [
                {
                    "id": "t1",
                    "type": "function",
                    "function": {"name": "send", "arguments": '{"to": "a", "n": 1, "all": [2]}'},
                },
                {"id": "t2", "type": "custom", "custom": {"name": "run", "input": "ls"}},
            ],
            "function_call": {"name": "send", "arguments": "{}"},
        },
        {"role": "tool", "tool_call_id": "t1", "content": "done"},
        {"role": "function", "name": "send", "content": "done"},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "send",
                "description": "Sends.",
                "strict": True,
                "parameters": {
                    "type": "object",
                    "title": "a",
                    "properties": {
                        "to": {"type": "string", "enum": ["a"], "description": "b", "maxLength": 9}
                    },
                    "required": ["to"],
                },
            },
        },
        {
            "type": "custom",
            "custom": {
                "name": "run",
                "description": "a",
                "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": "s: A"}},
            },
        },
    ],
    "tool_choice": {"type": "function", "function": {"name": "send"}},
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "a", "description": "b", "schema": {"type": "object"}},
    },
    "prediction": {"type": "content", "content": [{"type": "text", "text": "a"}]},
    "stop": ["a"],
    "logit_bias": {"50256": -100},
    "metadata": {"case": "a"},
    "user": "u",
    "safety_identifier": "u",
    "prompt_cache_key": "u",
    "modalities": ["text"],
    "audio": {"voice": "alloy", "format": "wav"},
    "web_search_options": {
        "search_context_size": "low",
        "user_location": {"type": "approximate", "approximate": {"city": "a", "country": "b"}},
    },
    "reasoning_effort": "low",
    "verbosity": "low",
    "service_tier": "auto",
    "seed": 1,
    "temperature": 0.5,
    "max_completion_tokens": 9,
    "n": 1,
    "store": False,
    "stream_options": {"include_usage": True},
    "a_field_of_tomorrow": {"kind": "a", "parts": [{"value": "b", "weight": 3}]},
}
RESPONSES = {
    "model": "m",
    "instructions": "Be brief.",
    "input": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [
                {
                    "type": "output_text",
                    "text": "b",
                    "annotations": [{"type": "file_citation", "filename": "a", "index": 1}],
                    "logprobs": [{"token": "b", "logprob": -0.123456789, "bytes": [98]}],
                },
                {"type": "refusal", "refusal": "no"},
            ],
        },
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "a"}],
         "encrypted_content": SEALED},
        {"type": "function_call", "call_id": "c", "name": "send", "arguments": '{"to": "a"}'},
        {"type": "function_call_output", "call_id": "c", "output": "done"},
        {"type": "custom_tool_call", "call_id": "c", "name": "run", "input": "ls"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "done"},
        {"type": "web_search_call", "id": "w", "action": {"type": "search", "query": "a"}},
        {"type": "file_search_call", "id": "f", "queries": ["a"],
         "results": [{"filename": "a", "text": "b", "score": 0.123456789, "attributes": {"k": 1}}]},
        {"type": "code_interpreter_call", "id": "i", "code": "1", "container_id": "c",
         "outputs": [{"type": "logs", "logs": "1"}]},
        {"type": "computer_call", "id": "k", "call_id": "c",
         "action": {"type": "type", "text": "a"}, "pending_safety_checks": [{"message": "a"}]},
        {"type": "local_shell_call", "id": "l", "call_id": "c",
         "action": {"type": "exec", "command": ["ls"], "env": {"A": "b"}, "working_directory": "a"}},
        {"type": "local_shell_call_output", "id": "l", "output": "a"},
        {"type": "apply_patch_call", "call_id": "c",
         "operation": {"type": "create_file", "path": "a", "diff": "b"}},
        {"type": "mcp_list_tools", "server_label": "a",
         "tools": [{"name": "a", "description": "b", "input_schema": {"type": "object"}}]},
        {"type": "mcp_call", "id": "m", "name": "a", "arguments": "{}", "output": "b", "error": "c"},
        {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True, "reason": "b"},
    ],
    "prompt": {"id": "p", "version": "2", "variables": {"who": "a", "n": 3}},
    "tools": [
        {"type": "function", "name": "send", "description": "a", "parameters": {"type": "object"}},
        {"type": "file_search", "vector_store_ids": ["v"],
         "filters": {"type": "eq", "key": "author", "value": "a"}},
        {"type": "mcp", "server_label": "a", "server_description": "b", "headers": {"k": "v"},
         "allowed_tools": ["a"]},
    ],
    "text": {"format": {"type": "json_schema", "name": "a", "schema": {"enum": ["a"]}}},
    "reasoning": {"effort": "low", "summary": "auto"},
    "include": ["reasoning.encrypted_content"],
    "metadata": {"case": "a"},
    "truncation": "auto",
    "max_output_tokens": 9,
    "user": "u",
}  # fmt: skip
MESSAGES = {
    "model": "m",
    "max_tokens": 9,
    "system": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "a"},
                {
                    "type": "document",
                    "title": "a",
                    "context": "b",
                    "source": {"type": "text", "media_type": "text/plain", "data": "c"},
                    "citations": {"enabled": True},
                },
                {"type": "search_result", "source": "a", "title": "b",
                 "content": [{"type": "text", "text": "c"}]},
                {"type": "tool_result", "tool_use_id": "u", "is_error": False,
                 "content": [{"type": "text", "text": "a"}]},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "a", "signature": SEALED},
                {"type": "redacted_thinking", "data": SEALED},
                {"type": "text", "text": "a", "citations": [
                    {"type": "char_location", "cited_text": "a", "document_title": "b",
                     "document_index": 0, "start_char_index": 0}]},
                {"type": "tool_use", "id": "u", "name": "send", "input": {"to": ["a"], "n": 2}},
                {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "a"}},
                {"type": "web_search_tool_result", "tool_use_id": "s", "content": [
                    {"type": "web_search_result", "title": "a", "url": "b", "page_age": "c",
                     "encrypted_content": SEALED}]},
            ],
        },
        {"role": "assistant", "content": "Dear"},
    ],
    "tools": [
        {"name": "send", "description": "a", "input_schema": {"properties": {"a": {"const": "b"}}}},
        {"type": "web_search_20250305", "name": "web_search", "allowed_domains": ["a"],
         "user_location": {"type": "approximate", "city": "a"}},
    ],
    "tool_choice": {"type": "tool", "name": "send"},
    "thinking": {"type": "enabled", "budget_tokens": 1024},
    "metadata": {"user_id": "u"},
    "stop_sequences": ["a"],
    "container": {"id": "c", "skills": [{"type": "custom", "skill_id": "s", "version": "1"}]},
    "mcp_servers": [{"type": "url", "url": "a", "name": "b", "authorization_token": "c"}],
    "context_management": {"edits": [{"type": "clear", "keep": {"type": "tool_uses", "value": 3}}]},
    "temperature": 0.5,
}  # fmt: skip
BODIES = {"chat": CHAT, "responses": RESPONSES, "messages": MESSAGES}


@pytest.fixture(scope="module")
def sanitizer():
    """Rules alone: which places are read is the same with every detector, and a request has hundreds of them."""
    return Sanitizer(Policy.parse({"name": "rules", "detectors": [{"kind": "patterns"}]}))


def list_places(value, path=()):
    """The paths of all values that are no lists and no objects, and of all objects."""
    if isinstance(value, dict):
        yield path, True
        for key, each in value.items():
            yield from list_places(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from list_places(each, (*path, at))
    else:
        yield path, False


def put(body, path, secret):
    """A copy of a request with something else at a path."""
    changed = copy.deepcopy(body)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = secret
    return changed


def send(sanitizer, body):
    """What would leave; None where the request is refused."""
    try:
        return mask_prompt(sanitizer, body, PlaceholderTable(), lambda _: "hidden").data.decode()
    except (InputError, LeakError):
        return None


def test_the_samples_themselves_may_leave(sanitizer):
    for body in BODIES.values():
        assert send(sanitizer, body) is not None


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_name_is_masked_or_refused_in_every_value(sanitizer, body):
    leaks = []
    for path, is_object in list_places(body):
        if not is_object:
            sent = send(sanitizer, put(body, path, TEXT))
            leaks += [path] if sent and CANARY in sent else []
    assert leaks == []


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_name_is_masked_or_refused_in_every_field_that_nobody_knows(sanitizer, body):
    leaks = []
    for path, is_object in list_places(body):
        if is_object:
            for key, secret in (("note", TEXT), ("parts", [{"value": [TEXT]}]), (TEXT, 1)):
                sent = send(sanitizer, put(body, (*path, key), secret))
                leaks += [(*path, key)] if sent and CANARY in sent else []
    assert leaks == []


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_long_number_is_masked_or_refused_where_it_is_no_setting(sanitizer, body):
    leaks = []
    for path, is_object in list_places(body):
        place = (*path, str(PHONE)) if is_object else path
        if place[-1] in COUNTS | LIMITS:
            continue
        sent = send(sanitizer, put(body, place, 1 if is_object else PHONE))
        leaks += [place] if sent and str(PHONE) in sent else []
    assert leaks == []


@pytest.mark.parametrize(
    "text",
    [
        "data:text/plain,Ms%20Orla",
        "see data:application/pdf;name=a.pdf;base64,AAAA",
        "\n".join(["QUJDREVG" * 9] * 20),
        "QUJDREVG" * 40,
    ],
)
def test_packed_content_is_refused_in_any_text(sanitizer, text):
    assert send(sanitizer, put(CHAT, ("messages", 0, "content"), text)) is None


def test_long_plain_text_is_not_taken_for_packed_content(sanitizer):
    text = "the store was closed and nobody came\n" * 20
    assert send(sanitizer, put(CHAT, ("messages", 0, "content"), text)) is not None


def test_settings_of_the_protocol_keep_their_numbers(sanitizer):
    body = {**CHAT, "seed": 1234567890123, "temperature": 0.30000000000000004}
    sent = json.loads(send(sanitizer, body))
    assert (sent["seed"], sent["temperature"]) == (1234567890123, 0.30000000000000004)
