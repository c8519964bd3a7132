"""The ladder of codes has one level: what kind of code it is, by its subtype or by the words that announce it."""

from __future__ import annotations

import re

from maskwise.mask.generalise.grammar import add_article
from maskwise.mask.generalise.ladder import LevelList
from maskwise.text import Entity, Level
from maskwise.text.word_lists import read_table

# Subtypes, or what they begin with up to an underscore.
KINDS = dict(read_table("code_kinds"))
_HOLDING = ("bank account number", "account number")  # money is paid into an account
_OPEN = ("case", "numbered", "record", "national", "")  # the words before may say more
_NATIONAL = re.compile(r"[a-z]{2}_\w+")
_THINGS = (
    "application|appeal|case|file|docket|judgment|decision|order|complaint|claim|petition|record|circular|bill|passport"
    "|account|policy|contract|invoice|reference|registration|patient|file|plot|licence|warrant|ticket|flight|plate"
    "|personal|identity|identification|tax|insurance|social security|telephone|phone|fax|tel|customer|employee|member"
)
_ANNOUNCED = re.compile(
    rf"(?i)\b({_THINGS})s?(?:[ -](?:form|code|number|file))?(?: (?:is|was))?\W{{1,3}}"
    r"(?:(?:no|nos|nr|number|numbers)\b\W{0,3})?$"
)
_SAID = {"tel": "phone", "telephone": "phone", "personal": "personal identification"}
_REACH = 40
# "no. 27961/02", "MRN 00482913": what follows the word must be able to stand for a number.
_AFTER = dict.fromkeys(
    (
        *("no", "nos", "nr", "number", "numbers", "code", "id", "ref", "pin", "mrn", "nhs", "ssn"),
        *(
            "iban",
            "bic",
            "swift",
            "vat",
            "vin",
            "imei",
            "isbn",
            "icd",
            "uid",
            "cif",
            "nif",
            "pesel",
        ),
    ),
    "withheld",
)


def find_code_levels(entity: Entity) -> LevelList:
    """The kind of a code; "a code" where nothing tells it."""
    kind = _name_by_subtype(entity) or _name_by_words(entity) or "code"
    first = kind.split()[0]
    before = entity.first.document.text[: entity.first.start][-_REACH:].lower()
    if kind.endswith(" number") and before.endswith((f"{first}, ", f"{first} (")):
        return (Level("number withheld", 1.0),)  # "the file, no. 12-K, is lost"
    after = {**_AFTER, first: "(number withheld)"}
    if kind in _HOLDING:
        after |= dict.fromkeys(("into", "to", "from"), add_article(kind.removesuffix(" number")))
    return (Level(add_article(kind), 1.0, after),)


def _name_by_subtype(entity: Entity) -> str:
    for mention in entity.mentions:
        if _NATIONAL.fullmatch(mention.subtype):
            return KINDS["national"]
        stem = mention.subtype.partition("_")[0]
        kind = _name_by_words(entity) if stem in _OPEN else ""
        kind = kind or KINDS.get(stem, "")
        if kind:
            return kind
    return ""


def _name_by_words(entity: Entity) -> str:
    """ "application no. 27961/02": an application number."""
    for mention in entity.mentions:
        before = mention.document.text[max(0, mention.start - _REACH) : mention.start]
        if found := _ANNOUNCED.search(before):
            word = found[1].lower()
            return f"{_SAID.get(word, word)} number"
        if "@" in mention.text:
            return KINDS["email"]
    return ""
