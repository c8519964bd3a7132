from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from maskwise.lm import folder
from maskwise.lm.calibration import Calibration
from maskwise.train.calibrate import (
    FittedPoints,
    compute_log_loss,
    describe_calibration,
    fit_isotonic,
    fit_temperature,
    write_points,
)


def overconfident(seed: int, n: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    logit = random.normal(-1, 2, n)
    happened = random.random(n) < 1 / (1 + np.exp(-logit))
    said = 1 / (1 + np.exp(-(2.5 * logit + 0.7)))
    return said.astype(np.float32), happened.astype(np.float32)


@pytest.mark.parametrize("fit", [fit_temperature, fit_isotonic])
def test_calibration_lowers_the_loss_on_new_data(fit) -> None:
    calibration = fit(*overconfident(1))
    said, happened = overconfident(2)
    assert compute_log_loss(calibration(said), happened) < compute_log_loss(said, happened) - 0.02
    near = np.abs(calibration(said) - 0.5) < 0.05
    assert happened[near].mean() == pytest.approx(0.5, abs=0.06)


def test_the_temperature_is_found() -> None:
    calibration = fit_temperature(*overconfident(3))
    assert calibration.temperature == pytest.approx(2.5, abs=0.15)
    assert calibration.shift == pytest.approx(-0.28, abs=0.08)


def test_shares_of_annotators_are_targets_too() -> None:
    said = np.full(100, 0.9, dtype=np.float32)
    calibration = fit_isotonic(said, np.full(100, 0.25, dtype=np.float32))
    assert calibration(np.array([0.9], dtype=np.float32))[0] == pytest.approx(0.25)


def test_it_survives_the_configuration_file() -> None:
    calibration = fit_isotonic(*overconfident(4))
    assert Calibration.parse(describe_calibration(calibration)) == calibration


def test_new_points_keep_the_shifts_of_matches(tiny_folder: Path, tmp_path: Path) -> None:
    model = Path(shutil.copytree(tiny_folder, tmp_path / "model"))
    raw = json.loads((model / "config.json").read_text())
    shifts = {"types": {"ORG": 0.2}, "partial": {"words": 0.4, "types": {"LOC": 0.1}}}
    (model / "config.json").write_text(
        json.dumps(raw | {"calibration": shifts | {"mask": {"shift": 3.0}}})
    )
    before = folder.read_config(model)
    points = {name: {"detect": point.detect, "mask": 0.4} for name, point in before.points.items()}
    after = write_points(model, FittedPoints({"direct": {"shift": 1.0}}, points, {}))
    assert after.matches == before.matches
    assert (after.mask, after.direct) == (Calibration(), Calibration(shift=1.0))
    assert {point.mask for point in after.points.values()} == {0.4}
