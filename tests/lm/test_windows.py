from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.lm.windows import Blend, cut_windows, fit_windows, weigh_window

SIZES = st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


@given(n=st.integers(0, 500), sizes=SIZES)
def test_windows_cover_everything_in_order(n: int, sizes: tuple[int, int]) -> None:
    size, overlap = sizes
    spans = cut_windows(n, size, overlap)
    assert all(0 <= a < b <= n and b - a <= size for a, b in spans)
    assert [at for at in range(n) if not any(a <= at < b for a, b in spans)] == []
    for left, right in pairwise(spans):
        assert left[0] < right[0]
        assert left[1] - right[0] >= overlap


@given(n=st.integers(0, 500), sizes=SIZES)
def test_fitted_windows_cover_everything_with_no_more_overlap_than_rounding_makes(
    n: int, sizes: tuple[int, int]
) -> None:
    size, overlap = sizes
    spans = fit_windows(n, size, overlap)
    assert all(0 <= a < b <= n and b - a <= size for a, b in spans)
    assert [at for at in range(n) if not any(a <= at < b for a, b in spans)] == []
    assert len(spans) <= len(cut_windows(n, size, overlap))
    for left, right in pairwise(spans):
        assert left[0] < right[0]
        assert overlap <= left[1] - right[0] <= overlap + 2


@given(n=st.integers(1, 200), sizes=SIZES)
def test_blending_what_windows_agree_on_gives_it_back(n: int, sizes: tuple[int, int]) -> None:
    values = np.arange(2 * n, dtype=np.float32).reshape(n, 2)
    blend = Blend(n, (2,))
    for start, end in cut_windows(n, *sizes):
        blend.add(start, values[start:end])
    assert np.allclose(blend.average(), values)


def test_the_middle_of_a_window_weighs_most() -> None:
    assert weigh_window(5).tolist() == [1, 2, 3, 2, 1]
    blend = Blend(6)
    blend.add(0, np.zeros(4, dtype=np.float32))
    blend.add(2, np.ones(4, dtype=np.float32))
    assert np.allclose(blend.average(), [0, 0, 1 / 3, 2 / 3, 1, 1])


def test_an_overlap_as_long_as_the_window_is_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        cut_windows(10, 4, 4)
