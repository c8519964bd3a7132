"""Bank identifier codes (ISO 9362) after a word that announces them: eight capitals alone may be any word."""

from __future__ import annotations

from maskwise.detect.patterns._context import GAP, match_after
from maskwise.detect.patterns.iban import LENGTH
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import BIC

# Countries whose banks have codes without IBAN accounts.
_COUNTRIES = frozenset(LENGTH) | frozenset(
    "AR AU CA CL CN CO HK ID IN JP KE KR MA MX MY NG NZ PE PH SG TH TW US UY VN ZA".split()
)


def _is_valid(surface: str) -> bool:
    from stdnum import bic

    code = surface.upper()
    return code[4:6] in _COUNTRIES and bool(bic.is_valid(code))


FAMILY = Family(
    name="bic",
    rules=(
        Rule(
            name=BIC,
            type=EntityType.CODE,
            regex=match_after(
                (r"bic(?:/swift)?|swift(?:[ /-]bic)?",),
                r"(?<![\w])[A-Z]{6}[A-Z0-9]{2}(?:[ ]?[A-Z0-9]{3}(?!\w))?(?!\w)",
                rf"(?:[ ]code|[ ]address)?{GAP}",
            ),
            triggers=("bic", "swift"),
            opens=True,
            check=_is_valid,
        ),
    ),
    positive=(
        ("BIC: MASKNOKK", ("MASKNOKK",)),
        ("SWIFT code WISEGB2LXXX", ("WISEGB2LXXX",)),
        ("(BIC MASKDEFF100)", ("MASKDEFF100",)),
        ("SWIFT/BIC: MASKUS33", ("MASKUS33",)),
        ("bic = MASKFRPP", ("MASKFRPP",)),
        ("BIC/SWIFT MASKCHZZ80A", ("MASKCHZZ80A",)),
        ("its SWIFT address was MASKIT2L.", ("MASKIT2L",)),
        ("BIC number MASKJPJT", ("MASKJPJT",)),
    ),
    negative=(
        "JUDGMENT",
        "The arabic MASKNOKK",
        "BIC: MASKXX33",
        "swift JUSTICES",
        "BIC: MASKNO",
        "MASKNOKK",
    ),
)
