"""What the risk indicators cost: passes of the language model, seconds and peak memory by document length.

    python benchmarks/risk.py --data $MASKWISE_DATA [--sizes 1 5 20] [--repeat 3] [--without perturbation]

A document of each size (kB) is cut from a judgment of a TAB-format corpus; entities are those that the default policy
finds. Each indicator runs alone on a document it has not seen, the best of --repeat. `plain` asks the same questions as
`probability`, one pass a mention, in the same run. `pipeline` is the default policy with probability, span and sequence
as indicators against its detectors alone. Peak memory is that of Python objects while the indicator ran (tracemalloc),
taken in a run of its own.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import figures
from maskwise import lm
from maskwise.detect.merge import merge_mentions
from maskwise.lm.encoder import OnnxEncoder
from maskwise.lm.masked import MaskedLM
from maskwise.policy import Policy
from maskwise.risk.perturbation import PerturbationIndicator
from maskwise.risk.probability import ProbabilityIndicator
from maskwise.risk.sequence import SequenceIndicator
from maskwise.risk.span import SpanIndicator
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, tab

INDICATORS: dict[str, Callable[[], Any]] = {
    "probability": ProbabilityIndicator,
    "span": SpanIndicator,
    "perturbation": PerturbationIndicator,
    "sequence": SequenceIndicator,
}


class Passes:
    """Counts windows that the encoder runs."""

    def __init__(self) -> None:
        self.count = 0
        run = OnnxEncoder._run

        def count_pass(encoder: OnnxEncoder, *args: Any) -> Any:
            self.count += 1
            return run(encoder, *args)

        OnnxEncoder._run = count_pass  # type: ignore[method-assign]


def build_text(corpus: Sequence[tab.AnnotatedDocument], size: int) -> str:
    """The start of the first judgment that is long enough, up to a space; of several joined where none is."""
    long = next((c.document.text for c in corpus if len(c.document) >= size), None)
    text = long or "\n\n".join(c.document.text for c in corpus)
    return text[: text.rfind(" ", 0, size)] if len(text) > size else text


class Clock:
    """Runs a step on fresh documents."""

    def __init__(self, text: str, repeat: int, passes: Passes) -> None:
        self.text, self.repeat, self.passes, self._made = text, repeat, passes, 0
        self.walk = Sanitizer()

    def build_document(self) -> Document:
        self._made += 1
        return Document(self.text, id=f"{len(self.text)}-{self._made}")

    def build_entities(self, document: Document) -> list[Entity]:
        """Found without leaving a trace: the indicator's document is another one."""
        other = self.build_document()
        mentions = [m for d in self.walk._detectors for m in d.detect([other])[0].mentions]
        found = self.walk._linker.link(other, merge_mentions(mentions, self.walk._order))
        return [
            Entity(
                e.id,
                e.type,
                tuple(
                    document.mention(m.start, m.end, m.type, subtype=m.subtype, score=m.score)
                    for m in e.mentions
                ),
                e.identifier,
            )
            for e in found
        ]

    def time(self, step: Callable[[Document, list[Entity]], Any]) -> dict[str, float]:
        seconds = []
        for _ in range(self.repeat):
            document = self.build_document()
            entities = self.build_entities(document)
            before, start = self.passes.count, time.perf_counter()
            step(document, entities)
            seconds.append(time.perf_counter() - start)
            passes = self.passes.count - before
        document = self.build_document()
        entities = self.build_entities(document)
        tracemalloc.start()
        step(document, entities)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return {"passes": passes, "seconds": min(seconds), "peak MB": peak / 1e6}


def score_plainly(document: Document, entities: Sequence[Entity]) -> None:
    """One pass a mention: nothing shares a window."""
    model = lm.load_model("small")
    for entity in entities:
        for mention in entity.mentions:
            MaskedLM(model.encoder).compute_log_probs(document.text, [mention.span])


def time_pipeline(clock: Clock) -> dict[str, float]:
    """Seconds of the default policy's detectors, and of the policy with indicators 1, 2 and 4."""
    raw = Policy.load("balanced").model_dump(mode="json")
    raw["indicators"] = [{"kind": kind} for kind in ("sequence", "probability", "span")]
    whole, alone = Sanitizer(Policy.parse(raw)), Sanitizer()
    whole.sanitize("Mr Lee left.")
    both = []
    for _ in range(clock.repeat):
        document = clock.build_document()
        start = time.perf_counter()
        found = [m for d in alone._detectors for m in d.detect([document])[0].mentions]
        alone._linker.link(document, merge_mentions(found, alone._order))
        detection = time.perf_counter() - start
        document = clock.build_document()
        start = time.perf_counter()
        whole.sanitize(document)
        both.append((detection, time.perf_counter() - start))
    detection, all_of_it = (min(column) for column in zip(*both, strict=True))
    return {"detection s": detection, "pipeline s": all_of_it, "ratio": all_of_it / detection}


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 5, 20], help="kB")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--without", nargs="*", choices=INDICATORS, default=[])
    options = parser.parse_args()
    path = options.corpus or figures.require_source(options.data, "tab/dev.json.gz")
    corpus, passes, table, told = tab.load_corpus(path), Passes(), [], []
    for size in options.sizes:
        clock = Clock(build_text(corpus, size * 1000), options.repeat, passes)
        entities = clock.build_entities(clock.build_document())
        rows = {
            name: clock.time(make().assess)
            for name, make in INDICATORS.items()
            if name not in options.without
        }
        rows["plain"] = clock.time(score_plainly)
        summary = {
            "characters": len(clock.text),
            "entities": len(entities),
            "mentions": sum(len(e.mentions) for e in entities),
            "plain/probability, passes": rows["plain"]["passes"]
            / max(rows["probability"]["passes"], 1),
            "plain/probability, seconds": rows["plain"]["seconds"] / rows["probability"]["seconds"],
            "pipeline with 1, 2 and 4": time_pipeline(clock),
        }
        show(f"{size} kB", summary, rows)
        table += [[f"{size} kB", name, *row.values()] for name, row in rows.items()]
        whole = summary["pipeline with 1, 2 and 4"]
        told.append(
            f"{size} kB: {summary['entities']} entities, {summary['mentions']} mentions; one pass a mention takes "
            f"{summary['plain/probability, passes']:.1f} times the passes of `probability` and "
            f"{summary['plain/probability, seconds']:.1f} times its time; the pipeline with indicators 1, 2 and 4 "
            f"takes {whole['ratio']:.2f} times its detectors alone ({whole['pipeline s']:.2f} s)."
        )
    found = figures.build_figure(
        "What the risk indicators cost",
        "python benchmarks/risk.py --data $MASKWISE_DATA --json docs/figures/risk.json",
        ["document", "indicator", "passes", "seconds", "peak MB"],
        table,
        files=[path],
        note=" ".join(told),
    )
    figures.save_figure(options.json, found)


def show(name: str, summary: dict[str, Any], rows: dict[str, dict[str, float]]) -> None:
    print(name)
    for key, value in summary.items():
        told = (
            "  ".join(f"{k} {v:.3f}" for k, v in value.items())
            if isinstance(value, dict)
            else f"{value:.4g}"
        )
        print(f"  {key:28} {told}")
    for key, row in rows.items():
        print(
            f"  {key:14}" + "".join(f"{unit:>9} {value:8.3f}" for unit, value in row.items()),
            flush=True,
        )


if __name__ == "__main__":
    main()
