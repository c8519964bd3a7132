"""`maskwise index`: builds and searches background knowledge for the web indicator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import JsonOption, note, show_count
from maskwise.cli.paths import refuse_clashes
from maskwise.errors import InputError
from maskwise.text.escapes import escape_controls

EXAMPLES = """[bold]Examples[/bold]

maskwise index build people.jsonl.xz -o people.index"""

QUERY = """[bold]Examples[/bold]

maskwise index query people.index Porto cellist"""

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

IndexArgument = Annotated[Path, typer.Argument(help="Index that `build` wrote.", metavar="INDEX")]


@app.callback(epilog=EXAMPLES)
def index() -> None:
    """Build and search an index of public pages for the web indicator. Nothing leaves this machine."""


@app.command("build", epilog=EXAMPLES)
def build(
    texts: Annotated[
        Path,
        typer.Argument(
            help="JSONL with one `text` and optional `url`, `id`, `title` per row, also .gz, .xz or .bz2; or a folder "
            "of .txt and .md files.",
            metavar="TEXTS",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Write this index, whole or not at all.", metavar="INDEX"),
    ],
) -> None:
    """Index pages so that phrases can be searched. The index holds words and addresses, not texts."""
    from maskwise.risk import index as local
    from maskwise.risk.pages import read_pages

    if not texts.exists():
        raise InputError(f"{texts}: no such file or folder")
    refuse_clashes({"the index": out}, {"the texts": texts})
    pages = show_count(read_pages(texts), "Indexing", "pages")
    count = local.build_index(pages, out)
    note(f"{count:,} pages in {out} ({out.stat().st_size / 1e6:.1f} MB)")


@app.command("query", epilog=QUERY)
def query(
    path: IndexArgument,
    terms: Annotated[
        list[str], typer.Argument(help="Phrases; a page must hold all of them.", metavar="TERM")
    ],
    k: Annotated[int, typer.Option("-k", help="Show at most N pages.", min=1, metavar="N")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show and count the pages that hold all phrases, best first."""
    from maskwise.risk.index import LocalIndex

    local = LocalIndex(path)
    hits, pages = local.hits(terms), local.find_pages(terms, k)
    if as_json:
        found = [{"url": url, "title": title} for url, title in pages]
        print(json.dumps({"hits": hits, "pages": found}))
        return
    for url, title in pages:
        print(f"{escape_controls(url)}\t{escape_controls(title)}")
    note(f"{hits:,} {'page' if hits == 1 else 'pages'}, {len(pages)} shown")
