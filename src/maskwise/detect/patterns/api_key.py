"""Keys and tokens known by their shape: cloud, payment, source hosts, chats, JSON web tokens, digests.

Each service marks its keys with a prefix. A long string of mixed letters and digits needs no mark.
"""

from __future__ import annotations

import re

from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_ANY = "A-Za-z0-9"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
SHORT = 2.0  # letters that a word of a key has on average; in a long one some more
FEW = 0.18  # share of vowels among the letters of what is no word
# What a key begins with, the signs that follow, and how many of them at least.
_SHAPES = (
    ("AIza", f"{_ANY}_-", 30),
    ("ya29.", f"{_ANY}_-", 20),
    ("GOCSPX-", f"{_ANY}_-", 20),
    *((f"gh{letter}_", _ANY, 20) for letter in "pousr"),
    ("github_pat_", f"{_ANY}_", 20),
    *((head, f"{_ANY}_-", 16) for head in ("glpat-", "glrt-", "gldt-", "glcbt-")),
    ("ATATT3x", f"{_ANY}_=-", 20),
    ("ATBB", _ANY, 20),
    *((f"xox{letter}-", f"{_ANY}-", 10) for letter in "abeoprs"),
    ("xapp-", f"{_ANY}-", 10),
    *((f"{kind}_{mode}_", _ANY, 10) for kind in ("sk", "pk", "rk") for mode in ("live", "test")),
    ("whsec_", f"{_ANY}+/=", 16),
    *((head, f"{_ANY}_-", 20) for head in ("sq0atp-", "sq0csp-")),
    *((head, f"{_ANY}_-", 20) for head in ("sk-proj-", "sk-ant-", "sk-or-", "sk-")),
    ("hf_", _ANY, 20),
    ("npm_", _ANY, 20),
    ("pypi-", f"{_ANY}_-", 30),
    *((f"do{letter}_v1_", "a-f0-9", 32) for letter in "opr"),
    *((f"shp{kind}_", "A-Fa-f0-9", 24) for kind in ("at", "ca", "pa", "ss")),
    *((head, "a-f0-9", 32) for head in ("AC", "SK", "key-", "dapi")),
    ("SG.", f"{_ANY}_.-", 30),
    ("hvs.", f"{_ANY}_-", 20),
    *(
        (head, f"{_ANY}_-", 20)
        for head in ("lin_api_", "ntn_", "secret_", "figd_", "PMAK-", "NRAK-", "glsa_")
    ),
    *((head, f"{_ANY}_=+/-", 20) for head in ("sntrys_", "sntryu_", "dp.pt.", "EAAA", "EAAC")),
    ("AGE-SECRET-KEY-1", "A-Z0-9", 30),
)


def _is_mixed(surface: str) -> bool:
    """Whether a string is no word: letters and digits, and more kinds of signs than a repetition has."""
    letters = sum(map(str.isalpha, surface))
    digits = sum(map(str.isdecimal, surface))
    return letters > 1 and digits > 1 and len(set(surface)) > 6


def _is_random(surface: str) -> bool:
    """Whether a string without a mark is a key: its words, as far as it has any, are short.

    >>> [_is_random(text) for text in ("jcT0GtUxQZpd", "getUserByIdAndName2", "python3-dist-packages")]
    [True, False, False]
    """
    if surface in read_words("clinical_acronyms"):
        return False  # "CHA2DS2-VASc"
    words = _WORD.findall(surface)
    letters = [c for c in surface.lower() if c.isalpha()]
    if len(letters) < 4 or len(set(surface)) < 8:
        return False
    mean = sum(map(len, words)) / len(words)
    vowels = sum(c in "aeiouy" for c in letters) / len(letters)
    is_long = len(surface) >= 16
    if surface.upper() != surface != surface.lower():
        return mean <= SHORT + len(surface) / 50 or (is_long and vowels < FEW)
    is_slug = not surface.isalnum()  # words in one case with signs between them
    return is_long and ((mean <= 4 and not is_slug) or vowels < FEW)


def _make_rule(head: str, signs: str, least: int) -> Rule:
    return Rule(
        name="secret_key",
        type=EntityType.CODE,
        regex=rf"{re.escape(head)}(?<![^\W_]{'.' * len(head)})[{signs}]{{{least},400}}+(?!\w)",
        triggers=(head.lower(),),
        opens=True,
        score=0.95,
        certain=True,
        check=_is_mixed,
    )


# Keys of a cloud: letters and figures of no known number.
_CLOUD = ("AKIA", "ASIA", "ABIA", "ACCA", "AROA", "AIDA", "AGPA", "ANPA")

# Invented bodies, so plainly that no scanner takes them for live keys.
_FILLING = "Example0Fake1Not2Real3Invented4"


def _build_body(signs: str, length: int) -> str:
    fitting = re.compile(f"[{signs}]")
    source = (
        _FILLING
        if fitting.match("m")
        else _FILLING.upper()
        if fitting.match("M")
        else "0123456789abcdef"
    )
    return ("".join(fitting.findall(source)) * length)[:length]


_JWT = ".".join(("eyJhbGciOiJub25lIn0", "eyJzdWIiOiJleGFtcGxlIn0", "bm90LWEtc2lnbmF0dXJl"))
_HEX = "0123456789abcdef"

