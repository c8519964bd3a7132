"""Joins what stands as one code, place or name after overlaps are resolved: "GB53 EDIW 2281", "eastern Ukraine".

A pattern reads the groups of a code that it knows, and a model the others. What is left over between them, such as the
two letters of the country, belongs to the code as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from maskwise.detect.codes import has_family
from maskwise.detect.gazetteer.lists import read_words
from maskwise.text import Document, EntityType, Mention
from maskwise.text.domain import LEARNT, get_domain
from maskwise.text.label_words import WORDS as LABELS
from maskwise.text.subtypes import DIGITS

_COUNTRY = re.compile(r"[A-Z]{2}[0-9]{2}")  # the first group of an account number
_HEAD = re.compile(r"(?<![\w-])[A-Z]{2}[0-9]{2} \Z")
# "ABC 123456": the letters of a series stand after a small word, a sign or another label.
_SERIES = re.compile(
    r"(?:(?<=[a-ząćęłńóśźż.:;,=(] )|(?<=[:=(\n\t])|(?<=[A-Z]{4} ))(?P<series>[A-Z]{2,3}) \Z"
)
_SERIES_REST = re.compile(r"[0-9][0-9 ]{4,}")
_GROUP = re.compile(r"[0-9]{1,4}(?: [0-9]{1,4})*")
_SIDE = re.compile(
    r"(?<![\w-])(?:(?:north|south)-?(?:east|west)?|east|west|central)(?:ern)?[ -]\Z", re.IGNORECASE
)
# "WHITFIELD, Thaddeus J.": the last initial in a field, a column or brackets.
_LAST_INITIAL = re.compile(r" [A-Z](?:\.|(?!\w))(?=[ ]{2}|[ ]?[\t\n,;|)(\"]|[ ]?\Z)")
_LABELS = frozenset(
    "tel fax mob cel ph ext ref nr no num id pin vat tax ein tin ssn sin nhs npi dea abn acn tfn nip nie dni cif nif"
    " rut ruc cuit cpf rg cnp bsn crn utr upn urn uin uid gst pan pnr po box eur usd gbp chf nok sek dkk pln czk"
    " aud cad inr jpy iban bic swift acc acct ac sc mr mrn hn dob lot sn pn ean isbn issn doi imei sim puk vin reg"
    " dl hmsa atm am pm rs inc co und des der die das los las the and for".split()
)


def join_parts(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions, sorted and apart, with the groups of a code, the side of a place and last initials."""
    joined: list[Mention] = []
    is_read = get_domain(document) not in LEARNT
    for at, mention in enumerate(mentions):
        last = joined[-1] if joined else None
        if last is not None and _is_one_code(last, mention):
            joined[-1] = _widen(last, last.start, mention.end)
            continue
        free = last.end if last is not None else 0
        if is_read:
            mention = _take_head(mention, free)
            mention = _take_last_initial(mention, mentions[at + 1 : at + 2])
        joined.append(mention)
    return joined


def _is_one_code(left: Mention, right: Mention) -> bool:
    """Whether two codes with a space between them are groups of one."""
    if left.type is not EntityType.CODE or right.type is not EntityType.CODE:
        return False
    if left.certain or right.certain or right.start != left.end + 1:
        return False
    if left.document.text[left.end] != " ":
        return False
    if _COUNTRY.match(left.text):
        return True
    return right.subtype == DIGITS and _GROUP.fullmatch(left.text + " " + right.text) is not None


def _take_head(mention: Mention, free: int) -> Mention:
    """Takes in the country's letters before a code, and the side before a place."""
    if mention.certain:
        return mention
    pattern = {EntityType.CODE: _HEAD, EntityType.LOC: _SIDE}.get(mention.type)
    if pattern is None or (mention.type is EntityType.LOC and has_family(mention)):
        return mention
    text = mention.document.text
    found = pattern.search(text, max(free, mention.start - 16), mention.start)
    if found is None and _SERIES_REST.fullmatch(mention.text):
        start = _find_series(text, free, mention.start)
        return _widen(mention, start, mention.end) if start is not None else mention
    return _widen(mention, found.start(), mention.end) if found else mention


def _take_last_initial(mention: Mention, following: Sequence[Mention]) -> Mention:
    """Takes in the initial after a name; `following` is what stands next, if anything does."""
    if mention.certain or mention.type is not EntityType.PERSON:
        return mention
    found = _LAST_INITIAL.match(mention.document.text, mention.end)
    if found is None or any(found.end() > other.start for other in following):
        return mention
    return _widen(mention, mention.start, found.end())


def _find_series(text: str, free: int, start: int) -> int | None:
    """Returns where the letters of a series before figures begin; None for a label or an acronym."""
    found = _SERIES.search(text, max(free, start - 16), start)
    if found is None:
        return None
    low = found["series"].lower()
    is_label = low in LABELS or low in _LABELS or found["series"] in read_words("clinical_acronyms")
    return None if is_label else found.start("series")


def _widen(mention: Mention, start: int, end: int) -> Mention:
    text = mention.document.text[start:end]
    return replace(mention, start=start, end=end, text=text, value="")
