"""Names and words that lists know: places, nationalities, occupations, diseases, and what a policy adds.

The gazetteer tier of the privacy-oriented entity recogniser (Papadopoulou et al. 2022, section 4.1), over open lists.
Importing this module loads nothing. The first document loads the lists, once per process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from maskwise.detect.gazetteer.automaton import Automaton
from maskwise.detect.gazetteer.lists import (
    BUNDLED,
    UserList,
    WordList,
    choose_lists,
    read_never_alone,
    read_user_list,
)
from maskwise.text import Detection, Document, Mention, Provenance

__all__ = ["BUNDLED", "GazetteerDetector", "UserList", "WordList"]


@dataclass(frozen=True)
class GazetteerDetector:
    """Bundled lists, all or those a policy names, and the user's own, which win where both know a phrase.

    >>> detector = GazetteerDetector(lists=("countries", "occupations"))
    >>> [m.subtype for m in detector.detect([Document("A plumber from Norway.")])[0].mentions]
    ['occupation', 'country']
    """

    name: ClassVar[str] = Provenance.GAZETTEER

    lists: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    extra: tuple[UserList, ...] = ()

    def __post_init__(self) -> None:
        self._lists  # noqa: B018 - a list that cannot be used stops the work before the first document

    @cached_property
    def _lists(self) -> tuple[WordList, ...]:
        return (*map(read_user_list, self.extra), *choose_lists(self.lists, self.without))

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        automaton = _build_automaton(self._lists)
        return [self._detect(automaton, document) for document in documents]

    def _detect(self, automaton: Automaton, document: Document) -> Detection:
        mentions, hints = (
            tuple(self._make_mention(document, *hit) for hit in hits)
            for hits in automaton.find(document.text)
        )
        return Detection(mentions, len(document), hints)

    def _make_mention(self, document: Document, start: int, end: int, source: WordList) -> Mention:
        text = document.text[start:end]
        return Mention(
            document, start, end, text, source.type, source.subtype, self.name, source.score
        )


@cache
def _build_automaton(lists: tuple[WordList, ...]) -> Automaton:
    phrases = [(source, source.read_phrases()) for source in lists]
    return Automaton(phrases, read_never_alone())
