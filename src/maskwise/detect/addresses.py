"""Joins an address that a pattern reads in part with the whole that a model sees: "12 Elm Rd, London - 423480, India".

A pattern knows the street. What follows it in other orders than it knows, the model sees in one piece. Without this
step the postcode is a number, the town a place of its own, and a policy that keeps countries prints the rest.

Where no pattern knows the street, a place with the number of a house is an address: "27 Nguyen Hue", "Pikk 42-7",
"forty-two Mabgate". So is one that ends as streets do. It goes on with what says which door: ", bl. C4, ap. 9".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from maskwise.detect.codes import has_family
from maskwise.detect.cutting import take_piece
from maskwise.text import Document, EntityType, Mention, Provenance, possessive
from maskwise.text.numbers import WORDS
from maskwise.text.subtypes import ADDRESS, DIGITS

_LONG = 120  # characters of an address in one line
_SPOKEN_REACH = 48  # characters of a number in words
_NUMBERS = (EntityType.QUANTITY, EntityType.DATETIME, EntityType.MISC)
_INNER = frozenset((DIGITS, "cardinal", "city", "country", "region", "address_postcode"))
_NUMBER = r"[0-9]{1,4}[A-Za-z]?(?:[-/][0-9]{1,4}[A-Za-z]?){0,2}"
# The number of a house stands first or last, or beside a comma.
_HOUSE = re.compile(
    rf"(?:(?:no\.?|nr\.?|h\.?no\.?|#)\s?)?{_NUMBER},? (?=[^\W\d_]{{2}})"
    rf"|[^\W\d_]{{3,}},? (?:nr\.? |no\.? |#)?{_NUMBER}(?=,|\Z)",
    re.IGNORECASE,
)
# Places that are counted and are no homes: "Ward 6", "Highway 66", and numbers that count something: "12 miles".
_COUNTED = re.compile(
    r"\b(?:wards?|rooms?|zones?|districts?|areas?|sectors?|terminals?|gates?|platforms?|highways?|routes?|bays?|levels?"
    r"|regions?|buildings?|halls?|piers?|theatres?|clinics?|beds?|sites?|stations?|corridors?|motorways?|article"
    r"|section|year|class|unit|courtroom|camp|block|bloc|stage|line|bus|tram|apollo) ?(?:no\.? ?)?[0-9]"
    r"|[0-9] ?(?:km|miles?|hours?|days?|years?|wards|rooms|beds|clinics|sites|stations|buildings|districts)\b",
    re.IGNORECASE,
)
# The number of a house in words: "forty-two Mabgate", "flat nine, number six Elm Way".
_SPOKEN = (
    rf"(?:(?P<door>flat|apartment|house|number|no\.?) )?(?P<words>{WORDS}(?:[ -]{WORDS}){{0,2}}),? "
)
_SPOKEN_BEFORE = possessive.compile(rf"(?<![\w-]){_SPOKEN}\Z", re.IGNORECASE)
_SPOKEN_FIRST = possessive.compile(rf"{_SPOKEN}(?=\S)", re.IGNORECASE)
_NUMBER_FIRST = re.compile(rf"{_NUMBER}(?!\w)")
_ENDS_PHRASE = re.compile(r"\s*(?:[,.;:!?)\n]|\Z)")
# The last word of a street, which is an address without the number of a house too.
_STREET = re.compile(
    r"[A-Z][\w'’.-]+(?: [\w'’.-]+){0,3} (?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Close|Drive|Crescent|Terrace|Boulevard"
    r"|Blvd|Mews|Grove|Parade|Row)\b\.?",
)
# The last word of what is a street beside a number alone.
_WEAK_STREET = re.compile(r".* (?:Way|Walk|Place|Gardens|Square|Court|Hill|Park|Green|Rise|View)")
_DOOR = re.compile(
    r"(?:,? ?(?:(?:nr|no|bl|sc|et|ap|apt|apto|app|kv|dom|d|m|lok|byt|stg|top|whg|int|esc|piso|pta|dpto|depto|flat|unit"
    r"|suite"
    r"|apartment|box|bus|floor|fl|block|korp|stroenie|interno|scala|piano|andar|bloco)\b\.? ?[0-9A-Z][\w/-]{0,5}"
    r"|(?: [0-9]{1,2},? ?)?#[0-9]{1,3}-?[0-9]{0,4}"
    r"|[0-9]{1,2}\.? ?(?:tv|th|mf|sal|og|stock|stiege|kerros|piętro)\b\.?"
    r"|, (?-i:The [A-Z][\w'’-]{3,})(?=[,\n]|\Z)"
    r"|[0-9]{1,2}\.?(?:º|°|er|ème|ª) ?(?:izq|dcha|esq|dto|frente|[A-D]|étage)?\.?)(?!\w))+",
    re.IGNORECASE,
)
_HOME = (
    r"The (?:Lodge|Vicarage|Rectory|Manor|Cottage|Bungalow|Barn|Forge|Mill|Stables|Croft|Old [A-Z][\w'’-]{2,20})|"
    r"(?:The )?[A-Z][\w'’-]{2,20}(?: [A-Z][\w'’-]{2,20})? (?:House|Cottage|Lodge|Villas?|Farm|Barn|Forge|Mill"
    r"|Rectory|Vicarage|Manor|Towers?|Mansions|Apartments|Heights|Bungalow|Croft|Farmhouse|Stables)"
)
_HEAD = re.compile(
    r"(?<![\w-])(?:(?:Flat|Apartment|Apt\.?|Unit|Suite|Room|Block|Plot|FLAT|APARTMENT|APT|UNIT|SUITE|BLOCK)"
    rf" [0-9A-Z]{{1,4}}|{_HOME}), ?\Z"
)
_NAMED_HOUSE = re.compile(_HOME)
_ROAD_AFTER = re.compile(
    r", [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?"
    r" (?:Road|Street|Lane|Close|Row|Hill|Brow|Terrace|Avenue|Drive|Way|Side|Yard)(?!\w)"
)
_TOWN_AFTER = re.compile(r", [A-Z][^\W\d_]+")
_JOINED = re.compile(r"[\w\s,./'’#()ºª°-]+")


def widen_addresses(mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions, with the addresses of patterns as wide as the places of models that hold them."""
    streets = sorted(
        (m for m in mentions if m.subtype == ADDRESS and m.source == Provenance.PATTERNS),
        key=lambda m: m.start,
    )
    if not streets:
        return list(mentions)
    starts = [m.start for m in streets]
    wide: dict[Mention, Mention] = {}
    for guess in mentions:
        if not _is_whole(guess):
            continue
        at = bisect_left(starts, guess.start)
        if at == len(streets) or streets[at].end >= guess.end:
            continue
        if streets[at].start - guess.start < 8:
            street = streets[at]
            wide[street] = replace(
                street, start=guess.start, end=guess.end, text=guess.text, value=""
            )
    spans = [one.span for one in wide.values()]
    return [wide.get(m, m) for m in mentions if m in wide or not _is_inner(m, spans)]


