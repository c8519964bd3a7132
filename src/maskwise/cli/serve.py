"""`maskwise serve`: the line as a service, on this machine unless its settings let others in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note

EXAMPLES = """[bold]Examples[/bold]

maskwise serve

maskwise serve --config serve.yaml --workers 4"""


ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="Settings of the server, as YAML.", metavar="FILE"),
]
HostOption = Annotated[
    str | None, typer.Option(help="Listen at this address, by default 127.0.0.1.", metavar="HOST")
]
PortOption = Annotated[
    int | None,
    typer.Option(help="Listen at this port, by default 8391.", min=0, max=65535, metavar="N"),
]
WorkersOption = Annotated[int | None, typer.Option(help="Run N processes.", min=1, metavar="N")]
PolicyOption = Annotated[
    str | None,
    typer.Option("--policy", "-p", help="Use this policy where a client names none.", metavar="P"),
]
StateOption = Annotated[Path | None, typer.Option(help="Keep jobs in this folder.", metavar="DIR")]


def serve(
    config: ConfigOption = None,
    host: HostOption = None,
    port: PortOption = None,
    workers: WorkersOption = None,
    policy: PolicyOption = None,
    state: StateOption = None,
) -> None:
    """Serve the native API, Presidio's API and the gateway. Only this machine can connect, unless tokens are set."""
    from maskwise.integrations import require_library

    # Prometheus' client decides at its import whether there are several workers, so it is not tried here.
    for module in ("fastapi", "uvicorn", "regex", "cryptography"):
        require_library(module, "server")
    from maskwise.server.settings import load_settings
    from maskwise.server.supervisor import serve as run

    settings = load_settings(
        config,
        host=host,
        port=port,
        workers=workers,
        policy=policy,
        state=str(state) if state else None,
    )
    note(f"serving at http{'s' if settings.tls else ''}://{settings.host}:{settings.port}")
    raise typer.Exit(run(settings))
