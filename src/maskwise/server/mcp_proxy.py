"""An MCP server in front of another: its tools are listed as they are, their results come back masked.

Placeholders that a model copies into the arguments of a call are turned back before the call, so that other tools work
on real values. What cannot be masked, such as an image, is left out.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from mcp import Client
from mcp.server import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent

from maskwise.sanitizer import Sanitizer
from maskwise.server.gateway.placeholders import PlaceholderCount, PlaceholderTable
from maskwise.server.gateway.prompts import mask_prompt
from maskwise.server.gateway.streams import restore_value
from maskwise.server.recorder import stop_tracing

LEFT_OUT = "(left out: it cannot be masked)"


@dataclass
class ResultMasker:
    """Masks what tools return. One table serves the whole session."""

    sanitizer: Sanitizer
    table: PlaceholderTable = field(default_factory=PlaceholderTable)

    def restore(self, arguments: dict[str, Any] | None) -> dict[str, Any] | None:
        found: dict[str, Any] | None = restore_value(arguments, self.table, PlaceholderCount())
        return found

    def mask(self, result: CallToolResult) -> CallToolResult:
        """A result whose texts are masked. The structured form is dropped: its keys could hold names."""
        texts = [
            part.text if isinstance(part, TextContent) else LEFT_OUT for part in result.content
        ]
        masked = mask_prompt(self.sanitizer, {"content": texts}, self.table).body["content"]
        content: list[Any] = [TextContent(type="text", text=text) for text in masked]
        return CallToolResult(content=content, is_error=result.is_error)


def build_proxy(client: Client, sanitizer: Sanitizer) -> Server[Any]:
    """The proxy for a server that a client is connected to."""
    masker = ResultMasker(sanitizer)

    async def list_tools(_: Any, __: Any) -> ListToolsResult:
        tools: list[Any] = []
        page = await client.list_tools()
        tools += page.tools
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
            tools += page.tools
        # A result without a structured form would not fit the schema that a tool promises.
        return ListToolsResult(
            tools=[tool.model_copy(update={"output_schema": None}) for tool in tools]
        )

    async def call_tool(_: Any, params: CallToolRequestParams) -> CallToolResult:
        try:
            result = await client.call_tool(params.name, masker.restore(params.arguments))
            return await asyncio.to_thread(masker.mask, result)
        except Exception as error:  # nothing of a failed call is passed on
            said = f"the call failed ({type(error).__name__})"
            return CallToolResult(content=[TextContent(type="text", text=said)], is_error=True)

    server = Server("maskwise-proxy", on_list_tools=list_tools, on_call_tool=call_tool)
    stop_tracing(server.middleware)
    return server
