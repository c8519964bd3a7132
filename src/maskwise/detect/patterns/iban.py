"""International bank account numbers, with the length of their country and the check digits of ISO 13616."""

from __future__ import annotations

import re
from collections.abc import Iterable

from maskwise.detect.patterns._labels import match_labelled
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_LENGTHS = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 "
    "EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 "
    "KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 "
    "PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 "
    "VA22 VG24 XK20 "
)
LENGTH = {entry[:2]: int(entry[2:]) for entry in _LENGTHS.split()}
_SIGN = re.compile(r"[^\W_]")
_BETWEEN = re.compile(r"[ \u00a0.-]")


def _cut_exact(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """As many letters and digits as the country has: the next word may look like one more group."""
    signs = [sign.end() for sign in _SIGN.finditer(match.string, *match.span())]
    length = LENGTH.get(match.group()[:2].upper(), 0)
    if not length or len(signs) < length:
        return ()
    end = signs[length - 1]
    # A number that goes on without a space is longer than it should be.
    return () if match.string[end : end + 1].isalnum() else ((match.start(), end),)


def _compact_code(surface: str) -> str:
    return _BETWEEN.sub("", surface).upper()


def _is_valid(surface: str) -> bool:
    from stdnum import iban

    return bool(iban.is_valid(_compact_code(surface), check_country=False))


def _has_digits(surface: str) -> bool:
    """Whether eight digits follow the check digits: no account has fewer, and words in capitals have none."""
    return sum(map(str.isdigit, surface)) >= 10


_GROUP = r"(?=[A-Za-z]{0,3}[0-9]|[A-Za-z]{4}[ ]?[0-9])[A-Za-z0-9]{1,4}"

# The bank's letters or digits, and then digits with at most a few letters, all in groups of four or in one.
_REST = (
    r"(?:(?:[ \u00a0](?:[A-Z]{4}|[A-Z]?[0-9]{3,4}|[0-9A-Z]{4}))(?:[ \u00a0][0-9A-Z]{4}){1,6}(?:[ \u00a0][0-9A-Z]{1,3})?"
    r"|[A-Z0-9]{11,30})(?!\w)"
)

FAMILY = Family(
    name="iban",
    rules=(
        Rule(
            name="iban",
            type=EntityType.CODE,
            regex=r"[A-Z](?<!\w.)[A-Z][0-9]{2}(?:[ \u00a0.-]?[A-Za-z0-9]){11,30}",
            shapes=("AB00",),
            opens=True,
            certain=True,
            check=_is_valid,
            value=_compact_code,
            expand=_cut_exact,
        ),
        Rule(
            name="iban_lower",
            type=EntityType.CODE,
            regex=r"[a-z](?<!\w.)[a-z][0-9]{2}(?:[ \u00a0.-]?[A-Za-z0-9]){11,30}",
            shapes=("aa00",),
            opens=True,
            certain=True,
            check=_is_valid,
            value=_compact_code,
            expand=_cut_exact,
        ),
        # With a slip of the pen: the length of its country and groups of four decide.
        Rule(
            name="iban_shaped",
            type=EntityType.CODE,
            regex=rf"[A-Z](?<!\w.)[A-Z][0-9]{{2}}{_REST}",
            shapes=("AB00",),
            opens=True,
            score=0.8,
            check=_has_digits,
            value=_compact_code,
            expand=_cut_exact,
        ),
        # Otherwise the word "IBAN" decides.
        Rule(
            name="iban_labelled",
            type=EntityType.CODE,
            regex=match_labelled(
                ("iban",), rf"(?<!\w)[A-Za-z]{{2}}[0-9]{{2}}(?:[ \u00a0.-]?{_GROUP}){{3,8}}(?!\w)"
            ),
            triggers=("iban",),
            opens=True,
            value=_compact_code,
        ),
    ),
    positive=(
        # Check digits computed for invented accounts.
        ("IBAN GB59 MASK 9999 9900 0000 12 BIC", ("GB59 MASK 9999 9900 0000 12",)),
        ("to DE49999999990000000017.", ("DE49999999990000000017",)),
        ("account (FR96 9999 9000 0100 0000 0000 X12)", ("FR96 9999 9000 0100 0000 0000 X12",)),
        ("NO54 9999 0000 012 AND more", ("NO54 9999 0000 012",)),
        ("IBAN NL21 MASK 0000 0000 12 BIC", ("NL21 MASK 0000 0000 12",)),
        ("to ES1099999999000000000012.", ("ES1099999999000000000012",)),
        ("account (IT08 X999 9900 0000 0000 0000 012)", ("IT08 X999 9900 0000 0000 0000 012",)),
        (
            "MT84 MASK 9999 9000 0000 0000 0000 012 AND more",
            ("MT84 MASK 9999 9000 0000 0000 0000 012",),
        ),
        ("IBAN PL08 9999 9999 0000 0000 0000 0012 BIC", ("PL08 9999 9999 0000 0000 0000 0012",)),
        ("to BR7999999999999990000000012C1.", ("BR7999999999999990000000012C1",)),
        ("iban: de49999999990000000017", ("de49999999990000000017",)),
        ("paid to de49 9999 9999 0000 0000 17 today", ("de49 9999 9999 0000 0000 17",)),
        ("iban is de12 9999 9999 0000 0000 17 ok", ("de12 9999 9999 0000 0000 17",)),
        ("IBAN=GB59 MASK 9999 9900 0000 13", ("GB59 MASK 9999 9900 0000 13",)),
        ("122125;GB59 MASK 1948 2064 0000 13;$47.65", ("GB59 MASK 1948 2064 0000 13",)),
        ("to FR52 9999 9999 0000 2050 1948 571.", ("FR52 9999 9999 0000 2050 1948 571",)),
        ("to DE50999999990000000017.", ("DE50999999990000000017",)),
    ),
    negative=(
        "GB59 MASK 9999 9900 0000 1",
        "GB22 THIS WAS WHAT THEY MUST SHOW",
        "DE499999999900000000",
        "DE499999999900000000177",
        "AB12 3456 7890 1234 5678",
        "ZZ82 WEST 1234 5698 7654 32",
        "DE89",
        "The XX99 ABCD 1234 model",
    ),
)
