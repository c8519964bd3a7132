"""What hiding in a crowd costs as the crowd grows: real profiles, and recombined ones beyond their number."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from maskwise.crowd.biencoder import HALF, BiEncoder
from maskwise.crowd.dense import DenseRanker
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.neighbours import ExactNeighbours
from maskwise.crowd.population import Population, Profile
from maskwise.crowd.ranker import Ranker
from maskwise.crowd.search import list_word_units
from maskwise.crowd.words import Words
from trial import format_times, search_greedily, time_work


def measure_growth(
    path: Path, size: int, docs: int, model: Path | None, cache: Path | None
) -> None:
    """Cost of a search among `size` profiles: real ones, and recombined ones beyond their number."""
    people = Population.load(path)
    turns = [np.random.default_rng(seed).permutation(len(people)) for seed in range(8)]

    def invent_profile(at: int) -> Profile:
        """Each attribute from another person."""
        keys = [key for key, _ in people[at % len(people)].attributes]
        donors = (
            people[turns[(at // len(people) + n) % 8][at % len(people)]] for n in range(len(keys))
        )
        return Profile.of(
            f"s{at}", {key: donor.get(key) for key, donor in zip(keys, donors, strict=True)}
        )

    with_text = [at for at, profile in enumerate(people) if profile.text]
    chosen = with_text[:: max(len(with_text) // docs, 1)][:docs]
    order = [*chosen, *sorted(set(range(len(people))) - set(chosen))][:size]
    real = (people[at] for at in order)
    before, begun = _read_peak(), time.perf_counter()
    attackers: list[Ranker] = [
        lexical := Lexical.fit(chain(real, (invent_profile(at) for at in range(size - len(order)))))
    ]
    held = sum(a.nbytes for a in (lexical.starts, lexical.profiles, lexical.weights)) / 2**20
    for folder in (None, *filter(None, [model])):
        if folder:
            dense = ExactNeighbours(read_embeddings(folder, people, cache, order, size))
            attackers.append(DenseRanker(BiEncoder.load(folder), dense))
            held += dense.nbytes / 2**20
        built, times = time.perf_counter() - begun, []
        for target, at in enumerate(chosen):
            words = Words(people[at].text)
            times.append(
                time_work(search_greedily, attackers, words, target, 8, list_word_units(words))[1:]
            )
        print(
            f"{'+'.join(one.name for one in attackers)}, words, K = 8, {size:,} profiles: "
            f"{format_times(*zip(*times, strict=True))}; fitted in {built:.0f} s; postings and embeddings "
            f"{held:,.0f} MiB, at most {_read_peak() - before:,.0f} MiB more than the population",
            flush=True,
        )


def read_embeddings(
    model: Path, people: Population, cache: Path | None, order: Sequence[int], size: int
) -> np.ndarray:
    """Those of real people, and beyond their number the direction between two of them."""
    real = BiEncoder.load(model).fit(people, cache=cache).neighbours.take(np.array(order))
    found = np.empty((size, real.shape[1]), dtype=np.float16 if size >= HALF else np.float32)
    found[: len(real)] = real
    draw = np.random.default_rng(0)
    for start in range(len(real), size, len(real)):
        mixed = real[draw.permutation(len(real))] + real[draw.permutation(len(real))]
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        found[start : start + len(real)] = mixed[: size - start]
    return found


def _read_peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def list_rows(
    path: Path, sizes: Sequence[int], docs: int, model: Path | None, cache: Path | None
) -> list[list[Any]]:
    rows = []
    for size in sizes:
        command = [
            sys.executable,
            str(Path(__file__).with_name("kanonymity.py")),
            "--population",
            str(path),
            "--growth",
            str(size),
            "--docs",
            str(docs),
        ]
        command += ["--model", str(model)] if model else []
        command += ["--cache", str(cache)] if cache else []
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        print(told, flush=True)
        rows += [
            [f"cost with {size:,} profiles", "", line, None, None, None, None]
            for line in told.splitlines()
        ]
    return rows
