"""Payment card numbers: known issuer prefix and length, grouped or not, with the Luhn check digit."""

from __future__ import annotations

import re

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_ISSUER = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"  # Mastercard
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}"  # American Express, Diners Club
    r"|(?:6011|64[4-9]\d|65\d\d|35(?:2[89]|[3-8]\d))\d{12}"  # Discover, JCB
    r"|(?:5[06-8]|6\d)\d{10,17}"  # Maestro, UnionPay, RuPay
)


def _keep_digits(surface: str) -> str:
    return re.sub(r"\D", "", surface)


def _is_valid(surface: str) -> bool:
    from stdnum import luhn

    digits = _keep_digits(surface)
    return bool(_ISSUER.fullmatch(digits)) and len(set(digits)) > 2 and bool(luhn.is_valid(digits))


FAMILY = Family(
    name="card",
    rules=(
        Rule(
            name="card",
            type=EntityType.CODE,
            regex=r"[2-6](?<![\w.,+-].)(?:[0-9]{11,18}+|[0-9]{3}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}(?:\1[0-9]{3})?"
            r"|[0-9]{3}([ -])[0-9]{6}\2[0-9]{4,5})(?![\w-]|[.,][0-9])",
            shapes=("1" + "0" * 11, "1000 1000", "1000-1000"),
            opens=True,
            certain=True,
            check=_is_valid,
            value=_keep_digits,
        ),
    ),
    positive=(
        ("card 4111 1111 1111 1129 expired", ("4111 1111 1111 1129",)),
        ("paid with 4000000000000127.", ("4000000000000127",)),
        ("card no. 5555 0000 0000 0123", ("5555 0000 0000 0123",)),
        ("(2221000000000173)", ("2221000000000173",)),
        ("via 3700-000000-00127, done", ("3700-000000-00127",)),
        ("No:3600 000000 0123;", ("3600 000000 0123",)),
        ("card no. 6011-0000-0000-0129", ("6011-0000-0000-0129",)),
        ("(3530000000000128)", ("3530000000000128",)),
        ("via 6200 0000 0000 0120, done", ("6200 0000 0000 0120",)),
        ("No:6759-000000-00120;", ("6759-000000-00120",)),
        ("card no. 4000 0012 3400 0990", ("4000 0012 3400 0990",)),
    ),
    negative=(
        "4111 1111 1111 1112",
        "1234 5678 9012 3456",
        "4444444444444444444444",
        "reference 4000000000000128",
        "0000 0000 0000 0000",
        "4111,1111,1111,1111",
        "in 2003 2004 2005 2006",
    ),
)
