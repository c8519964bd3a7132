"""Numbers made coarse: rounded, in a band, written with the words around them as the text has them.

Bands go from 1, 2 or 5 times a power of ten to the next of these. A rounded number is at most a tenth off. The number
itself is never shown.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from maskwise.text import possessive
from maskwise.text.fragments import DASH
from maskwise.text.numbers import DIGITS, WORDS, read_number

_SCALES = {"k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9}
_WORDY = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NAMES = {10**3: " thousand", 10**6: " million", 10**9: " billion", 10**12: " trillion"}
_ONE = rf"(?:{DIGITS}|{WORDS})"
_SCALE = r"(?:\s?(?P<scale>thousand|million|billion|trillion|bn|mn|m|k)(?!\w|[²³2-3]))"
_NUMBER = possessive.compile(
    rf"(?P<a>{_ONE})(?:\s?(?:{DASH}|\bto\b|\band\b|\bor\b)\s?(?P<b>{_ONE}))?{_SCALE}?",
    re.IGNORECASE,
)
# Can be read in two ways: "1.250" is 1250, or one and a quarter.
_EITHER_WAY = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}\.[0-9]{3}(?![0-9.,])")
OFF = 0.1  # how far a rounded number may be from the number, as a share of it

# After these words a bare band would say something else than the text.
COMPARING = "over under than least most exceeding above below nearly almost".split()
HEDGES = "about approximately around roughly some circa approx".split()
_OPEN = re.compile(rf"(?i)\b(?:{'|'.join(COMPARING)}|minus)\b|[-−]$")
_OR_MORE = re.compile(r"\s?(?:or (?:more|less|fewer|over|under)\b|\+)")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, or two that bound a range, between the words before and after it."""

    before: str
    low: float
    high: float
    after: str
    scale: int = 1  # the unit that the text counts in: 10**6 for "3.5 million"

    @property
    def single(self) -> bool:
        return self.low == self.high

    def write(self, text: str) -> str:
        return f"{self.before}{text}{_NAMES.get(self.scale, '')}{self.after}"


def read_figure(text: str, scales: bool = True) -> Figure | None:
    """The one number of a text; None where there is none, or another beside it.

    `scales` says that "m" and "k" after a figure are million and thousand.
    """
    found = _NUMBER.search(text)
    if not found or _EITHER_WAY.search(text):
        return None
    word = (found["scale"] or "").lower()
    is_scaled = scales or word in _WORDY
    end = found.end() if is_scaled else found.end("b" if found["b"] else "a")
    before, after = text[: found.start()], text[end:]
    if _OPEN.search(before) or _OR_MORE.match(after) or _has_number_beside(before, after):
        return None
    said = word if end == found.end() else ""
    scale = _SCALES.get(said) or _WORDY.get(said, 1)
    low = read_number(found["a"])
    high = read_number(found["b"]) if found["b"] else low
    if low is None or high is None or high < low:
        return None
    return _keep_scale(Figure(before, low * scale, high * scale, after, scale), found["a"])


def _has_number_beside(before: str, after: str) -> bool:
    """Whether there is another number; the "2" of "m2" is none."""
    without_powers = re.sub(r"[²³]|(?<=[a-z])[23]\b", "", after)
    return read_number(before) is not None or read_number(without_powers) is not None


def _keep_scale(number: Figure, text: str) -> Figure:
    """A number whose words hold its scale ("37.5 million" read in one piece) is written in that scale too."""
    if number.scale != 1:
        return number
    for word, scale in _WORDY.items():
        is_said = re.search(rf"\b{word}\b", text.lower())
        if is_said and scale > 1000 and number.low % scale == 0:
            return Figure(number.before, number.low, number.high, number.after, scale)
    return number


def round_figure(number: Figure) -> tuple[str, int] | None:
    """ "7,000" for 6,932, and how many of its figures are not zeros. None where the number is as round already.

    It is the first round number that is off by at most a tenth and to which only numbers of the same band are rounded.
    """
    edges = find_bounds(number)
    if not number.single or edges is None:
        return None
    value = number.low
    for digits in (1, 2):
        unit = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
        steps = Decimal(math.floor(value / unit + 0.5))
        near = float(steps * Decimal(repr(unit)))  # decimal, so that 3 steps of 0.1 are 0.3
        if near == value:
            return None
        inside = edges[0] <= near - unit / 2 and near + unit / 2 <= edges[1]
        if inside and abs(near - value) <= OFF * value:
            return number.write(write_number(near / number.scale)), digits
    return None


def write_band(number: Figure) -> str | None:
    """ "5,000–10,000" for 6,932."""
    edges = find_bounds(number)
    if edges is None:
        return None
    low, high = (write_number(edge / number.scale) for edge in edges)
    return number.write(f"{low}–{high}")


def find_bounds(number: Figure) -> tuple[float, float] | None:
    """The band that holds the number, its upper edge not included; of a range both ends.

    A number that is an edge itself lies inside two bands taken together: the edge is not shown.
    """
    if number.low <= 0:
        return None
    low, high = find_step(number.low)[0], find_step(number.high)[1]
    if low == number.low:
        low = 0.0 if low == 1 else find_step(low * 0.99)[0]
    return low, high


def find_step(value: float) -> tuple[float, float]:
    """1, 2 or 5 times a power of ten at or under the value, and the next of these.

    >>> find_step(6932), find_step(20), find_step(0.3)
    ((5000.0, 10000.0), (20.0, 50.0), (0.2, 0.5))
    """
    power = math.floor(math.log10(value))
    for exponent in (power - 1, power, power + 1):  # a logarithm may be one off at a power of ten
        edges = [float(f"{lead}e{exponent}") for lead in (1, 2, 5, 10)]
        for low, high in pairwise(edges):
            if low <= value < high:
                return low, high
    raise ValueError("no band")


def write_number(value: float) -> str:
    """Thousands apart, no needless decimals: "7,000", "0.2"."""
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.6f}".rstrip("0")
