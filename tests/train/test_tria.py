"""The neural attacker, on a network small enough for a test."""

import numpy as np
import pytest

from maskwise.attack.attacker import Background
from maskwise.attack.scenario import assemble_scenario
from maskwise.attack.trir import attack
from maskwise.train.tria import Neural


@pytest.fixture
def neural(checkpoint):
    return Neural(checkpoint, lr=3e-3, rows=4, epochs=40, patience=40, mlm_epochs=1, size=12, overlap=3, workers=1)


def test_learns_whose_text_it_is(neural, texts):
    lives = texts[:3]
    trial = tuple(enumerate(text.split(" ", 2)[2] for text in lives))
    background = Background(lives, tuple(text for _, text in trial), trial)
    score = neural.fit(background, seed=1)
    found = score([*lives, ""])
    assert found.shape == (4, 3)
    assert found[:3].argmax(axis=1).tolist() == [0, 1, 2]
    assert found[3].tolist() == [0, 0, 0]
    np.testing.assert_array_equal(found, neural.fit(background, seed=1)([*lives, ""]))


def test_attacks_a_scenario_and_is_fitted_once(neural, texts, monkeypatch):
    fitted = []
    real = Neural.fit
    monkeypatch.setattr(Neural, "fit", lambda self, known, seed: fitted.append(known) or real(self, known, seed))
    names = ["Ada Brandvold", "Tomas Quillfeather", "Mira Solanki"]
    scenario = assemble_scenario(zip(names, texts, strict=False), {"clear": list(zip(names, texts, strict=False))})

    def hide(originals, people):
        return [text.replace(name, "***") for text, name in zip(originals, people, strict=True)]

    report = attack(scenario, [neural], hide, people=2)
    [known] = fitted
    assert len(known.masked) == 3
    assert len(known.trial) == 2
    assert "Ada Brandvold" not in known.masked[0]
    guesses = report.scorers["neural"](scenario.background).argmax(axis=1)
    assert report.columns["clear"].hits["neural"].tolist() == [[bool(guess == at) for at, guess in enumerate(guesses)]]
