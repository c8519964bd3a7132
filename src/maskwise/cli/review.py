"""`maskwise review`: opens the review page on documents, for people of this machine."""

from __future__ import annotations

import getpass
import socket
from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import PolicyOption, note, show_progress
from maskwise.cli.sanitize import name_people
from maskwise.cli.sources import describe_skipped, find_sources
from maskwise.errors import InputError
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

EXAMPLES = """[bold]Examples[/bold]

maskwise review judgments/ --policy court --protect "Ana Souza" --out approved/

maskwise review letter.docx --person "R. Vale:reviewer" --second-reader"""


def review(
    paths: Annotated[
        list[str], typer.Argument(help="Files and folders to review.", metavar="DOCS")
    ],
    protect: Annotated[
        list[str] | None,
        typer.Option("--protect", help="Protect the person of this name.", metavar="NAME"),
    ] = None,
    policy: PolicyOption = "court",
    out_dir: Annotated[
        Path, typer.Option("--out", "-o", help="Write approved files here.", metavar="DIR")
    ] = Path("approved"),
    state: Annotated[
        Path, typer.Option(help="Keep the project in this file.", metavar="FILE")
    ] = Path("review.sqlite"),
    person: Annotated[
        list[str] | None,
        typer.Option(
            help="Let this person in, as annotator, reviewer or manager.", metavar="NAME:ROLE"
        ),
    ] = None,
    second: Annotated[
        bool, typer.Option("--second-reader", help="Another person confirms each document.")
    ] = False,
    port: Annotated[
        int, typer.Option(help="Listen at this port.", min=0, max=65535, metavar="N")
    ] = 8392,
) -> None:
    """Review documents on a local page: a person decides, the plan follows. Nothing leaves this machine."""
    from maskwise.integrations import require_library

    for module in ("fastapi", "uvicorn", "prometheus_client"):
        require_library(module, "server")
    from maskwise.revising import Reviser
    from maskwise.server.review.people import ReviewRole, ReviewSessions
    from maskwise.server.review.project import ReviewProject
    from maskwise.server.review.serving import serve_review
    from maskwise.server.review.store import ReviewStore
    from maskwise.settings import CrowdSettings
    from maskwise.watching import CrowdWatch

    chosen = Policy.load(policy)
    people = [_read_person(one) for one in person or ()] or [
        (getpass.getuser(), ReviewRole.MANAGER.value)
    ]
    sources, skipped = find_sources(paths, [state])
    for line in describe_skipped(skipped):
        note(line)
    listening = _bind(port)
    reviser = Reviser(Sanitizer(chosen), CrowdWatch(chosen.crowd or CrowdSettings()))
    project = ReviewProject(ReviewStore(state), reviser, name_people(protect or ()), second)
    for source in show_progress(sources, len(sources), "Reading"):
        raw = source.read(chosen.formats.limits)
        project.take_in(str(source.name), raw)
    sessions = ReviewSessions()
    at = listening.getsockname()[1]
    for name, role in people:
        secret = sessions.invite(name, ReviewRole(role))
        note(f"{name} ({role}), once: http://127.0.0.1:{at}/enter?key={secret}")
    serve_review(project, sessions, out_dir, listening)


def _read_person(given: str) -> tuple[str, str]:
    name, _, role = given.rpartition(":")
    if not name.strip() or role not in ("annotator", "reviewer", "manager"):
        raise InputError("--person: give NAME:annotator, NAME:reviewer or NAME:manager")
    return name.strip(), role


def _bind(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        listening.close()
        raise InputError(f"port {port} cannot be used ({error.strerror}); choose another") from None
    return listening
