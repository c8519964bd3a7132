"""Awards, teams, offices and family: what a biography ties to the person by a verb or a kinship."""

from __future__ import annotations

import re

from maskwise.crowd.lifespan import NAME

_AWARD = re.compile(
    r"\b((?:[^\W\d_a-z][\w'’.-]* (?:(?:of|for|the|in|de) ){0,2}){1,5}"
    r"(?:Award|Prize|Medal|Trophy|(?<=Victoria )Cross|(?<=Flying )Cross|(?<=Service )Cross|(?<=Military )Cross|"
    r"Fellowship|Hall of Fame|Scholarship)s?)\b"
    r"|\b((?:Order|Legion) of (?:the )?(?:St\. )?[^\W\d_a-z][\w'’-]*(?: (?:of (?:the )?)?[^\W\d_a-z][\w'’-]*){0,3})"
    r"|\b(gold|silver|bronze) medals?\b"
)
HONOURS = re.compile(
    r"\b(?:CBE|OBE|MBE|KBE|GBE|FRS|FRSE|DSO|DSC|DFC|KCB|GCB|KCMG|GCMG|CMG|VC|MC)\b"
)
_LIST = rf"(?:the )?({NAME}(?:, (?:the )?{NAME})*(?:,? and (?:the )?{NAME})?)"
_TEAM = re.compile(
    rf"\b(?:play(?:s|ed|ing)?(?: \w+){{0,2}} for|appear(?:s|ed|ances|ing) (?:for|with)|sign(?:s|ed) (?:for|with)"
    rf"|debut for|coach(?:es|ed|ing)|drafted by|plays? with|played with|career (?:with|at)) {_LIST}"
)
_REPRESENTED = re.compile(rf"\brepresent(?:s|ed|ing) {_LIST}")
_MEMBER = re.compile(rf"\b(?:joined|joining|member of) (?:the )?({NAME})")
_SPLIT = re.compile(r",? and (?:the )?|, (?:the )?")
_TITLED = r"(?:(?:Rev|Col|Capt|Gen|Dr|Sir|Mr|Mrs|Ms|Lt|Maj|Prof|Hon|Judge|Colonel|Captain|General|Lord|Lady)\.? )?"
_SPOUSE = re.compile(
    rf"\b(?:married(?: to)?|[Hh]is wife,?|[Hh]er husband,?|wife of|husband of|widow of|marrying|marriage to) "
    rf"(?:(?:his|her|the|fellow|former|an?) (?:[a-z-]+ ){{0,4}})?{_TITLED}({NAME})"
)
_PARENT = re.compile(
    rf"\b(?:(?:son|daughter|child) (?:and heir )?(?:of|to)|(?:[Hh]is|[Hh]er) (?:father|mother),?(?: was)?) (?:the )?"
    rf"(?:[a-z-]+ ){{0,4}}{_TITLED}({NAME})(?: and (?:his wife,? )?{_TITLED}({NAME}))?"
)
_SIBLING = re.compile(
    rf"\b(?:(?:brother|sister|sibling|twin)s? (?:of|to)|(?:[Hh]is|[Hh]er) (?:\w+ )?(?:brother|sister),?(?: is| was)?) "
    rf"(?:the )?(?:[a-z-]+ ){{0,3}}{_TITLED}({NAME})"
)
_CHILD = re.compile(
    rf"\b(?:(?:father|mother) of|(?:[Hh]is|[Hh]er|[Tt]heir) (?:\w+ )?(?:son|daughter),?(?: is| was)?) (?:the )?"
    rf"(?:[a-z-]+ ){{0,2}}{_TITLED}({NAME})"
)
_OFFICE = re.compile(
    r"\b(?:as|became|becoming|was|is|appointed|elected|named|made|been|post of|position of|,) (?:as )?(?:the |an? )?"
    r"(?:[a-z0-9-]+ ){0,2}"
    r"((?:(?:Deputy|Vice|Prime|Chief|First|Lord|Attorney|Solicitor|Lieutenant)[ -])?(?:Member|Governor|Mayor|Minister|"
    r"President|Senator|Chairman|Bishop|Archbishop|Viceroy|Secretary|Ambassador|Chancellor|Speaker|Earl|Duke|Count|Baron|"
    r"King|Queen|Prince|Princess|Justice|General|Sheriff|Dean|Rector|Director|Head|Abbot|Professor)"
    rf"(?: of Parliament)? (?:of|for|to) (?:the )?{NAME})"
)


def read_relations(text: str, honours: str, own: set[str]) -> dict[str, list[str]]:
    """Attributes from whole sentences. `honours` holds the letters after the name, `own` the person's names."""
    found = {
        "award": HONOURS.findall(honours) + [_name_award(match) for match in _AWARD.finditer(text)],
        "team": _split_lists(_TEAM, text),
        "represented": _split_lists(_REPRESENTED, text),
        "member_of": [match[1] for match in _MEMBER.finditer(text)],
        "office": [match[1] for match in _OFFICE.finditer(text)],
    }
    taken: set[str] = set()
    for key, pattern in (
        ("spouse", _SPOUSE),
        ("parent", _PARENT),
        ("sibling", _SIBLING),
        ("child", _CHILD),
    ):
        names = [name for match in pattern.finditer(text) for name in match.groups() if name]
        found[key] = [name for name in names if name not in taken and not _is_own(name, own)]
        taken.update(found[key])
    return found


def _is_own(name: str, own: set[str]) -> bool:
    """Whether every word of the name is one of the person's own names."""
    return {word.casefold() for word in name.split()} <= own


def _name_award(match: re.Match[str]) -> str:
    return f"{match[3]} medal" if match[3] else match[1] or match[2]


def _split_lists(pattern: re.Pattern[str], text: str) -> list[str]:
    """Names of a list, without what they belong to: "Larks of the Second Division"."""
    every = (one for match in pattern.finditer(text) for one in _SPLIT.split(match[1]))
    return [one.partition(" of the ")[0] for one in every if one]
