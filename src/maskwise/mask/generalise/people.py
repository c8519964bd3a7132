"""The ladder of people has one level: the role the text gives them ("the applicant", "the sister", "a judge").

A role is read where the text sets it beside the name, or from the title in the name. Without one there is no level, and
the operator writes a pseudonym. Honorifics such as "Mr" say nothing but gender and are dropped.
"""

from __future__ import annotations

import re
from functools import cache

from maskwise.mask.generalise.grammar import add_article
from maskwise.mask.generalise.ladder import LevelList
from maskwise.text import Entity, Level, Mention
from maskwise.text.word_lists import read_table, read_words

ROLES = read_words("party_roles")
_LONG_ROLES = (
    "public prosecutor",
    "police officer",
    "social worker",
    "prison officer",
    "expert witness",
    "legal adviser",
)
KIN = (
    "sister brother mother father son daughter wife husband spouse partner child uncle aunt cousin nephew niece "
    "grandmother grandfather grandson granddaughter stepfather stepmother stepson stepdaughter half-brother "
    "half-sister fiancé fiancée widow widower friend neighbour colleague lawyer doctor employer representative agent "
    "counsel solicitor guardian"
).split()
_TITLES = dict(read_table("titles"))

_ROLE = "|".join((*_LONG_ROLES, *ROLES))
_NTH = "(?:(?:first|second|third|fourth|fifth|sixth) )?"
_KIN = f"(?:(?:elder|younger|older|late|former|eldest|youngest) )?(?P<kin>{'|'.join(KIN)})"
_WHOSE = rf"(?:(?P<whose>the {_NTH}(?:{_ROLE})['’]s)|his|her|their)"
_BEFORE = (
    re.compile(rf"(?i)\b{_WHOSE} {_KIN}(?P<comma>,?)\s$"),
    re.compile(rf"(?i)\b(?P<role>the {_NTH}(?:{_ROLE}))(?P<comma>,?)\s$"),
)
_ENDS = r"(?=[\"”’']?(?:[,.;)]|\s(?:of|at|in|from|who|by|for|with|practising|employed|working|living|acting)\b|$))"
_AFTER = (
    re.compile(rf"(?i)(?:,|\s?\(|,?\s[\"“‘'])\s?[\"“‘']?{_WHOSE} {_KIN}{_ENDS}"),
    re.compile(
        rf"(?i)(?:,\s?|\s?\([\"“‘']?|,?\s[\"“‘'])(?P<role>(?:the|an?) {_NTH}(?:{_ROLE})){_ENDS}"
    ),
)
# What must follow a name that stands between commas.
_SET_OFF = re.compile(r"(?:[,;.:)]|\s\(|$)(?!,? (?:and|or)\b)")
_REACH = 60


def find_role_levels(entity: Entity) -> LevelList:
    """The role of a person, where the text gives one."""
    for mention in entity.mentions:
        role = _find_role(mention)
        if role:
            return (Level(role, 1.0),)
    for mention in entity.mentions:
        title = _find_title(mention.text)
        if title:
            return (Level(add_article(title), 1.0),)
    return ()


def _find_role(mention: Mention) -> str:
    text = mention.document.text
    before = text[max(0, mention.start - _REACH) : mention.start]
    for pattern in _BEFORE:
        found = pattern.search(before)
        if found and (not found["comma"] or _SET_OFF.match(text, mention.end)):
            return _write_role(found)
    for pattern in _AFTER:
        if found := pattern.match(text, mention.end, mention.end + _REACH):
            return _write_role(found)
    return ""


def _write_role(found: re.Match[str]) -> str:
    """ "the applicant's sister", "the sister" where the text says "his sister", "the applicant", "a doctor"."""
    groups = found.groupdict()
    if groups.get("kin"):
        owner = groups["whose"] or "the"
        role = f"{owner} {groups['kin']}".lower()
    else:
        role = groups["role"].lower()
    article, _, noun = role.partition(" ")
    return add_article(noun) if article in ("a", "an") else role


@cache
def _find_title(name: str) -> str:
    """The office that a title in the name gives; several people, or a rank in parts, give none."""
    words = [word.rstrip(".").lower() for word in name.split()]
    if "and" in words or "&" in words:
        return ""
    titles = {_TITLES[word] for word in words[:-1] if word in _TITLES}
    return titles.pop() if len(titles) == 1 else ""
