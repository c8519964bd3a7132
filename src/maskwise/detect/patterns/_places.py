"""Places that a word for a kind of place gives away, or a word for living there."""

from __future__ import annotations

from maskwise.detect.patterns._shapes import (
    CAP,
    LETTER,
    PARTICLE,
    STARTERS,
    UPPER,
    match_leading,
    match_one_of,
    refuse_leading,
)
from maskwise.detect.patterns.rule import Rule
from maskwise.text import EntityType

_AFTER = (
    "Airport Station Bridge Harbour Harbor River Lake Mountain Mountains Island Islands Valley Bay Beach Forest Park "
    "Castle Tower Hotel Stadium Cemetery Motorway Tunnel Canal Peninsula Desert Sea Ocean Gulf Strait County Province "
    "Region District Canton Village Hills Falls Heights Quarter Neighbourhood Square Restaurant Cathedral Mosque "
    "Checkpoint Base Shire Reservoir Marina Barracks Refinery Mine Farm Estate Fjord Glacier Plateau Archipelago "
    "Reserve"
).split()
_LOWER_AFTER = (
    "village villages district province county airport river island islands fjord neighbourhood municipality motorway "
    "bridge hotel peninsula valley mountains hamlet canton beach"
).split()
_BEFORE = (
    "Lake River Mount Mt Isle Cape Gulf Bay Strait Straits Islands County Canton Province District City Town Village "
    "Region Municipality Land Borough Duchy Principality Isles Port Fort"
).split()
_HEADS = ("Lake", "River", "Mount", "Mt", "Cape", "Port", "Fort")
_OF = "village town city province district municipality county canton département island suburb port hamlet".split()
_FIRST = (
    rf"[{UPPER}](?<![\w.@#/’'-].)"
    rf"{refuse_leading([*STARTERS, 'Regional', 'District', 'Another', 'National', 'State', 'Road', 'No'])}"
)
HEAD = rf"{_FIRST}{LETTER}{{1,40}}+(?:['’]s)?(?:[-‐]{LETTER}{{1,40}}+){{0,5}}+"
TOWN = rf"{CAP}(?:[- ](?:{PARTICLE})?{CAP}){{0,2}}"

PLACES = (
    Rule(
        name="named_place",
        type=EntityType.LOC,
        regex=rf"{HEAD}(?: {CAP}){{0,2}}? {match_one_of(_AFTER)}(?!{LETTER}| [{UPPER}])",
        triggers=tuple(f" {word.lower()}" for word in _AFTER),
        score=0.7,
    ),
    Rule(
        name="named_place_lower",
        type=EntityType.LOC,
        regex=rf"{HEAD}(?: {CAP}){{0,2}}(?<!ish)(?<!ese)(?<!ian)(?<!can) {match_one_of(_LOWER_AFTER)}(?!{LETTER})",
        triggers=tuple(f" {word}" for word in _LOWER_AFTER),
        score=0.65,
    ),
    Rule(
        name="headed_place",
        type=EntityType.LOC,
        regex=(
            rf"{match_leading(_HEADS)}\.? (?:of )?{CAP}(?: {CAP})?|"
            rf"{match_leading(_BEFORE)} of (?:the )?{TOWN}"
        ),
        triggers=(
            *(f"{word.lower()} " for word in _HEADS),
            *(f"{word.lower()} of " for word in _BEFORE),
        ),
        opens=True,
        score=0.7,
    ),
    Rule(
        name="place_of_a_kind",
        type=EntityType.LOC,
        regex=rf"{match_leading(_OF)} of (?P<m>{TOWN})",
        triggers=tuple(f"{w} of " for w in _OF),
        opens=True,
        score=0.7,
    ),
    Rule(
        name="living_place",
        type=EntityType.LOC,
        regex=rf"(?:[Bb]orn|[Ll]ives?|living|lived|resid(?:es|ing|ed|ent)|practi[sc]ing|domiciled|detained|"
        rf"village|town) (?:in|at|near) "
        rf"(?P<m>{TOWN}(?:, (?!{match_one_of(STARTERS)}(?!{LETTER})){TOWN})?)",
        triggers=tuple(
            f"{verb} {where} "
            for verb in (
                "born",
                "live",
                "lives",
                "living",
                "lived",
                "resides",
                "residing",
                "resided",
                "resident",
                "practising",
            )
            for where in ("in", "at", "near")
        ),
        opens=True,
        score=0.75,
    ),
)
