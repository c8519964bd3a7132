"""Says whether lists of drugs, diseases and tests know every word of a phrase: a veto against names.

A title or a given name is no business of this module; see `vetoes`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from maskwise.detect.gazetteer.lists import is_given_name, read_words
from maskwise.text import word_lists
from maskwise.text.domain import Domain
from maskwise.text.english import FUNCTION_WORDS
from maskwise.text.tokens import JOINED_WORD

AMOUNT = re.compile(
    r"[0-9][\w.,/%-]*|mg|mcg|ml|g|kg|mmhg|iu|units?|daily|bid|tid|p\.?r\.?n\.?|po|%", re.IGNORECASE
)
# What a medical name ends with or stands before: "Bell palsy", "Tinel sign", "Foley catheter".
_HEADS = frozenset(
    """
    coma disease diseases syndrome sign test tests palsy catheter thyroiditis esophagus oesophagus position
    scale score stain
    maneuver manoeuvre procedure needle trocar cautery suture sutures clamp retractor fracture hernia cyst nodule
    phenomenon reflex reaction criteria classification staging grade gait tremor chorea ataxia lymphoma sarcoma
    tumor
    tumour carcinoma cancer anemia anaemia contracture deformity ulcer gland duct tube bag drain pouch loop incision
    approach repair operation anastomosis fundoplication hepatitis virus bacillus cells cell bodies body index
    formula
    solution lactate swab smear monitor rhythm block effusion edema oedema infection therapy treatment dose
    valve risk exercises bias rule rules
    level levels
    count stage stages technique panel scan imaging ultrasound study studies negative positive dementia dystrophy
    neuropathy
    """.split()
)
_ENDING = re.compile(
    r"\w{3,}(?:itis|osis|emia|aemia|uria|ectomy|otomy|ostomy|oscopy|opathy|plasty|algia|plegia|rrhea|rrhoea"
    r"|pril|sartan"
    r"|statin|olol|azole|cillin|mycin|floxacin|prazole|tidine|oxetine|azepam|zumab|ximab|umab|tinib|gliptin"
    r"|gliflozin"
    r"|glutide|dipine|cycline|ovir|navir|parin|caine|sone|solone|azine|triptan|dronate|thiazide)"
)
# Eponyms that are common surnames: alone they are more often a person, also in a clinic.
_SURNAMES = frozenset(word_lists.read_words("eponymous_surnames"))


_DEGREE = re.compile(r"[IV]{1,3}[ABC]?|[1-4][ab]?")  # "Mobitz II"


def is_eponym(word: str) -> bool:
    """Whether diseases or signs are named after people of this name, or after two: "Barré", "Guillain-Barré"."""
    names = read_words("eponyms")
    return word in names or ("-" in word and all(part in names for part in word.split("-")))


def is_clinical_name(word: str) -> bool:
    """Whether a word is the name of a score, a test or a drug in this spelling: "Glasgow", "MoCA", "Allegra"."""
    sources = ("eponyms", "clinical_acronyms", "medical_terms", "drugs")
    return any(word in read_words(source) for source in sources)


def is_medical(words: Sequence[str], following: str, domain: Domain | None) -> bool:
    """Whether a list of drugs, diseases and tests knows every word, and one of them is hardly a surname."""
    if len(words) > 1 and " ".join(words).lower() in _read_phrases():
        return True
    named = [word for word in words if not _DEGREE.fullmatch(word) and word != "St"]
    if named and all(map(is_eponym, named)) and following in _HEADS:
        return True  # "Barrett's esophagus", though people are called so
    if len(words) == 1 and is_given_name(words[0].capitalize()):
        return False
    if named and all(map(is_eponym, named)):
        return _ENDING.fullmatch(following) is not None or (
            domain is Domain.CLINICAL and len(named) == 1 and named[0] not in _SURNAMES
        )
    is_known = False
    for word in words:
        low = word.lower()
        if low in _HEADS or low in _read_single() or _ENDING.fullmatch(low):
            is_known = True
        elif not (low in _read_parts() or low in FUNCTION_WORDS or AMOUNT.fullmatch(word)):
            return False
    return is_known


@cache
def _read_single() -> frozenset[str]:
    """Diseases, symptoms, drugs and tests of one word that nobody is called."""
    sources = ("diseases", "symptoms", "drugs", "medical_terms")
    found = {
        phrase.lower() for source in sources for phrase in read_words(source) if " " not in phrase
    }
    return frozenset(
        word for word in found if len(word) > 3 and not is_given_name(word.capitalize())
    )


@cache
def _read_phrases() -> frozenset[str]:
    """Names of drugs, tests and devices of more than one word."""
    found = (phrase for source in ("drugs", "medical_terms") for phrase in read_words(source))
    return frozenset(phrase.lower() for phrase in found if " " in phrase)


@cache
def _read_parts() -> frozenset[str]:
    """The words of longer names of diseases and tests."""
    phrases = (
        phrase
        for source in ("diseases", "symptoms", "medical_terms")
        for phrase in read_words(source)
    )
    found = {
        word.lower() for phrase in phrases if " " in phrase for word in JOINED_WORD.findall(phrase)
    }
    found |= {word.lower() for word in read_words("eponyms")}
    return frozenset(word for word in found if not is_given_name(word.capitalize()))
