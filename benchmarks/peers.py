"""Runs one peer over texts from standard input (a JSON list) and prints its speed, in the peers' environment."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable


def scrubadub() -> Callable[[str], object]:
    import scrubadub

    return scrubadub.Scrubber().clean


def presidio() -> Callable[[str], object]:
    """Presidio's pattern recognisers on a blank spaCy pipeline: its rule tier, without a language model."""
    import spacy
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Blank(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": spacy.blank("en")}

    engine = AnalyzerEngine(nlp_engine=Blank(), supported_languages=["en"])
    return lambda text: engine.analyze(text, language="en")


def datafog() -> Callable[[str], object]:
    from datafog.processing.text_processing.regex_annotator import RegexAnnotator

    return RegexAnnotator().annotate


def main() -> None:
    texts = json.load(sys.stdin)
    run = {"scrubadub": scrubadub, "presidio": presidio, "datafog": datafog}[sys.argv[1]]()
    run(texts[0][:1000])
    start = time.process_time()
    for text in texts:
        run(text)
    seconds = time.process_time() - start
    print(json.dumps({"characters_per_second": sum(map(len, texts)) / seconds}))


if __name__ == "__main__":
    main()
