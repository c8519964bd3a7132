"""The audit log: one line a decision, each chained to the one before by SHA-256, without clear text."""

from maskwise.audit.chain import Check, verify
from maskwise.audit.log import Log, opened

__all__ = ["Check", "Log", "opened", "verify"]
