"""OpenTelemetry gets no traces, counts or logs of requests: their addresses and errors may hold text."""

import asyncio
from unittest.mock import MagicMock

import mcp.shared._otel as spans
import pytest
from mcp import Client
from mcp.types import ListToolsResult
from opentelemetry import _logs, metrics, trace
from opentelemetry.trace import SpanKind
from tests.server.conftest import make_client

from maskwise import Sanitizer
from maskwise.server.mcp_proxy import build_proxy
from maskwise.server.mcp_tools import build_mcp
from maskwise.server.settings import ServerSettings

CANARY = "Quillfeather"


def test_no_request_is_traced(monkeypatch):
    watching = {"tracer": trace, "meter": metrics, "logger": _logs}
    providers = {name: MagicMock() for name in watching}
    for name, module in watching.items():
        monkeypatch.setattr(module, f"get_{name}_provider", lambda found=providers[name]: found)
    with make_client(ServerSettings()) as client:
        assert client.post("/v1/sanitize", json={"text": f"Ms {CANARY} left."}).status_code == 200
        client.get(f"/v1/{CANARY}", params={"text": CANARY})
    for found in providers.values():
        assert found.mock_calls == []


class Pages:
    """A server without tools behind the proxy."""

    async def list_tools(self, cursor=None):
        return ListToolsResult(tools=[])

    async def call_tool(self, name, arguments):
        raise ValueError(CANARY)


@pytest.mark.parametrize("kind", ["tools", "proxy"])
def test_no_tool_call_is_traced(monkeypatch, tmp_path, kind):
    tracer = MagicMock()
    monkeypatch.setattr(spans, "_tracer", tracer)
    sanitizer = Sanitizer()
    server = (
        build_mcp([tmp_path], sanitizer) if kind == "tools" else build_proxy(Pages(), sanitizer)
    )

    async def ask():
        async with Client(server) as client:
            return await client.call_tool("mask_text", {"text": CANARY})

    asyncio.run(ask())
    kinds = [call.kwargs["kind"] for call in tracer.start_as_current_span.mock_calls if call.kwargs]
    assert SpanKind.SERVER not in kinds
