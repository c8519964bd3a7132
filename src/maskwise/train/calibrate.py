"""Calibration on held-out documents, so that .5 means .5: temperature and shift (Guo et al. 2017), or isotonic."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from maskwise.lm.calibration import Calibration, logit

Floats = NDArray[np.float64]
_EDGE = 1e-6


def fit_temperature(
    probability: NDArray[np.float32], happened: NDArray[np.float32], *, rounds: int = 50
) -> Calibration:
    """The temperature and shift of the logit with the least log-loss, by Newton's method. `happened` may be shares."""
    x = logit(probability, _EDGE)
    y = happened.astype(np.float64)
    scale, shift = 1.0, 0.0
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-(scale * x + shift)))
        error, weight = p - y, np.maximum(p * (1 - p), 1e-12)
        gradient = np.array([(error * x).mean(), error.mean()])
        curve = np.array([[(weight * x * x).mean(), (weight * x).mean()], [(weight * x).mean(), weight.mean()]])
        step = np.linalg.solve(curve + 1e-9 * np.eye(2), gradient)
        step *= min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-12))  # far from the solution Newton overshoots
        scale, shift = max(scale - float(step[0]), 1e-2), shift - float(step[1])
        if np.abs(step).max() < 1e-8:
            break
    return Calibration(round(1 / scale, 6), round(shift, 6))


def fit_isotonic(probability: NDArray[np.float32], happened: NDArray[np.float32], *, knots: int = 40) -> Calibration:
    """A rising line by pooling adjacent violators, thinned to at most about `knots` points."""
    order = np.argsort(probability, kind="stable")
    x, y = probability[order].astype(np.float64), happened[order].astype(np.float64)
    blocks = _pool_violators(x, y, max(len(x) // (20 * knots), 1))
    centres, levels = np.array([b[0] for b in blocks]), np.array([b[1] for b in blocks])
    keep = np.unique(np.linspace(0, len(centres) - 1, min(knots, len(centres))).round().astype(int))
    points = {round(float(centres[i]), 6): round(float(np.clip(levels[i], 0, 1)), 6) for i in keep}
    return Calibration(knots=tuple(sorted(points.items())))


def compute_log_loss(probability: NDArray[np.float32], happened: NDArray[np.float32]) -> float:
    """Mean of -(y log p + (1 - y) log(1 - p))."""
    p = np.clip(probability.astype(np.float64), _EDGE, 1 - _EDGE)
    return float(-(happened * np.log(p) + (1 - happened) * np.log(1 - p)).mean())


def describe_calibration(calibration: Calibration) -> dict[str, object]:
    """How `config.json` writes it."""
    return {"temperature": calibration.temperature, "shift": calibration.shift, "knots": calibration.knots}


def _pool_violators(x: Floats, y: Floats, least: int) -> list[tuple[float, float]]:
    """Blocks (mean x, mean y) of rising mean; each holds at least `least` points, so that no single one is a step."""
    stack: list[tuple[float, float, float]] = []  # sum x, sum y, count
    for at in range(0, len(x), least):
        block = (float(x[at : at + least].sum()), float(y[at : at + least].sum()), float(len(x[at : at + least])))
        while stack and stack[-1][1] * block[2] >= block[1] * stack[-1][2]:
            last = stack.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        stack.append(block)
    return [(sx / n, sy / n) for sx, sy, n in stack]
