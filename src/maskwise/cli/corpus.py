"""`maskwise corpus`: masks for a TAB-format corpus, as offsets and replacements."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from maskwise import io
from maskwise.audit import open_log
from maskwise.cli.learnt import warn_of_learners
from maskwise.cli.lists import (
    KeepOption,
    MaskOption,
    MustMaskOption,
    list_paths,
    list_texts,
    note_unseen,
    read_lists,
)
from maskwise.cli.options import (
    AuditKeyOption,
    AuditOption,
    IndexOption,
    KeyFileOption,
    PolicyOption,
    ScopeOption,
    VaultOption,
    note,
    override_policy,
    show_progress,
)
from maskwise.cli.paths import collect_run_files, refuse_run_clashes
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, tab

EXAMPLES = """[bold]Examples[/bold]

maskwise corpus dev.json -o masks.json

maskwise corpus dev.json.gz -o masks.json --ignore-task --policy strict --scope corpus"""


PathArgument = Annotated[
    Path, typer.Argument(help="TAB standoff JSON, also .gz, .xz or .bz2.", metavar="CORPUS")
]
MasksOption = Annotated[
    Path, typer.Option("--out", "-o", help="Write the masks to this file.", metavar="MASKS")
]
IgnoreTaskOption = Annotated[
    bool,
    typer.Option("--ignore-task", help="Ignore the name of the person in a document's task."),
]


def corpus(
    path: PathArgument,
    masks: MasksOption,
    ignore_task: IgnoreTaskOption = False,
    policy: PolicyOption = "balanced",
    keep: KeepOption = None,
    mask: MaskOption = None,
    must_mask: MustMaskOption = None,
    scope: ScopeOption = None,
    vault: VaultOption = None,
    key_file: KeyFileOption = None,
    index: IndexOption = None,
    audit: AuditOption = None,
    audit_key: AuditKeyOption = None,
) -> None:
    """Mask a corpus. The output has one list of masks (start, end, replacement) per doc_id."""
    lists = read_lists(mask, keep, must_mask)
    adjusted = override_policy(Policy.load(policy), scope, vault, key_file, index)
    chosen = list_texts(adjusted, lists)
    used = collect_run_files(policy, chosen, audit, audit_key) | {
        "a list of texts": list_paths(lists)
    }
    refuse_run_clashes({"the file of masks": masks}, {"the corpus": path}, used, chosen)
    warn_of_learners(path, [chosen.model])
    sanitizer = Sanitizer(chosen)
    documents = _read_documents(path, ignore_task)
    if sanitizer.needs_words:
        sanitizer.avoid(document.text for document in documents)
    results = show_progress(sanitizer.run(documents), len(documents), "Masking")
    found = {}
    with open_log(audit, chosen, audit_key) as log:
        for result in results:
            if log:
                log.write([result])
            found[result.document.id] = [list(mask) for mask in result.masks]
    note_unseen(adjusted, lists, sanitizer)
    io.write_file(masks, (json.dumps(found, indent=None) + "\n").encode())
    note(
        f"{sum(len(m) for m in found.values())} masks in {len(found)} documents written to {masks}"
    )


def _read_documents(path: Path, ignore_task: bool) -> list[Document]:
    """The documents of a corpus, without the people to protect if the task is ignored."""
    documents = [item.document for item in tab.load_corpus(path)]
    if ignore_task:
        return [replace(document, protected=()) for document in documents]
    return documents
