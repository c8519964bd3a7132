"""Count how many people share a demographic attribute, so that rare ones are known.

    python tools/build_attributes.py biographies.jsonl.xz [--sample 3000] [--seed 7] [--out FILE]

The file has a `text` a line, one person each. What default detection calls an attribute in a sample of the texts is
looked up in all of them, as a searcher would: a person counts if the words stand anywhere in the text. Written are the
attributes of at least one person in a thousand, with their number; no text and no person. Same input and model, same
bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

import numpy as np

from maskwise.io import write_file
from maskwise.policy import Policy
from maskwise.risk.rarity import FILE, ONE_IN, split_words
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, EntityType

OUT = Path(__file__).parent.parent / "src" / "maskwise" / "bundle" / FILE
LONGEST = 4  # words


def read(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def find_attributes(texts: Sequence[str]) -> set[tuple[str, ...]]:
    """The words of all attributes in texts, whatever would be masked of them."""
    walk = Sanitizer(Policy.load("balanced").model_copy(update={"indicators": []}))
    found: set[tuple[str, ...]] = set()
    for at, result in enumerate(walk.run(map(Document, texts)), 1):
        entities = (e for e in result.entities if e.type is EntityType.DEM)
        found.update(split_words(mention.text) for e in entities for mention in e.mentions)
        print(f"\r{at}/{len(texts)} texts read", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {words for words in found if 0 < len(words) <= LONGEST}


def count(texts: Sequence[str], wanted: Set[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """In how many texts each attribute stands."""
    found: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        words = split_words(text)
        runs = {
            words[at : at + n] for n in range(1, LONGEST + 1) for at in range(len(words) - n + 1)
        }
        found.update(runs & wanted)
    return found


def write_lines(found: Counter[tuple[str, ...]], people: int, source: str) -> Iterator[str]:
    yield f"# attributes of at least 1 in {ONE_IN} of {people} people, by their biographies (SHA-256 {source})"
    shared = (
        (" ".join(words), number) for words, number in found.items() if number * ONE_IN >= people
    )
    yield from (
        f"{name}\t{number}" for name, number in sorted(shared, key=lambda pair: (-pair[1], pair[0]))
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", type=Path)
    parser.add_argument("--sample", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    texts = read(args.texts)
    drawn = np.random.default_rng(args.seed).permutation(len(texts))[: args.sample]
    found = count(texts, find_attributes([texts[at] for at in drawn]))
    source = hashlib.sha256(args.texts.read_bytes()).hexdigest()[:16]
    table = list(write_lines(found, len(texts), source))
    write_file(args.out, ("\n".join(table) + "\n").encode())
    print(f"{args.out}: {len(table) - 1} attributes; now python -m maskwise.bundle.manifest")


if __name__ == "__main__":
    main()
