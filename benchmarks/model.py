"""Quality of the default pipeline and its model: masks against annotators, detection, invented domains.

    python benchmarks/model.py --data $MASKWISE_DATA [--model small] [--json docs/figures/model.json]
                               [--twin FOLDER] [--crossed FOLDER FOLDER]

Masks are made as `maskwise corpus` makes them, without the name in a document's task (`--ignore-task`) and with it,
at the three points of the recall knob, and scored as `maskwise evaluate` scores them: TAB metrics, micro-averaged over
annotators, with 95 % bootstrap intervals over documents (1,000 resamples, seed 0). Detection is token precision,
recall and F1 of what the pipeline found, masked or not, against all marked spans, and F1 where the type must agree.
A corpus that is not there is `unavailable`.

A corpus that the model learnt from (`trained_on` in its `config.json`) says nothing about it, and is left out. What can
be measured on such a corpus are models of the same recipe: --twin, which learnt without the corpus; and --crossed, two
which learnt with one half of it each (see `halves`), each read by the one that never saw it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import figures
from maskwise.evaluate.tab import evaluate_masks
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import tab
from maskwise.text.tab import AnnotatedDocument

CORPORA = {"TAB dev": "tab/dev.json.gz", "biographies dev": "wiki/annotated_dev.json.gz"}
DOMAINS = Path(__file__).parent.parent / "tests" / "data" / "domains"
SHOWN = ("precision", "recall", "f1", "entity_recall_direct", "entity_recall_quasi")
WORD = re.compile(r"\w+")


Readers = Sequence[tuple[str, Sequence[int]]]  # models, and the documents that each is to read


def run(
    corpus: Sequence[AnnotatedDocument], policy: Policy, with_name: bool, readers: Readers
) -> list[Result]:
    documents = [
        item.document if with_name else replace(item.document, protected=()) for item in corpus
    ]
    results: dict[int, Result] = {}
    for model, chosen in readers:
        sanitizer = Sanitizer(policy.model_copy(update={"model": model}))
        results |= zip(chosen, sanitizer.run([documents[at] for at in chosen]), strict=True)
    return [results[at] for at in range(len(corpus))]


def split_in_halves(count: int) -> tuple[list[int], list[int]]:
    """Numbers of the documents of the two halves of a corpus, drawn with seed 3."""
    order = np.random.default_rng(3).permutation(count)
    return sorted(order[::2].tolist()), sorted(order[1::2].tolist())


def list_readers(args: Any, name: str, source: Path, count: int) -> Iterator[tuple[str, Readers]]:
    """Rows of a corpus: who reads it."""
    if figures.is_trained_on(args.model, source):
        print(f"{name}: the model learnt from it, so nothing is measured of the model itself")
    else:
        yield name, [(args.model, range(count))]
    if source.name != Path(CORPORA["TAB dev"]).name:
        return
    if args.twin:
        yield f"{name}, twin that never saw it", [(args.twin, range(count))]
    if args.crossed:
        yield (
            f"{name}, two models, each on the half it never saw",
            list(zip(args.crossed, split_in_halves(count), strict=True)),
        )


def compute_scores(
    corpus: Sequence[AnnotatedDocument], results: Sequence[Result]
) -> dict[str, dict[str, float]]:
    masks = {r.document.id: [(start, end) for start, end, _ in r.masks] for r in results}
    found = evaluate_masks(corpus, masks)
    return {name: {"value": s.value, "low": s.low, "high": s.high} for name, s in found.items()}


def score_detection(
    corpus: Sequence[AnnotatedDocument], results: Sequence[Result]
) -> dict[str, float]:
    found = wanted = both = agreed = 0
    for item, result in zip(corpus, results, strict=True):
        text = item.document.text
        ours = {
            w.start(): m.type
            for e in result.entities
            for m in e.mentions
            for w in WORD.finditer(text, *m.span)
        }
        for layer in item.layers:
            gold = {
                w.start(): a.mention.type
                for a in layer.annotations
                for w in WORD.finditer(text, *a.mention.span)
            }
            found += len(ours)
            wanted += len(gold)
            both += len(ours.keys() & gold.keys())
            agreed += sum(ours.get(at) == kind for at, kind in gold.items())
    return {
        "precision": both / found,
        "recall": both / wanted,
        "f1": 2 * both / (found + wanted),
        "f1_with_label": 2 * agreed / (found + wanted),
    }


def list_points(
    corpus: Sequence[AnnotatedDocument], base: Policy, names: Sequence[str], readers: Readers
) -> dict[str, Any]:
    """Scores at each point of the recall knob, with and without the name; detection at the balanced one."""
    entry: dict[str, Any] = {"documents": len(corpus)}
    for point in names:
        policy = base.model_copy(update={"recall": point})
        for with_name in (False, True):
            start = time.perf_counter()
            results = run(corpus, policy, with_name, readers)
            seconds = time.perf_counter() - start
            label = f"{point}, {'with' if with_name else 'without'} the name"
            table = compute_scores(corpus, results)
            show(f"  {label}", table)
            entry[label] = table | {"seconds": {"value": seconds}}
            if point == "balanced" and not with_name:
                entry["detection"] = score_detection(corpus, results)
                print("    detection:", {k: round(v, 3) for k, v in entry["detection"].items()})
    return entry


def show(label: str, table: dict[str, dict[str, float]]) -> None:
    cells = "  ".join(
        f"{table[n]['value']:.3f} [{table[n]['low']:.3f}, {table[n]['high']:.3f}]" for n in SHOWN
    )
    print(f"{label:44}{cells}", flush=True)


def build_table(found: dict[str, Any], files: Sequence[Path]) -> dict[str, Any]:
    """The figures in the shape that `tools/write_docs.py` turns into a page."""
    rows: list[list[Any]] = []
    note = []
    for corpus, entry in found.items():
        if not isinstance(entry, dict):
            continue
        for label, table in entry.items():
            if isinstance(table, dict) and "f1" in table and isinstance(table["f1"], dict):
                rows.append([corpus, label, *(table[name] for name in SHOWN)])
        if "documents" in entry:
            note.append(f"{corpus}: {entry['documents']} documents.")
        if "detection" in entry:
            told = ", ".join(
                f"{name.replace('_', ' ')} {value:.3f}"
                for name, value in entry["detection"].items()
            )
            note.append(f"Detection on {corpus}, balanced: {told}.")
    return figures.build_figure(
        f"Default pipeline, model {Path(found['model']).name}, policy {found['policy']}",
        found["command"],
        ["corpus", "point", *(name.replace("_", " ") for name in SHOWN)],
        rows,
        files=files,
        seeds=[0],
        note=" ".join([*note, "Intervals: 95 %, bootstrap over documents, 1,000 resamples."]),
    )


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--model", default="small", help="a model's name or folder")
    parser.add_argument(
        "--twin", help="folder of a model of the same recipe that never saw TAB dev"
    )
    parser.add_argument(
        "--crossed",
        nargs=2,
        metavar="FOLDER",
        help="models that never saw its first, its second half",
    )
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--points", nargs="+", default=["precision", "balanced", "recall"])
    args = parser.parse_args()
    base = Policy.load(args.policy)
    folders = {"--twin": "TWIN"} if args.twin else {}
    folders |= {"--crossed": "WITHOUT_FIRST_HALF WITHOUT_SECOND_HALF"} if args.crossed else {}
    folders = ({"--model": "FOLDER"} if Path(args.model).is_dir() else {}) | folders
    told = "".join(f" {option} {value}" for option, value in folders.items())
    target = f" --json docs/figures/{args.json.name}" if args.json else ""
    found: dict[str, Any] = {
        "model": args.model,
        "policy": args.policy,
        "command": f"python benchmarks/model.py --data $MASKWISE_DATA{told}{target}",
    }
    files = []
    print(f"model {args.model}, policy {args.policy}")
    print(
        f"{'':44}{'precision':24}{'recall':24}{'F1':24}{'entity recall, direct':24}entity recall, quasi"
    )
    for corpus_name, path in CORPORA.items():
        source = figures.find_source(args.data, path)
        if source is None:
            print(f"{corpus_name}: unavailable")
            continue
        files.append(source)
        corpus = tab.load_corpus(source)
        print(f"{corpus_name}, {len(corpus)} documents, sha256 {figures.hash_file(source)}")
        for name, readers in list_readers(args, corpus_name, source, len(corpus)):
            found[name] = list_points(corpus, base, args.points, readers)
    domains: dict[str, object] = {}
    for source in sorted(DOMAINS.glob("*.json")):
        corpus = tab.load_corpus(source)
        table = compute_scores(corpus, run(corpus, base, False, [(args.model, range(len(corpus)))]))
        show(f"invented {source.stem}, balanced, without the name", table)
        domains[source.stem] = table
    corpus = [item for source in sorted(DOMAINS.glob("*.json")) for item in tab.load_corpus(source)]
    for with_name in (False, True):
        table = compute_scores(
            corpus, run(corpus, base, with_name, [(args.model, range(len(corpus)))])
        )
        show(f"invented, all, {'with' if with_name else 'without'} the name", table)
        domains[f"all, {'with' if with_name else 'without'} the name"] = table
    found["domains"] = domains
    figures.save_figure(args.json, build_table(found, files))


if __name__ == "__main__":
    main()
