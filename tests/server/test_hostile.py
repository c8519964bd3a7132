"""Clients and providers that mean harm: what they send is refused in one line, and others are served meanwhile."""

import asyncio
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.conftest import make_client
from tests.server.test_gateway import UPSTREAM, Upstream, chat_answer, say

from maskwise.server.gateway import routes, streams
from maskwise.server.gateway.memory import LONGEST_ID, ConversationMemory
from maskwise.server.gateway.placeholders import PlaceholderTable
from maskwise.server.gateway.places import COUNTS, LIMITS
from maskwise.server.presidio import adhoc, anonymizer
from maskwise.server.presidio.adhoc import compile_expression
from maskwise.server.presidio.repeats import measure_expression
from maskwise.server.schemas import NAME_LENGTH
from maskwise.server.settings import ServerSettings

CHAT = "/openai/v1/chat/completions"
MAXIMA = [f"max_{word}" for word in "tokens results length items size retries depth width".split()]
ASK = "Ms Orla Vexley left for Porto."


@pytest.fixture(scope="module")
def gateway():
    with make_client(ServerSettings(**UPSTREAM)) as client:
        yield client


@pytest.fixture
def upstream(gateway):
    found = Upstream()
    gateway.app.state.service.http = httpx.AsyncClient(transport=httpx.MockTransport(found))
    return found


# --- expressions that grow --------------------------------------------------------------------------------------------

GROWING = [
    "((a{999}){999}){999}",
    "(?:[(]a{999}){999}",
    "(?:[^])]a{999}){999}",
    r"(?:\)a{999}){999}",
    "((a {9 99}){99 9}){999}",
    "(?x)((a{999} #\n){9 99}){999}",
    "(?x)(a{1#}\n000}){1000}",
    "(?V1)(a{1000}[[a](]){1000}[[a])]",
    "(a{1000}[[:alpha:](]){1000}[[:alpha:])]",
    "(?#()(a{1000}){1000}(?#))",
    "(?R)?a",
    "(a(?1)?b)",
    "(?P<x>a(?&x)?)",
]
USUAL = [
    r"(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|(?:[0-9a-fA-F]{1,4}:){6}:[0-9a-fA-F]{1,4}",
    r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){3,7}(?:[ ]?[A-Z0-9]{1,3})?\b",
    r"(?x) \d{3} # area" + "\n" + r"[- ] \d{4}",
    r"[[:alpha:]]{2,40}\({3}",
    r"\(?0\d{2,4}\)?[ -]\d{6}",
]


def ask_with(expression):
    pattern = {"name": "p", "regex": expression, "score": 0.5}
    return {
        "text": ASK,
        "language": "en",
        "ad_hoc_recognizers": [{"supported_entity": "A", "patterns": [pattern]}],
    }


@pytest.mark.parametrize("expression", GROWING)
def test_an_expression_that_grows_when_compiled_is_refused(client, expression):
    answer = client.post("/analyze", json=ask_with(expression))
    assert answer.status_code in (400, 500)
    assert answer.json()["error"].endswith(("repeats too much and is refused", "regex pattern"))
    listed = {"text": ASK, "language": "en", "allow_list": [expression]}
    answer = client.post("/analyze", json={**listed, "allow_list_match": "regex"})
    assert answer.status_code in (400, 500)


@pytest.mark.parametrize("expression", USUAL)
def test_usual_expressions_are_compiled(expression):
    assert compile_expression(expression)


ATOMS = st.sampled_from(["a", r"\(", r"\)", "[(]", "[^])]", r"\d", ".", r"\\", r"[\])]"])


@st.composite
def draw_expression(draw, depth=3):
    """An expression and how many parts it has when its repetitions are written out."""
    source, size = "", 0
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.booleans()):
            inner, parts = draw(draw_expression(depth - 1))
            part = f"({draw(st.sampled_from(['', '?:', '?=']))}{inner})"
        else:
            part, parts = draw(ATOMS), 1
        if draw(st.booleans()) and not part.startswith("(?="):
            count = draw(st.integers(1, 50))
            part += draw(st.sampled_from([f"{{{count}}}", f"{{{count},99}}", f"{{{count},}}"]))
            parts *= count
        source, size = source + part, size + parts
    return source, size


@given(draw_expression())
def test_an_expression_is_never_measured_too_small(drawn):
    source, size = drawn
    assert size <= measure_expression(source) < float("inf")


def test_matches_are_counted_over_all_texts(client, monkeypatch):
    body = {**ask_with("o"), "text": ["no so", "no so"]}
    assert client.post("/analyze", json=body).status_code == 200
    monkeypatch.setattr(adhoc, "MATCHES", 3)
    assert client.post("/analyze", json=body).status_code == 400
    assert client.post("/analyze", json={**body, "text": ["no so"]}).status_code == 200


# --- outputs and names that grow --------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_list", [False, True])
def test_a_long_value_for_many_spans_is_refused(client, monkeypatch, is_list):
    spans = [
        {"start": 2 * at, "end": 2 * at + 1, "score": 1, "entity_type": "A"} for at in range(50)
    ]
    text = "a," * 50
    body = {
        "text": [text, text] if is_list else text,
        "anonymizers": {"DEFAULT": {"type": "replace", "new_value": "x" * 20}},
        "analyzer_results": [spans, spans] if is_list else spans,
    }
    assert client.post("/anonymize", json=body).status_code == 200
    monkeypatch.setattr(anonymizer, "LARGEST", 3000 if is_list else 1500)
    answer = client.post("/anonymize", json=body)
    assert answer.status_code == 422
    assert "characters" in answer.json()["error"]


