"""The page that `maskwise pareto` writes: privacy against information kept, one point per way to mask.

It is self-contained, has no script and requests nothing. It names no person and holds no text of a document.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from maskwise.evaluate.tab import Score
from maskwise.evaluate.tradeoff import TradeOff, VersionKind, find_frontier
from maskwise.report.scatter import (
    Extent,
    PlotAxis,
    PlotPoint,
    draw_scatter,
    make_rank_axis,
    make_share_axis,
    write_tip_rules,
)

GROUPS = {
    VersionKind.CLEAR: "clear",
    VersionKind.POLICY: "policy",
    VersionKind.RECALL: "recall",
    VersionKind.CROWD: "crowd",
}
_KEPT = "information kept (share of -log p of the language model)"
_JOINED = (VersionKind.RECALL, VersionKind.CROWD)
_MARKS = {
    "clear": "M2 14h12l-6 -12z",
    "policy": "M8 2.5a5.5 5.5 0 1 0 .01 0z",
    "recall": "M8 2l6 6l-6 6l-6 -6z",
    "crowd": "M3 3h10v10h-10z",
}


@dataclass(frozen=True, slots=True)
class Privacy:
    """A measure of privacy on the page: where its value comes from, its axis, and what is said about it."""

    title: str
    said: str
    axis: str
    read: Callable[[TradeOff], Score | None]
    is_rank: bool = False


MEASURES = (
    Privacy(
        "Found in the crowd",
        "A person is found where an attacker ranks them first in the crowd.",
        "people not found in the crowd",
        lambda point: _turn_over(point.found),
    ),
    Privacy(
        "Rank in the crowd",
        "The median over people of the best rank that an attacker gives them. Scale: powers of ten.",
        "median rank in the crowd",
        lambda point: point.rank,
        is_rank=True,
    ),
    Privacy(
        "Found with background texts (TRIR)",
        "A person is found where an attacker who read a text about every person picks the right one.",
        "people not re-identified (1 - TRIR)",
        lambda point: _turn_over(point.trir),
    ),
)


def build_pareto_page(
    points: Sequence[TradeOff], facts: Mapping[str, str], notes: Sequence[str] = ()
) -> str:
    """The whole page. Measures that no point has are left out. `notes` say what a reader must know of the figures."""
    measured = [one for one in MEASURES if any(one.read(point) for point in points)]
    sections = [_build_section(at, one, points) for at, one in enumerate(measured)]
    rules = "\n".join(write_tip_rules(_make_key(at), len(points)) for at in range(len(measured)))
    style = files("maskwise.report").joinpath("pareto.css").read_text("utf-8") + rules
    said = "".join(f"<p>{escape(line)}</p>" for line in notes)
    about = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items())
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Privacy against information kept</title>
<style>{style}</style>
</head>
<body>
<h1>Privacy against information kept</h1>
<p class="soft">Up and to the right is better. Filled points are the frontier: no other point is at least as private
and keeps at least as much. Lines across a point are its 95 % intervals. Point at it, or reach it with Tab,
for its figures.</p>
<div class="soft">{said}</div>
{"".join(sections)}
<section><h2>All figures</h2>{_build_table(points, measured)}</section>
<section><h2>How it was made</h2><dl>{about}</dl></section>
</body>
</html>
"""


def _make_key(at: int) -> str:
    return "abc"[at]


def _build_section(at: int, measure: Privacy, points: Sequence[TradeOff]) -> str:
    shown = [(point, score) for point in points if (score := measure.read(point)) is not None]
    placed = [_make_point(point, score) for point, score in shown]
    best = list_best(measure, points)
    joined = [[p.name for p, _ in shown if p.kind is kind] for kind in _JOINED]
    lowest = min(point.x.low for point in placed)
    across = make_share_axis(_KEPT, lowest)
    plot = draw_scatter(placed, best, joined, across, _make_axis(measure, placed), _make_key(at))
    title = escape(measure.title)
    return (
        f"<section><h2>{title}</h2><p>{escape(measure.said)}</p>"
        f"<figure>{plot}<figcaption>{_build_key(points)}</figcaption></figure></section>"
    )


