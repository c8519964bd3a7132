"""Mentions to entities: name variants, definitions, propagation, and the names of protected people."""

from maskwise.link.linker import RuleLinker

__all__ = ["RuleLinker"]