def _is_whole(guess: Mention) -> bool:
    """Whether a mention is a place found by a model and written as an address in one line."""
    if guess.source != Provenance.NEURAL or guess.type is not EntityType.LOC:
        return False
    is_line = "\n" not in guess.text and "  " not in guess.text and "\t" not in guess.text
    return is_line and len(guess) < _LONG and _JOINED.fullmatch(guess.text) is not None


def _is_inner(mention: Mention, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a number or a place is part of a wide address."""
    if mention.certain or mention.subtype not in _INNER:
        return False
    return any(start <= mention.start and mention.end <= end for start, end in spans)


def name_streets(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions, sorted and apart, with places that have the number of a house as whole addresses."""
    named: list[Mention] = []
    for mention in mentions:
        if named and mention.start < named[-1].end and not mention.certain:
            rest = take_piece(mention, min(named[-1].end, mention.end), mention.end)
            if rest is None:
                continue  # it says which door of the address before
            mention = rest
        if mention.type is EntityType.LOC and not mention.certain:
            mention = _take_number(document, mention, named)
            if mention.subtype == ADDRESS or _has_house_number(mention):
                if named and _is_home_before(named[-1], mention):
                    mention = _make_address(document, named.pop().start, mention.end, mention)
                low = named[-1].end if named else 0
                mention = _take_door(document, mention, low)
        named.append(mention)
    return named


def _take_number(document: Document, place: Mention, named: list[Mention]) -> Mention:
    """Widens a place by the street before its number, and by the number in words before it. Takes these off `named`."""
    if named and _is_street_before(named[-1], place):
        place = _make_address(document, named.pop().start, place.end, place)
    start = max(0, place.start - _SPOKEN_REACH)
    spoken = _SPOKEN_BEFORE.search(document.text, start, place.start)
    if spoken is None or not _is_house_spoken(spoken, place):
        return place
    low = spoken.start()
    kept = [m for m in named[-2:] if m.start < low or m.certain or m.type not in _NUMBERS]
    if kept and kept[-1].end > low:
        return place
    named[-2:] = kept
    return _make_address(document, low, place.end, place)


def _is_street_before(street: Mention, number: Mention) -> bool:
    """Whether a model reads a street and its number apart: "Vesterbakki" and "23, 200"."""
    if street.type is not EntityType.LOC or has_family(street) or street.certain:
        return False
    gap = number.document.text[street.end : number.start]
    return gap == " " and not has_family(number) and _NUMBER_FIRST.match(number.text) is not None


def _is_house_spoken(spoken: re.Match[str], place: Mention) -> bool:
    """Whether words before a place number a house: "six Elm Way", "forty-two Mabgate.", not "two Leeds hospitals"."""
    is_street = _STREET.fullmatch(place.text) or _WEAK_STREET.fullmatch(place.text)
    if spoken["door"] or place.subtype == ADDRESS or is_street:
        return True
    if has_family(place) or spoken["words"].isalpha():
        return False
    return _ENDS_PHRASE.match(place.document.text, place.end) is not None


def _has_house_number(mention: Mention) -> bool:
    """Whether a place of a model is written with the number of a house, or as a street."""
    if mention.type is not EntityType.LOC or has_family(mention) or mention.certain:
        return False
    text = mention.text
    if _NAMED_HOUSE.fullmatch(text) and _is_beside_town(mention):
        return True
    if _STREET.match(text):
        return True
    spoken = _SPOKEN_FIRST.match(text)
    if spoken and (spoken["door"] or not spoken["words"].isalpha()):
        return True
    if spoken and (_STREET.match(text, spoken.end()) or _WEAK_STREET.match(text, spoken.end())):
        return True
    return _HOUSE.search(text) is not None and _COUNTED.search(text) is None


def _is_beside_town(mention: Mention) -> bool:
    """Whether a capitalised word follows after a comma, as a town follows a house."""
    return _TOWN_AFTER.match(mention.document.text, mention.end) is not None


def _take_door(document: Document, address: Mention, low: int) -> Mention:
    """Widens an address by the house or flat before it and the doors after it. Nothing before `low` is taken."""
    text = document.text
    if _NAMED_HOUSE.fullmatch(address.text) and (road := _ROAD_AFTER.match(text, address.end)):
        address = _make_address(document, address.start, road.end(), address)
    head = _HEAD.search(text, max(low, address.start - 48), address.start)
    door = _DOOR.match(text, address.end)
    start = head.start() if head else address.start
    end = door.end() if door else address.end
    return _make_address(document, start, end, address)


def _is_home_before(home: Mention, street: Mention) -> bool:
    """Whether the place before a street is the house that stands there: "Beech House, 4 Canal Side"."""
    if home.type is not EntityType.LOC or home.certain or home.document is not street.document:
        return False
    between = street.document.text[home.end : street.start]
    return between == ", " and _NAMED_HOUSE.fullmatch(home.text) is not None


def _make_address(document: Document, start: int, end: int, model: Mention) -> Mention:
    text = document.text[start:end]
    return replace(model, start=start, end=end, text=text, subtype=ADDRESS, value="")
