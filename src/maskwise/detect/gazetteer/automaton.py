"""One Aho–Corasick pass for whole phrases of many lists, then case and context rules, then the longest match.

Text and phrases are normalised alike: they are folded, letters lose their marks, and every character that cannot be
part of a word becomes a space. A phrase is searched with the spaces around it, so that each hit is made of whole words.
All overlapping hits are asked for: a long one that its list refuses must not hide a short good one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from maskwise.detect.gazetteer.lists import WordList
from maskwise.text.folding import STROKED, fold_case

# Blocks that hold spaces, punctuation and symbols. All other characters are taken for letters.
_BLOCKS = ((0, 0x3400), (0xFE00, 0x10000), (0x1F000, 0x20000))
# Latin letters with marks: lists and texts disagree on them too often ("Istanbul", "İstanbul").
_MARKED = ((0xC0, 0x250), (0x1E00, 0x1F00))

Hit = tuple[int, int, WordList]


class Automaton:
    """Compiled lists. Earlier lists win where two know the same phrase. Serves any number of texts and threads."""

    def __init__(
        self, lists: Sequence[tuple[WordList, Sequence[str]]], never: Collection[str] = ()
    ) -> None:
        self._lists = [source for source, _ in lists]
        self._owner: list[int] = []  # the number of the list that holds a pattern
        self._exact: dict[int, str] = {}  # how a pattern must be written
        patterns: list[str] = []
        never_alone = _normalise_phrases(never)
        refused = {*never_alone, *map(make_plural, never_alone)}
        for number, (source, phrases) in enumerate(lists):
            if source.case == "exact":
                words = _normalise_phrases(phrases)
                self._exact.update(enumerate(_strip_signs(phrases), len(patterns)))
            else:
                words = _list_forms(source, phrases, refused)
            patterns.extend(f" {word} " for word in words)
            self._owner.extend([number] * len(words))
        # The contiguous variant scans a fifth faster but takes a third longer to build.
        self._automaton = AhoCorasick(
            patterns,
            matchkind=MatchKind.Standard,
            store_patterns=False,
            implementation=Implementation.NoncontiguousNFA,
        )

    def find(self, text: str) -> tuple[list[Hit], list[Hit]]:
        """The longest admitted phrases from left to right, no two of which share a character, and likewise the hints:
        names that are written small."""
        padded = f" {normalise_text(text)} ".replace("\n", " ")
        hits: list[tuple[int, int, int]] = []
        hints: list[tuple[int, int, int]] = []
        for pattern, start, end in self._automaton.find_matches_as_indexes(
            padded, overlapping=True
        ):
            number = self._owner[pattern]
            source = self._lists[number]
            if source.case in ("capitalised", "small"):
                is_small = text[padded.rfind(" ", start, end - 1)].islower()
                if is_small is not (source.case == "small"):
                    if source.hints:
                        hints.append((start, 2 - end, number))
                    continue
            elif source.case == "exact" and text[start : end - 2] != self._exact[pattern]:
                continue
            if source.after and not padded.endswith(source.after, 0, start):
                continue
            hits.append((start, 2 - end, number))
        return list(self._choose_longest(hits)), list(self._choose_longest(hints))

    def _choose_longest(self, hits: list[tuple[int, int, int]]) -> Iterator[Hit]:
        reach = 0
        for start, minus_end, number in sorted(hits):
            if start >= reach:
                reach = -minus_end
                yield start, reach, self._lists[number]


def _list_forms(source: WordList, phrases: Sequence[str], refused: Collection[str]) -> list[str]:
    """The normalised phrases of a list, with plurals if it has any, without those it may not match alone."""
    words = _normalise_phrases(phrases)
    if source.plural:
        words += [make_plural(word) for word in words]
    known = dict.fromkeys(words)
    if source.is_bundled and not source.after:
        return [word for word in known if word not in refused]
    return list(known)


def _normalise_phrases(phrases: Collection[str]) -> list[str]:
    return [form.strip() for form in _normalise_at_once(phrases)]


def _strip_signs(phrases: Collection[str]) -> Iterator[str]:
    """Yields the phrases without the signs at their ends that normalising turns into spaces."""
    for phrase, form in zip(phrases, _normalise_at_once(phrases), strict=True):
        word = form.strip()
        first = form.index(word)
        yield phrase[first : first + len(word)]


def _normalise_at_once(phrases: Collection[str]) -> list[str]:
    """Normalises many phrases in one call, which is far faster than one call per phrase."""
    return normalise_text("\n".join(phrases)).split("\n")


def normalise_text(text: str) -> str:
    """Folds a text, takes marks off letters and blanks what stands between words. Offsets and line breaks stay.

    >>> normalise_text("Île-d’Yeu, Łódź")
    'ile d yeu  lodz'
    """
    codes = np.frombuffer(fold_case(text).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return (
        _build_table().take(codes, mode="clip").tobytes().decode("utf-32-le", "surrogatepass")
        if len(codes)
        else ""
    )


@cache
def _build_table() -> np.ndarray[Any, np.dtype[np.uint32]]:
    """The character that each character becomes."""
    table = np.arange(_BLOCKS[-1][1] + 1, dtype="<u4")
    for low, high in _BLOCKS:
        signs = [i for i in range(low, high) if not _is_part_of_word(chr(i))]
        table[signs] = ord(" ")
    table[[ord("\n"), ord("_")]] = ord("\n"), ord("_")
    for low, high in _MARKED:
        table[low:high] = [ord(unicodedata.normalize("NFD", chr(i))[0]) for i in range(low, high)]
    for letter, base in STROKED.items():
        table[letter] = base
    return table


def _is_part_of_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def make_plural(word: str) -> str:
    """Returns the regular English plural of a folded phrase, or the phrase itself where it has none.

    >>> [make_plural(w) for w in ("bus driver", "secretary", "policeman", "german", "princess", "polish")]
    ['bus drivers', 'secretaries', 'policemen', 'germans', 'princess', 'polish']
    """
    if word.endswith(("s", "ish", "ese", "men")):
        return word
    if word.endswith("man") and not word.endswith(
        ("german", "roman", "ottoman", "norman", "human", "shaman")
    ):
        return word[:-2] + "en"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("ch", "sh", "x", "z")) else "s")
