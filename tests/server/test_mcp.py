"""The MCP server, called by the official client in this process."""

import asyncio
import json
import os
import sys

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.server import MCPServer
from mcp.types import ListToolsResult, Tool

from maskwise import Sanitizer
from maskwise.server.mcp_proxy import build_proxy
from maskwise.server.mcp_tools import build_mcp

LETTER = "Ms Orla Vexley phoned Tom Reed in Porto."


@pytest.fixture(scope="module")
def sanitizer():
    return Sanitizer()


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "cases"
    root.mkdir()
    (root / "letter.txt").write_text(LETTER)
    (tmp_path / "secret.txt").write_text(LETTER)
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    return root


def call(server, tool, **arguments):
    async def ask():
        async with Client(server) as client:
            return await client.call_tool(tool, arguments)

    result = asyncio.run(ask())
    return result, "".join(part.text for part in result.content)


def list_tools(server):
    async def ask():
        async with Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    return asyncio.run(ask())


def test_tools_give_masked_texts(folder, sanitizer):
    server = build_mcp([folder], sanitizer)
    assert list_tools(server) == [
        "mask_text",
        "mask_file",
        "read_masked",
        "analyse_file",
        "evaluate_policy",
    ]
    for tool, arguments in (
        ("mask_text", {"text": LETTER, "protect": ["Orla Vexley"]}),
        ("read_masked", {"path": "letter.txt"}),
        ("analyse_file", {"path": "letter.txt"}),
        ("mask_file", {"path": "letter.txt", "output": "masked.txt"}),
    ):
        result, text = call(server, tool, **arguments)
        assert not result.is_error, text
        assert "Vexley" not in text
    assert (folder / "masked.txt").read_text() == sanitizer.sanitize(LETTER).text


@pytest.mark.parametrize("path", ["../secret.txt", "link.txt", "/etc/passwd", "no.txt", "a\0b"])
def test_files_outside_do_not_exist(folder, sanitizer, path):
    result, text = call(build_mcp([folder], sanitizer), "read_masked", path=path)
    assert result.is_error
    assert "no such file below the allowed folders" in text


def test_nothing_is_overwritten(folder, sanitizer):
    server = build_mcp([folder], sanitizer)
    for output in ("letter.txt", "../secret.txt", "other.docx"):
        result, _ = call(server, "mask_file", path="letter.txt", output=output)
        assert result.is_error
    assert (folder / "letter.txt").read_text() == LETTER


def test_originals_need_a_server_that_offers_them_and_a_reason(folder, sanitizer):
    server = build_mcp([folder], sanitizer, with_originals=True)
    assert "Vexley" in call(server, "read_original", path="letter.txt", reason="the user asked")[1]
    assert call(server, "read_original", path="letter.txt", reason=" ")[0].is_error


def test_a_policy_is_evaluated(folder, sanitizer):
    mention = {
        "entity_type": "PERSON", "entity_mention_id": "m1", "start_offset": 0, "end_offset": 14,
        "span_text": "Ms Orla Vexley", "edit_type": "correct", "identifier_type": "DIRECT",
        "entity_id": "e1", "confidential_status": "NOT_CONFIDENTIAL",
    }  # fmt: skip
    corpus = [{
        "doc_id": "d1", "text": LETTER, "annotations": {"annotator1": {"entity_mentions": [mention]}},
        "task": "", "quality_checked": True, "dataset_type": "dev", "meta": {},
    }]  # fmt: skip
    (folder / "corpus.json").write_text(json.dumps(corpus))
    result, text = call(build_mcp([folder], sanitizer), "evaluate_policy", corpus="corpus.json")
    assert not result.is_error, text
    assert json.loads(text)["entity_recall_direct"] == 1.0


def test_errors_of_tools_say_no_text(folder, sanitizer, monkeypatch):
    def fail(*_):
        raise ValueError(LETTER)

    monkeypatch.setattr(Sanitizer, "run", fail)
    result, text = call(build_mcp([folder], sanitizer), "mask_text", text=LETTER)
    assert result.is_error
    assert "Vexley" not in text


def test_a_proxy_lists_the_tools_of_all_pages(sanitizer):
    class Pages:
        async def list_tools(self, cursor=None):
            at = int(cursor or 0)
            tool = Tool(name=f"tool_{at}", input_schema={"type": "object"})
            following = str(at + 1) if at < 2 else None
            return ListToolsResult(tools=[tool], next_cursor=following)

    assert list_tools(build_proxy(Pages(), sanitizer)) == ["tool_0", "tool_1", "tool_2"]


def test_a_proxy_masks_results_and_restores_arguments(sanitizer):
    other = MCPServer("register", log_level="CRITICAL")
    seen = []

    @other.tool()
    def look_up(name: str) -> str:
        seen.append(name)
        return f"{LETTER} You asked for {name}."

    @other.tool()
    def fail() -> str:
        raise ValueError(LETTER)

    async def ask():
        async with Client(other) as inner, Client(build_proxy(inner, sanitizer)) as client:
            first = await client.call_tool("look_up", {"name": "somebody"})
            again = await client.call_tool("look_up", {"name": "[PERSON_1]"})
            failed = await client.call_tool("fail", {})
            return [result.content[0].text for result in (first, again, failed)]

    first, again, failed = asyncio.run(ask())
    assert "[PERSON_1]" in first
    assert not any("Vexley" in text for text in (first, again, failed))
    assert seen[1] == "Ms Orla Vexley"


def test_the_server_behind_a_proxy_gets_the_environment(tmp_path):
    """As a client starts it: a process that starts the other, which needs a key of the environment."""
    other = tmp_path / "other.py"
    other.write_text(
        "import os\nfrom mcp.server import MCPServer\n"
        "server = MCPServer('other')\n"
        "@server.tool()\n"
        "def look() -> str:\n"
        "    return f\"Ms Orla Vexley used {os.environ.get('OTHER_KEY')}.\"\n"
        "server.run('stdio')\n"
    )
    command = ["-m", "maskwise", "mcp", "--proxy", f"'{sys.executable}' '{other}'"]
    env = {**os.environ, "OTHER_KEY": "blue"}
    parameters = StdioServerParameters(command=sys.executable, args=command, env=env)

    async def ask():
        async with Client(stdio_client(parameters)) as client:
            return (await client.call_tool("look", {})).content[0].text

    assert asyncio.run(ask()) == "[PERSON_1] used blue."
