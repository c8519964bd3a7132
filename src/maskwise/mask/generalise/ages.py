"""The ladder of ages: aged 47, in their forties, an adult, of a certain age. Gender-neutral.

Minors go by bands of their own (under 2, 2 to 5, 6 to 12, 13 to 17). An age told as "about", "over" or "under" a
number has no band.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from maskwise.detect.patterns._numbers import VALUES, worth
from maskwise.mask.generalise.grammar import find_word_before
from maskwise.mask.generalise.ladder import LevelList, bits_lost
from maskwise.mask.generalise.numbers import COMPARING, HEDGES
from maskwise.text import Entity, EntityType, Level, Mention

_TENS = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_AGES = 90.0  # as many as people commonly reach
_OF_AGE, _OLDEST = 18, 130
_NUMBER = re.compile(rf"[0-9]+(?:[.,][0-9])?½?|(?:(?:{'|'.join(VALUES)})\b(?:[ -](?:and a half\b)?)?)+", re.IGNORECASE)
_UNIT = "(?:year|month|week|day)"
_ADJECTIVE = re.compile(rf"(?i).*(?:[-‑]{_UNIT}s?|[ ]{_UNIT})['’]?[- ‑](?P<old>olds?)")
_AGE = re.compile(
    r"(?i)\b(?:aged?|years? old|months? old|weeks? old|days? old|years? of age|months? of age|year-olds?)\b"
)
_DECADE = re.compile(
    r"(?i)(?:(?:early|mid|late|middle)[- ‑])?(?:(?P<word>teens|[a-z]+ties)|['’]?(?P<ten>[1-9])0['’]?s)"
)
_UNSURE = re.compile(
    r"(?i)\b(?:about|around|approximately|over|under|almost|nearly|only just|between|less|more|least)\b"
)
_NOUNS = re.compile(
    r"[ \u00a0](?:man|men|woman|women|boys?|girls?|males?|females?|child|children|sons?|daughters?|sisters?|brothers?"
    r"|mother|father|persons?|people|students?|pupils?|patients?|applicants?|victims?|driver|nephew|niece|youths?)\b"
)
_CERTAIN_AGE = Level("a certain age", 1.0, {"the": "age in question"})
_BEING = re.compile(
    r"(?i)\b(?:when|while|because|before|until) (?:he|she|they|i|we|you) (?:was|is|were|are|turned) $|\bdied at $"
)
_COPULAS = ("", "was", "is", "were", "are", "be", "been", "being")  # also after a comma


@dataclass(frozen=True, slots=True)
class Band:
    """Ages from `low` up to, not including, `high`. `name` is that of a decade ("forties")."""

    low: int
    high: int
    name: str = ""

    @property
    def between(self) -> str:
        """Bounds that are no ages of the band, so that an age is never shown."""
        parts = (f"over {self.low - 1}" if self.low else "", f"under {self.high}" if self.high < _OLDEST else "")
        return " and ".join(part for part in parts if part)

    @property
    def predicate(self) -> str:
        return f"in their {self.name}" if self.name else f"{self.between} years old"

    @property
    def adjective(self) -> str:
        if self.name:
            return f"{self.name.removesuffix('ies')}y-something"
        return f"{self.low}-to-{self.high - 1}-year-old" if self.low else f"under-{self.high}-year-old"


BANDS = (
    *(Band(0, 2), Band(2, 6), Band(6, 13), Band(13, 18), Band(18, 30)),
    *(Band(10 * at, 10 * at + 10, name) for at, name in enumerate(_TENS, 2)),
    Band(100, _OLDEST),
)


def find_age_levels(entity: Entity) -> LevelList:
    """The levels of an age, or none where the text tells none."""
    mention = entity.longest
    text = re.sub(r"\s+", " ", mention.text).strip(" ,")
    told = any(s.partition("_")[0] == "age" for s in entity.subtypes) or _AGE.search(text) or _is_age(mention, text)
    # The eighties of a calendar are no age.
    if (told or entity.type is not EntityType.DATETIME) and (decade := _DECADE.fullmatch(text)):
        return _build_decade_levels(text, decade)
    if not told:
        return ()
    years = read_ages(text)
    if not years:
        return ()
    compared = find_word_before(mention) in (*COMPARING, *HEDGES)
    return _build_levels(text, years, mention, compared or bool(_UNSURE.search(text)))


def _is_age(mention: Mention, text: str) -> bool:
    """What follows "aged"; a number called an attribute of somebody, or told after "when she was" or "Mr Dal,"."""
    if find_word_before(mention) == "aged":
        return bool(read_ages(text))
    if not _NUMBER.fullmatch(text) or not 0 < (worth(text) or 0) < _OLDEST:
        return False
    before = mention.document.text[max(0, mention.start - 30) : mention.start]
    beside = re.search(r"[A-Z]\w+, $", before) and mention.document.text.startswith((",", ")"), mention.end)
    return mention.type is EntityType.DEM or bool(beside or _BEING.search(before))


def read_ages(text: str) -> tuple[float, ...]:
    """The ages said, in years."""
    unit = re.search(r"(?i)month|week|day", text)
    per_year = {"m": 12, "w": 52, "d": 365}[unit[0][0].lower()] if unit else 1
    if unit and re.search(r"(?i)year", text):  # "two years and three months old"
        per_year, text = 1, re.split(r"(?i)years?", text)[0]
    values = (worth(re.sub(r"(?i)and a half", "half", found)) for found in _NUMBER.findall(text))
    return tuple(value / per_year for value in values if value is not None)


def _build_levels(text: str, years: Sequence[float], mention: Mention, unsure: bool) -> LevelList:
    bands = sorted((b for b in BANDS if b.low <= years[0] < b.high), key=lambda b: b.high - b.low)[:1]
    bands = bands if len(years) == 1 and not unsure else []
    sides = {year >= _OF_AGE for year in years}
    side = sides.pop() if len(sides) == 1 and not (unsure and "between" not in text) else None
    if adjective := _ADJECTIVE.fullmatch(text):
        return _build_adjective_levels(bands, side, "s" if adjective["old"].lower() == "olds" else "", mention)
    if re.match(r"(?i)age\b", text):
        kinds = {True: "age of 18 or over", False: "age of less than 18"}
        return (*_list_steps([f"age of {b.between}" for b in bands], bands, side, kinds), _CERTAIN_AGE)
    if len(years) == 2 and find_word_before(mention) == "between":
        low, high = (math.ceil(min(years)) - 1) // 10 * 10, int(max(years)) // 10 * 10 + 10
        wider = Level(f"{low} and {high} years old", bits_lost(high - low, _AGES))
        return (wider, Level("certain ages", 1.0))
    if find_word_before(mention) in ("turned", "at") and not _AGE.search(text):
        return (*_list_steps([f"an age of {b.between}" for b in bands], bands, None, {}), _CERTAIN_AGE)
    group = _list_steps([b.predicate for b in bands], bands, side, {True: "over 17", False: "under 18"})
    if bands and bands[0].name:  # "he was in their forties" would not do
        said = f"{bands[0].between} years old"
        group = (Level(group[0].text, group[0].loss, dict.fromkeys(_COPULAS[1:], said)), *group[1:])
    if side and len(years) == 1:
        group = (*group[:-1], Level(group[-1].text, group[-1].loss, dict.fromkeys(_COPULAS, "an adult")))
    last = Level(
        "of a certain age" if len(years) == 1 else "of certain ages", 1.0, {"aged": "a certain number of years"}
    )
    if bands and find_word_before(mention) == "aged":
        group = (Level(bands[0].between, group[0].loss), *group[1:])
    return (*group, last)


def _list_steps(texts: Sequence[str], bands: Sequence[Band], side: bool | None, kinds: Mapping[bool, str]) -> LevelList:
    """The band and the side of majority that the ages are on, as far as they are known."""
    found = [Level(t, bits_lost(b.high - b.low, _AGES)) for t, b in zip(texts, bands, strict=True)]
    if side is not None:
        found.append(Level(kinds[side], bits_lost(_AGES - _OF_AGE if side else _OF_AGE, _AGES)))
    return tuple(found)


def _build_adjective_levels(bands: Sequence[Band], side: bool | None, many: str, mention: Mention) -> LevelList:
    """ "a 47-year-old man", "the 47-year-old"."""
    described = bool(_NOUNS.match(mention.document.text, mention.end))
    kinds = {True: f"adult{many}", False: "underage" if described else f"minor{many}"}
    steps = _list_steps([b.adjective + many for b in bands], bands, side, kinds)
    if described:
        return (*steps, Level("certain", 1.0))
    return (*steps, Level("people" if many else "person", 1.0))


def _build_decade_levels(text: str, found: re.Match[str]) -> LevelList:
    """ "mid-40s", "forties"; read after "in his"."""
    word = (found["word"] or "").lower()
    at = int(found["ten"]) if found["ten"] else 1 if word == "teens" else _TENS.index(word) + 2 if word in _TENS else 0
    if not at:
        return ()
    name = "teens" if at == 1 else _TENS[at - 2]
    part = [Level(name, bits_lost(3, 26))] if text.lower() not in (name, f"{at}0s") else []
    adult = [Level("adult years", bits_lost(7.2, 9))] if at > 1 else []
    return (*part, *adult, Level("lifetime", 1.0))
