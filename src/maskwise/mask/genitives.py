"""English genitives: the sign after a mask, where the name ended in "s" and its replacement does not.

A name may hold its sign ("Ruth's" in "Ruth's house"), also as part of itself ("Harrow's" is a bank). What is owned
follows the sign of an owner, so a sign that no noun follows belongs to the name of a house and goes with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from maskwise.mask.articles import Substitution
from maskwise.mask.token import TOKEN
from maskwise.text import EntityType, Mention

_OWN_SIGN = re.compile(r"[^\W\d_](['’]s)\Z")
_ENDS_IN_SIGN = re.compile(r"(?:['’]s|s['’])\Z", re.IGNORECASE)
_BARE_SIGN = re.compile(r"['’](?= [^\W\d_])")
_OPEN_QUOTE = re.compile(r"(?:\A|[\s(])['‘][^\n'’]*\Z")
_REACH = 200  # characters before a sign in which a quotation may begin


def complete_genitive(mention: Mention, replacement: str) -> str:
    """Returns the replacement with the sign that the mention holds, where the mention owns something.

    >>> from maskwise.text import Document
    >>> mention = Document("at Ruth's house").mention(3, 9, EntityType.PERSON)
    >>> complete_genitive(mention, "[PERSON 1]")
    "[PERSON 1]'s"
    """
    found = _OWN_SIGN.search(mention.text)
    if not found or _ENDS_IN_SIGN.search(replacement) or TOKEN.fullmatch(replacement):
        return replacement  # a token stands for its whole mention
    if not is_owner(mention):
        return replacement
    return replacement + found[1]


def is_owner(mention: Mention) -> bool:
    """Whether the sign that a mention ends in is a genitive; of people it always is, or stands for a verb."""
    # Imported on use: most mentions hold no sign, and it reads lists of words.
    from maskwise.mask.generalise.slots import has_noun_after

    return mention.type is EntityType.PERSON or has_noun_after(mention)


def correct_genitives(text: str, masks: Sequence[Substitution]) -> Iterator[Substitution]:
    """Masks as `(start, end, replacement)`, sorted, with the sign after those that end in no "s" now.

    >>> list(correct_genitives("the Moss' cat", [(4, 8, "Hall")]))
    [(4, 9, "Hall's")]
    """
    for start, end, replacement in masks:
        sign = _BARE_SIGN.match(text, end)
        if not sign or replacement[-1:] in "sS" or TOKEN.fullmatch(replacement):
            yield start, end, replacement
        elif _has_bare_genitive(text, end):
            yield start, end + 1, f"{replacement}{sign[0]}s"
        else:
            yield start, end, replacement


def _has_bare_genitive(text: str, end: int) -> bool:
    """Whether what stands after a plural or a name in "s" is its sign and closes no quotation."""
    is_quoted = _OPEN_QUOTE.search(text, max(0, end - _REACH), end)
    return text[end - 1 : end] in ("s", "S") and not is_quoted
