"""`Rule` and `Family`: a pattern with its triggers and check, beside a table of examples that is its test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from maskwise.detect.patterns._shapes import LATIN, UPPER, WESTERN
from maskwise.text import EntityType, possessive

_WORD = re.compile(r"\w+")

Expand = Callable[[re.Match[str]], Iterable[tuple[int, int]]]


@dataclass(frozen=True)
class Rule:
    """One way to write one kind of thing. Its name is the subtype of its mentions.

    `regex`: the mention is group "m" if the pattern has one, else the whole match. For speed begin a pattern with a
    literal or a character class and look behind after it: `[0-9](?<![\\w.][0-9])...` scans ten times faster than
    `(?<![\\w.])[0-9]...`, because the engine can then skip to the first candidate.

    `triggers`: lower-case literals. One of them must stand within `reach` characters before the end, or after the
    start, of a match. One automaton looks for the triggers of all rules in one pass, and only the neighbourhoods of
    hits are searched, so a rule that is not triggered costs nothing. The whole text is searched for a rule without
    triggers and shapes.

    `shapes`: the same for the outline of the text (see `draw_outline`), for things known by their look: "1000" is a
    number of four digits, "A." a capital letter that begins a word and a full stop.

    `opens`: a match begins with its trigger ("tel. 12...") or shape, so it is tried there and nowhere else, which is
    far cheaper than searching a neighbourhood; `reach` then does not matter.

    `needs`: a cheap pattern that is found inside every match. A stretch in which it is not found is not searched.

    `check`: refuses a candidate (a checksum, a validator); with `certain`, passing it makes the mention win overlaps.
    `value`: normalised form, used to link mentions that are written differently.
    `expand`: turns one match into several spans (lists of dates).
    `variants`: finer subtypes, each for mentions that hold one of its words.
    `filler`: a hit counts only where nothing else is found, by these rules or by another detector.
    `hint`: a hit says what something is, not that it is to be found (see `Detection`).
    `shouted`: words in capitals are read in small letters too, for a pattern that knows those alone.
    """

    name: str
    type: EntityType
    regex: str
    triggers: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()
    reach: int = 64
    opens: bool = False
    needs: str = ""
    flags: int = 0
    score: float = 0.9
    certain: bool = False
    check: Callable[[str], bool] | None = None
    value: Callable[[str], str] | None = None
    expand: Expand | None = None
    filler: bool = False
    hint: bool = False
    shouted: bool = False
    variants: tuple[tuple[str, frozenset[str]], ...] = ()

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern. Most rules are never tried, and compiling them all takes a second."""
        return possessive.compile(self.regex, self.flags)

    @cached_property
    def western(self) -> re.Pattern[str]:
        """The pattern for texts that have Western capitals alone: a class of all capitals is slow to compile."""
        return self._compile_with(WESTERN)

    @cached_property
    def latin(self) -> re.Pattern[str]:
        """The pattern for texts that have Latin capitals alone."""
        return self._compile_with(LATIN)

    def _compile_with(self, capitals: str) -> re.Pattern[str]:
        if UPPER not in self.regex:
            return self.compiled
        return possessive.compile(self.regex.replace(UPPER, capitals), self.flags)

    @cached_property
    def needed(self) -> re.Pattern[str]:
        """A pattern of which every match holds one, compiled."""
        return re.compile(self.needs)

    def choose_subtype(self, surface: str) -> str:
        """The finest name for a mention of this rule."""
        if not self.variants:
            return self.name
        words = set(_WORD.findall(surface))
        return next((name for name, held in self.variants if not held.isdisjoint(words)), self.name)


@dataclass(frozen=True)
class Family:
    """Rules for one kind of information with the examples they are tested on.

    `positive` maps an example text to the exact spans expected from this family alone, in order; `negative` texts
    must give nothing.
    """

    name: str
    rules: tuple[Rule, ...]
    positive: tuple[tuple[str, tuple[str, ...]], ...]
    negative: tuple[str, ...] = ()
