"""The neural attacker, on a network small enough for a test."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from torch.nn import functional

from maskwise.attack.attacker import Background
from maskwise.attack.scenario import assemble_scenario
from maskwise.attack.trir import attack_scenario
from maskwise.train.tria import NeuralAttacker


@pytest.fixture
def neural(checkpoint):
    return NeuralAttacker(
        checkpoint,
        lr=3e-3,
        rows=4,
        epochs=3,
        patience=3,
        mlm_epochs=1,
        size=12,
        overlap=3,
        workers=1,
    )


def test_scores_every_text_for_every_person_and_the_same_for_the_same_seed(neural, texts):
    lives = texts[:3]
    trial = tuple(enumerate(text.split(" ", 2)[2] for text in lives))
    background = Background(lives, tuple(text for _, text in trial), trial)
    score = neural.fit(background, seed=1)
    found = score([*lives, ""])
    assert found.shape == (4, 3)
    assert np.isfinite(found).all()
    assert found[3].tolist() == [0, 0, 0]
    np.testing.assert_array_equal(found, neural.fit(background, seed=1)([*lives, ""]))


def test_learns_each_window_as_its_owners_once_per_epoch(neural, texts, monkeypatch):
    learnt = Counter()

    def count(logits, people):
        learnt.update(people.tolist())
        return functional.cross_entropy(logits, people)

    monkeypatch.setattr("maskwise.train.tria.functional", SimpleNamespace(cross_entropy=count))
    attacker = replace(neural, mlm_epochs=0, epochs=2)
    attacker.fit(Background(texts[:3], tuple(text[20:] for text in texts[:3]), ()))
    _, owners = attacker._cut_windows(
        attacker._encode_texts([*texts[:3], *(text[20:] for text in texts[:3])])
    )
    assert learnt == {person: 2 * count for person, count in Counter((owners % 3).tolist()).items()}


def test_attacks_a_scenario_and_is_fitted_once(neural, texts, monkeypatch):
    fitted = []
    real = NeuralAttacker.fit
    monkeypatch.setattr(
        NeuralAttacker,
        "fit",
        lambda self, known, seed: fitted.append(known) or real(self, known, seed),
    )
    names = ["Ada Brandvold", "Tomas Quillfeather", "Mira Solanki"]
    scenario = assemble_scenario(
        zip(names, texts, strict=False), {"clear": list(zip(names, texts, strict=False))}
    )

    def hide(originals, people):
        return [text.replace(name, "***") for text, name in zip(originals, people, strict=True)]

    report = attack_scenario(scenario, [neural], hide, people=2)
    [known] = fitted
    assert len(known.masked) == 3
    assert len(known.trial) == 2
    assert "Ada Brandvold" not in known.masked[0]
    guesses = report.scorers["neural"](scenario.background).argmax(axis=1)
    assert report.columns["clear"].hits["neural"].tolist() == [
        [bool(guess == at) for at, guess in enumerate(guesses)]
    ]
