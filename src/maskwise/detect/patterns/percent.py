"""Percentages: "15 %", "3.5%", "fifteen per cent", "20 to 25%"."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.fragments import DASH, GAP
from maskwise.text.numbers import DIGITS, WORDS, format_number, read_number

_NUMBER = rf"(?:{DIGITS}|{WORDS})"
_SIGN = rf"(?:{GAP}?[%‰]|{GAP}[Pp]er{GAP}[Cc]ent(?!\w)|{GAP}[Pp]ercent(?:age{GAP}points?)?(?!\w))"
_TO = rf"(?:{GAP}(?:to|or|and){GAP}|{GAP}?{DASH}{GAP}?)"


def _read_percentage(text: str) -> str:
    amount = read_number(text)
    return "" if amount is None else f"{format_number(amount)}{'‰' if '‰' in text else '%'}"


FAMILY = Family(
    name="percent",
    rules=(
        Rule(
            name="percent",
            type=EntityType.QUANTITY,
            regex=rf"(?<![\w.,-]){_NUMBER}(?:{_TO}{_NUMBER})?{_SIGN}",
            triggers=("%", "‰", "per cent", "percent", "per\ncent", "per\u00a0cent"),
            reach=56,
            value=_read_percentage,
        ),
    ),
    positive=(
        ("a share of 15 %", ("15 %",)),
        ("about 3.5%", ("3.5%",)),
        ("fifteen per cent", ("fifteen per cent",)),
        ("between 20 and 25%", ("20 and 25%",)),
        ("0,5 percent", ("0,5 percent",)),
        ("ten percentage points", ("ten percentage points",)),
        ("Forty-five percent agreed.", ("Forty-five percent",)),
        ("10-15 %", ("10-15 %",)),
        ("100%", ("100%",)),
        ("a hundred per cent", ("hundred per cent",)),
        ("2‰", ("2‰",)),
        ("12\u00a0%", ("12\u00a0%",)),
        ("of 7.25 per cent a year", ("7.25 per cent",)),
        ("50% and 60%", ("50%", "60%")),
        ("one per cent", ("one per cent",)),
    ),
    negative=(
        "per cent",
        "%",
        "a percentage",
        "x5%",
        "percentile 40",
        "per centre",
        "the %s sign",
        "5 per century",
    ),
)
