"""The ladder of durations: two years and eight months, about three years, 2–5 years, a period of time."""

from __future__ import annotations

import re

from maskwise.mask.generalise.ladder import LevelList
from maskwise.mask.generalise.numbers import (
    COMPARING,
    HEDGES,
    Figure,
    read_figure,
    round_figure,
    write_band,
)
from maskwise.text import Entity, Level
from maskwise.text.numbers import read_number
from maskwise.text.person import strip_possessive

_DAYS = {
    "second": 1 / 86400, "minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "night": 1.0, "week": 7.0, "fortnight": 14.0,
    "month": 30.44, "year": 365.25, "decade": 3652.5,
}  # fmt: skip
_UNIT = "|".join(_DAYS)
_KIND = "(?:working|calendar|consecutive|business) "
_PART = re.compile(rf"(.+?)[ -](?:{_KIND})?({_UNIT})s?['’]?(?:,? and |, | |$)", re.IGNORECASE)
_WHOLE = re.compile(rf"(?:{_PART.pattern})+", re.IGNORECASE)
_RANGE = re.compile(
    r"(?i)\b(?:to|or)\b|[0-9½] ?[-–—] ?[0-9]|\b(?:several|few|many|some|more|less|over|under|least)\b"
)
_RATE = re.compile(r"(?i)\bper\b|/")
_HYPHEN = re.compile(rf"(?i).+[-‑](?:{_UNIT})")
_ROUNDED = 0.4
_BAND = 0.65
_UNIT_ALONE = 0.85


def find_duration_levels(entity: Entity) -> LevelList:
    """The levels of a duration, or none where the text gives none."""
    text = re.sub(r"\s+", " ", entity.longest.text).strip(" ,")
    text = strip_possessive(text.replace("‑", "-"))
    parts = _PART.findall(text)
    if not parts or not _WHOLE.fullmatch(text) or _RATE.search(text):
        return ()
    is_hyphened = bool(_HYPHEN.fullmatch(text))
    last = Level("a period of time", 1.0)
    if is_hyphened:
        last = Level("a certain-length", 1.0, forms={"modifier": "certain-length"})
    if _RANGE.search(text):
        return (*_build_range_levels(text), last)
    days = _count_days(parts)
    if days is None:
        return (last,)
    kind = re.search(_KIND, text)
    unit = parts[0][1].lower()
    levels = _build_coarser_levels(
        days, unit, kind[0] if kind else "", is_hyphened, len(parts) == 1
    )
    return (*levels, last)


def _build_range_levels(text: str) -> LevelList:
    """ "six to eight weeks", "5–10 weeks"."""
    number = read_figure(text, scales=False)
    if number is None or number.before:
        return ()
    if not re.fullmatch(rf" (?:{_UNIT})s", number.after):
        return ()
    inside = write_band(number)
    return (Level(inside, _BAND),) if inside else ()


def _count_days(parts: list[tuple[str, str]]) -> float | None:
    total = 0.0
    for number, unit in parts:
        fraction = re.sub(r"(?i)\band (?:a |one )?(half|quarter)\b", r"\1", number)
        value = read_number(fraction.replace("quarter", "¼"))
        if value is None and number.lower() in ("a", "an"):
            value = 1.0
        if value is None:
            return None
        total += value * _DAYS[unit.lower()]
    return total or None


def _build_coarser_levels(
    days: float, unit: str, kind: str, is_hyphened: bool, is_single: bool
) -> LevelList:
    """Rounded and in a band, in the unit the text begins with, or in a shorter one where that is less than one."""
    if days < _DAYS[unit]:
        shorter = ("month", "week", "day", "hour", "minute", "second")
        unit = next(name for name in shorter if days >= _DAYS[name])
    count = round(days / _DAYS[unit], 4)
    number = Figure("", count, count, f"-{unit}" if is_hyphened else f" {kind}{unit}s")
    found = []
    about, digits = round_figure(number) or ("", 0)
    if about and not is_hyphened and (is_single or digits == 1):
        after = dict.fromkeys(HEDGES, about)
        after |= dict.fromkeys(COMPARING, f"a period of about {about}")
        found.append(Level(f"about {about}", _ROUNDED, after))
    inside = write_band(number)
    if inside:
        between = inside.replace("–", " to ")
        after = dict.fromkeys(COMPARING, f"a period of {between}")
        found.append(Level(inside, _BAND, after))
    if count >= 2 and not is_hyphened:
        found.append(Level(f"some {unit}s", _UNIT_ALONE, {"the": f"{unit}s in question"}))
    return tuple(found)
