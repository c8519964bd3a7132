"""Plots as SVG text for a page. They need matplotlib (the extra `[report]`), which is imported on use."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from maskwise.errors import PluginError
from maskwise.evaluate.agreement import Disagreements
from maskwise.evaluate.tab import Score

Point = tuple[str, float, float]  # name, x, y
INK, SOFT, ACCENT = "#24292f", "#b6c2cf", "#0b6e99"
_PROLOGUE = re.compile(r".*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_NAMESPACES = re.compile(r'\s(?:xmlns(?::\w+)?)="[^"]*"')


def plot_intervals(scores: Mapping[str, Score], title: str) -> str:
    """Bars with 95 % intervals, one per name. Values that are not known are left out."""
    known = {name: score for name, score in scores.items() if score.value == score.value}
    height = 0.6 + 0.32 * max(1, len(known))
    figure, axes = _make_axes(6.4, height)
    places = np.arange(len(known))[::-1]
    values = np.array([score.value for score in known.values()])
    low = np.clip(values - [score.low for score in known.values()], 0, None)
    high = np.clip([score.high for score in known.values()] - values, 0, None)
    axes.barh(
        places,
        values,
        color=SOFT,
        xerr=(low, high),
        error_kw={"ecolor": INK, "capsize": 2},
        height=0.7,
    )
    axes.set_yticks(places, list(known))
    axes.set_xlim(0, 1)
    return _write_svg(figure, axes, title)


def plot_curve(points: Sequence[Point], title: str, x: str, y: str) -> str:
    """Points of one system joined in order, each with its name."""
    figure, axes = _make_axes(5.4, 4.0)
    axes.plot([p[1] for p in points], [p[2] for p in points], "-o", color=ACCENT, markersize=4)
    _write_names(axes, points)
    return _write_svg(figure, axes, title, x, y)


def plot_pareto(points: Sequence[Point], title: str, x: str, y: str) -> str:
    """All points. Those that no other beats on both axes are filled and joined."""
    figure, axes = _make_axes(5.4, 4.0)
    best = sorted(find_front(points), key=lambda p: p[1])
    axes.plot([p[1] for p in points], [p[2] for p in points], "o", color=SOFT)
    axes.plot([p[1] for p in best], [p[2] for p in best], "-o", color=ACCENT)
    _write_names(axes, points)
    return _write_svg(figure, axes, title, x, y)


def find_front(points: Sequence[Point]) -> list[Point]:
    """Points that no other equals or beats on both axes and beats on one."""

    def is_beaten(point: Point) -> bool:
        _, x, y = point
        return any(a >= x and b >= y and (a > x or b > y) for _, a, b in points)

    return [point for point in points if not is_beaten(point)]


def plot_heatmap(found: Disagreements) -> str:
    """How often one label is given against another. Agreement, the diagonal, has no colour."""
    size = len(found.labels)
    figure, axes = _make_axes(1.8 + 0.55 * size, 1.2 + 0.5 * size)
    shown = np.where(np.eye(size, dtype=bool), 0, found.matrix)
    axes.imshow(shown, cmap="Blues")
    limit = shown.max(initial=0) / 2
    for i in range(size):
        for j in range(size):
            if i != j:
                colour = "white" if shown[i, j] > limit else INK
                axes.text(j, i, f"{shown[i, j]}", ha="center", va="center", color=colour)
    axes.set_xticks(range(size), found.labels, rotation=45, ha="right")
    axes.set_yticks(range(size), found.labels)
    return _write_svg(figure, axes, f"Disagreement on {found.attribute} (spans)")


def _write_names(axes: Any, points: Sequence[Point]) -> None:
    """Writes the names beside their points. A name may be empty."""
    for name, x, y in points:
        axes.annotate(name, (x, y), textcoords="offset points", xytext=(5, 4), fontsize=8)


def load_figure() -> Any:
    """The figure class of matplotlib. Call it before long work, so that a missing library stops that early."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise PluginError("plots need matplotlib: pip install 'maskwise[report]'") from error
    matplotlib.rcParams.update(
        {"svg.hashsalt": "maskwise", "svg.fonttype": "none", "font.family": "sans-serif"}
    )
    return Figure


def _make_axes(width: float, height: float) -> tuple[Any, Any]:
    figure = load_figure()(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _write_svg(figure: Any, axes: Any, title: str, x: str = "", y: str = "") -> str:
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    svg = _PROLOGUE.sub("", stream.getvalue(), count=1)
    return _METADATA.sub("", svg)


def inline_svg(svg: str) -> str:
    """The SVG for use inside HTML, without the namespaces, so that a page names no address."""
    return _NAMESPACES.sub("", svg)
