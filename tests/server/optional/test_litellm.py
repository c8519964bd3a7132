"""The real LiteLLM proxy with its Presidio guardrail and with its generic guardrail, both pointed at our server."""

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
guardrails:
  - guardrail_name: maskwise
    litellm_params: {guardrail}
litellm_settings: {{telemetry: false}}
"""
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
def server(tmp_path_factory):
    found = start_server(tmp_path_factory.mktemp("server"))
    yield found
    assert found.stop() == 0


@pytest.fixture(scope="module", params=["presidio", "generic"])
def proxy(request, server, provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    guardrail = (PRESIDIO if request.param == "presidio" else GENERIC).format(server=server.url)
    config = folder / "config.yaml"
    config.write_text(CONFIG.format(provider=provider, guardrail=guardrail))
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
    """LiteLLM takes no tool call back from a guardrail: arguments keep their placeholders, as valid JSON."""
    answer = ask(proxy, tools=[TOOL])
    expect_masked_upstream()
    [call] = answer.json()["choices"][0]["message"]["tool_calls"]
    expect_arguments(call["function"]["arguments"])


def test_a_streamed_tool_call_is_masked_upstream(proxy):
    answer = ask(proxy, tools=[TOOL], stream=True)
    expect_masked_upstream()
    arguments = ""
    for line in answer.text.splitlines():
        if line.startswith("data: {"):
            for choice in json.loads(line[6:])["choices"]:
                calls = choice["delta"].get("tool_calls") or ()
                arguments += "".join(call["function"]["arguments"] or "" for call in calls)
    expect_arguments(arguments)


def expect_arguments(arguments):
    to = json.loads(arguments)["to"]
    print("arguments:", to)
    assert to.startswith("Please write to ")
    assert to.endswith(" today.")
