"""The ladder of ages: aged 47, in their forties, an adult, of a certain age. Gender-neutral.

Minors go by bands of their own (under 2, 2 to 5, 6 to 12, 13 to 17). An age with "about", "over" or "under"
before its number has no band.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from maskwise.mask.generalise.grammar import find_word_before
from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.mask.generalise.numbers import COMPARING, HEDGES
from maskwise.mask.generalise.slots import read_before
from maskwise.text import Entity, EntityType, Level, Mention
from maskwise.text.numbers import VALUES, read_number
from maskwise.text.subtypes import AGE

_TENS = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_AGES = 90.0  # as many as people commonly reach
_OF_AGE = 18
_LONGEST = 40  # characters of an age
_OLDEST = 130
_PER_YEAR = {"m": 12, "w": 52, "d": 365}  # months, weeks, days
_NUMBER = re.compile(
    rf"[0-9]+(?:[.,][0-9])?½?|(?:(?:{'|'.join(VALUES)})\b(?:[ -](?:and a half\b)?)?)+",
    re.IGNORECASE,
)
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
_OWNERS = {"he": "his", "she": "her", "i": "my", "we": "our", "you": "your"}
_PRONOUN = re.compile(
    r"(?i)\b(he|she|i|we|you) (?:was|is|were|am|are|(?:has|have|had) been)(?: (?:then|now|only|just|already|still))? $"
)
_COPULAS = (
    "",
    "was",
    "is",
    "were",
    "are",
    "am",
    "be",
    "been",
    "being",
    "turned",
    "became",
)  # also after a comma


@dataclass(frozen=True, slots=True)
class Band:
    """Ages from `low` up to, not including, `high`. `name` is that of a decade ("forties")."""

    low: int
    high: int
    name: str = ""
    owner: str = ""  # the word for whose age it is

    @property
    def between(self) -> str:
        """Bounds that are no ages of the band, so that an age is never shown."""
        parts = []
        if self.low:
            parts.append(f"over {self.low - 1}")
        if self.high < _OLDEST:
            parts.append(f"under {self.high}")
        return " and ".join(parts)

    @property
    def predicate(self) -> str:
        return (
            f"in {self.owner or 'their'} {self.name}" if self.name else f"{self.between} years old"
        )

    @property
    def adjective(self) -> str:
        if self.name:
            return f"{self.name.removesuffix('ies')}y-something"
        if self.low:
            return f"{self.low}-to-{self.high - 1}-year-old"
        return f"under-{self.high}-year-old"

    @property
    def loss(self) -> float:
        return measure_lost_bits(self.high - self.low, _AGES)


BANDS = (
    *(Band(0, 2), Band(2, 6), Band(6, 13), Band(13, 18), Band(18, 30)),
    *(Band(10 * at, 10 * at + 10, name) for at, name in enumerate(_TENS, 2)),
    Band(100, _OLDEST),
)


def find_age_levels(entity: Entity) -> LevelList:
    """The levels of an age, or none where the text gives none."""
    mention = entity.longest
    text = re.sub(r"\s+", " ", mention.text).strip(" ,")
    if len(text) > _LONGEST:
        return ()
    is_age = _has_age_subtype(entity) or bool(_AGE.search(text)) or _is_age(mention, text)
    decade = _DECADE.fullmatch(text)
    # The eighties of a calendar are no age.
    if decade and (is_age or entity.type is not EntityType.DATETIME):
        return _build_decade_levels(text, decade)
    if not is_age:
        return ()
    years = read_ages(text)
    if not years:
        return ()
    is_compared = find_word_before(mention) in (*COMPARING, *HEDGES)
    is_unsure = is_compared or bool(_UNSURE.search(text))
    return _build_levels(text, years, mention, is_unsure)


def _has_age_subtype(entity: Entity) -> bool:
    return any(subtype.partition("_")[0] == AGE for subtype in entity.subtypes)


def _is_age(mention: Mention, text: str) -> bool:
    """Whether it follows "aged", is a number called an attribute of somebody, or follows "when she was" or "Dal,"."""
    if find_word_before(mention) == "aged":
        return bool(read_ages(text))
    if not _NUMBER.fullmatch(text):
        return False
    if not 0 < (read_number(text) or 0) < _OLDEST:
        return False
    if mention.type is EntityType.DEM:
        return True
    before = mention.document.text[max(0, mention.start - 30) : mention.start]
    is_closed = mention.document.text.startswith((",", ")"), mention.end)
    is_beside_name = is_closed and bool(re.search(r"[A-Z]\w+, $", before))
    return is_beside_name or bool(_BEING.search(before))


def read_ages(text: str) -> tuple[float, ...]:
    """The ages that a text gives, in years."""
    unit = re.search(r"(?i)month|week|day", text)
    per_year = _PER_YEAR[unit[0][0].lower()] if unit else 1
    if unit and re.search(r"(?i)year", text):  # "two years and three months old"
        per_year = 1
        text = re.split(r"(?i)years?", text)[0]
    numbers = [re.sub(r"(?i)and a half", "half", found) for found in _NUMBER.findall(text)]
    values = [read_number(number) for number in numbers]
    return tuple(value / per_year for value in values if value is not None)


def _build_levels(
    text: str, years: Sequence[float], mention: Mention, is_unsure: bool
) -> LevelList:
    bands = [] if is_unsure or len(years) > 1 else _find_band(years[0])
    side = _find_side(years, is_unsure and "between" not in text)
    before = find_word_before(mention)
    if adjective := _ADJECTIVE.fullmatch(text):
        plural = "s" if adjective["old"].lower() == "olds" else ""
        return _build_adjective_levels(bands, side, plural, mention)
    if re.match(r"(?i)age\b", text):
        kinds = {True: "age of 18 or over", False: "age of less than 18"}
        steps = _list_steps([f"age of {band.between}" for band in bands], bands, side, kinds)
        return (*steps, _CERTAIN_AGE)
    if len(years) == 2 and before == "between":
        return _build_range_levels(years)
    if before in ("turned", "at") and not _AGE.search(text):
        steps = _list_steps([f"an age of {band.between}" for band in bands], bands, None, {})
        return (*steps, _CERTAIN_AGE)
    if text[0].isupper() and bands:  # "In their forties, he" would not do
        bands = [replace(bands[0], name="")]
    if bands and bands[0].name and (owner := _find_owner(mention)):
        bands = [replace(bands[0], owner=owner)]
    return _build_predicate_levels(bands, side, len(years) > 1, before == "aged")


def _find_owner(mention: Mention) -> str:
    """The word for whose age it is, where a pronoun right before says so: "his" of "he was then aged 47"."""
    found = _PRONOUN.search(read_before(mention))
    return _OWNERS[found[1].lower()] if found else ""


def _find_band(years: float) -> list[Band]:
    """The narrowest band that holds an age."""
    found = [band for band in BANDS if band.low <= years < band.high]
    return sorted(found, key=lambda band: band.high - band.low)[:1]


def _find_side(years: Sequence[float], is_unsure: bool) -> bool | None:
    """Whether all ages are of age, or none is; None where that is not sure."""
    sides = {year >= _OF_AGE for year in years}
    if is_unsure or len(sides) > 1:
        return None
    return sides.pop()


def _build_range_levels(years: Sequence[float]) -> LevelList:
    """ "between 31 and 38" becomes "between 30 and 40 years old"."""
    low = (math.ceil(min(years)) - 1) // 10 * 10
    high = int(max(years)) // 10 * 10 + 10
    wider = Level(f"{low} and {high} years old", measure_lost_bits(high - low, _AGES))
    return (wider, Level("certain ages", 1.0))


def _build_predicate_levels(
    bands: Sequence[Band], side: bool | None, many: bool, is_aged: bool
) -> LevelList:
    """ "she was 47", "aged 47"."""
    texts = [band.predicate for band in bands]
    steps = list(_list_steps(texts, bands, side, {True: "over 17", False: "under 18"}))
    if (
        bands and bands[0].name and not bands[0].owner
    ):  # "the boy was in their forties" would not do
        wording = f"{bands[0].between} years old"
        steps[0] = Level(steps[0].text, steps[0].loss, dict.fromkeys(_COPULAS[1:], wording))
    if side and not many:
        steps[-1] = Level(steps[-1].text, steps[-1].loss, dict.fromkeys(_COPULAS, "an adult"))
    if bands and is_aged:
        steps[0] = Level(bands[0].between, steps[0].loss)
    kind = "of certain ages" if many else "of a certain age"
    return (*steps, Level(kind, 1.0, {"aged": "a certain number of years"}))


def _list_steps(
    texts: Sequence[str], bands: Sequence[Band], side: bool | None, kinds: Mapping[bool, str]
) -> LevelList:
    """The band and the side of majority that the ages are on, as far as they are known."""
    found = [Level(text, band.loss) for text, band in zip(texts, bands, strict=True)]
    if side is not None:
        possible = _AGES - _OF_AGE if side else _OF_AGE
        found.append(Level(kinds[side], measure_lost_bits(possible, _AGES)))
    return tuple(found)


def _build_adjective_levels(
    bands: Sequence[Band], side: bool | None, plural: str, mention: Mention
) -> LevelList:
    """ "a 47-year-old man", "the 47-year-old"."""
    describes_noun = bool(_NOUNS.match(mention.document.text, mention.end))
    minor = "underage" if describes_noun else f"minor{plural}"
    texts = [band.adjective + plural for band in bands]
    steps = _list_steps(texts, bands, side, {True: f"adult{plural}", False: minor})
    if describes_noun:
        after = dict.fromkeys(("a", "an"), "certain")  # "the certain man" says nothing
        return (*steps, Level("certain", 1.0, after, {"phrase": ""}))
    return (*steps, Level("people" if plural else "person", 1.0))


def _build_decade_levels(text: str, found: re.Match[str]) -> LevelList:
    """ "mid-40s", "forties"; read after "in his"."""
    ten = _find_ten(found)
    if not ten:
        return ()
    name = "teens" if ten == 1 else _TENS[ten - 2]
    levels = []
    if text.lower() not in (name, f"{ten}0s"):
        levels.append(Level(name, measure_lost_bits(3, 26)))
    if ten > 1:
        levels.append(Level("adult years", measure_lost_bits(7.2, 9)))
    return (*levels, Level("lifetime", 1.0))


def _find_ten(found: re.Match[str]) -> int:
    """The decade of life as its first digit; 0 where the word names none."""
    if found["ten"]:
        return int(found["ten"])
    word = (found["word"] or "").lower()
    if word == "teens":
        return 1
    return _TENS.index(word) + 2 if word in _TENS else 0
