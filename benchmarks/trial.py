"""Held-out documents of a population with everything the benchmark of hiding does to them: attackers, baselines,
searches, and the plain greedy loop as published."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import figures
from attackers import Ensemble
from baselines import Rarity, mask_from, score_profile_then_rarity, score_profile_words, score_spans
from maskwise.attack.trir import estimate_rate
from maskwise.crowd.folds import Fold, assign_folds
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.neighbours import log_softmax
from maskwise.crowd.population import Population
from maskwise.crowd.ranker import DocumentScorer, LogProbabilities, Ranker
from maskwise.crowd.ranks import rank_profile
from maskwise.crowd.search import Effort, Goal, Unit, search
from maskwise.crowd.words import MARK, Mask, Words
from maskwise.evaluate.tab import make_interval
from maskwise.evaluate.utility import measure_compression_loss
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, EntityType, Person

NAMED = {EntityType.PERSON, EntityType.ORG, EntityType.LOC, EntityType.MISC}
STRENGTHS = np.arange(0.2, 0.8, 0.05)  # shares of all words that the rarity baselines mask


class Trial:
    """Held-out documents with everything that is computed once for each. `keep` is a folder where finished searches
    are kept, for a run with the same models to go on from."""

    def __init__(
        self,
        people: Population,
        attackers: Mapping[str, Ranker],
        count: int,
        keep: Path | None = None,
    ) -> None:
        fold = assign_folds(people.ids)
        held = [at for at in np.flatnonzero(fold == Fold.HELD_OUT) if people[at].text]
        held.sort(key=lambda at: people.ids[at])
        self.targets = [int(at) for at in held[:: max(len(held) // count, 1)][:count]]
        self.profiles = [people[at] for at in self.targets]
        self.words = [Words(profile.text) for profile in self.profiles]
        self.readings = [
            {name: a.read(words.texts) for name, a in attackers.items()} for words in self.words
        ]
        self.rankers, self.attackers, self.keep = attackers, tuple(attackers), keep
        self.masks: dict[str, list[Mask]] = {}
        self._found: dict[tuple[str, ...], dict[str, tuple[np.ndarray, np.ndarray]]] = {}

    def __len__(self) -> int:
        return len(self.targets)

    def find_people(self, method: str, judges: Sequence[str]) -> np.ndarray:
        """Chance, a document, that all judges as one guess right: their log-probabilities are added up."""
        return self._judge(method, tuple(judges))[0]

    def find_by_any(self, method: str, judges: Sequence[str]) -> np.ndarray:
        """Chance, a document, that one of the judges guesses right."""
        return self._judge(method, tuple(judges))[1]

    def _judge(self, method: str, judges: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
        known = self._found.setdefault(judges, {})
        if method not in known:
            new = [name for name in self.masks if name not in known]
            one, each = (
                np.zeros((len(new), len(self))),
                np.zeros((len(judges), len(new), len(self))),
            )
            weights = Ensemble([self.rankers[name] for name in judges]).weights
            for at, (readings, target) in enumerate(zip(self.readings, self.targets, strict=True)):
                masks = np.array([self.masks[name][at] for name in new])
                rows = [readings[name].score(masks) for name in judges]
                total = sum(
                    np.float32(weight) * row for weight, row in zip(weights, rows, strict=True)
                )
                one[:, at] = [
                    s.hit_chance for s in rank_profile(log_softmax(np.asarray(total)), target)
                ]
                each[:, :, at] = [[s.hit_chance for s in rank_profile(row, target)] for row in rows]
            known |= {
                name: (one[at], 1 - np.prod(1 - each[:, at], axis=0)) for at, name in enumerate(new)
            }
        return known[method]

    def measure_share(self, method: str) -> np.ndarray:
        return np.array([mask.mean() if len(mask) else 0.0 for mask in self.masks[method]])

    def measure_loss(self, method: str) -> np.ndarray:
        both = zip(self.words, self.masks[method], strict=True)
        return np.array(
            [
                measure_compression_loss(
                    w.text, [(*span, MARK) for span in w.find_masked_spans(mask)]
                )
                for w, mask in both
            ]
        )


def describe_mean(values: np.ndarray) -> dict[str, float]:
    draws = np.random.default_rng(0).integers(len(values), size=(1000, len(values)))
    return figures.describe_score(make_interval(float(values.mean()), values[draws].mean(axis=1)))


def describe_rate(hits: np.ndarray) -> dict[str, float]:
    return figures.describe_score(estimate_rate(float(hits.sum()), len(hits)))


def find_simple_entities(trial: Trial) -> list[tuple[Entity, ...]]:
    """Adds the clear documents and those without named entities or words of the profile; returns all entities."""
    trial.masks["clear"] = [np.zeros(len(words), dtype=bool) for words in trial.words]
    pairs = list(zip(trial.words, trial.profiles, strict=True))
    trial.masks["lexical"] = [
        mask_from(score_profile_words(words, profile), 0.5) for words, profile in pairs
    ]
    found = [result.entities for result in Sanitizer().run(_build_documents(trial))]
    named = [
        [m.span for e in entities if e.type in NAMED for m in e.mentions] for entities in found
    ]
    trial.masks["named entity"] = [
        mask_from(score_spans(w, s), 0.5) for w, s in zip(trial.words, named, strict=True)
    ]
    return found


def _build_documents(trial: Trial) -> list[Document]:
    return [
        Document(p.text, id=p.id, protected=tuple(map(Person, p.get("name"))))
        for p in trial.profiles
    ]


def add_baselines(trial: Trial, rarity: Rarity) -> None:
    """Adds the default policy at the points of its knob, and rare words at many strengths."""
    for point in ("precision", "balanced", "recall"):
        policy = Sanitizer().policy.model_copy(update={"recall": point})
        spans = [
            [(start, end) for start, end, _ in r.masks]
            for r in Sanitizer(policy).run(_build_documents(trial))
        ]
        masks = [
            mask_from(score_spans(words, s), 0.5)
            for words, s in zip(trial.words, spans, strict=True)
        ]
        trial.masks[f"default policy, {point}"] = masks
    pairs = list(zip(trial.words, trial.profiles, strict=True))
    kinds = {"IDF": [rarity(words) for words, _ in pairs]}
    kinds["IDF, table-aware"] = [
        score_profile_then_rarity(words, profile, rarity) for words, profile in pairs
    ]
    for kind, scores in kinds.items():
        pooled = np.sort(np.concatenate(scores))[::-1]
        for share in STRENGTHS:
            cut = pooled[min(int(share * len(pooled)), len(pooled) - 1)]
            trial.masks[f"{kind}, {share:.0%}"] = [mask_from(one, cut) for one in scores]


def hide(
    trial: Trial, name: str, against: Sequence[str], k: int, units: Sequence[Any], effort: Effort
) -> tuple[list[Mask], str, float]:
    """Masks of a search, the time it took, and the share of documents for which k was reached."""
    done = _read_kept(trial.keep, name)
    for at, (profile, words, target) in enumerate(
        zip(trial.profiles, trial.words, trial.targets, strict=True)
    ):
        if profile.id in done:
            continue
        begun, spent = time.perf_counter(), time.process_time()
        readings = [trial.rankers[one].read(words.texts) for one in against]
        found = search(readings, target, units[at], len(words), Goal(k), effort)
        row = {
            "id": profile.id,
            "masked": np.flatnonzero(found.mask).tolist(),
            "reached": found.reached,
        }
        row |= {"seconds": time.perf_counter() - begun, "cpu": time.process_time() - spent}
        done[profile.id] = row
        if trial.keep:
            with (trial.keep / f"{name}.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    rows = [done[profile.id] for profile in trial.profiles]
    times = format_times([row["seconds"] for row in rows], [row["cpu"] for row in rows])
    masks = [
        np.isin(np.arange(len(w)), row["masked"]) for w, row in zip(trial.words, rows, strict=True)
    ]
    return masks, times, float(np.mean([row["reached"] for row in rows]))


def format_times(seconds: Sequence[float], cpu: Sequence[float]) -> str:
    """Time on the clock, and of the processor, which says more where other work runs beside."""
    return (
        f"median {np.median(seconds):.2f} s, 90 % {np.quantile(seconds, 0.9):.2f} s a document; of processor time "
        f"{np.median(cpu):.2f} s, 90 % {np.quantile(cpu, 0.9):.2f} s"
    )


def _read_kept(folder: Path | None, name: str) -> dict[str, dict[str, Any]]:
    """What an earlier run finished of a search, by the person's id."""
    if not folder:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    rows = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {row["id"]: row for row in rows}


