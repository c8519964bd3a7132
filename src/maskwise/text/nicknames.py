"""Short forms of given names, by which friends and families call people: "Liz" for Elizabeth, "Kuba" for Jakub.

Folded, for each formal name. A short form of several names joins a person only where one of them is in the text.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from maskwise.text.word_lists import read_table


@cache
def _load_pairs() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """The formal names of each short form, and the short forms of each formal name."""
    formal: dict[str, list[str]] = defaultdict(list)
    short: dict[str, list[str]] = defaultdict(list)
    for long, forms in read_table("nicknames"):
        for form in forms.split():
            formal[form].append(long)
            short[long].append(form)
    return (
        {name: tuple(dict.fromkeys(found)) for name, found in formal.items()},
        {name: tuple(dict.fromkeys(found)) for name, found in short.items()},
    )


def list_formal(name: str) -> tuple[str, ...]:
    """The formal names of a short one, folded.

    >>> list_formal("kuba"), list_formal("robert")
    (('jakub',), ())
    """
    return _load_pairs()[0].get(name, ())


def list_short(name: str) -> tuple[str, ...]:
    """The short forms of a formal name, folded."""
    return _load_pairs()[1].get(name, ())


def list_kindred(name: str) -> tuple[str, ...]:
    """The formal names of a short one, folded, and the short ones of a formal one.

    >>> list_kindred("debs"), list_kindred("susan")
    (('deborah',), ('sue', 'susie', 'suzie'))
    """
    formal, short = _load_pairs()
    return (*formal.get(name, ()), *short.get(name, ()))
