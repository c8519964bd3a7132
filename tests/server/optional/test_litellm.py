"""The real LiteLLM proxy: its Presidio guardrail, its generic guardrail, or our gateway as its model.

LiteLLM lets no guardrail restore the tool calls of an answer, except the Presidio guardrail in a stream. With the
gateway behind it, all calls come back restored. The tests say what a client gets each way, so that a change is seen.
"""

import json
import os
import secrets

import httpx
import pytest
from tests.server.optional.processes import Process, Provider, find_port, start_server

ASK = "Please write to Ms Orla Vexley at orla.vexley@mail.example.org today."
SECRETS = ("Vexley", "vexley")
MASTER = f"sk-{secrets.token_hex(32)}"  # the proxy starts with a strong key alone
CONFIG = """
model_list:
  - model_name: fake
    litellm_params: {{model: openai/fake, api_base: {provider}/v1, api_key: none}}
guardrails: {guardrails}
litellm_settings: {{telemetry: false}}
"""
NAMED = """
  - guardrail_name: maskwise
    litellm_params: {guardrail}"""
PRESIDIO = """
      guardrail: presidio
      mode: pre_call
      default_on: true
      presidio_analyzer_api_base: {server}
      presidio_anonymizer_api_base: {server}
      output_parse_pii: true
      presidio_filter_scope: input  # by default LiteLLM masks answers as well"""
GENERIC = """
      guardrail: generic_guardrail_api
      mode: [pre_call, post_call]
      default_on: true
      api_base: {server}
      streaming_transform_mode: incremental_diff
      streaming_sampling_rate: 1"""


@pytest.fixture(scope="module")
def server(tmp_path_factory, provider):
    settings = f"openai: {{url: '{provider}/v1'}}"
    found = start_server(tmp_path_factory.mktemp("server"), settings)
    yield found
    assert found.stop() == 0


WAYS = {"presidio": PRESIDIO, "generic": GENERIC, "gateway": None}
# Which ways restore the arguments of tool calls: in whole answers, and in streams.
RESTORING = {("gateway", False), ("gateway", True), ("presidio", True)}


@pytest.fixture(scope="module", params=WAYS)
def proxy(request, server, provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    guardrail = WAYS[request.param]
    guardrails = NAMED.format(guardrail=guardrail.format(server=server.url)) if guardrail else "[]"
    model = provider if guardrail else f"{server.url}/openai"
    config = folder / "config.yaml"
    config.write_text(CONFIG.format(provider=model, guardrails=guardrails))
    port = find_port()
    command = [
        os.environ["LITELLM"],
        "--config",
        str(config),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    found = Process(
        command,
        f"http://127.0.0.1:{port}",
        "/health/liveliness",
        folder / "litellm.log",
        900,
        LITELLM_MASTER_KEY=MASTER,
        LITELLM_LOCAL_MODEL_COST_MAP="True",
        NO_PROXY="*",
    )
    found.way = request.param
    yield found
    found.process.terminate()
    found.process.wait(60)


def ask(proxy, **more):
    Provider.seen.clear()
    body = {"model": "fake", "messages": [{"role": "user", "content": ASK}], **more}
    return httpx.post(
        f"{proxy.url}/v1/chat/completions",
        json=body,
        headers={"Authorization": f"Bearer {MASTER}"},
        timeout=600,
    )


def read_stream(answer):
    text = ""
    for line in answer.text.splitlines():
        if line.startswith("data: {"):
            choices = json.loads(line[6:])["choices"]
            text += "".join(choice["delta"].get("content") or "" for choice in choices)
    return text


def expect_masked_upstream():
    assert Provider.seen
    assert not any(secret in sent for sent in Provider.seen for secret in SECRETS)


def test_a_chat_is_masked_upstream_and_restored_downstream(proxy):
    answer = ask(proxy)
    assert answer.status_code == 200, answer.text
    expect_masked_upstream()
    assert answer.json()["choices"][0]["message"]["content"] == f"You said: {ASK}"


def test_a_stream_is_masked_upstream_and_restored_downstream(proxy):
    answer = ask(proxy, stream=True)
    expect_masked_upstream()
    assert read_stream(answer) == f"You said: {ASK}"


TOOL = {
    "type": "function",
    "function": {"name": "send", "parameters": {"type": "object", "properties": {}}},
}


def test_a_tool_call_is_masked_upstream(proxy):
    answer = ask(proxy, tools=[TOOL])
    expect_masked_upstream()
    [call] = answer.json()["choices"][0]["message"]["tool_calls"]
    expect_arguments(proxy, call["function"]["arguments"], streams=False)


def test_a_streamed_tool_call_is_masked_upstream(proxy):
    answer = ask(proxy, tools=[TOOL], stream=True)
    expect_masked_upstream()
    arguments = ""
    for line in answer.text.splitlines():
        if line.startswith("data: {"):
            for choice in json.loads(line[6:])["choices"]:
                calls = choice["delta"].get("tool_calls") or ()
                arguments += "".join(call["function"]["arguments"] or "" for call in calls)
    expect_arguments(proxy, arguments, streams=True)


def expect_arguments(proxy, arguments, *, streams):
    """The provider's arguments repeat what it was asked: masked, unless this way restores them."""
    [message] = json.loads(Provider.seen[-1])["messages"]
    is_restored = (proxy.way, streams) in RESTORING
    assert json.loads(arguments) == {"to": ASK if is_restored else message["content"]}


def test_a_conversation_with_tool_calls_is_masked_upstream(proxy):
    """The history of a conversation. LiteLLM's Presidio guardrail masks no arguments: they leave in clear."""
    function = {"name": "send", "arguments": json.dumps({"to": "Orla Vexley"})}
    call = {"id": "t1", "type": "function", "function": function}
    history = [
        {"role": "user", "content": ASK},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "t1", "content": "sent to Orla Vexley"},
    ]
    tool = {**TOOL, "function": {**TOOL["function"], "description": "Writes to Ms Orla Vexley."}}
    ask(proxy, messages=history, tools=[tool])
    [sent] = Provider.seen
    assert any(secret in sent for secret in SECRETS) == (proxy.way == "presidio")
