"""Invents documents of many kinds, with spans, types and masks, as a corpus in TAB format.

    python tools/build_documents.py -o documents.json.gz [--count 12000] [--seed 1] [--notes NOTES.jsonl.xz]

Templates are in `tools/documents/templates`. Two annotators mark each document alike; where people would disagree on a
mask, one of them masks. `--notes` adds clinical notes (JSONL with `text`), once as they are and once or twice with an
invented identity; the last quarter of the notes is left out, for measuring. Needs Faker (`maskwise[surrogate]`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from documents.distort import distort_some
from documents.identities import Cast
from documents.notes import insert_identity
from documents.render import InventedDocument, InventedSpan, fill_template, read_templates

TEMPLATES = Path(__file__).parent / "documents" / "templates"
# Documents per kind, as weights, and how many templates of the kind a document may join.
KINDS = {
    "mail": (3, 1),
    "chat": (3, 2),
    "posts": (3, 3),
    "clinic": (2, 2),
    "records": (4, 1),
    "technical": (2, 2),
}
KEPT_NOTES = 0.75  # of the notes; the rest is for measuring


def invent_documents(
    count: int, seed: int, templates: Path = TEMPLATES, kinds: Sequence[str] = ()
) -> Iterator[InventedDocument]:
    """Yields documents. Each depends on the seed and its number alone."""
    chosen = {kind: KINDS[kind] for kind in kinds or KINDS}
    files = {kind: read_templates(templates / f"{kind}.txt") for kind in chosen}
    names, weights = list(chosen), [weight for weight, _ in chosen.values()]
    for number in range(count):
        random = Random(f"{seed} {number}")
        kind = random.choices(names, weights)[0]
        joined = random.randint(1, chosen[kind][1])
        parts = random.sample(files[kind], min(joined, len(files[kind])))
        cast = Cast(random, clinical=kind == "clinic")
        document = fill_template("\n\n".join(parts), cast, f"{kind}-{seed}-{number}", kind)
        yield distort_some(document, random)


def mix_notes(notes: Sequence[str], seed: int) -> Iterator[InventedDocument]:
    """Yields each note as it is, and twice with an identity."""
    for number, note in enumerate(notes):
        yield InventedDocument(f"note-{seed}-{number}", "notes", note)
        for copy in range(2):
            random = Random(f"{seed} note {number} {copy}")
            document = insert_identity(note, random, f"note-{seed}-{number}-{copy}")
            yield distort_some(document, random) if random.random() < 0.3 else document


def read_notes(path: Path) -> list[str]:
    """Reads the texts of a JSONL file."""
    opener: Any = {".xz": lzma.open, ".gz": gzip.open}.get(path.suffix, open)
    with opener(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line)["text"] for line in stream]


def describe_document(document: InventedDocument) -> dict[str, Any]:
    """Returns a document in TAB format."""
    layers = {
        f"annotator{at + 1}": {
            "entity_mentions": [
                _describe_span(span, number, document.text, least)
                for number, span in enumerate(document.spans)
            ]
        }
        for at, least in enumerate((0.25, 0.75))
    }
    return {
        "doc_id": document.id,
        "text": document.text,
        "task": f"Task: Annotate the document to anonymise the following person: {document.name}",
        "meta": {"kind": document.kind},
        "annotations": layers,
    }


def _describe_span(span: InventedSpan, number: int, text: str, least: float) -> dict[str, Any]:
    role = "NO_MASK" if span.mask < least else "DIRECT" if span.direct else "QUASI"
    words = text[span.start : span.end]
    return {
        "entity_type": span.type,
        "entity_mention_id": f"m{number}",
        "start_offset": span.start,
        "end_offset": span.end,
        "span_text": words,
        "entity_id": f"{span.type} {words.casefold()}",
        "identifier_type": role,
        "edit_type": "correct",
        "confidential_status": "NOT_CONFIDENTIAL",
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--notes", type=Path)
    args = parser.parse_args()
    documents = list(invent_documents(args.count, args.seed))
    if args.notes:
        notes = read_notes(args.notes)
        documents += mix_notes(notes[: int(KEPT_NOTES * len(notes))], args.seed)
    rows = [describe_document(document) for document in documents]
    data = json.dumps(rows, ensure_ascii=False).encode()
    fresh = args.out.with_name(f"{args.out.name}.part")
    fresh.write_bytes(gzip.compress(data, 6, mtime=0) if args.out.suffix == ".gz" else data)
    fresh.replace(args.out)
    print(f"{len(rows)} documents written to {args.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
