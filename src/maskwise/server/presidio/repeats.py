"""How much an expression grows when it is compiled: the engine writes a part as often as it must come at least.

Twenty characters such as `((a{999}){999}){999}` would fill the memory, and no time limit reaches the compiler.
"""

from __future__ import annotations

import re
from math import inf, prod

_PART = re.compile(
    r"(?P<escape>\\.)"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|\{\s*(?P<least>\d[\d\s]*)(?:,[\d\s]*)?\}"
    r"|(?P<space>\s+)"
    r"|(?P<other>.)",
    re.DOTALL | re.ASCII,
)
_LEAST = re.compile(r"\{\s*(\d[\d\s]*)", re.ASCII)
# Where signs may mean something else: sets in sets, comments, and flags that change how all is read.
_AMBIGUOUS = re.compile(r"\[[^\]]*\[|\(\?[A-Za-z0-9]*[xV#]")
_RECURSION = re.compile(r"\(\?(?:R|[+-]?\d|&|P>)", re.ASCII)
_COMMENT_INSIDE = re.compile(r"\{[^}]*#")


def measure_expression(source: str, is_verbose: bool = False) -> float:
    """How many parts an expression has once its repetitions are written out, or more, never fewer.

    >>> measure_expression(r"(?:\\d{4}-){3}x"), measure_expression("((a{999}){999}){999}") > 10**8
    (25, True)
    """
    if _AMBIGUOUS.search(source) or (is_verbose and "#" in source):
        counts = [_read_count(found[1]) for found in _LEAST.finditer(source)]
        return inf if _COMMENT_INSIDE.search(source) else len(source) * prod(counts)
    return _measure_parts(source)


def has_recursion(source: str) -> bool:
    """Whether an expression calls itself or a group of its own: that takes as much memory as there is.

    >>> has_recursion(r"a(?R)?b"), has_recursion(r"\\(?0\\d{3}\\)?")
    (True, False)
    """
    return _RECURSION.search(re.sub(r"\\.", "-", source, flags=re.DOTALL)) is not None


def _measure_parts(source: str) -> float:
    sizes = [0]  # of the groups that are open, the outermost first
    last = 0  # size of the part before, which a count repeats
    for found in _PART.finditer(source):
        if found["least"]:
            repeated = last * _read_count(found["least"])
            sizes[-1] += repeated - last
            last = repeated
        elif found["other"] == "(":
            sizes.append(0)
            last = 0
        elif found["other"] == ")":
            last = sizes.pop() + 1
            if not sizes:
                return inf  # unbalanced: no expression
            sizes[-1] += last
        elif not found["space"]:  # a count may stand after spaces
            last = 1
            sizes[-1] += last
    return sizes[0] if len(sizes) == 1 else inf


def _read_count(digits: str) -> int:
    """A count, where it is verbose with spaces between its digits. What comes no time still stands there once."""
    return max(1, int("".join(digits.split())[:9]))
