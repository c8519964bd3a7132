"""Says whether what a model takes for a body or a place is written as the name of a person.

A policy that keeps organisations and places would print it: "Engineer: Delroy", "P FITZHUGH", "Pradeep K.".
"""

from __future__ import annotations

import re
from collections.abc import Collection

from maskwise.detect.codes import has_family
from maskwise.detect.gazetteer.lists import is_place, read_words
from maskwise.detect.given_names import read_forenames
from maskwise.detect.patterns.full_name import THINGS
from maskwise.text import Mention
from maskwise.text.common_words import COMMON, LEGAL_FORMS
from maskwise.text.label_words import WORDS as LABELS
from maskwise.text.plain_words import is_plain

_CAP = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]{2,}(?:[-'’][^\W\d_]+)*"
_INITIAL_FIRST = re.compile(rf"[A-Z]\.? ({_CAP})")
_INITIAL_SMALL = re.compile(r"[a-z]\.? ([a-zß-ÿ]{4,})")
_INITIAL_LAST = re.compile(rf"({_CAP}) [A-Z]\.")
_INITIALLED = (_INITIAL_FIRST, _INITIAL_LAST, _INITIAL_SMALL)
_NAME = re.compile(rf"{_CAP}(?: {_CAP}){{0,2}}")
_TRADE_BEFORE = re.compile(
    r"(?:([^\W\d_]+) )?([^\W\d_]{4,})(?: \([^()\n]{1,20}\))?[:=][\"' \t]{1,4}\Z"
)
_FIELD_ENDS = re.compile(r"[ \t]*(?:[;,.\n|)(<\"]|\Z)|  ")
_TRADE_REACH = 48
# Trades that companies have.
_COMPANIES = frozenset(
    "publisher carrier courier insurer broker lender employer developer producer builder contractor supplier printer "
    "manufacturer distributor retailer provider operator designer maker importer exporter brewer advertiser".split()
)


def is_called(mention: Mention, people: Collection[str]) -> bool:
    """Whether a guess has an initial, fills a field for a person, or shares half of a double name with `people`."""
    if mention.certain or has_family(mention):
        return False
    text = mention.text
    initialled = next(
        (found for form in _INITIALLED if (found := form.fullmatch(text)) is not None), None
    )
    if initialled:
        return not _is_word(initialled[1])
    first, _, second = text.partition("-")
    if second and _NAME.fullmatch(text) and {first.lower(), second.lower()} & set(people):
        return True
    return has_given_names_alone(text) or is_field_value(mention)


def has_given_names_alone(text: str) -> bool:
    """Whether its only capitals are those of given names that are no places: "Alva & Noa", "2nd Nuala"."""
    words = re.findall(r"[^\W_]+", text)
    names = [word for word in words if not (word.islower() or word[0].isdigit())]
    return (
        bool(names)
        and len(names) < len(re.findall(r"\S+", text))
        and all(name in read_forenames() and not is_place(name) for name in names)
    )


def is_field_value(mention: Mention) -> bool:
    """Whether it is the whole value of a field whose label ends with a trade: "Solicitor: Odalys Tolm"."""
    if mention.certain or has_family(mention) or not _NAME.fullmatch(mention.text):
        return False
    text = mention.document.text
    label = _TRADE_BEFORE.search(text, max(0, mention.start - _TRADE_REACH), mention.start)
    if label is None or not _FIELD_ENDS.match(text, mention.end):
        return False
    trade = label[2].lower()
    known = read_words("occupations")
    if trade in _COMPANIES or not {trade, f"{label[1]} {trade}".lower()} & known:
        return False
    return not any(map(_is_word, mention.text.split()))


def _is_word(word: str) -> bool:
    """Whether a word is no name of a person: a word of the language, a label, a thing, a place or a legal form."""
    low = word.lower()
    if word.title() in read_forenames():
        return False
    if is_plain(low) or low in COMMON or low in LABELS or low in LEGAL_FORMS:
        return True
    return word.title() in THINGS or low in read_words("usual_words") or is_place(word.title())
