"""The decider that AutoGluon finds, against the real library."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from maskwise.errors import InputError
from maskwise.risk import deciders
from maskwise.train.automl import search_decider


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    x = random.normal(size=(600, 5))
    x[random.random(600) < 0.1, 2] = np.nan
    share = np.round(deciders.sigmoid(3 * x[:, 0] - 2 * np.nan_to_num(x[:, 2])), 1)
    return x, share, random.integers(0, 8, 600)


def test_what_is_found_is_json_and_better_than_a_guess(
    data: tuple[np.ndarray, np.ndarray, np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, share, fold = data
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    raw, unseen = search_decider(x, share, np.ones(len(x)), fold, seconds=90)
    assert not list(tmp_path.iterdir())  # what AutoGluon kept while it searched is gone
    decide = deciders.parse_decider(json.loads(json.dumps({**raw, "threshold": 0.5})))
    said = decide(x)
    assert ((said > 0) & (said < 1)).all()
    assert np.corrcoef(said, share)[0, 1] > 0.95
    assert np.corrcoef(unseen, share)[0, 1] > 0.85
    assert np.abs(unseen - said).max() > 0.01  # other models, which had not seen the rows


def test_too_little_time_is_one_clear_line(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    x, share, fold = data
    with pytest.raises(InputError, match="give it more"):
        search_decider(x, share, np.ones(len(x)), fold, seconds=0.01)
