"""Attack-driven masking on a public scenario of actors: who is still found, and how much information is kept.

    python benchmarks/harden.py --data $MASKWISE_DATA [--scenario 50_eval] [--seeds 0,1,2] [--json FILE]

Hardens the clear abstracts with the background known, as `maskwise harden` does with its defaults, with K = 1, and on
top of the masks of the default policy. Beside them stand the version masked by hand and the default policy. Every
version is attacked by the attackers of `maskwise attack`: hardening asks them with the first seed. The others only
judge: BM25 with other settings and over pieces of words, runs of three words, another linear machine, naive Bayes.
TPI is that of `benchmarks/utility.py`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import actors
import figures
from actors import CLEAR, DEFAULT, Way
from maskwise.attack.attacker import Attacker, Background, Scorer, Scores
from maskwise.attack.bm25 import BM25, Cosine
from maskwise.attack.classifier import cut_windows
from maskwise.attack.harden import Hardening, K, harden
from maskwise.attack.linear import LinearAttacker
from maskwise.attack.scenario import Scenario, read_scenario
from maskwise.attack.trir import Hits, Report, attack_scenario, estimate_rate, find_hits
from maskwise.cli.attack import DEFAULT as ATTACKERS
from maskwise.cli.attack import build_anonymiser, build_attackers
from maskwise.crowd.curate import drop_masks, extract_terms
from maskwise.crowd.lexical import cut_pieces
from maskwise.crowd.postings import Postings, compute_bm25_weights
from maskwise.evaluate.tab import Score
from maskwise.evaluate.utility import average_utility, measure_utility
from maskwise.hardening import draft_texts
from maskwise.sanitizer import Sanitizer
from maskwise.text.align import align_texts
from maskwise.text.masks import Mask
from utility import load_readings

BY_HAND = "manual_abstract"
WAYS = {  # K, and whether all masks of the default policy stay
    "hardened, K = 1": (1, False),
    f"hardened, K = {K}": (K, False),
    f"hardened, K = {K}, from the default policy": (K, True),
}
Masks = dict[str, list[list[Mask]]]  # by version, one list per text

MOST, LEAST = 0.14, 0.30  # the bar: TRIR at most, TPI at least


@dataclass(frozen=True)
class Pieces:
    """BM25 over runs of four letters."""

    name: str = "pieces"
    trained: ClassVar[bool] = False

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        index = Postings.build(map(cut_pieces, background.texts))
        weights = compute_bm25_weights(index, 1.2, 0.75)
        return lambda texts: np.array([index.add_up(weights, cut_pieces(t)) for t in texts])


@dataclass(frozen=True)
class Bayes:
    """Complement naive Bayes over words and pairs of words, on windows of 200 terms."""

    name: str = "bayes"
    trained: ClassVar[bool] = False

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.naive_bayes import ComplementNB

        terms = [extract_terms(text) for text in background.texts]
        cuts = cut_windows([len(one) for one in terms], 200, 50)
        vectors = TfidfVectorizer(
            ngram_range=(1, 2), sublinear_tf=True, tokenizer=str.split, token_pattern=None
        )
        windows = [" ".join(one) for one in cuts.slice_documents(terms)]
        machine = ComplementNB().fit(vectors.fit_transform(windows), cuts.owners)

        def score(texts: Sequence[str]) -> Scores:
            asked = vectors.transform([" ".join(extract_terms(text)) for text in texts])
            return np.asarray(machine.predict_log_proba(asked))

        return score


def build_judges() -> list[Attacker]:
    """Attackers that hardening never asks."""
    return [
        BM25(k1=1.2, b=0.75, name="bm25, usual settings"),
        Pieces(),
        Cosine(runs=3, name="runs of three"),
        LinearAttacker(runs=2, penalty=1.0, name="linear, pairs"),
        Bayes(),
    ]


def build_own_versions(
    scenario: Scenario, attackers: Sequence[Attacker]
) -> tuple[Masks, dict[str, Hardening], float]:
    """Masks of each version that is made here, what hardening says of its own, and the seconds of one."""
    targets = scenario.columns[CLEAR]
    masks: Masks = {DEFAULT: Way("balanced").build_masks(targets)}
    found: dict[str, Hardening] = {}
    seconds = 0.0
    for label, (k, whole) in WAYS.items():
        began = time.perf_counter()
        drafts = list(draft_texts(targets, Sanitizer("balanced"), whole=whole))
        found[label] = harden(drafts, scenario.background, attackers, k=k)
        seconds = time.perf_counter() - began
        masks[label] = [
            [(start, end, "***") for start, end in text.spans] for text in found[label].texts
        ]
        print(f"{label}: {found[label].rounds} rounds, {seconds:.0f} s", flush=True)
    return masks, found, seconds


def judge(scenario: Scenario, labels: Sequence[str]) -> dict[str, dict[str, Hits]]:
    """Whom each attacker that was not asked finds, by version."""
    known = Background(scenario.background)
    scorers = {one.name: one.fit(known, 0) for one in build_judges()}
    found = {}
    for label in labels:
        column = scenario.columns[label]
        texts = [drop_masks(target.text) for target in column]
        found[label] = {name: find_hits(score(texts), column) for name, score in scorers.items()}
    return found


def add_versions(scenario: Scenario, masks: Masks) -> tuple[Scenario, Masks]:
    """The scenario with only the version masked by hand and ours, and the masks of all of them."""
    texts = [target.text for target in scenario.columns[CLEAR]]
    every = dict(masks)
    if BY_HAND in scenario.columns:
        pairs = zip(texts, scenario.columns[BY_HAND], strict=True)
        aligned: list[list[Mask]] = [
            list(align_texts(text, target.text).masks) for text, target in pairs
        ]
        every = {BY_HAND: aligned, **every}
    whole = actors.add_columns(scenario, masks)
    return replace(whole, columns={label: whole.columns[label] for label in every}), every


def build_rows(
    report: Report,
    judged: Mapping[str, Mapping[str, Hits]],
    kept: Mapping[str, Mapping[str, Score]],
) -> tuple[list[str], list[list[Any]]]:
    names, others = list(report.development), [one.name for one in build_judges()]
    rows: list[list[Any]] = []
    for label, column in report.columns.items():
        together = np.any(list(judged[label].values()), axis=0)
        asked = [column.attackers[name].value for name in names]
        not_asked = [float(judged[label][name].mean()) for name in others]
        anyone = estimate_rate(float(together.sum()), len(together))
        row = [
            label,
            *asked,
            figures.describe_score(column.ensemble),
            *not_asked,
            figures.describe_score(anyone),
        ]
        rows.append(
            [*row, figures.describe_score(kept[label]["tpi"]), kept[label]["words_masked"].value]
        )
    head = ["version", *names, "any asked", *others, "any not asked", "TPI", "words masked"]
    return head, rows


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--scenario", default="50_eval", help="a file in actors/, or a path")
    parser.add_argument("--seeds", default="0,1,2")
    args = parser.parse_args()
    given = Path(args.scenario)
    named = f"actors/{args.scenario}.json.gz"
    path = given if given.is_file() else figures.require_source(args.data, named)
    clear = read_scenario(path)
    texts = [target.text for target in clear.columns[CLEAR]]
    seeds = [int(seed) for seed in args.seeds.split(",")]
    attackers = build_attackers(ATTACKERS.split(","), None, "cpu")
    own, hardened, seconds = build_own_versions(clear, attackers)
    scenario, masks = add_versions(clear, own)
    report = attack_scenario(scenario, attackers, build_anonymiser("strict"), seeds=seeds)
    known = load_readings(texts)
    kept = {
        label: average_utility(
            [measure_utility(*one) for one in zip(texts, found, known, strict=True)]
        )
        for label, found in masks.items()
    }
    head, rows = build_rows(report, judge(scenario, list(masks)), kept)
    print_rows([head, *rows])
    note = describe(rows, head, report.background, hardened, seconds)
    print(note)
    table = figures.build_figure(
        f"Attack-driven masking, {path.name.split('.')[0].replace('_', ' ')}",
        f"python benchmarks/harden.py --data $MASKWISE_DATA --scenario {args.scenario} --seeds {args.seeds}",
        head,
        rows,
        files=[path],
        seeds=seeds,
        note=note,
    )
    figures.save_figure(args.json, table)


def describe(
    rows: Sequence[Sequence[Any]],
    head: Sequence[str],
    background: int,
    hardened: Mapping[str, Hardening],
    seconds: float,
) -> str:
    """What was measured, and which versions meet the bar."""
    risk, tpi = head.index("any asked"), head.index("TPI")
    passed = [r[0] for r in rows if r[risk]["value"] <= MOST and r[tpi]["value"] >= LEAST]
    usual = hardened[f"hardened, K = {K}"]
    return (
        f"{len(usual.texts)} people protected, {background} in the background; with K = {K} each is behind {usual.k} "
        f"others. Hardening asks the attackers with one seed; rates of attackers asked are means over seeds. Intervals "
        f"are 95 %. TRIR at most {MOST} at a TPI of at least {LEAST}: {'; '.join(passed) or 'none'}. Hardening once "
        f"took {seconds:.0f} s."
    )


def print_rows(rows: Sequence[Sequence[Any]]) -> None:
    for row in rows:
        cells = [
            f"{c['value']:.3f} [{c['low']:.2f}, {c['high']:.2f}]" if isinstance(c, dict) else c
            for c in row
        ]
        print(" | ".join(f"{c:.3f}" if isinstance(c, float) else str(c) for c in cells))


if __name__ == "__main__":
    main()
