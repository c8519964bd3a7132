"""A name in each place of a request that a client can fill: it is masked there, or nothing is sent."""

import base64
import json

import httpx
import pytest
from tests.server.conftest import make_client
from tests.server.test_gateway import UPSTREAM, Upstream

from maskwise.server.gateway.dialects import read_chat
from maskwise.server.gateway.placeholders import PlaceholderCount, PlaceholderTable
from maskwise.server.gateway.streams import StreamRestorer, restore_value
from maskwise.server.settings import ServerSettings

CANARY = "Quillfeather"
TEXT = f"Ms Orla {CANARY} left."
PACKED = json.dumps({"to": f"Zoë {CANARY}", "note": TEXT})  # its letters beyond ASCII are escaped
BYTES = base64.b64encode(TEXT.encode() * 20).decode()


@pytest.fixture(scope="module")
def gateway():
    with make_client(ServerSettings(**UPSTREAM)) as client:
        yield client


@pytest.fixture
def upstream(gateway):
    found = Upstream()
    gateway.app.state.service.http = httpx.AsyncClient(transport=httpx.MockTransport(found))
    return found


def chat(*messages, **more):
    return {"model": "m", "messages": list(messages) or [{"role": "user", "content": "hi"}], **more}


def call(arguments, **more):
    function = {"name": "send", "arguments": arguments}
    one = {"id": "t1", "type": "function", "function": function, **more}
    return {"role": "assistant", "tool_calls": [one]}


def tool(**function):
    return {"type": "function", "function": {"name": "send", **function}}


def user(*parts):
    return {"role": "user", "content": list(parts)}


def schema(**more):
    return {"type": "object", "properties": {"to": {"type": "string", **more}}}


