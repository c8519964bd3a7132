"""Ladders of quantities: 6,932 hryvnias, about 7,000 hryvnias, 5,000–10,000 hryvnias, an amount of money."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from maskwise.mask.generalise.grammar import is_standalone
from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.mask.generalise.numbers import (
    COMPARING,
    HEDGES,
    Figure,
    find_bounds,
    read_figure,
    round_figure,
    write_band,
    write_number,
)
from maskwise.text import Entity, Level, Mention
from maskwise.text.currencies import find_currency
from maskwise.text.subtypes import CARDINAL, COUNT, HEDGE, MEASURE, MONEY

# Shares of the bits of a number of four figures over six powers of ten, lost by one figure, by two, and by a band.
_ROUNDED = {1: 0.45, 2: 0.3}
_BAND = 0.7
_COUNTED = 0.9

_PERCENT = re.compile(r"%|per ?cent\b|‰|percentage points?", re.IGNORECASE)
_KINDS = (
    ("area", r"m2|m²|km2|km²|cm2|cm²|mm2|mm²|ha|sq\b.*|sqm|square .*|hectares?|acres?|decares?|dunams?|dönüms?"),
    ("volume", r"m3|m³|cm3|cm³|cc|cu\b.*|cubic .*|[mcdh]?l|(?:centi|milli)?lit(?:re|er)s?|gallons?|pints?|barrels?"),
    ("speed", r"km/h|kph|k\.p\.h\.|mph|m\.p\.h\.|m/s|knots?|.* per (?:hour|second)"),
    ("temperature", r"°[CF]?|º[C]?|oC|degrees? (?:celsius|fahrenheit)"),
    ("length", r"[mcdknµ]?m|ft|yd|mi|(?:milli|centi|deci|kilo)?met(?:re|er)s?|inch(?:es)?|foot|feet|yards?"
     r"|(?:nautical )?miles?"),
    ("weight", r"[mµk]?g|mcg|gr\.?|kgs|kg\.|lbs?|oz|(?:milli|kilo)?gram(?:me)?s?|kilos?|(?:metric )?tonn?e?s?|ounces?"
     r"|stones?|carats?"),
    ("amount of data", r"[KMGTk]?B|(?:kilo|mega|giga|tera)?bytes?"),
)  # fmt: skip
_COUNT = re.compile(r"\s(?:of (?=the|them|h|its|th))?(?P<what>[a-z][a-z‑'’ -]*[a-z])")
_WEIGHING = ("weigh", "weighs", "weighed", "weighing")
# What no amount is written like: "0815", "2A77", "482-0913", "99996484-M".
_CODED = re.compile(
    r"(?<![\d.,:/ ])0\d|\d[A-Za-z]+\d|\d{5}[-/]|[-/]\d{5}|\d{1,3}-0|(?<!\d)\d{3}[- ]\d{2}(?!\d)|^\d+-\d{3,}$|\d-\d+-\d"
)
_FIGURES = re.compile(r"[\d /-]+|\d{1,3}(?:\.\d{1,3}){2,}")
_SHORT = 4  # figures of a number before a noun that is a count: "1500 people"
_FEW = 10  # counts under it are told as such


@cache
def _compile_units() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The measures, each with the pattern of its units. They take long to compile, and few texts need them."""
    return tuple(
        (kind, re.compile(rf"[\s-]*(?:{pattern})\.?", re.IGNORECASE)) for kind, pattern in _KINDS
    )


def find_quantity_levels(entity: Entity) -> LevelList:
    """The levels of an amount of money, a percentage, a measure, a count or a bare number."""
    text = re.sub(r"\s+", " ", entity.longest.text.strip())
    if _CODED.search(text):
        return ()
    if _PERCENT.search(text):
        return _build_percentage_levels(text)
    if _is_money(text, entity):
        return (
            *_build_coarser_levels(read_figure(text), "amount"),
            Level("an amount of money", 1.0),
        )
    number = read_figure(text, scales=False)
    if number is None:
        return ()
    for kind, unit in _compile_units():
        if unit.fullmatch(number.after):
            last = Level(f"a certain {kind}", 1.0, dict.fromkeys(_WEIGHING, "a certain amount"))
            return (*_build_coarser_levels(number, kind), last)
    levels = _build_count_levels(number, entity.longest)
    return levels if _is_amount(text, entity) else levels[-1:]


def _is_amount(text: str, entity: Entity) -> bool:
    """Whether a number surely counts or measures: figures alone may be a code."""
    if not _FIGURES.fullmatch(text) or entity.subtypes & {MEASURE, COUNT, CARDINAL}:
        return True
    return len(text) <= _SHORT and not is_standalone(entity.longest)


