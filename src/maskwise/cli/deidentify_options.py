"""The options of `maskwise deidentify`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Way(StrEnum):
    """How the search looks for masks."""

    MASK = "mask"
    SHOW = "show"


class Units(StrEnum):
    """The unit that the search masks as one."""

    ENTITIES = "entities"
    WORDS = "words"


DocumentsArgument = Annotated[
    Path,
    typer.Argument(help="JSONL with one `text` and the `id` of a profile per row.", metavar="DOCS"),
]
PopulationOption = Annotated[
    Path,
    typer.Option(
        help="JSONL, CSV or Parquet with the profiles to hide among.",
        metavar="PROFILES",
        show_default=False,
    ),
]
CrowdOption = Annotated[
    int,
    typer.Option(
        "--k", "-k", help="Require K other profiles that are likelier than the true one.", min=1
    ),
]
OutOption = Annotated[
    Path,
    typer.Option("--out", "-o", help="Write this JSONL, whole or not at all.", metavar="OUT"),
]
ModelOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Attack with this bi-encoder of `maskwise train reid`. Can be repeated. The default names are "
        "dense, dense-2, and so on.",
        metavar="[NAME=]FOLDER",
    ),
]
CacheOption = Annotated[
    Path | None,
    typer.Option(help="Keep the embeddings of the population in this folder.", metavar="FOLDER"),
]
AttackersOption = Annotated[
    str,
    typer.Option(
        help="Attack with these: bm25, pieces, names of models. The default is bm25 and every model.",
        metavar="A,B",
    ),
]
AgainstOption = Annotated[
    str,
    typer.Option(
        help="Hide from these attackers, by default from all; the others only judge.",
        metavar="A,B",
    ),
]
UnitsOption = Annotated[Units, typer.Option(help="Mask whole entities or single words.")]
MarginOption = Annotated[
    float, typer.Option(help="Require this distance to the others, in log-odds.", min=0)
]
ShareOption = Annotated[
    float,
    typer.Option(
        help="Mask at most this share of a document's words.", metavar="SHARE", min=0, max=1
    ),
]
WayOption = Annotated[
    Way, typer.Option(help="Mask units one by one, or mask all and show what is harmless.")
]
BeamOption = Annotated[
    int,
    typer.Option(help="Keep N partial solutions with --way mask; 1 is greedy.", metavar="N", min=1),
]
ExchangeOption = Annotated[
    int,
    typer.Option(help="Try N units that may replace two masks each; slower.", metavar="N", min=0),
]
IdOption = Annotated[str, typer.Option(help="Read the profile's id from this key.", metavar="KEY")]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Continue a stopped run of the same settings.")
]
FailOption = Annotated[
    bool, typer.Option("--fail-over", help="Exit with code 1 if a document misses K.")
]
