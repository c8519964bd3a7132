"""The words of medicine, for telling a clinical text from any other: a list, endings, shorthand, and bundled names.

Drugs, diseases, symptoms and tests come from the lists of `bundle/gazetteers` that the gazetteer uses. Words that
everybody uses are left out of them: a cold is no clinic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

from maskwise.text.common_words import COMMON
from maskwise.text.plain_words import is_plain
from maskwise.text.word_lists import read_words

_LISTS = ("drugs", "diseases", "symptoms", "medical_terms")
_ACRONYMS = ("disease_acronyms", "clinical_acronyms")  # written so; "ana" is a name
_SHORT = 4  # letters of a word that says nothing by itself
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_TOKEN = re.compile(r"[A-Za-z][\w-]*")
_CLINICAL = frozenset(read_words("clinical"))
# Endings of diseases, operations and drugs.
_MEDICAL = re.compile(
    r"\w{3,}(?:itis|osis|emia|aemia|ectomy|otomy|ostomy|oscopy|opathy|plasty|algia|uria|pril|sartan|statin|olol"
    r"|azole|cillin|mycin|micin|floxacin|prazole|tidine|oxetine|azepam|mab|tinib|gliptin|gliflozin|glutide|dipine"
    r"|cycline|vir|parin|caine|oma|thiazide|triptan|setron|xaban|formin|penem|semide)\b"
)
# "65 yo", "40M with", "s/p CABG", "5 mg/kg", "K 5.1", "BP 165/110", "eGFR of 22", "x3", "stage IIIB".
_SHORTHAND = re.compile(
    r"\b(?:[0-9]{1,3} ?-?(?:yo|y/o|y\.o\.?|year[ -]old)(?: ?(?:m|f|male|female|woman|man|boy|girl))?"
    r"|[0-9]{1,3} ?(?:m|f|male|female) (?:with|on|s/p|w/|presenting|and)|s/p|h/o|c/o|r/o|w/u|hx|dx|tx|rx|fx|sx"
    r"|[0-9.]+ ?(?:mg|mcg|g|ml|units?|mmol|meq)(?:/(?:kg|day|dl|l|h|hr|min))?"
    r"|bp (?:of )?[0-9]{2,3}/[0-9]{2,3}|(?:na|k|hgb|inr|ph|qtc|ef|bmi|crcl|a1c|hba1c|egfr|anc) (?:of )?[0-9][0-9.]*%?"
    r"|[a-z]\. ?[a-z]{3,}(?:ae|us|li|is|ii|um|ans|ens|ella|ori|ile)"  # "C. difficile"
    r"|stage i{1,3}v?[abc]?|grade [1-4]|type [12] diabetes|g[0-9]p[0-9])(?!\w)",
)


# What is named after people or towns in medicine: "the Wells score", "Tanner stage 2".
_NAMED = re.compile(
    r"([A-ZÅÖ][\w-]{2,})(?:['’]s)?[ ](?:[a-z]{3,9}[ ])?(?:score|scale|criteria|classification|stage|staging|grade|sign"
    r"|test|syndrome|disease|index|manoeuvre|maneuver|procedure|fracture|catheter|class|nomogram|palsy|phenomenon"
    r"|reflex|rules?)(?!\w)"
)


def count_clinical(text: str, words: Sequence[str]) -> int:
    """Counts the words of medicine in a text, shorthand included. `words` are its words in small letters."""
    found = sum(map(_CLINICAL.__contains__, words))
    low = text.lower()
    found += sum(
        count
        for word, count in Counter(_WORD.findall(low)).items()
        if word not in _CLINICAL and _is_medical(word)
    )
    found += sum(map(_read_acronyms().__contains__, _TOKEN.findall(text)))
    found += sum(name[1].partition("-")[0] in _read_eponyms() for name in _NAMED.finditer(text))
    return found + sum(1 for _ in _SHORTHAND.finditer(low))


@lru_cache(maxsize=1 << 14)
def _is_medical(word: str) -> bool:
    """Whether a word names a drug, a disease or a test, or ends as such names do."""
    return word in _read_known() or _MEDICAL.fullmatch(word) is not None


@cache
def _read_eponyms() -> frozenset[str]:
    return frozenset(_read_list("eponyms"))


@cache
def _read_known() -> frozenset[str]:
    """Names of drugs, diseases and tests of one word that are rarely anything else."""
    lines = (line for name in _LISTS for line in _read_list(name))
    return frozenset(line.lower() for line in lines if line.isalpha() and _is_clinical_word(line))


@cache
def _read_acronyms() -> frozenset[str]:
    lines = (line for name in _ACRONYMS for line in _read_list(name))
    return frozenset(line for line in lines if len(line) > 2 and line.lower() not in _CLINICAL)


def _read_list(name: str) -> list[str]:
    file = files("maskwise.bundle") / "gazetteers" / f"{name}.txt"
    return file.read_text("utf-8").splitlines()


def _is_clinical_word(word: str) -> bool:
    low = word.lower()
    return len(word) > _SHORT and low not in COMMON and not is_plain(low)