def describe_any_quantity(entity: Entity) -> LevelList:
    """The levels of any quantity."""
    if HEDGE in entity.subtypes:  # "more than", found apart from what it hedges
        return (Level("an amount compared with", 1.0),)
    if "imprisonment" in entity.longest.text.lower():
        return (Level("a sentence of imprisonment", 1.0),)
    kind = "measure" if MEASURE in entity.subtypes else "quantity"
    text = entity.longest.text
    is_money = _is_money(text, entity) and not _CODED.search(text)
    text = "an amount of money" if is_money else f"a certain {kind}"
    after = dict.fromkeys(("no", "nos", "nr", "number"), "withheld")  # "under no. 12 Cg 45"
    return (Level(text, 1.0, after),)


def _is_money(text: str, entity: Entity) -> bool:
    if MONEY in entity.subtypes:
        return True
    if entity.subtypes & {MEASURE, COUNT, CARDINAL}:
        return False
    return bool(find_currency(text))


def _build_coarser_levels(number: Figure | None, noun: str) -> LevelList:
    """Rounded, then in a band. After "over" and the like the text compares with the number, so a noun goes before."""
    if number is None:
        return ()
    found = []
    near = None if number.after.startswith("-") else round_figure(number)
    if near:
        about, digits = near
        after = dict.fromkeys(HEDGES, about)
        after |= dict.fromkeys(COMPARING, f"a certain {noun}, about {about},")
        is_hedged = number.before.lower().startswith(tuple(HEDGES))
        text = about if is_hedged else f"about {about}"
        found.append(Level(text, _ROUNDED[digits], after))
    inside = write_band(number)
    if inside:
        low, high = map(write_number, _scale_bounds(number))
        between = number.write(f"{low} and {high}")
        after = dict.fromkeys(COMPARING, f"a certain {noun} between {between}")
        after["between"] = between
        found.append(Level(inside, _BAND, after))
    return tuple(found)


def _scale_bounds(number: Figure) -> tuple[float, float]:
    low, high = find_bounds(number) or (number.low, number.high)
    return low / number.scale, high / number.scale


def _build_percentage_levels(text: str) -> LevelList:
    number = read_figure(text, scales=False)
    is_in_points = "point" in text.lower()
    kind = "a certain number of percentage points" if is_in_points else "a certain percentage"
    last = Level(kind, 1.0)
    if number is None or number.before.strip() or is_in_points or "‰" in text:
        return (last,)
    if not 0 <= number.low <= number.high <= 100:
        return (last,)
    low = min(90, number.low // 10 * 10)
    high = min(100, number.high // 10 * 10 + 10)
    if low and low == number.low:  # an edge would show the number
        low -= 10
    levels = [_build_share_level(number, low, high)]
    if high <= 50:
        levels.append(_build_share_level(number, 0, 50))
    elif low >= 50:
        levels.append(_build_share_level(number, 50, 100))
    return (*levels, last)


def _build_share_level(number: Figure, low: float, high: float) -> Level:
    text = _write_share(number, low, high)
    return Level(text, measure_lost_bits(high - low, 100.0), _word_comparisons(number, low, high))


def _write_share(number: Figure, low: float, high: float) -> str:
    if number.high == 100:
        return f"{number.write(f'{low:.0f}')} or more"
    if not low:
        return f"up to {number.write(f'{high:.0f}')}"
    return number.write(f"{low:.0f}–{high:.0f}")


def _word_comparisons(number: Figure, low: float, high: float) -> dict[str, str]:
    if number.high == 100:
        return {}
    return dict.fromkeys(COMPARING, f"a share between {number.write(f'{low:.0f} and {high:.0f}')}")


def _build_count_levels(number: Figure, mention: Mention) -> LevelList:
    """A count with what is counted, or a number alone."""
    if re.fullmatch(r"[-‑][a-z]+", number.after) and not number.before:  # "a 192-page judgment"
        return (
            *_build_coarser_levels(number, "number"),
            Level("a certain-size", 1.0, forms={"modifier": "certain-size"}),
        )
    is_hedged = number.before.lower().strip() in HEDGES
    counted = _COUNT.fullmatch(number.after)
    if number.before.strip() and not is_hedged:
        return ()
    if number.after and not counted:
        return ()
    counts_next_word = not number.after and not is_standalone(mention)  # "two" of "two robberies"
    of = " of" if counts_next_word else ""
    forms = {"modifier": f"certain number{of}"} if of else {}
    last = Level(f"a certain number{of}", 1.0, forms=forms)
    if counted:
        last = replace(last, forms={"phrase": ""})  # "has a certain number" would not say of what
    some: LevelList = ()
    if counted and number.low > 1:
        some = (Level(f"a number of {counted['what']}", _COUNTED),)
    is_whole = number.single and number.low == int(number.low)
    if number.high >= _FEW or is_hedged or not is_whole:
        return (*_build_coarser_levels(number, "number"), *some, last)
    if not some:
        return (last,)
    after = dict.fromkeys(COMPARING, f"a number under ten of{number.after}")
    few = Level(f"fewer than ten{number.after}", _BAND, after)
    return (few, *some, last)
