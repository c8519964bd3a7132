"""Numbers that nothing explains: so many digits, or letters among them, that they can only be a code of somebody.

A filler: it counts only where no other rule and no other detector finds anything.
"""

from __future__ import annotations

from maskwise.detect.codes import is_rich
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import DIGITS

# Digit groups and what is glued to them; a comma, a currency or a unit makes an amount of it.
_PIECE = r"[A-Za-z0-9]{1,24}"
_CODE = (
    rf"(?<![\w.,$€£¥@-])(?<![$€£¥][ ])(?:\((?=\+?[0-9]{{1,5}}\)))?\+?(?=[A-Za-z./_()-]{{0,12}}[0-9]){_PIECE}"
    rf"(?:[)]?[-./_:]{_PIECE}|\)?[ ](?=[0-9]{{2,12}}(?![\w.,%]))[0-9]{{2,12}}){{0,8}}"
    r"(?:[ ]?(?i:extension|ext|x)\.?[ ]?[0-9]{1,6})?"
    r"(?![\w%€$£@]|[.,][0-9]|[ ]?[%°€$£])"
)

SIGNIFICANT = 3  # digits before the zeros of a round number, which is an amount


def _is_code(surface: str) -> bool:
    if surface.isdigit() and len(surface.rstrip("0")) < SIGNIFICANT:
        return False
    digits = sum(map(str.isdigit, surface))
    plain = sum(map(str.isalnum, surface))
    # A word with a number ("Covid19", "MI6") is no code; neither is a path or a file with few digits.
    return (
        is_rich(surface) and digits >= 4 and (digits > 5 or plain > digits or not surface.isdigit())
    )


FAMILY = Family(
    name="bare_code",
    rules=(
        Rule(
            name=DIGITS,
            type=EntityType.CODE,
            regex=_CODE,
            filler=True,
            score=0.6,
            check=_is_code,
        ),
    ),
    positive=(
        ("it says 00471123 there", ("00471123",)),
        ("GC-2547974 was on it", ("GC-2547974",)),
        ("then 1-303-555-0182 again", ("1-303-555-0182",)),
        ("(415) 555-0131 rang", ("(415) 555-0131",)),
        ("to (303) 555-0155 EXT. 801.", ("(303) 555-0155 EXT. 801",)),
        ("a kx12404b b", ("kx12404b",)),
        ("yesterday (0151 555 0199), twice", ("0151 555 0199",)),
    ),
    negative=(
        "in 1998 and 1999-2003",
        "it cost 500,000 or $12500",
        "the 1990s, 18th, 500mg, E11.9",
        "Covid-19 and MI6",
        "104.5 and 12000.50",
        "12000 copies",
        "a town of 1000000 or 2500000000",
    ),
)
