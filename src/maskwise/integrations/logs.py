"""A `logging.Filter` that masks the message of each record: `handler.addFilter(MaskingFilter())`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

FAILED = "(a message that could not be masked)"
SHORT = 10**6  # numbers below are no phones and no ids of people
# What every record has. The rest is what a caller adds by `extra`, and what formatters write beside the message.
STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class MaskingFilter(logging.Filter):
    """Masks messages, with their arguments and what `extra` adds, and drops tracebacks, which may quote a text.

    Messages repeat, so those masked before are remembered. A message that cannot be masked is replaced.

    >>> record = logging.LogRecord("app", logging.INFO, "app.py", 1, "%s left", ("Mr Lee",), None)
    >>> MaskingFilter().filter(record), record.getMessage()
    (True, '[PERSON 1] left')
    """

    def __init__(self, policy: Policy | str = "balanced", remembered: int = 1000) -> None:
        super().__init__()
        sanitizer = Sanitizer(policy)

        @lru_cache(maxsize=remembered)
        def mask(text: str) -> str:
            return sanitizer.sanitize(text).text

        self._mask = mask

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = self._mask_or_replace(record.getMessage)
        record.args = ()
        added = {name: each for name, each in record.__dict__.items() if name not in STANDARD}
        record.__dict__.update((name, self._mask_value(each)) for name, each in added.items())
        if record.exc_info and record.exc_info[0]:
            record.msg = f"{record.msg} ({record.exc_info[0].__name__})"
        record.exc_info = record.exc_text = record.stack_info = None
        return True

    def _mask_value(self, value: Any) -> Any:
        """A value of any kind; as text where a part of it is masked."""
        is_short = isinstance(value, int) and abs(value) < SHORT
        if value is None or is_short or isinstance(value, float):
            return value
        masked = self._mask_or_replace(value.__str__)
        return value if masked != FAILED and masked == str(value) else masked

    def _mask_or_replace(self, read: Callable[[], str]) -> str:
        try:
            return self._mask(read())
        except Exception:  # a logger must not fail, and must not tell either
            return FAILED
