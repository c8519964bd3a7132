"""English articles: "a" or "an" by the sound that follows, also where a mask changes that sound."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Words that do not sound as they are written: "an hour", "a European", "a one-year", "a university".
_SPELT = r"[FHLMNRSX](?![a-z])(?![AEIOU][A-Z]{2})"  # an FBI agent, but a NATO base
_VOWEL_SOUND = re.compile(
    rf"(?:hour|honest|honou?r|heir|8|11(?![0-9])|18(?![0-9])|{_SPELT}|[aeiouAEIOU])"
)
_CONSONANT_SOUND = re.compile(
    r"(?i:eu|ewe|one(?![a-z])|once|uni(?!n|m|den)|u[st][aeiou]|ubiq|u[ksn]\b|ukr|ur[aeiou]|unesco)"
)
# A capital "A" may be a letter ("hepatitis A"), so it is an article only where a sentence begins.
_BEFORE = re.compile(
    r"(?P<article>(?<!\w)an?|(?:\A|(?<=[.!?]\s)|(?<=\n))An?)[ \t\n\u00a0]+[\"“‘'(]?\Z"
)
_OTHER = {"a": "an", "an": "a", "A": "An", "An": "A"}
_REACH = 8  # characters before a mask in which its article stands

Substitution = tuple[int, int, str]


def has_vowel_sound(phrase: str) -> bool:
    """Whether the phrase is said with a vowel first."""
    return bool(_VOWEL_SOUND.match(phrase)) and not _CONSONANT_SOUND.match(phrase)


def correct_articles(text: str, masks: Sequence[Substitution]) -> list[Substitution]:
    """Masks as `(start, end, replacement)`, sorted, and edits of the articles that no longer agree with what follows.

    >>> correct_articles("He is an Italian.", [(9, 16, "European")])
    [(6, 8, 'a'), (9, 16, 'European')]
    """
    edits: list[Substitution] = []
    end = 0
    for mask in masks:
        start, _, replacement = mask
        found = None
        if replacement[:1].isalnum():  # a replacement in brackets or stars has no sound
            # The article stands before the mask and after the mask before it.
            found = _BEFORE.search(text, max(end, start - _REACH), start)
        if found and _is_wrong(found["article"], replacement):
            edits.append((*found.span("article"), _OTHER[found["article"]]))
        edits.append(mask)
        end = mask[1]
    return edits


def _is_wrong(article: str, phrase: str) -> bool:
    return (article.lower() == "an") != has_vowel_sound(phrase)
