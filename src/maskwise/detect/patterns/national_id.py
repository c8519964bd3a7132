"""National identifiers of people, checked by python-stdnum and announced by a word of their country.

A few whose shape is rare (a Mexican CURP, an Italian tax code) need no word. A general word ("personal code",
"national ID") is followed by the number of any country.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from maskwise.detect.patterns._checksums import Scheme
from maskwise.detect.patterns._context import GAP, match_after
from maskwise.detect.patterns._national_schemes import SCHEMES
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_GENERAL = (
    *(
        "national id",
        "national identi",
        "identity n",
        "identity card",
        "identity code",
        "identification n",
    ),
    *(
        "identification code",
        "personal id",
        "personal n",
        "personal code",
        "personal identi",
        "citizen",
    ),
    *(
        "social security",
        "social insurance",
        "social number",
        "tax id",
        "tax identi",
        "tax n",
        "tax code",
        "taxpayer",
    ),
    *(
        "fiscal code",
        "fiscal n",
        "id number",
        "id no",
        "id card",
        "id code",
        "birth number",
        "personnummer",
    ),
)
_ANY = r"(?<![\w-])[0-9A-Z](?=[0-9A-Z./+ -]{6})"


@cache
def _compile_shape(scheme: Scheme) -> re.Pattern[str]:
    """A word stands alone: a hyphen or dot before a number makes it part of something longer."""
    return re.compile(rf"(?<![\w-])(?<![\w][./])(?:{scheme.regex})(?![\w-]|[./][0-9])")


def _find_first_valid(schemes: Iterable[Scheme], text: str, at: int) -> Iterable[tuple[int, int]]:
    for scheme in schemes:
        match = _compile_shape(scheme).match(text, at)
        if match and scheme.is_valid(match.group()):
            return (match.span(),)
    return ()


def _make_rule(scheme: Scheme) -> Rule:
    words = scheme.words.split("|")
    return Rule(
        name=scheme.name,
        type=EntityType.CODE,
        regex=match_after(
            map(re.escape, words),
            rf"(?<![\w-])(?:{scheme.regex})(?![\w-]|[./][0-9])",
            rf"{GAP}(?:\w{{1,12}}{GAP})?",
        ),
        triggers=tuple(words),
        opens=True,
        certain=scheme.checksum,
        check=scheme.is_valid,
        value=_compact_code,
    )


def _make_unnamed_rules(checksum: bool) -> Iterable[Rule]:
    """Rules for numbers whose country is not said: after a general word, and with a rare shape after none."""
    schemes = tuple(scheme for scheme in SCHEMES if scheme.checksum is checksum)
    bare = tuple(scheme for scheme in schemes if scheme.bare)
    yield Rule(
        name="national_id",
        type=EntityType.CODE,
        regex=match_after(map(re.escape, _GENERAL), _ANY, rf"\w{{0,12}}{GAP}(?:\w{{1,12}}{GAP})?"),
        triggers=_GENERAL,
        opens=True,
        certain=checksum,
        value=_compact_code,
        expand=lambda match: _find_first_valid(schemes, match.string, match.start("m")),
    )
    yield Rule(
        name="national_id_digits",
        type=EntityType.CODE,
        regex=r"[0-9](?<![\w./-].)[0-9](?=[0-9.+A-Y-]{8})",
        shapes=("10000", *(figures + sign for figures in ("10", "100", "1000") for sign in ".+-B")),
        opens=True,
        certain=checksum,
        value=_compact_code,
        expand=lambda match: _find_first_valid(bare, match.string, match.start()),
    )
    yield Rule(
        name="national_id_letters",
        type=EntityType.CODE,
        regex=r"[A-Z](?<![\w./-].)[A-Z]{0,5}+[ -]?[0-9]{2}(?=[ ]?[0-9A-Z])",
        shapes=tuple(
            "A" + "B" * more + figures for more in range(6) for figures in ("00", " 10", "-10")
        ),
        opens=True,
        certain=checksum,
        value=_compact_code,
        expand=lambda match: _find_first_valid(bare, match.string, match.start()),
    )


def _compact_code(surface: str) -> str:
    return re.sub(r"[\W_]", "", surface).upper()


FAMILY = Family(
    name="national_id",
    rules=(
        *map(_make_rule, SCHEMES),
        *_make_unnamed_rules(checksum=True),
        *_make_unnamed_rules(checksum=False),
    ),
    positive=(
        *(
            (f"{scheme.words.split('|')[0]}: {scheme.example}.", (scheme.example,))
            for scheme in SCHEMES
        ),
        *(
            (f"it read {scheme.example} there", (scheme.example,))
            for scheme in SCHEMES
            if scheme.bare
        ),
        *(
            (f"personal code {scheme.example}", (scheme.example,))
            for scheme in SCHEMES
            if scheme.name[:2] in ("ee", "lv")
        ),
    ),
    negative=(
        *(scheme.example for scheme in SCHEMES if not scheme.bare),
        "personal code of conduct",
        "National Insurance QQ 12 34 56 C",
        "SSN 000-12-3456",
        "the PESEL register of 1979",
    ),
)
