"""Documents of people who are in a crowd, under many masks: how often each attacker finds them.

Calibration is fitted on some of these people and measured on others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from maskwise.crowd.chances import Trials, draw_masks, try_attacker
from maskwise.crowd.crowd import Crowd
from maskwise.crowd.folds import Fold, assign_folds
from maskwise.crowd.nameless import remove_names
from maskwise.crowd.population import Population, Profile
from maskwise.crowd.search import assign_words
from maskwise.crowd.subjects import find_subjects
from maskwise.crowd.words import Words
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person
from maskwise.text.subtypes import SMALL_WORD

POLICY = "anonymous"


def try_people(
    people: Population, crowd: Crowd, fold: Fold, count: int, seed: int = 0
) -> Mapping[str, Trials]:
    """Trials per attacker with the documents of `count` people of a fold. People have their places in the crowd."""
    random = np.random.default_rng(seed)
    found = {name: Trials(np.zeros(0), np.zeros(0)) for name in crowd.rankers}
    sanitizer = Sanitizer(POLICY)
    for place in _choose_people(people, fold, count):
        document = _make_document(people[place])
        entities = [one for one in sanitizer.entities(document) if one.subtypes != {SMALL_WORD}]
        cast = find_subjects(document, entities)
        if not cast.subjects:
            continue
        words = Words(document.text)
        spans = ([mention.span for mention in entity.mentions] for entity in entities)
        units = assign_words(words, spans)
        masks = draw_masks(len(words), units, random)
        for unit, entity in zip(units, entities, strict=True):
            if entity.is_direct:
                masks[:, list(unit)] = True
        told, real = cast.subjects[0].profile, remove_names(people[place])
        for name, ranker in crowd.rankers.items():
            trials = try_attacker(ranker, told, real, place, words, masks)
            found[name] = found[name].join(trials)
    return found


def _choose_people(people: Population, fold: Fold, count: int) -> Iterator[int]:
    """Some people of a fold who have a text, spread evenly."""
    own = np.flatnonzero(assign_folds(people.ids) == fold).tolist()
    places = [at for at in own if people[at].text]
    yield from places[:: max(len(places) // max(count, 1), 1)][:count]


def _make_document(profile: Profile) -> Document:
    people = tuple(map(Person, profile.get("name")))
    return Document(profile.text, id=profile.id, protected=people)