def list_best(measure: Privacy, points: Sequence[TradeOff]) -> list[str]:
    """The names of the points on the frontier of a measure."""
    places = {}
    for point in points:
        score = measure.read(point)
        if score is not None:
            places[point.name] = (point.kept.value, score.value)
    return find_frontier(places)


def _make_axis(measure: Privacy, points: Sequence[PlotPoint]) -> PlotAxis:
    if measure.is_rank:
        return make_rank_axis(measure.axis, max(point.y.high for point in points))
    return make_share_axis(measure.axis, min(point.y.low for point in points))


def _make_point(point: TradeOff, score: Score) -> PlotPoint:
    about = [
        f"information kept {_format_share(point.kept)}",
        f"words masked {_format_share(point.words_masked)}",
    ]
    if point.found and point.rank:
        about += [
            f"found in the crowd {_format_share(point.found)}",
            f"median rank {_format_rank(point.rank)}",
        ]
    if point.trir:
        about.append(f"TRIR {_format_share(point.trir)}")
    return PlotPoint(
        point.name,
        GROUPS[point.kind],
        _read_extent(point.kept),
        _read_extent(score),
        tuple(about),
    )


def _build_key(points: Sequence[TradeOff]) -> str:
    present = [kind for kind in VersionKind if any(point.kind is kind for point in points)]
    items = "".join(
        f'<li class="{GROUPS[kind]} best"><svg viewBox="0 0 16 16" aria-hidden="true">'
        f'<path class="mark" d="{_MARKS[GROUPS[kind]]}"/></svg>{kind.value}</li>'
        for kind in present
    )
    return f'<ul class="key">{items}</ul>'


def _build_table(points: Sequence[TradeOff], measured: Sequence[Privacy]) -> str:
    has_crowd = any(point.found for point in points)
    has_trir = any(point.trir for point in points)
    heads = ["version", "information kept", "words masked"]
    heads += ["found in the crowd", "median rank", "mean probability"] if has_crowd else []
    heads += ["TRIR"] if has_trir else []
    heads.append("frontier of")
    best = {one.title: set(list_best(one, points)) for one in measured}
    rows = []
    for point in points:
        on = [title.casefold() for title, names in best.items() if point.name in names]
        cells = list(_list_cells(point, has_crowd, has_trir))
        body = "".join(f"<td>{cell}</td>" for cell in (*cells, escape(", ".join(on))))
        best_row = ' class="best"' if on else ""
        rows.append(f'<tr{best_row}><th scope="row">{escape(point.name)}</th>{body}</tr>')
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="scroll">{table}</div>'


def _list_cells(point: TradeOff, has_crowd: bool, has_trir: bool) -> Iterator[str]:
    yield _format_cell(point.kept)
    yield _format_cell(point.words_masked)
    if has_crowd:
        yield _format_cell(point.found)
        yield escape(_format_rank(point.rank)) if point.rank else "not measured"
        yield "not measured" if point.probability is None else f"{point.probability:.3f}"
    if has_trir:
        yield _format_cell(point.trir)


def _format_cell(score: Score | None) -> str:
    if score is None:
        return "not measured"
    return f"{score.value:.1%} <small>{score.low:.1%} to {score.high:.1%}</small>"


def _format_share(score: Score) -> str:
    return f"{score.value:.1%} ({score.low:.1%} to {score.high:.1%})"


def _format_rank(score: Score) -> str:
    return f"{score.value:,.0f} ({score.low:,.0f} to {score.high:,.0f})"


def _read_extent(score: Score) -> Extent:
    return Extent(score.value, score.low, score.high)


def _turn_over(score: Score | None) -> Score | None:
    """A share of people found as the share of people not found."""
    if score is None:
        return None
    return Score(1 - score.value, 1 - score.high, 1 - score.low)
