"""Tells which slot of its sentence a mention fills, by the words beside it.

A noun phrase ("a city in Norway") cannot stand wherever a name can: not before a noun ("our Oslo plant"), in a compound
("Oslo-based"), nor where only a name is expected ("the city of Oslo"). No tagger is asked: lists of words and the
determiner before a mention tell nouns from verbs, and where they do not the mention counts as a noun phrase.
"""

from __future__ import annotations

import re
from enum import StrEnum

from maskwise.mask.generalise.frames import is_in_heading, is_sentence_start
from maskwise.mask.genitives import is_owner
from maskwise.text import EntityType, Mention
from maskwise.text.english import HONORIFICS
from maskwise.text.word_lists import read_words

REACH = 60  # characters before a mention that tell its slot


class Slot(StrEnum):
    """The form that a replacement must have to fit."""

    PHRASE = "phrase"  # a noun phrase, or what the ladder says in its place
    MODIFIER = "modifier"  # a word before a noun: "our Norway plant"
    COMPOUND = "compound"  # the first part of a word: "Nigerian-born"
    POSSESSIVE = "possessive"  # a phrase that bears 's
    NAME = "name"  # a name and nothing else: "the city of Oslo", "Dear Ana"


DETERMINERS = frozenset(
    "a an the this these those his her its their our my your whose some any each every no another".split()
)
_BEFORE = re.compile(r"([^\W\d_][^\W\d_'’-]*(?:['’]s)?)[ \t\n\u00a0]+[\"“‘'(]?$")
_NEXT = re.compile(r"[ \u00a0]([^\W\d_][\w'’]*)(-?)")
_COMPOUND = re.compile(r"[-‑][a-z]")
_AREA = re.compile(r"[-‑](?:area|region|wide|style|side|upon|on|in)\b")
_PLACED = re.compile(
    r"\b(?:in|at|near|from|to|outside|around|into|leaves?|left|reach(?:es|ed)?)\s"
    r"(?:[A-Z][\w'’.-]+ ){0,3}[A-Z][\w'’.-]+, $"
)
_CLAUSE = re.compile(r",? (?:he|she|it|they|we|I|you|the|an?|his|her|its|their|my|our|[A-Z]\w+)\b")
_CLOSED = re.compile(r"[,.;)\n]|$")
_LISTED = re.compile(r"(?:, [A-Z][^,.;\n]{0,30}){0,6},? (?:and|or|&) (?:the )?[A-Z]")
_INDEFINITE = re.compile(
    r"(?i)\b(?:an?|another|every|each|two|three|some)(?: [a-z-]+(?:ed|y|w|n|d|t|e|k|l|ish|r))?(?: \d{4}s?)? $"
)
_PREFIX = re.compile(r"[^\W\d_][-‑]$")
_TRUE_PREFIX = re.compile(r"(?i)(?:^|\W)(?:ex|anglo|franco|half|part|quarter|all|vice)[-‑]$")
_POSSESSIVE = re.compile(r"[^\W\d_]['’]s$")
_PLURAL_POSSESSIVE = re.compile(r"s['’]$")
_NAMING = re.compile(
    r"(?i)(?:\b(?:city|town|village|municipality|state|province|county|region|republic|island|district|kingdom|borough|parish"
    r"|hamlet|port|commune) of(?: the)?"
    r"|\b(?:called|named|nicknamed|titled|entitled|known as|renamed|alias|a\.?k\.?a\.?))\s[\"“‘']?$"
)
_GREETING = re.compile(r"(?i)\b(?:dear|hi|hello|hey|sincerely|regards|signed|cheers|dearest),?\s+$")
ADJECTIVES = frozenset(read_words("adjectives_before_nouns"))
_ADJECTIVAL = re.compile(r"[a-z]{2,}(?:al|ous|ful|ish|less|ic|ive|able|ible|ary|-year-old)$")
# "a 47-year-old Nigerian-born nurse"
_JOINED_ADJECTIVE = re.compile(
    r"(?:[\w’']+(?:-[\w’']+)*-(?:born|based|old|trained|speaking|educated|owned|led|made|built|style|time) )+$"
)
_NOT_ADJECTIVE = frozenset(
    "arrive give live drive receive leave achieve table music public hospital arrival capital several january february "
    "official animal journal trial legal deal meal goal total professional table cable library primary salary".split()
)
# Nouns that a name of a place, an organisation or a time may stand before without an article.
_HEADS = frozenset(read_words("nouns_after_names"))
_VERBS = frozenset(read_words("no_nouns"))
_TIMED = re.compile(r"(?i)(?:\b(?:in|on|at|since|until|by|from|during|after|before|to|and)|,)\s+$")
_VERBAL = re.compile(r"[a-z]+(?:ed|ly|ing)$")
_FOR_NOUNS = frozenset("building meeting hearing ruling wedding training parking housing".split())
_OPEN = (EntityType.LOC, EntityType.ORG, EntityType.DATETIME, EntityType.QUANTITY, EntityType.MISC)


def read_before(mention: Mention, reach: int = REACH) -> str:
    return mention.document.text[max(0, mention.start - reach) : mention.start]


