"""Products run on one thread while attackers are asked, and as before afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from threadpoolctl import ThreadpoolController

from maskwise.crowd.blas import use_one_blas_thread


def count_threads() -> set[int]:
    found = ThreadpoolController().select(user_api="blas").info()
    return {each["num_threads"] for each in found}


@pytest.fixture
def before() -> Iterator[set[int]]:
    """The threads that a host program has set, which one core would not show."""
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        yield count_threads()


def test_the_last_block_that_ends_restores_what_was_before(before: set[int]) -> None:
    with use_one_blas_thread():
        with use_one_blas_thread():
            assert count_threads() <= {1}
        assert count_threads() <= {1}
    assert count_threads() == before


def test_an_error_restores_what_was_before(before: set[int]) -> None:
    with pytest.raises(ZeroDivisionError), use_one_blas_thread():
        raise ZeroDivisionError
    assert count_threads() == before
