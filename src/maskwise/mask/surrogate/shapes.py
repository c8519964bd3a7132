"""Invents dates, numbers and codes of a given shape. Codes fail every checksum, or lie in ranges kept for fiction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from random import Random

from maskwise.mask.surrogate.bounds import ANYWHERE, Bounds
from maskwise.text.english import MONTHS, WEEKDAYS
from maskwise.text.subtypes import EMAIL, IPV4, IPV6, PHONE, URL

_MONTH = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
_DATE = re.compile(
    r"(?P<iso>\b\d{4}-\d\d-\d\d\b)|(?P<numbers>\b\d{1,2}(?P<mark>[./-])\d{1,2}(?P=mark)(?:\d{4}|\d\d)\b)"
    rf"|(?P<worded>\b(?:(?P<d1>\d{{1,2}})(?P<th>st|nd|rd|th)? (?:of )?)?(?P<month>{_MONTH})\b\.?"
    r"(?: (?P<d2>\d{1,2})(?P<th2>st|nd|rd|th)?\b(?!\d))?(?P<gap>,? )?(?(gap)(?P<year>\d{4})?))"
    rf"|(?P<time>\b\d{{1,2}}[:.]\d\d\b)|(?P<alone>\b\d{{4}})(?=s?\b)|(?P<weekday>\b(?:{'|'.join(WEEKDAYS)})\b)"
    r"|(?P<short>\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b(?=,? \d))",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LEAST_DAYS = 20  # that a date moves besides the years


@dataclass(frozen=True, slots=True)
class DateShift:
    """How far the dates of a document move: whole years back, and some days and minutes either way."""

    years: int
    days: int
    minutes: int = 0  # that times of day move
    year: int = 2001  # of dates that name none

    @property
    def total(self) -> timedelta:
        return timedelta(self.days - round(self.years * 365.2425))

    def add_years(self, years: int) -> DateShift:
        return replace(self, years=self.years + years)


def draw_shift(
    random: Random, texts: Iterable[str] = (), bounds: Bounds = ANYWHERE
) -> DateShift | None:
    """A shift for all dates of a document. Where it can, it takes no date over New Year, so that bare years fit.

    Dates only move back: none comes to lie in the future. The days are no whole weeks, so that weekdays change too.
    Within a year that stays in the text they move by days alone. None where the bounds allow no shift.
    """
    drawn = random.randint(2, 9)
    texts = list(texts)
    minutes = _draw_minutes(random, texts)
    found = [day for text in texts for day in list_days(text)]
    first, last = min(found, default=180), max(found, default=180)
    named = Counter(found for text in texts for found in _YEAR.findall(text))
    year = int(max(named, key=lambda one: (named[one], one), default="2001"))
    within, before = range(4 - first, 362 - last), range(-60, -_LEAST_DAYS)
    for years in (drawn, *random.sample(range(2, 10), 8), 1, 0):
        # Within one year they move back too: what is of this year must not lie ahead.
        for days in (within, before) if years else (range(4 - first, 0),):
            if shifts := _list_shifts(years, days, bounds):
                return replace(random.choice(shifts), minutes=minutes, year=year)
    return None


def _draw_minutes(random: Random, texts: Iterable[str]) -> int:
    """Minutes by which no time of the texts comes over midnight, so that their order stays; as many as that allows."""
    times = [
        _read_time(found[0]) for text in texts for found in _DATE.finditer(text) if found["time"]
    ]
    first, last = min(times, default=0), max(times, default=0)
    wanted = random.randint(47, 240)
    steps = [sign * step for step in (wanted, 47, 23, 11, 5) for sign in random.sample((1, -1), 2)]
    return next((m for m in steps if first + m >= 0 and last + m < 1440), wanted)


def _list_shifts(years: int, days: Iterable[int], bounds: Bounds) -> list[DateShift]:
    """The shifts by these days that are far enough, no whole weeks and within the bounds."""
    found = (DateShift(years, at) for at in days if abs(at) >= _LEAST_DAYS)
    return [
        shift for shift in found if shift.total.days % 7 and bounds.allow(years, shift.total.days)
    ]


def list_days(text: str) -> Iterator[int]:
    """The days of the year that dates name."""
    for found in _DATE.finditer(text):
        try:
            if found["iso"]:
                yield date.fromisoformat(found[0]).timetuple().tm_yday
            elif found["numbers"]:
                yield _read_numeric_date(found[0], found["mark"])[0].timetuple().tm_yday
            elif found["worded"]:
                yield _read_worded_date(found).timetuple().tm_yday
        except ValueError:
            continue


def move_dates(text: str, shift: DateShift) -> str:
    """A date as an earlier one in the same format; empty where there is none to move.

    One shift moves all dates alike, so that their order and the time between days stay.

    >>> move_dates("on 3 May 1971", DateShift(2, 20))
    'on 23 May 1969'
    """
    moved = _DATE.sub(lambda found: _move_match(found, shift), text)
    return "" if moved == text else moved


def _move_match(found: re.Match[str], shift: DateShift) -> str:
    text = found[0]
    try:
        if found["iso"]:
            return str(date.fromisoformat(text) + shift.total)
        if found["numbers"]:
            return _move_numeric_date(text, found["mark"], shift)
        if found["worded"]:
            return _move_worded_date(found, shift)
    except (ValueError, OverflowError):
        return text
    if found["time"]:
        return _move_time(text, shift.minutes or abs(shift.total.days) % 600 + 47)
    if found["alone"]:
        is_decade = found.string[found.end() : found.end() + 1] == "s"
        return _move_year(text, -10 if is_decade else -shift.years)
    starts = [day[:3].lower() for day in WEEKDAYS]
    later = WEEKDAYS[(starts.index(text[:3].lower()) + shift.total.days) % 7]
    return _match_case(text, later[:3] if found["short"] else later)


def _move_time(text: str, minutes: int) -> str:
    clock = (_read_time(text) + minutes) % 1440
    return f"{clock // 60:02d}{text[-3]}{clock % 60:02d}"


def _read_time(text: str) -> int:
    hour, minute = (int(part) for part in re.split("[:.]", text))
    return hour * 60 + minute


def _move_year(text: str, years: int) -> str:
    year = int(text) + years
    return str(year) if 1000 <= year <= 2999 else text


def _read_numeric_date(text: str, mark: str) -> tuple[date, bool]:
    """A date in numbers, and whether the month stands first."""
    first, second, last = text.split(mark)
    year = int(last) if len(last) == 4 else 1900 + int(last)
    is_american = int(second) > 12
    day, month = (int(second), int(first)) if is_american else (int(first), int(second))
    return date(year, month, day), is_american


def _move_numeric_date(text: str, mark: str, shift: DateShift) -> str:
    old, is_american = _read_numeric_date(text, mark)
    new = old + shift.total
    first, _, last = text.split(mark)
    numbers = [new.month, new.day] if is_american else [new.day, new.month]
    width = len(first) if first.startswith("0") or len(first) == 2 else 1
    parts = [f"{number:0{width}d}" for number in numbers]
    parts.append(str(new.year)[-len(last) :])
    return mark.join(parts)


def _read_worded_date(found: re.Match[str], default: int = 2001) -> date:
    name, year = found["month"], found["year"]
    day = found["d1"] or found["d2"]
    month = [each[:3].lower() for each in MONTHS].index(name[:3].lower()) + 1
    return date(int(year or default), month, int(day or 15))


def _move_worded_date(found: re.Match[str], shift: DateShift) -> str:
    name, year = found["month"], found["year"]
    day = found["d1"] or found["d2"]
    new = _read_worded_date(found, shift.year) + shift.total
    new_name = MONTHS[new.month - 1]
    if len(name) == 3 and name.lower() != "may":
        new_name = new_name[:3]
    text = found[0].replace(name, _match_case(name, new_name))
    if year:
        text = text.replace(year, f"{new.year:04d}")
    if day:
        ending = found["th"] or found["th2"] or ""
        new_ending = _find_ending(new.day) if ending else ""
        text = re.sub(rf"\b{day}{ending}\b", f"{new.day}{new_ending}", text, count=1)
    return text


def _find_ending(day: int) -> str:
    if day in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _match_case(text: str, other: str) -> str:
    if text.isupper():
        return other.upper()
    return other.lower() if text.islower() else other


def change_digits(text: str, random: Random) -> str:
    """A quantity with other digits, as many; empty where it has none."""

    def draw_digits(found: re.Match[str]) -> str:
        first = str(random.randint(1, 9))
        rest = [str(random.randint(0, 9)) for _ in found[0][1:]]
        return first + "".join(rest)

    return _DIGITS.sub(draw_digits, text) if _DIGITS.search(text) else ""


def invent_code(
    text: str,
    subtypes: frozenset[str],
    locale: str,
    random: Random,
    checks: Sequence[Callable[[str], bool]] = (),
) -> str:
    """A code of the same length and pattern that nobody has, or an address or number set apart for examples."""
    kind = " ".join(sorted(subtypes))
    if "@" in text or EMAIL in kind:
        return f"{_draw_letters(random, 6)}.{_draw_letters(random, 7)}@example.org"
    if URL in kind or "://" in text or text.startswith("www."):
        return f"https://example.org/{_draw_letters(random, 8)}"
    if IPV6 in kind:
        return f"2001:db8::{random.randint(1, 0xFFFF):x}"
    if IPV4 in kind:
        return f"192.0.2.{random.randint(1, 254)}"
    if PHONE in kind:
        return _invent_phone(text, locale, random)
    spare = ""
    for _ in range(100):
        made = _fill_pattern(text, random)
        if made == text or any(check(made) for check in _load_common_checks()):
            continue
        if not any(check(made) for check in checks):
            return made
        spare = spare or made
    return spare  # a check that every code of this form passes is no checksum


def _draw_letters(random: Random, size: int) -> str:
    """Letters that can be spoken: a consonant, a vowel, and so on."""
    alphabets = ("bdfgklmnprstv", "aeiou")
    return "".join(random.choice(alphabets[at % 2]) for at in range(size))


def _invent_phone(text: str, locale: str, random: Random) -> str:
    """Ofcom's numbers for drama (07700 900000 to 900999), and the American 555-0100 to 555-0199."""
    if locale in ("en_US", "en_CA"):
        number = f"202-555-01{random.randint(0, 99):02d}"
        return f"+1 {number}" if text.strip().startswith("+") else number
    number = f"7700 900{random.randint(0, 999):03d}"
    return f"+44 {number}" if text.strip().startswith("+") else f"0{number}"


def _fill_pattern(text: str, random: Random) -> str:
    """Digits for digits and letters for letters. The longest run of digits begins with 00, as few real ones do."""
    longest = max(_DIGITS.findall(text), key=len, default="")
    at = text.find(longest) if len(longest) >= 4 else -1
    made = re.sub(r"[0-9]", lambda m: str(random.randint(0, 9)), text)
    made = re.sub(r"[A-Z]", lambda m: random.choice("ABCDEFGHJKLMNPRSTUVWXYZ"), made)
    made = re.sub(r"[a-z]", lambda m: random.choice("abcdefghjkmnpqrstuvwxyz"), made)
    return made if at < 0 else f"{made[:at]}00{made[at + 2 :]}"


@cache
def _load_common_checks() -> tuple[Callable[[str], bool], ...]:
    """The two checksums that most codes have: no invented code may pass them."""
    from stdnum import iban, luhn

    return luhn.is_valid, iban.is_valid
