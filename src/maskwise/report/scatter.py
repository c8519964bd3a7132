"""A scatter plot with a frontier, as SVG text. It needs no library, has no script, and follows light and dark.

Colours and sizes are classes; the page's style sheet gives them. Names stand beside their points where there is room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 62, 24, 18, 54  # room for axes and names
_CHARACTER, _LINE = 6.7, 13.0  # size of a letter in a name
_RADIUS = 5.5
# Where a name may stand, as steps from its point, and how the text is anchored there. The first that is free is taken.
_SIDES = ((9, 4, "start"), (-9, 4, "end"), (0, -11, "middle"), (0, 19, "middle"), (9, -9, "start"),
          (-9, -9, "end"), (9, 16, "start"), (-9, 16, "end"), (0, -24, "middle"), (0, 32, "middle"),
          (24, -22, "start"), (-24, -22, "end"), (24, 29, "start"), (-24, 29, "end"))  # fmt: skip
Scale = Callable[[float], float]


class Extent(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A named point. `group` is its class in the style sheet, `about` are the lines of its tooltip."""

    name: str
    group: str
    x: Extent
    y: Extent
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlotAxis:
    """An axis: what it says, its ticks with their texts, and its ends."""

    title: str
    ticks: tuple[tuple[float, str], ...]
    low: float
    high: float
    is_log: bool = False

    def make_scale(self, start: float, end: float) -> Scale:
        """A function from values to places between `start` and `end`. Values beyond the ends stay at them."""

        def convert(value: float) -> float:
            return math.log(value) if self.is_log else value

        first, last = convert(self.low), convert(self.high)

        def scale(value: float) -> float:
            inside = min(max(value, self.low), self.high)
            return start + (end - start) * (convert(inside) - first) / (last - first)

        return scale


def make_share_axis(title: str, low: float = 0.0) -> PlotAxis:
    """An axis of shares from a round number at or under `low` to 100 %."""
    first = math.floor(min(max(low, 0.0), 0.9) * 10) / 10
    step = 0.1 if first >= 0.5 else 0.2
    count = round((1 - first) / step + 0.499)
    values = sorted(
        {round(1 - at * step, 2) for at in range(count + 1) if 1 - at * step >= first - 1e-9}
    )
    ticks = tuple((value, f"{value:.0%}") for value in values)
    return PlotAxis(title, ticks, first, 1.0)


def make_rank_axis(title: str, highest: float) -> PlotAxis:
    """An axis of ranks from 1 to the first power of ten from `highest` on, by powers of ten."""
    powers = max(1, math.ceil(math.log10(max(highest, 2))))
    ticks = tuple((float(10**at), f"{10**at:,}") for at in range(powers + 1))
    return PlotAxis(title, ticks, 1.0, float(10**powers), is_log=True)


def draw_scatter(
    points: Sequence[PlotPoint],
    frontier: Sequence[str],
    joined: Sequence[Sequence[str]],
    x: PlotAxis,
    y: PlotAxis,
    key: str,
) -> str:
    """The plot. `frontier` names the points that none beats, `joined` are points of one family in order.

    `key` makes the ids of this plot's points unique on a page.
    """
    across = x.make_scale(LEFT, WIDTH - RIGHT)
    down = y.make_scale(HEIGHT - BOTTOM, TOP)
    places = {point.name: (across(point.x.value), down(point.y.value)) for point in points}
    names = _place_names(points, places, set(frontier))
    parts = [
        *_draw_axes(x, y, across, down),
        *(_draw_line("family", [places[name] for name in line]) for line in joined),
        _draw_line("frontier", [places[name] for name in frontier]),
        *(_draw_interval(point, across, down) for point in points),
    ]
    for at, point in enumerate(points):
        is_best = point.name in frontier
        parts.append(
            _draw_point(f"{key}{at}", point, places[point.name], names[point.name], is_best)
        )
    for at, point in enumerate(points):
        parts.append(_draw_tip(f"{key}{at}", point, places[point.name]))
    body = "\n".join(parts)
    title = escape(f"{y.title} against {x.title}")
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg class="plot" {size} role="group" aria-label="{title}">\n{body}\n</svg>'


def write_tip_rules(key: str, count: int) -> str:
    """The style rules that show a tooltip above all points while its point is pointed at or has the focus."""
    shown = [
        f".plot:has(#{key}{at}:hover) #tip-{key}{at}, .plot:has(#{key}{at}:focus-visible) #tip-{key}{at}"
        for at in range(count)
    ]
    return f"{', '.join(shown)} {{ visibility: visible; }}" if shown else ""


