"""Tools for whoever checks a corpus: near-duplicates, samples with a stated confidence, and merged reports."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from maskwise.errors import InputError, PluginError
from maskwise.text.folding import fold_words

SHINGLE = 5  # words
PERMUTATIONS = 128
OVERLOOKED = 0.002
FINGERPRINTS = ("policy", "model", "code", "device")


def group_duplicates(texts: Iterable[tuple[str, str]], threshold: float = 0.8) -> list[list[str]]:
    """Ids of texts that are nearly the same, in groups of two or more, so that a person looks at one of each.

    Two texts are nearly the same if the share of the runs of five words that they have in common is over the
    threshold, as MinHash estimates it (Broder 1997). `texts` are pairs of an id and a text; each is read once.
    """
    try:
        from datasketch import MinHash, MinHashLSH
    except ImportError:
        raise PluginError(
            "duplicates need the extra `batch`: pip install 'maskwise[batch]'"
        ) from None
    bands = choose_bands(threshold)
    index = MinHashLSH(num_perm=PERMUTATIONS, params=bands)
    hashes: dict[str, Any] = {}
    leader: dict[str, str] = {}
    for id, text in texts:
        if id in hashes:
            raise InputError(f"two texts have the id {id!r}; give each its own")
        sketch = MinHash(num_perm=PERMUTATIONS, seed=1)
        sketch.update_batch([shingle.encode() for shingle in list_shingles(text)])
        near = [one for one in index.query(sketch) if hashes[one].jaccard(sketch) >= threshold]
        leader[id] = id
        for other in near:
            leader[_lead(leader, other)] = _lead(leader, id)
        hashes[id] = sketch
        index.insert(id, sketch)
    groups: dict[str, list[str]] = {}
    for id in hashes:
        groups.setdefault(_lead(leader, id), []).append(id)
    return [group for group in groups.values() if len(group) > 1]


def choose_bands(threshold: float) -> tuple[int, int]:
    """Bands of hashes, and hashes of a band: of pairs at the threshold fewer than `OVERLOOKED` agree in no band.

    >>> choose_bands(0.8)
    (21, 6)
    """
    if not 0 < threshold <= 1:
        raise InputError("the threshold lies over 0 and is at most 1")
    for size in range(PERMUTATIONS, 1, -1):
        if (1 - threshold**size) ** (PERMUTATIONS // size) < OVERLOOKED:
            return PERMUTATIONS // size, size
    return PERMUTATIONS, 1


def list_shingles(text: str) -> list[str]:
    """
    >>> list_shingles("Please send us the new bill.")
    ['please send us the new', 'send us the new bill']
    """
    words = fold_words(text)
    last = max(len(words) - SHINGLE, 0)
    return [" ".join(words[at : at + SHINGLE]) for at in range(last + 1)]


def _lead(leader: dict[str, str], id: str) -> str:
    while leader[id] != id:
        leader[id] = leader[leader[id]]
        id = leader[id]
    return id


def bound_share(looked_at: int, missed: int, confidence: float = 0.95) -> float:
    """The share of documents with a miss that a random sample leaves possible, with this confidence.

    The upper bound of Clopper and Pearson (1934): the largest share under which so few misses are not too unlikely.

    >>> round(bound_share(748, 0), 4)
    0.004
    >>> round(bound_share(100, 2), 3)
    0.062
    """
    if not 0 <= missed <= looked_at or looked_at < 1 or not 0 < confidence < 1:
        raise InputError("a sample has one document or more, and no more misses than documents")
    if missed == looked_at:
        return 1.0
    low, high = missed / looked_at, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _cumulate_binomial(looked_at, missed, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def choose_sample_size(share: float, confidence: float = 0.95) -> int:
    """How many documents to look at so that none with a miss shows that fewer than `share` have one.

    >>> choose_sample_size(0.004)
    748
    """
    if not 0 < share < 1 or not 0 < confidence < 1:
        raise InputError("the share and the confidence lie between 0 and 1")
    return math.ceil(math.log(1 - confidence) / math.log1p(-share))


def describe_bound(looked_at: int, missed: int, confidence: float = 0.95) -> str:
    """
    >>> describe_bound(748, 0)
    'with 95 % confidence fewer than 0.40 % of documents hold a missed direct identifier'
    """
    share = bound_share(looked_at, missed, confidence)
    percent = math.ceil(share * 1e4 - 1e-9) / 100  # rounded up, or the claim would be too strong
    return (
        f"with {100 * confidence:g} % confidence fewer than {percent:.2f} % of documents "
        "hold a missed direct identifier"
    )


def _cumulate_binomial(trials: int, most: int, share: float) -> float:
    """The probability of at most so many hits."""
    logs = []
    for hits in range(most + 1):
        ways = math.lgamma(trials + 1) - math.lgamma(hits + 1) - math.lgamma(trials - hits + 1)
        rest = (trials - hits) * math.log1p(-share) if share < 1 else -math.inf
        logs.append(ways + (hits * math.log(share) if hits else 0.0) + rest)
    return math.fsum(map(math.exp, logs))


def merge_reports(reports: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One report of several runs. Runs with different policies, models, code or devices are refused: they count other
    things."""
    if not reports:
        raise InputError("no reports to merge")
    first = reports[0]
    for key in FINGERPRINTS:
        if len({report[key] for report in reports}) > 1:
            raise InputError(f"these runs differ in their {key}; merge those of one {key}")
    merged: dict[str, Any] = {key: first[key] for key in FINGERPRINTS}
    for key in ("documents", "tasks", "entities"):
        names = sorted({name for report in reports for name in report[key]})
        merged[key] = {name: sum(report[key].get(name, 0) for report in reports) for name in names}
    for key in ("characters", "output_bytes", "seconds", "worker_seconds"):
        merged[key] = sum(report[key] for report in reports)
    merged["errors"] = [one for report in reports for one in report["errors"]]
    merged["sample"] = _merge_samples(reports)
    reasons = sorted({why for report in reports for why in report["left_out"]})
    merged["left_out"] = {
        why: [name for report in reports for name in report["left_out"].get(why, ())]
        for why in reasons
    }
    return merged


def draw_lot(document: Mapping[str, Any]) -> bytes:
    """The number of a document in the lottery of samples: those with the lowest are looked at."""
    return hashlib.sha256(f"{document['output']}\n{document['row']}".encode()).digest()


def _merge_samples(reports: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The documents with the lowest lots of all runs, as many as each run could have given.

    Samples put together would hold too many documents of small runs, and say nothing of all.
    """
    sizes = [len(r["sample"]) for r in reports if len(r["sample"]) < r["documents"]["masked"]]
    drawn = sorted((one for report in reports for one in report["sample"]), key=draw_lot)
    return drawn[: min(sizes, default=len(drawn))]
