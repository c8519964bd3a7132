"""Other people's texts: what `balanced` masks in seven kinds of text, and what Presidio with organisations masks there.

    make bench-peers                       # once, for Presidio
    python benchmarks/domains.py --data $MASKWISE_DATA [--model small] [--count 60] [--json docs/figures/domains.json]

The texts are invented (`benchmarks/domains`, templates that no model learnt from, filled with seed 9), with the last
40 % of the tweets and of the Wikipedia articles in `ner/`, and the last quarter of the clinical notes as carriers;
without `--data` these are left out. Recall is the share of the entities that an annotator would mask which are masked
whole; precision is the share of the masked characters that lie in a span that an annotator might mask. Both by
document, with 95 % intervals by bootstrap. A type is right if the mention found there has it. A clinical text without
identifiers is touched if anything in it is masked. In clinical texts a word for a relative without a name may be
masked.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import figures
import peers
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from documents.identities import Cast
from documents.render import InventedDocument, InventedSpan, fill_template, read_templates

TEMPLATES = Path(__file__).parent / "domains"
KINDS = ("templates", "posts", "clinical", "tweets", "web", "mail", "records")
FREE = "questions"  # clinical texts without identifiers
MASKED, DOUBTFUL = 0.5, 0.25  # shares of annotators: what must be masked, what may be
TYPES = ("PERSON", "LOC", "ORG", "CODE", "DEM")
LEARNT = 0.6  # of tweets and articles, in their order
CARRIERS = 0.75  # of the clinical notes
SEED = 9

_UNMARKED = re.compile(
    r"@\w+|https?://\S+|\d[\d/:.,-]*|(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber"
)

Spans = Sequence[tuple[int, int]]


def build_sets(data: Path | None, count: int) -> dict[str, list[InventedDocument]]:
    """Returns the documents of each kind."""
    found: dict[str, list[InventedDocument]] = {}
    for kind in (*KINDS, FREE):
        path = TEMPLATES / f"{kind}.txt"
        found[kind] = list(_fill(path, kind, count)) if path.exists() else []
    found["tweets"] += _read_entities(data, "ner/twitter_btc.jsonl.xz", 3 * count)
    found["web"] += _read_entities(data, "ner/wikipedia_wikigold.jsonl.xz", count)
    notes = _read_rows(data, "ner/clinical_transcriptions.jsonl.xz")
    for at, note in enumerate(notes[int(CARRIERS * len(notes)) :][:count]):
        text = note["text"]
        found[FREE].append(InventedDocument(f"note {at}", FREE, text[:400]))
        if at < len(found["clinical"]):
            found["clinical"][at].text += "\n\n" + text[:600]
    return found


def _fill(path: Path, kind: str, count: int) -> Iterator[InventedDocument]:
    templates = read_templates(path)
    for number in range(count):
        cast = Cast(Random(f"{SEED} {kind} {number}"), clinical=kind in ("clinical", FREE))
        found = fill_template(templates[number % len(templates)], cast, f"{kind} {number}", kind)
        if kind == "clinical":
            found.spans = list(map(_doubt_relative, found.spans))
        yield found


def _doubt_relative(span: InventedSpan) -> InventedSpan:
    """Leaves open whether "brother" without a name is masked in a clinical text: it is none of HIPAA's identifiers."""
    return replace(span, mask=DOUBTFUL) if span.type == "DEM" else span


