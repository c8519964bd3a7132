"""Words of a document as a search masks them: their spans, which carry content, how masked runs are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maskwise.text.english import STOP_WORDS
from maskwise.text.folding import fold_word
from maskwise.text.tokens import find_words as word_spans
from maskwise.text.types import Span

MARK = "***"

Mask = NDArray[np.bool_]  # one entry per word; true is masked


@dataclass(frozen=True)
class Words:
    """The words of a text and their spans, in order.

    >>> words = Words("Ana Souza sings in Porto.")
    >>> words.texts, words.content.tolist()
    (('Ana', 'Souza', 'sings', 'in', 'Porto'), [True, True, True, False, True])
    >>> words.write(np.array([True, True, False, False, True]))
    '*** sings in ***.'
    """

    text: str = field(repr=False)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        return tuple(word_spans(self.text))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(self.text[start:end] for start, end in self.spans)

    def __len__(self) -> int:
        return len(self.spans)

    @cached_property
    def content(self) -> Mask:
        """The words that carry content, as flags. A search skips the others, the stop words."""
        return np.array([fold_word(word) not in STOP_WORDS for word in self.texts], dtype=bool)

    def find_touched(self, spans: Iterable[Span]) -> list[int]:
        """Words that share a character with one of the spans."""
        starts, ends = self._edges
        found: set[int] = set()
        for start, end in spans:
            first = int(np.searchsorted(ends, start, "right"))
            after = int(np.searchsorted(starts, end, "left"))
            found.update(range(first, after))
        return sorted(found)

    def find_masked_spans(self, mask: Mask) -> list[Span]:
        """Spans of the text to mask.

        A run of masked words is one span with everything between its words, because the number of words is a clue
        (Morris et al. 2022, section 10).
        """
        return [(self.spans[first][0], self.spans[last][1]) for first, last in find_runs(mask)]

    def write(self, mask: Mask, mark: str = MARK) -> str:
        """The text with every masked run as one mark."""
        parts: list[str] = []
        cursor = 0
        for start, end in self.find_masked_spans(mask):
            parts += [self.text[cursor:start], mark]
            cursor = end
        return "".join((*parts, self.text[cursor:]))

    @cached_property
    def _edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        edges = np.array(self.spans, dtype=np.int64).reshape(-1, 2)
        return edges[:, 0], edges[:, 1]


def find_runs(mask: Mask | Sequence[bool]) -> Iterator[tuple[int, int]]:
    """First and last place of each run of true entries.

    >>> list(find_runs([True, True, False, True]))
    [(0, 1), (3, 3)]
    """
    framed = np.concatenate([[0], np.asarray(mask, dtype=np.int8), [0]])
    edges = np.diff(framed)
    starts = np.flatnonzero(edges == 1)
    ends = np.flatnonzero(edges == -1) - 1
    return zip(starts.tolist(), ends.tolist(), strict=True)
