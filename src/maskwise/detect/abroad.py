"""Tames guesses in languages that the model does not know: it takes whole sentences for names there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maskwise.detect.cutting import split_guess, take_piece
from maskwise.text import EntityType, Mention
from maskwise.text.language import is_small_word
from maskwise.text.layout import Layout
from maskwise.text.tokens import JOINED_WORD
from maskwise.text.word_lists import read_words

_SENTENCES = (EntityType.DEM, EntityType.QUANTITY, EntityType.MISC)
_RUN = 4  # words of a name in another language
GREETINGS = frozenset(read_words("foreign_greetings"))


def tame_guess(mention: Mention, language: str, layout: Layout) -> Iterator[Mention]:
    """Yields what stays of a guess in a language that the model does not know: runs of words that look like names.

    What the model takes for an attribute, an amount or a thing there is mostly a sentence.
    """
    has_figure = any(map(str.isdigit, mention.text)) and len(mention.text.split()) <= _RUN
    if mention.type in _SENTENCES and not has_figure:
        return
    for piece in split_guess(mention, layout):
        words = list(JOINED_WORD.finditer(piece.document.text, *piece.span))
        run: list[re.Match[str]] = []
        for word in (*words, None):
            if word is not None and _is_like_name(word[0], language):
                run.append(word)
                continue
            if run and len(run) <= _RUN:
                found = take_piece(piece, run[0].start(), run[-1].end())
                if found is not None:
                    yield found
            run = []


def _is_like_name(word: str, language: str) -> bool:
    is_cased = word[0] != word[0].lower() or word[0].lower() == word[0].upper()
    return is_cased and not is_small_word(word, language) and word.lower() not in GREETINGS
