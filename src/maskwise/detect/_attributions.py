"""How a sentence says something of a person, denies it, or speaks of something else."""

from __future__ import annotations

import re

from maskwise.text.confidential import Confidential

_ROLES = (
    "applicants?|patients?|claimants?|defendants?|witness(?:es)?|employees?|tenants?|suspects?|victims?|drivers?"
    "|prisoners?|child(?:ren)?|boys?|girls?|man|men|woman|women|male|female|couple|students?|teacher|neighbours?"
    "|neighbors?|colleagues?|cousins?|uncle|aunt|mother|father|parents?|brother|sister|son|daughter|husband|wife|baby"
    "|grandmother|grandfather|partner|family|families|person|people|visitor|caller|member|resident|detainee|accused"
)
# Somebody is spoken of: a pronoun, a role, or a name after a title.
PERSON = re.compile(
    rf"\b(?:he|she|him|his|hers?|himself|herself|I|I['’]\w+|my|me|myself|we|our|they|their|them|who|whose|{_ROLES}"
    r"|M(?:r|s|rs|iss)|Dr|both)\b|\b[A-Z][a-z]+['’]s\b|\b[A-Z][a-z]+ (?:is|was|has|had|took|came|campaigned"
    r"|asked)\b",
    re.IGNORECASE,
)
KIN = re.compile(
    r"\b(?:his|her|my|their|our|['’]s) (?:\w+ )?(?:mother|father|parents?|brother|sister|son|daughter|child"
    r"|husband|wife"
    r"|uncle|aunt|cousin|grandmother|grandfather|family|partner|colleague|neighbour|neighbor)\b",
    re.IGNORECASE,
)
PRONOUN = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)
SELF = re.compile(r"\b(?:I|I['’](?:m|ve|d)|my|me|myself)\b")
DENIED = re.compile(
    r"\b(?:no|not|never|nor|neither|without|den(?:y|ies|ied)|n['’]t|negative for|rule[sd]? out|free of"
    r"|acquitted|none"
    r"|no longer)\b(?! only)(?:(?!\b(?:but|and|because|who|which|until|before|after)\b)[^;:,])*\Z|acquitted",
    re.IGNORECASE,
)
DENIED_AFTER = re.compile(
    r"[^.;]{0,24}\b(?:not|never)\b|[^.;]{0,20}\b(?:was|were|is|been) (?:not|ruled out|excluded|negative)\b",
    re.IGNORECASE,
)
# What follows makes it the subject of a fund, a shop, a law, a book or a place.
PUBLIC = re.compile(
    r"\A[ -](?:research|charity|awareness|day|street|road|avenue|lane|square|museum|novel|mystery|story"
    r"|prevention|law"
    r"|act|school|university|sea|food|cuisine|sausage|pastry|fries|bath|wine|paper|restaurant|festival|whispers"
    r"|summer"
    r"|car|paint|newspaper|football|name|reformation|government|costs|insurance|fund|club|marriage|education|jack"
    r"|readers?|team|colou?rs|old|clock|line|on and|after lunch|programme|dinner|ltd|inc|passport law|data is)\b",
    re.IGNORECASE,
)
BELONGING = re.compile(
    r"\b(?:research into|posters about|funds?|film about|novel about|discussed|corner of|vendor sells|museum of"
    r"|chapter of|covers|study of|fight against|book on)(?: \w+)? \Z",
    re.IGNORECASE,
)

_BEING = re.compile(
    r"\b(?:is|are|am|was|were|be|been|being|['’](?:m|s|re)|im|became|become|as|remained|raised|brought up|born|himself"
    r"|herself|myself|half|ethnic|identif(?:y|ies|ied) as|described (?:him|her|my)self as|who is|who was|out as)"
    r"(?:[ ,](?:an?|the|also|both|openly|half|now|still|ethnic|devout|practising|practicing|lifelong|committed"
    r"|former"
    r"|active|in|of|young|old|about|seven|eight|\w+ly|months|black)\b){0,3} \Z",
    re.IGNORECASE,
)
_OWN = re.compile(r"(?:\b(?:his|her|my|their|our|whose)|['’]s) (?:[\w-]+ ){0,2}\Z", re.IGNORECASE)
_MEMBER = re.compile(
    r"\b(?:members?(?:hip)? (?:of|in)|belong(?:s|ed|ing)? to|join(?:s|ed|ing)?|left|leav(?:e|es|ing)"
    r"|support(?:s|ed|ing"
    r"|ers? of)?|vot(?:e|es|ed|ing)(?: for)?|ran for|run(?:s|ning)? for|stood (?:as \w+ \w+ )?for|campaign(?:s"
    r"|ed)? for"
    r"|candidate (?:for|of)|active in|activist (?:of|in|for)|baptised (?:in|into)|baptized (?:in|into)"
    r"|convert(?:s|ed)?"
    r" (?:to|from)|donat(?:es|ed) to|sympathis(?:es|ed|er) (?:with|of)|adherents? of|followers? of|ties (?:to|with)"
    r"|represent(?:s|ed|ing)|involvement (?:in|with)|goes to|attends?)(?: (?:the|a|an|any|his|her|\w+an))? \Z",
    re.IGNORECASE,
)
_SAID_AFTER = re.compile(
    r"\A[ -](?:\w+ )?(?:man|men|woman|women|male|female|boy|girl|family|origin|descent|ancestry|background"
    r"|faith|roots"
    r"|community|minority|national|citizen|applicant|heritage|parents|couple|views?|beliefs?|person|people|British"
    r"|party activist|worker|student|employee|leanings|movement)\b",
    re.IGNORECASE,
)
_SUFFERING = re.compile(
    r"\b(?:ha(?:s|d|ve|ving)|suffer\w*|diagnos\w+|treat(?:ed|ment)|with|because of|due to|died of|died from"
    r"|undergo\w*"
    r"|underwent|takes?|taking|admitted|after|declared|receiv\w+|on|develop\w*|survived|living with|contract\w+"
    r"|from"
    r"|uses?|needs?|miscarried|caused|sustained|complain\w*|having|carries|miscarried)\b|\bshe \Z",
    re.IGNORECASE,
)


def is_said_of_person(category: Confidential, before: str, said: str, after: str) -> bool:
    """Whether the words around a word of a category say it of a person."""
    if _BEING.search(before):
        return True
    if category is Confidential.HEALTH:
        return bool(_OWN.search(before) or _SUFFERING.search(before))
    if _SAID_AFTER.match(after):
        return True
    if category is Confidential.ETHNIC:
        return said.endswith(("ancestry", "origin", "descent")) and _OWN.search(before) is not None
    is_member = category in (Confidential.POLITICS, Confidential.BELIEF) and _MEMBER.search(before)
    return bool(is_member or _OWN.search(before))