def test_a_name_to_protect_has_a_length(client):
    name = "Ann " * (NAME_LENGTH // 4)
    file = {"file": ("a.txt", b"Hello.")}
    for more, status in (("", 200), ("Quill", 422)):
        protect = [name + more]
        answers = [
            client.post("/v1/sanitize", json={"text": "Hello.", "protect": protect}),
            client.post("/v1/sanitize/file", files=file, data={"protect": protect}),
        ]
        assert [each.status_code for each in answers] == [status, status]
        assert not any("Quill" in each.text for each in answers)


def test_a_disk_that_hangs_stops_jobs_alone(tmp_path):
    """Somebody else holds the file of jobs. Requests for them wait; all others are answered."""
    with make_client(ServerSettings(state=str(tmp_path))) as client, ThreadPoolExecutor(4) as pool:
        job = client.post("/v1/jobs", json={"text": ["Mr Lee left."] * 3}).json()["id"]
        other = sqlite3.connect(Path(tmp_path) / "jobs.sqlite", isolation_level=None, timeout=30)
        other.execute("BEGIN IMMEDIATE")
        file = {"file": ("a.txt", b"Mr Lee left.")}
        waiting = [
            pool.submit(client.post, "/v1/jobs", json={"text": "Mr Lee left."}),
            pool.submit(client.post, "/v1/jobs/file", files=file),
            pool.submit(client.delete, f"/v1/jobs/{job}"),
        ]
        try:
            for _ in range(20):
                answer = pool.submit(client.get, "/livez").result(10)
                assert answer.status_code == 200
        finally:
            other.execute("ROLLBACK")
            other.close()
        assert [each.result(60).status_code for each in waiting] == [202, 202, 200]


# --- providers --------------------------------------------------------------------------------------------------------


def test_an_answer_without_end_is_given_up(gateway, upstream, monkeypatch):
    monkeypatch.setattr(routes, "LARGEST", 1000)
    upstream.answer = lambda body: httpx.Response(200, json=chat_answer("a" * 2000))
    answer = gateway.post(CHAT, json=say(ASK))
    assert (answer.status_code, set(answer.json())) == (502, {"error"})


@pytest.mark.parametrize("name", ["LARGEST", "PLACES"])
def test_an_event_without_end_is_given_up(gateway, upstream, monkeypatch, name):
    monkeypatch.setattr(streams, name, 200 if name == "LARGEST" else 2)
    events = [{"choices": [{"index": at, "delta": {"content": "a" * 80}}]} for at in range(3)]
    data = "".join(f"data: {json.dumps(each)}\n\n" for each in events)
    data = data if name == "PLACES" else "data: " + "[PERSON_1]" * 50
    kind = {"content-type": "text/event-stream"}
    upstream.answer = lambda body: httpx.Response(200, text=data, headers=kind)
    answer = gateway.post(CHAT, json={**say(ASK), "stream": True})
    assert answer.text.endswith('data: {"error": "the upstream broke off"}\n\n')


def test_an_answer_that_drips_is_given_up(gateway):
    async def drip():
        while True:
            yield b" "
            await asyncio.sleep(0.02)

    slow = {"openai": {**UPSTREAM["openai"], "seconds": 0.4}}
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=drip()))
    with make_client(ServerSettings(**slow)) as client:
        client.app.state.service.http = httpx.AsyncClient(transport=transport)
        assert client.post(CHAT, json=say(ASK)).status_code == 504


@pytest.mark.parametrize("is_stream", [False, True])
def test_an_error_comes_back_with_the_time_to_wait(gateway, upstream, is_stream):
    for wait, expected in (("7", "7"), ("7\u0664", None), ("soon, [PERSON_1]", None)):
        error = {"error": {"message": "[PERSON_1] asks too often"}}
        headers = [(b"retry-after", wait.encode())]
        upstream.answer = lambda _, headers=headers, error=error: httpx.Response(
            429, json=error, headers=headers
        )
        answer = gateway.post(CHAT, json={**say(ASK), "stream": is_stream})
        assert answer.status_code == 429
        assert answer.json()["error"]["message"] == "Ms Orla Vexley asks too often"
        assert answer.headers.get("retry-after") == expected


def test_conversations_take_a_bounded_memory():
    memory = ConversationMemory(characters=1000)
    for at in range(50):
        memory.keep("a", f"r{at}", PlaceholderTable({"[PERSON_1]": "b" * 100}))
    memory.keep("a", "r49", PlaceholderTable({"[PERSON_1]": "b" * 100}))
    kept = [at for at in range(50) if memory.find("a", f"r{at}")]
    assert kept == list(range(50 - len(kept), 50))
    assert 0 < len(kept) <= 10
    memory.keep("a", "whole", PlaceholderTable({"[PERSON_1]": "b" * 2000}))
    assert not any(memory.find("a", each) for each in ("whole", "r49"))
    memory.keep("a", "i" * (LONGEST_ID + 1), PlaceholderTable())
    assert memory.find("a", "i" * (LONGEST_ID + 1)) is None


def test_a_name_of_the_protocol_is_nobody_beside_a_person(gateway, upstream):
    """`max_tokens` is no Max, whoever else the request names."""
    for text in (ASK, 'Ms Orla "O" Vexley\nlives in Porto, orla.vexley@mail.example.org'):
        settings = dict.fromkeys(sorted(COUNTS | LIMITS - {"exclusiveMinimum"}), 9)
        answer = gateway.post(CHAT, json={**say(text), **settings})
        assert answer.status_code == 200, answer.text
        tool = {"name": "send", "input_schema": {"properties": {key: {} for key in MAXIMA}}}
        answer = gateway.post("/anthropic/v1/messages", json={**say(text), "tools": [tool]})
        assert answer.status_code == 200, answer.text
