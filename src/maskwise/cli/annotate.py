"""`maskwise annotate`: the page on which several people make a corpus in TAB's format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise import io
from maskwise.cli.options import note, show_progress
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.review import (
    PeopleOption,
    PortOption,
    bind_port,
    invite_people,
    read_people,
    require_documents,
    require_server,
)
from maskwise.cli.sources import describe_skipped, find_sources
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

if TYPE_CHECKING:
    from maskwise.server.review.annotation import AnnotationProject

EXAMPLES = """[bold]Examples[/bold]

maskwise annotate judgments/ --person Ana:annotator --person Ivo:annotator --person Mia:manager --double 0.2

maskwise annotate corpus.json --policy balanced --hide-draft

maskwise annotate --state project.sqlite --export corpus.json"""


PathsArgument = Annotated[
    list[str] | None,
    typer.Argument(help="Files, folders or a TAB corpus to annotate.", metavar="DOCS"),
]
PolicyOption = Annotated[
    str | None,
    typer.Option(
        "--policy", "-p", help="Begin each layer with what this policy finds.", metavar="P"
    ),
]
HideDraftOption = Annotated[
    bool, typer.Option("--hide-draft", help="Show what the policy finds only on request.")
]
StateOption = Annotated[Path, typer.Option(help="Keep the project in this file.", metavar="FILE")]
DoubleOption = Annotated[
    float,
    typer.Option(
        help="Give this share of the documents to two annotators.", min=0, max=1, metavar="SHARE"
    ),
]
ExportOption = Annotated[
    Path | None,
    typer.Option(help="Write the corpus to this file, and stop.", metavar="FILE.json"),
]


def annotate(
    paths: PathsArgument = None,
    policy: PolicyOption = None,
    hide_draft: HideDraftOption = False,
    state: StateOption = Path("annotation.sqlite"),
    person: PeopleOption = None,
    double: DoubleOption = 0.0,
    export: ExportOption = None,
    port: PortOption = 8393,
) -> None:
    """Annotate documents in TAB's steps on a local page, one layer per annotator. Nothing leaves this machine."""
    require_server()
    from maskwise.server.review.annotation import AnnotationProject
    from maskwise.server.review.people import ReviewSessions
    from maskwise.server.review.serving import serve_review
    from maskwise.server.review.store import ReviewStore
    from maskwise.text.tab import dump_corpus

    require_documents(paths, state)
    chosen = Policy.load(policy or "balanced")
    refuse_clashes({"the corpus": export}, {"the project": state})
    sources, skipped = find_sources(paths, [state]) if paths else ([], [])
    for line in describe_skipped(skipped):
        note(line)
    people = read_people(person)
    listening = None if export else bind_port(port)
    store = ReviewStore(state)
    project = AnnotationProject(store, Sanitizer(chosen), policy is not None, not hide_draft)
    new: list[int] = []
    known = {number for number, _, _ in store.list_documents()}
    for source in show_progress(sources, len(sources), "Reading"):
        new += project.take_in(str(source.name), source.read(chosen.formats.limits))
    _assign(project, [one for one in new if one not in known], people, double)
    if listening is None:
        assert export is not None
        io.write_file(export, dump_corpus(project.export()).encode("utf-8", "backslashreplace"))
        note(f"{len(store.list_documents())} documents written to {export}")
        return
    sessions = ReviewSessions()
    invite_people(sessions, people, listening)
    serve_review(project, sessions, Path(), listening)


def _assign(
    project: AnnotationProject,
    numbers: Sequence[int],
    people: Sequence[tuple[str, str]],
    share: float,
) -> None:
    """Divide new documents among the annotators, if there are several."""
    from maskwise.server.review.annotation import assign_documents

    names = [name for name, role in people if role == "annotator"]
    if len(names) > 1:
        for number, given in assign_documents(numbers, names, share).items():
            project.book.assign(number, "maskwise", given)
