"""The ladder of durations: two years and eight months, about three years, 2–5 years, a period of time."""

from __future__ import annotations

import re

from maskwise.detect.patterns._numbers import worth
from maskwise.mask.generalise.ladder import LevelList
from maskwise.mask.generalise.numbers import COMPARING, HEDGES, Figure, read_figure, round_figure, write_band
from maskwise.text import Entity, Level
from maskwise.text.person import strip_possessive

_DAYS = {
    "second": 1 / 86400, "minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "night": 1.0, "week": 7.0, "fortnight": 14.0,
    "month": 30.44, "year": 365.25, "decade": 3652.5,
}  # fmt: skip
_UNIT = "|".join(_DAYS)
_KIND = "(?:working|calendar|consecutive|business) "
_PART = re.compile(rf"(.+?)[ -](?:{_KIND})?({_UNIT})s?['’]?(?:,? and |, | |$)", re.IGNORECASE)
_WHOLE = re.compile(rf"(?:{_PART.pattern})+", re.IGNORECASE)
_RANGE = re.compile(r"(?i)\b(?:to|or)\b|[0-9½] ?[-–—] ?[0-9]|\b(?:several|few|many|some|more|less|over|under|least)\b")
_HYPHEN = re.compile(rf"(?i).+[-‑](?:{_UNIT})")
_ROUNDED, _BAND, _UNIT_ALONE = 0.4, 0.65, 0.85


def find_duration_levels(entity: Entity) -> LevelList:
    """The levels of a duration, or none where the text tells none."""
    text = strip_possessive(re.sub(r"\s+", " ", entity.longest.text).strip(" ,").replace("‑", "-"))
    parts = _PART.findall(text)
    if not parts or not _WHOLE.fullmatch(text):
        return ()
    hyphened = bool(_HYPHEN.fullmatch(text))
    last = Level("a certain-length", 1.0) if hyphened else Level("a period of time", 1.0)
    if _RANGE.search(text):
        return (*_build_range_levels(text), last)
    amount = _count_days(parts)
    if amount is None:
        return (last,)
    kind = re.search(_KIND, text)
    unit = parts[0][1].lower()
    return (*_build_coarser_levels(amount, unit, kind[0] if kind else "", hyphened, len(parts) == 1), last)


def _build_range_levels(text: str) -> LevelList:
    """ "six to eight weeks", "5–10 weeks"."""
    number = read_figure(text, scales=False)
    inside = number and not number.before and re.fullmatch(rf" (?:{_UNIT})s", number.after) and write_band(number)
    return (Level(inside, _BAND),) if inside else ()


def _count_days(parts: list[tuple[str, str]]) -> float | None:
    total = 0.0
    for number, unit in parts:
        value = worth(re.sub(r"(?i)\band (?:a |one )?(half|quarter)\b", r"\1", number).replace("quarter", "¼"))
        value = 1.0 if value is None and number.lower() in ("a", "an") else value
        if value is None:
            return None
        total += value * _DAYS[unit.lower()]
    return total or None


def _build_coarser_levels(days: float, unit: str, kind: str, hyphened: bool, single: bool) -> LevelList:
    """Rounded and in a band, in the unit the text begins with, or a shorter one that is not a part of one."""
    if days < _DAYS[unit]:
        unit = next(name for name in ("month", "week", "day", "hour", "minute", "second") if days >= _DAYS[name])
    count = round(days / _DAYS[unit], 4)
    number = Figure("", count, count, f"-{unit}" if hyphened else f" {kind}{unit}s")
    found = []
    about, digits = round_figure(number) or ("", 0)
    if about and (single or digits == 1) and not hyphened:
        after = dict.fromkeys(HEDGES, about) | dict.fromkeys(COMPARING, f"a period of about {about}")
        found.append(Level(f"about {about}", _ROUNDED, after))
    if inside := write_band(number):
        between = inside.replace("–", " to ")
        found.append(Level(inside, _BAND, dict.fromkeys(COMPARING, f"a period of {between}")))
    if count >= 2 and not hyphened:
        found.append(Level(f"some {unit}s", _UNIT_ALONE, {"the": f"{unit}s in question"}))
    return tuple(found)
