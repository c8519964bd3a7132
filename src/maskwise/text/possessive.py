"""`compile` for patterns with possessive quantifiers, which Python before 3.11.5 matches wrongly (Debian has 3.11.2).

In these versions a possessive repetition of what can match in several ways may take the wrong one
(python/cpython#106052). An atomic group around the greedy quantifier means the same and is matched correctly.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any

WRONG = sys.version_info < (3, 11, 5)


def compile(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`."""
    return compile_rewritten(pattern, flags) if WRONG else re.compile(pattern, flags)


def compile_rewritten(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern with atomic groups for possessive quantifiers. Follows `re._compiler.compile` of Python 3.11."""
    tree = import_module("re._parser").parse(pattern, int(flags))
    _rewrite_tree(tree)
    code = import_module("re._compiler")._code(tree, int(flags))
    names: list[str | None] = [None] * tree.state.groups
    for name, at in tree.state.groupdict.items():
        names[at] = name
    found: re.Pattern[str] = import_module("_sre").compile(
        pattern,
        int(flags) | tree.state.flags,
        code,
        tree.state.groups - 1,
        tree.state.groupdict,
        tuple(names),
    )
    return found


def _rewrite_tree(tree: Any) -> None:
    parser, constants = import_module("re._parser"), import_module("re._constants")
    for at, (operation, value) in enumerate(tree.data):
        for part in _list_parts(value):
            _rewrite_tree(part)
        if operation is constants.POSSESSIVE_REPEAT:
            greedy = parser.SubPattern(tree.state, [(constants.MAX_REPEAT, value)])
            tree.data[at] = (constants.ATOMIC_GROUP, greedy)


def _list_parts(value: Any) -> list[Any]:
    """The patterns inside an operation, however deep it keeps them."""
    if hasattr(value, "data"):
        return [value]
    if not isinstance(value, list | tuple):
        return []
    return [part for item in value for part in _list_parts(item)]
