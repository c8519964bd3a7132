"""Says whether one word in a capital is hardly anything but somebody's name, though no list holds it: "Quispe".

It is no word of the language, and no list knows it as a place, a trade, a drug, a brand or anything else.
"""

from __future__ import annotations

import re
from functools import lru_cache

from maskwise.detect.cutting import CHATTER
from maskwise.detect.gazetteer.lists import is_given_name, is_place, read_words
from maskwise.detect.kinds import is_company
from maskwise.detect.medicine import is_medical
from maskwise.detect.patterns.full_name import THINGS
from maskwise.detect.patterns.mail import DEPARTMENTS
from maskwise.text.common_words import COMMON, NAMED_WORDS
from maskwise.text.label_words import WORDS as LABELS
from maskwise.text.plain_words import is_plain
from maskwise.text.usual_words import is_usual

_SHORTEST = 4  # letters of a name that no list has
_WRITTEN = re.compile(
    r"(?=.{0,3}[a-zß-öø-ÿ])[^\W\d_a-zß-öø-ÿ][^\W\d_]{2,}(?:[-'’][^\W\d_]{2,}){0,2}"
)
# Lists of what else may stand in a capital.
_OTHERS = (
    *(
        "software",
        "goods",
        "occupations",
        "attributes",
        "demonyms",
        "religions",
        "ranks",
        "languages",
        "sports",
    ),
    *("clinical_acronyms", "acronyms", "companies", "events", "newspapers"),
)


@lru_cache(maxsize=1 << 14)
def is_rare_name(word: str) -> bool:
    """Whether a word written with a capital is hardly anything but a name.

    >>> [word for word in "Quispe Finance Cardiology Female Siemens".split() if is_rare_name(word)]
    ['Quispe']
    """
    low = word.lower()
    if len(word) < _SHORTEST or not _WRITTEN.fullmatch(word) or word in THINGS:
        return False
    if low in COMMON - NAMED_WORDS or low in CHATTER or low in LABELS or low in DEPARTMENTS:
        return False
    if is_plain(low) or is_usual(low) or low in read_words("usual_words"):
        return False
    if is_company(word) or (is_place(word) and not is_given_name(word)):
        return False
    is_other = any(word in read_words(name) or low in read_words(name) for name in _OTHERS)
    return not (is_other or is_medical([word], "", None))