def _read_rows(data: Path | None, path: str) -> list[dict[str, Any]]:
    source = figures.find_source(data, path)
    if source is None:
        return []
    with lzma.open(source, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def _read_entities(data: Path | None, path: str, most: int) -> list[InventedDocument]:
    """Returns held-out texts in which each person, place and organisation counts as one to mask.

    What is called MISC there (peoples, events, titles of works) may be masked, as in TAB.
    """
    rows = _read_rows(data, path)
    rows = [row for row in rows[int(LEARNT * len(rows)) :] if row["spans"]][:most]
    found = []
    for row in rows:
        spans = [
            InventedSpan(*span, DOUBTFUL if span[2] == "MISC" else 1.0) for span in row["spans"]
        ]
        # Handles, addresses and dates are not annotated there; a mask on them is no mistake.
        spans += [
            InventedSpan(*m.span(), "CODE", DOUBTFUL) for m in _UNMARKED.finditer(row["text"])
        ]
        found.append(InventedDocument(row["id"], path, row["text"], spans))
    return found


def count_document(document: InventedDocument, masks: Spans) -> tuple[int, int, int, int]:
    """Returns entities masked whole, entities to mask, masked characters that may be, masked characters."""
    hidden = np.zeros(len(document.text), dtype=bool)
    for start, end in masks:
        hidden[start:end] = True
    allowed = np.zeros(len(document.text), dtype=bool)
    whole = wanted = 0
    for span in document.spans:
        if span.mask >= DOUBTFUL:
            allowed[span.start : span.end] = True
        if span.mask >= MASKED:
            wanted += 1
            part = document.text[span.start : span.end]
            signs = np.array([sign.isalnum() for sign in part])
            whole += bool(hidden[span.start : span.end][signs].all())
    letters = np.array([sign.isalnum() for sign in document.text], dtype=bool)
    return whole, wanted, int((hidden & allowed & letters).sum()), int((hidden & letters).sum())


def measure_masks(documents: Sequence[InventedDocument], masks: Sequence[Spans]) -> dict[str, Any]:
    """Returns recall and precision with intervals."""
    counts = np.array([count_document(*pair) for pair in zip(documents, masks, strict=True)])
    drawn = np.random.default_rng(0).integers(0, len(counts), (1000, len(counts)))
    totals = counts[drawn].sum(1)
    found = {}
    for name, part, whole in (("recall", 0, 1), ("precision", 2, 3)):
        value = counts[:, part].sum() / max(counts[:, whole].sum(), 1)
        spread = totals[:, part] / np.maximum(totals[:, whole], 1)
        low, high = np.quantile(spread, [0.025, 0.975])
        found[name] = {"value": float(value), "low": float(low), "high": float(high)}
    return found


def count_types(documents: Sequence[InventedDocument], results: Sequence[Result]) -> np.ndarray:
    """Returns for each type of `TYPES`: spans found with it, spans found, spans masked, spans."""
    counts = np.zeros((len(TYPES), 4), dtype=int)
    for document, result in zip(documents, results, strict=True):
        mentions = [m for entity in result.entities for m in entity.mentions]
        masks = [(start, end) for start, end, _ in result.masks]
        for span in document.spans:
            if span.mask < MASKED or span.type not in TYPES:
                continue
            row = counts[TYPES.index(span.type)]
            over = [m for m in mentions if m.start < span.end and span.start < m.end]
            row[3] += 1
            row[2] += any(start < span.end and span.start < end for start, end in masks)
            if over:
                longest = max(over, key=lambda m: min(m.end, span.end) - max(m.start, span.start))
                row[1] += 1
                row[0] += longest.type == span.type
    return counts


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--model", default="small", help="a model's name or folder")
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--count", type=int, default=60, help="invented documents per kind")
    parser.add_argument("--only", nargs="+", default=[*KINDS, FREE], help="kinds to measure")
    parser.add_argument("--show", action="store_true", help="print needless and missing masks")
    args = parser.parse_args()
    policy = Policy.load(args.policy).model_copy(update={"model": args.model})
    sanitizer = Sanitizer(policy)
    sets = {k: v for k, v in build_sets(args.data, args.count).items() if k in args.only and v}
    texts = [document.text for documents in sets.values() for document in documents]
    theirs = peers.run_peer("presidio with organisations", texts)
    rows: list[list[Any]] = []
    types = np.zeros((len(TYPES), 4), dtype=int)
    at = 0
    touched = ""
    for kind, documents in sets.items():
        results = list(sanitizer.run([Document(d.text, id=d.id) for d in documents]))
        masks = [[(start, end) for start, end, _ in result.masks] for result in results]
        if args.show:
            _show(documents, masks)
        if kind == FREE:
            share = sum(map(bool, masks)) / len(masks)
            touched = f"Clinical texts without identifiers touched: {share:.3f} of {len(masks)}."
            print(touched)
        else:
            types += count_types(documents, results)
            measured = {"balanced": measure_masks(documents, masks)}
            if theirs:
                spans = [[tuple(s) for s in one] for one in theirs.spans[at : at + len(documents)]]
                measured["Presidio + ORG"] = measure_masks(documents, spans)
            for name, found in measured.items():
                rows.append([kind, len(documents), name, found["recall"], found["precision"]])
                print(
                    f"{kind:10} {name:16} R {found['recall']['value']:.3f} P {found['precision']['value']:.3f}",
                    flush=True,
                )
        at += len(documents)
    right = ", ".join(
        f"{name} {row[0] / max(row[1], 1):.3f}" for name, row in zip(TYPES, types, strict=True)
    )
    dem = types[TYPES.index("DEM")]
    note = (
        f"Type right where found: {right}. "
        f"Demographic attributes masked: {dem[2] / max(dem[3], 1):.3f} of {dem[3]}. {touched}"
    )
    print(note)
    figures.save_figure(
        args.json,
        figures.build_figure(
            f"Seven kinds of text, model {Path(args.model).name}, policy {args.policy}",
            "python benchmarks/domains.py --data $MASKWISE_DATA --json docs/figures/domains.json",
            ["texts", "documents", "masked by", "recall", "precision"],
            rows,
            files=sorted(TEMPLATES.glob("*.txt")),
            seeds=[SEED, 0],
            note=f"{note} Presidio: {'in the same run' if theirs else 'unavailable'}.",
        ),
    )


def _show(documents: Sequence[InventedDocument], masks: Sequence[Spans]) -> None:
    """Prints what was masked without need and what was left, for development."""
    for document, spans in zip(documents, masks, strict=True):
        wanted = {(s.start, s.end) for s in document.spans if s.mask >= DOUBTFUL}
        extra = [
            document.text[a:b] for a, b in spans if not any(a < d and c < b for c, d in wanted)
        ]
        left = [
            document.text[s.start : s.end]
            for s in document.spans
            if s.mask >= MASKED and not any(a <= s.start and s.end <= b for a, b in spans)
        ]
        print(document.id, "needless:", extra, "left:", left)


if __name__ == "__main__":
    main()
