"""The attackers of the benchmark: several rankers as one, and temperatures that fit."""

import numpy as np
import pytest
from people import people

from attackers import Ensemble, calibrate
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.words import Words
from maskwise.errors import InputError

POPULATION = people(40)
BM25 = Lexical.fit(POPULATION)


class Model:
    """A ranker of another kind, which reads as `pieces` does."""

    name = "model"

    def __init__(self):
        self.ranker = Lexical.fit(POPULATION, "pieces")

    def __len__(self):
        return len(self.ranker)

    def read(self, words):
        return self.ranker.read(words)


def test_an_ensemble_adds_what_its_models_say():
    model = Model()
    both = Ensemble([model, BM25])
    assert (both.name, len(both)) == ("model+bm25", 40)
    words = Words(POPULATION[7].text)
    masks = np.zeros((2, len(words)), dtype=bool)
    masks[1, 3:8] = True
    rows = both.read(words.texts).score(masks)
    parts = [one.read(words.texts).score(masks) for one in (model, BM25)]
    wanted = both.weights[0] * parts[0] + both.weights[1] * parts[1]
    assert np.ptp(rows - wanted, axis=1) == pytest.approx(0, abs=1e-4)
    assert both.weights[0] > both.weights[1] > 0
    assert np.allclose(np.exp(rows.astype(np.float64)).sum(axis=1), 1, atol=1e-5)
    alone = Ensemble([model, BM25], weights=[0, 1]).read(words.texts)
    assert (
        alone.score(masks).argmax(axis=1) == BM25.read(words.texts).score(masks).argmax(axis=1)
    ).all()
    falls = both.read(words.texts).screen(masks[1], 7)
    assert (falls[3:8] == 0).all()
    assert (falls > 0).any()


def test_an_ensemble_of_strangers_is_refused():
    with pytest.raises(InputError, match="one population"):
        Ensemble([BM25, Lexical.fit(people(12))])
    with pytest.raises(InputError, match="give one for each"):
        Ensemble([BM25], weights=[1, 2])


def test_calibration_finds_the_temperature_that_fits():
    documents = [(profile.text, at) for at, profile in enumerate(POPULATION)]
    fitted = calibrate(BM25, documents)
    assert fitted.temperature != BM25.temperature
    assert calibrate(BM25, []) is BM25

    def measure_likelihood(ranker):
        draw = np.random.default_rng(1)
        found = []
        for text, at in documents:
            words = Words(text)
            masks = draw.random((1, len(words))) < draw.random()
            found.append(ranker.read(words.texts).score(masks)[0, at])
        return np.mean(found)

    others = [
        Lexical.fit(POPULATION, temperature=fitted.temperature * factor) for factor in (0.3, 3)
    ]
    assert all(measure_likelihood(fitted) > measure_likelihood(other) for other in others)
