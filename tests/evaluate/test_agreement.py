"""Agreement: coefficients against values worked out by hand or published, ceilings on corpora where they are known."""

import sys

import numpy as np
import pytest
from corpora import corpus, document, mention, spans

from maskwise.errors import PluginError
from maskwise.evaluate import agreement as measures
from maskwise.evaluate.agreement import (
    compute_cohen,
    compute_fleiss,
    compute_krippendorff,
    compute_observed,
)
from maskwise.evaluate.tab import summarise_counts
from maskwise.report.plots import find_front, inline_svg, load_figure, plot_heatmap


def weights(labels):
    return np.ones(labels.shape[1])


def columns(table):
    """Labels from a table of how many raters chose each category."""
    return np.array([np.repeat(np.arange(1, len(row) + 1), row) for row in table]).T


# 14 raters, 10 subjects, 5 categories: the example of Fleiss' kappa that reference books carry, kappa .210.
FLEISS = columns(
    [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
)


def test_fleiss_of_the_reference_example():
    assert compute_observed(FLEISS, weights(FLEISS)) == pytest.approx(0.378, abs=0.001)
    assert compute_fleiss(FLEISS, weights(FLEISS)) == pytest.approx(0.210, abs=0.001)


def test_cohen_by_hand():
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: Ao = .7, Ae = .5, kappa = .4
    labels = np.array([[1] * 25 + [2] * 25, [1] * 20 + [2] * 5 + [1] * 10 + [2] * 15])
    assert compute_cohen(labels, weights(labels)) == pytest.approx(0.4)


def test_alpha_with_missing_values():
    # Krippendorff's example of four observers and twelve units, nominal: alpha = .743
    nan = 0
    labels = np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
            [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
        ]
    )
    assert compute_krippendorff(labels, weights(labels)) == pytest.approx(0.743, abs=0.001)


def test_an_item_of_weight_two_is_two_items():
    labels = FLEISS[:4, :6]
    doubled = np.concatenate([labels, labels[:, :2]], axis=1)
    weight = np.array([2.0, 2, 1, 1, 1, 1])
    for coefficient in (compute_observed, compute_fleiss, compute_cohen, compute_krippendorff):
        assert coefficient(labels, weight) == pytest.approx(coefficient(doubled, weights(doubled)))


def test_full_agreement_is_1_and_the_order_of_annotators_does_not_matter():
    same = np.array([[1, 2, 0, 3]] * 3)
    for coefficient in (compute_observed, compute_fleiss, compute_cohen, compute_krippendorff):
        assert coefficient(same, weights(same)) == 1
        assert coefficient(FLEISS, weights(FLEISS)) == pytest.approx(
            coefficient(FLEISS[::-1], weights(FLEISS))
        )


TEXT = "Ida Moe sued Arvo Ltd in Lund."
A = [mention(TEXT, "Ida Moe", "DIRECT", kind="PERSON"), mention(TEXT, "Arvo Ltd", kind="ORG")]
B = [
    mention(TEXT, "Ida Moe", "DIRECT", kind="PERSON"),
    mention(TEXT, "Arvo", "NO_MASK", kind="LOC"),
]
C = [
    mention(TEXT, "Ida Moe", "QUASI", kind="PERSON"),
    mention(TEXT, "Arvo Ltd", kind="DEM"),
    mention(TEXT, "Lund"),
]


def found(attribute, unit, *layers):
    made = corpus(document(TEXT, **{f"a{n}": layer for n, layer in enumerate(layers)}))
    return next(
        a for a in measures.measure_agreement(made) if (a.attribute, a.unit) == (attribute, unit)
    )


def test_spans_exact_and_partial_and_characters():
    # items: "Ida Moe" (same), "Arvo Ltd" and "Arvo" (one annotator each)
    assert found("entity type", "exact", A, B).scores["observed"].value == pytest.approx(1 / 3)
    # one place, ORG against LOC
    assert found("entity type", "partial", A, B).scores["observed"].value == pytest.approx(1 / 2)
    # "Arvo Ltd": 4 characters ORG against LOC, 4 against nothing
    assert found("entity type", "character", A, B).scores["observed"].value == pytest.approx(
        1 - 8 / len(TEXT)
    )
    # alpha does not see what one of them left out
    assert found("entity type", "exact", A, B).scores["alpha"].value == 1


def test_confidential_status_where_it_is_known():
    healthy, ill = (
        [mention(TEXT, "Arvo Ltd", confidential_status=s)] for s in ("NOT_CONFIDENTIAL", "HEALTH")
    )
    assert found("confidential status", "exact", A, B).documents == 0
    assert np.isnan(found("confidential status", "exact", A, B).scores["observed"].value)
    assert found("confidential status", "exact", ill, A).documents == 0
    assert found("confidential status", "exact", ill, ill).scores["observed"].value == 1
    assert found("confidential status", "exact", ill, healthy).scores["observed"].value == 0


def test_disagreements_are_counted_once_a_span():
    made = corpus(document(TEXT, a=A, b=B, c=C, d=C))
    types = measures.count_disagreements(made, "entity type")
    at = types.labels.index
    assert types.matrix[at("ORG"), at("DEM")] == types.matrix[at("DEM"), at("ORG")] == 1
    assert types.matrix[at("LOC")].sum() == 0
    masks = measures.count_disagreements(made, "identifier type")
    assert masks.matrix[masks.labels.index("DIRECT"), masks.labels.index("QUASI")] == 1
    svg = plot_heatmap(types)
    assert svg.startswith("<svg")
    assert "ORG" in svg
    assert "http" not in inline_svg(svg)
    assert plot_heatmap(types) == svg


def test_without_matplotlib_one_clear_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PluginError, match=r"pip install 'maskwise\[report\]'"):
        load_figure()


def test_people_as_systems():
    made = corpus(document(TEXT, a=A, b=B, c=C), document("Nobody is here.", "e", a=[]))
    others = summarise_counts(measures.score_against_others(made), resamples=10)
    # A masks 4 tokens: B has 2 of them, C 4. B masks 2: both have them. C masks 5: A has 4, B 2.
    assert others["precision"].value == pytest.approx((6 + 4 + 6) / (8 + 4 + 10))
    majority = measures.find_majority(len(TEXT), made[0].layers)
    assert majority == spans(TEXT, "Ida Moe", "Arvo Ltd")
    best = summarise_counts(measures.score_majority_of_all(made), resamples=10)
    assert best["precision"].value == pytest.approx((4 + 2 + 4) / 12)
    assert best["recall"].value == pytest.approx((4 + 2 + 4) / (4 + 2 + 5))
    held_out = summarise_counts(measures.score_majority_of_others(made), resamples=10)
    assert held_out["f1"].value <= best["f1"].value
    assert len(measures.score_majority_of_others(corpus(document(TEXT, a=A, b=B)))) == 0


def test_the_front_is_what_nobody_beats():
    points = [("a", 0.9, 0.5), ("b", 0.5, 0.9), ("c", 0.5, 0.5), ("d", 0.9, 0.4), ("e", 0.7, 0.7)]
    assert [name for name, _, _ in find_front(points)] == ["a", "b", "e"]
