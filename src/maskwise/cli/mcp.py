"""`maskwise mcp`: tools for language models, over standard input and output."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import PolicyOption
from maskwise.errors import InputError

EXAMPLES = """[bold]Examples[/bold]

maskwise mcp --root ~/cases

maskwise mcp --proxy "npx some-mcp-server" --policy strict"""


def mcp(
    root: Annotated[
        list[Path] | None,
        typer.Option(
            "--root", help="Allow files below this folder. Can be repeated.", metavar="DIR"
        ),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option("--proxy", help="Mask the results of this MCP server.", metavar="COMMAND"),
    ] = None,
    policy: PolicyOption = "balanced",
    originals: Annotated[
        bool, typer.Option("--originals", help="Offer a tool that reads files unmasked.")
    ] = False,
) -> None:
    """Serve tools that mask, analyse and evaluate files, or mask the results of another MCP server."""
    from maskwise.integrations import require_library
    from maskwise.sanitizer import Sanitizer

    require_library("mcp", "mcp")
    if bool(root) == bool(proxy):
        raise InputError("name folders with --root, or a server with --proxy")
    sanitizer = Sanitizer(policy)
    if proxy:
        asyncio.run(_run_proxy(proxy, sanitizer))
        return
    from maskwise.server.mcp_tools import build_mcp

    folders = root or []
    if missing := [path for path in folders if not path.is_dir()]:
        raise InputError(f"{missing[0]}: no such folder")
    build_mcp(folders, sanitizer, originals).run("stdio")


async def _run_proxy(command: str, sanitizer: object) -> None:
    import os
    import shlex

    from mcp import Client, StdioServerParameters, stdio_server

    from maskwise.sanitizer import Sanitizer
    from maskwise.server.mcp_proxy import build_proxy

    assert isinstance(sanitizer, Sanitizer)
    program, *arguments = shlex.split(command) or [""]
    if not program:
        raise InputError("--proxy: name the command of a server")
    # By default the variables of the environment, such as keys that the server needs, would not reach it.
    other = StdioServerParameters(command=program, args=arguments, env=dict(os.environ))
    async with (
        Client(other) as client,
        stdio_server() as (reader, writer),
    ):
        server = build_proxy(client, sanitizer)
        await server.run(reader, writer, server.create_initialization_options())
