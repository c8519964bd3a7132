"""The Pareto page: which points are on the frontier, and what the page says about each."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.attack.trir import Rate
from maskwise.evaluate.tab import Score
from maskwise.evaluate.tradeoff import (
    MaskedOutcome,
    PersonStanding,
    TradeOff,
    VersionKind,
    find_frontier,
    summarise_outcomes,
)
from maskwise.evaluate.utility import Utility
from maskwise.report.pareto import MEASURES, build_pareto_page, list_best
from maskwise.report.scatter import make_rank_axis, make_share_axis

SHARES = st.floats(0, 1)


def make_outcome(tpi, *ranks):
    utility = Utility(100.0, 100 * tpi, tpi, float("nan"), 1 - tpi, 1 - tpi)
    return MaskedOutcome(utility, tuple(PersonStanding(rank, 1 / rank) for rank in ranks))


def make_point(name, kept, found, kind=VersionKind.POLICY, **more):
    around = Score(kept, kept, kept)
    return TradeOff(name, kind, 4, 4, around, around, Score(found, found, found), **more)


@given(st.dictionaries(st.text(min_size=1), st.tuples(SHARES, SHARES), min_size=1))
def test_the_frontier_beats_every_point_that_is_not_on_it(places):
    best = find_frontier(places)
    assert [places[name] for name in best] == sorted(places[name] for name in best)
    for name, (x, y) in places.items():
        beaten = any(a >= x and b >= y and (a, b) != (x, y) for a, b in places.values())
        assert (name in best) != beaten


def test_a_point_counts_people_over_all_documents():
    outcomes = [make_outcome(0.5, 1, 40), make_outcome(0.7, 1), make_outcome(0.9)]
    point = summarise_outcomes("K = 5", VersionKind.CROWD, outcomes, Rate(0.2, 0.1, 0.4))
    assert (point.documents, point.people) == (3, 3)
    assert point.found.value == pytest.approx(2 / 3)
    assert 0 < point.found.low < point.found.value < point.found.high < 1
    assert (point.rank.value, point.rank.low, point.rank.high) == (1, 1, 40)
    assert point.kept.value == pytest.approx(0.7)
    assert point.probability == pytest.approx((1 + 1 + 1 / 40) / 3)
    assert point.to_json()["trir"] == {"value": 0.2, "low": 0.1, "high": 0.4}


def test_where_nobody_is_measured_a_point_has_no_risk():
    point = summarise_outcomes("strict", VersionKind.POLICY, [make_outcome(0.5)])
    assert (point.people, point.found, point.rank, point.probability) == (0, None, None, None)
    page = build_pareto_page([point], {})
    assert "<svg class" not in page
    assert "50.0%" in page


def test_the_page_requests_nothing_and_draws_every_point_once_per_measure():
    rank = Score(30, 10, 90)
    points = [
        make_point("clear <text>", 1.0, 1.0, VersionKind.CLEAR, rank=Score(1, 1, 1)),
        make_point("strict", 0.4, 0.5, rank=rank),
        make_point("worse", 0.3, 0.6, rank=Score(2, 1, 3)),
        make_point("K = 20", 0.5, 0.0, VersionKind.CROWD, rank=rank),
    ]
    page = build_pareto_page(points, {"seed": "0"}, ["4 people of 4 documents."])
    assert not re.search(r"https?:|<script|<link|url\(", page)
    plots = re.findall(r'<svg class="plot".*?</svg>', page, re.DOTALL)
    assert len(plots) == 2
    for plot in plots:
        drawn = ElementTree.fromstring(plot)
        shown = [one.get("class") for one in drawn.iter("g") if one.get("tabindex") == "0"]
        assert shown == ["point clear best", "point policy", "point policy", "point crowd best"]
        names = {one.text for one in drawn.iter("text") if one.get("class") == "name"}
        assert names == {"clear <text>", "strict", "worse", "K = 20"}
    assert list_best(MEASURES[0], points) == ["K = 20", "clear <text>"]
    assert "found in the crowd 60.0% (60.0% to 60.0%)" in page
    assert "4 people of 4 documents." in page


@given(SHARES)
def test_a_share_axis_reaches_from_its_lowest_value_to_the_whole(low):
    axis = make_share_axis("kept", low)
    assert axis.low <= low or low > 0.9
    assert axis.ticks[-1] == (1.0, "100%")
    assert all(axis.low <= value <= 1 for value, _ in axis.ticks)
    assert len(axis.ticks) > 1


@given(st.integers(1, 10**7))
def test_a_rank_axis_holds_the_highest_rank(highest):
    axis = make_rank_axis("rank", highest)
    assert axis.low == 1
    assert axis.high >= highest
    scale = axis.make_scale(400, 20)
    assert 20 - 1e-9 <= scale(highest) <= 400 + 1e-9
