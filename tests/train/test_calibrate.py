from __future__ import annotations

import numpy as np
import pytest

from maskwise.lm.calibration import Calibration
from maskwise.train.calibrate import as_config, fit_isotonic, fit_temperature, log_loss


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
    assert log_loss(calibration(said), happened) < log_loss(said, happened) - 0.02
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
    assert Calibration.parse(as_config(calibration)) == calibration
