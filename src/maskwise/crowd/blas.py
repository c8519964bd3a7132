"""Keeps the linear algebra of NumPy on one thread while attackers are asked.

A search multiplies small matrices thousands of times, and the threads of a BLAS wait for each other after each product.
On a busy machine this waiting takes many times the processor time of the products.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _find_libraries() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def use_one_blas_thread() -> Iterator[None]:
    """Within this block, products run on one thread; then on as many as before.

    Where several threads of a program ask at once, the block of the first of them decides for all.
    """
    with _find_libraries().limit(limits=1, user_api="blas"):
        yield
