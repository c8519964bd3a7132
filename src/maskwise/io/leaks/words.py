"""Words that are no leak when the leak check meets them: everyday words, and the words of file formats."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from maskwise.io.vocabulary import read_words
from maskwise.text.common_words import COMMON

# Fonts, colours, tags, keywords and style names that are also names of people or places, in folded form.
_OF_FORMAT = read_words("fonts_and_styles")


def is_common(word: str) -> bool:
    """Whether a folded word is an everyday word too."""
    return word in _read_common_words()


def is_of_format(word: str) -> bool:
    """Whether a folded word may stand in a file because its format uses it."""
    return word in _OF_FORMAT or is_common(word)


@cache
def _read_common_words() -> frozenset[str]:
    listed = files("maskwise.bundle").joinpath("gazetteers", "never_alone.txt").read_text("utf-8")
    return COMMON | frozenset(line.partition("\t")[0] for line in listed.splitlines() if line)
