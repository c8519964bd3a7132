"""The gateway: what leaves is masked, what comes back is restored, and whatever goes wrong sends nothing."""

import gzip
import json
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.server.conftest import TOKEN, bearer, make_client

from maskwise.server.gateway.dialects import read_anthropic, read_chat, read_responses
from maskwise.server.gateway.placeholders import PlaceholderCount, PlaceholderTable, Restorer
from maskwise.server.gateway.prompts import mask_prompt
from maskwise.server.gateway.streams import IN_JSON, StreamRestorer, list_json_keys, restore_value
from maskwise.server.settings import ServerSettings

ASK = "Please write to Ms Orla Vexley (orla.vexley@mail.example.org). Vexley lives in Porto."
SECRETS = ("Vexley", "vexley", "Porto")
UPSTREAM = {
    "openai": {"url": "http://upstream.test/v1"},
    "anthropic": {"url": "http://upstream.test/v1"},
}


class Upstream:
    """A provider that keeps what it gets and answers what a test asks for."""

    def __init__(self):
        self.requests = []
        self.answer = lambda body: httpx.Response(200, json={})

    def __call__(self, request):
        self.requests.append(request)
        return self.answer(json.loads(request.content))

    @property
    def last(self):
        return json.loads(self.requests[-1].content)


@pytest.fixture(scope="module")
def gateway():
    with make_client(ServerSettings(**UPSTREAM)) as client:
        yield client


@pytest.fixture
def upstream(gateway):
    found = Upstream()
    gateway.app.state.service.http = httpx.AsyncClient(transport=httpx.MockTransport(found))
    return found


def chat_answer(content, **more):
    return {
        "id": "c1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content, **more}}],
    }


def say(text):
    return {"model": "m", "messages": [{"role": "user", "content": text}]}


def test_a_chat_leaves_masked_and_comes_back_restored(gateway, upstream):
    upstream.answer = lambda body: httpx.Response(
        200, json=chat_answer(f"I wrote: {body['messages'][0]['content']}")
    )
    answer = gateway.post("/openai/v1/chat/completions", json=say(ASK))
    sent = upstream.requests[-1].content.decode()
    assert not any(secret in sent for secret in SECRETS)
    assert "[PERSON_1]" in sent
    assert answer.json()["choices"][0]["message"]["content"] == f"I wrote: {ASK}"
    assert "unknown=0, damaged=0" in answer.headers["x-maskwise-placeholders"]


def test_an_entity_has_one_number_in_all_messages_and_wordings(gateway, upstream):
    body = {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You help Ms Orla Vexley."},
            {
                "role": "user",
                "content": [{"type": "text", "text": "Did Vexley call? Orla Vexley?"}],
            },
        ],
    }
    gateway.post("/openai/v1/chat/completions", json=body)
    system, user = upstream.last["messages"]
    assert system["content"] == "You help [PERSON_1]."
    text = user["content"][0]["text"]
    assert text.count("[PERSON_1") == 2
    assert "[PERSON_2" not in text


def test_tool_arguments_stay_json(gateway, upstream):
    arguments = json.dumps({"to": "Orla Vexley", "note": 'say "hi"\n to Orla Vexley', "count": 2})
    call = {"id": "t1", "type": "function", "function": {"name": "send", "arguments": arguments}}
    body = say("Go on.")
    body["messages"].append({"role": "assistant", "content": None, "tool_calls": [call]})
    body["messages"].append(
        {"role": "tool", "tool_call_id": "t1", "content": "sent to Orla Vexley"}
    )
    upstream.answer = lambda body: httpx.Response(
        200, json=chat_answer(None, tool_calls=body["messages"][1]["tool_calls"])
    )
    answer = gateway.post("/openai/v1/chat/completions", json=body).json()
    sent = upstream.last["messages"][1]["tool_calls"][0]["function"]
    assert "Vexley" not in upstream.requests[-1].content.decode()
    assert json.loads(sent["arguments"])["count"] == 2
    back = answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(back) == json.loads(arguments)