def _draw_axes(x: PlotAxis, y: PlotAxis, across: Scale, down: Scale) -> Iterator[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for value, text in x.ticks:
        at = across(value)
        yield f'<line class="grid" x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{bottom}"/>'
        yield f'<text class="tick" x="{at:.1f}" y="{bottom + 18}" text-anchor="middle">{text}</text>'
    for value, text in y.ticks:
        at = down(value)
        yield f'<line class="grid" x1="{LEFT}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}"/>'
        yield f'<text class="tick" x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{text}</text>'
    middle = (LEFT + right) / 2
    yield f'<text class="axis" x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x.title)}</text>'
    height = (TOP + bottom) / 2
    turned = f'transform="translate(14 {height}) rotate(-90)"'
    yield f'<text class="axis" {turned} text-anchor="middle">{escape(y.title)}</text>'


def _draw_line(kind: str, places: Sequence[tuple[float, float]]) -> str:
    if len(places) < 2:
        return ""
    written = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline class="{kind}" points="{written}"/>'


def _draw_interval(point: PlotPoint, across: Scale, down: Scale) -> str:
    x, y = across(point.x.value), down(point.y.value)
    left, right = across(point.x.low), across(point.x.high)
    low, high = down(point.y.low), down(point.y.high)
    group = f'<g class="interval {point.group}">'
    wide = f'<line x1="{left:.1f}" y1="{y:.1f}" x2="{right:.1f}" y2="{y:.1f}"/>'
    tall = f'<line x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}"/>'
    return f"{group}{wide}{tall}</g>"


class _Name(NamedTuple):
    x: float
    y: float
    anchor: str


def _draw_point(
    id: str, point: PlotPoint, place: tuple[float, float], name: _Name, is_best: bool
) -> str:
    x, y = place
    kind = f"point {point.group}{' best' if is_best else ''}"
    said = escape(". ".join((point.name, *point.about)))
    head = f'<g id="{id}" class="{kind}" tabindex="0" role="img" aria-label="{said}">'
    reach = f'<circle class="reach" cx="{x:.1f}" cy="{y:.1f}" r="12"/>'
    mark = _draw_mark(point.group, x, y)
    text = f'<text class="name" x="{name.x:.1f}" y="{name.y:.1f}" text-anchor="{name.anchor}">'
    return f"{head}{reach}{mark}{text}{escape(point.name)}</text></g>"


def _draw_mark(group: str, x: float, y: float) -> str:
    """A shape per group, so that readers need not tell colours apart."""
    r = _RADIUS
    if group == "recall":
        return f'<path class="mark" d="M{x:.1f} {y - r:.1f}l{r} {r}l{-r} {r}l{-r} {-r}z"/>'
    if group == "crowd":
        side = 2 * r - 1
        corner = f'x="{x - side / 2:.1f}" y="{y - side / 2:.1f}"'
        return f'<rect class="mark" {corner} width="{side}" height="{side}"/>'
    if group == "clear":
        return f'<path class="mark" d="M{x - r:.1f} {y + r:.1f}h{2 * r}l{-r} {-2 * r}z"/>'
    return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>'


def _draw_tip(id: str, point: PlotPoint, place: tuple[float, float]) -> str:
    """A box with what is known of a point, beside it, inside the plot."""
    lines = (point.name, *point.about)
    width = max(map(len, lines)) * 6.4 + 20
    height = len(lines) * 17 + 12
    x = place[0] + 14 if place[0] + 14 + width < WIDTH else place[0] - 14 - width
    x = max(x, 2)
    y = min(max(place[1] - height / 2, 2), HEIGHT - height - 2)
    box = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.0f}" height="{height}" rx="5"/>'
    texts = ""
    for at, line in enumerate(lines):
        kind = ' class="head"' if at == 0 else ""
        texts += f'<text{kind} x="{x + 10:.1f}" y="{y + 20 + at * 17:.1f}">{escape(line)}</text>'
    return f'<g id="tip-{id}" class="tip" aria-hidden="true">{box}{texts}</g>'


_Box = tuple[float, float, float, float]  # left, top, right, bottom


def _place_names(
    points: Sequence[PlotPoint], places: Mapping[str, tuple[float, float]], first: set[str]
) -> dict[str, _Name]:
    """Where each name stands. Points of the frontier choose first; a name avoids points and other names."""
    taken: list[_Box] = [
        (x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in places.values()
    ]
    found: dict[str, _Name] = {}
    ordered = sorted(points, key=lambda point: (point.name not in first, places[point.name]))
    for point in ordered:
        choices = [_try_side(point.name, places[point.name], side) for side in _SIDES]
        name, box = min(choices, key=lambda choice: _measure_clash(choice[1], taken))
        found[point.name] = name
        taken.append(box)
    return found


def _try_side(
    name: str, place: tuple[float, float], side: tuple[float, float, str]
) -> tuple[_Name, _Box]:
    x, y = place[0] + side[0], place[1] + side[1]
    width = len(name) * _CHARACTER
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[side[2]]
    return _Name(x, y, side[2]), (left, y - _LINE + 3, left + width, y + 3)


def _measure_clash(box: _Box, taken: Sequence[_Box]) -> float:
    """The area that a box shares with others, and what of it lies outside of the axes."""
    left, top, right, bottom = box
    inside = _share_area(box, (LEFT, TOP, WIDTH, HEIGHT - BOTTOM))
    outside = (right - left) * (bottom - top) - inside
    return outside * 3 + sum(_share_area(box, other) for other in taken)


def _share_area(one: _Box, other: _Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)
