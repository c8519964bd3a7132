"""`maskwise index`: background knowledge for the web indicator, built from pages and looked at by hand."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from maskwise.cli.options import JsonOption, err, note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.terminal import escape_controls
from maskwise.errors import InputError

if TYPE_CHECKING:
    from maskwise.risk.pages import PublicPage

EXAMPLES = """[bold]Examples[/bold]

maskwise index build people.jsonl.xz -o people.index

maskwise index build ./pages -o pages.index

maskwise index query people.index Porto cellist"""

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

IndexArgument = Annotated[Path, typer.Argument(help="An index that `build` wrote.", metavar="INDEX")]


@app.callback(epilog=EXAMPLES)
def index() -> None:
    """Pages that are publicly known, to be searched by the web indicator. Nothing leaves this machine."""


@app.command("build", epilog=EXAMPLES)
def build(
    texts: Annotated[
        Path,
        typer.Argument(
            help="JSONL with `text` and, if there, `url`, `id`, `title` a row, also .gz, .xz or .bz2; or a folder of "
            ".txt and .md files.",
            metavar="TEXTS",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Index to write; replaced when whole.", metavar="INDEX")],
) -> None:
    """Index pages for searching by phrases. The index holds words and addresses, not the texts."""
    from maskwise.risk import index as local
    from maskwise.risk.pages import read_pages

    if not texts.exists():
        raise InputError(f"{texts}: no such file or folder")
    refuse_clashes({"the index": out}, {"the texts": texts})
    count = local.build_index(_watched(read_pages(texts)), out)
    note(f"{count:,} pages in {out} ({out.stat().st_size / 1e6:.1f} MB)")


@app.command("query", epilog=EXAMPLES)
def query(
    path: IndexArgument,
    terms: Annotated[list[str], typer.Argument(help="Phrases that a page must hold, all of them.", metavar="TERM")],
    k: Annotated[int, typer.Option("-k", help="Pages to show at most.", min=1, metavar="N")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show the pages that hold all the phrases, best first, and how many there are."""
    from maskwise.risk.index import LocalIndex

    local = LocalIndex(path)
    hits, pages = local.hits(terms), local.pages(terms, k)
    if as_json:
        print(json.dumps({"hits": hits, "pages": [{"url": url, "title": title} for url, title in pages]}))
        return
    for url, title in pages:
        print(f"{escape_controls(url)}\t{escape_controls(title)}")
    note(f"{hits:,} {'page' if hits == 1 else 'pages'}, {len(pages)} shown")


def _watched(pages: Iterator[PublicPage]) -> Iterator[PublicPage]:
    """A bar that counts pages, where a person is watching; their number is known at the end alone."""
    if not sys.stderr.isatty():
        yield from pages
        return
    columns = (TextColumn("Indexing"), BarColumn(), TextColumn("{task.completed:,.0f} pages"), TimeElapsedColumn())
    with Progress(*columns, console=err(), transient=True) as bar:
        task = bar.add_task("Indexing", total=None)
        for page in pages:
            yield page
            bar.advance(task)