def test_restored_arguments_escape_what_they_hold():
    table = PlaceholderTable({"[PERSON_1]": 'Ann "Bo" \\ O\nRourke'})
    restorer = Restorer(table, PlaceholderCount(), in_json=True)
    assert json.loads(restorer.feed('{"a": "[PERSON_1]"}')) == {"a": 'Ann "Bo" \\ O\nRourke'}


def test_anthropic_blocks_and_documents_are_masked(gateway, upstream):
    body = {
        "model": "m",
        "system": "Vexley is Ms Orla Vexley.",
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "document",
                        "source": {"type": "text", "media_type": "text/plain", "data": ASK},
                    },
                    {"type": "text", "text": "Sum up."},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "tool_use",
                        "id": "u1",
                        "name": "find",
                        "input": {"who": "Orla Vexley"},
                    }
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "u1", "content": "Orla Vexley: found"}
                ],
            },
        ],
    }
    upstream.answer = lambda body: httpx.Response(
        200,
        json={
            "id": "m1",
            "content": [
                {"type": "text", "text": body["system"]},
                body["messages"][1]["content"][0],
            ],
        },
    )
    answer = gateway.post("/anthropic/v1/messages", json=body).json()
    assert not any(secret in upstream.requests[-1].content.decode() for secret in SECRETS)
    assert answer["content"][0]["text"] == body["system"]
    assert answer["content"][1]["input"] == {"who": "Orla Vexley"}
    assert upstream.last["messages"][1]["content"][0]["name"] == "find"


def test_a_conversation_that_the_provider_keeps_goes_on(gateway, upstream):
    upstream.answer = lambda body: httpx.Response(200, json={"id": "r1", "output": []})
    gateway.post("/openai/v1/responses", json={"model": "m", "input": "Ms Orla Vexley left."})
    upstream.answer = lambda body: httpx.Response(
        200,
        json={
            "id": "r2",
            "output": [{"content": [{"type": "output_text", "text": "[PERSON_1], [PERSON_2]"}]}],
        },
    )
    more = {"model": "m", "input": "Mr Tom Reed came.", "previous_response_id": "r1"}
    answer = gateway.post("/openai/v1/responses", json=more).json()
    assert upstream.last["input"] == "[PERSON_2] came."
    assert answer["output"][0]["content"][0]["text"] == "Ms Orla Vexley, Mr Tom Reed"
    unknown = {**more, "previous_response_id": "r9"}
    assert gateway.post("/openai/v1/responses", json=unknown).status_code == 409


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"},
        },
        {"type": "text", "text": "a", "Orla Vexley": 1},
    ],
)
def test_what_cannot_be_masked_is_not_sent(gateway, upstream, part):
    body = {"model": "m", "messages": [{"role": "user", "content": [part]}]}
    assert gateway.post("/openai/v1/chat/completions", json=body).status_code == 422
    assert upstream.requests == []


def test_text_in_a_name_of_the_protocol_is_not_sent(gateway, upstream):
    for body in (
        {**say("hello"), "model": "orla.vexley@mail.example.org"},
        {
            **say("Ms Orla Vexley"),
            "tools": [{"type": "function", "function": {"name": "Orla_Vexley"}}],
        },
    ):
        assert gateway.post("/openai/v1/chat/completions", json=body).status_code in (422, 500)
    assert upstream.requests == []


def test_a_failure_of_masking_sends_nothing(gateway, upstream, monkeypatch):
    from maskwise.sanitizer import Sanitizer

    def fail(*_):
        raise ValueError(ASK)

    monkeypatch.setattr(Sanitizer, "sanitize", fail)
    answer = gateway.post("/openai/v1/chat/completions", json=say(ASK))
    assert answer.status_code == 500
    assert "Vexley" not in answer.text
    assert upstream.requests == []


