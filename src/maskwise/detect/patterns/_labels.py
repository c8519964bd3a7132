"""Pieces for values that a label announces: in prose, forms, tables, logs, markup and chat.

`password is x`, `Password: x`, `PASSWORD | x`, `password=x`, `"userPassword": "x"`, `<password>x</password>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# A label begins a word, also after an underscore ("db_password") and inside camelCase ("userPassword").
EDGE = r"(?:(?<![^\W_])|(?<=[a-z])(?=[A-Z]))"
_NUMBER = r"(?:numbers?|nos?|nrs?|num|nbr|ids?|code|ref|reference|num[eé]ro|número|nummer|numer|identifier|serial)"
_COPULA = (
    r"(?:is|was|are|ist|es|est|er|now|here|of|the|as|with|issued|registered|under|bearing|holder|assigned|called"
    r"|ends|ending(?: in)?|last (?:four|4)(?: digits)?|it's|its|to|for)"
)
# What may stand between a label and the next word or sign: "acct. no", "acct_no", "acctNo", "**Acct** no".
_LINK = r"[\s_.,*(\[\"'’“”-]{0,3}"
_SIGN = r"[\s:=#|>*_\"'“”«»(\[{№°º–—→~/\\-]"
_WORDS = rf"(?:{_LINK}(?i:{_NUMBER}|{_COPULA})\.?(?![^\W\d_]|-\w)){{0,4}}"
# A tag. Several may stand between a label and its value: "<td>MRN</td><td>4711</td>".
_TAG = r"</?[A-Za-z][^<>\n]{0,80}>"
# Any of these makes the next code a value: "order no. 12", "order: 12", "order | 12", "order   12".
_ANNOUNCED = rf"(?:{_LINK}(?i:{_NUMBER})\.?(?![^\W\d_]|-\w)|[\"'*_)\]\s]{{0,3}}(?:[:=#|№→~>]|{_TAG})|\t|[ ]{{2}})"

# Between a label that says enough on its own and its value: "SSN 123", "my SSN is 123".
GAP = rf"(?![^\W\d_])\.?{_WORDS}(?:{_SIGN}|{_TAG}){{0,40}}"
# Between a word that means other things too and its value: "order no. 123", "order: 123", never "order 123".
ANNOUNCED_GAP = rf"(?![^\W\d_])\.?{_ANNOUNCED}{_WORDS}(?:{_SIGN}|{_TAG}){{0,40}}"
# A sign that assigns, with what markup puts around it: "password = ", '"password": "', "password => '", "pwd|".
ASSIGNED = r"[\"'*_`)\]]{0,3}[ \t]{0,20}(?:[:=|]{1,2}>?|->|→|>)[ \t]{0,20}[\"'*_`“‘]{0,3}"

# "my number is all 12", but "my number is ALL 936N54999".
_NOT_PREFIX = (
    r"(?!(?![A-Za-z]{1,4}[ ][0-9]{2,4}[A-Za-z][0-9]{4})"
    r"(?i:a|an|is|no|of|to|in|at|on|for|the|was|and|or|by|as|it|he|we|my|so|if|nr|id|are|not|but|unit|part|page|item"
    r"|flat|room|from|act|law|nos|art|para|over|some|than|with|only|all|has|had)[ ]|[A-Za-z]{1,4}[ ](?:19|20)"
    r"[0-9]{2}(?![\w/-]))"
)
_MONTHS = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_NOT_DATE = (
    r"(?![0-9]{1,2}[./-][0-9]{1,2}[./-]|(?:19|20)[0-9]{2}(?![\w/-])|(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?!\w)"
    rf"|[0-9]{{1,2}}[ ]{_MONTHS}|[0-9]{{1,2}}:[0-5][0-9](?!\w))"
)
_NOT_UNIT = (
    r"(?![ \u00a0]?(?i:%|per[ ]?cent|eur(?:os?)?|usd|gbp|nok|sek|dkk|chf|dollars?|pounds?|kroner|roubles?|zlotys?"
    r"|years?|days?|weeks?|months?|hours?|minutes?|people|persons|units|items|pages|copies|times|points|km|kg|mg|ml|cm"
    r"|mm|metres|miles|am|pm|million|billion|thousand|degrees|st|nd|rd|th)(?![^\W\d_]))"
)
_MORE = (
    r"[-_/‑–][A-Za-z0-9]{1,24}|[.:](?=[A-Za-z]{0,4}[0-9])[A-Za-z0-9]{1,24}"
    rf"|[ ]{_NOT_DATE}[0-9]{{2,12}}(?![\w%])(?![.,:][0-9]){_NOT_UNIT}|[ ]-[ ](?=[0-9]{{3}})[0-9]{{3,12}}(?![\w%])"
    # After a group of four figures another one is no year: "acct 1799 1959 39".
    r"|(?<=[0-9]{4})(?<![0-9]{5})[ ](?:19|20)[0-9]{2}(?![\w/%-])(?![.,:][0-9])"
    r"|[ ][A-Z]{1,3}[ ]?[0-9]{2,8}(?!\w)|[ ](?:(?!and|or|to)[A-Za-z]{1,3}[ ])?[0-9]{1,6}/(?:19|20)?[0-9]{2}(?!\w)"
)
_END = rf"(?:[ ][A-Z](?![\w.'’]|[ ][a-z]))?(?![\w°%€$£@]|[.,][0-9]){_NOT_UNIT}"
# One code in any case, a digit among its first signs: "US-DL-D1234567", "ab-12/4", "12 345 678", "AB 12 34 C".
CODE = (
    rf"(?<![^\W_])(?<![0-9][.,]){_NOT_DATE}(?:{_NOT_PREFIX}[A-Za-z]{{1,4}}[ ](?=[0-9]))?"
    rf"(?=[A-Za-z./_-]{{0,16}}[0-9])[A-Za-z0-9]{{1,24}}(?:{_MORE}){{0,8}}{_END}"
)
# The same for a label that ordinary prose uses too: five digits, or digits among letters or signs.
_TELLING = (
    r"(?=(?:[0-9][ -]?){5}|[A-Za-z]{1,6}[-/ ]?[A-Za-z]{0,3}[0-9]{3}|[A-Za-z]{1,6}[-/][0-9]{2}"
    r"|[0-9]{1,6}[-/A-Za-z][A-Za-z0-9-]{0,3}[0-9])"
)
STRICT = _TELLING + CODE


_SPACE = re.compile(r"(?<!\[) (?!_)")  # not the one of "[ _-]?"


def is_code(surface: str, least: int = 4) -> bool:
    """Whether a labelled value is long enough for a code."""
    return sum(map(str.isalnum, surface)) >= least and any(map(str.isdecimal, surface))


def match_labelled(words: Iterable[str], value: str, gap: str = GAP) -> str:
    """A pattern for `value` (the mention) after one of `words`, whatever their case: "device id", "device_id"."""
    spaced = (_SPACE.sub("[ _-]", word) for word in words)
    return rf"{EDGE}(?i:{'|'.join(spaced)}){gap}(?P<m>{value})"


def list_literals(words: Iterable[str]) -> tuple[str, ...]:
    """The lower-case triggers of labels written with spaces or `[ _-]?` between their words and no other sign of `re`.

    >>> list_literals(["access[ _-]?key", "key id"])
    ('access key', 'access_key', 'access-key', 'accesskey', 'key id', 'key_id', 'key-id')
    """
    found: dict[str, None] = {}
    for word in words:
        signs = (" ", "_", "-", "") if "[ _-]?" in word else (" ", "_", "-")
        for sign in signs if " " in word else ("",):
            glued = _SPACE.sub(sign or " ", word)
            found[glued.replace("[ _-]?", sign).lower()] = None
    return tuple(found)
