"""Reads the lists of words in `bundle/words`: one word per line, or a word and what belongs to it."""

from __future__ import annotations

from importlib.resources import files


def read_words(name: str) -> tuple[str, ...]:
    """Returns the words of a list in its order.

    >>> read_words("adverbs")[:2]
    ('abroad', 'again')
    """
    return tuple(_read_lines(name))


def read_table(name: str) -> list[tuple[str, str]]:
    """Returns the rows of a table, each a word and what stands after its colon.

    >>> read_table("currencies")[0]
    ('AED', 'UAE dirham')
    """
    rows = (line.partition(":") for line in _read_lines(name))
    return [(word, more.strip()) for word, _, more in rows]


def _read_lines(name: str) -> list[str]:
    """Returns the lines of a file without its comments."""
    path = files("maskwise.bundle").joinpath("words", f"{name}.txt")
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]
