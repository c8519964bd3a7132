"""Lists the words of everyday talk that say nothing about a person: "keys", "hey", "spare".

    python tools/build_everyday_words.py DATA PROBABILITIES [--out src/maskwise/bundle/words/everyday_words.txt]

PROBABILITIES is `en_lexeme_prob.json.gz` of the package spacy-lookups-data (MIT): how often everyday English uses a
word. A frequent word tells something all the same if it comes back: a biography that begins with "guitar" goes on with
it, one that begins with "door" does not (`wiki/biographies.jsonl.xz`, people of the training fold). So do trades,
illnesses, beliefs and the like, which other lists of the package hold, and the words of TELLING. Plain words
(`maskwise.text.plain_words`) and those of `usual_words.txt` are left out: they are known.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from maskwise.crowd.folds import Fold, assign_folds
from maskwise.text.plain_words import is_plain

GAZETTEERS = Path("src/maskwise/bundle/gazetteers")
WORDS = Path("src/maskwise/bundle/words")
EVERYDAY = -11.3  # the logarithm of the probability of a word that everybody uses: "spare"
LEAD, REST = 1200, 4000  # characters of a biography that begin it, and that go on
FEWEST = 8  # biographies that begin with a word, from which on it can be said to come back
AGAIN, LIFT = (
    0.12,
    5,
)  # a word that comes back: in which share of them, and how many times as often as elsewhere
LISTS = (
    "accusations awards attributes degrees demonyms diseases drugs ethnic_groups ideologies instruments languages "
    "medical_terms occupations offences orientation parties procedural_roles ranks religions sports symptoms trades"
).split()
TELLING = frozenset(
    (
        "anime armor babies beard beer bible bikes birthday bitcoin boyfriend campus capitalism champions cop cops "
        "dealer depressed drinks farming gamers graduate hobby hunt jungle marijuana ocean pet porn pregnant product "
        "racism racist rich roommate semester sexist skinny smoked tall taught teach trans vacation wedding weed "
        "workout"
    ).split()
)
_SMALL = re.compile(r"(?<![\w'’-])[a-zß-öø-ÿ]{3,}(?!\w)")


def list_everyday(probabilities: Path, recurring: set[str]) -> set[str]:
    """The words that everybody uses, but for those that say something about a person."""
    with gzip.open(probabilities, "rt", encoding="utf-8") as file:
        known: dict[str, float] = json.load(file)
    telling = recurring | TELLING | set(list_named())
    return {
        word
        for word, value in known.items()
        if value > EVERYDAY and _SMALL.fullmatch(word) and word not in telling
    }


def list_recurring(texts: Iterable[str]) -> set[str]:
    """The words that come back where a text about a person goes on, far more often than elsewhere."""
    total = 0
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for text in texts:
        cut = text.find(" ", LEAD)
        if len(text) < 2 * LEAD or cut < 0:
            continue
        total += 1
        lead = set(_SMALL.findall(text, 0, cut))
        rest = set(_SMALL.findall(text, cut, cut + REST))
        before.update(lead)
        after.update(rest)
        both.update(lead & rest)
    return {
        word
        for word, count in before.items()
        if count >= FEWEST
        and both[word] >= AGAIN * count
        and both[word] * total >= LIFT * count * after[word]
    }


def list_named() -> Iterator[str]:
    """Single words of the lists of what tells something about a person, with their plurals."""
    for name in LISTS:
        for line in (GAZETTEERS / f"{name}.txt").read_text("utf-8").splitlines():
            entry = line.split("\t")[0].strip().lower()
            if " " not in entry:
                yield from (entry, f"{entry}s")


def read_biographies(path: Path) -> Iterator[str]:
    """Biographies that nobody is judged on."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    folds = assign_folds([row["id"] for row in rows])
    return (rows[at]["text"] for at in np.flatnonzero(folds == Fold.TRAIN))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("probabilities", type=Path)
    parser.add_argument("--out", type=Path, default=WORDS / "everyday_words.txt")
    args = parser.parse_args()
    recurring = list_recurring(read_biographies(args.data / "wiki" / "biographies.jsonl.xz"))
    found = list_everyday(args.probabilities, recurring)
    known = set((GAZETTEERS / "usual_words.txt").read_text("utf-8").split())
    kept = sorted(word for word in found - known if not is_plain(word))
    args.out.write_text("".join(f"{word}\n" for word in kept), "utf-8")
    print(f"{args.out}: {len(kept)} words")


if __name__ == "__main__":
    main()