def time_work(work: Callable[..., Any], *given: Any) -> tuple[Any, float, float]:
    """What some work makes, and the seconds it took, on the clock and of the processor."""
    begun, spent = time.perf_counter(), time.process_time()
    return work(*given), time.perf_counter() - begun, time.process_time() - spent


def search_greedily(
    rankers: Sequence[Ranker], words: Words, target: int, k: int, units: Sequence[Unit]
) -> Mask:
    """Our search, as the command runs it."""
    return search(
        [one.read(words.texts) for one in rankers], target, units, len(words), Goal(k)
    ).mask


def search_plainly(
    rankers: Sequence[Ranker], words: Words, target: int, k: int, units: Sequence[Unit]
) -> Mask:
    """Algorithm 1 as published: at each step every unit is tried, one at a time, and the best is masked."""
    mask = np.zeros(len(words), dtype=bool)
    left = list(units)

    readings = [ranker.read(words.texts) for ranker in rankers]

    def score(ranker: Ranker, reading: DocumentScorer) -> LogProbabilities:
        if not isinstance(ranker, Lexical):
            return reading.score(mask[None])
        shown = [word for word, gone in zip(words.texts, mask, strict=True) if not gone]
        return ranker.read(shown).score(
            np.zeros((1, len(shown)), dtype=bool)
        )  # from scratch, not what has changed

    def look() -> tuple[bool, float]:
        rows = [score(ranker, reading) for ranker, reading in zip(rankers, readings, strict=True)]
        safe = [rank_profile(row, target)[0].rank > k for row in rows]
        return all(safe), sum(
            float(row[0, target]) for row, ok in zip(rows, safe, strict=True) if not ok
        )

    while not look()[0] and left:
        tried = []
        for unit in left:
            mask[list(unit)] = True
            safe, chance = look()
            tried.append((not safe, chance))
            mask[list(unit)] = False
        best = min(range(len(left)), key=tried.__getitem__)
        mask[list(left.pop(best))] = True
    return mask