CHAT, RESPONSES, MESSAGES = "/openai/v1/chat/completions", "/openai/v1/responses", "/anthropic/v1/messages"  # fmt: skip
MASKED = [
    (CHAT, chat({"role": "system", "content": TEXT})),
    (CHAT, chat({"role": "developer", "content": [{"type": "text", "text": TEXT}]})),
    (CHAT, chat({"role": "user", "content": "hi", "name": f"Orla {CANARY}"})),
    (CHAT, chat({"role": "tool", "tool_call_id": "t1", "content": PACKED})),
    (CHAT, chat({"role": "assistant", "content": None, "refusal": TEXT})),
    (CHAT, chat({"role": "assistant", "content": "a", "reasoning_content": TEXT})),
    (CHAT, chat({"role": "assistant", "function_call": {"name": "send", "arguments": PACKED}})),
    (CHAT, chat(call(PACKED))),
    (CHAT, chat(call(f'{{"to": "Orla {CANARY}", "to": "nobody"}}'))),
    (CHAT, chat(call(json.dumps({"inner": PACKED})))),
    (CHAT, chat(call(json.dumps({f"Orla {CANARY}": 1})))),
    (CHAT, chat(call(f"no JSON: {TEXT}"))),
    (
        CHAT,
        chat(
            {
                "role": "assistant",
                "tool_calls": [
                    {"id": "t", "type": "custom", "custom": {"name": "run", "input": TEXT}}
                ],
            }
        ),
    ),
    (CHAT, chat(call("{}", extra={"note": TEXT}))),
    (CHAT, chat(tools=[tool(description=TEXT)])),
    (CHAT, chat(tools=[tool(parameters=schema(description=TEXT))])),
    (CHAT, chat(tools=[tool(parameters=schema(enum=[f"Orla {CANARY}", "Tom Reed"]))])),
    (CHAT, chat(tools=[tool(parameters=schema(const=f"Orla {CANARY}"))])),
    (CHAT, chat(tools=[tool(parameters=schema(default={"name": f"Orla {CANARY}"}))])),
    (CHAT, chat(tools=[tool(parameters=schema(examples=[[TEXT]]))])),
    (CHAT, chat(tools=[tool(parameters={"$defs": {"a": {"title": TEXT, "$comment": TEXT}}})])),
    (CHAT, chat(functions=[{"name": "send", "description": TEXT}])),
    (
        CHAT,
        chat(
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "a", "description": TEXT, "schema": schema(enum=[TEXT])},
            }
        ),
    ),
    (CHAT, chat(metadata={"note": TEXT, "id": f"Orla {CANARY}", "status": f"Orla {CANARY}"})),
    (CHAT, chat(metadata={f"Orla {CANARY}": "a"})),
    (CHAT, chat(user=f"orla.{CANARY}@mail.example.org")),
    (CHAT, chat(user=CANARY, safety_identifier=CANARY, prompt_cache_key=CANARY)),
    (CHAT, chat(stop=[f"Orla {CANARY}"])),
    (CHAT, chat(prediction={"type": "content", "content": TEXT})),
    (CHAT, chat(web_search_options={"user_location": {"type": "approximate", "note": TEXT}})),
    (CHAT, chat(unknown={"deep": [{"status": TEXT, "type": TEXT, "model": TEXT}]})),
    (CHAT, {**chat(), "model": TEXT}),
    (RESPONSES, {"model": "m", "input": TEXT, "instructions": TEXT}),
    (
        RESPONSES,
        {
            "model": "m",
            "input": [
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": TEXT}],
                }
            ],
        },
    ),
    (
        RESPONSES,
        {
            "model": "m",
            "input": [
                {"type": "function_call", "call_id": "c", "name": "send", "arguments": PACKED}
            ],
        },
    ),
    (
        RESPONSES,
        {
            "model": "m",
            "input": [{"type": "function_call_output", "call_id": "c", "output": PACKED}],
        },
    ),
    (
        RESPONSES,
        {
            "model": "m",
            "input": [{"type": "custom_tool_call", "call_id": "c", "name": "a", "input": TEXT}],
        },
    ),
    (
        RESPONSES,
        {
            "model": "m",
            "input": [
                {
                    "type": "reasoning",
                    "id": "r",
                    "summary": [{"type": "summary_text", "text": TEXT}],
                }
            ],
        },
    ),
    (
        RESPONSES,
        {"model": "m", "input": [{"type": "local_shell_call_output", "id": "l", "output": TEXT}]},
    ),
    (
        RESPONSES,
        {
            "model": "m",
            "input": [
                {
                    "type": "mcp_list_tools",
                    "server_label": "a",
                    "tools": [
                        {"name": "a", "description": TEXT, "input_schema": schema(enum=[TEXT])}
                    ],
                }
            ],
        },
    ),
    (
        RESPONSES,
        {"model": "m", "input": "a", "prompt": {"id": "p", "variables": {"who": f"Orla {CANARY}"}}},
    ),
    (
        RESPONSES,
        {
            "model": "m",
            "input": "a",
            "text": {
                "format": {"type": "json_schema", "name": "a", "schema": schema(description=TEXT)}
            },
        },
    ),
    (
        RESPONSES,
        {
            "model": "m",
            "input": "a",
            "tools": [
                {
                    "type": "mcp",
                    "server_label": "a",
                    "server_description": TEXT,
                    "headers": {"X-Who": f"Orla {CANARY}"},
                }
            ],
        },
    ),
    (
        MESSAGES,
        chat(system=[{"type": "text", "text": TEXT, "cache_control": {"type": "ephemeral"}}]),
    ),
    (
        MESSAGES,
        chat(
            {
                "role": "assistant",
                "content": [{"type": "thinking", "thinking": TEXT, "signature": "c2ln"}],
            }
        ),
    ),
    (
        MESSAGES,
        chat(
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "tool_use",
                        "id": "u",
                        "name": "send",
                        "input": {"to": [TEXT], "type": f"Orla {CANARY}"},
                    }
                ],
            }
        ),
    ),
    (
        MESSAGES,
        chat(
            user(
                {
                    "type": "tool_result",
                    "tool_use_id": "u",
                    "content": [{"type": "text", "text": PACKED}],
                }
            )
        ),
    ),
    (
        MESSAGES,
        chat(
            user(
                {
                    "type": "document",
                    "title": TEXT,
                    "context": TEXT,
                    "source": {"type": "content", "content": [{"type": "text", "text": TEXT}]},
                }
            )
        ),
    ),
    (
        MESSAGES,
        chat(
            user(
                {
                    "type": "search_result",
                    "source": "a",
                    "title": TEXT,
                    "content": [{"type": "text", "text": TEXT}],
                }
            )
        ),
    ),
    (
        MESSAGES,
        chat(tools=[{"name": "send", "description": TEXT, "input_schema": schema(enum=[TEXT])}]),
    ),
    (MESSAGES, chat(metadata={"user_id": CANARY})),
]
REFUSED = [
    (CHAT, chat(**{f"Orla {CANARY}": 1})),
    (CHAT, chat(extra={f"Orla {CANARY} left": 1})),
    (CHAT, chat(tools=[tool(name=f"notify_Maria_Gonzalez_{CANARY}")])),
    (CHAT, chat(tools=[{"type": "function", "function": {"name": f"Orla_{CANARY}"}}])),
    (CHAT, chat(tools=[tool(parameters={"properties": {f"Orla {CANARY}": {"type": "string"}}})])),
    (
        CHAT,
        chat(
            {"role": "user", "content": TEXT},
            tools=[{"type": "function", "function": {"name": f"to_{CANARY}"}}],
        ),
    ),
    (
        CHAT,
        chat(user({"type": "image_url", "image_url": {"url": f"https://a.example/{CANARY}.png"}})),
    ),
    (CHAT, chat(user({"type": "new_kind", "image_url": f"https://a.example/{CANARY}.png"}))),
    (CHAT, chat(user({"type": "new_kind", "file_data": BYTES}))),
    (CHAT, chat(user({"type": "text", "text": f"![](data:image/png;base64,{BYTES})"}))),
    (CHAT, chat(user({"type": "new_kind", "content": BYTES}))),
    (CHAT, chat(metadata={"packed": BYTES})),
    (
        RESPONSES,
        {"model": "m", "input": [{"type": "input_image", "image_url": "https://a.example/a"}]},
    ),
    (RESPONSES, {"model": "m", "input": [{"type": "item_reference", "id": "i"}]}),
    (RESPONSES, {"model": "m", "input": "a", "conversation": "conv_1"}),
    (
        RESPONSES,
        {
            "model": "m",
            "input": "a",
            "prompt": {"id": "p", "variables": {"a": {"type": "input_file", "file_data": BYTES}}},
        },
    ),
    (
        MESSAGES,
        chat(
            user(
                {
                    "type": "document",
                    "source": {"type": "url", "url": f"https://a.example/{CANARY}"},
                }
            )
        ),
    ),
    (
        MESSAGES,
        chat(
            user(
                {
                    "type": "tool_result",
                    "tool_use_id": "u",
                    "content": [{"type": "image", "source": {"type": "base64", "data": BYTES}}],
                }
            )
        ),
    ),
]


