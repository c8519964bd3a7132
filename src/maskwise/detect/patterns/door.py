"""Addresses without a word for a road: doors by their number, roads with an article, streets after a preposition."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maskwise.detect.patterns._places import TOWN
from maskwise.detect.patterns._shapes import CAP, LETTER, match_one_of
from maskwise.detect.patterns.address import NUMBER, TAIL, end_with_space
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.numbers import WORDS
from maskwise.text.subtypes import ADDRESS

# What stands for a road with its article.
_GREENS = tuple(
    "Paddock Paddocks Green Grove Close Avenue Street Lane Square Crescent Mews Orchard Orchards Meadow Meadows Rise "
    "Drive Row Maltings Cloisters Spinney Ridgeway Glebe Lawns Limes Firs Poplars Willows Beeches Elms Hollies Croft "
    "Fairway Broadway Parade Terrace Quay Wharf Chase Warren Gables Coppice Copse Oval Strand Hollow "
    "Dell Moorings".split()
)
_BEFORE_DOORS = "at from to in into outside of door".split()
_DOORS = "number no no. house bungalow".split()
_FLATS = "flat apartment apt apt. plot caravan".split()
_DOOR_CONTEXT = 60
# What else has a number: charts, lists, sport, ranks.
_RANKED = re.compile(
    r"(?<!\w)(?:charts?|singles?|albums?|songs?|rank\w*|seed\w*|lists?|league|table|debut\w*|peak\w*|billboard|world"
    r"|bat\w*|draft|priority|question|items?|steps?|pages?|lines?|versions?|issue|episode|season|lane|bib|shirt|jersey"
    r"|wears?|position|play\w*|rate[sd]?|vitamin|gear|cage|times|degrees|trials?|patients?|figures?|panel|dose"
    r"|score\w*)(?!\w)",
    re.IGNORECASE,
)
_AFTER_DOOR = re.compile(
    r"\s*(?:[.,;:!?()\]\n—–-]|\Z|(?:and|or|is|was|has|had|with|who|for|rang|says?|said|on|in|by|because|if|when|to|as"
    r"|next)\b)"
)


def _find_door(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The number of a door, where nothing in its line speaks of ranks and lists, and no count or unit follows."""
    text, start, end = match.string, match.start(), match.end()
    before = text[max(0, start - _DOOR_CONTEXT) : start].rpartition("\n")[2]
    after = text[start : end + _DOOR_CONTEXT].partition("\n")[0]
    if _RANKED.search(before + after) is None and _AFTER_DOOR.match(text, end):
        yield match.span("m")


FAMILY = Family(
    name="door",
    rules=(
        # "the neighbour at number seventeen", "next door (Plot 86)": a door that stands for the address
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"(?:(?<![\w-])(?i:{'|'.join(_BEFORE_DOORS)}) \(?|, )(?P<m>(?:(?i:number|no\.?|house|bungalow) "
            rf"(?:[0-9]{{1,4}}[a-zA-Z]?|(?i:{WORDS}))|(?i:{'|'.join(_FLATS)}) (?:[0-9]{{1,4}}[a-zA-Z]?"
            rf"|(?i:{WORDS})(?: [A-H](?!\w))?|[A-Hb-h](?!\w)))(?![\w%/-]|[.,:][0-9]))",
            triggers=tuple(
                f"{before} {sign}{door} "
                for before in _BEFORE_DOORS
                for sign in ("", "(")
                for door in (*_DOORS, *_FLATS)
            )
            + tuple(f", {flat} " for flat in _FLATS),
            opens=True,
            expand=_find_door,
            score=0.75,
        ),
        # "at 2 The Paddock"
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"(?<![\w.,/]){NUMBER},? (?:[Tt]he|THE) "
            rf"{match_one_of(_GREENS + tuple(word.upper() for word in _GREENS))}(?!{LETTER}){TAIL}",
            triggers=tuple(f" the {word.lower()}" for word in _GREENS),
            reach=24,
            score=0.8,
        ),
        # "Am Alten Speicher 5, 24937 Flensburg": no word for a road, so a postcode or the end of the line must follow
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"(?<!\w)(?:Am|Im|Zum|Zur|Beim|An der|An den|Auf der|Auf dem|In der|Hinter der|Unter den) "
            rf"{CAP}(?: {CAP})? \d{{1,3}}[a-z]?(?:,? \d{{4,5}} {TOWN}|(?=[ \t]*\n))",
            triggers=(
                *end_with_space("am im zum zur beim"),
                *(f"{word} " for word in ("an der", "an den", "auf der", "auf dem", "in der")),
                *("hinter der ", "unter den "),
            ),
            opens=True,
            score=0.8,
        ),
    ),
    positive=(
        ("the neighbour at number seventeen, who", ("number seventeen",)),
        ("still at Elm Court, apartment six B. Is", ("apartment six B",)),
        ("its ana from flat b. the man", ("flat b",)),
        ("meets at 2 The Paddock.", ("2 The Paddock",)),
        ("wohnt Am Alten Deich 5, 24937 Holm", ("Am Alten Deich 5, 24937 Holm",)),
        ("leave it next door (Plot 86)", ("Plot 86",)),
        ("my gran in flat 12 is", ("flat 12",)),
    ),
    negative=(
        "the song was at number one, the album at number 3.",
        "seeded at number 12",
        "reduced to number 2 pencils",
        "in number 4 of the journal",
        "turn to page 3, at no 4.",
        "unit 4 and flat 4 inches wide",
        "Am Freitag 5 gingen wir",
        "2 The Court finds",
    ),
)
