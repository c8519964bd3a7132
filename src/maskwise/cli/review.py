"""`maskwise review`: opens the review page on documents, for people of this machine."""

from __future__ import annotations

import getpass
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise import io
from maskwise.cli.options import PolicyOption, note, show_progress
from maskwise.cli.paths import list_files, refuse_clashes
from maskwise.cli.sanitize import name_people
from maskwise.cli.sources import InputFile, describe_skipped, find_sources
from maskwise.errors import InputError
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

if TYPE_CHECKING:
    from maskwise.server.review.people import ReviewSessions

EXAMPLES = """[bold]Examples[/bold]

maskwise review judgments/ --policy court --protect "Ana Souza" --out approved/

maskwise review letter.docx --person "R. Vale:reviewer" --second-reader"""


PeopleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--person",
        help="Let this person in, as annotator, reviewer or manager.",
        metavar="NAME:ROLE",
    ),
]
PortOption = Annotated[
    int, typer.Option(help="Listen at this port.", min=0, max=65535, metavar="N")
]


PathsArgument = Annotated[
    list[str] | None,
    typer.Argument(help="Files and folders to review.", metavar="DOCS"),
]
ProtectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--protect", help="Protect the person of this name. Can be repeated.", metavar="NAME"
    ),
]
OutDirOption = Annotated[
    Path, typer.Option("--out", "-o", help="Write approved files here.", metavar="DIR")
]
StateOption = Annotated[Path, typer.Option(help="Keep the project in this file.", metavar="FILE")]
SecondOption = Annotated[
    bool, typer.Option("--second-reader", help="Another person confirms each document.")
]
ExportOption = Annotated[
    Path | None,
    typer.Option(help="Write what is done as a TAB corpus, and stop.", metavar="FILE.json"),
]


def review(
    paths: PathsArgument = None,
    protect: ProtectOption = None,
    policy: PolicyOption = "court",
    out_dir: OutDirOption = Path("approved"),
    state: StateOption = Path("review.sqlite"),
    person: PeopleOption = None,
    second: SecondOption = False,
    export: ExportOption = None,
    port: PortOption = 8392,
) -> None:
    """Review documents on a local page: a person decides, the plan follows. Nothing leaves this machine."""
    require_server()
    from maskwise.revising import Reviser
    from maskwise.server.review.exporting import export_review
    from maskwise.server.review.people import ReviewSessions
    from maskwise.server.review.project import ReviewProject
    from maskwise.server.review.serving import serve_review
    from maskwise.server.review.store import ReviewStore
    from maskwise.settings import CrowdSettings
    from maskwise.text.tab import dump_corpus
    from maskwise.watching import CrowdWatch

    require_documents(paths, state)
    chosen = Policy.load(policy)
    people = read_people(person)
    aside = [state, *_list_approved(out_dir, paths or ())]
    sources, skipped = find_sources(paths, aside) if paths else ([], [])
    documents = [source.path for source in sources if source.path]
    refuse_clashes(
        {"the corpus": export, "an approved file": _list_outputs(out_dir, sources)},
        {"the project": state, "a document": documents},
    )
    for line in describe_skipped(skipped):
        note(line)
    listening = None if export else bind_port(port)
    reviser = Reviser(Sanitizer(chosen), CrowdWatch(chosen.crowd or CrowdSettings()))
    project = ReviewProject(ReviewStore(state), reviser, name_people(protect or ()), second)
    for source in show_progress(sources, len(sources), "Reading"):
        project.take_in(str(source.name), source.read(chosen.formats.limits))
    if export:
        corpus = dump_corpus(export_review(project))
        io.write_file(export, corpus.encode("utf-8", "backslashreplace"))
    elif listening:
        sessions = ReviewSessions()
        invite_people(sessions, people, listening)
        serve_review(project, sessions, out_dir, listening)


def _list_approved(out_dir: Path, paths: Sequence[str]) -> list[Path]:
    """The files approved before, which are not reviewed, where their folder lies inside a folder of documents."""
    whole = out_dir.resolve()
    is_inside = any(Path(path).resolve() in whole.parents for path in paths)
    return list_files([out_dir]) if is_inside else []


def _list_outputs(out_dir: Path, sources: Sequence[InputFile]) -> list[Path]:
    """Every path that approvals may write."""
    from maskwise.server.review.approval import AUDIT, CERTIFICATE

    names = {str(source.name) for source in sources}
    return [
        out_dir / AUDIT,
        *(out_dir / (name + end) for name in names for end in ("", CERTIFICATE)),
    ]


def require_documents(paths: Sequence[str] | None, state: Path) -> None:
    """Refuse to begin a project without documents. A project that exists has its own."""
    if not paths and not state.exists():
        raise InputError(f"{state}: no such project; name documents, or a project with --state")


def require_server() -> None:
    """The libraries of the server, or one line that says how to install them."""
    from maskwise.integrations import require_library

    for module in ("fastapi", "uvicorn", "prometheus_client"):
        require_library(module, "server")


def read_people(given: Sequence[str] | None) -> list[tuple[str, str]]:
    """The people who may enter: those whom the options name, or the user of this machine."""
    people = [_read_person(one) for one in given or ()]
    if len({name for name, _ in people}) < len(people):
        raise InputError("--person: two people have the same name")
    return people or [(getpass.getuser(), "manager")]


def invite_people(
    sessions: ReviewSessions, people: Sequence[tuple[str, str]], listening: socket.socket
) -> None:
    """Print a link for each person. It works once."""
    from maskwise.server.review.people import ReviewRole

    at = listening.getsockname()[1]
    for name, role in people:
        secret = sessions.invite(name, ReviewRole(role))
        note(f"{name} ({role}) enters here, once: http://127.0.0.1:{at}/enter?key={secret}")


def _read_person(given: str) -> tuple[str, str]:
    name, _, role = given.rpartition(":")
    bare = name.strip()
    if role not in ("annotator", "reviewer", "manager"):
        raise InputError("--person: give NAME:annotator, NAME:reviewer or NAME:manager")
    if not bare or len(bare) > 64 or "/" in bare or bare == "adjudicated":
        raise InputError(
            "--person: a name has 1 to 64 characters, no slash, and is not adjudicated"
        )
    return bare, role


def bind_port(port: int) -> socket.socket:
    """A socket at a port of this machine that nobody else reaches."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
        listening.listen()  # whoever follows a link at once waits, and is not refused
    except OSError as error:
        listening.close()
        raise InputError(f"port {port} cannot be used ({error.strerror}); choose another") from None
    return listening