def test_placeholders_of_the_writer_are_left_alone(gateway, upstream):
    upstream.answer = lambda body: httpx.Response(
        200, json=chat_answer("[PERSON_1] and [PERSON_2]")
    )
    answer = gateway.post(
        "/openai/v1/chat/completions", json=say("Use [PERSON_1]. Ms Orla Vexley left.")
    )
    assert upstream.last["messages"][0]["content"] == "Use [PERSON_1]. [PERSON_2] left."
    assert answer.json()["choices"][0]["message"]["content"] == "[PERSON_1] and Ms Orla Vexley"


def test_invented_and_damaged_placeholders_are_counted(gateway, upstream):
    upstream.answer = lambda body: httpx.Response(
        200, json=chat_answer("[PERSON_1] [PERSON_7] [Person 1] PERSON_1")
    )
    answer = gateway.post("/openai/v1/chat/completions", json=say("Ms Orla Vexley left."))
    assert answer.headers["x-maskwise-placeholders"] == "restored=1, unknown=1, damaged=2"


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (httpx.ReadTimeout("x"), 504),
        (httpx.ConnectError("x"), 502),
        (httpx.RemoteProtocolError("x"), 502),
    ],
)
def test_an_upstream_that_fails_is_one_line(gateway, upstream, failure, status):
    def fail(body):
        raise failure

    upstream.answer = fail
    answer = gateway.post("/openai/v1/chat/completions", json=say(ASK))
    assert answer.status_code == status
    streamed = gateway.post("/openai/v1/chat/completions", json={**say(ASK), "stream": True})
    assert streamed.status_code == status


def test_errors_of_the_upstream_come_back_and_pages_do_not(gateway, upstream):
    upstream.answer = lambda body: httpx.Response(
        429, json={"error": {"message": "wait, [PERSON_1]"}}
    )
    answer = gateway.post("/openai/v1/chat/completions", json=say("Ms Orla Vexley left."))
    assert (answer.status_code, answer.json()["error"]["message"]) == (429, "wait, Ms Orla Vexley")
    upstream.answer = lambda body: httpx.Response(500, text="<h1>oops</h1>")
    assert gateway.post("/openai/v1/chat/completions", json=say("a")).status_code == 502


def test_a_gateway_without_upstream_sends_nothing(client):
    assert client.post("/openai/v1/chat/completions", json=say(ASK)).status_code == 404


def test_a_token_of_the_server_never_leaves(tokens, monkeypatch):
    monkeypatch.setenv("PROVIDER_KEY", "a-key-of-the-provider")
    settings = ServerSettings(tokens=tokens, **UPSTREAM)
    found = Upstream()
    with make_client(settings) as client:
        client.app.state.service.http = httpx.AsyncClient(transport=httpx.MockTransport(found))
        client.post("/openai/v1/chat/completions", json=say("a"), headers=bearer(TOKEN))
        own = {"X-Maskwise-Token": TOKEN, "Authorization": "Bearer of-the-provider"}
        client.post("/openai/v1/chat/completions", json=say("a"), headers=own)
    assert [TOKEN in str(request.headers) for request in found.requests] == [False, False]
    assert found.requests[1].headers["authorization"] == "Bearer of-the-provider"


# --- streams ----------------------------------------------------------------------------------------------------------

TABLE = PlaceholderTable(
    {"[PERSON_1]": "Ms Orla Vexley", "[LOC_12]": 'Zoë "Å" 👩\n', "[PERSON_1_2]": "Vexley"}
)
PIECES = [
    "[PERSON_1]",
    "[LOC_12]",
    "[PERSON_1_2]",
    "[PERSON_9]",
    "[PER",
    "[",
    "]",
    " a ",
    "é👩",
    "_1",
    "[PERSON_",
    "\n",
]


def make_text(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 8)))