def find_slot(mention: Mention) -> Slot | None:
    """The slot of a mention; None where nothing true and less specific can be sure to fit."""
    before = read_before(mention)
    text = mention.document.text
    if _PREFIX.search(before):
        # "non-Norwegian" and "pre-1974" are not true of what is wider.
        return Slot.COMPOUND if _TRUE_PREFIX.search(before) else None
    if _AREA.match(text, mention.end):  # true of the name alone
        return None
    if _COMPOUND.match(text, mention.end):
        return Slot.COMPOUND
    if _is_named(mention, before):
        return Slot.NAME
    if is_possessive(mention):
        return Slot.POSSESSIVE
    return Slot.MODIFIER if is_before_noun(mention) else Slot.PHRASE


def _is_named(mention: Mention, before: str) -> bool:
    if mention.type is EntityType.PERSON:
        found = re.search(r"([^\W\d_]+)\.?\s+$", before)
        has_title = bool(found) and found is not None and found[1].lower() in HONORIFICS
        return has_title or bool(_GREETING.search(before))
    return mention.type in (EntityType.LOC, EntityType.ORG) and bool(_NAMING.search(before))


def is_possessive(mention: Mention) -> bool:
    text = mention.document.text
    if text.startswith(("'s", "’s"), mention.end) or has_own_sign(mention):
        return True
    is_open = text.startswith(("' ", "’ "), mention.end) and mention.text.endswith("s")
    return is_open or bool(_PLURAL_POSSESSIVE.search(mention.text))


def has_own_sign(mention: Mention) -> bool:
    """Whether a mention ends in the sign of an owner, and not in that of a house: "a table at Harrow's"."""
    return bool(_POSSESSIVE.search(mention.text)) and is_owner(mention)


def is_before_noun(mention: Mention) -> bool:
    """Whether a noun follows that the mention says more about."""
    found = _NEXT.match(mention.document.text, mention.end)
    if found is None or mention.type not in _OPEN:
        return False
    word = found[1]
    if is_in_heading(mention) and word[0].isupper():
        return mention.type is not EntityType.QUANTITY and _is_noun(word.lower())
    is_determined = has_determiner(mention) and not re.match(r"(?i)(?:an?|the)\s", mention.text)
    if word[0].isupper():
        return mention.type is EntityType.DATETIME and is_determined
    if not has_noun_after(mention):
        return False
    if is_determined or _has_adjective(mention):
        return True
    return word in _HEADS and not _is_adverbial(mention)


def _has_adjective(mention: Mention) -> bool:
    """Whether an adjective stands before a time that describes a noun too: "old 1951 stamps"."""
    found = _BEFORE.search(read_before(mention))
    return found is not None and mention.type is EntityType.DATETIME and found[1] in ADJECTIVES


def _is_adverbial(mention: Mention) -> bool:
    """Whether a time or an amount stands by itself, whatever follows: "In 1939 war came"."""
    if mention.type is EntityType.QUANTITY:
        return True
    return mention.type is EntityType.DATETIME and bool(_TIMED.search(read_before(mention)))


def has_noun_after(mention: Mention) -> bool:
    """Whether a word follows in small letters that is likely a noun or an adjective: no particle, no verb."""
    found = _NEXT.match(mention.document.text, mention.end)
    if found is None or not found[1][0].islower():
        return False
    return _is_noun(found[1]) or (bool(found[2]) and found[1] not in _VERBS)


def _is_noun(word: str) -> bool:
    """Whether a word in small letters is likely a noun or an adjective: no particle, no verb."""
    if word in _VERBS:
        return False
    return not _VERBAL.fullmatch(word) or word in _FOR_NOUNS


def is_subject(mention: Mention) -> bool:
    """Whether a mention begins its sentence and a verb follows: "Friday was wet", but not "3 May 2010 he left"."""
    text = mention.document.text
    return is_sentence_start(mention) and not _CLAUSE.match(text, mention.end)


def is_after_place(mention: Mention) -> bool:
    """Whether a place follows what lies in it: "Tonsberg, Norway", but not "Oslo, Bergen and Moss"."""
    if mention.type is not EntityType.LOC or not _PLACED.search(read_before(mention)):
        return False
    text = mention.document.text
    return bool(_CLOSED.match(text, mention.end)) and not _LISTED.match(text, mention.end)


def has_determiner(mention: Mention) -> bool:
    """Whether a determiner belongs to the phrase in which a mention stands, with adjectives between at most."""
    before = read_before(mention)
    for _ in range(4):
        before = _JOINED_ADJECTIVE.sub("", before)
        found = _BEFORE.search(before)
        if found is None:
            return False
        word = found[1].lower()
        if word in DETERMINERS or word.endswith(("'s", "’s")):
            return True
        if not is_adjective(word):
            return False
        before = before[: found.start()] + " "
    return False


def has_indefinite(mention: Mention) -> bool:
    """Whether "a" or "another" belongs to the phrase in which a name stands, with adjectives or a year between."""
    return bool(_INDEFINITE.search(read_before(mention)))


def has_joined_adjective(mention: Mention) -> bool:
    """Whether "Nigerian-born" or the like stands before a mention."""
    return _JOINED_ADJECTIVE.search(read_before(mention)) is not None


def is_adjective(word: str) -> bool:
    """Whether a word in small letters likely describes what follows it."""
    if word in ADJECTIVES:
        return True
    return bool(_ADJECTIVAL.fullmatch(word)) and word not in _NOT_ADJECTIVE