def holds_canary(data):
    return CANARY.casefold() in data.casefold()


@pytest.mark.parametrize("at", range(len(MASKED)))
def test_a_name_is_masked_wherever_it_stands(gateway, upstream, at):
    path, body = MASKED[at]
    answer = gateway.post(path, json=body)
    assert answer.status_code == 200, answer.text
    [sent] = upstream.requests
    assert not holds_canary(sent.content.decode())
    assert not holds_canary(str(sent.headers) + str(sent.url))


@pytest.mark.parametrize("at", range(len(REFUSED)))
def test_what_cannot_be_masked_in_its_place_is_refused(gateway, upstream, at):
    path, body = REFUSED[at]
    answer = gateway.post(path, json=body)
    assert answer.status_code in (422, 500)
    assert not holds_canary(answer.text)
    assert upstream.requests == []


def test_names_of_the_protocol_stay_as_they_are(gateway, upstream):
    body = chat(
        {"role": "user", "content": TEXT},
        call('{"a": 1}'),
        tools=[tool(description="Sends a letter.", strict=True, parameters=schema(format="email"))],
        tool_choice={"type": "function", "function": {"name": "send"}},
        model="claude-sonnet-4-5",
        reasoning_effort="low",
        seed=1234567890123,
        service_tier="auto",
    )
    gateway.post(CHAT, json=body)
    body["messages"][0]["content"] = "[PERSON_1] left."
    assert upstream.last == body