def cut(rng, text):
    """A text in pieces of one to four characters, as models send it."""
    while text:
        size = rng.randint(1, 4)
        yield text[:size]
        text = text[size:]


def sse(events, named=False):
    lines = []
    for event in events:
        head = f"event: {event['type']}\n" if named else ""
        lines.append(f"{head}data: {json.dumps(event, ensure_ascii=False)}\n\n")
    return "".join(lines).encode()


def chat_stream(rng, text, arguments):
    def chunk(delta, end=None):
        return {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": end}]}

    yield chunk({"role": "assistant"})
    for piece in cut(rng, text):
        yield chunk({"content": piece})
    for piece in cut(rng, arguments):
        yield chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    yield chunk({}, "stop")


def anthropic_stream(rng, text, arguments):
    blocks = [("text_delta", "text", text), ("input_json_delta", "partial_json", arguments)]
    yield {"type": "message_start", "message": {"id": "m"}}
    for at, (kind, key, whole) in enumerate(blocks):
        yield {"type": "content_block_start", "index": at}
        for piece in cut(rng, whole):
            yield {"type": "content_block_delta", "index": at, "delta": {"type": kind, key: piece}}
        yield {"type": "content_block_stop", "index": at}
    yield {"type": "message_stop"}


def responses_stream(rng, text, arguments):
    yield {"type": "response.created", "response": {"id": "r"}}
    for kind, item, whole in (
        ("response.output_text", "i1", text),
        ("response.function_call_arguments", "i2", arguments),
    ):
        for piece in cut(rng, whole):
            yield {"type": f"{kind}.delta", "item_id": item, "delta": piece}
        yield {"type": f"{kind}.done", "item_id": item}
    yield {"type": "response.completed", "response": {"id": "r", "output": [text]}}


def read_back(data):
    """The text and the arguments that a client puts together from a stream."""
    text = arguments = ""
    for block in data.decode().split("\n\n"):
        line = next((line for line in block.split("\n") if line.startswith("data: {")), None)
        if line is None:
            continue
        event = json.loads(line.removeprefix("data: "))
        for choice in event.get("choices", ()):
            text += choice["delta"].get("content") or ""
            for call in choice["delta"].get("tool_calls", ()):
                arguments += call["function"]["arguments"]
        if event.get("type") == "content_block_delta":
            text += event["delta"].get("text", "")
            arguments += event["delta"].get("partial_json", "")
        if event.get("type") == "response.output_text.delta":
            text += event["delta"]
        if event.get("type") == "response.function_call_arguments.delta":
            arguments += event["delta"]
    return text, arguments


def expect(text, in_json=False):
    for token, original in TABLE.originals.items():
        text = text.replace(
            token, json.dumps(original, ensure_ascii=False)[1:-1] if in_json else original
        )
    return text


DIALECTS = [
    (read_chat, chat_stream, False),
    (read_anthropic, anthropic_stream, True),
    (read_responses, responses_stream, True),
]


@pytest.mark.parametrize(("dialect", "stream", "named"), DIALECTS)
@pytest.mark.parametrize("seed", range(4))
def test_a_stream_cut_at_every_byte_gives_the_same_text(dialect, stream, named, seed):
    rng = random.Random(seed)
    text, inner = make_text(rng), make_text(rng).replace("\n", "")
    arguments = json.dumps({"a": inner}, ensure_ascii=False)
    data = sse(stream(rng, text, arguments), named)
    expected = (expect(text), expect(arguments, in_json=True))
    json.loads(expected[1])
    for at in range(0, len(data) + 1, 1 if len(data) < 2000 else 7):
        restorer = StreamRestorer(dialect, TABLE)
        restored = restorer.feed(data[:at]) + restorer.feed(data[at:]) + restorer.finish()
        assert read_back(restored) == expected
    restorer = StreamRestorer(dialect, TABLE)
    bytewise = b"".join(restorer.feed(data[at : at + 1]) for at in range(len(data)))
    assert read_back(bytewise + restorer.finish()) == expected


def test_a_stream_comes_back_restored(gateway, upstream):
    def answer(body):
        rng = random.Random(0)
        content = body["messages"][0]["content"]
        data = sse(chat_stream(rng, content, json.dumps({"a": content}))) + b"data: [DONE]\n\n"
        return httpx.Response(200, content=data, headers={"content-type": "text/event-stream"})

    upstream.answer = answer
    found = gateway.post("/openai/v1/chat/completions", json={**say(ASK), "stream": True})
    text, arguments = read_back(found.content)
    assert (text, json.loads(arguments)) == (ASK, {"a": ASK})
    assert found.content.endswith(b"data: [DONE]\n\n")


def test_choices_do_not_mix():
    def event(index, text):
        return {"choices": [{"index": index, "delta": {"content": text}}]}

    restorer = StreamRestorer(read_chat, TABLE)
    found = restorer.feed(
        sse([event(0, "[PER"), event(1, "[LOC"), event(0, "SON_1]"), event(1, "_12]")])
    )
    assert [json.loads(line[6:])["choices"][0]["delta"]["content"] for line in found.decode().split("\n\n")[:-1]] == [
        "", "", "Ms Orla Vexley", TABLE.originals["[LOC_12]"]
    ]  # fmt: skip


# --- LiteLLM's guardrail ----------------------------------------------------------------------------------------------


def test_the_guardrail_masks_and_restores(client):
    body = {
        "input_type": "request",
        "litellm_call_id": "call-1",
        "request_data": {},
        "texts": [ASK, "Hi Orla Vexley"],
    }
    masked = client.post("/beta/litellm_basic_guardrail_api", json=body).json()
    assert masked["action"] == "GUARDRAIL_INTERVENED"
    assert not any(secret in str(masked) for secret in SECRETS)
    back = {**body, "input_type": "response", "texts": [masked["texts"][0] + " [PERS"]}
    restored = client.post("/beta/litellm_basic_guardrail_api", json=back).json()
    assert restored["texts"] == [ASK + " [PERS"]
    assert restored["stream_holdback_chars"] == [5]


def test_the_guardrail_blocks_what_it_cannot_mask(client):
    body = {
        "input_type": "request",
        "litellm_call_id": "c",
        "request_data": {},
        "texts": ["a"],
        "images": ["x"],
    }
    assert client.post("/beta/litellm_basic_guardrail_api", json=body).json()["action"] == "BLOCKED"


def test_the_guardrail_gives_nobody_the_names_of_another_call(client):
    body = {
        "input_type": "response",
        "litellm_call_id": "other",
        "request_data": {},
        "texts": ["[PERSON_1]"],
    }
    assert client.post("/beta/litellm_basic_guardrail_api", json=body).json() == {"action": "NONE"}


# --- answers that are odd ---------------------------------------------------------------------------------------------

QUOTED = 'Ms Orla "Bo" Vexley'
ASKS_FOR_JSON = {
    "chat": {"response_format": {"type": "json_object"}},
    "responses": {"text": {"format": {"type": "json_schema"}}},
    "messages": {"output_format": {"type": "json_schema"}},
}
STREAMED = {
    "chat": (read_chat, lambda text: {"choices": [{"index": 0, "delta": {"content": text}}]}),
    "responses": (
        read_responses,
        lambda text: {"type": "response.output_text.delta", "item_id": "a", "delta": text},
    ),
    "messages": (
        read_anthropic,
        lambda text: {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": text},
        },
    ),
}


def collect_strings(value):
    """All strings that grow in an event, joined."""
    if isinstance(value, dict):
        grown = [each for key, each in value.items() if key in ("content", "text", "delta")]
        return "".join(map(collect_strings, grown)) + "".join(
            collect_strings(each) for key, each in value.items() if key == "choices"
        )
    if isinstance(value, list):
        return "".join(map(collect_strings, value))
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize("name", ASKS_FOR_JSON)
def test_json_that_was_asked_for_stays_json(name):
    """An original with a quote or a line break is escaped where the answer is JSON in a string."""
    said = '{"who": "[PERSON_1]"}'
    table = PlaceholderTable({"[PERSON_1]": QUOTED})
    dialect, wrap = STREAMED[name]
    keys = list_json_keys(ASKS_FOR_JSON[name])
    stream = StreamRestorer(dialect, table, keys)
    events = [json.dumps(wrap(piece)) for piece in (said[:14], said[14:])]
    data = stream.feed("".join(f"data: {event}\n\n" for event in events).encode())
    told = [json.loads(line[6:]) for line in data.decode().split("\n\n") if line]
    assert json.loads("".join(map(collect_strings, told))) == {"who": QUOTED}
    key = "content" if name == "chat" else "text"
    whole = restore_value({key: said}, table, PlaceholderCount(), keys)
    assert json.loads(whole[key]) == {"who": QUOTED}
    assert list_json_keys({"text": {"format": {"type": "text"}}}) == IN_JSON


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b'{"choices": [], "logprob": NaN}', 200),
        (b'{"id": "\\ud83d"}', 200),
        (b"[" * 5000 + b"]" * 5000, 502),
        (b'{"a": "\xff"}', 502),
        (b"", 502),
        (b"[1]", 200),
        (b"null", 200),
    ],
)
def test_an_odd_answer_is_passed_on_or_one_line(gateway, upstream, raw, status):
    json_kind = {"content-type": "application/json"}
    upstream.answer = lambda body: httpx.Response(200, content=raw, headers=json_kind)
    answer = gateway.post("/openai/v1/chat/completions", json=say(ASK))
    assert answer.status_code == status
    assert not any(secret in answer.text for secret in SECRETS)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"choices": ["a"]}',
        b'{"choices": {"a": 1}}',
        b'{"choices": [{"delta": ["a"]}]}',
        b'{"choices": [{"index": [1], "delta": {"content": "a"}}]}',
        b"[" * 5000,
    ],
)
def test_an_odd_event_ends_a_stream_with_an_error_event(gateway, upstream, raw):
    kind = {"content-type": "text/event-stream"}
    upstream.answer = lambda body: httpx.Response(200, content=b"data: %b\n\n" % raw, headers=kind)
    answer = gateway.post("/openai/v1/chat/completions", json={**say(ASK), "stream": True})
    assert answer.text.startswith("event: error")


