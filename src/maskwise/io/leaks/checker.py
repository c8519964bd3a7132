"""The leak check of one file: what must not be in it is searched in every form in which the file can be read.

It seeks the people to protect in every spelling, whether or not the file names them, and every masked string with its
parts (see `needles`). It seeks them in each string that the leak reader of the format finds, in the bytes of the file,
and in what these become when escapes are undone and packed data is unpacked (see `decoding`).

These do not count as a leak:

- a string that the masked text itself shows, because the plan left it there (a surname that is also a kept place); the
  full name and the distinctive surname of a protected person are not excused by this;
- a string of fewer than three letters or digits, or of fewer than four digits and nothing else;
- a short string inside a longer word ("ann" in "planned"), and a number inside a longer one;
- in markup (tags, style names, raw bytes) and behind an escape, anything shorter than six letters or eight digits, and
  words that formats use themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from maskwise.errors import LeakError
from maskwise.io.leaks.decoding import Decoder
from maskwise.io.leaks.folding import BARRIER, weigh_text
from maskwise.io.leaks.needles import LONG, Needle, build_masked_needles, build_needles
from maskwise.io.leaks.piece import Piece
from maskwise.io.leaks.search import NeedleSearch
from maskwise.io.leaks.sources import read_pieces
from maskwise.text import Person

BATCH = 1 << 20  # characters that are searched at once
MANY = 500
SHOWN = 4  # places named in a message


@dataclass(frozen=True)
class Checked:
    """How many masked strings were searched, and how many the rules above leave out."""

    searched: int
    left_out: int


def check_file(
    raw: bytes,
    suffix: str,
    name: str,
    masked: Iterable[str],
    visible: Iterable[str],
    people: Iterable[Person] = (),
    names: Iterable[str] = (),
    kept: Iterable[str] = (),
) -> Checked:
    """Search people to protect and masked strings in the bytes of a file. A hit raises `LeakError`.

    `visible` are the masked texts of the file; `names` are those masked strings that name a person; `kept` is what the
    policy says not to read: it excuses everything.
    """
    secrets = {secret for secret in masked if secret.strip()}
    needles = build_needles(people, secrets, names)
    search = _drop_shown(needles, visible, kept)
    if search.needles:
        try:
            places, leaked = _search_file(raw, suffix, search)
        except Exception as error:
            why = str(error) if isinstance(error, LeakError) else type(error).__name__
            raise LeakError(
                f"{name}: the output cannot be read again ({why}); it is withdrawn"
            ) from None
        if leaked:
            raise LeakError(_describe_leak(name, places, leaked))
    sought = {needle.text for needle in search.needles}
    searched = sum(_is_sought(secret, sought) for secret in secrets)
    return Checked(searched, len(secrets) - searched)


def _is_sought(secret: str, sought: set[str]) -> bool:
    return any(needle.text in sought for needle in build_masked_needles(secret))


def _drop_shown(
    needles: Sequence[Needle], visible: Iterable[str], kept: Iterable[str]
) -> NeedleSearch:
    """A search for the needles without those that the masked text shows, unless they are firm, and without those that
    are kept."""
    # All rows at once, because the end of one and the beginning of the next stand side by side in the file too.
    left_alone = "\n".join(kept)
    excused = set(NeedleSearch(needles).find(left_alone))
    excusable = [needle for needle in needles if not needle.firm]
    shown = "\n".join((*visible, left_alone))
    search = NeedleSearch(excusable)
    excused.update(search.find(shown))
    left = [needle for needle in needles if needle not in excused]
    return search if left == excusable else NeedleSearch(left)


def _search_file(raw: bytes, suffix: str, search: NeedleSearch) -> tuple[Counter[str], set[str]]:
    """How many strings of each place hold a needle, and which needles were found."""
    finder = _Finder(search)
    places: Counter[str] = Counter()
    leaked: set[str] = set()
    for batch in _group_pieces(read_pieces(raw, suffix)):
        if not finder.find(batch):
            continue
        for piece in batch:
            hits = finder.find([piece])
            places[piece.place] += bool(hits)
            leaked |= hits
        if not +places:  # only side by side
            places[batch[0].place] += 1
            leaked |= finder.find(batch)
    return places, _drop_parts(leaked)


def _drop_parts(found: set[str]) -> set[str]:
    """Needles without those that are part of another; of very many, all."""
    if len(found) > MANY:
        return found
    return {text for text in found if not _is_part(text, found)}


def _is_part(text: str, found: set[str]) -> bool:
    return any(text != other and text in other for other in found)


class _Finder:
    """Searches pieces of one kind together: as they are, then with every layer opened."""

    def __init__(self, search: NeedleSearch) -> None:
        self._all = search

    @cached_property
    def _distinct(self) -> NeedleSearch:
        return NeedleSearch([needle for needle in self._all.needles if needle.is_distinct])

    @cached_property
    def _binary(self) -> NeedleSearch:
        distinct = (needle for needle in self._all.needles if needle.is_distinct)
        return NeedleSearch(
            [needle for needle in distinct if needle.firm or weigh_text(needle.text) >= LONG]
        )

    def find(self, batch: Sequence[Piece]) -> set[str]:
        """The texts of the needles found."""
        text = BARRIER.join(piece.text.replace(BARRIER, "") for piece in batch)
        search = self._distinct if batch[0].markup else self._all
        if batch[0].binary:
            search = self._binary
        found = {needle.text for needle in search.find(text)}
        for view in Decoder().read_text(text):
            search = self._binary if view.binary else self._distinct
            found |= {needle.text for needle in search.find(view.text)}
        return found


def _group_pieces(found: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Pieces of one kind, as many as are searched at once."""
    waiting: dict[tuple[bool, bool], list[Piece]] = {}
    sizes: Counter[tuple[bool, bool]] = Counter()
    for piece in found:
        kind = (piece.markup, piece.binary)
        waiting.setdefault(kind, []).append(piece)
        sizes[kind] += len(piece.text) + 1
        if sizes[kind] >= BATCH:
            yield waiting.pop(kind)
            sizes[kind] = 0
    yield from waiting.values()


def _describe_leak(name: str, places: Counter[str], leaked: set[str]) -> str:
    """One line: how many strings, where, and what to do."""
    where = ", ".join(f"{place} ({count})" for place, count in places.most_common(SHOWN) if count)
    more = sum(1 for count in places.values() if count) - SHOWN
    where += f" and {more} more places" if more > 0 else ""
    return (
        f"{name}: {len(leaked)} strings that must not be seen still stand in the output, in {where}; it is withdrawn: "
        "remove them from these places, or save the file in a simpler format"
    )
