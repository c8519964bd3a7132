"""Each risk indicator alone, and how many agree, on annotated corpora: with the annotators' spans and with our own.

    python benchmarks/indicators.py --data $MASKWISE_DATA [--corpora tab bio] [--spans gold detected] [--documents N]
                                    [--cache FOLDER] [--without perturbation] [--seen] [--json FILE]

Rows: mask everything; language-model probabilities with each decider; span classification; perturbations; sequence
labelling (mean of the words, full, partial); sequence labelling or probabilities; entities that at least 1, 2 or 3 of
four indicators call risky (probabilities with boosting, span, perturbations, sequence partial); the plans of the
default policy and of `thorough`. Columns as in Tables 5 to 7 of Papadopoulou et al. 2023, whose figures on the test
sets stand beside ours: P, P weighted by information content (our masked language model), R, F1, entity recalls; and
`kept`, the share of the information in all entities' words that stays. Gold spans are the union of what annotators
marked. Nobody's name is given. A corpus that the model learnt from is left out unless --seen asks for it, as is enough
for indicators that read log-probabilities alone; its table says so.

What the models say is kept under --cache, by the hash of model, text and spans; deciders, thresholds and the plan are
applied anew each time.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import figures
from maskwise import lm
from maskwise.detect.merge import merge_mentions
from maskwise.evaluate.tab import evaluate_masks
from maskwise.lm import Reading, folder
from maskwise.lm.masked import MaskedLM
from maskwise.plugins import Part
from maskwise.policy import Policy
from maskwise.risk import deciders, perturbation, span
from maskwise.risk.sequence import SequenceIndicator
from maskwise.risk.surprise import (
    DISTANCE,
    FEATURES,
    OVERLAP,
    SHARE,
    compute_features,
    measure_surprise,
)
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, tab
from maskwise.train.data import read_examples
from maskwise.train.marked import unite_annotators

CORPORA = {"tab": "tab/dev.json.gz", "bio": "wiki/annotated_dev.json.gz"}
COLUMNS = (
    "precision",
    "weighted_precision",
    "recall",
    "f1",
    "entity_recall",
    "entity_recall_direct",
    "entity_recall_quasi",
)
HEADS = ("P", "P_w", "R", "F1", "R_ent", "R_direct", "R_quasi", "kept")
TARGETS = 5
TOKEN = re.compile(r"\w+")  # as the metrics count words
DECIDERS = ("zero-shot", "logistic", "boosting", "automl")  # the last where it was trained
VERDICTS = (
    "mean",
    "partial",
    "full",
    "plan",
    "thorough",
)  # these hang on thresholds and the policy, not on weights alone
VOTES = ("probability, boosting", "span", "perturbation", "sequence, partial")

# P, P_w, R, F1, R_ent, R_direct, R_quasi on the test sets (Papadopoulou et al. 2023, Tables 5, 6 and 7)
PUBLISHED: dict[tuple[str, str], dict[str, str]] = {
    ("bio", "gold"): {
        "mask everything": ".80 .84 1.00 .89 1.00 1.00 1.00",
        "probability, logistic": ".87 .89 .92 .89 .85 1.00 .84",
        "probability, boosting": ".89 .91 .93 .91 .89 1.00 .88",
        "span": ".93 .94 .87 .90 .82 .99 .81",
        "perturbation": ".80 .84 1.00 .89 1.00 .99 1.00",
        "sequence, full": ".84 .89 .81 .82 .78 .85 .77",
        "sequence, partial": ".83 .86 .97 .89 .97 1.00 .96",
        "at least 1": ".78 .82 1.00 .87 1.00 1.00 1.00",
        "at least 2": ".80 .84 1.00 .89 1.00 1.00 1.00",
        "at least 3": ".84 .87 .98 .90 .96 1.00 .96",
    },
    ("tab", "gold"): {
        "mask everything": ".52 .56 1.00 .69 1.00 1.00 1.00",
        "probability, logistic": ".53 .57 .96 .68 .93 .91 .93",
        "probability, boosting": ".61 .64 .93 .73 .93 1.00 .92",
        "span": ".74 .77 .92 .83 .93 1.00 .92",
        "perturbation": ".52 .56 1.00 .69 1.00 1.00 1.00",
        "sequence, full": ".90 .91 .87 .88 .88 .96 .87",
        "sequence, partial": ".87 .88 .95 .90 .95 1.00 .95",
        "at least 1": ".52 .56 1.00 .68 1.00 1.00 1.00",
        "at least 2": ".52 .56 1.00 .69 1.00 1.00 1.00",
        "at least 3": ".61 .64 .98 .75 .99 1.00 .99",
    },
    ("bio", "detected"): {
        "mask everything": ".66 .75 .93 .77 .91 .88 .91",
        "probability, logistic": ".82 .86 .83 .82 .75 .87 .74",
        "probability, boosting": ".83 .87 .84 .84 .78 .87 .78",
        "span": ".87 .90 .78 .83 .72 .85 .71",
        "perturbation": ".66 .75 .93 .77 .91 .87 .91",
        "sequence, full": ".80 .87 .70 .75 .65 .81 .63",
        "sequence, partial": ".76 .82 .91 .83 .88 .88 .88",
    },
    ("tab", "detected"): {
        "mask everything": ".43 .52 .96 .60 .93 .98 .94",
        "probability, logistic": ".44 .53 .91 .60 .85 .93 .85",
        "probability, boosting": ".51 .60 .88 .65 .87 .98 .86",
        "span": ".68 .76 .88 .77 .87 .98 .86",
        "perturbation": ".43 .52 .96 .60 .94 .98 .94",
        "sequence, full": ".87 .88 .83 .85 .83 .95 .82",
        "sequence, partial": ".82 .84 .91 .86 .90 .98 .90",
    },
}


@dataclass(frozen=True)
class Measured:
    """What the models say of the entities of one document."""

    entities: Sequence[Entity]
    rows: np.ndarray
    vectors: np.ndarray
    mean: np.ndarray
    partial: np.ndarray
    full: np.ndarray
    drops: np.ndarray
    plan: np.ndarray
    thorough: np.ndarray
    content: np.ndarray  # start, end and information of the words of entities


class Bench:
    """Measures documents, or reads what was measured before."""

    def __init__(
        self, cache: Path | None, without: Sequence[str], fitted: Path | None = None
    ) -> None:
        self.model = lm.load_model("small")
        self.walks = {
            name: Sanitizer(read_policy(name, fitted)) for name in ("balanced", "thorough")
        }
        self.masked = MaskedLM(self.model.encoder, distance=1, share=0.45)
        self.cache, self.without, self.fitted = cache, without, fitted
        weights = {
            name: self.model.config.files[name]
            for name in (folder.MODEL, folder.MLM, folder.TOKENIZER)
        }
        numbers = (DISTANCE, SHARE, OVERLAP, TARGETS, perturbation.SHARE)
        self.version = repr((sorted(weights.items()), *numbers))
        if cache:
            cache.mkdir(parents=True, exist_ok=True)

    def measure(self, document: Document, entities: Sequence[Entity]) -> Measured:
        parts: dict[str, Callable[[], Any]] = {
            "rows": lambda: compute_features(
                entities, measure_surprise(self.model, document, entities)
            ),
            "vectors": lambda: span.pool_states(
                *Reading.find(document).take_states(self.model, document), entities
            ).astype(np.float16),
            "mean": lambda: self._score_sequence(document, entities, "mean"),
            "partial": lambda: self._score_sequence(document, entities, "partial"),
            "full": lambda: self._score_sequence(document, entities, "full"),
            "content": lambda: self._measure_content(document, entities),
            "drops": lambda: self._measure_drops(document, entities),
            "plan": lambda: self._plan(self.walks["balanced"], document, entities),
            "thorough": lambda: self._plan(self.walks["thorough"], document, entities),
        }
        return Measured(
            entities,
            **{name: self._recall(name, document, entities, make) for name, make in parts.items()},
        )

    def _recall(
        self, name: str, document: Document, entities: Sequence[Entity], make: Callable[[], Any]
    ) -> np.ndarray:
        spans = [(e.type, [m.span for m in e.mentions]) for e in entities]
        key = hashlib.sha256(json.dumps([self.version, document.text, spans]).encode()).hexdigest()[
            :24
        ]
        path = self.cache / f"{key}.{name}.npy" if self.cache and name not in VERDICTS else None
        if path and path.exists():
            return np.load(path, allow_pickle=False)
        value = np.asarray(make())
        if path and not (name == "drops" and "perturbation" in self.without):
            np.save(path, value, allow_pickle=False)
        return value

    def _read_vectors(self, document: Document, entities: Sequence[Entity]) -> Any:
        states = Reading.find(document).take_states(self.model, document)
        return span.pool_states(*states, entities).astype(np.float16)

    def _score_sequence(
        self, document: Document, entities: Sequence[Entity], match: Any
    ) -> np.ndarray:
        risky = {
            e.entities[0]
            for e in SequenceIndicator(match=match).assess(document, entities)
            if e.risky
        }
        return np.array([e.id in risky for e in entities], dtype=bool)

    def _measure_content(self, document: Document, entities: Sequence[Entity]) -> np.ndarray:
        covered = np.zeros(len(document) + 1, dtype=bool)
        for entity in entities:
            for m in entity.mentions:
                covered[m.start : m.end] = True
        tokens = [
            t.span() for t in TOKEN.finditer(document.text) if covered[t.start() : t.end()].any()
        ]
        information = self.masked.measure_information(document.text, tokens)
        return np.concatenate(
            [np.array(tokens, dtype=float).reshape(-1, 2), information[:, None]], axis=1
        )

    def _measure_drops(self, document: Document, entities: Sequence[Entity]) -> np.ndarray:
        result = np.full(len(entities), -np.inf)
        if len(entities) < 2 or "perturbation" in self.without:
            return result
        chosen = perturbation.choose_targets(self.model, document, entities, TARGETS)
        for pair, nats in perturbation.measure_drops(
            self.model, document, entities, chosen
        ).nats.items():
            result[list(pair)] = np.maximum(result[list(pair)], nats)
        return result

    def _plan(self, walk: Sanitizer, document: Document, entities: Sequence[Entity]) -> np.ndarray:
        """What a policy masks of these entities."""
        levels = {entity.id: walk.levels(entity) for entity in entities}
        evidence = walk._assess(document, entities)
        plan = walk._solver.solve(document, entities, evidence, levels)
        masked = {decision.entity for decision in plan.decisions if decision.masked}
        return np.array([e.id in masked for e in entities], dtype=bool)

    def list_verdicts(self, found: Measured) -> Iterator[tuple[str, np.ndarray]]:
        """Of each row of the table, which entities it masks."""
        n = len(found.entities)
        rows = found.rows.reshape(n, len(FEATURES))
        everything = np.ones(n, dtype=bool)
        yield "mask everything", everything
        raw = deciders.read_deciders(self.fitted, "probability", self.model, FEATURES)
        votes = {}
        for kind in (kind for kind in DECIDERS if kind in raw["deciders"]):
            decide = deciders.pick_decider(raw, kind, "probability")
            votes[f"probability, {kind}"] = decide(rows) >= decide.threshold if n else everything
        raw = deciders.read_deciders(self.fitted, "span", self.model, FEATURES)
        parts = [deciders.pick_decider(raw, part, "span") for part in span.PARTS]
        votes["span"] = (
            span.fuse_scores(parts, found.vectors.astype(float), rows)[1] >= parts[-1].threshold
            if n
            else everything
        )
        if "perturbation" not in self.without:
            raw = deciders.read_deciders(self.fitted, "perturbation", self.model)
            votes["perturbation"] = (
                found.drops >= deciders.pick_decider(raw, "pairs", "perturbation").threshold
            )
        votes |= {
            "sequence, mean": found.mean,
            "sequence, full": found.full,
            "sequence, partial": found.partial,
        }
        yield from votes.items()
        agreeing = np.sum([votes[name] for name in VOTES if name in votes], axis=0)
        yield "sequence or probability", votes["sequence, mean"] | votes["probability, boosting"]
        for count in (1, 2, 3):
            yield f"at least {count}", agreeing >= count
        yield "optimised plan", found.plan
        yield "plan of `thorough`", found.thorough


def read_policy(name: str, fitted: Path | None) -> Policy:
    """A shipped policy, its indicators with other deciders where some are given."""
    found = Policy.load(name)
    own = {"deciders": str(fitted)} if fitted else {}
    indicators = [
        Part(i.group, i.kind, {**i.given, **own}) if i.has_option("deciders") else i
        for i in found.indicators
    ]
    return found.model_copy(update={"indicators": indicators})


def read_gold(path: Path) -> dict[str, tuple[Document, Sequence[Entity]]]:
    return {
        item.document.id: (item.document, item.entities)
        for item in map(unite_annotators, read_examples(path))
    }


def detect_entities(
    corpus: Sequence[tab.AnnotatedDocument],
) -> Iterator[tuple[Document, Sequence[Entity]]]:
    """Entities as the default policy finds and links them."""
    walk = Sanitizer()
    for item in corpus:
        document = Document(item.document.text, id=item.document.id)
        mentions = [m for d in walk._detectors for m in d.detect([document])[0].mentions]
        yield document, walk._linker.link(document, merge_mentions(mentions, walk._order))


def build_table(
    bench: Bench, corpus: Sequence[tab.AnnotatedDocument], found: dict[str, Measured]
) -> dict[str, list[float]]:
    masks: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for id, one in found.items():
        for row, chosen in bench.list_verdicts(one):
            spans = [
                m.span
                for e, yes in zip(one.entities, chosen, strict=True)
                if yes
                for m in e.mentions
            ]
            masks.setdefault(row, {})[id] = spans
    content = {
        id: {(int(a), int(b)): float(c) for a, b, c in one.content} for id, one in found.items()
    }

    def weigh_spans(item: tab.AnnotatedDocument, spans: Sequence[tuple[int, int]]) -> np.ndarray:
        known = content[item.document.id]
        return np.array([known[s] for s in spans], dtype=np.float64)

    scores = {
        row: evaluate_masks(corpus, chosen, weights=weigh_spans, resamples=1)
        for row, chosen in masks.items()
    }
    kept = {row: measure_kept(content, chosen) for row, chosen in masks.items()}
    return {
        row: [*(score[name].value for name in COLUMNS), kept[row]] for row, score in scores.items()
    }


def measure_kept(
    content: dict[str, dict[tuple[int, int], float]], masks: dict[str, list[tuple[int, int]]]
) -> float:
    """Of the information in the words of all entities, the share that no mask touches."""
    stays = total = 0.0
    for id, words in content.items():
        for (start, end), information in words.items():
            total += information
            stays += information * (not any(a < end and start < b for a, b in masks[id]))
    return stays / max(total, 1e-9)


def show(name: str, spans: str, count: int, rows: dict[str, list[float]]) -> str:
    lines = [
        f"{name}, {spans} spans, {count} documents",
        f"{'':24}" + "".join(f"{h:>9}" for h in HEADS) + "   published, test",
    ]
    for row, values in rows.items():
        published = PUBLISHED[name, spans].get(row, "")
        lines.append(f"{row:24}" + "".join(f"{v:9.3f}" for v in values) + f"   {published}")
    return "\n".join(lines)


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--corpora", nargs="+", choices=CORPORA, default=list(CORPORA))
    parser.add_argument(
        "--spans", nargs="+", choices=("gold", "detected"), default=["gold", "detected"]
    )
    parser.add_argument("--documents", type=int, help="the first N documents of each corpus")
    parser.add_argument("--cache", type=Path)
    parser.add_argument(
        "--deciders",
        type=Path,
        help="folder of `maskwise train risk`, where the model is another one",
    )
    parser.add_argument("--without", nargs="*", choices=("perturbation",), default=[])
    parser.add_argument(
        "--seen", action="store_true", help="measure what the model learnt from, too, and say so"
    )
    options = parser.parse_args()
    sources = {
        name: path
        for name in options.corpora
        if (path := figures.find_source(options.data, CORPORA[name]))
    }
    seen = [name for name, path in sources.items() if figures.is_trained_on("small", path)]
    if not options.seen:
        sources = figures.keep_unseen("small", sources)
    if not sources:
        figures.report_unavailable("no corpus; give --data or set MASKWISE_DATA")
    bench = Bench(options.cache, options.without, options.deciders)
    results: list[list[Any]] = []
    for name, path in sources.items():
        corpus = tab.load_corpus(path)[: options.documents]
        known = read_gold(path)
        for spans in options.spans:
            pairs = (
                [known[c.document.id] for c in corpus]
                if spans == "gold"
                else detect_entities(corpus)
            )
            found = {}
            for document, entities in pairs:
                found[document.id] = bench.measure(document, entities)
                print(
                    f"\r{name}, {spans}: {len(found)}/{len(corpus)}",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
            rows = build_table(bench, corpus, found)
            results += [
                [name, spans, row, *values, PUBLISHED[name, spans].get(row, "")]
                for row, values in rows.items()
            ]
            print(file=sys.stderr)
            print(show(name, spans, len(corpus), rows), "\n", flush=True)
    count = f", the first {options.documents} documents of each corpus" if options.documents else ""
    # Another model under the name of the bundled one, as is needed for what that one learnt from.
    home = (
        "MASKWISE_HOME=HOME_OF_TWIN "
        if folder.find_model("small").parent != folder.find_bundled()
        else ""
    )
    fitted = " --deciders DECIDERS_OF_TWIN" if options.deciders else ""
    fitted += " --seen" if options.seen else ""
    found = figures.build_figure(
        "Risk indicators, each alone and together",
        f"{home}python benchmarks/indicators.py --data $MASKWISE_DATA{fitted} --json docs/figures/indicators.json",
        ["corpus", "spans", "masked", *HEADS, "published, test sets"],
        results,
        files=list(sources.values()),
        note=f"Development splits{count}. Published: the same columns (Papadopoulou et al. 2023, Tables 5 to 7)."
        + (f" Without {', '.join(options.without)}." if options.without else "")
        + (f" The model learnt from {', '.join(seen)}." if options.seen and seen else ""),
    )
    figures.save_figure(options.json, found)


if __name__ == "__main__":
    main()
