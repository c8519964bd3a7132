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
NAMED = ("threadName", "processName", "taskName")  # programs name these for what they work on
PLAIN = (str, bytes, int, float, type(None))


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
        record.__dict__.update(
            (name, self._mask_value(record.__dict__.get(name))) for name in NAMED
        )
        added = [name for name in record.__dict__ if name not in STANDARD]
        for name in added:
            value = self._mask_value(record.__dict__.pop(name))
            record.__dict__[self._mask_or_replace(name.__str__)] = value
        if record.exc_info and record.exc_info[0]:
            record.msg = f"{record.msg} ({record.exc_info[0].__name__})"
        record.exc_info = record.exc_text = record.stack_info = None
        return True

    def _mask_value(self, value: Any) -> Any:
        """A value of any kind; as text where a part of it is masked, or where it writes itself in its own way."""
        if value is None or (isinstance(value, int | float) and _is_short(value)):
            return value
        masked = self._mask_or_replace(lambda: _write_value(value))
        return value if _is_plain(value) and masked == _write_value(value) else masked

    def _mask_or_replace(self, read: Callable[[], str]) -> str:
        try:
            return self._mask(read())
        except Exception:  # a logger must not fail, and must not tell either
            return FAILED


def _is_short(value: float) -> bool:
    """Whether a number is too short for a telephone number, or no whole one."""
    return abs(value) < SHORT or value != value // 1


def _write_value(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) else str(value)


def _is_plain(value: Any) -> bool:
    """Whether every formatter writes a value as `str` does."""
    if isinstance(value, dict):
        return all(map(_is_plain, (*value, *value.values())))
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_plain, value))
    return type(value) in PLAIN or type(value) is bool