def test_ids_of_whoever_asks_are_replaced_alike(gateway, upstream):
    for _ in range(2):
        gateway.post(CHAT, json=chat(user=CANARY))
    first, second = (json.loads(request.content)["user"] for request in upstream.requests)
    assert first == second != CANARY


def test_long_numbers_of_tools_are_masked(gateway, upstream):
    gateway.post(CHAT, json=chat(call(json.dumps({"phone": 447911123456, "count": 12}))))
    sent = json.loads(upstream.last["messages"][0]["tool_calls"][0]["function"]["arguments"])
    assert sent == {"phone": "[CODE_1]", "count": 12}


@pytest.mark.parametrize("header", ["OpenAI-Organization", "Anthropic-Beta", "OpenAI-Project"])
def test_headers_carry_no_text(gateway, upstream, header):
    for value in (f"Orla {CANARY}", TEXT):
        answer = gateway.post(CHAT, json=chat(), headers={header: value})
        assert answer.status_code == 400
        assert CANARY not in answer.text
    others = {"User-Agent": CANARY, "X-Request-Id": CANARY, "Cookie": f"a={CANARY}"}
    gateway.post(f"{CHAT}?user={CANARY}", json=chat(), headers={**others, header: "a-1, b_2"})
    [sent] = upstream.requests
    assert not holds_canary(str(sent.headers) + str(sent.url) + sent.content.decode())
    assert sent.headers[header] == "a-1, b_2"


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b'{"model": "m", "messages": [], "seed": NaN}', 400),
        (b'{"model": "m", "model": "m", "messages": [' + b"[" * 5000 + b"]" * 5000 + b"]}", 400),
        (b'{"model": "m", "messages": ' + b"[" * 200 + b"]" * 200 + b"}", 422),
        (f'{{"messages": [], "text": "{TEXT}'.encode(), 400),
        (json.dumps(TEXT).encode(), 400),
        (b'{"a": "\xff\xfe"}', 400),
        (b"\x00" * 100, 400),
        (b'{"a": ' + b"9" * 5000 + b"}", 400),
    ],
)
def test_broken_bodies_are_refused_in_one_line(gateway, upstream, raw, status):
    answer = gateway.post(CHAT, content=raw)
    assert answer.status_code == status
    assert CANARY not in answer.text
    assert upstream.requests == []


def test_odd_letters_do_not_hide_a_name(gateway, upstream):
    """Halves of characters, NUL, doubled keys and another encoding: the name is found, and JSON leaves."""
    say = '{{"model": "m", "messages": [{{"role": "user", "content": "{}"}}]}}'
    doubled = (
        f'{{"model": "m", "messages": "{TEXT}", "messages": [{{"role": "user", "content": "a"}}]}}'
    )
    for raw in (
        say.format(f"\\ud83d {TEXT} \\udc4d").encode(),
        say.format(f"\\u0000{TEXT}").encode(),
        say.format(f"Ms Orla \\u0051{CANARY[1:]} left.").encode(),
        say.format(TEXT).encode("utf-16"),
        doubled.encode(),
    ):
        assert gateway.post(CHAT, content=raw).status_code == 200
    for request in upstream.requests:
        assert not holds_canary(request.content.decode())
        json.loads(request.content.decode())
    assert len(upstream.requests) == 5


# --- answers ----------------------------------------------------------------------------------------------------------

TABLE = PlaceholderTable({"[PERSON_1]": 'Ann "Bo"\n', "[LOC_1]": "Porto"})


def read_streamed(events):
    restorer = StreamRestorer(read_chat, TABLE)
    data = b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events)
    lines = (restorer.feed(data) + restorer.finish()).decode().split("\n\n")
    return [json.loads(line[6:]) for line in lines if line]


