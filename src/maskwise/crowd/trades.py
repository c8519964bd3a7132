"""Trades in noun phrases: what somebody is or does, told from other nouns by their endings."""

from __future__ import annotations

import re

from maskwise.crowd.biography import split_trades

_MOST = 3  # words of a trade that is followed by more of its sentence
# Words that end like a trade and are none.
_NO_TRADE = re.compile(
    r"(?:ment|(?<!\bag)(?<!stud)(?<!presid)(?<!superintend)(?<!correspond)(?<!resid)ent"
    r"|\b(?:matter|letter|paper|order|winter|summer|corner|computer|water|dinner|offer|border|power|tower|river"
    r"|shoulder|finger|answer|danger|disorder|cancer|ulcer|fever|error|tumou?r|mirror|factor|colou?r|door|floor|minor"
    r"|major|motor|harbou?r|supper|counter|chapter|quarter|disaster|never|ever|over|under|other|another|together"
    r"|after|later|former|latter|elder|younger|older|applicant|claimant|defendant|appellant|complainant|patient"
    r"|respondent|warrant|tenant|restaurant|grant|plant|infant|want|list|exist|human|german|woman|man|trailer|trawler"
    r"|schooner|car|chair|pair|hair|standard|board|award|card|hard|yard|heart|ear|year|beard"
    r"|abdomen|specimen|regimen|omen|semen|women|men))\Z"
)


def find_trades(predicate: str) -> list[str]:
    """The trades at the beginning of a predicate, or of whatever begins with one.

    >>> find_trades(" retired glassblower and nurse from Hexwick"), find_trades(" plumber sang")
    (['glassblower', 'nurse'], ['plumber'])
    """
    words = predicate.split()
    shorter = (" ".join(words[:count]) for count in range(_MOST, 0, -1))
    found = split_trades(predicate) or next(filter(None, map(split_trades, shorter)), [])
    return [
        one for one in found if one in predicate and not _NO_TRADE.search(one.removesuffix("s"))
    ]


def is_trade(phrase: str) -> bool:
    """Whether a noun phrase names what somebody is or does.

    >>> is_trade("trawler skipper"), is_trade("harp"), is_trade("matter")
    (True, False, False)
    """
    found = split_trades(f" {phrase.lower()}")
    return any(not _NO_TRADE.search(one.removesuffix("s")) for one in found)
