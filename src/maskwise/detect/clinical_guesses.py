"""Guesses of a model that medicine knows: abbreviations of notes, species, and tests called after people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from maskwise.detect.codes import has_family
from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.medicine import AMOUNT, is_eponym, is_medical
from maskwise.text import EntityType, Mention, Provenance
from maskwise.text.domain import Domain
from maskwise.text.subtypes import ACRONYM, CLINICAL, DIRECT
from maskwise.text.tokens import JOINED_WORD, POSSESSIVE

_COMPOUND_BEFORE = re.compile(r"([^\W\d_]+)[-–]\Z")
_COMPOUND_AFTER = re.compile(r"[-–]([^\W\d_]+)")
_SPECIES = re.compile(
    r"[A-Z]\. ?[a-z]{2,}(?:ae|us|li|is|ii|um|ans|ens|es|ella|ori|ile)\b"
)  # "E. coli"
_NEAR = 40  # characters after a name that say what is called so
_BIRTHS = re.compile(r"G[0-9]{1,2}P[0-9]{1,4}")
_VALUE = re.compile(r"[0-9]{1,3}")


def is_species(text: str) -> bool:
    """Whether it is a genus in short and a species: "E. coli"."""
    return _SPECIES.fullmatch(text) is not None


def has_species_at(text: str, start: int) -> bool:
    """Whether a species begins there."""
    return _SPECIES.match(text, start) is not None


def is_clinical_shorthand(mention: Mention, words: Sequence[str]) -> bool:
    """Whether a guess in a clinical text is what its writers put for a finding, a value or a trial."""
    return _is_shorthand(words) or _is_bare_value(mention) or _is_bare_acronym(mention)


def _is_shorthand(words: Sequence[str]) -> bool:
    """Whether it is abbreviations of clinical notes, with or without values: "CKD 3b", "pH 7.28"."""
    known = read_words("clinical_acronyms")
    named = [word for word in words if not AMOUNT.fullmatch(word)]
    return bool(named) and all(word in known or _BIRTHS.fullmatch(word) for word in named)


def _is_bare_value(mention: Mention) -> bool:
    """Whether a figure of a clinical text is a value and no date: "a Mini-Cog of 2"."""
    return mention.type is EntityType.DATETIME and _VALUE.fullmatch(mention.text) is not None


def _is_bare_acronym(mention: Mention) -> bool:
    """Whether a pattern alone takes capitals for a body, where trials and tests are written so: "DAPA-CKD"."""
    return mention.subtype == ACRONYM and mention.source == Provenance.PATTERNS


def is_joined_eponym(mention: Mention) -> bool:
    """Whether it is half of a compound that a disease or a test is called: "Johnson" in "Stevens-Johnson"."""
    text = mention.document.text
    before = _COMPOUND_BEFORE.search(text, max(0, mention.start - 24), mention.start)
    after = _COMPOUND_AFTER.match(text, mention.end, mention.end + 24)
    if before is None and after is None:
        return False
    parts = [before[1] if before else "", mention.text, after[1] if after else ""]
    return all(part in read_words("eponyms") for part in parts if part)


def is_medical_name(mention: Mention, words: Sequence[str], domain: Domain | None) -> bool:
    """Whether lists of medicine know every word, given what stands after them: "the Ottawa ankle rule"."""
    following = _list_following(mention)
    is_rule = len(following) > 1 and all(map(is_eponym, words))
    if is_rule and is_medical(words, following[1], domain):
        return True
    return is_medical(words, following[0], domain)


def _list_following(mention: Mention) -> list[str]:
    """The two words after a mention and its possessive, in small letters; an empty one where there is none."""
    text, end = mention.document.text, mention.end
    if text[end : end + 2] in ("'s", "’s"):
        end += 2
    near = text[end + 1 : end + 1 + _NEAR]
    return [word.lower() for word in JOINED_WORD.findall(near)[:2]] or [""]


def mark_medical(mention: Mention) -> Mention:
    """Says of a guess that is no name that medicine knows its words, so that a policy may keep it."""
    if mention.type not in (EntityType.MISC, EntityType.DEM) or has_family(mention):
        return mention
    words = [POSSESSIVE.sub("", word) for word in JOINED_WORD.findall(mention.text)]
    is_term = mention.subtype != DIRECT and is_medical(words, "", Domain.CLINICAL)
    return replace(mention, subtype=CLINICAL) if is_term else mention
