"""How a national identifier is written and checked, with the check digits that python-stdnum does not know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple


class Scheme(NamedTuple):
    """One identifier of one country.

    `checked_by`: a module of python-stdnum, a function, or empty where the shape is all there is. `words` announce it,
    separated by bars. `bare`: shape and check are together rare enough to do without a word. `checksum`: a check digit
    vouches for it, and not only its shape or the date in it.
    """

    name: str
    checked_by: str | Callable[[str], bool]
    regex: str
    words: str
    example: str
    bare: bool = False
    checksum: bool = True

    def is_valid(self, surface: str) -> bool:
        if callable(self.checked_by):
            return self.checked_by(surface)
        if not self.checked_by:
            return True
        return bool(import_module(f"stdnum.{self.checked_by}").is_valid(surface))


def _read_digits(surface: str) -> list[int]:
    return [int(sign) for sign in re.findall("[0-9]", surface)]


def _sum_weighted(digits: Iterable[int], weights: Iterable[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=False))


def is_hungarian_person(surface: str) -> bool:
    """Személyi szám: modulo 11, weights rising for people born before 1997 and falling after."""
    digits = _read_digits(surface)
    rising, falling = (
        _sum_weighted(digits, weights) % 11 for weights in (range(1, 11), range(10, 0, -1))
    )
    return digits[10] in (rising, falling)


def is_hungarian_health(surface: str) -> bool:
    """TAJ szám: weights three and seven, modulo 10."""
    digits = _read_digits(surface)
    return _sum_weighted(digits, (3, 7) * 4) % 10 == digits[8]


def is_hungarian_tax(surface: str) -> bool:
    """Adóazonosító jel: begins with 8, modulo 11."""
    digits = _read_digits(surface)
    return _sum_weighted(digits, range(1, 10)) % 11 == digits[9]


def is_australian_medicare(surface: str) -> bool:
    digits = _read_digits(surface)
    return _sum_weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == digits[8]


def is_new_zealand_health(surface: str) -> bool:
    """NHI number: three letters without I and O, three digits and a check digit, modulo 11."""
    letters = ["ABCDEFGHJKLMNPQRSTUVWXYZ".index(sign) + 1 for sign in surface[:3]]
    values = letters + _read_digits(surface[3:])
    rest = _sum_weighted(values[:6], range(7, 1, -1)) % 11
    return rest != 0 and (11 - rest) % 10 == values[6]


def is_singaporean(surface: str) -> bool:
    """NRIC and FIN: the letter at the end follows from the digits and the series."""
    series = surface[0]
    total = _sum_weighted(_read_digits(surface), (2, 7, 6, 5, 4, 3, 2))
    if series in "TG":
        total += 4
    letters = "JZIHGFEDCBA" if series in "ST" else "XWUTRQPNMLK"
    return letters[total % 11] == surface[-1]


def is_russian_pension(surface: str) -> bool:
    """SNILS: weights nine to one, modulo 101."""
    digits = _read_digits(surface)
    return _sum_weighted(digits, range(9, 0, -1)) % 101 % 100 == digits[9] * 10 + digits[10]


def is_latvian_person(surface: str) -> bool:
    """Personas kods as issued before July 2017; later ones begin with 32 and have no check digit."""
    digits = _read_digits(surface)
    weights = (1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return digits[:2] == [3, 2] or (1101 - _sum_weighted(digits, weights)) % 11 % 10 == digits[10]