FAMILY = Family(
    name="api_key",
    rules=(
        *(_make_rule(*shape) for shape in _SHAPES),
        Rule(
            name="secret_key",
            type=EntityType.CODE,
            regex=rf"(?i:{'|'.join(_CLOUD)})(?<![^\W_]....)[A-Za-z0-9]{{16}}(?!\w)",
            triggers=tuple(map(str.lower, _CLOUD)),
            opens=True,
            score=0.95,
            certain=True,
        ),
        # The secret that stands beside the key of a cloud.
        Rule(
            name="secret_key",
            type=EntityType.CODE,
            regex=rf"(?i:{'|'.join(_CLOUD)})[A-Za-z0-9]{{16}}[^A-Za-z0-9]{{1,20}}"
            r"(?:(?i:aws|secret|access|key|id|and|with|the|is)[^A-Za-z0-9]{1,5}){0,5}"
            r"(?P<m>[A-Za-z0-9/+]{40})(?![\w/+])",
            triggers=tuple(map(str.lower, _CLOUD)),
            opens=True,
            score=0.95,
            certain=True,
        ),
        Rule(
            name="secret_jwt",
            type=EntityType.CODE,
            regex=r"eyJ(?<![^\W_]...)[\w-]{8,4000}+\.[\w-]{4,16000}+(?:\.[\w-]{0,16000}+){0,3}",
            triggers=("eyj",),
            opens=True,
            score=0.95,
            certain=True,
        ),
        # A chat robot's number and key.
        Rule(
            name="secret_key",
            type=EntityType.CODE,
            regex=r"[0-9](?<!\w.)[0-9]{7,10}:[\w-]{30,50}+(?!\w)",
            shapes=tuple("1" + "0" * more + ":" for more in range(7, 11)),
            opens=True,
            certain=True,
            check=_is_mixed,
        ),
        Rule(
            name="secret_digest",
            type=EntityType.CODE,
            regex=r"[0-9A-Fa-f](?<![^\W_].)(?:[0-9a-f]{31,127}|[0-9A-F]{31,127})(?:-us[0-9]{1,2})?(?!\w)",
            shapes=tuple(head + figure for head in ("1", "10", "100") for figure in "aB0")
            + tuple("aaaaaaaaaaaaaaaa"[:letters] + "0" for letters in range(1, 9))
            + tuple("A" + "BBBBBBBB"[:letters] + "0" for letters in range(9)),
            opens=True,
            score=0.8,
            check=lambda surface: _is_mixed(surface) and len(surface.partition("-")[0]) >= 32,
        ),
        Rule(
            name="secret_token",
            type=EntityType.CODE,
            regex=r"[A-Za-z0-9_+/-](?<![\w@.&?%+/#-].)(?=[A-Za-z_+/-]{0,60}[0-9])[A-Za-z0-9_+/-]{11,400}+={0,2}"
            r"(?![\w@:]|[.][^\W_])",
            shapes=("100", "1a", "1B", "10a", "10B", "a0", "B0", "+1", "/1", "-1", "_0"),
            reach=64,
            score=0.7,
            check=_is_random,
        ),
    ),
    positive=(
        *(
            (
                f"key {head}{_build_body(signs, least + 4)}.",
                (f"{head}{_build_body(signs, least + 4)}",),
            )
            for head, signs, least in _SHAPES
            if "." not in signs
        ),
        (
            f"SG.{'Example0' * 3}.{'Invented1' * 4} sent",
            (f"SG.{'Example0' * 3}.{'Invented1' * 4}",),
        ),
        (f"session {_JWT}, expired", (_JWT,)),
        (f'{{"jwt":"{_JWT}"}}', (_JWT,)),
        (f"bot 123456789:{'Exa_mple-0' * 4} runs", (f"123456789:{'Exa_mple-0' * 4}",)),
        (f"md5 {_HEX * 2}", (_HEX * 2,)),
        (f"sha256 {_HEX.upper() * 4}.", (_HEX.upper() * 4,)),
        (f"list {_HEX * 2}-us12 ends", (f"{_HEX * 2}-us12",)),
        (
            "AKIAEXAMPLEEXAMPLEXY and akiaexampleexamplexy",
            ("AKIAEXAMPLEEXAMPLEXY", "akiaexampleexamplexy"),
        ),
        (
            "x = Q9M2Vt6+TB7XlkjoVuj5ovWMlfDOSznBW/+tXC37.",
            ("Q9M2Vt6+TB7XlkjoVuj5ovWMlfDOSznBW/+tXC37",),
        ),
        ("we used wJ4lrXuT9nFEM1Ik7MdENG2bPx again", ("wJ4lrXuT9nFEM1Ik7MdENG2bPx",)),
    ),
    negative=(
        "AKIA is a place",
        "the sk-learn package and hf_hub",
        "ghp_short",
        "a secret_ingredient_of_this_soup_is_salt",
        "eyJ is how it begins",
        "Donaudampfschifffahrtsgesellschaft1997",
        "1234567890123456789012345678901234567890",
        "deadbeef and cafe",
        "the-quick-brown-fox-jumps-over-the-lazy-dog-2",
        "IMG_20240312_101112_holiday_in_norway",
    ),
)