def test_halves_of_a_character_in_two_events_make_it_again():
    pieces = [chr(0xD83D), chr(0xDE00)]
    stream = StreamRestorer(read_chat, PlaceholderTable())
    events = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    data = stream.feed(b"".join(b"data: %b\n\n" % json.dumps(e).encode() for e in events))
    told = [json.loads(line[6:]) for line in data.decode().split("\n\n") if line]
    halves = "".join(event["choices"][0]["delta"]["content"] for event in told)
    assert halves.encode("utf-16", "surrogatepass").decode("utf-16") == "\U0001f600"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_of_the_upstream_is_not_followed(gateway, upstream, status):
    away = {"location": "http://elsewhere.example.org/v1"}
    upstream.answer = lambda body: httpx.Response(status, headers=away)
    answer = gateway.post("/openai/v1/chat/completions", json=say(ASK))
    assert answer.status_code == 502
    assert "location" not in answer.headers
    assert len(upstream.requests) == 1


def test_a_packed_answer_is_unpacked_and_restored(gateway, upstream):
    packed = gzip.compress(json.dumps(chat_answer("Dear [PERSON_1]")).encode())
    kind = {"content-type": "application/json", "content-encoding": "gzip"}
    upstream.answer = lambda body: httpx.Response(200, content=packed, headers=kind)
    answer = gateway.post("/openai/v1/chat/completions", json=say(ASK))
    assert "Vexley" in answer.json()["choices"][0]["message"]["content"]
    upstream.answer = lambda body: httpx.Response(200, stream=httpx.ByteStream(b"no"), headers=kind)
    assert gateway.post("/openai/v1/chat/completions", json=say(ASK)).status_code == 502


