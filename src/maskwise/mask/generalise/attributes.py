"""The last level of what may be said of somebody: "of a certain religion", "a person of a certain nationality"."""

from __future__ import annotations

import re

from maskwise.mask.generalise.grammar import drop_article, find_word_before, is_standalone
from maskwise.mask.generalise.slots import Slot
from maskwise.text import Entity, EntityType, Level

_ORIGIN = re.compile(
    r"\s(?:origin|descent|ancestry|background|heritage|roots|faith|belief|beliefs)\b"
)
_CITIZEN = re.compile(r"\s(?:nationals?|citizens?|subjects?)\b")
_MANY_AFTER = re.compile(r"\s[a-z]{3,}[^su\W]s\b")
_HAD = frozenset(("degree", "rank", "symptom"))  # attributes that somebody has or holds
_COPULAS = ("is", "was", "are", "were", "be", "being", "am", "became", "openly")
_COUNTED = "two three four five six seven eight nine ten many some several few most all both the these those".split()


def describe_attribute(kind: str, entity: Entity, is_holder: bool = False) -> Level:
    """The kind of what may be said of somebody, as it reads before a noun, after a copula and of several people.

    With `is_holder` the word is said of somebody wherever it stands: "a Lutheran", not "Lutheranism".
    """
    is_holder |= kind == "a nationality"
    if entity.type is not EntityType.DEM or not entity.subtypes.isdisjoint(_HAD):
        return Level(kind, 1.0)
    mention = entity.longest
    text = mention.document.text
    if _ORIGIN.match(text, mention.end):
        return Level(kind, 1.0, dict.fromkeys(("of", "a", "an", "his", "her", "their"), "certain"))
    if not is_standalone(mention):
        if _MANY_AFTER.match(text, mention.end) and not mention.text.endswith("s"):
            # "Roma families", but not "the certain families"
            return Level("certain", 1.0, dict.fromkeys(_COUNTED, ""))
        if _CITIZEN.match(text, mention.end):  # "a certain national" says nothing
            return Level(kind, 1.0, dict.fromkeys(("a", "an"), ""))
        return Level(kind, 1.0, dict.fromkeys(("a", "an"), "certain"))
    before = find_word_before(mention)
    return _describe_holder(kind, mention.text, before, is_holder)


def _describe_holder(kind: str, text: str, before: str, is_holder: bool) -> Level:
    """The kind said of the people who have it, or of what they have."""
    phrase = f"of a certain {drop_article(kind)}"
    after = dict.fromkeys(_COPULAS, phrase)
    if text.endswith("s") and (before in _COUNTED or is_holder):
        after |= dict.fromkeys(_COUNTED, f"people {phrase}")
        return Level(kind, 1.0, after, {Slot.PHRASE: f"people {phrase}"})
    after |= dict.fromkeys(
        ("a", "an", "the", "practising", "devout", "observant"), f"person {phrase}"
    )
    if before in ("young", "old", "elderly", "proud", "fellow"):
        after[before] = f"person {phrase}"
    if not is_holder:
        return Level(kind, 1.0, after)
    # "raised Lutheran" has no room for a phrase.
    wording = f"a person {phrase}" if re.match(r"(?i)an? ", text) else ""
    return Level(kind, 1.0, after, {Slot.PHRASE: wording})
