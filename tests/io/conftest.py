"""A sanitiser that needs no model: it knows whom to protect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import samples

from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer


def build(**formats: Any) -> Sanitizer:
    return Sanitizer(Policy.parse({"name": "test", "protect": [samples.NAME], "formats": formats}))


@pytest.fixture(scope="session")
def sanitizer() -> Sanitizer:
    return build()


@pytest.fixture
def with_formats() -> Callable[..., Sanitizer]:
    return build
