"""A `logging.Filter` that masks the message of each record: `handler.addFilter(MaskingFilter())`."""

from __future__ import annotations

import logging
from functools import lru_cache

from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

FAILED = "(a message that could not be masked)"


class MaskingFilter(logging.Filter):
    """Masks messages, with their arguments, and drops tracebacks, whose last line may quote a text.

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
        try:
            record.msg = self._mask(record.getMessage())
        except Exception:  # a logger must not fail, and must not tell either
            record.msg = FAILED
        record.args = ()
        if record.exc_info and record.exc_info[0]:
            record.msg = f"{record.msg} ({record.exc_info[0].__name__})"
        record.exc_info = record.exc_text = record.stack_info = None
        return True