def test_requests_of_one_conversation_at_once_share_no_token(gateway):
    """Agents ask in parallel. Each prompt, restored with the table of all, is what it was."""
    sanitizer = gateway.app.state.service.shelf.find()
    table = PlaceholderTable()
    names = ("Orla Vexley", "Tom Reed", "Ivo Marl", "Ana Souza", "Ivy Brook", "Ansel Lowe")
    texts = [f"Mr {one} met Ms {two}." for one in names for two in names if one != two]
    kept = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as pool:
            done = list(pool.map(lambda text: mask_prompt(sanitizer, say(text), table), texts))
    finally:
        sys.setswitchinterval(kept)
    for text, prompt in zip(texts, done, strict=True):
        assert restore_value(prompt.body, table, PlaceholderCount()) == say(text)


def read_all(dialect, events, done=False):
    """What a stream of events says after it was restored, event by event."""
    stream = StreamRestorer(dialect, PlaceholderTable({"[PERSON_1]": "Ann"}))
    data = b"".join(b"data: %b\n\n" % json.dumps(event).encode() for event in events)
    found = stream.feed(data + (b"data: [DONE]\n\n" if done else b"")) + stream.finish()
    lines = [line.partition("data: ")[2] for line in found.decode().split("\n\n") if line]
    return [json.loads(line) for line in lines if line != "[DONE]"]


