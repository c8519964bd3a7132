"""Vocabularies of formats: the words that a file of a format may hold without saying anything about a person.

They are allow-lists, one word per line, in `bundle/formats`. What stands in none of them is read as text or left out.
"""

from __future__ import annotations

from importlib.resources import files


def read_words(name: str) -> frozenset[str]:
    """Returns the words of one vocabulary.

    >>> "currentcolor" in read_words("colours")
    True
    """
    path = files("maskwise.bundle").joinpath("formats", f"{name}.txt")
    lines = path.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
