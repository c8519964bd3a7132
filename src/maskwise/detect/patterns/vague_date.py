"""A part of a longer time: "early 1999", "end of October 2003", "mid-May", "the late 1980s", "late summer of 2001"."""

from __future__ import annotations

from maskwise.detect.patterns._calendar import MONTH, PART, SEASON, YEAR, read_calendar_date
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.fragments import GAP, join_any_case
from maskwise.text.numbers import ORDINALS

_OF_YEAR = rf"(?:,?{GAP}(?:of{GAP})?{YEAR})"
_TIME = (
    rf"(?:(?:(?:{PART})?{SEASON}{_OF_YEAR}|{MONTH}{_OF_YEAR}?(?!{GAP}[0-9])|{YEAR}(?:['’]?s)?(?!\w)(?!{GAP}(?:Act|Law)\b))"
    rf"|(?:[0-9]{{1,2}}(?:st|nd|rd|th)|{join_any_case(ORDINALS)})[ -]century(?!\w))"
)


def _read_date(text: str) -> str:
    """The part in a word or two before the date: "early 1999", "end 2003-10", "first half 2005"."""
    words = [word for word in text.lower().replace("-", " ").split() if word not in ("of", "the")]
    size = 2 if "half" in words[:2] else 1
    return f"{' '.join(words[:size])} {read_calendar_date(text) or ' '.join(words[size:])}"


FAMILY = Family(
    name="vague_date",
    rules=(
        Rule(
            name="part",
            type=EntityType.DATETIME,
            regex=rf"(?<!\w){PART}{_TIME}",
            triggers=(
                "end of",
                "beginning of",
                "middle of",
                "start of",
                "first half of",
                "second half of",
                "early ",
                "early-",
                "late ",
                "late-",
                "mid-",
                "mid ",
                "mid\u2011",
            ),
            opens=True,
            value=_read_date,
        ),
    ),
    positive=(
        ("in early 1999", ("early 1999",)),
        ("at the end of October 2003", ("end of October 2003",)),
        ("by mid-May", ("mid-May",)),
        ("in the late 1980s", ("late 1980s",)),
        ("at the beginning of the 1990s", ("beginning of the 1990s",)),
        ("in late summer of 2001", ("late summer of 2001",)),
        ("the first half of 2005", ("first half of 2005",)),
        ("Early March 1998 was mild.", ("Early March 1998",)),
        ("the middle of 1976", ("middle of 1976",)),
        ("in the late sixteenth century", ("late sixteenth century",)),
        ("in mid-1996", ("mid-1996",)),
        ("At the start of April", ("start of April",)),
    ),
    negative=(
        "the end of the road",
        "late payments",
        "an early riser",
        "half of the estate",
        "the beginning of section 4",
        "mid-sized firms",
        "related 1999",
        "early retirement",
    ),
)