def chunk(delta, index=0, end=None):
    return {"choices": [{"index": index, "delta": delta, "finish_reason": end}]}


def test_parallel_calls_and_choices_grow_apart():
    def piece(at, text):
        return {"tool_calls": [{"index": at, "function": {"arguments": text}}]}

    events = [
        chunk(piece(0, '{"a": "[PER')),
        chunk(piece(1, '{"b": "[LO')),
        chunk(piece(0, "[LOC"), index=1),
        chunk(piece(0, 'SON_1]"}')),
        chunk(piece(1, 'C_1]"}')),
        chunk({}, end="tool_calls"),
        chunk({}, index=1, end="tool_calls"),
    ]
    grown: dict[tuple[int, int], str] = {}
    for event in read_streamed(events):
        for choice in event["choices"]:
            for each in choice["delta"].get("tool_calls", ()):
                key = choice["index"], each["index"]
                grown[key] = grown.get(key, "") + each["function"]["arguments"]
    assert json.loads(grown[0, 0]) == {"a": 'Ann "Bo"\n'}
    assert json.loads(grown[0, 1]) == {"b": "Porto"}
    assert grown[1, 0] == "[LOC"


@pytest.mark.parametrize(
    ("wrap", "read", "expected"),
    [
        (lambda text: {"reasoning": text}, lambda delta: delta.get("reasoning"), 'Ann "Bo"\n'),
        (
            lambda text: {"function_call": {"arguments": text}},
            lambda delta: (delta.get("function_call") or {}).get("arguments"),
            'Ann \\"Bo\\"\\n',
        ),
        (
            lambda text: {"tool_calls": [{"index": 0, "custom": {"input": text}}]},
            lambda delta: "".join(c["custom"]["input"] for c in delta.get("tool_calls", ())),
            'Ann "Bo"\n',
        ),
    ],
)
def test_every_growing_text_of_a_choice_is_restored(wrap, read, expected):
    token = "[PERSON_1]"
    events = [chunk(wrap(letter)) for letter in f"{token} ["]
    found = read_streamed([*events, chunk({}, end="stop")])
    grown = "".join(read(event["choices"][0]["delta"]) or "" for event in found)
    assert grown == f"{expected} ["


def test_keys_of_an_answer_are_restored():
    assert restore_value({"[LOC_1]": ["[LOC_1]"]}, TABLE, PlaceholderCount()) == {
        "Porto": ["Porto"]
    }


# --- LiteLLM's guardrail ----------------------------------------------------------------------------------------------

GUARD = "/beta/litellm_basic_guardrail_api"


def test_the_guardrail_masks_tools_and_calls(gateway):
    messages = [{"role": "user", "content": TEXT}, call(PACKED)]
    body = {
        "input_type": "request",
        "litellm_call_id": "c1",
        "texts": [TEXT],
        "structured_messages": messages,
        "tools": [tool(description=TEXT, parameters=schema(enum=[TEXT]))],
    }
    answer = gateway.post(GUARD, json=body).json()
    assert answer["action"] == "GUARDRAIL_INTERVENED"
    assert not holds_canary(json.dumps(answer))
    assert answer["tools"][0]["function"]["name"] == "send"
    assert len(answer["structured_messages"]) == 2


def test_the_guardrail_blocks_calls_that_it_cannot_give_back(gateway):
    calls = call(PACKED)["tool_calls"]
    body = {"input_type": "request", "litellm_call_id": "c2", "texts": [], "tool_calls": calls}
    assert gateway.post(GUARD, json=body).json()["action"] == "BLOCKED"


def test_calls_without_an_id_share_nothing(gateway):
    asked = {"input_type": "request", "texts": [TEXT]}
    assert gateway.post(GUARD, json=asked).json()["texts"] == ["[PERSON_1] left."]
    back = {"input_type": "response", "texts": ["[PERSON_1]"]}
    assert gateway.post(GUARD, json=back).json() == {"action": "NONE"}