@pytest.mark.parametrize("name", STREAMED)
@pytest.mark.parametrize("done", [False, True])
def test_a_stream_that_stops_without_an_end_loses_nothing(name, done):
    dialect, wrap = STREAMED[name]
    told = read_all(dialect, [wrap("Dear [PERSON_1], see [PER"), wrap("S")], done)
    assert "".join(map(collect_strings, told)) == "Dear Ann, see [PERS"


def test_whatever_a_chunk_holds_beside_growing_texts_is_restored():
    token = "[PERSON_1]"
    beside = {
        "content": [{"type": "text", "text": token}],
        "reasoning_details": [{"text": token}],
        "annotations": [{"url_citation": {"title": token}}],
    }
    choice = {"index": 0, "delta": beside, "message": {"content": token}, "logprobs": {"a": token}}
    told = json.dumps(read_all(read_chat, [{"choices": [choice]}]))
    assert token not in told
    assert told.count("Ann") == 5


def test_what_is_said_aloud_grows_too():
    pieces = [{"audio": {"transcript": piece}} for piece in ("Dear [PERS", "ON_1] [")]
    events = [{"choices": [{"index": 0, "delta": piece}]} for piece in pieces]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    told = read_all(read_chat, [*events, end])
    said = [event["choices"][0]["delta"].get("audio", {}).get("transcript", "") for event in told]
    assert "".join(said) == "Dear Ann ["


@pytest.mark.parametrize("sign", [b"\n", b"\r\n", b"\r"])
def test_events_end_with_any_break_wherever_the_network_cuts(sign):
    event = json.dumps({"choices": [{"index": 0, "delta": {"content": "[PERSON_1]"}}]}).encode()
    data = b": alive" + sign * 2 + b"id: 1" + sign + b"data: " + event + sign * 2
    data += b"data: [DONE]" + sign * 2
    stream = StreamRestorer(read_chat, PlaceholderTable({"[PERSON_1]": "Ann"}))
    found = b"".join(stream.feed(data[at : at + 1]) for at in range(len(data))) + stream.finish()
    assert b'"Ann"' in found
    assert found.endswith(b"data: [DONE]\n\n")
