"""The audit log: one line per decision, each chained to the one before by SHA-256, without clear text."""

from maskwise.audit.chain import LogCheck, verify_log
from maskwise.audit.log import Log, open_log

__all__ = ["Log", "LogCheck", "open_log", "verify_log"]
