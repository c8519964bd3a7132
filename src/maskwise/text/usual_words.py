"""Words that a kind of document uses whoever it is about: judgments, clinical notes, everyday talk."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from maskwise.text.plain_words import is_plain, split_clitic
from maskwise.text.tokens import WORD
from maskwise.text.word_lists import read_words


def is_usual(phrase: str) -> bool:
    """Whether each word of a phrase is plain, or one that judgments, clinical notes or talk use whoever they are about.

    >>> is_usual("applicant"), is_usual("admitted to hospital"), is_usual("spare keys"), is_usual("salmon farm")
    (True, True, True, False)
    """
    usual = _load_usual_words()
    words = WORD.findall(phrase)
    return all(is_plain(word) or split_clitic(word)[0] in usual for word in words)


@cache
def _load_usual_words() -> frozenset[str]:
    path = files("maskwise.bundle").joinpath("gazetteers", "usual_words.txt")
    return frozenset((*path.read_text("utf-8").split(), *read_words("everyday_words")))
