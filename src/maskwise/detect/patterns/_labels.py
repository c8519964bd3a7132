"""Pieces for values that a label announces: in prose, forms, tables, logs, markup and chat.

`password is x`, `Password: x`, `PASSWORD | x`, `password=x`, `"userPassword": "x"`, `<password>x</password>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# A label begins a word, also after an underscore ("db_password") and inside camelCase ("userPassword").
EDGE = r"(?:(?<![^\W_])|(?<=[a-z])(?=[A-Z]))"
_NUMBER = r"(?:numbers?|nos?|nrs?|num|nbr|ids?|code|ref|reference|num[eé]ro|número|nummer|numer|identifier|serial)"
_COPULA = r"(?:is|was|are|ist|es|est|er|now|here|of|the|as|with|issued|registered|under|bearing|holder|assigned|called)"
# What may stand between a label and the words and signs after it: "acct. no", "acct_no", "acctNo", "**Acct** no".
_LINK = r"[\s_.,*(\[\"'’“”-]{0,3}"
_SIGN = r"[\s:=#|>*_\"'“”«»(\[{№°º–—→~/\\-]"
_WORDS = rf"(?:{_LINK}(?i:{_NUMBER}|{_COPULA})\.?(?![^\W\d_])){{0,4}}"
# Any of these makes the next code a value: "order no. 12", "order: 12", "order | 12", "order   12".
_ANNOUNCED = rf"(?:{_LINK}(?i:{_NUMBER})\.?(?![^\W\d_])|[\"'*_)\]\s]{{0,3}}(?:[:=#|№→~]|<[/\w]{{0,20}}>|>)|\t|[ ]{{2}})"

# Between a label that says enough on its own and its value: "SSN 123", "my SSN is 123".
GAP = rf"(?![^\W\d_]){_WORDS}{_SIGN}{{0,40}}"
# Between a word that means other things too and its value: "order no. 123", "order: 123", never "order 123".
ANNOUNCED_GAP = rf"(?![^\W\d_])\.?{_ANNOUNCED}{_WORDS}{_SIGN}{{0,40}}"
# A sign that assigns, with what markup puts around it: "password = ", '"password": "', "password => '", "pwd|".
ASSIGNED = r"[\"'*_`)\]]{0,3}[ \t]{0,20}(?:[:=|]{1,2}>?|->|→|>)[ \t]{0,20}[\"'*_`“‘]{0,3}"

_NOT_PREFIX = r"(?!(?i:a|an|is|no|of|to|in|at|on|for|the|was|and|or|by|as|it|he|we|my|so|if)[ ])"
_NOT_DATE = (
    r"(?![0-9]{1,2}[./-][0-9]{1,2}[./-]|(?:19|20)[0-9]{2}(?![\w-])"
    r"|[0-9]{1,2}[ ](?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
)
# One code in any case, a digit among its first signs: "US-DL-D1234567", "ab-12/4", "12 345 678", "AB 12 34 C".
CODE = (
    rf"(?<![^\W_])(?:{_NOT_PREFIX}[A-Za-z]{{1,4}}[ ](?=[0-9]))?(?=[A-Za-z./_-]{{0,16}}[0-9])[A-Za-z0-9]{{1,24}}"
    rf"(?:[-_/‑–][A-Za-z0-9]{{1,24}}|[.:](?=[A-Za-z]{{0,4}}[0-9])[A-Za-z0-9]{{1,24}}"
    rf"|[ ]{_NOT_DATE}[0-9]{{2,12}}(?![\w%])(?![.,][0-9])|[ ]-[ ](?=[0-9]{{3}})[0-9]{{3,12}}(?![\w%])){{0,8}}"
    r"(?:[ ][A-Z](?![\w.'’]|[ ][a-z]))?(?![\w°%€$£])"
)


def labelled(words: Iterable[str], value: str, gap: str = GAP) -> str:
    """A pattern for `value` (the mention) after one of `words`, whatever their case."""
    return rf"{EDGE}(?i:{'|'.join(words)}){gap}(?P<m>{value})"


def literals(words: Iterable[str]) -> tuple[str, ...]:
    """The lower-case triggers of labels written with `[ _-]?` between their words and no other sign of `re`.

    >>> literals(["access[ _-]?key"])
    ('access key', 'access_key', 'access-key', 'accesskey')
    """
    found: dict[str, None] = {}
    for word in words:
        for sign in (" ", "_", "-", "") if "[ _-]?" in word else ("",):
            found[re.sub(r"\[ _-\]\?", sign, word).lower()] = None
    return tuple(found)
