"""The development set of an attack (TRIA, section 3.2): summaries of background texts, anonymised by the attacker.

The attacker never sees the texts under attack while choosing how to attack. A summary consists of the sentences that
the rest of the text repeats most. They leave the background, so that none can be found word for word.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from maskwise.attack.attacker import Background
from maskwise.crowd.curate import extract_terms
from maskwise.text.tokens import find_sentences

# Takes texts and the names of their people, and returns masked texts.
Anonymise = Callable[[Sequence[str], Sequence[str]], list[str]]
PEOPLE, WORDS = 30, 150
_SHORT = 5  # terms; a shorter sentence is a heading or a scrap


@dataclass(frozen=True, slots=True)
class DevelopmentSet:
    """Masked summaries of some people, and the background without the sentences they were made of."""

    background: tuple[str, ...] = field(repr=False)
    people: tuple[int, ...]
    texts: tuple[str, ...] = field(repr=False)


def make_development_set(
    names: Sequence[str],
    background: Background,
    anonymise: Anonymise,
    *,
    seed: int = 0,
    people: int = PEOPLE,
) -> DevelopmentSet:
    """Draws people by `seed`, summarises their background and anonymises the summaries."""
    everyone = range(len(background))
    drawn = random.Random(seed).sample(everyone, min(people, len(background)))  # noqa: S311
    chosen = sorted(drawn)
    seen = Counter(term for text in background.texts for term in set(extract_terms(text)))
    texts = list(background.texts)
    summaries = []
    for at in chosen:
        summary, texts[at] = summarise_text(texts[at], seen, len(background))
        summaries.append(summary)
    masked = anonymise(summaries, [names[at] for at in chosen])
    return DevelopmentSet(tuple(texts), tuple(chosen), tuple(masked))


def summarise_text(
    text: str, seen: Counter[str], documents: int, words: int = WORDS
) -> tuple[str, str]:
    """(summary, rest): up to `words` terms, at most a third of the text, of the sentences the rest repeats most."""
    spans = find_sentences(text)
    read = [extract_terms(text[start:end]) for start, end in spans]
    whole = Counter(term for one in read for term in one)
    budget = min(words, sum(map(len, read)) // 3)
    taken: set[int] = set()
    scores = [_score_repetition(sentence, whole, seen, documents) for sentence in read]
    for at in sorted(range(len(spans)), key=lambda at: -scores[at]):
        size = len(read[at])
        if size >= _SHORT and (size <= budget or not taken):
            taken.add(at)
            budget -= size
    parts = [text[start:end] for start, end in spans]
    summary = " ".join(part for at, part in enumerate(parts) if at in taken)
    rest = " ".join(part for at, part in enumerate(parts) if at not in taken)
    return summary, rest


def _score_repetition(
    sentence: Sequence[str], whole: Counter[str], seen: Counter[str], documents: int
) -> float:
    """Returns the mean information of the sentence's terms that occur elsewhere in the text too."""
    own = Counter(sentence)
    repeated = [term for term, n in own.items() if whole[term] > n]
    known = [math.log((1 + documents) / (1 + seen[term])) for term in repeated]
    return sum(known) / len(own) if len(own) else 0.0
