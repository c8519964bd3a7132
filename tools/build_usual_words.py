"""Lists the words that a kind of document uses whoever it is about: "applicant", "adjourned", "denies".

    python tools/build_usual_words.py DATA [--out src/maskwise/bundle/gazetteers/usual_words.txt]

A word in small letters is usual where at least 1 % of the judgments of `echr/facts.jsonl.xz`, or 2 % of the notes of
`ner/clinical_transcriptions.jsonl.xz`, have it. Judgments of the Text Anonymization Benchmark are left out, because
`benchmarks/crowd_domains.py` is run on them. Plain words (`maskwise.text.plain_words`) are left out: they are known.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from maskwise.text.plain_words import is_plain, split_clitic
from maskwise.text.tokens import WORD

SHARES = {"echr/facts.jsonl.xz": 0.01, "ner/clinical_transcriptions.jsonl.xz": 0.02}


def list_usual(texts: Iterator[str], share: float) -> set[str]:
    """The words in small letters that at least this share of the texts has."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        total += 1
        small = {word for word in WORD.findall(text) if word.isalpha() and word[0].islower()}
        counts.update({split_clitic(word)[0] for word in small})
    return {word for word, count in counts.items() if count >= share * total}


def read_texts(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if not row.get("tab_split"):
                yield row["text"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    default = Path("src/maskwise/bundle/gazetteers/usual_words.txt")
    parser.add_argument("--out", type=Path, default=default)
    args = parser.parse_args()
    found: set[str] = set()
    for name, share in SHARES.items():
        found |= list_usual(read_texts(args.data / name), share)
    kept = sorted(word for word in found if not is_plain(word))
    args.out.write_text("".join(f"{word}\n" for word in kept), "utf-8")
    print(f"{args.out}: {len(kept)} words")


if __name__ == "__main__":
    main()
