"""Words that tell a man from a woman in a text: words for relatives, and given names that only one of them bears.

They keep two people of one surname apart. A name that both bear in some country is in neither list. A word for a
relative also tells whose name stands beside it: "her brother Jan", "Ola, my sister".
"""

from __future__ import annotations

import re
from functools import cache

from maskwise.text.folding import fold_words
from maskwise.text.word_lists import read_table, read_words

_KIN = {
    "m": "husband father brother son uncle nephew grandfather grandson stepfather stepson stepbrother brother-in-law "
    "father-in-law son-in-law ex-husband boyfriend dad widower",
    "f": "wife mother sister daughter aunt niece grandmother granddaughter stepmother stepdaughter stepsister "
    "sister-in-law mother-in-law daughter-in-law ex-wife girlfriend mum mom widow",
    "": "cousin spouse partner parent child twin in-law relative ex-spouse",
}
# Words that tell a gender beside those for relatives, and words for several.
_CALLED = {
    "m": "grandpa granddad grandad daddy papa pa groom bridegroom fiancé godfather godson boy lad man gentleman monk "
    "actor waiter policeman chairman fisherman pan herr monsieur signor señor don priest father sons brothers uncles "
    "nephews grandsons half-brother foster-father foster-son stepdad boys",
    "f": "grandma granny gran nan mummy mama mamma ma auntie aunty bride fiancée godmother goddaughter girl lass woman "
    "lady nun actress waitress policewoman chairwoman widow midwife pani frau madame signora señora doña daughters "
    "sisters aunts nieces granddaughters half-sister foster-mother foster-daughter stepmum stepmom girls mistress",
}
# Where many names are borne by both, and as surnames: "Li Wei", "Wei Li".
_UNTOLD = frozenset("chinese korean vietnamese".split())
_GENDER = {word: gender for gender, kin in _KIN.items() for word in kin.split()}
_WHOSE = r"(?:my|his|her|their|our|your|the\s\w{1,20}['’]s?)"
_AGED = r"(?:(?:late|former|then|elder|eldest|older|younger|youngest|own|only|twin|ex|first|second|new)[\s-]){0,2}"
_KINSMAN = rf"{_WHOSE}\s{_AGED}(?P<kin>{'|'.join(sorted(_GENDER, key=len, reverse=True))})\b"
_AFTER = re.compile(
    rf"\s?(?:[,(–—]|\bis\b|\bwas\b)\s?(?:who\s(?:is|was)\s)?{_KINSMAN}", re.IGNORECASE
)
_BEFORE = re.compile(rf"\b{_KINSMAN},?\s\Z", re.IGNORECASE)

_TELLING = {
    word: gender
    for table in (_KIN, _CALLED)
    for gender, words in table.items()
    for word in words.split()
    if gender
}
_ANY_KIN = "|".join(sorted(_TELLING, key=len, reverse=True))
_NAMED = r"[^\W\d_a-z][\w'’.-]*"
_SEVERAL = (
    rf"(?:{_NAMED}(?:\s{_NAMED}){{0,2}}(?:\s?[(,]\s?\d{{1,2}}\)?)?(?:,\s(?:and\s)?|\sand\s)){{0,4}}"
)
_CALLED_BEFORE = re.compile(
    rf"(?P<pair>\band\s)?\b(?P<kin>{_ANY_KIN})(?P<gap>\s(?:is|was|named|called)\s|[,:]?\s|,\s(?:the|a)\s)"
    r"(?:(?:Dr|Prof|Professor)\.?\s)?\Z",
    re.IGNORECASE,
)
_LISTED_BEFORE = re.compile(
    rf"\b(?P<kin>(?:grand)?(?:sons|daughters)|brothers|sisters|(?:aunt|uncle|niece|nephew)s|girls|boys)[,:]?\s{_SEVERAL}\Z"
)
_OF_SOMEBODY = rf"(?:(?i:my|his|her|their|our|your|the|a)\s|(?:[Tt]he\s)?(?:{_NAMED}\s){{0,3}}{_NAMED}['’]s?\s)"
_CALLED_AFTER = re.compile(
    rf"\s?(?:[,(–—]|is\b|was\b)\s?(?:who\s(?:is|was)\s)?(?:{_OF_SOMEBODY}(?i:{_AGED}))?"
    rf"(?P<kin>(?i:{_ANY_KIN}))\b(?=\s?(?:[,.;:)–—\n]|\Z|of\b|and\b|who\b|to\b|in\b|from\b))"
)


def read_kin(text: str, start: int, end: int) -> str:
    """ "m" or "f" where a word for a relative, or another that only one of them is called, stands beside a name.

    >>> text = "Mr Moe's daughter Ola came; Kim, his wife, paid. Our sons Jan and Ari left."
    >>> [read_kin(text, at, at + 3) for at in (text.index(n) for n in ("Ola", "Kim", "Jan", "Ari"))]
    ['f', 'f', 'm', 'm']
    >>> read_kin("Kim and her husband left.", 0, 3)
    ''
    """
    before = text[max(0, start - 80) : start]
    if found := _CALLED_BEFORE.search(before):
        is_pair = found["pair"] and "," in found["gap"]  # "her mother and father, Ola and Jan"
        return "" if is_pair else _TELLING[found["kin"].lower()]
    if found := _LISTED_BEFORE.search(before):
        return _TELLING[found["kin"].lower()]
    after = _CALLED_AFTER.match(text, end)
    return _TELLING[after["kin"].lower()] if after else ""


def guess_gender(name: str) -> str:
    """ "m" or "f" for a given name that only men or only women bear, else nothing.

    >>> guess_gender("Ingrid"), guess_gender("Søren"), guess_gender("Kim")
    ('f', 'm', '')
    """
    folded = fold_words(name)
    return _read_genders().get(folded[0], "") if folded else ""


@cache
def _read_genders() -> dict[str, str]:
    """The gender of each name that only one of them bears."""
    found = dict.fromkeys(read_words("male_names"), "m")
    found |= dict.fromkeys(read_words("female_names"), "f")
    for kind, names in read_table("names_by_origin"):
        origin, gender = kind.split()
        is_telling = gender in ("m", "f") and origin not in _UNTOLD
        for name in names.split() if is_telling else ():
            words = fold_words(name)
            if len(words) == 1:  # "Jean-Luc" tells nothing of "Jean"
                found[words[0]] = gender if found.get(words[0], gender) == gender else ""
    return found


def is_relative(text: str, start: int, end: int) -> bool:
    """Whether the name on `[start, end)` is said to be someone's husband, mother, cousin: "Mr Hansen, my husband".

    >>> is_relative("Mr Hansen, my late husband, paid.", 0, 9), is_relative("Mr Hansen, my lawyer, paid.", 0, 9)
    (True, False)
    """
    if _AFTER.match(text, end):
        return True
    return _BEFORE.search(text, max(0, start - 60), start) is not None
