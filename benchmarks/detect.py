"""Quality of the rule tier alone on a TAB-format corpus: token recall by type, entity recall of direct identifiers.

    python benchmarks/detect.py --data $MASKWISE_DATA [--corpus CORPUS] [--misses TYPE] [--only patterns] [--json FILE]

Token recall of a type: of the word tokens inside mentions that annotators gave that type (whatever their masking
decision), the share covered by a detected mention of any type, and in brackets by one of the same type. Words that
need no mask (articles, prepositions, titles, punctuation) do not count. Detected tokens no annotator marked as any
entity give the precision of detection.
"""

from __future__ import annotations

import collections
import gzip
import json
import re
from pathlib import Path

import figures
from maskwise.detect.gazetteer import GazetteerDetector
from maskwise.detect.merge import merge_mentions
from maskwise.detect.patterns import PatternDetector
from maskwise.link import RuleLinker
from maskwise.text import Document, Person

WORD = re.compile(r"\w+(?:[.,/:'’]\w+)*")
IGNORED = set(
    "the a an of in on at to from by for with and or no nos mr mrs ms miss dr prof sir since until between about "
    "before after during within s t von van de".split()
)


def find_words(text: str, start: int, end: int) -> list[int]:
    """Start offsets of the tokens of `[start, end)` that must be covered."""
    return [
        m.start() for m in WORD.finditer(text, start, end) if m.group().casefold() not in IGNORED
    ]


def build_detectors(only: str) -> list:
    return [d for d in (PatternDetector(), GazetteerDetector()) if not only or d.name == only]


def find_protected(document: dict) -> str:
    return document.get("task", "").rpartition(":")[2].strip()


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--corpus", type=Path, help="by default tab/dev.json.gz of the data folder")
    parser.add_argument("--only", default="", help="one detector")
    parser.add_argument(
        "--misses",
        default="",
        help="print the most frequent missed tokens of this type, in context",
    )
    parser.add_argument(
        "--wrong", default="", help="print the most frequent spurious mentions of this type"
    )
    args = parser.parse_args()
    path = args.corpus or figures.require_source(args.data, "tab/dev.json.gz")
    raw = path.read_bytes()
    corpus = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
    tools = build_detectors(args.only)
    total, any_type, same_type = (collections.Counter() for _ in range(3))
    direct = {"with name": [0, 0], "without": [0, 0]}
    spurious, found_tokens, missed, wrong = 0, 0, collections.Counter(), collections.Counter()
    for entry in corpus:
        text = entry["text"]
        for variant in ("without", "with name"):
            people = (Person(find_protected(entry)),) if variant == "with name" else ()
            document = Document(text, id=entry["doc_id"], protected=people)
            mentions = merge_mentions(
                [m for d in tools for m in d.detect([document])[0].mentions],
                [d.name for d in tools],
            )
            mentions = [m for e in RuleLinker().link(document, mentions) for m in e.mentions]
            cover = {at: m for m in mentions for at in find_words(text, m.start, m.end)}
            for layer in entry["annotations"].values():
                entities = collections.defaultdict(list)
                for gold in layer["entity_mentions"]:
                    if gold["identifier_type"] == "DIRECT":
                        entities[gold["entity_id"]] += find_words(
                            text, gold["start_offset"], gold["end_offset"]
                        )
                direct[variant][0] += sum(all(at in cover for at in e) for e in entities.values())
                direct[variant][1] += len(entities)
            if variant != "without":
                continue
            marked = set()
            for layer in entry["annotations"].values():
                for gold in layer["entity_mentions"]:
                    kind = gold["entity_type"]
                    for at in find_words(text, gold["start_offset"], gold["end_offset"]):
                        marked.add(at)
                        total[kind] += 1
                        any_type[kind] += at in cover
                        same_type[kind] += at in cover and cover[at].type == kind
                        if at not in cover and kind == args.misses:
                            missed[text[max(0, at - 30) : at + 30].replace("\n", " ")] += 1
            for at, m in cover.items():
                found_tokens += 1
                if at not in marked:
                    spurious += 1
                    if m.type == args.wrong:
                        wrong[(m.subtype, m.text)] += 1
    print(f"{path.name} sha256 {figures.hash_file(path)}, {len(corpus)} documents")
    print(f"{'type':10} {'tokens':>7} {'recall':>7} {'same type':>9}")
    for kind in sorted(total):
        print(
            f"{kind:10} {total[kind]:7} {any_type[kind] / total[kind]:7.3f} {same_type[kind] / total[kind]:9.3f}"
        )
    print(
        f"detected tokens marked by an annotator: {1 - spurious / max(1, found_tokens):.3f} of {found_tokens}"
    )
    for variant, (hit, count) in direct.items():
        print(f"direct entity recall, {variant}: {hit / max(1, count):.3f} ({hit}/{count})")
    told = [f"{name} {hit / max(1, count):.3f}" for name, (hit, count) in direct.items()]
    table = figures.build_figure(
        f"Rule tier alone, {path.name.split('.')[0]}: recall by type",
        "python benchmarks/detect.py --data $MASKWISE_DATA --json docs/figures/detect.json",
        ["type", "tokens", "recall", "found with the same type"],
        [[k, total[k], any_type[k] / total[k], same_type[k] / total[k]] for k in sorted(total)],
        files=[path],
        note=f"Detected tokens that an annotator marked: {1 - spurious / max(1, found_tokens):.3f}. Entity recall of "
        f"direct identifiers: {', '.join(told)} of the person.",
    )
    figures.save_figure(args.json, table)
    for sample, count in (missed + wrong).most_common(60):
        print(count, repr(sample))


if __name__ == "__main__":
    main()
